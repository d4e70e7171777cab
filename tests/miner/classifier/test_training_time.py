"""A training has one estimate of its time, over all of its stages and folds."""

from __future__ import annotations

import pytest

from miner.classifier.examples import LabelSource, TrainingExample
from miner.classifier.recipe import Recipe
from miner.classifier.training_time import TrainingEstimate, TrainingTime, time_of_parts


def test_parts_to_come_take_as_long_per_step_as_those_before() -> None:
    time = TrainingTime([100, 50, 50])
    assert time.estimate(0, 0.5, 10) == TrainingEstimate(50, 200, 10 + 10 + 10, 40)
    assert time.estimate(0, 1, 20) == TrainingEstimate(100, 200, 20, 40)
    assert time.estimate(1, 0.5, 10) == TrainingEstimate(
        125, 200, 10 + 50 * 30 / 125, 20 + 20 + 12
    )  # this one is slower
    assert time.estimate(2, 1, 20).seconds_left == 0


def test_the_estimate_does_not_start_anew_with_a_fold() -> None:
    time = TrainingTime([60] * 5)
    left = [time.estimate(part, step / 60, 2.0 * step).seconds_left for part in range(5) for step in range(1, 61)]
    assert left == pytest.approx([2.0 * (300 - done) for done in range(1, 301)])


def test_what_ends_early_makes_the_rest_shorter() -> None:
    time = TrainingTime([100, 100])
    time.estimate(0, 0.5, 50)  # and then its scores got no better
    assert time.estimate(1, 0.5, 50).seconds_left == 50


def test_a_part_never_takes_longer_than_it_may() -> None:
    time = TrainingTime([100, 100, 100], part_seconds=30)
    assert time.estimate(0, 0.5, 15) == TrainingEstimate(50, 300, 15 + 30 + 30, 90)
    assert time.estimate(0, 0.1, 10).seconds_left == 90 + 30 + 30


def test_parts_that_an_earlier_process_has_done_tell_nothing_of_the_speed() -> None:
    time = TrainingTime([100, 100, 100])
    assert time.estimate(1, 0.5, 5) == TrainingEstimate(150, 300, 5 + 10, 10 + 5 + 5 + 10)


def test_folds_learn_the_pairs_of_all_other_folds_and_stages_none_of_dev() -> None:
    examples = [
        TrainingExample(
            key=str(n), premise="a", hypothesis="b", label=0, source=LabelSource.ANSWER, paper="", dev=n < 4
        )
        for n in range(20)
    ]
    recipe = Recipe(folds=2, batch_pairs=4, epochs=3)
    time = time_of_parts([examples], [0] * 5 + [1] * 15, recipe, 0)
    assert time.parts == 3
    steps = (4 + 4 + 2) * 3  # 16 pairs, the 15 of fold 1, the 5 of fold 0, in batches of 4
    assert time.estimate(0, 1, 12) == TrainingEstimate(12, steps, 18, 30)
