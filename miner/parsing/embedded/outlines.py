"""A glyph's outline as the font draws it, cut by level and upright lines."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cached_property
from math import isfinite
from typing import Any

import pypdfium2.raw as raw

from miner.libraries import np

_SCALE = 1000.0
_MAX_SEGMENTS = 600
_STEPS = (0.2, 0.4, 0.6, 0.8, 1.0)  # of points on a curve
LEVELS = 32
_MIN_SPAN = 1e-3  # of the width

Point = tuple[float, float]
Spans = list[tuple[float, float]]


class Outline:
    """An outline of closed lines, in em from the baseline up.

    `box`: left, bottom, right, top. `contours`: the number of its lines.
    """

    def __init__(self, contours: Sequence[Sequence[Point]]) -> None:
        points = [point for line in contours for point in line]
        across, up = [x for x, _ in points], [y for _, y in points]
        self.box = min(across), min(up), max(across), max(up)
        self.contours = len(contours)
        ends = [point for line in contours for point in (*line[1:], line[0])]
        self._edges = np.hstack([np.array(points), np.array(ends)])

    @cached_property
    def rows(self) -> list[Spans]:
        """What is black on each of `LEVELS` lines from the bottom to the top, as shares of the width."""
        return _cut(self._edges)

    @cached_property
    def columns(self) -> list[Spans]:
        """What is black on each of `LEVELS` lines from left to right, as shares of the height."""
        return _cut(self._edges[:, [1, 0, 3, 2]])


def read_outline(font: Any, code: int) -> Outline | None:
    """The outline of the glyph that the font shows for a character; None if it has none or a very long one."""
    path = raw.FPDFFont_GetGlyphPath(font, code, _SCALE)
    count = raw.FPDFGlyphPath_CountGlyphSegments(path) if path else 0
    if not 0 < count <= _MAX_SEGMENTS:
        return None
    contours: list[list[Point]] = []
    curve: list[Point] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for at in range(count):
        segment = raw.FPDFGlyphPath_GetGlyphPathSegment(path, at)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point, kind = (x.value, y.value), raw.FPDFPathSegment_GetType(segment)
        if not (isfinite(point[0]) and isfinite(point[1])):
            return None
        if kind == raw.FPDF_SEGMENT_MOVETO:
            contours.append([point])
        elif not contours:
            return None
        elif kind == raw.FPDF_SEGMENT_LINETO:
            contours[-1].append(point)
        else:
            curve.append(point)
            if len(curve) == 3:
                contours[-1] += _points(contours[-1][-1], *curve)
                curve = []
    contours = [line for line in contours if len(line) > 2]
    if not contours:
        return None
    outline = Outline(contours)
    left, bottom, right, top = outline.box
    return outline if right > left and top > bottom else None


def _points(start: Point, one: Point, two: Point, end: Point) -> list[Point]:
    """Points of a curve with these two control points."""
    found = []
    for t in _STEPS:
        u = 1 - t
        a, b, c, d = u**3, 3 * u * u * t, 3 * u * t * t, t**3
        found.append(
            (a * start[0] + b * one[0] + c * two[0] + d * end[0], a * start[1] + b * one[1] + c * two[1] + d * end[1])
        )
    return found


def _cut(edges: np.ndarray) -> list[Spans]:
    """The black spans of each level; where lines wind around it, a point is black."""
    x0, y0, x1, y1 = edges.T
    low, left = float(y0.min()), float(x0.min())
    height, width = float(y0.max()) - low, float(x0.max()) - left
    levels = low + height * (np.arange(LEVELS) + 0.5) / LEVELS
    level, edge = np.nonzero((y0 <= levels[:, None]) != (y1 <= levels[:, None]))
    share = (levels[level] - y0[edge]) / (y1[edge] - y0[edge])
    at = (x0[edge] + share * (x1[edge] - x0[edge]) - left) / width
    turns = np.where(y1[edge] > y0[edge], 1, -1)
    order = np.lexsort((at, level))
    found: list[Spans] = [[] for _ in range(LEVELS)]
    winding, start = 0, 0.0
    for row, here, turn in zip(level[order].tolist(), at[order].tolist(), turns[order].tolist(), strict=True):
        before, winding = winding, winding + turn
        if before == 0:
            start = here
        elif winding == 0 and here - start > _MIN_SPAN:
            spans = found[row]
            if spans and start - spans[-1][1] < _MIN_SPAN:
                spans[-1] = spans[-1][0], here
            else:
                spans.append((start, here))
    return found
