"""A data map as an SVG figure for a paper, as MSciNLI's Figure 1: the same map gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from desktop.jobs.lab.experiments.map_axes import MapAxis, map_axes
from miner.colors import LINE, SCALE, WHITE, scale_color
from miner.lab.svg import document, dots, legend, text, upright
from miner.libraries import np

if TYPE_CHECKING:
    from desktop.jobs.lab.experiments.experiment_map import ExperimentMap

MAX_POINTS = 25_000
_WIDTH, _HEIGHT = 640, 480  # of the figure, in pixels
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 150, 16, 56  # around the area of the points
_ACROSS, _DOWN = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
_DOT, _OPACITY = 2.4, 0.85


def svg_map(found: ExperimentMap) -> Iterator[str]:
    """The lines of the figure; with more than `MAX_POINTS` pairs it shows a sample, and says so."""
    title = f"Data map of {found.set}: {found.system}, {found.epochs} epochs"
    return document(title, _WIDTH, _HEIGHT, _body(found))


def _body(found: ExperimentMap) -> Iterator[str]:
    data, epochs = found.data, found.epochs
    places = np.arange(len(data))
    if len(data) > MAX_POINTS:
        places = np.sort(np.random.default_rng(0).permutation(len(data))[:MAX_POINTS])
    axes = map_axes(data)
    x = (_LEFT + data.variability[places] / axes[0].length * _ACROSS).round(1)
    y = (_TOP + (1 - data.confidence[places]) * _DOWN).round(1)
    yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{WHITE}"/>'
    yield from _axes(*axes)
    correct = (data.correctness[places] * epochs).round().astype(int)
    counts = np.bincount(correct, minlength=epochs + 1)
    for number in sorted(range(epochs + 1), key=lambda number: -counts[number]):
        if counts[number]:
            at = zip(x[correct == number].tolist(), y[correct == number].tolist(), strict=True)
            yield dots(at, scale_color(SCALE, number / epochs), _DOT, _OPACITY)
    words = {0: " (never)", epochs: " (always)"}
    entries = (
        (scale_color(SCALE, number / epochs), f"{number / epochs:.2g}{words.get(number, '')}")
        for number in range(epochs, -1, -1)
    )
    shown = f"{len(places):,} of {len(found):,} pairs" if len(places) < len(found) else f"{len(places):,} pairs"
    yield from legend(_LEFT + _ACROSS + 20, _TOP + 12, "correctness", entries, shown)


def _axes(across: MapAxis, upwards: MapAxis) -> Iterator[str]:
    bottom, right = _TOP + _DOWN, _LEFT + _ACROSS
    heights = [(_TOP + (1 - share) * _DOWN, words) for share, words in upwards.ticks]
    yield f'<g stroke="{LINE}">'
    for y, _ in heights:
        yield f'<path d="M{_LEFT} {y:.1f}H{right}"/>'
    yield "</g>"
    for y, words in heights:
        yield text(_LEFT - 8, f"{y + 4:.1f}", words, "end")
    for share, words in across.ticks:
        yield text(f"{_LEFT + share * _ACROSS:.1f}", bottom + 18, words, "middle")
    yield text(f"{(_LEFT + right) / 2}", bottom + 40, across.name, "middle")
    yield upright(16, f"{(_TOP + bottom) / 2}", upwards.name)
