"""Finds the journal's name in citations, running heads and imprints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from miner.parsing.embedded.metadata.letters import letters
from miner.parsing.embedded.metadata.rows import Row
from miner.parsing.embedded.metadata.sources import ChosenValue, Source, WeighedValue, weigh
from miner.parsing.embedded.metadata.title import body_size

_NAME = r"(?P<name>(?:3\s(?=Biotech))?[A-Z][\w&.,:()/–-]*(?:\s(?:[\w&/–-]+[.,:]?|\([A-Z][\w\s]{1,25}\)))*?)"
_YEAR = r"\(?(?:19|20)\d\d\)?"
_PATTERNS = (
    # "Behav Ecol Sociobiol (2015) 69:1383", "Tanaffos 2018; 17(4): 257", "Int. J. Mol. Sci. 2022, 23, 2324"
    re.compile(
        rf"(?:^|et al\.?,?\s|\s[|•·]\s|"
        rf":\s){_NAME}[.,;]?\s{_YEAR}(?:\s[A-Z][a-z]+(?:\s\d{{1,2}})?)?[;:,.·\s]{{1,3}}(?:vol(?:ume)?\.?"
        rf"\s?)?\d{{1,4}}(?:[\s(:,;]|$)"
    ),
    # "Environmental Health Perspectives • volume 120", "Pathogens and Immunity - Vol 2, No 2"
    re.compile(
        rf"(?:^|et al\.?,?\s|\s[|•·]\s){_NAME}\s?[.,•|·;:–-]?\s(?:\d{{1,4}}\s)?[|,]?\s?(?i:vol(?:ume)?)[.:]?\s?[\dIVX]",
        re.M,
    ),
    # "Journal of X 12 (2019) 3-9"
    re.compile(rf"^{_NAME}[.,]?\s(?:[\w-]{{1,9}}\s)?\d{{1,4}}\s?\(\d{{1,3}}(?:[–-]\d{{1,3}})?\)[\s:,.]"),
    re.compile(
        rf"^{_NAME}[.,]?\s(?:vol\.?\s?)?\d{{1,4}}(?:\s?\([\w–-]{{1,7}}\))?,?\s\(?(?:[A-Z][a-z]{{2,8}}\s)?{_YEAR}"
    ),
)
_PUBLISHED_BY = re.compile(rf"\.\s{_NAME}\s(?i:published\s(?:by|on\sbehalf))")
_HEAD = re.compile(
    r"(?P<name>(?:The\s)?(?:[A-Z][\w&-]*\s|(?:of|and|in|for|the|on)\s){0,6}(?:Journal|Transactions|Annals|"
    r"Archives|Bulletin|Letters|Frontiers|Advances)\s(?:of|on|in|for)\s[A-Z][^|\d@:;•·]{2,80}?)"
    r"(?:\s?[,;|•·]|\s\d|\s?\(|\s?$|\sxxx)"
)
_NO_JOURNAL = re.compile(
    r"©|@|https?:|www\.|\bet al\b|\b(?:received|accepted|published|copyright|downloaded|page|article|"
    r"available|doi|abstract|department|university|"
    r"authors?|volume|vol|licen[sc]e|issn|special|supplement|manuscript|preprint|arxiv|"
    r"proceedings of the \d|submitted|editor|open access|corresponding|citation|"
    r"figure|table|e-?mail|creation|january|february|march|april|june|july|august|september|october|"
    r"november|december)\b",
    re.I,
)
_CITED = re.compile(
    r"^(?:\W*(?:in\s?:\s*)?(?:\[[^\]]{0,60}\]\W*)?)(?P<name>(?:\d"
    r"\s)?[A-Z][^\d\[\];]{2,110}?)(?=\W*(?:\d|\[|;|doi|https?|vol\b|volume\b|issue\b|no\.|pp?\.|art\b|ahead|"
    r"in press|e-?pub|available|$|\((?:19|20)\d\d))",
    re.I,
)
_BEFORE = re.compile(
    r"^.{0,80}?\bet al\.?,?\s|^(?:original|research|review|case|short|brief)\s(?:article|paper|report|"
    r"communication|research)\s|^\d{1,4}\s(?!biotech)",
    re.I,
)
_KIND = re.compile(
    r"(?:(?:original|research|review|case|short|brief|regular|full)\s?)*(?:articles?|papers?|reports?|communications?|research|reviews?)",
    re.I,
)
_VOLUME_FIRST = re.compile(r"\(?(?:19|20)\d\d\)?\s?[;:,]\s?\d|vol(?:ume|\.):?\s?\d", re.I)
_HAS_NUMBER = re.compile(r"\d|vol", re.I)
_SENTENCE = re.compile(r"(?<=[a-z]{4}[.?!])\s(?=[A-Z])")
_MIN_HEAD = 3  # words of a title in a running head
_MAX_WORDS, _MIN_LETTERS = 14, 4  # of a journal's name
_MAX_CITED = 6  # words of a name behind a title; more begin with a subtitle
_MIN_SHORT_TITLE = 8  # letters of a name that another one ends with, behind a short title of the paper
_HEAD_END, _FOOT_START = 0.2, 0.85  # of the page's height
_MAX_ROW = 200  # characters
_SMALL = 0.95  # of the body size: larger rows in the middle of a page are prose
_SAME_EDGE, _BELOW = 3, 0.5  # points by which rows below one another are off; type sizes between them at least
_IN_HEAD, _IN_TEXT, _ALONE = 2.5, 1.5, 2.0  # weights: beside a volume in a head, or elsewhere; alone in a head
_OF_COPYRIGHT = 2.5  # weight: named by the publisher


def printed_journals(rows: Sequence[Row], source: Source, *, is_edge: bool) -> Iterator[WeighedValue[str]]:
    """Names beside a volume and a year, or in a head of their own; `is_edge`: only the page's first and last rows."""
    bottom = max((row.y1 for row in rows), default=1.0)
    body = body_size(rows)
    for at, row in enumerate(rows):
        at_edge = row.y0 < _HEAD_END * bottom or row.y0 > _FOOT_START * bottom
        if len(row.text) > _MAX_ROW or (is_edge and not at_edge):
            continue
        if not at_edge and row.size > _SMALL * body:
            continue
        text = _BEFORE.sub("", row.text)
        if (following := _row_of_volume(rows, at)) and not _HAS_NUMBER.search(text):
            text = f"{text} {following}"
        for pattern in _PATTERNS if _HAS_NUMBER.search(text) else ():
            if (match := pattern.search(text)) and (name := tidy_journal(match["name"])):
                yield WeighedValue(name, source, _IN_HEAD if at_edge else _IN_TEXT)
                break
        if at_edge and (match := _HEAD.match(row.text)) and (name := tidy_journal(match["name"])):
            yield WeighedValue(name, source, _ALONE)
        is_copyright = "©" in row.text or "(c)" in row.text.lower()
        if is_copyright and (match := _PUBLISHED_BY.search(row.text)) and (name := tidy_journal(match["name"])):
            yield WeighedValue(name, Source.COPYRIGHT, _OF_COPYRIGHT)


