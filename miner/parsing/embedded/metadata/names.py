"""Tells people's names from other text, and brings them into one form."""

from __future__ import annotations

import re
from functools import lru_cache

from miner.parsing.embedded.metadata.rows import MARK

_PARTICLES_TEXT = """
    van von der den de del della dei di da do dos das du la le les el al ul bin ibn ben bint ter ten te tot zu zum
    af av y e i 't san st
"""
_PARTICLES = frozenset(_PARTICLES_TEXT.split())
_DEGREES = re.compile(
    r"(?<![\w-])(?:M\.?D\.?|Ph\.?\s?D\.?|D\.?Phil\.?|M\.?Sc\.?|B\.?Sc\.?|MSc\(?Hons\)?|M\.?P\.?H\.?|"
    r"M\.?S\.?N\.?|M\.?H\.?S\.?|"
    r"M\.?B\.?B\.?S\.?|MBChB|MB|BS|B\.?S\.?|MS|B\.?A\.?|MA|R\.?N\.?|Dr\.?P\.?H\.?|Pharm\.?\s?D\.?|"
    r"D\.?V\.?M\.?|D\.?D\.?S\.?|Sc\.?D\.?|"
    r"D\.?Sc\.?|Ed\.?D\.?|Psy\.?D\.?|J\.?D\.?|M\.?B\.?A\.?|M\.?Ed\.?|M\.?Eng\.?|B\.?Eng\.?|F\.?A\.?C\.?P\.?|"
    r"FACS|FRCP\w*|FRCS\w*|MRCP\w*|FAAN|MHA|MPhil|MPP|"
    r"M\.?Tech|B\.?Tech|M\.?Pharm|D\.?O\.?|Habil|Dipl\.?-?\w*|MPharm|BDS|MDS|RD|APRN|FNP(?:-BC)?|CNM|LCSW|"
    r"MEng|BSN|DNP|DMD|MHSc|MMed\w*|"
    r"(?:Senior |Life |Student |Graduate Student )?Member,? IEEE|Fellow,? IEEE)(?![\w-])"
)
_TITLES = re.compile(
    r"^(?:(?:Assoc(?:iate)?\.?\s|Asst\.?\s|Assist(?:ant)?\.?\s)?Prof(?:essor)?\.?|Dr\.?|Mr\.?|Mrs\.?|Ms\.?|"
    r"Sir|Eng\.?|By|Authors?:?|Edited by:?)"
    r"(?=\s)\.?\s*"
)
_BRACKETS = re.compile(r"\[[^\[\]]{0,40}\]|\([^()]{0,40}\)|\{[^{}]{0,60}\}|https?://\S+|\bORCID\b\S*|\biD\b")
_EMAIL = re.compile(r"(?<!\S)\S+@\S+")  # from the start of a word: a long one without @ is looked through once
_NOTES = re.compile(r"[\d*†‡§¶#∗⁎∥✉✝⊥☯+^~|]+")
_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|['’‘ʼ`´.‐‑–-](?=[^\W\d_]))*\.?,?|(?:Jr|Sr|II|III|IV)\.?")
_SUFFIX = re.compile(r"(?:Jr|Sr)\.?|II|III|IV")
_WORDS_OF_NO_NAME = r"""
    \w*(?:ology|ological|culture|cultural|iatry|chemistry|dentistry|forestry|industry|nomics|matics|physics)
    \w*(?:sciences?|ceutical|ceutics) universi\w* universit\w* universidad\w* department\w* dept school colleges?
    institut\w* faculty facultad hospital\w* cent(?:er|re)s? laborator\w* labs? division academy clinic\w* ministry
    agency foundation corporation inc ltd llc gmbh company council unit programme? politecnico polytechnic station
    museum observatory library bureau office consortium group team society association street road avenue city state
    county province republic campus usa uk u\.s\.a abstract introduction background methods? results? keywords?
    conclusions? article research review journal editors? reviewed received accepted published revised available
    open access original paper report study analysis correspond\w* e-?mails? address\w* authors? affiliations? tel
    fax phone vol volume issue doi issn copyright licen[sc]e\w* press publish\w* manuscript preprint version
    submitted supplement\w* funding contents? lists? details? section special volunteers? commentary editorial
    letter perspective communication summary highlights information history dates? search current related content
    download\w* view online cite citation figure table equal\w* contribut\w* january february march july september
    october november december technology medicine health national international medical engineering software
    systems? data ieee acm google microsoft public administration business management education computer biology
    mathematics psychology economics resources? environment\w* safety protection services? independent researcher
    student lecturer pharmacy surgery nursing organic internal veterinary animal food crop forest\w* planning
    development applied advanced
    """
_NO_NAME = re.compile(rf"(?<![\w-])(?:{'|'.join(_WORDS_OF_NO_NAME.split())})(?![\w-])", re.I)
_PLACES_TEXT = """
    south africa; south korea; north korea; new zealand; new york; new jersey; new mexico; new delhi; hong kong;
    saudi arabia; sri lanka; costa rica; czech republic; united kingdom; united states; united arab emirates;
    great britain; northern ireland; los angeles; san diego; san francisco; san antonio; north carolina; south
    carolina; west virginia; rhode island; south dakota; north dakota; el salvador; puerto rico; papua new guinea;
    sierra leone; burkina faso; new south wales; western australia; south australia; british columbia; nova
    scotia; new brunswick; tamil nadu; uttar pradesh; andhra pradesh; madhya pradesh; west bengal; sao paulo; são
    paulo; rio de janeiro; minas gerais; rio grande do sul; porto alegre; belo horizonte; buenos aires; tel aviv;
    ann arbor; palo alto; kuala lumpur; addis ababa; cape town; dar es salaam; abu dhabi; ho chi minh; las vegas;
    fort collins; st louis; den haag; the hague; the netherlands;
    """
_FUNCTION_WORDS = frozenset(
    {"the", "of", "for", "on", "with", "from", "at", "by", "in", "to", "this", "that", "are", "is"}
)
_PLACES = frozenset(" ".join(_PLACES_TEXT.split()).split("; "))
_MAX_TOKENS, _MAX_NAME = 7, 60  # words, characters of a name
_MIN_COLUMNS = 6  # words of three names of two words each, which stand in columns
_MIN_CAPITALS = 0.5  # of the words of a row of names begin with capitals
_LONG_WORD = 3  # letters of a word in capitals that is written in usual case; shorter ones may be initials
_SEPARATOR = re.compile(
    rf"[;,|·•&/\\{MARK}∙⋅●]|(?<=\s)(?:and|AND|And|und|et|y|e)(?=\s)|^(?:and|AND|und|et)\s|\b(?:and|AND)$|"
    rf"\s{{3,}}|(?<=\s)[-–—](?=\s)"
)


def split_names(marked: str) -> list[str]:
    """The pieces of a row of names, in order, without marks and degrees; what remains may be no name.

    >>> split_names("Ada B. Lovelace1,*, MD, and Grace HOPPER")
    ['Ada B. Lovelace', 'Grace Hopper']
    """
    if _INVERTED.match(marked) and (
        len(inverted := _INVERTED.findall(marked)) > 1 or not _INVERTED.sub("", marked).strip(f" ,;{MARK}")
    ):
        return [tidy_name(f"{initials.strip()} {name}") for name, initials in inverted]
    text = _EMAIL.sub(MARK, marked)
    text = _BRACKETS.sub(MARK, text)
    text = _SEPARATED_SUFFIX.sub(r" \1", text)
    text = _NOTES.sub(MARK, _DEGREES.sub(MARK, text))
    pieces = (_LEADING_AND.sub("", piece.strip(" .:()[]{}<>–-−")) for piece in _SEPARATOR.split(text))
    return [name for piece in pieces if len(piece) > 1 for name in _apart(tidy_name(piece))]


def _apart(name: str) -> list[str]:
    """Three names or more of two words each that nothing separates, as in columns; else the one name."""
    words = name.split()
    is_several = (
        len(words) >= _MIN_COLUMNS
        and len(words) % 2 == 0
        and all(word[0].isupper() and word.isalpha() and len(word) > 1 for word in words)
    )
    return [" ".join(words[at : at + 2]) for at in range(0, len(words), 2)] if is_several else [name]


def names_in(marked: str) -> tuple[str, ...]:
    """The pieces of a row that may hold names; () for running text, which is recognised quickly.

    >>> names_in("Ada Lovelace and Grace Hopper"), names_in("the machine that was never built in her own time")
    (('Ada Lovelace', 'Grace Hopper'), ())
    """
    return _names_in(marked) if len(marked) < _MAX_ROW else ()


@lru_cache(maxsize=2_048)
def _names_in(marked: str) -> tuple[str, ...]:
    marked = _ON_BEHALF.split(marked)[0]
    if (_IN_CAPITALS if marked.isupper() else _NEVER).search(marked) and not _AFFILIATION.search(marked):
        return ()
    words = _WORD.findall(marked)
    capitals = sum(not word[0].islower() for word in words)
    if capitals < _MIN_CAPITALS * len(words) or _IMPRINT.search(marked):
        return ()
    pieces = split_names(marked)
    if _AFFILIATION.search(marked):  # an author's place may follow the name
        return tuple(pieces[:1]) if pieces and is_name(pieces[0]) and re.match(r"[^,]+,", marked) else ()
    return tuple(pieces)


_ON_BEHALF = re.compile(r"[,;]?\s(?:and\s)?(?:on behalf of|for the)\s", re.I)
_NEVER = re.compile(r"(?<![\w-])(?:of|for|with|from|the|using|its|among|between|that|this)(?![\w-])", re.I)
_IN_CAPITALS = re.compile(r"\b(?:OF|FOR|WITH|FROM|THE|USING|ITS|IN|ON|TO|BY|IS|ARE|AS)\b")
_AFFILIATION = re.compile(
    r"\b(?:universi\w*|universidad\w*|department|dept|school|college|institut\w*|faculty|hospital|"
    r"laborator(?:y|ies)|academy|polytechnic|politecnico)\b",
    re.I,
)
_MAX_ROW = 400  # characters
_WORD = re.compile(r"[^\W\d_]{2,}")
_IMPRINT = re.compile(r"(?<![\d-])(?:19|20)\d\d(?![\d-])|https?:(?!//orcid)|\bdoi\b", re.I)
_LEADING_AND = re.compile(r"^(?:and|und|et)\s+|\s+(?:and|und|et)$", re.I)


# "Novak, J., Li, X.Y."
_INVERTED = re.compile(
    r"([^\W\d_][^\W\d_'’‐-]+(?:[\s‐-][^\W\d_][^\W\d_'’‐-]+)?),\s((?:[A-Z]\.[\s-]?){1,4})(?=[,;&\s\ufdd0]|$)"
)
_SEPARATED_SUFFIX = re.compile(r",\s*((?:Jr|Sr)\b\.?|III\b|II\b)")


def tidy_name(name: str) -> str:
    """The name without titles and single letters of affiliations at its end; capitals in usual case.

    >>> [tidy_name(name) for name in ("DR. MARY-ANN O'NEIL", "Yun CHEN a", "van der BERG")]
    ["Mary-Ann O'Neil", 'Yun Chen', 'van der Berg']
    """
    name = " ".join(name.split())
    for _ in range(2):
        name = re.sub(_TITLES.pattern, "", name, flags=re.I)
    name = re.sub(r"(?:\s+[a-z](?:,\s?[a-z])*)+$", "", name)
    name = re.sub(r"(?<=[a-z]{2})[.,]+$", "", name).strip(" ,;")
    if re.search(r"(?:Jr|Sr)$", name):
        name += "."
    return " ".join(_usual_case(token, name) for token in name.split())


def _usual_case(token: str, name: str) -> str:
    core = token.strip(".,")
    if len(core) < _LONG_WORD or not core.isupper() or "." in core or _SUFFIX.fullmatch(core):
        is_short_word = len(core) == 2 and core.isupper() and name.isupper() and "." not in token
        vowels = re.search(r"[AEIOUYÄÖÜÉÈÍÓÁ]", core)
        if is_short_word and vowels and not _SUFFIX.fullmatch(core):
            return token.lower() if core.lower() in _PARTICLES else token.title()
        return token
    if core.lower() in _PARTICLES and not name.startswith(token):
        return token.lower()
    if len(core) == _LONG_WORD and not name.isupper() and not re.search(r"[AEIOUY]", core):
        return token  # initials: "JKL"
    parts = re.split(r"([-‐‑'’.])", token)
    cased = "".join(part.capitalize() for part in parts)
    return re.sub(r"^Mc([a-z])", lambda match: "Mc" + match[1].upper(), cased)


def is_name(text: str) -> bool:
    """Whether the text has the form of a person's name: two to seven words with capitals, or with particles.

    >>> [is_name(text) for text in ("Ada B. Lovelace", "Judith van de Wetering", "School of Physics", "J K Ray")]
    [True, True, False, True]
    """
    tokens = text.split()
    if (
        not 2 <= len(tokens) <= _MAX_TOKENS
        or len(text) > _MAX_NAME
        or _NO_NAME.search(text)
        or text.casefold() in _PLACES
    ):
        return False
    if tokens[0] == "The" or any(token in _FUNCTION_WORDS or not _TOKEN.fullmatch(token) for token in tokens):
        return False
    capitals = [token for token in tokens if token[0].isupper() or not token[0].islower()]
    full = [token for token in tokens if len(token.strip(".")) > 1 and token.lower() not in _PARTICLES]
    others = [token for token in tokens if token not in capitals and token.lower() not in _PARTICLES]
    return bool(capitals and full) and len(others) <= (1 if len(tokens) == 2 and capitals[0] == tokens[0] else 0)


def is_place(marked: str) -> bool:
    """Whether a row names a university or the like."""
    return _AFFILIATION.search(marked) is not None


def turn(name: str) -> str:
    """The name with the given names first, if the surname and a comma come first; else unchanged.

    >>> turn("Lovelace, Ada B."), turn("Ada Lovelace")
    ('Ada B. Lovelace', 'Ada Lovelace')
    """
    surname, comma, given = (part.strip() for part in name.partition(","))
    return f"{given} {surname}" if comma and given and "," not in given else name


def surname(name: str) -> str:
    """The last word of a name that is neither a suffix nor an initial."""
    tokens = [token for token in name.split() if not _SUFFIX.fullmatch(token.strip(","))]
    full = [token for token in tokens if len(token.strip(".")) > 1]
    return (full or tokens or [""])[-1]
