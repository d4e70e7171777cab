"""Puts the characters of a page together to lines with runs of the same font."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import repeat
from typing import Any

import pypdfium2 as pdfium

from miner.libraries import np
from miner.parsing.embedded.characters import code_table
from miner.parsing.embedded.font_dictionaries import FontDictionaries
from miner.parsing.embedded.fonts import read_font
from miner.parsing.embedded.lines import LineCharacters, TextLine, TextRun, read_line
from miner.parsing.embedded.lost_spaces import find_lost_spaces, insert_spaces, shift
from miner.parsing.embedded.pdfium_functions import (
    char_font_size,
    char_map_error,
    char_matrix,
    char_origin,
    char_text_object,
    pointer,
    text_font,
)
from miner.parsing.embedded.shown_signs import shown_signs
from miner.parsing.embedded.symbols import printed_symbols

MAX_COORDINATE = 1e5  # points; larger ones occur only in damaged files
_GUTTER_WIDTH = 8.0  # points between a line number and its line, or between columns
_MIN_LINE_NUMBERS, _MAX_DIGITS = 8, 5  # line numbers in sequence; digits of each
_LINE_NUMBER_STEPS = (1, 5)  # manuscripts number every line, or every fifth
_MIN_ROWS, _MIN_ROW_GLYPHS = 10, 20  # rows across two columns; glyphs on either side
_MIN_FULL_ROWS = 0.6  # of the rows with a gap in the middle have text on either side; in a table fewer
_MAX_ROW_GAPS = 1.3  # wide gaps in such rows on average; a table has more
_MAX_SLOPE = 0.1  # of its direction: writing that rises or falls more is rotated
_SAME_EDGE = 0.1  # points by which upper or lower edges of letters of one size differ
_MAX_HEIGHT = 3  # type sizes; a glyph is higher only if its font has a scale of its own, as Type 3 fonts may
_IS_LINE_END = code_table([10, 0xFFFE])


class PageCoordinates:
    """Converts a page's coordinates to those as shown: crop box and rotation."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self.left, self.bottom, self.right, self.top = page.get_bbox()
        self.rotation = page.get_rotation() % 360

    def boxes(self, edges: np.ndarray) -> np.ndarray:
        """FS_RECTF rows (left, top, right, bottom) as x0, y0, x1, y1."""
        left, top, right, bottom = edges.T
        if self.rotation == 90:
            rows = (bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        elif self.rotation == 180:
            rows = (self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        elif self.rotation == 270:
            rows = (self.top - top, self.right - right, self.top - bottom, self.right - left)
        else:
            rows = (left - self.left, self.top - top, right - self.left, self.top - bottom)
        return np.stack(rows).T  # each edge on its own in memory, as most is computed edge by edge

    def down(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Distance of points from the top edge."""
        turned = {90: x - self.left, 180: y - self.bottom, 270: self.right - x}
        far: np.ndarray = turned.get(self.rotation, self.top - y)
        return far

    def upright(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Whether text written along (a, b) reads from left to right as shown."""
        along, across = {90: (b, -a), 180: (-a, -b), 270: (-b, a)}.get(self.rotation, (a, b))
        level: np.ndarray = np.abs(across) < _MAX_SLOPE * along
        return level


def read_lines(
    textpage: Any,
    owners: tuple[np.ndarray, np.ndarray],
    codes: np.ndarray,
    seen: np.ndarray,
    ink: np.ndarray,
    view: PageCoordinates,
    number: int,
    accented: list[int],
    repaired: Counter[str],
    dictionaries: FontDictionaries,
) -> Iterator[TextLine]:
    """The page's lines. PDFium ends them with a line feed, or with a code in place of a hyphen.

    `owners`: some characters, in order, and their text objects. `repaired`: is given the fonts of the `accented`
    characters, and of the symbols that are others than the text says; `dictionaries` tells some of them.
    """
    if not len(seen):
        return
    text = decode(codes)
    space = np.zeros(len(seen))
    space[1:] = ink[1:, 0] - ink[:-1, 2]
    stops = np.flatnonzero(_IS_LINE_END[codes])
    row = np.searchsorted(stops, seen)
    numbers = _margin_numbers(codes[seen], row, space)
    if numbers:
        rest = np.ones(len(seen), dtype=bool)
        rest[numbers] = False
        seen, ink, row, space = seen[rest], ink[rest], row[rest], space[rest]
        if not len(seen):
            return
    space[_differ(row)] = 0
    if len(glued := _right_columns(row, ink, space)):
        stops = np.union1d(stops, seen[glued] - 1)  # the space that PDFium puts between the columns
        row = np.searchsorted(stops, seen)
    runs = _runs(textpage, owners, seen, row, ink, view)
    repaired.update(LineCharacters(text, 0, runs).fonts(accented))
    has_error = partial(char_map_error, textpage)
    dictionaries.note_unmapped(text, runs, has_error)
    text = printed_symbols(text, runs, has_error, partial(dictionaries.table, number), repaired)

    def font_at(at: int) -> int:
        return int(text_font(pointer(char_text_object(textpage, at))))

    if dictionaries.outlines is not None:
        dictionaries.outlines.note(text, runs, font_at)
    text = shown_signs(text, runs, font_at, repaired, dictionaries.signs)
    if len(turned := _direction_changes(seen, row, runs)):
        stops = np.union1d(stops, turned)
        row = np.searchsorted(stops, seen)
    first = np.flatnonzero(_differ(row))  # index in `seen` where each line starts
    boxes = np.hstack([np.minimum.reduceat(ink[:, :2], first), np.maximum.reduceat(ink[:, 2:], first)])
    space[first] = 0
    least = min(run.size for run in runs)
    has_wide_space = (np.maximum.reduceat(space, first) > least).tolist()
    bounds = [*first.tolist(), len(seen)]
    starts = seen[first].tolist()
    ends = np.append(stops, len(text))[row[first]].tolist()
    if lost := find_lost_spaces(text, seen, ink, space):
        text, runs = insert_spaces(text, runs, lost)
        starts, ends = shift(starts, lost), shift(ends, lost)
    at = 0
    for line, (start, end, (x0, y0, x1, y1)) in enumerate(zip(starts, ends, boxes.tolist(), strict=True)):
        after = at
        while after < len(runs) and runs[after].start < end:
            after += 1
        spaces = space[bounds[line] : bounds[line + 1]] if has_wide_space[line] else space[:0]
        hyphen = end < len(text) and text[end] == "\ufffe"
        yield read_line(number, text[start:end], start, runs[at:after], (x0, y0, x1, y1), spaces, hyphen=hyphen)
        at = after


def _margin_numbers(codes: np.ndarray, row: np.ndarray, space: np.ndarray) -> list[int]:
    """Glyphs of line numbers in manuscripts: a long sequence of numbers, each alone or left of its line."""
    digit = (codes >= ord("0")) & (codes <= ord("9"))
    starts = np.flatnonzero(_differ(row) & digit)
    if len(starts) < _MIN_LINE_NUMBERS:
        return []
    values, glyphs = [], []
    for start in starts.tolist():
        end = start + 1
        while end < len(codes) and row[end] == row[start] and digit[end] and end - start < _MAX_DIGITS:
            end += 1
        if end == len(codes) or row[end] > row[start] or space[end] > _GUTTER_WIDTH:
            values.append(int("".join(map(chr, codes[start:end].tolist()))))
            glyphs.append(range(start, end))
    steps = np.diff(values)
    if max((int((steps == step).sum()) for step in _LINE_NUMBER_STEPS), default=0) < _MIN_LINE_NUMBERS - 1:
        return []
    return [glyph for word in glyphs for glyph in word]


def _right_columns(row: np.ndarray, ink: np.ndarray, space: np.ndarray) -> np.ndarray:
    """Where the right column starts in rows that contain both columns, on pages written row by row."""
    wide = np.flatnonzero(space > _GUTTER_WIDTH)
    if len(wide) < _MIN_ROWS:
        return wide[:0]
    left, right = ink[wide - 1, 2], ink[wide, 0]
    middle = np.median((left + right) / 2)
    glued: np.ndarray = wide[(left < middle) & (middle < right)]
    if len(glued) < _MIN_ROWS:
        return wide[:0]
    before = glued - np.searchsorted(row, row[glued], side="left")
    after = np.searchsorted(row, row[glued], side="right") - glued
    full = int(((before >= _MIN_ROW_GLYPHS) & (after >= _MIN_ROW_GLYPHS)).sum())
    rows_gaps = int(np.isin(row[wide], row[glued]).sum())
    if full < _MIN_ROWS or full < _MIN_FULL_ROWS * len(glued) or rows_gaps > _MAX_ROW_GAPS * len(glued):  # a table
        return wide[:0]
    return glued


def _runs(
    textpage: Any,
    known_owners: tuple[np.ndarray, np.ndarray],
    seen: np.ndarray,
    row: np.ndarray,
    ink: np.ndarray,
    view: PageCoordinates,
) -> list[TextRun]:
    """Runs of characters of one line, text object and height."""
    top, bottom = ink[:, 1], ink[:, 3]
    new_line = _differ(row)
    moved = np.ones(len(seen), dtype=bool)
    moved[1:] = (np.abs(np.diff(top)) > _SAME_EDGE) | (np.abs(np.diff(bottom)) > _SAME_EDGE)
    words = np.flatnonzero(new_line | moved | apart(seen))
    known, owners_of_known = known_owners
    place = np.minimum(np.searchsorted(known, seen[words]), len(known) - 1)
    owners = owners_of_known[place]
    for index in np.flatnonzero(known[place] != seen[words]).tolist():
        owners[index] = char_text_object(textpage, int(seen[words[index]]))
    heads = np.ones(len(words), dtype=bool)
    heads[1:] = new_line[words[1:]] | (owners[1:] != owners[:-1])
    heads[1:] |= (np.abs(np.diff(top[words])) > _SAME_EDGE) | (np.abs(np.diff(bottom[words])) > _SAME_EDGE)
    at, owners = words[heads], owners[heads]
    starts = seen[at].tolist()

    matrix, origin = (
        _bounded(function.read(textpage, each=starts)[0], -MAX_COORDINATE) for function in (char_matrix, char_origin)
    )
    size = np.fromiter(map(char_font_size, repeat(textpage), starts), dtype=np.float64, count=len(at))
    size = (_bounded(size, 0) * np.hypot(matrix[:, 2], matrix[:, 3])).round(1)
    height = ink[at, 3] - ink[at, 1]
    size = np.where(height < _MAX_HEIGHT * size, size, (height * 2).round() / 2)  # else to half a point

    addresses = list(map(text_font, map(pointer, owners.tolist())))
    fonts = {address: read_font(address) for address in set(addresses)}
    kind = np.array(addresses, dtype=np.uint64)
    base = view.down(origin[:, 0], origin[:, 1])
    upright = view.upright(matrix[:, 0], matrix[:, 1])
    changes = np.flatnonzero(_differ(row[at], kind, size, base, upright))
    starts = seen[at[changes]].tolist()
    return [
        TextRun(start, end, points, baseline, is_upright, *fonts[address])
        for start, end, points, baseline, is_upright, address in zip(
            starts,
            [*starts[1:], int(seen[-1]) + 1],
            size[changes].tolist(),
            base[changes].tolist(),
            upright[changes].tolist(),
            kind[changes].tolist(),
            strict=True,
        )
    ]


def _bounded(values: np.ndarray, least: float) -> np.ndarray:
    """The values from the least to the largest coordinate; 0 for what is no number."""
    values = values.clip(least, MAX_COORDINATE)
    values[np.isnan(values)] = 0
    return values


def apart(seen: np.ndarray) -> np.ndarray:
    """Which characters do not come right after the one before."""
    apart = np.ones(len(seen), dtype=bool)
    apart[1:] = seen[1:] - seen[:-1] > 1
    return apart


def _differ(*columns: np.ndarray) -> np.ndarray:
    """Which rows of a table with these columns are other than the row before."""
    changed = np.ones(len(columns[0]), dtype=bool)
    changed[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return changed


def _direction_changes(seen: np.ndarray, row: np.ndarray, runs: list[TextRun]) -> np.ndarray:
    """The spaces with which PDFium joins rotated text, such as an axis label, to an upright line."""
    upright = np.array([run.upright for run in runs])
    if upright.all():
        return seen[:0]
    at = np.searchsorted(seen, [run.start for run in runs])
    turned = at[1:][upright[1:] != upright[:-1]]
    turned = turned[(row[turned] == row[turned - 1]) & (seen[turned] - seen[turned - 1] > 1)]
    spaces: np.ndarray = seen[turned] - 1
    return spaces


def decode(codes: np.ndarray) -> str:
    """The characters with these code points."""
    return codes.astype("<u4").tobytes().decode("utf-32-le")
