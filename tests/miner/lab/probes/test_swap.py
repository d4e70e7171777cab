"""The effect of exchanging the sentences, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from miner.lab.probes.swap import swap_effects


def test_the_share_of_changed_labels_and_the_mean_move_by_class() -> None:
    before = np.array([[0.7, 0.3], [0.6, 0.4], [0.2, 0.8]])
    after = np.array([[0.4, 0.6], [0.6, 0.4], [0.1, 0.9]])
    first, second, both = swap_effects(before, after, np.array([0, 0, 1]), ["forward", "same"])
    assert (first.label, first.pairs, first.changed) == ("forward", 2, 0.5)
    assert first.moved == pytest.approx(0.15)
    assert first.confidence == pytest.approx((0.65, 0.5))
    assert second.changed == 0
    assert second.moved == pytest.approx(0.1)
    assert (both.label, both.pairs) == ("all", 3)
    assert both.changed == pytest.approx(1 / 3)


def test_a_class_without_pairs_is_left_out() -> None:
    values = np.array([[0.7, 0.3]])
    assert [one.label for one in swap_effects(values, values, np.array([0]), ["one", "other"])] == ["one", "all"]
