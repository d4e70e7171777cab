"""Which pairs people answer, so that their answers speak for all pairs: sequential Poisson sampling.

Each pair has a permanent random number, and each draw gives it a probability to be in the sample: it is, if the number
is lower. Whoever answers the pairs in the order of number / probability, and stops at any time, has answered a sample
of the same kind. A later draw, with more papers or another model, keeps all pairs of the earlier ones.
Source: Ohlsson, Sequential Poisson Sampling (Journal of Official Statistics 14, 1998); Coordination of samples using
permanent random numbers (Business Survey Methods, Wiley 1995).
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from itertools import accumulate
from math import sqrt
from typing import NamedTuple

from miner.precision.strata import BANDS, LABELS, STRATA, LabelGroup, right_probability, stratum_of
from miner.records import Label

_CLASS_POWER = 0.5  # of a class's size: 1 is best for the estimate over all classes, 0 for those of single classes
_PROPORTIONAL_SHARE = 0.6  # of a class's answers that are drawn without regard to the model, which may be wrong
_MIN_CLASS_SHARE = 0.1  # of all answers, for each class that has pairs


def permanent_number(seed: int, key: str) -> float:
    """The random number of a pair, above 0 and below 1; the same at every draw with this seed."""
    digest = blake2b(f"{seed} {key}".encode(), digest_size=8).digest()
    return (int.from_bytes(digest) >> 12) / 2**52 + 2**-53


class Allocation(NamedTuple):
    """How likely pairs are to be drawn: times the size of a small sample, the probability. 0.0 where there are none.

    strata: by `stratum_of`. classes: by class, where a model has no say in which pairs people answer.
    """

    strata: tuple[float, ...]
    classes: tuple[float, ...]

    def intensity(self, label: Label, percent: int | None, *, by_model: bool) -> float:
        """That of a pair with this distant label and probability."""
        return self.strata[stratum_of(label, percent)] if by_model else self.classes[LABELS.index(label)]


def allocate(groups: Iterable[LabelGroup]) -> Allocation:
    """How to draw from these pairs.

    Within a class, most answers go where labels are hard to predict (Neyman's allocation by the standard deviation that
    the model expects). Classes have shares by their standard deviation and the root of their size, so that both single
    classes and all together can be estimated (power allocation).
    Source: Bankier, Power Allocations: Determining Sample Sizes for Subnational Areas (The American Statistician 42,
    1988).
    """
    sizes, variances = [0] * STRATA, [0.0] * STRATA
    for group in groups:
        stratum, right = stratum_of(group.label, group.percent), right_probability(group.label, group.percent)
        sizes[stratum] += group.pairs
        variances[stratum] += group.pairs * right * (1 - right)
    deviations = [sqrt(variance / size) if size else 0.0 for variance, size in zip(variances, sizes, strict=True)]
    blocks = [slice(number * BANDS, (number + 1) * BANDS) for number in range(len(LABELS))]
    pairs = [sum(sizes[block]) for block in blocks]
    expected = [sum(size * one for size, one in zip(sizes[b], deviations[b], strict=True)) for b in blocks]
    shares = _with_minimum(
        [total / size * size**_CLASS_POWER if size else 0.0 for total, size in zip(expected, pairs, strict=True)]
    )
    return Allocation(
        tuple(
            shares[place // BANDS]
            * (
                (1 - _PROPORTIONAL_SHARE) * deviations[place] / expected[place // BANDS]
                + _PROPORTIONAL_SHARE / pairs[place // BANDS]
            )
            if size
            else 0.0
            for place, size in enumerate(sizes)
        ),
        tuple(share / size if size else 0.0 for share, size in zip(shares, pairs, strict=True)),
    )


def _with_minimum(shares: list[float]) -> list[float]:
    """The shares, which then sum to 1, each at least the minimum (before that) if it is above 0."""
    total = sum(shares)
    raised = [max(share / total, _MIN_CLASS_SHARE) if share else 0.0 for share in shares]
    return [share / sum(raised) for share in raised] if total else shares


class Chance(NamedTuple):
    """How likely a pair was to be in the sample after a draw: the highest probability of this draw and those before."""

    draw: int
    probability: float


def chances(probabilities: Iterable[tuple[int, float]]) -> tuple[Chance, ...]:
    """The chances of a pair, from the probability that each draw gave it by itself."""
    ordered = sorted(probabilities)
    highest = accumulate((probability for _, probability in ordered), max)
    return tuple(Chance(draw, probability) for (draw, _), probability in zip(ordered, highest, strict=True))


class PrecisionPair(NamedTuple):
    """A pair of the sample. number: the permanent random one. chances: by the draws that could have drawn it, in order.

    label, domain, phrase, percent: as `LabelGroup` has them. is_right: whether its distant label is, by people's
    answers; None as long as there are none.
    """

    key: str
    label: Label
    domain: str
    phrase: str
    percent: int | None
    number: float
    chances: tuple[Chance, ...]
    is_right: bool | None

    @property
    def probability(self) -> float:
        """That of being in the sample."""
        return self.chances[-1].probability

    @property
    def place(self) -> float:
        """Where it comes in the order in which people answer, 0 to 1."""
        return self.number / self.probability


class CountedPair(NamedTuple):
    """A pair of the answered part of the sample, with its probability to be in it."""

    pair: PrecisionPair
    probability: float


def answered_part(sample: Iterable[PrecisionPair]) -> list[CountedPair]:
    """The pairs of each draw that were answered before any other pair of that draw was left out, in order.

    They are a sample themselves. What was answered after a pair that still waits is none: people may have left out the
    hard ones.
    """
    pairs = list(sample)
    ends: dict[int, float] = {}  # by draw: the place of its first pair that waits
    for pair in pairs:
        if pair.is_right is None:
            for draw, probability in pair.chances:
                ends[draw] = min(ends.get(draw, 1.0), pair.number / probability)
    found = []
    for pair in pairs:
        # It is answered in the part of a draw if its number is below this; so the highest counts.
        limit = max((probability * ends.get(draw, 1.0) for draw, probability in pair.chances), default=0.0)
        if pair.is_right is not None and pair.number < limit:
            found.append(CountedPair(pair, limit))
    return sorted(found, key=lambda one: (one.pair.number / one.probability, one.pair.key))
