"""What is estimated from the answers to a sample, and whether the intervals have the true share."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from miner.precision.estimates import (
    MIN_ANSWERS,
    PrecisionEstimate,
    SampledAnswer,
    estimate_precision,
    t_quantile,
    wilson_of,
)
from miner.precision.strata import LabelGroup
from miner.records import Label
from tests.precision_simulation import Population, simulate

GROUPS = [LabelGroup(label, "", "", None, 1_000) for label in Label]


def answers(
    label: Label, right: int, wrong: int, *, percent: int | None = None, probability: float = 0.02
) -> list[SampledAnswer]:
    number = right + wrong
    return [
        SampledAnswer(
            label,
            "",
            "",
            percent,
            (place + 0.5) / number,
            probability,
            place * right // number < (place + 1) * right // number,
        )
        for place in range(number)
    ]


def test_each_class_counts_by_its_pairs_and_not_by_its_answers() -> None:
    groups = [LabelGroup(Label.REASONING, "", "", None, 1_000), LabelGroup(Label.NEUTRAL, "", "", None, 3_000)]
    found = estimate_precision(groups, [*answers(Label.REASONING, 40, 40), *answers(Label.NEUTRAL, 18, 2)])
    assert found.share == pytest.approx(0.25 * 0.5 + 0.75 * 0.9)
    assert (found.pairs, found.answers, found.right) == (4_000, 100, 58)


def test_without_predictions_one_stratum_has_nearly_the_interval_of_a_plain_sample() -> None:
    found = estimate_precision([LabelGroup(Label.REASONING, "", "", None, 100_000)], answers(Label.REASONING, 90, 10))
    low, high = wilson_of(0.9, 100)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(low, abs=0.01)
    assert found.interval.high == pytest.approx(high, abs=0.01)
    assert found.effective == pytest.approx(100, rel=0.1)


def test_answers_with_a_lower_probability_weigh_more() -> None:
    rare, often = answers(Label.REASONING, 10, 0, probability=0.01), answers(Label.REASONING, 0, 10, probability=0.03)
    assert estimate_precision(GROUPS[1:2], [*rare, *often]).share == pytest.approx(0.75)


def test_the_mean_prediction_of_all_pairs_mends_a_sample_that_has_too_many_doubtful_ones_of_a_stratum() -> None:
    """Half of the pairs are right in 30 %, half in 80 %, as the model expects of 3 and 18 %, in one stratum. Three in
    four answers are to the former."""
    groups = [LabelGroup(Label.REASONING, "", "", percent, 50_000) for percent in (3, 18)]
    given = [*answers(Label.REASONING, 45, 105, percent=3), *answers(Label.REASONING, 40, 10, percent=18)]
    shuffled = [one._replace(place=float(place)) for place, one in enumerate(Random(1).sample(given, len(given)))]
    found = estimate_precision(groups, shuffled)
    assert found.right / found.answers == pytest.approx(0.425)
    assert found.share == pytest.approx(0.55, abs=0.03)


def test_the_order_in_which_answers_come_changes_nothing() -> None:
    given = [*answers(Label.REASONING, 30, 10, percent=40), *answers(Label.NEUTRAL, 38, 2, percent=90)]
    groups = [LabelGroup(Label.REASONING, "", "", 40, 900), LabelGroup(Label.NEUTRAL, "", "", 90, 800)]
    assert estimate_precision(groups, given) == estimate_precision(groups, Random(2).sample(given, len(given)))


def test_with_few_answers_nothing_is_said() -> None:
    found = estimate_precision(GROUPS, answers(Label.REASONING, MIN_ANSWERS - 1, 0))
    assert (found.share, found.interval, found.more_answers(0.03)) == (None, None, None)


def test_where_all_pairs_are_answered_the_share_is_counted() -> None:
    group = LabelGroup(Label.REASONING, "", "", 40, 20)
    given = [*answers(Label.REASONING, 8, 0, percent=40, probability=0.1), *answers(Label.REASONING, 7, 5, percent=40)]
    found = estimate_precision([group], given)
    assert found.is_complete
    assert (found.share, found.interval, found.more_answers(0.03)) == (0.75, (0.75, 0.75), 0)


def test_so_is_that_of_few_pairs_and_without_pairs_there_is_none() -> None:
    found = estimate_precision([LabelGroup(Label.REASONING, "", "", None, 4)], answers(Label.REASONING, 3, 1))
    assert (found.share, found.is_complete) == (0.75, True)
    nothing = estimate_precision([], [])
    assert (nothing.share, nothing.is_complete) == (None, False)


def test_pairs_without_a_prediction_are_like_the_others_of_their_class() -> None:
    """Of a model that is right the more often the surer it is: new pairs are not those of which it is surest."""
    groups = [LabelGroup(Label.REASONING, "", "", percent, 500) for percent in (10, 99)]
    given = [*answers(Label.REASONING, 20, 30, percent=10), *answers(Label.REASONING, 48, 2, percent=99)]
    before = estimate_precision(groups, given)
    assert before.share == pytest.approx(0.68, abs=0.02)
    new = LabelGroup(Label.REASONING, "", "", None, 4_000)
    after = estimate_precision([*groups, new], given)
    assert (after.pairs, after.share) == (5_000, pytest.approx(before.share))
    some = estimate_precision([*groups, new], [*given, *answers(Label.REASONING, 0, 3)])
    assert some.share == pytest.approx(before.share, abs=0.02)


def test_labels_that_are_all_right_are_not_certain() -> None:
    found = estimate_precision(GROUPS[:1], answers(Label.CONTRASTING, 30, 0))
    assert found.share == 1.0
    assert found.interval is not None
    assert 0.8 < found.interval.low < 0.95
    assert found.interval.high == 1.0


def test_answers_to_one_class_alone_are_taken_for_all() -> None:
    found = estimate_precision(GROUPS, answers(Label.ENTAILMENT, 15, 5))
    assert found.share == pytest.approx(0.75)
    assert found.pairs == 4_000


def test_so_many_more_answers_make_the_interval_as_narrow_as_was_asked() -> None:
    found = estimate_precision(GROUPS[:1], answers(Label.CONTRASTING, 45, 5, probability=0.01))
    more = found.more_answers(0.05)
    assert more is not None
    assert found.share is not None
    answered = found.answers + more
    effective = found.effective * answered / found.answers * (1 - found.answers / 1_000) / (1 - answered / 1_000)
    low, high = wilson_of(found.share, effective)
    assert (high - low) / 2 == pytest.approx(0.05, abs=0.001)
    assert found.more_answers(0.2) == 0


def test_an_interval_of_any_width_takes_no_more_answers_than_there_are_pairs() -> None:
    found = replace(estimate_precision(GROUPS[:1], answers(Label.CONTRASTING, 45, 5)), pairs=60)
    prices = [found.more_answers(reach) for reach in (0.05, 0.03, 0.001)]
    assert prices == sorted(prices)
    assert 0 < prices[0] < prices[-1] <= 10


def test_an_estimate_without_answers_has_no_price() -> None:
    assert PrecisionEstimate(10, 0, 0).more_answers(0.03) is None


@pytest.mark.parametrize(("freedom", "quantile"), [(5, 2.571), (10, 2.228), (30, 2.042), (100, 1.984), (10_000, 1.960)])
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=0.01)


def population(*, is_adverse: bool) -> Population:
    """Labels with errors that a model suspects; if adverse, it is sure of half of them."""
    generator = np.random.default_rng(1)
    label = generator.choice(4, 20_000, p=(0.35, 0.2, 0.05, 0.4))
    right = generator.random(len(label)) < np.array((0.93, 0.83, 0.79, 0.97))[label]
    liked = right | (generator.random(len(label)) < 0.5 * is_adverse)
    score = np.where(liked, generator.normal(1.5, 1.6, len(label)), generator.normal(-1.5, 1.6, len(label)))
    return Population(label, np.rint(100 / (1 + np.exp(-score))).astype(np.int64), right)


@pytest.mark.parametrize("is_adverse", [False, True], ids=["errors the model suspects", "errors it likes"])
def test_intervals_have_the_true_share_as_often_as_they_say_and_are_narrower_than_those_of_a_plain_sample(
    is_adverse: bool,
) -> None:
    made = population(is_adverse=is_adverse)
    scopes = {"all": np.ones(len(made.label), bool), "reasoning": made.label == 1, "neutral": made.label == 3}
    found = simulate(made, (200,), scopes, draws=300)
    for one in found.values():
        assert one.coverage >= 0.92  # of 300: 95 % are 285 with a standard deviation of 3.8
        assert abs(one.bias) < 0.01
    assert found["all", 200].cost < (1.05 if is_adverse else 0.7)
