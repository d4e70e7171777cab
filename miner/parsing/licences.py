"""The licence of a paper, as its publisher states it in the PDF, in XMP, TEI, JATS or a line of JSON.

Licences are written as SPDX writes them, `CC-BY-4.0`, without a version where none is stated; `ARXIV` is the licence by
which arXiv may distribute a paper and nobody else. "" is a licence that is not stated, or not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

ARXIV = "arXiv-nonexclusive-1.0"
PUBLIC_DOMAIN = "public-domain"
CC0 = "CC0-1.0"
CHOICES = (
    "CC-BY-4.0",
    "CC-BY-SA-4.0",
    "CC-BY-NC-4.0",
    "CC-BY-NC-SA-4.0",
    "CC-BY-ND-4.0",
    "CC-BY-NC-ND-4.0",
    CC0,
    PUBLIC_DOMAIN,
    ARXIV,
)
"""What people are offered; a project may hold any text."""

_ADDRESS = re.compile(
    r"creativecommons\s?\.\s?org\s?/\s?licen[cs]es\s?/\s?(by(?:-(?:nc|nd|sa))*)(?:\s?/\s?(\d)\s?\.\s?(\d))?", re.I
)
_PUBLIC_DOMAIN_ADDRESS = re.compile(r"creativecommons\s?\.\s?org\s?/\s?publicdomain\s?/\s?(zero|mark)", re.I)
_ARXIV_ADDRESS = re.compile(r"arxiv\s?\.\s?org\s?/\s?licen[cs]es\s?/\s?(?:nonexclusive-distrib|assumed-\d+-\d+)", re.I)
_ARXIV_NAME = re.compile(r"arXiv(?:\.org)?(?:'s|’s)?\s+(?:perpetual,?\s+)?non-?\s?exclusive\s+licen[cs]e", re.I)
_SHORT_NAME = re.compile(
    r"\bCC[- ]?BY((?:[- ](?:NC|ND|SA))*)(?![A-Za-z])(?:[- ]?(?:licen[cs]e\s)?\s?(?:v|version\s)?(\d)\s?\.\s?(\d)\b)?"
)
_SHORT_ZERO = re.compile(r"\bCC[- ]?(?:0|Zero)\b(?:[- ]1\.0)?")
_LONG_NAME = re.compile(
    r"creative\s+commons\s*[’'”\"]?\s*(?:licen[cs]e\s+)?[-,(]?\s*attribution"
    r"((?:\s*[-‐‑–,/]?\s*(?:and\s+)?(?:non\s*-?\s*commercial|no\s*-?\s*deriv(?:ative)?s?(?:\s*works)?|share\s*-?\s*alike))*)"
    r"(?:\s*(?:unported|international|generic))?\s*[-,(]?\s*(?:licen[cs]e\s*)?[-,(]?\s*(?:v|version\s)?"
    r"\s*(?:(\d)\s?\.\s?(\d))?",
    re.I,
)
_LONG_PARTS = ("NC", re.compile(r"non\s*-?\s*commercial", re.I)), ("ND", re.compile(r"no\s*-?\s*deriv", re.I))
_SHARE_ALIKE = re.compile(r"share\s*-?\s*alike", re.I)
_PUBLIC_DOMAIN_TEXT = re.compile(
    r"\b(?:is|are|lies|placed|released|dedicated)\s+(?:in|to|into)\s+the\s+public\s+domain", re.I
)
# Of the data only, or of a part by others: not the licence of the text.
_OF_SOMETHING_ELSE = re.compile(
    r"\b(?:data(?:\s?sets?)?|images?|photo(?:graph)?s?|figures?|pictures?|code|software|corpus|corpora|models?)\b"
    r"[^.]{0,80}$|waiver[^.]{0,80}$",
    re.I,
)
# What makes a sentence one about the paper it stands in.
_OF_THIS_PAPER = re.compile(
    r"open[\s-]*access|(?<!\bin )(?<!\bwithin )\b(?:this|the)\s+(?:is\s+an?\s+|present\s+)?"
    r"(?:article|work|paper|manuscript|chapter|preprint|publication|document|version|e-?print|journal)\b|\b(?:article|paper|work|content|publication)s?\s+(?:is|are)\s+|"
    r"©|\(c\)|copyright|licen[cs]ee|published\s+by|author\(?s\)?\s+"
    r"(?:20\d\d|retain)|use\s+permitted",
    re.I,
)
_REACH = 250  # characters before a licence's name in which its sentence says what it is of
_SENTENCE_END = re.compile(r"(?<=[a-z]{3}\.)(?<!Access\.)\s(?=[A-Z])")  # "Open Access. This article is …" is one
_NAME_BEFORE_PAPER = re.compile(r"[\w -]{2,40}:\s*This\s+(?:article|work|paper)\b", re.I)
_MAY_NAME_ONE = re.compile(r"reative\s*commons|\bCC[- ]?(?:BY|0)|arxiv", re.I)
_COMMONS = re.compile(r"(?:com|^)-?\s*mons\b", re.M)
_PARTS_OF_NAMES = ("ccby", "cc by", "cc-by", "cc0", "cc 0", "cc-0")  # of what it finds, in lower case
_RANKS = ("ND", "NC", "SA")  # the more of these, the stricter


def find_licence(statement: str) -> str:
    """The licence that a statement names, such as an element of a publisher's XML; "" if it names none known.

    Of several the strictest; a licence of the data, such as CC0 in F1000's articles, only where there is no other.

    >>> find_licence("distributed under the Creative Commons Attribution License, which permits unrestricted use")
    'CC-BY'
    >>> find_licence("http://creativecommons.org/licenses/by-nc-nd/4.0/")
    'CC-BY-NC-ND-4.0'
    """
    found = [name for _, name in _names(statement)]
    return strictest(found) or (PUBLIC_DOMAIN if _PUBLIC_DOMAIN_TEXT.search(statement) else "")


def find_paper_licence(lines: Iterable[str]) -> str:
    """The licence that a page's lines state of the paper itself: not of its data, figures or of other works."""
    text = "\n".join(lines)
    lower = text.lower()
    if not _may_name_one(lower):  # as most pages, told much faster
        return ""
    text = re.sub(r"-\n(?<=\w-\n)(?=[a-z])", "", text)
    if not _MAY_NAME_ONE.search(text):
        return ""
    text = re.sub(r"\s+", " ", text)
    return strictest([name for start, name in _names(text) if _is_of_this_paper(text, start)])


