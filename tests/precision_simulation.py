"""Simulates samples of pairs with known labels: how often an interval has the true share, and how wide it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from miner.libraries import NDArray
from miner.precision.estimates import AnswerArrays, StratumSizes, estimate_share, wilson_of
from miner.precision.sampling import allocate
from miner.precision.strata import LABELS, STRATA, LabelGroup, right_probability, stratum_of

_FOLDS = 5


class Population(NamedTuple):
    """Pairs as arrays: the distant label's number, the model's percent for it, and whether it is right."""

    label: NDArray[np.int64]
    percent: NDArray[np.int64]
    right: NDArray[np.bool_]


class Simulated(NamedTuple):
    """What many samples came to. covered: how many intervals have the true share; estimated: of how many samples.

    answers: the mean number. half_width, bias: means. plain: how many answers to a plain random sample have Wilson
    intervals of this width, as a mean.
    """

    covered: int
    estimated: int
    answers: float
    half_width: float
    bias: float
    plain: float

    @property
    def coverage(self) -> float:
        return self.covered / self.estimated

    @property
    def cost(self) -> float:
        """Answers, as a share of those to a plain random sample of the same width."""
        return self.answers / self.plain


def simulate(
    population: Population,
    sizes: Sequence[int],
    scopes: Mapping[str, NDArray[np.bool_]],
    *,
    draws: int,
    seed: int = 0,
) -> dict[tuple[str, int], Simulated]:
    """Estimates for each scope from the first answers of each size, over many draws with new random numbers."""
    keys, of_pair, counts = np.unique(
        population.label * 101 + population.percent, return_inverse=True, return_counts=True
    )
    groups = [
        LabelGroup(LABELS[key // 101], "", "", int(key % 101), int(n)) for key, n in zip(keys, counts, strict=True)
    ]
    stratum = np.array([stratum_of(group.label, group.percent) for group in groups])[of_pair]
    predicted = np.array([right_probability(group.label, group.percent) for group in groups])[of_pair]
    intensity = np.array(allocate(groups).strata)[stratum]
    held = {name: _sizes(stratum[scope], predicted[scope]) for name, scope in scopes.items()}
    found: dict[tuple[str, int], list[tuple[float, ...]]] = {}
    generator = np.random.default_rng(seed)
    for _ in range(draws):
        score = generator.random(len(stratum)) / intensity
        first = np.argpartition(score, max(sizes))[: max(sizes) + 1]
        first = first[np.argsort(score[first])]
        for size in sizes:
            sample, end = first[:size], score[first[size]]
            probability = np.minimum(1.0, end * intensity[sample])
            for name, scope in scopes.items():
                inside = scope[sample]
                pairs = sample[inside]
                answers = AnswerArrays(
                    stratum[pairs],
                    predicted[pairs],
                    1 / probability[inside],
                    population.right[pairs].astype(np.float64),
                    np.arange(len(pairs)) % _FOLDS,
                )
                estimate = estimate_share(held[name], answers)
                if estimate.share is not None and estimate.interval is not None:
                    row = (estimate.share, *estimate.interval, len(pairs))
                    found.setdefault((name, size), []).append(row)
    return {key: _summary(np.array(rows), population.right[scopes[key[0]]]) for key, rows in found.items()}


def _sizes(stratum: NDArray[Any], predicted: NDArray[Any]) -> StratumSizes:
    pairs = np.bincount(stratum, minlength=STRATA).astype(np.float64)
    return StratumSizes(pairs, np.bincount(stratum, predicted, STRATA) / np.maximum(pairs, 1))


def _summary(rows: NDArray[Any], right: NDArray[np.bool_]) -> Simulated:
    share, low, high, answers = rows.T
    truth = float(right.mean())
    half_width = float((high - low).mean() / 2)
    return Simulated(
        int(((low <= truth) & (truth <= high)).sum()),
        len(rows),
        float(answers.mean()),
        half_width,
        float(share.mean() - truth),
        _plain_answers(truth, half_width, len(right)),
    )


def _plain_answers(share: float, half_width: float, pairs: int) -> float:
    """How many answers to a plain random sample of so many pairs give Wilson intervals of this mean width.

    The width at the expected share is taken for the mean, and the sample may not be larger than allowed for by
    sampling without replacement.
    """
    low, high = 1.0, 1e6
    while high - low > 0.1:
        middle = (low + high) / 2
        interval = wilson_of(share, middle)
        low, high = (middle, high) if interval.high - interval.low > 2 * half_width else (low, middle)
    return high / (1 + high / pairs)  # without replacement
