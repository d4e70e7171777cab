"""Tells signs by their shapes, for fonts that name "<" an "o" and "=" a "Z": bars, crosses, angles, waves, brackets.

Each test is strict: what is none of these signs, such as any letter in its own shape, passes none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import numpy as np

from miner.parsing.embedded.outlines import Outline, Spans
from miner.records import UNREADABLE

_FULL, _NARROW = 0.85, 0.35  # widths of a bar across and of a stroke, as shares of the sign's
_RAISED = 0.2  # em above the baseline

# What a font may say of a glyph that has the shape of the sign.
_SAME: dict[str, str] = {
    "−": "-–—_‐‑‒―¯|\xad\u0304~",
    "=": "═",
    "+": "✚†",
    "×": "xX✕✖χ∗*+",
    "<": "‹〈⟨≺",
    ">": "›〉⟩≻▶",
    "∼": "~˜-–≃\u0303",
    "≈": "",
    "°": "o0O˚º◦∘○",
    "′": "'’‘´`,;/\"\u0301|1Il!",
    "(": "[{⟨",
    ")": "]}⟩",
    "→": "",
    "μ": "µu",
    "Δ": "∆△▲",
    "±": "",
    ".": ",·",
    "≤": "⩽",
    "≥": "⩾",
}
_WITH_HOLE = frozenset("bdoq")  # in every type, small capitals too


def sign_of(outline: Outline, said: str) -> str:
    """The sign that the outline shows in place of the character that its font says; "" where it may be that one.

    `UNREADABLE` for an outline that is plainly another than that of the letter, but no sign that is known.
    """
    for sign, test in _TESTS.items():
        if test(outline):
            return "" if said == sign or said in _SAME[sign] else sign
    return UNREADABLE if said in _WITH_HOLE and outline.contours == 1 else ""


def _size(outline: Outline) -> tuple[float, float]:
    left, bottom, right, top = outline.box
    return right - left, top - bottom


def _kinds(rows: list[Spans]) -> str:
    """The levels as "f" (black all across), "n" (narrow, in the middle), "-" (empty) or "?", equal ones as one."""
    return "".join(kind for kind, _ in groupby(map(_kind, rows)))


def _kind(spans: Spans) -> str:
    if not spans:
        return "-"
    if len(spans) > 1:
        return "?"
    [(start, end)] = spans
    if end - start > _FULL:
        return "f"
    return "n" if end - start < _NARROW and abs(start + end - 1) < 0.12 else "?"


def _is_minus(outline: Outline) -> bool:
    width, height = _size(outline)
    return width > 3 * height and width > 0.35 and outline.contours == 1 and _kinds(outline.rows).strip("?") == "f"


def _is_equals(outline: Outline) -> bool:
    width, height = _size(outline)
    kinds = _kinds(outline.rows).replace("?", "")
    return width > 1.3 * height and outline.contours == 2 and kinds == "f-f" and width > 0.35


def _is_plus(outline: Outline) -> bool:
    kinds = {_kinds(outline.rows).replace("?", ""), _kinds(outline.columns).replace("?", "")}
    return _is_square(outline) and kinds == {"nfn"} and _is_thin(outline.rows) and _is_mirrored(outline)


def _is_thin(rows: list[Spans]) -> bool:
    """Whether few levels are black all across, as are those of bars, not of dots."""
    return 0 < sum(_kind(spans) == "f" for spans in rows) < _NARROW * len(rows)


def _is_plus_minus(outline: Outline) -> bool:
    width, height = _size(outline)
    kinds = _kinds(outline.rows).replace("?", "")
    is_upright = all(abs(spans[0][0] + spans[-1][1] - 1) < 0.08 for spans in outline.rows if spans)
    return kinds in ("f-nfn", "fnfn") and 0.9 * width < height < 1.6 * width and is_upright


def _is_square(outline: Outline) -> bool:
    width, height = _size(outline)
    return 0.8 < width / height < 1.25


def _is_mirrored(outline: Outline) -> bool:
    """Whether the outline is alike upside down and from right to left."""
    rows, columns = outline.rows, outline.columns
    return all(_alike(lines, lines[::-1]) for lines in (rows, columns))


def _alike(lines: list[Spans], others: list[Spans]) -> bool:
    pairs = [(one, other) for one, other in zip(lines, others, strict=True) if len(one) == len(other)]
    far = [
        abs(a - b) for one, other in pairs for ends in zip(one, other, strict=True) for a, b in zip(*ends, strict=True)
    ]
    return len(pairs) >= 0.85 * len(lines) and bool(far) and float(np.mean(far)) < 0.04


def _is_times(outline: Outline) -> bool:
    rows = outline.rows
    quarter, middle = rows[len(rows) // 5], rows[len(rows) // 2]
    if len(quarter) != 2 or len(middle) != 1 or not (_is_square(outline) and _is_mirrored(outline)):
        return False
    width = quarter[0][1] - quarter[0][0]
    straight = _is_straight([spans[0][0] for spans in rows[3 : len(rows) // 2 - 4] if spans])
    return outline.contours == 1 and width < _NARROW and middle[0][0] > 0.25 and straight


def _is_straight(values: list[float]) -> bool:
    """Whether the values lie on a line that rises or falls."""
    if len(values) < 5:
        return False
    at = np.arange(len(values))
    slope, start = np.polyfit(at, values, 1)
    return abs(slope) * len(values) > 0.15 and float(np.abs(np.polyval([slope, start], at) - values).max()) < 0.05


def _angle(rows: list[Spans]) -> str:
    """ "<" or ">" for an open angle of two straight strokes."""
    rows = [spans for spans in rows if spans]
    single = [spans[0] for spans in rows if len(spans) == 1]
    if len(single) < 0.9 * len(rows) or len(single) < 10:
        return ""
    middle = len(single) // 2
    low, high = single[1 : middle - 2], single[middle + 2 : -1]
    for sign, edge, apex in (("<", 0, 0.0), (">", 1, 1.0)):
        ends = [span[edge] for span in single]
        tip = min(ends) if edge == 0 else max(ends)
        opened = abs(ends[0] - tip) > 0.5 and abs(ends[-1] - tip) > 0.5
        at_middle = abs(ends[middle] - apex) < 0.15
        straight = all(_is_straight([span[edge] for span in half]) for half in (low, high))
        inner = [span[1 - edge] for span in single]
        hollow = abs(inner[middle] - apex) < 0.7 and abs(inner[2] - inner[middle]) > 0.25
        if opened and at_middle and straight and hollow:
            return sign
    return ""


def _is_angle(sign: str) -> Callable[[Outline], bool]:
    def test(outline: Outline) -> bool:
        width, height = _size(outline)
        return 0.6 < width / height < 1.6 and outline.contours == 1 and _angle(outline.rows) == sign

    return test


def _is_angle_above_bar(sign: str) -> Callable[[Outline], bool]:
    def test(outline: Outline) -> bool:
        rows = outline.rows
        bar = [at for at, spans in enumerate(rows[: len(rows) // 3]) if _kind(spans) == "f"]
        is_above = bool(bar) and bar[0] < 3
        return is_above and outline.contours in (1, 2) and _angle(rows[bar[-1] + 2 :]) == sign

    return test


def _is_wave(columns: list[Spans], at: int) -> bool:
    """Whether the spans at this place of each column rise and then fall, alike in both halves."""
    middles = [(spans[at][0] + spans[at][1]) / 2 for spans in columns]
    size = len(middles)
    left, right = np.mean(middles[size // 8 : 3 * size // 8]), np.mean(middles[-3 * size // 8 : -size // 8])
    begin, end = middles[0], middles[-1]
    return bool(left - right > 0.12 and left > begin + 0.05 and right < end - 0.05)


def _is_tilde(outline: Outline) -> bool:
    width, height = _size(outline)
    columns = outline.columns
    is_low = width > 2 * height and width > 0.4 and outline.contours == 1
    return is_low and all(len(spans) == 1 for spans in columns) and _is_wave(columns, 0)


def _is_approximately(outline: Outline) -> bool:
    columns = outline.columns
    is_double = outline.contours == 2 and all(len(spans) == 2 for spans in columns)
    return is_double and _is_wave(columns, 0) and _is_wave(columns, 1)


def _is_degree(outline: Outline) -> bool:
    width, height = _size(outline)
    rows = outline.rows
    is_ring = outline.contours == 2 and len(rows[len(rows) // 2]) == 2 and _is_mirrored(outline)
    return is_ring and 0.9 < width / height < 1.1 and width < 0.45 and outline.box[1] > _RAISED


def _is_stop(outline: Outline) -> bool:
    width, height = _size(outline)
    is_dot = outline.contours == 1 and all(len(spans) == 1 for spans in outline.rows) and _is_square(outline)
    return is_dot and max(width, height) < 0.2 and abs(outline.box[1]) < 0.05


def _is_prime(outline: Outline) -> bool:
    width, height = _size(outline)
    rows = outline.rows
    is_stroke = outline.contours == 1 and all(len(spans) == 1 for spans in rows) and 0.1 < width / height < 0.8
    return is_stroke and height < 0.6 and outline.box[1] > _RAISED and rows[2][0][0] < rows[-3][0][0] - 0.1


def _bulge(outline: Outline) -> float:
    """How far the middle of a thin upright stroke is right of its ends, as a share of its width; 0 for other shapes."""
    width, height = _size(outline)
    rows = outline.rows
    if outline.contours != 1 or height < 0.6 or width > 0.5 * height or any(len(spans) != 1 for spans in rows):
        return 0.0
    middles = [(spans[0][0] + spans[0][1]) / 2 for spans in rows]
    middle = float(np.mean(middles[len(rows) // 2 - 2 : len(rows) // 2 + 2]))
    if not _alike(rows[2:-2], rows[2:-2][::-1]):
        return 0.0
    return middle - (middles[1] + middles[-2]) / 2


def _is_arrow(outline: Outline) -> bool:
    width, height = _size(outline)
    columns = outline.columns
    if width < 1.3 * height or not _alike(columns, [[(1 - b, 1 - a) for a, b in reversed(one)] for one in columns]):
        return False
    heights = [spans[-1][1] - spans[0][0] if spans else 0.0 for spans in columns]
    return max(heights[: len(columns) // 2]) < 0.3 and max(heights[len(columns) // 2 :]) > 0.8 and heights[-1] < 0.4


def _is_mu(outline: Outline) -> bool:
    """Two strokes that are joined at the baseline, the left one going on below it."""
    left, bottom, right, top = outline.box
    if outline.contours != 1 or not -0.35 < bottom < -0.1 or not 0.3 < top < 0.65 or not 0.3 < right - left < 0.75:
        return False
    rows = outline.rows
    base = -bottom / (top - bottom)
    below = [spans for at, spans in enumerate(rows) if (at + 0.5) / len(rows) < base - 0.08]
    above = [spans for at, spans in enumerate(rows) if base + 0.25 < (at + 0.5) / len(rows) < 0.92]
    if len(below) < 3 or len(above) < 5:
        return False
    is_stem = all(len(spans) == 1 and spans[0][1] < 0.5 for spans in below)
    return is_stem and all(len(spans) == 2 for spans in above) and above[0][0][0] <= above[-1][0][0] + 0.06


def _is_delta(outline: Outline) -> bool:
    rows = outline.rows
    if outline.contours != 2 or any(not spans for spans in rows):
        return False
    left, right = [spans[0][0] for spans in rows], [spans[-1][1] for spans in rows]
    is_hollow = _kind(rows[0]) == "f" and len(rows[len(rows) // 3]) == 2 and len(rows[-2]) == 1
    is_tip = abs(left[-1] + right[-1] - 1) < 0.2 and right[-1] - left[-1] < 0.3
    return is_hollow and is_tip and _is_straight(left[3:-3]) and _is_straight(right[3:-3])


_TESTS: dict[str, Callable[[Outline], bool]] = {
    "−": _is_minus,
    "=": _is_equals,
    "+": _is_plus,
    "±": _is_plus_minus,
    "×": _is_times,
    "<": _is_angle("<"),
    ">": _is_angle(">"),
    "≤": _is_angle_above_bar("<"),
    "≥": _is_angle_above_bar(">"),
    "∼": _is_tilde,
    "≈": _is_approximately,
    "°": _is_degree,
    "′": _is_prime,
    ".": _is_stop,
    "(": lambda outline: _bulge(outline) < -0.3,
    ")": lambda outline: _bulge(outline) > 0.3,
    "→": _is_arrow,
    "μ": _is_mu,
    "Δ": _is_delta,
}
