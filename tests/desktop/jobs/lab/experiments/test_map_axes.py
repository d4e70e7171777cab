"""The axes of data maps: as far as the pairs go, with a tick where a number is round."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.jobs.lab.experiments.map_axes import map_axes
from miner.lab.experiments.cartography import DataMap


@pytest.mark.parametrize(
    ("highest", "length"), [(0.0, 0.1), (0.04, 0.1), (0.1, 0.1), (0.1 + 1e-12, 0.1), (0.31, 0.4), (0.5, 0.5)]
)
def test_variability_ends_at_the_next_tick_and_confidence_at_one(highest: float, length: float) -> None:
    values = np.array([0.0, highest])
    across, upwards = map_axes(DataMap(values, values, values))
    assert across.length == pytest.approx(length)
    assert across.ticks[0] == (0.0, "0.0")
    assert across.ticks[-1] == (1.0, f"{length:.1f}")
    assert [text for _, text in upwards.ticks] == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert upwards.length == 1.0
