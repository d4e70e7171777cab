"""Figures of an experiment as SVG for a paper: bars, lines and heat maps. The same values give the same bytes.

They stand on white, so that they are read on a dark page and in print as on a light one; what colours say is said by
numbers or marks, too. Text falls back to the reader's sans-serif font.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import NamedTuple

from miner.colors import INK, LINE, SCALE, WHITE, mixed
from miner.lab.svg import document, px, rectangle, text, upright

_BAR, _QUIET = SCALE[2], "#63615B"
_SERIES = (SCALE[2], SCALE[0], "#00796B", "#B3264A", "#3F7FBF", _QUIET)
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "12 4")
_FONT = "Arial, Helvetica, sans-serif"
_CHANCE = f'stroke="{_QUIET}" stroke-dasharray="1 3"'
_LETTER = 6.6  # width of a letter, about, in pixels
_ROW, _MARGIN, _TITLE = 26, 16, 34
_MAX_NAME = 46  # letters of a row's name
_DIGITS = 1


class Bar(NamedTuple):
    """A row of a bar chart, in percent."""

    name: str
    mean: float
    sd: float | None = None


class Line(NamedTuple):
    """A line of a learning curve; points without a value are left out."""

    name: str
    points: tuple[Bar | None, ...]


class HeatCell(NamedTuple):
    """A cell of a heat map. share: how dark it is, 0.0 to 1.0. note: a second line, small."""

    text: str
    share: float
    note: str = ""
    is_framed: bool = False


def bar_chart(title: str, bars: Sequence[Bar], axis: str) -> str:
    """Horizontal bars from 0 to 100 with their standard deviation and number."""
    left = _MARGIN + _name_width([bar.name for bar in bars]) + 10
    across, right = 380, 96
    width, bottom = left + across + right, _TITLE + _ROW * len(bars) + 6
    lines = list(_grid(left, across, _TITLE, bottom, axis))
    for place, bar in enumerate(bars):
        y = _TITLE + _ROW * place + 6
        end = left + across * _share(bar.mean)
        lines.append(text(left - 10, y + 14, _shortened(bar.name), "end"))
        lines.append(rectangle(left, y, end - left, _ROW - 8, _BAR))
        number, edge = f"{bar.mean:.{_DIGITS}f}", end
        if bar.sd is not None:
            low, high = (left + across * _share(bar.mean + sign * bar.sd) for sign in (-1, 1))
            middle = y + (_ROW - 8) / 2
            lines.append(_whisker(f"M{px(low)} {px(middle)}H{px(high)}", WHITE, 3.5))
            caps = f"M{px(low)} {px(middle - 4)}v8M{px(high)} {px(middle - 4)}v8"
            lines.append(_whisker(f"M{px(low)} {px(middle)}H{px(high)}{caps}", INK, 1.2))
            number, edge = f"{number} ± {bar.sd:.{_DIGITS}f}", high
        lines.append(text(max(edge, end) + 7, y + 14, number))
    return _document(title, width, bottom + 46, lines)


def learning_curve(title: str, sizes: Sequence[str], curves: Sequence[Line], axis: str) -> str:
    """Scores in percent by the number of pairs to learn from, on a logarithmic axis, with standard deviations."""
    curves = [line for line in curves if any(line.points)]
    left, across, down = 62, 420, 260
    bottom = _TITLE + down
    numbers = [float(size.replace(",", "")) for size in sizes]
    widest = log(numbers[-1] / numbers[0]) if len(numbers) > 1 else 1.0
    places = [left + 16 + (across - 32) * log(number / numbers[0]) / (widest or 1.0) for number in numbers]
    there = [point for line in curves for point in line.points if point is not None]
    low = max(0.0, min(90.0, 10 * (min((point.mean - (point.sd or 0) for point in there), default=0) // 10)))
    high = min(100.0, 10 * (max((point.mean + (point.sd or 0) for point in there), default=90) // 10 + 1))
    lines = []

    def y_of(value: float) -> float:
        return bottom - down * (min(high, max(low, value)) - low) / (high - low)

    step = 10 if high - low > 20 else 5
    for tick in range(int(low), int(high) + 1, step):
        lines.append(f'<path d="M{left} {px(y_of(tick))}H{left + across}" stroke="{LINE}"/>')
        lines.append(text(left - 8, y_of(tick) + 4, str(tick), "end", _QUIET))
    lines += [text(place, bottom + 18, size, "middle", _QUIET) for place, size in zip(places, sizes, strict=True)]
    lines.append(text(left + across / 2, bottom + 38, "pairs to learn from", "middle"))
    lines.append(upright(18, _TITLE + down / 2, axis))
    at = left + across + 24
    for number, line in enumerate(curves):
        dots = [(x, point) for x, point in zip(places, line.points, strict=True) if point is not None]
        lines.append(_polyline([(x, y_of(dot.mean)) for x, dot in dots], _stroke(number)))
        color = _SERIES[number % len(_SERIES)]
        for x, dot in dots:
            if dot.sd is not None:
                highest, lowest = px(y_of(dot.mean + dot.sd)), px(y_of(dot.mean - dot.sd))
                path = f"M{px(x)} {highest}V{lowest}M{px(x - 4)} {highest}h8M{px(x - 4)} {lowest}h8"
                lines.append(_whisker(path, color, 1.2))
            lines.append(_marker(number, x, y_of(dot.mean), color))
        lines += _key(at, number, line.name, _stroke(number), _marker(number, at + 13, _key_height(number), color))
    width = at + 34 + _name_width([line.name for line in curves]) + _MARGIN
    return _document(title, width, max(bottom + 54, _TITLE + 20 * len(curves) + 20), lines)


def precision_recall_chart(
    title: str, recalls: Sequence[float], lines: Sequence[tuple[str, Sequence[float]]], share: float
) -> str:
    """Precision by recall, both 0.0 to 1.0, of several systems. share: of positives, which random scores have."""
    left, across, down = 62, 360, 260
    bottom = _TITLE + down
    parts = []
    for tick in range(0, 101, 20):
        x, y = left + across * tick / 100, bottom - down * tick / 100
        parts.append(f'<path d="M{left} {px(y)}H{left + across}M{px(x)} {_TITLE}V{bottom}" stroke="{LINE}"/>')
        parts.append(text(left - 8, y + 4, str(tick), "end", _QUIET))
        parts.append(text(x, bottom + 18, str(tick), "middle", _QUIET))
    parts.append(text(left + across / 2, bottom + 38, "recall in percent", "middle"))
    parts.append(upright(18, _TITLE + down / 2, "precision in percent"))
    chance = bottom - down * share
    parts.append(f'<path d="M{left} {px(chance)}H{left + across}" {_CHANCE}/>')
    at = left + across + 24
    for number, (name, precisions) in enumerate(lines):
        points = zip(recalls, precisions, strict=True)
        places = [(left + across * recall, bottom - down * precision) for recall, precision in points]
        parts += [_polyline(places, _stroke(number)), *_key(at, number, name, _stroke(number))]
    by_chance = f"by chance, {100 * share:.0f} %"
    parts += _key(at, len(lines), by_chance, _CHANCE)
    width = at + 34 + _name_width([by_chance, *(name for name, _ in lines)]) + _MARGIN
    return _document(title, width, bottom + 54, parts)


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[HeatCell | None]],
    row_axis: str,
    column_axis: str,
    note: str = "",
) -> str:
    """A matrix whose darker cells have more, each with its number; framed ones are in their domain."""
    left = _MARGIN + 22 + _name_width(rows) + 10
    wide = max(78, *(int(_LETTER * len(_shortened(column, 24))) + 14 for column in columns))
    high = 40
    top = _TITLE + 44
    width, bottom = left + wide * len(columns) + _MARGIN, top + high * len(rows)
    lines = [text(left + wide * len(columns) / 2, _TITLE + 14, column_axis, "middle")]
    lines.append(upright(22, top + high * len(rows) / 2, row_axis))
    for place, column in enumerate(columns):
        lines.append(text(left + wide * (place + 0.5), top - 9, _shortened(column, 24), "middle", _QUIET))
    frames = []
    for row, (name, values) in enumerate(zip(rows, cells, strict=True)):
        y = top + high * row
        lines.append(text(left - 10, y + high / 2 + 4, _shortened(name), "end", _QUIET))
        for place, cell in enumerate(values):
            x = left + wide * place
            if cell is None:
                lines.append(rectangle(x, y, wide, high, "#F3F2EE"))
                lines.append(text(x + wide / 2, y + high / 2 + 4, "–", "middle", _QUIET))
                continue
            ink = WHITE if cell.share > 0.65 else INK
            lines.append(rectangle(x, y, wide, high, mixed(WHITE, _BAR, min(1.0, max(0.0, cell.share)))))
            lines.append(text(x + wide / 2, y + high / 2 + (-2 if cell.note else 4), cell.text, "middle", ink))
            if cell.note:
                lines.append(text(x + wide / 2, y + high / 2 + 13, cell.note, "middle", ink, size=10))
            if cell.is_framed:
                frames.append(
                    f'<rect x="{px(x + 2)}" y="{px(y + 2)}" width="{wide - 4}" height="{high - 4}" fill="none" '
                    f'stroke="{INK}" stroke-width="2.5"/>'
                )
    lines += frames
    if note:
        lines.append(text(_MARGIN, bottom + 24, note, "start", _QUIET, size=11))
    width = max(width, _MARGIN * 2 + int(6.1 * len(note)))
    return _document(title, width, bottom + (40 if note else 16), lines)


def _grid(left: float, across: float, top: float, bottom: float, axis: str) -> Iterator[str]:
    for tick in range(0, 101, 20):
        x = left + across * tick / 100
        yield f'<path d="M{px(x)} {top}V{bottom}" stroke="{LINE}"/>'
        yield text(x, bottom + 17, str(tick), "middle", _QUIET)
    yield text(left + across / 2, bottom + 36, axis, "middle")


def _polyline(places: Iterable[tuple[float, float]], stroke: str) -> str:
    path = " ".join(f"{'L' if number else 'M'}{px(x)} {px(y)}" for number, (x, y) in enumerate(places))
    return f'<path d="{path}" fill="none" {stroke}/>'


def _stroke(number: int) -> str:
    """The attributes of the line of a series: colour, width and dashes."""
    dash = _DASHES[number % len(_DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="{_SERIES[number % len(_SERIES)]}" stroke-width="2"{dashed}'


def _key(at: int, row: int, name: str, stroke: str, *marker: str) -> list[str]:
    """A row of the legend beside lines."""
    y = _key_height(row)
    return [f'<path d="M{at} {y}h26" {stroke}/>', *marker, text(at + 34, y + 4, _shortened(name))]


def _key_height(row: int) -> int:
    return _TITLE + 10 + 20 * row


def _document(title: str, width: float, height: float, shapes: Sequence[str]) -> str:
    across, down = max(int(width), _MARGIN * 2 + int(7.4 * len(title))), int(height)
    heading = text(_MARGIN, 22, title, size=13, bold=True)
    body = [rectangle(0, 0, across, down, WHITE), heading, *shapes]
    return "".join(f"{line}\n" for line in document(title, across, down, body, _FONT))


def _whisker(path: str, color: str, width: float) -> str:
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>'


def _marker(number: int, x: float, y: float, color: str) -> str:
    """A circle, a square, a diamond or a triangle."""
    match number % 4:
        case 0:
            return f'<circle cx="{px(x)}" cy="{px(y)}" r="4" fill="{color}"/>'
        case 1:
            return rectangle(x - 3.5, y - 3.5, 7, 7, color)
        case 2:
            return f'<path d="M{px(x)} {px(y - 5)}l5 5l-5 5l-5 -5z" fill="{color}"/>'
        case _:
            return f'<path d="M{px(x)} {px(y - 5)}l5 9h-10z" fill="{color}"/>'


def _share(percent: float) -> float:
    return min(1.0, max(0.0, percent / 100))


def _name_width(names: Sequence[str]) -> int:
    return int(_LETTER * max((len(_shortened(name)) for name in names), default=0))


def _shortened(text: str, most: int = _MAX_NAME) -> str:
    """The text, without its middle if it is too long: names often differ at their end."""
    return text if len(text) <= most else f"{text[: most // 2].rstrip()} … {text[-(most // 2 - 3) :].lstrip()}"
