"""Data maps, against the formulas of MSciNLI's appendix E."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.lab.experiments.cartography import DataMap, data_map, select_subset
from miner.lab.experiments.experiment import (
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


_SHARES = st.floats(0, 1, width=32).map(lambda value: round(value, 3))
_MAPS = st.lists(st.tuples(_SHARES, _SHARES), min_size=1, max_size=60).map(
    lambda points: DataMap(*(np.array(column) for column in zip(*points, strict=True)), np.zeros(len(points)))
)


@given(_MAPS, st.sampled_from(Subset), st.floats(0.01, 0.99))
def test_a_subset_has_its_share_and_nothing_outside_is_further_out(
    found: DataMap, subset: Subset, share: float
) -> None:
    chosen = select_subset(found, subset, share)
    assert sorted(set(chosen.tolist())) == chosen.tolist()
    size = round(share * len(found))
    assert len(chosen) == (len(found) - size if subset is Subset.WITHOUT_HARD else size)
    others = np.setdiff1d(np.arange(len(found)), chosen)
    if len(chosen) and len(others):
        values = found.variability if subset is Subset.AMBIGUOUS else found.confidence
        if subset is Subset.HARD:
            assert values[chosen].max() <= values[others].min()
        else:
            assert values[chosen].min() >= values[others].max()
