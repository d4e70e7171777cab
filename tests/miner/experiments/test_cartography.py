"""Data maps, against the formulas of MSciNLI's appendix E."""

from __future__ import annotations

import numpy as np
import pytest

from miner.experiments.cartography import data_map, select_subset
from miner.experiments.experiment import (
    Subset,
)

PROBABILITIES = np.array([[0.9, 0.1, 0.2, 0.5], [0.7, 0.1, 0.8, 0.5], [0.8, 0.4, 0.2, 0.5]])  # (epochs, pairs)
RIGHT = PROBABILITIES > 0.5


def test_the_map_is_mean_deviation_and_share_of_right_epochs() -> None:
    found = data_map(PROBABILITIES, RIGHT)
    assert found.confidence == pytest.approx([0.8, 0.2, 0.4, 0.5])
    assert found.variability == pytest.approx([np.sqrt(0.02 / 3), np.sqrt(0.06 / 3), np.sqrt(0.24 / 3), 0])
    assert found.correctness == pytest.approx([1, 0, 1 / 3, 0])
    assert len(found) == 4


@pytest.mark.parametrize(
    ("subset", "share", "expected"),
    [
        (Subset.EASY, 0.5, [0, 3]),
        (Subset.HARD, 0.5, [1, 2]),
        (Subset.AMBIGUOUS, 0.25, [2]),
        (Subset.WITHOUT_HARD, 0.25, [0, 2, 3]),
    ],
)
def test_subsets_are_the_ends_of_the_map(subset: Subset, share: float, expected: list[int]) -> None:
    assert select_subset(data_map(PROBABILITIES, RIGHT), subset, share).tolist() == expected