def _may_name_one(lower: str) -> bool:
    return (
        ("mons" in lower and _COMMONS.search(lower) is not None)
        or ("xiv" in lower and ("licen" in lower or "exclusive" in lower))
        or any(part in lower for part in _PARTS_OF_NAMES)
    )


def _is_of_this_paper(text: str, start: int) -> bool:
    """Whether the licence named at `start` is said to be the one of this paper."""
    sentence = _SENTENCE_END.split(text[max(0, start - _REACH) : start])[-1]
    if _NAME_BEFORE_PAPER.match(text, start):
        return True
    mentions = list(_OF_THIS_PAPER.finditer(sentence))
    return bool(mentions) and not _OF_SOMETHING_ELSE.search(sentence[mentions[-1].start() :])


def is_redistributable(licence: str) -> bool:
    """Whether sentences of a paper may be changed and passed on, at least for research: not by ND, arXiv's, or unknown.

    >>> [is_redistributable(licence) for licence in ("CC-BY-4.0", "CC-BY-NC-SA-3.0", "CC-BY-ND-4.0", ARXIV, "")]
    [True, True, False, False, False]
    """
    return bool(_REDISTRIBUTABLE.fullmatch(licence))


_REDISTRIBUTABLE = re.compile(r"CC-BY(-NC)?(-SA)?(-[0-9.]+)?|CC0(-1\.0)?|public-domain")


def _names(text: str) -> list[tuple[int, str]]:
    """Every licence that is named, and where."""
    lower = text.lower()  # what a text lacks is told much faster than by searches in any case
    has_address = "creativecommons" in lower
    found = [
        (match.start(), _cc(match[1].upper().split("-")[1:], match[2], match[3]))
        for match in (_ADDRESS.finditer(text) if has_address else ())
    ]
    for match in _PUBLIC_DOMAIN_ADDRESS.finditer(text) if has_address else ():
        found.append((match.start(), CC0 if match[1].lower() == "zero" else PUBLIC_DOMAIN))
    for pattern in (_ARXIV_ADDRESS, _ARXIV_NAME) if "arxiv" in lower else ():
        found += [(match.start(), ARXIV) for match in pattern.finditer(text)]
    has_short_name = "CC" in text
    for match in _SHORT_NAME.finditer(text) if has_short_name else ():
        found.append((match.start(), _cc(re.findall("NC|ND|SA", match[1]), match[2], match[3])))
    found += [(match.start(), CC0) for match in (_SHORT_ZERO.finditer(text) if has_short_name else ())]
    for match in _LONG_NAME.finditer(text) if "creative" in lower else ():
        parts = [name for name, pattern in _LONG_PARTS if pattern.search(match[1])]
        parts += ["SA"] if _SHARE_ALIKE.search(match[1]) else []
        found.append((match.start(), _cc(parts, match[2], match[3])))
    return sorted(found)


def _cc(parts: Iterable[str], major: str | None, minor: str | None) -> str:
    known = set(parts)
    ordered = [part for part in ("NC", "ND", "SA") if part in known]
    return "-".join(["CC-BY", *ordered, *([f"{major}.{minor}"] if major else [])])


def strictest(names: Sequence[str]) -> str:
    """The licence with the most conditions, arXiv's before all; of these the one with a version, and the first."""
    own = [name for name in names if name not in (CC0, PUBLIC_DOMAIN)] or names
    if not own:
        return ""
    if ARXIV in own:
        return ARXIV
    return max(own, key=lambda name: (sum(part in name.split("-") for part in _RANKS), name[-1].isdigit()))
