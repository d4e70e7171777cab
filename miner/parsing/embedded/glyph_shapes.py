"""Tells signs by their shapes, for fonts that name "<" an "o" and "=" a "Z": bars, crosses, angles, waves, brackets.

Each test is strict: no other shape passes it, such as that of a letter.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from miner.libraries import np
from miner.parsing.embedded.outlines import Outline, Spans
from miner.records import UNREADABLE

_FULL, _NARROW = 0.85, 0.35  # widths of a bar across and of a stroke, as shares of the sign's
_RAISED = 0.2  # em above the baseline

# Lengths are shares of the sign's width or height where nothing else is said. Measured on PDFium's own ten fonts, no
# letter or digit is taken for a sign, and of its Symbol font all of these signs that it has are told.
_CENTRED = 0.12  # by which the middle of a stroke is off the sign's
_MIN_WIDTH = 0.35  # em, of a minus or an equals sign; hyphens are narrower
_FLAT, _FLAT_PAIR = 3, 1.3  # width of a minus, of an equals sign, in heights
_STEM_CENTRED = 0.08  # by which levels of "±" are off the middle; of letters such as "t" by more
_PLUS_MINUS_HEIGHT = 0.9, 1.6  # widths
_SQUARE = 0.8, 1.25  # width in heights
_MIN_ALIKE, _MAX_UNLIKE = 0.85, 0.04  # share of levels with as many spans as their mirror; mean distance of their ends
_MIN_CROSSING = 0.25  # from the left edge to where the bars of a cross meet
_MIN_POINTS = 5  # levels by which an edge is straight
_MIN_RISE, _MAX_BEND = 0.15, 0.05  # of a straight slanting edge in all; of its levels off the line
_MIN_SINGLE, _MIN_LEVELS = 0.9, 10  # share of an angle's levels with one span; levels with one
_OPENED, _AT_TIP = 0.5, 0.15  # from the ends of an angle to its tip; from the tip to the sign's edge
_INNER_TIP, _HOLLOW = 0.7, 0.25  # from the inner edge to the sign's at the tip; how much farther it goes at the ends
_ANGLE_WIDTH = 0.6, 1.6  # heights
_BAR_LEVELS = 3  # lowest levels, where the bar of "≤" begins
_MIN_WAVE, _MIN_FALL = 0.12, 0.05  # from the crest of a wave to its trough; from them to its ends
_WAVE_WIDTH, _MIN_WAVE_WIDTH = 2, 0.4  # heights; em
_ROUND, _MAX_RING = (0.9, 1.1), 0.45  # width of a degree sign in heights; in em
_MAX_DOT, _ON_BASELINE = 0.2, 0.05  # em, of a full stop: its size; from the baseline
_PRIME_WIDTH, _MAX_PRIME, _MIN_SLANT = (0.1, 0.8), 0.6, 0.1  # heights; height in em; from the foot's to the top's left
_MIN_BRACKET, _BRACKET_WIDTH, _MIN_BULGE = 0.6, 0.5, 0.3  # height in em; width at most, in heights; of its middle
_ARROW_WIDTH = 1.3  # heights
_MAX_SHAFT, _MIN_HEAD, _MAX_POINT = 0.3, 0.8, 0.4  # heights of an arrow's left half, right half and right end
_MU_BOTTOM, _MU_TOP, _MU_WIDTH = (-0.35, -0.1), (0.3, 0.65), (0.3, 0.75)  # em
_BELOW_BASE, _ABOVE_BASE, _BELOW_TOP = 0.08, 0.25, 0.92  # from the baseline of "μ" to its stem; to its strokes; and up
_MIN_STEM_LEVELS, _MIN_STROKE_LEVELS, _MAX_STEM, _UPRIGHT = 3, 5, 0.5, 0.06  # of "μ": levels; right edge; its slant
_TIP_CENTRED, _MAX_TIP = 0.2, 0.3  # of "Δ", by which its tip is off the middle; width of the tip

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
    """The sign that the outline shows in place of the character `said` by its font; "" where it may show `said`.

    `UNREADABLE` for an outline that is plainly not that of the letter, but of no known sign either.
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
    return "n" if end - start < _NARROW and abs(start + end - 1) < _CENTRED else "?"


def _is_minus(outline: Outline) -> bool:
    width, height = _size(outline)
    is_bar = outline.contours == 1 and _kinds(outline.rows).strip("?") == "f"
    return is_bar and width > _FLAT * height and width > _MIN_WIDTH


def _is_equals(outline: Outline) -> bool:
    width, height = _size(outline)
    kinds = _kinds(outline.rows).replace("?", "")
    return width > _FLAT_PAIR * height and outline.contours == 2 and kinds == "f-f" and width > _MIN_WIDTH


def _is_plus(outline: Outline) -> bool:
    kinds = {_kinds(outline.rows).replace("?", ""), _kinds(outline.columns).replace("?", "")}
    return _is_square(outline) and kinds == {"nfn"} and _is_thin(outline.rows) and _is_mirrored(outline)


