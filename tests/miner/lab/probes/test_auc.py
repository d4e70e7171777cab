"""AUC_norm: what the paper's definition implies, against scikit-learn's curve with its end mended."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.lab.probes.auc import auc_above_half, normalized_auc, precision_recall, resampled_areas

without_deadline = settings(deadline=None)


@st.composite
def _scored(draw: st.DrawFn) -> tuple[list[float], list[bool]]:
    positive = draw(st.lists(st.booleans(), min_size=2, max_size=40).filter(lambda found: 0 < sum(found) < len(found)))
    scores = draw(st.lists(st.integers(0, 8), min_size=len(positive), max_size=len(positive)))
    return [score / 8 for score in scores], positive


@without_deadline
@given(_scored())
def test_the_curve_is_scikit_learns_but_for_its_artificial_end(scored: tuple[list[float], list[bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    scores, positive = scored
    precision, recall, _ = metrics.precision_recall_curve(positive, scores)
    precision[-1] = precision[-2]
    found = precision_recall(np.array(scores), np.array(positive))
    first = int(np.argmax(recall[::-1] == 1))  # scikit-learn adds thresholds after all positives are found
    assert found.recall[: first + 2] == pytest.approx(recall[::-1][: first + 2][: len(found.recall)])
    assert found.precision[: first + 1] == pytest.approx(precision[::-1][: first + 1])


@without_deadline
@given(_scored())
def test_perfect_scores_have_100_reversed_and_constant_ones_0(scored: tuple[list[float], list[bool]]) -> None:
    positive = np.array(scored[1])
    assert normalized_auc(positive.astype(float), positive) == pytest.approx(100)
    assert auc_above_half(positive.astype(float), positive) == pytest.approx(100)
    assert normalized_auc(1.0 - positive, positive) == pytest.approx(0)
    assert normalized_auc(np.full(len(positive), 0.3), positive) == 0
    assert 0 <= normalized_auc(np.array(scored[0]), positive) <= 100 + 1e-9


@without_deadline
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_scores_that_do_not_depend_on_the_order_of_the_sentences_have_0_on_converses(scores: list[float]) -> None:
    twice = np.array(scores + scores)
    assert normalized_auc(twice, np.repeat([True, False], len(scores))) == pytest.approx(0)


def test_scores_that_differ_by_rounding_are_one_threshold() -> None:
    scores = np.array([0.5, 0.5 + 1e-12, 0.5 - 1e-12, 0.5])
    assert normalized_auc(scores, np.array([True, False, False, True])) == 0


@without_deadline
@given(_scored(), st.integers(0, 9))
def test_areas_of_samples_are_those_of_the_pairs_that_were_drawn(
    scored: tuple[list[float], list[bool]], seed: int
) -> None:
    scores, positive = map(np.array, scored)
    groups = np.arange(len(scores)) // 2
    number = int(groups.max()) + 1
    found = resampled_areas([scores, -scores], positive, groups, draws=4, seed=seed)
    drawn = np.random.default_rng(seed).integers(0, number, (4, number))
    for sample, areas in zip(drawn, found.T, strict=True):
        places = [place for group in sample for place in np.flatnonzero(groups == group)]
        if 0 < positive[places].sum() < len(places):
            expected = [normalized_auc(one[places], positive[places]) for one in (scores, -scores)]
            assert areas == pytest.approx(expected, abs=1e-9)
        else:
            assert np.isnan(areas).all()


def test_one_class_alone_is_refused() -> None:
    with pytest.raises(ValueError, match="positives and negatives"):
        normalized_auc(np.array([0.1, 0.2]), np.array([True, True]))
