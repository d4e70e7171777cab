"""Data maps: confidence, variability and correctness of training pairs (MSciNLI, appendix E)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from miner.lab.experiments.experiment import (
    Subset,
)
from miner.libraries import NDArray, np


@dataclass(frozen=True, slots=True)
class DataMap:
    """Training dynamics of n pairs, each array (n,).

    confidence: mean probability of the label over the epochs, 0.0 to 1.0. variability: its standard deviation, over
    all epochs, not a sample. correctness: share of the epochs in which the label was predicted.
    """

    confidence: NDArray[np.float64]
    variability: NDArray[np.float64]
    correctness: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.confidence)


def data_map(label_probabilities: NDArray[Any], correct: NDArray[np.bool_]) -> DataMap:
    """The map of pairs from the probability of their label after every epoch, (epochs, n), and whether it was right."""
    values = np.asarray(label_probabilities, np.float64)
    return DataMap(values.mean(0), values.std(0), np.asarray(correct, np.float64).mean(0))


def select_subset(data: DataMap, subset: Subset, share: float) -> NDArray[np.int64]:
    """Indices of the pairs of a subset, ascending: `share` of all, or, for WITHOUT_HARD, all but that share.

    Pairs that are equal stay in their order, so that the result is the same each time.
    """
    size = round(share * len(data))
    match subset:
        case Subset.EASY:
            chosen = np.argsort(-data.confidence, kind="stable")[:size]
        case Subset.HARD:
            chosen = np.argsort(data.confidence, kind="stable")[:size]
        case Subset.AMBIGUOUS:
            chosen = np.argsort(-data.variability, kind="stable")[:size]
        case Subset.WITHOUT_HARD:
            chosen = np.argsort(data.confidence, kind="stable")[size:]
    return np.sort(chosen)
