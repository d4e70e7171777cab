"""The groups of pairs that have a colour of their own in a plot: the most frequent ones; the others share a colour."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from desktop.jobs.lab.layers.embedding import EmbeddedPairs
from miner.lab.layers.layer_embedding import GroupedBy
from miner.libraries import NDArray, np

MAX_COLORS = 8


class ShownGroup(NamedTuple):
    """A group with one colour in the plot.

    text: for the legend. is_rest: the group of all that have no colour of their own.
    """

    text: str
    pairs: int
    is_rest: bool = False


class ColoredPairs(NamedTuple):
    """The colours of pairs. groups: by colour, the most frequent first, the rest and pairs without a group last.

    colors: the colour of each pair, as an index of `groups`.
    """

    groups: tuple[ShownGroup, ...]
    colors: NDArray[np.int64]


def colored_pairs(pairs: EmbeddedPairs, by: GroupedBy) -> ColoredPairs:
    """The colours of pairs by their categories, up to two together, by label or by relation."""

    names = pairs.names(by)
    counts = Counter(name for name in names if name)
    order = sorted(counts, key=lambda name: (-counts[name], name))
    own = order if len(order) <= MAX_COLORS else order[: MAX_COLORS - 1]
    groups = [ShownGroup(name, counts[name]) for name in own]
    places = {name: place for place, name in enumerate(own)}
    if rest := sum(counts[name] for name in order[len(own) :]):
        places |= dict.fromkeys(order[len(own) :], len(groups))
        groups.append(ShownGroup("others", rest, is_rest=True))
    if without := names.count(""):
        places[""] = len(groups)
        groups.append(ShownGroup("none", without, is_rest=True))
    return ColoredPairs(tuple(groups), np.array([places[name] for name in names], np.int64))
