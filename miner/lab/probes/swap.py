"""What changes when premise and hypothesis are exchanged: whether a model sees direction at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from miner.libraries import NDArray, np
from miner.statistics import Interval, wilson


class SwapEffect(NamedTuple):
    """The share of a class's pairs whose predicted class changes, with its 95 % interval (Wilson).

    moved: mean absolute change of the probability of the pair's own class. confidence: its mean before and after.
    """

    label: str
    pairs: int
    changed: float
    interval: Interval
    moved: float
    confidence: tuple[float, float]


def swap_effects(
    before: NDArray[Any], after: NDArray[Any], labels: NDArray[Any], names: Sequence[str]
) -> list[SwapEffect]:
    """The effects by class, and of all pairs last, under "all".

    before, after: probabilities, (pairs, classes), of the pairs and of their swaps. labels: (pairs,), indices.
    """

    truth = np.asarray(labels)
    changed = np.argmax(before, 1) != np.argmax(after, 1)
    places = np.arange(len(truth))
    own = np.asarray(before, np.float64)[places, truth], np.asarray(after, np.float64)[places, truth]
    found = []
    for name, among in [
        *((name, truth == number) for number, name in enumerate(names)),
        ("all", np.ones(len(truth), bool)),
    ]:
        pairs = int(among.sum())
        if not pairs:
            continue
        moved = int(changed[among].sum())
        first, second = own[0][among], own[1][among]
        found.append(
            SwapEffect(
                name,
                pairs,
                moved / pairs,
                wilson(moved, pairs),
                float(np.abs(first - second).mean()),
                (float(first.mean()), float(second.mean())),
            )
        )
    return found
