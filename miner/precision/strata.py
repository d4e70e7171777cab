"""Strata of pairs for estimates of the distant labels' precision, and how likely each label is to be right."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import NamedTuple

from miner.label_precision import PUBLISHED_PRECISION
from miner.libraries import np
from miner.records import Label

LABELS = tuple(Label)
_PERCENT_BOUNDS = (20, 50, 80, 95)
_UNKNOWN = len(_PERCENT_BOUNDS) + 1  # the band of pairs without a prediction
BANDS = len(_PERCENT_BOUNDS) + 2
STRATA = len(LABELS) * BANDS
_LEAST_PERCENT, _MOST_PERCENT = 0.5, 99.5  # no model is surer of a label than that


class LabelGroup(NamedTuple):
    """How many pairs are alike in all of this. label: the distant one. phrase: "" for none.

    percent: the probability of the distant label by a model that has not learned it, 0 to 100; None if there is none.
    """

    label: Label
    domain: str
    phrase: str
    percent: int | None
    pairs: int


@cache
def stratum_of(label: Label, percent: int | None) -> int:
    """The stratum of a pair, 0 to `STRATA` - 1: strata of a class stand beside each other, the most doubtful first."""
    band = _UNKNOWN if percent is None else bisect_right(_PERCENT_BOUNDS, percent)
    return LABELS.index(label) * BANDS + band


@cache
def right_probability(label: Label, percent: int | None) -> float:
    """How likely the distant label is to be right: the other side of `doubt`, for a model that was taught all alike.

    The model has not seen the distant label, which is evidence of its own. Errors are taken to fall evenly on the other
    classes.
    """
    prior = PUBLISHED_PRECISION[label]
    if percent is None:
        return prior
    from miner.classifier.doubt import doubt  # most commands load nothing of the classifier

    own = min(max(percent, _LEAST_PERCENT), _MOST_PERCENT) / 100
    other = (1 - own) / (len(LABELS) - 1)
    probabilities = np.array([[own if one is label else other for one in LABELS]])
    return 1 - float(doubt(probabilities, np.array([LABELS.index(label)]), np.array([prior]))[0])
