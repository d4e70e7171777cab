"""Confidence intervals of shares, and bins of values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.statistics import Bins, wilson


def test_wilson_agrees_with_a_hand_worked_example() -> None:
    # 8 of 10, z = 2: share 0.8, z² = 4, shrink 1 + 4/10 = 1.4, middle (0.8 + 4/20) / 1.4 = 1 / 1.4 = 0.7142857,
    # reach 2 · √(0.8 · 0.2 / 10 + 4 / 400) / 1.4 = 2 · √(0.016 + 0.01) / 1.4 = 2 · 0.1612452 / 1.4 = 0.2303502
    low, high = wilson(8, 10, z=2)
    assert low == pytest.approx(0.4839355, abs=1e-6)
    assert high == pytest.approx(0.9446359, abs=1e-6)


def test_wilson_agrees_with_a_published_example() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263 gives 0.2553 to 0.3662, 15 of 148 0.0624 to 0.1605,
    # 0 of 20 0.0000 to 0.1611, 1 of 29 0.0061 to 0.1718 (method 3: score, without continuity correction).
    for successes, trials, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


@settings(deadline=None)  # the first example imports SciPy
@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_scipy(case: tuple[int, int]) -> None:
    from scipy import stats

    successes, trials = case
    theirs = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert wilson(successes, trials) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_without_trials_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_stays_within_bounds_around_the_share_and_mirrors(case: tuple[int, int]) -> None:
    successes, trials = case
    low, high = wilson(successes, trials)
    assert 0.0 <= low <= successes / trials <= high <= 1.0
    mirrored = wilson(trials - successes, trials)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high))


def test_more_trials_make_the_interval_narrower() -> None:
    widths = [wilson(n * 4, n * 5) for n in (1, 10, 100, 1000)]
    assert [high - low for low, high in widths] == sorted((high - low for low, high in widths), reverse=True)


def test_bins_have_limits_and_names() -> None:
    words = Bins(width=5, last=60)
    assert len(words) == 13
    assert [words.index(value) for value in (0, 4, 5, 59, 60, 400)] == [0, 0, 1, 11, 12, 12]
    assert [words.limits(index) for index in (0, 1, 12)] == [(0, 4), (5, 9), (60, None)]
    assert [words.name(index) for index in (1, 12)] == ["5–9", "60 or more"]


def test_a_top_closes_the_last_bin() -> None:
    percent = Bins(width=10, last=90, top=100)
    assert len(percent) == 10
    assert percent.index(100) == 9
    assert percent.limits(9) == (90, 100)
    assert percent.name(9) == "90–100"


@given(st.integers(0, 1000))
def test_every_value_lies_within_the_limits_of_its_bin(value: int) -> None:
    bins = Bins(width=5, last=60)
    low, high = bins.limits(bins.index(value))
    assert low <= value
    assert high is None or value <= high
