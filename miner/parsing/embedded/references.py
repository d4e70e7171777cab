"""Finds the lists of references, by what their lines look like rather than by their heading alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from miner.parsing.embedded.headings import Part, is_known, part_of
from miner.parsing.embedded.line_kinds import LineKind
from miner.parsing.embedded.lines import Line

_ENTRY = re.compile(
    r"\b(?:1[89]|20)\d\d[a-z]?\b|\b[A-Z]\.(?:[ -]?[A-Z]\.)*,|,\s[A-Z]\.|\bet al\b|\bdoi\b|https?:|"
    r"arXiv|\bpp?\.\s?\d|\bvol\.|\bProc\.|\bJ\.\s|\bIn Proceedings\b|\d+\s?\(\d+\)|\d+[-–]\d+\.|[A-Z][a-z]+ [A-Z]{1,3},"
)
_MARK = re.compile(r"\W{0,2}(\d{1,3})(?:[\].)]|\s)")
_WINDOW = 16


def drop_references(lines: Sequence[Line], found: list[LineKind]) -> None:
    """Marks every line of a reference list as LineKind.REFERENCE, its heading too."""
    index = next((at for at in range(len(lines)) if _may_open(lines[at], found[at])), len(lines))
    entries = [False] * index + [bool(_ENTRY.search(line.text)) for line in lines[index:]]
    while index < len(lines):
        headed = found[index] is LineKind.HEADING
        if _may_open(lines[index], found[index]) and (
            _looks(lines, entries, index + 1) if headed else _counts(lines, entries, index)
        ):
            end = _end(lines, entries, found, index + 1)
            found[index:end] = [LineKind.REFERENCE] * (end - index)
            index = end
        else:
            index += 1


def _may_open(line: Line, kind: LineKind) -> bool:
    """Whether a list may begin here: under its heading, or with an entry numbered 1."""
    if kind is LineKind.HEADING:
        return part_of(line.text) is Part.REFERENCES
    mark = _MARK.match(line.text)
    return mark is not None and mark[1] == "1"


def _looks(lines: Sequence[Line], entries: Sequence[bool], start: int, least: float = 0.3) -> bool:
    window = [index for index in range(start, min(start + _WINDOW, len(lines))) if len(lines[index].text) > 15]
    return len(window) >= 2 and sum(entries[index] for index in window) >= least * len(window)


def _counts(lines: Sequence[Line], entries: Sequence[bool], start: int) -> bool:
    """Whether entries numbered 1, 2, 3, 4, 5 begin here."""
    if not _looks(lines, entries, start, 0.5):
        return False
    wanted = 1
    for line in lines[start : start + 40]:
        mark = _MARK.match(line.text)
        if mark and int(mark[1]) == wanted:
            wanted += 1
    return wanted > 5


def _end(lines: Sequence[Line], entries: Sequence[bool], found: Sequence[LineKind], start: int) -> int:
    """Where a heading, or plain prose, ends the list."""
    for index in range(start, len(lines)):
        if found[index] is LineKind.HEADING and not _looks(lines, entries, index + 1, 0.35):
            return index
        if found[index] is LineKind.HEADING and is_known(lines[index].text):
            return index
        if found[index] is LineKind.PROSE and not _looks(lines, entries, index, 0.12) and len(lines) - index > _WINDOW:
            return index
    return len(lines)
