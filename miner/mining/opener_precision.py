"""How often an opener would announce each relation, by a model's probabilities and by people's answers.

A model that is shown pairs without their phrase is torn between the relations, also where people are not: the mean
probability of "contrasting" over pairs with "However" is no more than .67. So the shares of the relations are solved
for: the mean probabilities of an opener's pairs are taken as a mixture of the mean probabilities of known linked and
neutral pairs of each class (adjusted count by probabilities: Bella et al., Quantification via Probability Estimators,
ICDM 2010).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from miner.libraries import NDArray, np
from miner.records import Label
from miner.statistics import Interval, wilson

LINKED = (Label.CONTRASTING, Label.REASONING, Label.ENTAILMENT)
_CLASSES = (*LINKED, Label.NEUTRAL)
_PRIOR_PAIRS = 10  # how many pairs the mean of all openers counts for
_MOST_TRUST = 0.9  # estimates end here: known pairs, which stand for their class, are not all right either


class ExpectedPrecision(NamedTuple):
    """The expected share, 0.0 to 1.0, of an opener's pairs that have the relation `label`, with its 95 % interval."""

    label: Label
    share: float
    interval: Interval


class PrecisionEstimator:
    """Estimates the shares of relations among pairs from a model's probabilities.

    known: for each class, in the order of `LABELS`, the probabilities of known pairs of this class, (pairs, 4), at
    least one each. others: the probabilities of the pairs of all openers, towards whose mean every opener is drawn.
    """

    def __init__(self, known: list[NDArray[Any]], others: NDArray[Any]) -> None:
        means = np.array([np.asarray(of_class, np.float64).mean(0) for of_class in known])
        self._weights = np.linalg.pinv(means)  # (4 probabilities, 4 classes): each column gives a class's share
        self._mean = np.clip((np.asarray(others, np.float64) @ self._weights).mean(0), 0.0, _MOST_TRUST)

    def estimate(
        self, probabilities: NDArray[Any], right: dict[Label, int] | None = None, answered: int = 0
    ) -> ExpectedPrecision:
        """The relation of pairs with these probabilities, (pairs, 4), that is most probable.

        right: how many of `answered` pairs of the same opener have this relation by people's answers. They count in
        full beside the estimate.
        """
        pairs = len(probabilities)
        shares = np.asarray(probabilities, np.float64) @ self._weights  # of each pair: 1 or so for its own class
        found = []
        for place, label in enumerate(LINKED):
            raw = float(np.clip(shares[:, place].mean(), 0.0, _MOST_TRUST))
            share = (pairs * raw + _PRIOR_PAIRS * self._mean[place]) / (pairs + _PRIOR_PAIRS)
            counts = _effective_pairs(share, shares[:, place], pairs + _PRIOR_PAIRS)
            hits = share * counts + (right or {}).get(label, 0)
            counts += answered
            found.append(ExpectedPrecision(label, hits / counts, wilson(hits, counts)))
        return max(found, key=lambda one: one.interval.low)


def _effective_pairs(share: float, shares: NDArray[np.float64], most: int) -> float:
    """How many answered pairs tell as much of the share as these estimates, at least 1 and at most `most`."""
    variance = float(shares.var(ddof=1)) / len(shares) if len(shares) > 1 else 1.0
    return float(np.clip(share * (1 - share) / max(variance, 1e-9), 1.0, most))
