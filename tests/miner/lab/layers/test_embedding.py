"""How far groups of pairs stand apart, by hand and beside scikit-learn; points of the same states are the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import silhouette_samples
from sklearn.neighbors import NearestNeighbors

from miner.lab.layers import embedding
from miner.lab.layers.embedding import Separation, project, separations


def test_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four pairs on a line, at 0, 1, 4 and 6; the group is the first two, and its neighbours are the nearest two."""
    monkeypatch.setattr(embedding, "NEIGHBOURS", 2)
    states = np.array([[0.0], [1.0], [4.0], [6.0]], np.float32)
    [found] = separations(states, np.array([[True, True, False, False]]))
    # The nearest two of 0 are 1 and 4, those of 1 are 0 and 4: half of them are in the group.
    # Silhouettes: of 0 (5 - 1) / 5, of 1 (4 - 1) / 4.
    assert (found.pairs, found.purity) == (2, 0.5)
    assert found.chance == pytest.approx(1 / 3)
    assert found.silhouette == pytest.approx((0.8 + 0.75) / 2)


def test_two_clouds_are_pure_and_a_mixed_group_is_at_chance() -> None:
    random = np.random.default_rng(0)
    states = np.concatenate([random.normal(0, 1, (60, 5)), random.normal(30, 1, (60, 5))]).astype(np.float32)
    cloud, mixed = np.arange(120) < 60, np.arange(120) % 2 == 0
    clear, unclear = separations(states, np.array([cloud, mixed]))
    assert clear.purity == 1.0
    assert clear.silhouette is not None
    assert clear.silhouette > 0.9
    assert unclear.purity == pytest.approx(unclear.chance, abs=0.06)
    assert unclear.silhouette == pytest.approx(0, abs=0.03)


@settings(deadline=None, max_examples=20)
@given(st.integers(13, 60), st.integers(2, 6), st.integers(0, 1000))
def test_as_scikit_learn_has_it(pairs: int, size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    states = random.normal(3, 1, (pairs, size)).astype(np.float32)
    groups = random.random((3, pairs)) < 0.4
    nearest = NearestNeighbors(n_neighbors=10).fit(states).kneighbors(return_distance=False)
    for group, found in zip(groups, separations(states, groups), strict=True):
        if not 2 <= group.sum() < pairs:
            assert found == Separation(int(group.sum()), None, None, None)
            continue
        assert found.silhouette == pytest.approx(silhouette_samples(states, group)[group].mean(), abs=1e-4)
        assert found.purity == pytest.approx(group[nearest][group].mean(), abs=0.02)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    states, groups = random.normal(0, 1, (50, 8)).astype(np.float32), random.random((2, 50)) < 0.5
    whole = separations(states, groups)
    monkeypatch.setattr(embedding, "_BLOCK_BYTES", 7 * 4 * 50)
    shares: list[float] = []
    for one, other in zip(separations(states, groups, shares.append), whole, strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_points_are_the_same_every_time_and_keep_clouds_apart() -> None:
    random = np.random.default_rng(2)
    states = np.concatenate([random.normal(0, 1, (40, 80)), random.normal(9, 1, (40, 80))]).astype(np.float32)
    points = project(states, 1)
    assert points.shape == (80, 2)
    assert (points == project(states, 1)).all()
    [found] = separations(points, (np.arange(80) < 40)[None])
    assert found.purity == 1.0


@pytest.mark.parametrize("states", [np.ones((40, 60)), np.outer(np.arange(40), np.ones(60)), np.zeros((1, 4))])
def test_states_with_little_in_them_are_no_error(states: np.ndarray) -> None:
    assert np.isfinite(project(states.astype(np.float32), 1)).all()
