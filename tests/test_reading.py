"""The interval that the benchmark of pairs read by hand gives."""

from __future__ import annotations

import pytest

from tests.bench.reading import exact_interval


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),
        (10, 10, 0.6915, 1.0),
        (5, 10, 0.1871, 0.8129),
        (98, 100, 0.9296, 0.9976),
        (0, 0, 0.0, 1.0),
    ],
)
def test_it_is_that_of_clopper_and_pearson(hits: int, count: int, low: float, high: float) -> None:
    assert exact_interval(hits, count) == pytest.approx((low, high), abs=5e-5)
