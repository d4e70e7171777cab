"""Finds DOIs in lines: printed over two of them, with spaces, or in capitals."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from miner.parsing.embedded.lines import TextLine

_DOI = re.compile(r"(?<![\d.])10\.\d{4,9}(?:\.\d{1,5})?/[^\s\"<>,;{}|]+")
_SPACED = re.compile(
    r"(?<=doi\.)\s(?=org)|(?<=org/)\s(?=10\.)|(?<=\b10\.)\s(?=\d{4})|(?<=\b10\.\d{4}/)\s(?=\S)|"
    r"(?<=\b10\.\d{5}/)\s(?=\S)",
    re.I,
)
_BROKEN = re.compile(r"(10\.\d{4,5}/[\w.-]{0,30}[a-z][./-])\s(?=[\w.-]*\d)")
_LABEL = re.compile(r"doi\b|digital object identifier", re.I)
_ENDING = re.compile(
    r"(?:[.,;:)\]}'\"”’*†]|(?:https?:)?//.*|\(?https?.*|\.(?:full|pdf|abstract|html?|v\d+\.full).*)+$", re.I
)
_UNRELATED = re.compile(
    r"10\.(?:5061|6084|17632|7910|6073|15468|25387|13039|6067|1594|3886|17605|24433)/|\.(?:s|t|g)\d{3}$|/suppl", re.I
)  # archives of data, parts of a paper
_OF_SOMETHING_ELSE = re.compile(
    r"supplement|data\s?set|dryad|figshare|zenodo|deposit|available\s+(?:at|from|online|in)|repository|"
    r"comment|this\s+article\s+(?:corrects|comments)|"
    r"correction|erratum|editorial|see\s+(?:also|related)|related\s+article|original\s+article|refers?\s+to|"
    r"in\s+reply|linked",
    re.I,
)
_CITED = re.compile(
    r"^\W*\[?\d{1,3}[\].]\s+[A-Z]|et al\.,?\s\(?(?:19|20)\d\d[^/]{0,200}$|\b(?:19|20)\d\d[a-z]?\)?[;.,].{30,}"
)
_MAX_BEFORE = 60  # characters in front of a paper's own DOI: the name of the journal, a volume
_MAX_LABEL = 12  # characters in front of a DOI which the line above may say of another work
_NEXT_LINE = 2.2  # type sizes to the line in which a DOI goes on


class PrintedDoi(NamedTuple):
    """A DOI in lower case, with the text of its line. `is_own`: the line says nothing but this, or only an imprint."""

    doi: str
    line: TextLine
    is_labelled: bool
    is_own: bool
    is_other: bool


def find_dois(text: str) -> list[str]:
    """The DOIs of a text, in lower case, since case does not distinguish DOIs.

    >>> find_dois("(https://doi. org/10.1007/ s00103-019-03061-2).")
    ['10.1007/s00103-019-03061-2']
    """
    return [doi for match in _DOI.finditer(_BROKEN.sub(r"\1", _SPACED.sub("", text))) if (doi := _trim(match[0]))]


def _trim(doi: str) -> str:
    doi = _ENDING.sub("", doi)
    while doi.endswith(")") and doi.count("(") < doi.count(")"):
        doi = doi[:-1]
    doi = _close_bracket(doi)
    return doi.lower() if len(doi.partition("/")[2]) >= 2 else ""


def _close_bracket(doi: str) -> str:
    return (
        doi + ")"
        if doi.count("(") == doi.count(")") + 1 and doi[-1:].isalnum() and re.search(r"\(\w{1,5}$", doi)
        else doi
    )


def printed_dois(lines: Sequence[TextLine]) -> Iterator[PrintedDoi]:
    """The DOIs of a page's lines, each whole although it goes on in the next line."""
    for at, line in enumerate(lines):
        text = line.text
        if "10." not in text and "doi" not in text.lower():
            continue
        whole = _with_next(lines, at)
        previous = lines[at - 1].text if at else ""
        for doi in find_dois(whole):
            if (
                not find_dois(text)
                and not text.rstrip().endswith(("/", ".", ":"))
                and not re.search(r"doi:?$", text, re.I)
            ):
                continue
            before = text.partition(doi[:8])[0]
            yield PrintedDoi(
                doi,
                line,
                bool(_LABEL.search(text) or _LABEL.search(previous[-40:])),
                len(_DOI.sub("", before)) < _MAX_BEFORE and not _CITED.search(before),
                bool(
                    _UNRELATED.search(doi)
                    or _OF_SOMETHING_ELSE.search(before)
                    or (len(before) < _MAX_LABEL and _OF_SOMETHING_ELSE.search(previous))
                ),
            )


def _with_next(lines: Sequence[TextLine], at: int) -> str:
    line = lines[at]
    text = line.text
    following = lines[at + 1] if at + 1 < len(lines) else None
    if following is None or not 0 <= following.baseline - line.baseline < _NEXT_LINE * line.size:
        return text
    last = text.rsplit(" ", 1)[-1]
    head = following.text.split(" ", 1)[0]
    if re.search(r"doi:?$|doi:?\s*https?://$|://$|(?:dx\.)?doi\.$", last, re.I):
        return f"{text}{'' if last.endswith(('/', '.')) else ' '}{head}"
    if re.search(r"10\.\d{4,9}$|doi\.org/?$", last, re.I):
        return text + ("" if last.endswith("/") or head.startswith("/") else "/") + head
    if "10." not in last or "/" not in last:
        return text
    if line.hyphen:
        return f"{text}-{head}"
    if last[-1] in "/.-_(" and re.match(r"[\w(]", head) and (re.search(r"\d", head) or last[-1] in "/-_"):
        return text + head
    return text


def whole(doi: str, others: Collection[str]) -> str:
    """The DOI, corrected by the others: a longer one if it was cut at a line's end, a shorter one if a word follows it.

    >>> whole("10.1371/journal.", ["10.1371/journal.pone.1"]), whole("10.1590/2781.month", ["10.1590/2781"])
    ('10.1371/journal.pone.1', '10.1590/2781')
    """
    for other in sorted(others, key=len):
        if doi.startswith(other) and re.fullmatch(r"\.?[a-z]{4,}", doi[len(other) :]):
            return other
    longer = [other for other in others if other.startswith(doi) and len(other) > len(doi)]
    return min(longer, key=len) if longer and not doi[-1:].isdigit() else doi
