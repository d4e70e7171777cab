"""The confidence from which on a model's suggestions are wrong no more often than people allow, with a guarantee.

Each confidence is a hypothesis, "of the suggestions with at least as much, more are wrong", which is tested by held-out
pairs. The tests come in an order that the answers have no part in, the most promising first by the model's own
confidence, and end with the first one that fails: so their number costs nothing. Sources: Geifman and El-Yaniv,
Selective Classification for Deep Neural Networks (NeurIPS 2017), section 3; Angelopoulos, Bates, Candès, Jordan and
Lei, Learn then Test (2021), section 2.3 (fixed sequence testing, p-values of the binomial distribution).
"""

from __future__ import annotations

from math import ceil, log
from typing import Any, NamedTuple

from miner.libraries import NDArray, np

RISK = 0.1
"""How often, at most, the promise fails, over the draws of held-out pairs."""
_LEAST_PERCENT = 25


class SafeConfidence(NamedTuple):
    """A confidence in percent. Of the held-out pairs with at least as much, `wrong` of `pairs` were wrong."""

    percent: int
    pairs: int
    wrong: int


def least_pairs(most_wrong: float, risk: float = RISK) -> int:
    """How many held-out pairs, all of them right, promise that at most a share `most_wrong` is wrong."""
    return ceil(log(risk) / log(1 - most_wrong) - 1e-9)


def safe_confidence(
    confidences: NDArray[Any], is_right: NDArray[Any], most_wrong: float, risk: float = RISK
) -> SafeConfidence | None:
    """The lowest confidence for which at most a share `most_wrong` of the suggestions is wrong, by held-out pairs.

    None if there is no such confidence. The promise fails in at most a share `risk` of all draws of held-out pairs, for
    suggestions that are drawn like them.
    """
    confidences, wrong = np.asarray(confidences, np.float64), ~np.asarray(is_right, bool)
    percents = np.arange(_LEAST_PERCENT, 101)
    is_accepted = 100 * confidences[None, :] >= percents[:, None] - 1e-6
    enough = is_accepted.sum(1) >= least_pairs(most_wrong, risk)
    percents, is_accepted = percents[enough], is_accepted[enough]
    pairs, errors = is_accepted.sum(1), (is_accepted & wrong).sum(1)
    expected = (is_accepted * (1 - confidences)).sum(1)
    found = None
    p_values = _chance_of_so_few(errors, pairs, most_wrong)
    for place in np.argsort(_chance_of_so_few(expected, pairs, most_wrong), kind="stable"):
        if p_values[place] > risk:
            break
        if found is None or percents[place] < found.percent:
            found = SafeConfidence(int(percents[place]), int(pairs[place]), int(errors[place]))
    return found


def _chance_of_so_few(wrong: NDArray[Any], pairs: NDArray[Any], share: float) -> NDArray[np.float64]:
    """The binomial probability that at most `wrong` of `pairs` are wrong, if a share is; between whole numbers too."""
    from scipy.special import betainc

    right = pairs - np.asarray(wrong, np.float64)
    return np.where(right > 0, betainc(np.maximum(right, 1e-9), wrong + 1, 1 - share), 1.0)
