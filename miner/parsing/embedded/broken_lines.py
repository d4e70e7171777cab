"""Joins the pieces of printed lines that PDFium broke at inline formulas, raised numbers and lowered letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from miner.parsing.embedded.lines import (
    BULLETS,
    LEVEL,
    MAX_SCRIPT_LENGTH,
    SCRIPT_SIZE,
    TextLine,
    is_note_number,
    is_power,
    is_relation,
    is_script_size,
)

_MAX_SPACE = 1.2  # of the type size; a wider space separates columns or cells (±20 %: same)
_MAX_SCRIPT_SPACE = 3.0  # of the type size; a short numerator stands in the middle of a wide fraction (±20 %: same)
_MAX_INDEX_LENGTH = 4  # characters (±20 %: same)

# How pieces of one printed line stand to each other, in type sizes.
_SHIFTED = 0.6  # between the baselines of a script and its line at most
_LOWERED = 0.35  # between baselines where a piece starts below the script that the line ends with (±20 %: same)
_STACKED, _OVERLAPPING = 1.2, 0.3  # a piece's start left of the line's end: above a script; else (±20 %: same)
_MAX_STACK = 4  # left of the line's end at which a piece below its last scripts starts (±20 %: same)
_IN_LINE = 0.5  # right of the line's start; what starts farther left is in another line
_FROM_LIMIT = 1.5  # between the middle of a limit and the line's end, where the sum or product is (±20 %: same)
_BELOW_LIMIT = 0.6  # below the line, where the middle of a limit still is (±20 %: same)
_MAX_FRACTION = 3  # by which a numerator starts left and ends right of the start of its line
_DIVIDED = 0.2  # by which a denominator starts left of the end of the numerator (±20 %: same)
_CLOSE = 0.15  # a smaller gap between pieces is no space
_MARGIN, _SCRIPT_MARGIN = 0.35, 0.5  # above and below the line, where the middle of a piece or script still is
_TALL = 2.5  # height of the box from which on the font claims more than its letters need (±20 %: same)
_ASCENT, _DESCENT = 0.8, 0.2  # of letters above and below the baseline (±20 %: same)
_LONG_PIECE = 20  # characters; of two pieces so long the larger one tells the type of the line (±20 %: same)
_MAX_SIGN_LENGTH = 2  # characters of a sign that reaches over its line (±20 %: same)


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
        if level < _SHIFTED * size:
            stacked = piece.size < SCRIPT_SIZE * line.size or level < LEVEL * size
            if gap > -(_STACKED if stacked else _OVERLAPPING) * size:
                return True
            if level < _LOWERED * size and gap > -_MAX_STACK * size and piece.x1 > line.x1:
                return True  # it starts with a script below the one that the line ends with
        if self._is_limit(piece):
            return True
        if not _overlaps(self.main, piece):
            return False
        is_index = len(piece.text) <= _MAX_INDEX_LENGTH  # an index and an exponent stand above one another
        overhang = _STACKED if is_index else _OVERLAPPING
        return piece.x0 > self._level_end - overhang * size or self._is_script(piece)

    def _is_script(self, piece: TextLine) -> bool:
        """Whether the piece is small, and stands above or below a part of the line, such as a denominator."""
        return (
            piece.size < SCRIPT_SIZE * self.main.size
            and len(piece.text) <= MAX_SCRIPT_LENGTH
            and piece.x0 > self.line.x0 + _IN_LINE * self.main.size
        )

    def _is_limit(self, piece: TextLine) -> bool:
        """Whether the piece is the limit below a sum or product that the line ends with."""
        top, bottom = _extent(self.main)
        middle, size = sum(_extent(piece)) / 2, self.main.size
        return (
            self._is_script(piece)
            and abs((piece.x0 + piece.x1) / 2 - self.line.x1) < _FROM_LIMIT * size
            and top < middle < bottom + _BELOW_LIMIT * size
        )

    def starts_with(self, before: _Row) -> bool:
        """Whether the small piece before this line is the numerator above the denominator that the line starts with."""
        piece, size = before.line, self.main.size
        return (
            self._first.size < SCRIPT_SIZE * size
            and piece.page == self.line.page
            and piece.size < SCRIPT_SIZE * size
            and len(piece.text) <= MAX_SCRIPT_LENGTH
            and not piece.hyphen
            and -_MAX_FRACTION * size < piece.x0 - self.line.x0 < size
            and piece.x1 < self.line.x0 + _MAX_FRACTION * size
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
            and piece.x0 < numerator.x1 - _DIVIDED * self.main.size
            and not (numerator.text in "23" and piece.text[:1].isalpha())  # a norm's exponent and index
        )
        if self._note and (is_divided or is_relation(piece.text)):  # it was an exponent, or a numerator
            separator = " " if is_divided else ""
            self.line = replace(self.line, text=self.line.text.rstrip() + separator + self._note)
        if is_divided and piece.text[:1].isalnum():
            piece = replace(piece, text=f"/{piece.text}")
        is_apart = piece.x0 - self.line.x1 > _CLOSE * self.main.size
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
    if len(small.text) <= MAX_SCRIPT_LENGTH and is_script_size(small.size, max(piece.size, line.size)):
        return small is line
    weights = [either.size * min(len(either.text), _LONG_PIECE) for either in (piece, line)]
    return weights[0] > weights[1]


def _is_raised(piece: TextLine, line: TextLine) -> bool:
    return piece.size < SCRIPT_SIZE * line.size and piece.baseline < line.baseline - LEVEL * line.size


def _is_level(one: TextLine, other: TextLine) -> bool:
    return abs(one.baseline - other.baseline) < LEVEL * max(one.size, other.size)


def _overlaps(main: TextLine, piece: TextLine) -> bool:
    """Whether the piece is at the height of the line, or is a sign that reaches over it, such as a root."""
    top, bottom = _extent(main)
    start, end = _extent(piece)
    margin = (_SCRIPT_MARGIN if piece.size < SCRIPT_SIZE * main.size else _MARGIN) * main.size
    if top - margin <= (start + end) / 2 <= bottom + margin:
        return True
    return len(piece.text) <= _MAX_SIGN_LENGTH and start <= (top + bottom) / 2 <= end


def _extent(line: TextLine) -> tuple[float, float]:
    """Top and bottom of a line; by the baseline where its font claims much more than its letters need."""
    if line.y1 - line.y0 < _TALL * line.size:
        return line.y0, line.y1
    return line.baseline - _ASCENT * line.size, line.baseline + _DESCENT * line.size


def _merge(left: TextLine, right: TextLine) -> TextLine:
    larger = right if _is_main(right, left) else left
    close = right.x0 - left.x1 < _CLOSE * larger.size and not left.text.endswith(" ")
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
        gaps=sum(piece.gaps for piece in (left, right) if piece.size >= SCRIPT_SIZE * larger.size),
    )