def _row_of_volume(rows: Sequence[Row], at: int) -> str:
    """The text of the row right below that begins with a volume or a year and a volume."""
    row = rows[at]
    for other in rows[at + 1 : at + 6]:
        if other.baseline - row.baseline > 2 * row.size:
            break
        is_aligned = abs(other.x0 - row.x0) < _SAME_EDGE or abs(other.x1 - row.x1) < _SAME_EDGE
        if is_aligned and other.baseline - row.baseline > _BELOW * row.size and _VOLUME_FIRST.match(other.text):
            return other.text
    return ""


def cited_journal(behind: str) -> str:
    """The journal in a statement of how to cite the paper, given the text behind its title; "" if none is named.

    >>> cited_journal("PLoS One 21(6): e0349705."), cited_journal("Veterinary World, 10(2): 121-129")
    ('PLoS One', 'Veterinary World')
    """
    match = _CITED.match(behind)
    if not match:
        return ""
    name = match["name"]
    if len(name.split()) > _MAX_CITED and (sentences := _SENTENCE.split(name))[1:]:
        name = sentences[-1]  # behind a subtitle
    return tidy_journal(name)


def tidy_journal(name: str) -> str:
    """The name without punctuation around it; "" if it cannot be a journal's."""
    name = re.sub(r"\s*\([A-Z][A-Za-z]{1,12}\)$", "", " ".join(name.split()).strip(" ,;:·•|–-("))
    name = re.sub(r"^(?:in|in:)\s", "", name)
    if name.endswith(".") and name.count(".") == 1:
        name = name[:-1]
    words = name.split()
    is_known_form = 1 <= len(words) <= _MAX_WORDS and len(letters(name)) >= _MIN_LETTERS and name[:1].isalnum()
    if (
        not is_known_form
        or _KIND.fullmatch(name)
        or _NO_JOURNAL.search(name)
        or re.search(r"\b\d{2,}\b", name)
        or name[:1].islower()
    ):
        return ""
    return name


def choose_journal(evidence: Iterable[WeighedValue[str]], title: str) -> ChosenValue[str] | None:
    """The journal with the most evidence; an abbreviation counts for the name that it is short for."""
    own = letters(title)
    items = [item for item in evidence if letters(item.value) not in own or len(item.value.split()) < _MIN_HEAD]
    names = sorted({item.value for item in items}, key=len, reverse=True)
    full: dict[str, str] = {}
    for name in names:
        if inner := next(
            (
                other
                for other in names
                if len(letters(other)) >= _MIN_SHORT_TITLE
                and other != name
                and len(name.split()) > len(other.split()) + 2
                and letters(name).endswith(letters(other))
            ),
            "",
        ):
            full[name] = full.get(inner, inner)  # a short title stands before it
            continue
        full[name] = next((full[longer] for longer in names if longer in full and _is_short_for(name, longer)), name)
    return weigh((item._replace(value=full[item.value]) for item in items), least=2.0)


def _is_short_for(short: str, name: str) -> bool:
    """Whether each word of the short form begins a word of the name, in order.

    >>> _is_short_for("Int. J. Mol. Sci.", "International Journal of Molecular Sciences")
    True
    """
    if letters(short) == letters(name):
        return True
    words = iter(re.findall(r"[^\W_]+", name.casefold()))
    parts = re.findall(r"[^\W_]+", short.casefold())
    return bool(parts) and all(any(word[0] == part[0] and word.startswith(part) for word in words) for part in parts)
