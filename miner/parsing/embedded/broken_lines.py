"""Joins the pieces of printed lines that PDFium broke at inline formulas, raised numbers and lowered letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from miner.parsing.embedded.lines import BULLETS, TextLine, is_note_number, is_power, is_relation, is_script_size

_MAX_SPACE = 1.2  # of the type size; a wider space separates columns or cells
_MAX_SCRIPT_SPACE = 3.0  # of the type size; a short numerator stands in the middle of a wide fraction
_SCRIPT_SIZE = 0.85  # of the type size; smaller pieces are scripts, and parts of small fractions
_MAX_SCRIPT_LENGTH = 20  # characters
_MAX_INDEX_LENGTH = 4


def join_broken_lines(lines: Sequence[TextLine]) -> list[TextLine]:
    """The upright lines of a page, in the same order, each in one piece."""
    rows: list[_Row] = []
    for line in lines:
        if not line.upright or not line.text:
            continue
        if rows and rows[-1].contains(line):
            rows[-1].add(line)
        else:
            rows.append(_Row(line))
        if len(rows) > 1 and rows[-1].starts_with(rows[-2]):  # a numerator, written before the line that it starts
            rows[-2].divide_by(rows.pop())
    return [row.line for row in rows]


class _Row:
    """One printed line under way: the pieces so far in `line`, and the piece with most of its text in `main`."""

    def __init__(self, line: TextLine) -> None:
        self.line = self.main = self._first = line
        self._note = line.note_after  # which may turn out to be an exponent
        self._numerator: TextLine | None = None  # the last piece, where it may be that of a fraction
        self._level_end = line.x1  # of the pieces on the baseline; others may stand above one another

    def contains(self, piece: TextLine) -> bool:
        """Whether the piece belongs to this line: it goes on at its end, or stands above or below its last part."""
        line, size = self.line, max(self.line.size, piece.size)
        gap = piece.x0 - line.x1
        if line.page != piece.page or line.hyphen or gap >= _MAX_SCRIPT_SPACE * size or piece.x0 <= line.x0:
            return False
        if gap >= _MAX_SPACE * size:
            return self._is_script(piece) and _overlaps(self.main, piece) and not _is_level(self.main, piece)
        level = abs(line.baseline - piece.baseline)
        if level < 0.6 * size:
            stacked = piece.size < _SCRIPT_SIZE * line.size or level < 0.1 * size
            if gap > -(1.2 if stacked else 0.3) * size:
                return True
            if level < 0.35 * size and gap > -4 * size and piece.x1 > line.x1:
                return True  # it starts with a script below the one that the line ends with
        if self._is_limit(piece):
            return True
        if not _overlaps(self.main, piece):
            return False
        overhang = 1.2 if len(piece.text) <= _MAX_INDEX_LENGTH else 0.3  # an index and an exponent stand side by side
        return piece.x0 > self._level_end - overhang * size or self._is_script(piece)

    def _is_script(self, piece: TextLine) -> bool:
        """Whether the piece is small, and stands above or below a part of the line, such as a denominator."""
        return (
            piece.size < _SCRIPT_SIZE * self.main.size
            and len(piece.text) <= _MAX_SCRIPT_LENGTH
            and piece.x0 > self.line.x0 + 0.5 * self.main.size
        )

    def _is_limit(self, piece: TextLine) -> bool:
        """Whether the piece is the limit below a sum or product that the line ends with."""
        top, bottom = _extent(self.main)
        middle, size = sum(_extent(piece)) / 2, self.main.size
        return (
            self._is_script(piece)
            and abs((piece.x0 + piece.x1) / 2 - self.line.x1) < 1.5 * size
            and top < middle < bottom + 0.6 * size
        )

    def starts_with(self, before: _Row) -> bool:
        """Whether the small piece before this line is the numerator above the denominator that the line starts with."""
        piece, size = before.line, self.main.size
        return (
            self._first.size < _SCRIPT_SIZE * size
            and piece.page == self.line.page
            and piece.size < _SCRIPT_SIZE * size
            and len(piece.text) <= _MAX_SCRIPT_LENGTH
            and not piece.hyphen
            and -3 * size < piece.x0 - self.line.x0 < size
            and piece.x1 < self.line.x0 + 3 * size
            and _overlaps(self.main, piece)
        )

    def divide_by(self, row: _Row) -> None:
        """Add the line that begins with the denominator below this numerator."""
        self._numerator = self.line
        self.add(row.line, row.main)

    def add(self, piece: TextLine, main: TextLine | None = None) -> None:
        """Add the piece, or the pieces of a line with this main piece."""
        if _is_level(self.line, piece) or _is_main(piece, self.line):
            self._level_end = max(self._level_end, piece.x1)
        if _is_main(piece, self.line):
            self.main = main or piece
        numerator = self._numerator or (self.line if self._note else None)
        is_divided = (
            numerator is not None
            and piece.x0 < numerator.x1 - 0.2 * self.main.size
            and not (numerator.text in "23" and piece.text[:1].isalpha())  # a norm's exponent and index
        )
        if self._note and (is_divided or is_relation(piece.text)):  # it was an exponent, or a numerator
            separator = " " if is_divided else ""
            self.line = replace(self.line, text=self.line.text.rstrip() + separator + self._note)
        if is_divided and piece.text[:1].isalnum():
            piece = replace(piece, text=f"/{piece.text}")
        is_apart = piece.x0 - self.line.x1 > 0.15 * self.main.size
        self._numerator = piece if is_apart and _is_raised(piece, self.line) else None
        self._note = piece.text if _is_raised(piece, self.line) and is_note_number(piece.text, self.line.text) else ""
        if self._note:
            piece = replace(piece, text=" ", notes=(self._note,))
        elif piece.note_before and not is_note_number(piece.note_before, self.line.text, piece.text):
            piece = replace(piece, text=piece.note_before + piece.text)
        elif piece.note_before:
            piece = replace(piece, text=f" {piece.text}")
        self._note = self._note or piece.note_after
        self.line = _merge(self.line, piece)


def _is_main(piece: TextLine, line: TextLine) -> bool:
    """Whether the piece says more about the type of the line than what comes before it."""
    small = min(piece, line, key=lambda either: either.size)
    if len(small.text) <= _MAX_SCRIPT_LENGTH and is_script_size(small.size, max(piece.size, line.size)):
        return small is line
    return piece.size * min(len(piece.text), 20) > line.size * min(len(line.text), 20)


def _is_raised(piece: TextLine, line: TextLine) -> bool:
    return piece.size < _SCRIPT_SIZE * line.size and piece.baseline < line.baseline - 0.1 * line.size


def _is_level(one: TextLine, other: TextLine) -> bool:
    return abs(one.baseline - other.baseline) < 0.1 * max(one.size, other.size)


def _overlaps(main: TextLine, piece: TextLine) -> bool:
    """Whether the piece is at the height of the line, or is a sign that reaches over it, such as a root."""
    top, bottom = _extent(main)
    start, end = _extent(piece)
    margin = (0.5 if piece.size < _SCRIPT_SIZE * main.size else 0.35) * main.size
    if top - margin <= (start + end) / 2 <= bottom + margin:
        return True
    return len(piece.text) <= 2 and start <= (top + bottom) / 2 <= end


def _extent(line: TextLine) -> tuple[float, float]:
    """Top and bottom of a line; by the baseline where its font claims much more than its letters need."""
    if line.y1 - line.y0 < 2.5 * line.size:
        return line.y0, line.y1
    return line.baseline - 0.8 * line.size, line.baseline + 0.2 * line.size


def _merge(left: TextLine, right: TextLine) -> TextLine:
    larger = right if _is_main(right, left) else left
    close = right.x0 - left.x1 < 0.15 * larger.size and not left.text.endswith(" ")
    separator = "" if close or re.match(r"[ ,.;:)\]]", right.text) else " "
    if close and _is_raised(right, left) and is_power(left.text, right.text):
        separator = "^"
    lead, lead_bold = left.lead, left.lead_bold
    if left.text in BULLETS:
        lead, lead_bold = right.lead, right.lead_bold
    elif lead == left.text:
        lead += separator + right.lead
    count, other = len(left.text), len(right.text)
    share = count / (count + other)
    return replace(
        larger,
        text=left.text.rstrip() + separator + right.text,
        x0=min(left.x0, right.x0),
        y0=min(left.y0, right.y0),
        x1=max(left.x1, right.x1),
        y1=max(left.y1, right.y1),
        hyphen=right.hyphen,
        bold=left.bold * share + right.bold * (1 - share),
        italic=left.italic * share + right.italic * (1 - share),
        maths=left.maths * share + right.maths * (1 - share),
        notes=left.notes + right.notes,
        lead=lead,
        lead_bold=lead_bold,
        gaps=sum(piece.gaps for piece in (left, right) if piece.size >= _SCRIPT_SIZE * larger.size),
    )
