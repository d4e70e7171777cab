"""Where pairs are in a plot of a layer, and the groups with a colour of their own; the other groups share a colour."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from desktop.jobs.lab.layers.embedding import EmbeddedPairs
from miner.lab.layers.layer_embedding import GroupedBy
from miner.libraries import NDArray, np

_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5195", "#8C510A")
"""Told apart by most people, also those who see few colours (Okabe and Ito; the last two are ours)."""
MAX_COLORS = len(_COLORS)


class ShownGroup(NamedTuple):
    """A group with one colour in the plot. text: for the legend. color: None for all that have none of their own."""

    text: str
    pairs: int
    color: str | None = None


class ColoredPairs(NamedTuple):
    """The colours of pairs. groups: by colour, the most frequent first, the rest and pairs without a group last.

    colors: the colour of each pair, as an index of `groups`.
    """

    groups: tuple[ShownGroup, ...]
    colors: NDArray[np.int64]


def unit_points(points: NDArray[Any]) -> NDArray[Any]:
    """The points scaled in proportion into a square from 0 to 1 with a margin; in its middle if all are equal."""
    low, high = points.min(0), points.max(0)
    extent = float((high - low).max())
    placed: NDArray[Any] = 0.5 + 0.94 * (points - (low + high) / 2) / (extent or 1.0)
    return placed


def colored_pairs(pairs: EmbeddedPairs, by: GroupedBy) -> ColoredPairs:
    """The colours of pairs by their categories, up to two together, by label or by relation."""

    names = pairs.names(by)
    counts = Counter(name for name in names if name)
    order = sorted(counts, key=lambda name: (-counts[name], name))
    own = order if len(order) <= MAX_COLORS else order[: MAX_COLORS - 1]
    groups = [ShownGroup(name, counts[name], color) for name, color in zip(own, _COLORS, strict=False)]
    places = {name: place for place, name in enumerate(own)}
    if rest := sum(counts[name] for name in order[len(own) :]):
        places |= dict.fromkeys(order[len(own) :], len(groups))
        groups.append(ShownGroup("others", rest))
    if without := names.count(""):
        places[""] = len(groups)
        groups.append(ShownGroup("none", without))
    return ColoredPairs(tuple(groups), np.array([places[name] for name in names], np.int64))
