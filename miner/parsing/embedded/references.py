"""Finds lists of references by the form of their lines, not by their heading alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from miner.parsing.embedded.document_parts import DocumentPart, document_part, is_common_heading
from miner.parsing.embedded.layout import WORD, Style
from miner.parsing.embedded.line_kinds import LineKind
from miner.parsing.embedded.lines import TextLine

_REFERENCE_ENTRY = re.compile(
    r"\b(?:1[89]|20)\d\d[a-z]?\b|\b[A-Z]\.(?:[ -]?[A-Z]\.)*,|,\s[A-Z]\.|\bet al\b|\bdoi\b|https?:|"
    r"arXiv|\bpp?\.\s?\d|\bvol\.|\bProc\.|\bJ\.\s|\bIn Proceedings\b|\d+\s?\(\d+\)|\d+[-–]\d+\.|[A-Z][a-z]+ [A-Z]{1,3},"
)
_ENTRY_NUMBER = re.compile(r"\W{0,2}(\d{1,3})(?:[\].)]|\s)")
_WINDOW_LINES = 16
_WIDE_WINDOW_LINES = 60  # figures may stand between the heading and the list (±20 %: same)
_MIN_TEXT = 15  # characters of a line that is asked: shorter ones are page numbers and ends of entries (±20 %: same)
_SMALLER = 0.6  # points below the body size of a heading in small type; above it of the entries at most (±20 %: same)

# Least shares of the lines of a window that have the form of an entry.
_UNDER_HEADING = 0.3
_SOMEWHERE_BELOW = 0.15  # of the wide window (±20 %: same)
_WITHOUT_HEADING = 0.5
_BEHIND_HEADING = 0.35  # of a group within the list; with fewer the list ends there (±20 %: same)
_BEHIND_PROSE = 0.12  # with fewer the list ends at a line of prose (±20 %: same)

_MIN_NUMBERED, _NUMBERED_LINES = 5, 40  # entries numbered from 1 by which a list is known (±20 %: same)
_MIN_WORDS, _MIN_LOW_WORDS = 40, 0.77  # words by which prose that cites is known; share in lower case (±20 %: same)


def mark_references(lines: Sequence[TextLine], kinds: list[LineKind], style: Style) -> None:
    """Set the kind of all lines of reference lists, headings included, to LineKind.REFERENCE.

    A heading "References" without a list below it is a word in a figure or table.
    """
    index = next((at for at in range(len(lines)) if _may_start_list(lines[at], kinds[at])), len(lines))
    while index < len(lines):
        if not _may_start_list(lines[index], kinds[index]):
            index += 1
        elif _starts_list(index, lines, kinds, style):
            end = _end_of_list(lines, kinds, index + 1)
            kinds[index:end] = [LineKind.REFERENCE] * (end - index)
            index = end
        else:
            if kinds[index] is LineKind.HEADING and not _has_entries(lines, index + 1, style):
                kinds[index] = LineKind.TABLE
            index += 1


def _may_start_list(line: TextLine, kind: LineKind) -> bool:
    """Whether a list may begin here: under its heading, or with an entry numbered 1."""
    if kind is LineKind.HEADING:
        return document_part(line.text) is DocumentPart.REFERENCES
    number = _ENTRY_NUMBER.match(line.text)
    return number is not None and number[1] == "1"


@lru_cache(maxsize=1024)  # windows overlap
def _is_entry(text: str) -> bool:
    """Whether the line has the form of a part of a reference."""
    return _REFERENCE_ENTRY.search(text) is not None


def _starts_list(index: int, lines: Sequence[TextLine], kinds: Sequence[LineKind], style: Style) -> bool:
    if kinds[index] is not LineKind.HEADING:
        return _has_numbered_entries(lines, index)
    return _looks_like_references(lines, index + 1, _UNDER_HEADING) and _has_entries(lines, index + 1, style)


def _has_entries(lines: Sequence[TextLine], start: int, style: Style) -> bool:
    """Whether there are entries somewhere below a heading; below one in small type they are in small type, too."""
    largest = lines[start - 1].size + _SMALLER if lines[start - 1].size < style.body - _SMALLER else float("inf")
    window = _window(lines, start, _WIDE_WINDOW_LINES)
    return sum(_is_entry(line.text) and line.size <= largest for line in window) > _SOMEWHERE_BELOW * len(window)


def _window(lines: Sequence[TextLine], start: int, size: int) -> list[TextLine]:
    """The lines, of the `size` ones from `start` on, that are long enough to tell what they are."""
    return [line for line in lines[start : start + size] if len(line.text) > _MIN_TEXT]


def _looks_like_references(lines: Sequence[TextLine], start: int, min_share: float) -> bool:
    window = _window(lines, start, _WINDOW_LINES)
    return len(window) >= 2 and sum(_is_entry(line.text) for line in window) >= min_share * len(window)


def _has_numbered_entries(lines: Sequence[TextLine], start: int) -> bool:
    """Whether entries numbered 1, 2, 3 and so on begin here."""
    if not _looks_like_references(lines, start, _WITHOUT_HEADING):
        return False
    next_number = 1
    for line in lines[start : start + _NUMBERED_LINES]:
        number = _ENTRY_NUMBER.match(line.text)
        if number and int(number[1]) == next_number:
            next_number += 1
    return next_number > _MIN_NUMBERED


def _end_of_list(lines: Sequence[TextLine], kinds: Sequence[LineKind], start: int) -> int:
    """The index of the heading or prose line that ends the list."""
    for index in range(start, len(lines)):
        if kinds[index] is LineKind.HEADING and (
            is_common_heading(lines[index].text)
            or not _looks_like_references(lines, index + 1, _BEHIND_HEADING)
            or _reads_as_prose(lines, index + 1)
        ):
            return index
        if (
            kinds[index] is LineKind.PROSE
            and not _is_entry(lines[index].text)
            and not _looks_like_references(lines, index, _BEHIND_PROSE)
            and len(lines) - index > _WINDOW_LINES
        ):
            return index
    return len(lines)


def _reads_as_prose(lines: Sequence[TextLine], start: int) -> bool:
    """Whether the lines from here are sentences, which may cite much; entries have many names."""
    words = [word for line in lines[start : start + _WINDOW_LINES] for word in WORD.findall(line.text)]
    return len(words) >= _MIN_WORDS and sum(word[0].islower() for word in words) >= _MIN_LOW_WORDS * len(words)
