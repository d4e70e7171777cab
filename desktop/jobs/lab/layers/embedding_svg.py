"""All layers of an embedding as one SVG figure, as TaxiNLI's Figure 7: the same embedding gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator

from desktop.jobs.lab.layers.embedding import KindsEmbedding
from desktop.jobs.lab.layers.groups_shown import colored_pairs, unit_points
from desktop.text import count
from miner.colors import LINE, WHITE
from miner.lab.layers.layer_embedding import GroupedBy
from miner.lab.svg import document, dots, legend, text

_REST = "#B9B7B0"
_COLUMNS, _SIZE, _GAP, _HEAD, _LEGEND = 4, 220, 16, 22, 210  # of the figure, in pixels
_DOT, _OPACITY = 2.6, 0.8


def svg_layers(found: KindsEmbedding, by: GroupedBy) -> Iterator[str]:
    """The lines of the figure: a plot for each layer, and a legend. by: what the colours stand for."""
    colored = colored_pairs(found.pairs, by)
    layers = found.layer_count
    columns = min(_COLUMNS, layers)
    rows = -(-layers // columns)
    width = columns * (_SIZE + _GAP) + _GAP + _LEGEND
    height = max(rows * (_SIZE + _HEAD + _GAP) + _GAP, 2 * _GAP + 18 * (len(colored.groups) + 3))

    def body() -> Iterator[str]:
        yield f'<rect width="{width}" height="{height}" fill="{WHITE}"/>'
        for layer in range(layers):
            left = _GAP + layer % columns * (_SIZE + _GAP)
            top = _GAP + layer // columns * (_SIZE + _HEAD + _GAP)
            yield text(left, top + 12, "word embeddings" if layer == 0 else f"layer {layer}")
            yield f'<g transform="translate({left} {top + _HEAD})">'
            yield f'<rect width="{_SIZE}" height="{_SIZE}" fill="none" stroke="{LINE}"/>'
            points = unit_points(found.layers.points[layer]) * _SIZE
            for place, group in reversed(list(enumerate(colored.groups))):  # the rest lies below
                chosen = points[colored.colors == place].round(1).tolist()
                yield dots(chosen, group.color or _REST, _DOT, _OPACITY)
            yield "</g>"
        entries = ((group.color or _REST, f"{group.text} ({group.pairs:,})") for group in colored.groups)
        yield from legend(width - _LEGEND, _GAP + 12, by, entries, count(len(found.pairs), "pair"))

    return document(f"{found.model} by layer, colours by {by}", width, height, body())
