"""The course of a training, as it is kept and drawn."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.jobs.models.training_history import TrainingHistory
from miner.classifier.events import TrainStep


def step(number: int, stage: str = "all", loss: float = 1.0) -> TrainStep:
    return TrainStep(stage=stage, step=number, steps=9, loss=loss, pairs_per_second=1.0, seconds_left=1.0)


def test_steps_that_are_done_again_take_the_place_of_those_before() -> None:
    before = TrainingHistory()
    for number in (1, 2, 3, 4):
        before.add(step(number))
    resumed = TrainingHistory.from_data(json.loads(json.dumps(before.to_data())))
    for number in (3, 4, 5):
        resumed.add(step(number, loss=0.5))
    assert resumed.loss == [("all", 1, 1.0), ("all", 2, 1.0), ("all", 3, 0.5), ("all", 4, 0.5), ("all", 5, 0.5)]


@pytest.mark.parametrize("data", [{"loss": 5}, {"loss": [["all", "x", 1.0]]}, {"dev": [["all", 1]]}, {"notes": [[]]}])
def test_a_history_of_a_foreign_project_that_makes_no_sense_is_empty(data: dict[str, Any]) -> None:
    assert TrainingHistory.from_data(data).to_data() == TrainingHistory().to_data()
