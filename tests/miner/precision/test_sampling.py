"""Which pairs are drawn, and which of their answers are a sample."""

from __future__ import annotations

from statistics import mean

import pytest

from miner.precision.sampling import PrecisionPair, allocate, answered_part, chances, permanent_number
from miner.precision.strata import BANDS, LABELS, STRATA, LabelGroup, right_probability, stratum_of
from miner.records import Label


def group(label: Label, percent: int | None, pairs: int) -> LabelGroup:
    return LabelGroup(label, "ecology", "", percent, pairs)


def sampled(key: str, number: float, probability: float, *draws: int, is_right: bool | None = True) -> PrecisionPair:
    given = chances((draw, probability) for draw in draws or (1,))
    return PrecisionPair(key, Label.REASONING, "", "", 50, number, given, is_right)


def test_a_pairs_number_is_the_same_each_time_and_evenly_spread() -> None:
    numbers = [permanent_number(3, f"pair {n}") for n in range(2_000)]
    assert numbers == [permanent_number(3, f"pair {n}") for n in range(2_000)]
    assert numbers[:5] != [permanent_number(4, f"pair {n}") for n in range(5)]
    assert 0 < min(numbers) < max(numbers) < 1
    assert mean(numbers) == pytest.approx(0.5, abs=0.02)
    assert sum(number < 0.1 for number in numbers) == pytest.approx(200, abs=45)


def test_each_percent_of_each_class_is_in_one_stratum_from_doubt_to_certainty() -> None:
    found = [stratum_of(label, percent) for label in LABELS for percent in (*range(101), None)]
    assert found == sorted(found)
    assert set(found) == set(range(STRATA))
    assert BANDS == STRATA // 4


def test_a_label_that_a_model_thinks_unlikely_may_still_be_right_since_phrases_mostly_are() -> None:
    # Odds of 1 to 3 by the model, times 3 * .831 / .169, as errors fall evenly on three classes: 4.917 to 1.
    assert right_probability(Label.REASONING, 25) == pytest.approx(0.831, abs=0.001)
    shares = [right_probability(Label.REASONING, percent) for percent in range(101)]
    assert shares == sorted(shares)
    assert right_probability(Label.NEUTRAL, None) == 0.967


def test_most_answers_go_where_the_label_is_hard_to_predict_and_some_everywhere() -> None:
    groups = [group(Label.REASONING, 5, 100), group(Label.REASONING, 99, 100), group(Label.NEUTRAL, 99, 800)]
    allocation = allocate(groups)
    doubted, sure = (allocation.intensity(Label.REASONING, percent, by_model=True) for percent in (5, 99))
    assert doubted > 2 * sure > 0
    assert 100 * doubted + 100 * sure + 800 * allocation.strata[stratum_of(Label.NEUTRAL, 99)] == pytest.approx(1)
    of_class = allocation.intensity(Label.REASONING, 5, by_model=False)
    assert of_class == allocation.intensity(Label.REASONING, 99, by_model=False) == pytest.approx((doubted + sure) / 2)
    assert allocation.strata[stratum_of(Label.ENTAILMENT, 50)] == 0


def test_a_rare_class_has_a_part_of_the_answers() -> None:
    allocation = allocate([group(Label.ENTAILMENT, 60, 10), group(Label.NEUTRAL, 60, 10_000)])
    assert 10 * allocation.intensity(Label.ENTAILMENT, 60, by_model=True) > 0.08


def test_nothing_is_drawn_from_nothing() -> None:
    assert set(allocate([]).strata) == {0.0}


def test_answers_after_a_pair_that_waits_are_not_part_of_the_sample() -> None:
    waiting = sampled("c", 0.3, 0.5, is_right=None)
    pairs = [sampled("a", 0.1, 0.5), sampled("b", 0.1, 1.0), waiting, sampled("d", 0.4, 0.5)]
    part = answered_part(pairs)
    assert [one.pair.key for one in part] == ["b", "a"]
    assert [one.probability for one in part] == [0.6, pytest.approx(0.3)]  # times .3 / .5
    assert [one.probability for one in answered_part(pairs[:2])] == [1.0, 0.5]


def test_a_draw_that_was_answered_whole_counts_whatever_waits_of_another_one() -> None:
    mine = [sampled("a", 0.1, 0.2, 1, 2), sampled("b", 0.19, 0.2, 1, 2, is_right=False)]
    others = [sampled("c", 0.05, 0.2, 1, is_right=None), sampled("d", 0.1, 0.2, 1)]
    assert [one.pair.key for one in answered_part([*mine, *others])] == ["a", "b"]


def test_the_highest_probability_so_far_counts_at_each_draw() -> None:
    assert chances([(3, 0.2), (1, 0.3), (4, 0.5)]) == ((1, 0.3), (3, 0.3), (4, 0.5))


def test_weights_of_several_draws_stand_for_all_pairs_wherever_people_stop() -> None:
    """A draw from all pairs is answered, then one with higher probabilities from half of them, up to two thirds."""
    totals = {"half": 0.0, "rest": 0.0}
    for seed in range(40):
        sample = []
        for n in range(1_000):
            number, domain = permanent_number(seed, str(n)), "half" if n % 2 else "rest"
            probabilities = [(1, 0.1)] if number < 0.1 or domain == "rest" else []
            probabilities += [(2, 0.3)] if domain == "half" else []
            if number < max((probability for _, probability in probabilities), default=0.0):
                is_right = True if number < 0.2 else None
                pair = PrecisionPair(str(n), Label.NEUTRAL, domain, "", None, number, chances(probabilities), is_right)
                sample.append(pair)
        for pair, probability in answered_part(sample):
            totals[pair.domain] += 1 / probability / 40
    assert totals["half"] == pytest.approx(500, rel=0.05)
    assert totals["rest"] == pytest.approx(500, rel=0.07)
