"""Scores, their spread over seeds, and how sure a difference is."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from miner.classifier.metrics import (
    Scores,
    bootstrap,
    bootstrap_difference,
    confusion,
    macro_f1,
    paired_t_test,
    score_predictions,
    summarize,
    summarize_values,
)
from miner.records import Label

C, R, E, N = range(4)
GOLD = np.array([C, C, C, C, R, R, R, E, E, N])
FOUND = np.array([C, C, C, R, R, R, C, E, N, N])

pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60)


def test_scores_agree_with_a_hand_worked_example() -> None:
    # contrasting: 4 of it, 4 predicted, 3 right: P 3/4, R 3/4, F1 3/4. reasoning: 3, 3, 2 right: 2/3 each.
    # entailment: 2, 1, 1 right: P 1, R 1/2, F1 2/3. neutral: 1, 2, 1 right: P 1/2, R 1, F1 2/3.
    # macro F1 (3/4 + 3 · 2/3) / 4 = 0.6875; accuracy 7/10.
    found = score_predictions(GOLD, FOUND)
    assert (found.n, found.accuracy, found.macro_f1) == (10, pytest.approx(0.7), pytest.approx(0.6875))
    assert found.per_class[Label.ENTAILMENT] == pytest.approx((1, 1 / 2, 2 / 3, 2))
    assert found.per_class[Label.NEUTRAL] == pytest.approx((1 / 2, 1, 2 / 3, 1))
    assert found.confusion == ((3, 1, 0, 0), (1, 2, 0, 0), (0, 0, 1, 1), (0, 0, 0, 1))
    assert found.ece is None


def test_probabilities_are_scored_by_their_class_and_their_calibration() -> None:
    found = score_predictions(GOLD, np.eye(4, dtype=np.float32)[FOUND])
    assert found.confusion == score_predictions(GOLD, FOUND).confusion
    assert found.ece == pytest.approx(0.3)  # always sure, right 7 times of 10


def test_a_class_that_is_nowhere_is_left_out_of_the_mean_and_said() -> None:
    found = score_predictions(np.array([C, C, R]), np.array([C, R, R]))
    assert found.macro_f1 == pytest.approx(2 / 3)
    assert found.absent == (Label.ENTAILMENT, Label.NEUTRAL)


def test_a_class_that_is_only_predicted_counts_as_nought() -> None:
    found = score_predictions(np.array([C, C]), np.array([C, N]))
    assert found.macro_f1 == pytest.approx((2 / 3 + 0) / 2)
    assert found.per_class[Label.NEUTRAL] == (0, 0, 0, 0)


def test_no_pairs_score_nothing() -> None:
    found = score_predictions(np.zeros(0, int), np.zeros((0, 4)))
    assert (found.n, found.accuracy, found.macro_f1, found.ece, len(found.absent)) == (0, 0, 0, 0, 4)


def test_scores_survive_json() -> None:
    found = score_predictions(GOLD, np.eye(4)[FOUND])
    assert Scores.from_data(json.loads(json.dumps(found.to_data()))) == found


@given(pairs)
def test_rows_of_the_confusion_are_labels_and_columns_predictions(given: list[tuple[int, int]]) -> None:
    gold, found = np.array(given).T
    counts = confusion(gold, found)
    assert counts.sum(1).tolist() == np.bincount(gold, minlength=4).tolist()
    assert counts.sum(0).tolist() == np.bincount(found, minlength=4).tolist()
    assert counts.T.tolist() == confusion(found, gold).tolist()


@settings(deadline=None)  # the first example imports scikit-learn
@given(pairs)
def test_scores_agree_with_scikit_learn(given: list[tuple[int, int]]) -> None:
    from sklearn import metrics

    gold, found = np.array(given).T
    ours = score_predictions(gold, found)
    assert ours.macro_f1 == pytest.approx(metrics.f1_score(gold, found, average="macro", zero_division=0))
    theirs = metrics.precision_recall_fscore_support(gold, found, labels=range(4), zero_division=0)
    assert np.allclose(np.array(list(ours.per_class.values())).T, np.array(theirs))


def test_the_spread_over_seeds_is_the_sample_standard_deviation() -> None:
    assert summarize_values([0.68, 0.70, 0.72]) == pytest.approx((0.70, 0.02, 3))  # √((.02² + 0 + .02²) / 2)
    assert summarize_values([0.7]) == (0.7, None, 1)


def test_runs_become_one_row() -> None:
    perfect, other = score_predictions(GOLD, np.eye(4)[GOLD]), score_predictions(GOLD, np.eye(4)[FOUND])
    row = summarize([perfect, other])
    assert row.macro_f1.mean == pytest.approx((1 + 0.6875) / 2)
    assert row.accuracy.sd == pytest.approx(0.3 / np.sqrt(2))
    assert row.ece is not None
    assert row.per_class[Label.NEUTRAL]["precision"].mean == pytest.approx(0.75)
    assert row.confusion[0] == (3.5, 0.5, 0, 0)
    assert json.loads(json.dumps(row.to_data()))["macro_f1"]["n"] == 2
    assert summarize([perfect, score_predictions(GOLD, FOUND)]).ece is None


def test_the_interval_is_that_of_drawing_pairs_again_and_again() -> None:
    gold, found = np.repeat(GOLD, 20), np.repeat(FOUND, 20)
    rng = np.random.default_rng(1)
    drawn = (rng.integers(0, len(gold), len(gold)) for _ in range(4000))
    values = [float(macro_f1(confusion(gold[places], found[places]))) for places in drawn]
    assert bootstrap(gold, found, seed=1, samples=4000) == pytest.approx(np.quantile(values, (0.025, 0.975)), abs=0.01)


def test_the_same_seed_gives_the_same_interval() -> None:
    assert bootstrap(GOLD, FOUND, seed=3) == bootstrap(GOLD, FOUND, seed=3)
    assert bootstrap_difference(GOLD, FOUND, GOLD, seed=3) == bootstrap_difference(GOLD, FOUND, GOLD, seed=3)


def test_a_difference_is_that_of_the_second_to_the_first_on_the_same_pairs() -> None:
    gold, worse = np.tile(GOLD, 30), np.tile(FOUND, 30)
    low, high = bootstrap_difference(gold, worse, gold, seed=1)
    assert 0.2 < low < 1 - 0.6875 < high < 0.45
    assert bootstrap_difference(gold, gold, worse, seed=1) == pytest.approx((-high, -low))
    assert bootstrap_difference(gold, worse, worse, seed=1) == (0, 0)


def test_several_runs_are_compared_by_their_mean() -> None:
    gold, worse = np.tile(GOLD, 30), np.tile(FOUND, 30)
    once = bootstrap_difference(gold, worse, gold, seed=1)
    assert bootstrap_difference(gold, np.stack([worse] * 3), np.stack([gold] * 2), seed=1) == pytest.approx(once)
    half = bootstrap_difference(gold, np.stack([worse, gold]), gold, seed=1)
    assert half == pytest.approx((once.low / 2, once.high / 2))


def test_the_t_test_agrees_with_a_hand_worked_example() -> None:
    # Differences 1, 2, 3 and 2 points: mean 2, sd √(2/3), t = 2 / (√(2/3) / 2) = 4.89898 with 3 degrees of freedom.
    # A&S 26.7.3: θ = atan(4.89898 / √3) = 1.230959, p = 1 - 2/π · (θ + sin θ cos θ) = 0.016280
    test = paired_t_test([60, 61, 62, 63], [61, 63, 65, 65])
    assert test is not None
    assert test == pytest.approx((2, 4.898979, 3, 0.016280), abs=1e-5)


@pytest.mark.parametrize(("freedom", "t"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042)])
def test_p_agrees_with_the_tables_of_t(freedom: int, t: float) -> None:
    """Two-sided 5 %."""
    n = freedom + 1
    values = np.resize([1.0, -1.0], n) if n % 2 == 0 else np.array([*np.resize([1.0, -1.0], n - 1), 0.0])
    values = values / values.std(ddof=1) + t / np.sqrt(n)
    test = paired_t_test([0.0] * n, values.tolist())
    assert test is not None
    assert test.p == pytest.approx(0.05, abs=2e-4)


@settings(deadline=None)  # the first example imports SciPy
@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=2, max_size=30))
def test_a_t_test_agrees_with_scipy(runs: list[tuple[int, int]]) -> None:
    from scipy import stats

    first, second = np.array(runs).T / 10
    assume(np.ptp(second - first) > 0.01)
    test, theirs = paired_t_test(first.tolist(), second.tolist()), stats.ttest_rel(second, first)
    assert test is not None
    assert (test.t, test.freedom, test.p) == pytest.approx((theirs.statistic, theirs.df, theirs.pvalue), abs=1e-9)


def test_a_t_test_needs_two_runs_and_tells_what_has_no_spread() -> None:
    assert paired_t_test([0.5], [0.6]) is None
    same, apart = paired_t_test([0.5, 0.6], [0.5, 0.6]), paired_t_test([0.5, 0.6], [0.6, 0.7])
    assert same is not None
    assert apart is not None
    assert (same.p, apart.p, apart.difference) == (1, 0, pytest.approx(0.1))