def _is_thin(rows: list[Spans]) -> bool:
    """Whether few levels are black all across, as are those of bars, not of dots."""
    return 0 < sum(_kind(spans) == "f" for spans in rows) < _NARROW * len(rows)


def _is_plus_minus(outline: Outline) -> bool:
    width, height = _size(outline)
    kinds = _kinds(outline.rows).replace("?", "")
    is_upright = all(abs(spans[0][0] + spans[-1][1] - 1) < _STEM_CENTRED for spans in outline.rows if spans)
    least, most = _PLUS_MINUS_HEIGHT
    return kinds in ("f-nfn", "fnfn") and least * width < height < most * width and is_upright


def _is_between(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] < value < bounds[1]


def _is_square(outline: Outline) -> bool:
    width, height = _size(outline)
    return _is_between(width / height, _SQUARE)


def _is_mirrored(outline: Outline) -> bool:
    """Whether the outline is alike upside down and from right to left."""
    rows, columns = outline.rows, outline.columns
    return all(_alike(lines, lines[::-1]) for lines in (rows, columns))


def _alike(lines: list[Spans], others: list[Spans]) -> bool:
    pairs = [(one, other) for one, other in zip(lines, others, strict=True) if len(one) == len(other)]
    far = [
        abs(a - b) for one, other in pairs for ends in zip(one, other, strict=True) for a, b in zip(*ends, strict=True)
    ]
    return len(pairs) >= _MIN_ALIKE * len(lines) and bool(far) and float(np.mean(far)) < _MAX_UNLIKE


