"""Finds where a paper says how it is cited, and reads what stands before and behind its title there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.metadata.letters import letters, locate

_OPENS = re.compile(
    r"(?:how\s+to\s+|to\s+)?(?:cite|reference)\s+this\s+(?:article|paper|version|work|chapter|document|"
    r"preprint|publication)"
    r"(?:\s+(?:as|in press as))?\b|^\W*citation\s*:|^\W*citation$|(?:suggested|recommended|article|"
    r"preferred)\s+citation|please\s+cite|"
    r"^\W*cite\s+(?:this\s+)?as\b|^\W*cite\s*:|citation\s+for\s+(?:the\s+)?published|^\W*for\s+citation|"
    r"^\W*to\s+cite\s*:|how\s+to\s+cite|^\W*reference\s*:",
    re.I,
)
_AS = re.compile(r"^\W*(?:(?:this\s+)?(?:article|paper)\b)?\W*(?:as\b)?[\s:.–-]*", re.I)
_STOPS = re.compile(
    r"^\W*(?:received|accepted|academic\s+editor|editor|edited|reviewed|copyright|©|published|publisher|"
    r"keywords?|abstract|open\s+access|"
    r"correspond|funding|data\s+availability|competing|licen[cs]e|introduction|1\.?\s+introduction|"
    r"this\s+(?:is|article|work)|document\s+version|general\s+rights)\b",
    re.I,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_MAX_LINES, _MAX_LINE, _MAX_LENGTH = 25, 400, 1_500
_MIN_TITLE = 12  # letters
_MAX_START = 60  # characters of a line in front of the words that open a box
_NEXT_LINE, _NEXT_IN_BOX = 2, 2.6  # type sizes between lines: of a foot; of a box
_ABOVE = 1  # points by which the next piece of a line may stand higher
_SAME_SIZE, _SAME_SIZE_IN_BOX = 0.5, 0.2  # points by which sizes of a foot's lines differ; of the size, in a box


class Citation(NamedTuple):
    """The text before and behind the title in a statement of how to cite the paper."""

    before: str
    behind: str

    @property
    def text(self) -> str:
        return f"{self.before} {self.behind}"


def find_boxes(pages: Iterable[Sequence[TextLine]]) -> list[str]:
    """The statements of how to cite the paper, as one line each, in the order of the pages."""
    boxes = []
    for lines in pages:
        for at, line in enumerate(lines):
            lower = line.text.lower()
            if ("cit" not in lower and "reference" not in lower) or len(lower) > _MAX_LINE:
                continue
            if (opening := _OPENS.search(line.text)) and opening.start() < _MAX_START:
                box = _read_box(lines, at, line.text[opening.end() :])
                # BioMed Central's DOI stands above
                boxes.append(
                    " ".join([box, *(other.text for other in lines[max(0, at - 2) : at] if "10." in other.text)])
                )
    return [box for box in boxes if len(box) > _MIN_TITLE]


def find_running_citations(lines: Sequence[TextLine], title: str) -> list[str]:
    """The texts of lines that cite the paper, such as a running foot: the title with more around it."""
    start, opening = letters(title)[:30], " ".join(title.split()[:2]).casefold()
    if len(start) < _MIN_TITLE:
        return []
    found = []
    for at, line in enumerate(lines):
        if (
            len(line.text) > _MAX_LINE
            or not line.text.casefold().partition(opening)[0]
            or opening not in line.text.casefold()
        ):
            continue
        text = line.text
        for last, following in pairwise(lines[at : at + 5]):
            is_next = -_ABOVE < following.baseline - last.baseline < _NEXT_LINE * last.size
            if not is_next or abs(following.size - line.size) > _SAME_SIZE:
                break
            text = join(text, following.text, hyphen=last.hyphen)
        if start in letters(text) and _YEAR.search(text):
            found.append(text[:_MAX_LENGTH])
    return found


def _read_box(lines: Sequence[TextLine], at: int, rest: str) -> str:
    text, last = _AS.sub("", rest), lines[at]
    was_hyphen = last.hyphen
    size = 0.0
    for line in lines[at + 1 : at + 1 + _MAX_LINES]:
        if _STOPS.match(line.text) or len(text) > _MAX_LENGTH:
            break
        step = line.baseline - last.baseline
        # the next line, or the top of the next column where the box has just begun
        is_next = -_ABOVE < step < _NEXT_IN_BOX * max(line.size, last.size)
        if not is_next or (size and abs(line.size - size) > _SAME_SIZE_IN_BOX * size):
            break
        text = join(text, line.text, hyphen=was_hyphen)
        last, was_hyphen, size = line, line.hyphen, size or line.size
    return text


def join(text: str, more: str, *, hyphen: bool) -> str:
    """The texts of two lines as one; within a web address or DOI without a space.

    >>> join("https://doi.org/10.1371/", "journal.pone.0349705", hyphen=False)
    'https://doi.org/10.1371/journal.pone.0349705'
    """
    last = text.rsplit(" ", 1)[-1]
    is_address = ("10." in last and "/" in last) or "http" in last or "doi" in last.lower()
    if is_address and hyphen:
        return f"{text}-{more}"
    if (
        hyphen
        or (is_address and last[-1:] in "/.-_" and not last.endswith("doi."))
        or (is_address and last.endswith(("dx.doi.", "//doi.", "://")))
    ):
        return text + more
    return f"{text} {more}" if text else more


def split_at_title(box: str, title: str) -> Citation | None:
    """The box around the title; None where the title is not in it."""
    if len(letters(title)) < _MIN_TITLE or (found := locate(box, title)) is None:
        return None
    start, end = found
    return Citation(box[:start].strip(), box[end:].strip(" .,;:”’\"'?!*"))
