"""All layers of an embedding as one SVG figure, as TaxiNLI's Figure 7: the same embedding gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from desktop.jobs.lab.layers.embedding import KindsEmbedding
from desktop.jobs.lab.layers.groups_shown import ColoredPairs, colored_pairs
from desktop.text import count
from miner.lab.layers.layer_embedding import GroupedBy
from miner.libraries import NDArray

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5195", "#8C510A")
"""Told apart by most people, also those who see few colours (Okabe and Ito; the last two are ours)."""
_REST = "#B9B7B0"
_COLUMNS, _SIZE, _GAP, _HEAD, _LEGEND = 4, 220, 16, 22, 210  # of the figure, in pixels
_INK, _LINE = "#1E1E1C", "#DEDCD5"
_DOT = 2.6


def svg_layers(found: KindsEmbedding, by: GroupedBy) -> Iterator[str]:
    """The lines of the figure: a plot for each layer, and a legend. by: what the colours stand for."""
    colored = colored_pairs(found.pairs, by)
    layers = found.layer_count
    columns = min(_COLUMNS, layers)
    rows = -(-layers // columns)
    width = columns * (_SIZE + _GAP) + _GAP + _LEGEND
    height = max(rows * (_SIZE + _HEAD + _GAP) + _GAP, 2 * _GAP + 18 * (len(colored.groups) + 3))
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12" fill="{_INK}">'
    )
    yield f"<title>{escape(f'{found.model} by layer, colours by {by}')}</title>"
    yield f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>'
    for layer in range(layers):
        left = _GAP + layer % columns * (_SIZE + _GAP)
        top = _GAP + layer // columns * (_SIZE + _HEAD + _GAP)
        yield f'<text x="{left}" y="{top + 12}">{"word embeddings" if layer == 0 else f"layer {layer}"}</text>'
        yield f'<g transform="translate({left} {top + _HEAD})">'
        yield f'<rect width="{_SIZE}" height="{_SIZE}" fill="none" stroke="{_LINE}"/>'
        yield from _dots(unit_points(found.layers.points[layer]) * _SIZE, colored)
        yield "</g>"
    yield from _legend(found, by, colored, columns * (_SIZE + _GAP) + _GAP)
    yield "</svg>"


def unit_points(points: NDArray[Any]) -> NDArray[Any]:
    """The points scaled in proportion into a square from 0 to 1 with a margin; in its middle if all are equal."""
    low, high = points.min(0), points.max(0)
    extent = float((high - low).max())
    placed: NDArray[Any] = 0.5 + 0.94 * (points - (low + high) / 2) / (extent or 1.0)
    return placed


def color_of(place: int, colored: ColoredPairs) -> str:
    """The colour of a group of the figure."""
    return _REST if colored.groups[place].is_rest else COLORS[place]


def _dots(points: NDArray[Any], colored: ColoredPairs) -> Iterator[str]:
    for place in reversed(range(len(colored.groups))):  # the rest lies below
        chosen = points[colored.colors == place].round(1).tolist()
        path = " ".join(f"M{x} {y}h.1" for x, y in chosen)
        yield (
            f'<path d="{path}" stroke="{color_of(place, colored)}" stroke-width="{_DOT}" stroke-linecap="round" '
            'stroke-opacity="0.8"/>'
        )


def _legend(found: KindsEmbedding, by: GroupedBy, colored: ColoredPairs, left: int) -> Iterator[str]:
    top = _GAP + 12
    yield f'<text x="{left}" y="{top}">{escape(by)}</text>'
    for row, group in enumerate(colored.groups):
        y = top + 20 + 18 * row
        yield f'<circle cx="{left + 5}" cy="{y - 4}" r="4.5" fill="{color_of(row, colored)}"/>'
        yield f'<text x="{left + 16}" y="{y}">{escape(f"{group.text} ({group.pairs:,})")}</text>'
    y = top + 30 + 18 * len(colored.groups)
    yield f'<text x="{left}" y="{y}">{count(len(found.pairs), "pair")}</text>'