def _is_times(outline: Outline) -> bool:
    rows = outline.rows
    quarter, middle = rows[len(rows) // 5], rows[len(rows) // 2]
    if len(quarter) != 2 or len(middle) != 1 or not (_is_square(outline) and _is_mirrored(outline)):
        return False
    width = quarter[0][1] - quarter[0][0]
    straight = _is_straight([spans[0][0] for spans in rows[3 : len(rows) // 2 - 4] if spans])
    return outline.contours == 1 and width < _NARROW and middle[0][0] > _MIN_CROSSING and straight


def _is_straight(values: list[float]) -> bool:
    """Whether the values lie on a line that rises or falls."""
    if len(values) < _MIN_POINTS:
        return False
    at = np.arange(len(values))
    slope, start = np.polyfit(at, values, 1)
    bend = float(np.abs(np.polyval([slope, start], at) - values).max())
    return abs(slope) * len(values) > _MIN_RISE and bend < _MAX_BEND


def _angle(rows: list[Spans]) -> str:
    """ "<" or ">" for an open angle of two straight strokes."""
    rows = [spans for spans in rows if spans]
    single = [spans[0] for spans in rows if len(spans) == 1]
    if len(single) < _MIN_SINGLE * len(rows) or len(single) < _MIN_LEVELS:
        return ""
    middle = len(single) // 2
    low, high = single[1 : middle - 2], single[middle + 2 : -1]
    for sign, edge, apex in (("<", 0, 0.0), (">", 1, 1.0)):
        ends = [span[edge] for span in single]
        tip = min(ends) if edge == 0 else max(ends)
        opened = abs(ends[0] - tip) > _OPENED and abs(ends[-1] - tip) > _OPENED
        at_middle = abs(ends[middle] - apex) < _AT_TIP
        straight = all(_is_straight([span[edge] for span in half]) for half in (low, high))
        inner = [span[1 - edge] for span in single]
        hollow = abs(inner[middle] - apex) < _INNER_TIP and abs(inner[2] - inner[middle]) > _HOLLOW
        if opened and at_middle and straight and hollow:
            return sign
    return ""


def _is_angle(sign: str) -> Callable[[Outline], bool]:
    def test(outline: Outline) -> bool:
        width, height = _size(outline)
        is_open = _is_between(width / height, _ANGLE_WIDTH) and outline.contours == 1
        return is_open and _angle(outline.rows) == sign

    return test


def _is_angle_above_bar(sign: str) -> Callable[[Outline], bool]:
    def test(outline: Outline) -> bool:
        rows = outline.rows
        bar = [at for at, spans in enumerate(rows[: len(rows) // 3]) if _kind(spans) == "f"]
        is_above = bool(bar) and bar[0] < _BAR_LEVELS
        return is_above and outline.contours in (1, 2) and _angle(rows[bar[-1] + 2 :]) == sign

    return test


def _is_wave(columns: list[Spans], at: int) -> bool:
    """Whether the spans at this place of each column rise and then fall, alike in both halves."""
    middles = [(spans[at][0] + spans[at][1]) / 2 for spans in columns]
    size = len(middles)
    left, right = np.mean(middles[size // 8 : 3 * size // 8]), np.mean(middles[-3 * size // 8 : -size // 8])
    begin, end = middles[0], middles[-1]
    return bool(left - right > _MIN_WAVE and left > begin + _MIN_FALL and right < end - _MIN_FALL)


def _is_tilde(outline: Outline) -> bool:
    width, height = _size(outline)
    columns = outline.columns
    is_low = width > _WAVE_WIDTH * height and width > _MIN_WAVE_WIDTH and outline.contours == 1
    return is_low and all(len(spans) == 1 for spans in columns) and _is_wave(columns, 0)


def _is_approximately(outline: Outline) -> bool:
    columns = outline.columns
    is_double = outline.contours == 2 and all(len(spans) == 2 for spans in columns)
    return is_double and _is_wave(columns, 0) and _is_wave(columns, 1)


def _is_degree(outline: Outline) -> bool:
    width, height = _size(outline)
    rows = outline.rows
    is_ring = outline.contours == 2 and len(rows[len(rows) // 2]) == 2 and _is_mirrored(outline)
    return is_ring and _is_between(width / height, _ROUND) and width < _MAX_RING and outline.box[1] > _RAISED


def _is_stop(outline: Outline) -> bool:
    width, height = _size(outline)
    is_dot = outline.contours == 1 and all(len(spans) == 1 for spans in outline.rows) and _is_square(outline)
    return is_dot and max(width, height) < _MAX_DOT and abs(outline.box[1]) < _ON_BASELINE


def _is_prime(outline: Outline) -> bool:
    width, height = _size(outline)
    rows = outline.rows
    is_stroke = outline.contours == 1 and all(len(spans) == 1 for spans in rows)
    if not is_stroke or not _is_between(width / height, _PRIME_WIDTH):
        return False
    return height < _MAX_PRIME and outline.box[1] > _RAISED and rows[2][0][0] < rows[-3][0][0] - _MIN_SLANT


def _bulge(outline: Outline) -> float:
    """How far the middle of a thin upright stroke is right of its ends, as a share of its width; 0 for other shapes."""
    width, height = _size(outline)
    rows = outline.rows
    is_stroke = outline.contours == 1 and all(len(spans) == 1 for spans in rows)
    if not is_stroke or height < _MIN_BRACKET or width > _BRACKET_WIDTH * height:
        return 0.0
    middles = [(spans[0][0] + spans[0][1]) / 2 for spans in rows]
    middle = float(np.mean(middles[len(rows) // 2 - 2 : len(rows) // 2 + 2]))
    if not _alike(rows[2:-2], rows[2:-2][::-1]):
        return 0.0
    return middle - (middles[1] + middles[-2]) / 2


def _is_arrow(outline: Outline) -> bool:
    width, height = _size(outline)
    columns = outline.columns
    upside_down = [[(1 - b, 1 - a) for a, b in reversed(spans)] for spans in columns]
    if width < _ARROW_WIDTH * height or not _alike(columns, upside_down):
        return False
    heights = [spans[-1][1] - spans[0][0] if spans else 0.0 for spans in columns]
    middle = len(columns) // 2
    return max(heights[:middle]) < _MAX_SHAFT and max(heights[middle:]) > _MIN_HEAD and heights[-1] < _MAX_POINT


def _is_mu(outline: Outline) -> bool:
    """Two strokes that are joined at the baseline, the left one going on below it."""
    left, bottom, right, top = outline.box
    bounds = (bottom, _MU_BOTTOM), (top, _MU_TOP), (right - left, _MU_WIDTH)
    if outline.contours != 1 or not all(_is_between(edge, limits) for edge, limits in bounds):
        return False
    rows = outline.rows
    base = -bottom / (top - bottom)
    middles = [(at + 0.5) / len(rows) for at in range(len(rows))]
    below = [spans for middle, spans in zip(middles, rows, strict=True) if middle < base - _BELOW_BASE]
    strokes = base + _ABOVE_BASE, _BELOW_TOP
    above = [spans for middle, spans in zip(middles, rows, strict=True) if _is_between(middle, strokes)]
    if len(below) < _MIN_STEM_LEVELS or len(above) < _MIN_STROKE_LEVELS:
        return False
    is_stem = all(len(spans) == 1 and spans[0][1] < _MAX_STEM for spans in below)
    return is_stem and all(len(spans) == 2 for spans in above) and above[0][0][0] <= above[-1][0][0] + _UPRIGHT


def _is_delta(outline: Outline) -> bool:
    rows = outline.rows
    if outline.contours != 2 or any(not spans for spans in rows):
        return False
    left, right = [spans[0][0] for spans in rows], [spans[-1][1] for spans in rows]
    is_hollow = _kind(rows[0]) == "f" and len(rows[len(rows) // 3]) == 2 and len(rows[-2]) == 1
    is_tip = abs(left[-1] + right[-1] - 1) < _TIP_CENTRED and right[-1] - left[-1] < _MAX_TIP
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
    "(": lambda outline: _bulge(outline) < -_MIN_BULGE,
    ")": lambda outline: _bulge(outline) > _MIN_BULGE,
    "→": _is_arrow,
    "μ": _is_mu,
    "Δ": _is_delta,
}
