"""Sets of classes that hold the true one as often as people choose (split conformal prediction).

Each class has a threshold of its own, from held-out pairs of that class, so that the promise holds for every class
(class-conditional, or Mondrian). A class is in a pair's set if its probability is high enough: of all such sets these
are the smallest on average. The promise holds for pairs like the held-out ones. Source: Angelopoulos and Bates,
Conformal Prediction: A Gentle Introduction (Foundations and Trends in Machine Learning 16, 2023), sections 1 and 2.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from miner.libraries import NDArray, np


def least_held_out(error: float) -> int:
    """How many held-out pairs a class needs, so that it is ever left out of a set at this error, 0.0 to 1.0."""
    return ceil(1 / error) - 1


def least_probabilities(probabilities: NDArray[Any], labels: NDArray[Any], error: float) -> tuple[float, ...]:
    """The probability from which on each class is in the set, (classes,), so that it misses at most `error` of its own.

    0.0, which is always in the set, for a class with fewer than `least_held_out` pairs. The k-th smallest probability
    of the true class, where k = floor((n + 1) error).
    """
    shares, labels = np.asarray(probabilities, np.float64), np.asarray(labels, np.int64)
    return tuple(_least(np.sort(shares[labels == number, number]), error) for number in range(shares.shape[1]))


def _least(ascending: NDArray[Any], error: float) -> float:
    place = int((len(ascending) + 1) * error + 1e-9)
    return float(ascending[place - 1]) if place else 0.0


def likely_classes(probabilities: Sequence[float], least: Sequence[float]) -> tuple[int, ...]:
    """The classes of a pair's set, the most probable first; it may be empty, or hold all classes."""
    found = [number for number, share in enumerate(probabilities) if share >= least[number]]
    return tuple(sorted(found, key=lambda number: -probabilities[number]))
