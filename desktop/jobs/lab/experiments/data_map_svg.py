"""A data map as an SVG figure for a paper, as MSciNLI's Figure 1: the same map gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from miner.libraries import np

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.experiment_map import ExperimentMap

MAX_POINTS = 25_000
_WIDTH, _HEIGHT = 640, 480  # of the figure, in pixels
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 150, 16, 56  # around the area of the points
_DOT = 2.4
_WRONG, _BETWEEN, _RIGHT_COLOR = (176, 122, 0), (150, 148, 142), (70, 54, 160)  # always wrong, to always right
_INK, _LINE = "#1E1E1C", "#DEDCD5"
_STEP = 0.1  # between ticks of variability


def svg_map(found: ExperimentMap) -> Iterator[str]:
    """The lines of the figure; with more than `MAX_POINTS` pairs it shows a sample, and says so."""

    data = found.data
    places = np.arange(len(data))
    if len(data) > MAX_POINTS:
        places = np.sort(np.random.default_rng(0).permutation(len(data))[:MAX_POINTS])
    widest = max(_STEP, float(np.ceil(data.variability.max() / _STEP) * _STEP))
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    x = (_LEFT + data.variability[places] / widest * across).round(1)
    y = (_TOP + (1 - data.confidence[places]) * down).round(1)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12" fill="{_INK}">'
    )
    yield f"<title>{escape(f'Data map of {found.set}: {found.system}, {found.epochs} epochs')}</title>"
    yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#FFFFFF"/>'
    yield from _axes(widest)
    correct = (data.correctness[places] * found.epochs).round().astype(int)
    counts = np.bincount(correct, minlength=found.epochs + 1)
    for number in sorted(range(found.epochs + 1), key=lambda number: -counts[number]):
        if counts[number]:
            dots = " ".join(
                f"M{a} {b}h.1"
                for a, b in zip(x[correct == number].tolist(), y[correct == number].tolist(), strict=True)
            )
            yield (
                f'<path d="{dots}" stroke="{_color(number / found.epochs)}" stroke-width="{_DOT}" '
                'stroke-linecap="round" stroke-opacity="0.85"/>'
            )
    yield from _legend(found, len(places))
    yield "</svg>"


def _axes(widest: float) -> Iterator[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    yield f'<g stroke="{_LINE}">'
    for share in range(6):
        y = _TOP + (1 - share / 5) * (bottom - _TOP)
        yield f'<path d="M{_LEFT} {y:.1f}H{right}"/>'
    yield "</g>"
    for share in range(6):
        y = _TOP + (1 - share / 5) * (bottom - _TOP)
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{share / 5:.1f}</text>'
    steps = round(widest / _STEP)
    for step in range(steps + 1):
        x = _LEFT + step / steps * (right - _LEFT)
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{step * _STEP:.1f}</text>'
    middle = (_LEFT + right) / 2
    yield f'<text x="{middle}" y="{bottom + 40}" text-anchor="middle">variability</text>'
    at = (_TOP + bottom) / 2
    yield f'<text transform="translate(16 {at}) rotate(-90)" text-anchor="middle">confidence</text>'


def _legend(found: ExperimentMap, shown: int) -> Iterator[str]:
    left, top = _WIDTH - _RIGHT + 20, _TOP + 12
    yield f'<text x="{left}" y="{top}">correctness</text>'
    for row, number in enumerate(range(found.epochs, -1, -1)):
        y = top + 20 + 18 * row
        word = {0: " (never)", found.epochs: " (always)"}.get(number, "")
        yield f'<circle cx="{left + 5}" cy="{y - 4}" r="4.5" fill="{_color(number / found.epochs)}"/>'
        yield f'<text x="{left + 16}" y="{y}">{number / found.epochs:.2g}{word}</text>'
    y = top + 20 + 18 * (found.epochs + 1) + 10
    pairs = f"{shown:,} of {len(found):,} pairs" if shown < len(found) else f"{shown:,} pairs"
    yield f'<text x="{left}" y="{y}">{pairs}</text>'


def _color(share: float) -> str:
    """The colour of a correctness from 0.0 to 1.0."""
    low, high, part = (_WRONG, _BETWEEN, share * 2) if share < 0.5 else (_BETWEEN, _RIGHT_COLOR, share * 2 - 1)
    return "#" + "".join(f"{round(a + (b - a) * part):02X}" for a, b in zip(low, high, strict=True))
