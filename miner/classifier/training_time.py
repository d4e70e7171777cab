"""Estimates the time left of a training in several parts: its stages, and then the models of folds."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from miner.classifier.examples import TrainingExample
from miner.classifier.recipe import Recipe


class TrainingEstimate(NamedTuple):
    """A whole training: steps done and in all, seconds left, and seconds from its start to its end."""

    done: int
    steps: int
    seconds_left: float
    seconds: float


class TrainingTime:
    """One estimate over all parts of a training; `estimate` records how long each part has taken."""

    def __init__(self, steps: Sequence[int], part_seconds: float = 0) -> None:
        """steps: the number of steps of each part, in order.

        part_seconds: the longest time of a part; 0 for no limit.
        """
        self._steps, self._part_seconds = tuple(steps), part_seconds
        self._spent: dict[int, float] = {}  # by part

    @property
    def parts(self) -> int:
        """The number of parts."""
        return len(self._steps)

    def estimate(self, part: int, share: float, spent: float) -> TrainingEstimate:
        """The estimate when this share (above 0, to 1) of a part is done and has taken `spent` seconds.

        Parts to come take as long per step as those before; these may have ended early, so their steps count as done.
        Parts that an earlier process has done say nothing about the speed.
        """
        self._spent[part] = spent
        known = sum(steps for number, steps in enumerate(self._steps[:part]) if number in self._spent)
        rate = sum(seconds for number, seconds in self._spent.items() if number <= part)
        rate /= known + share * self._steps[part]
        left = spent * (1 - share) / share + sum(self._whole(steps, rate) for steps in self._steps[part + 1 :])
        before = sum(
            self._spent.get(number, self._whole(steps, rate)) for number, steps in enumerate(self._steps[:part])
        )
        done = sum(self._steps[:part]) + round(share * self._steps[part])
        return TrainingEstimate(done, sum(self._steps), left, before + spent + left)

    def _whole(self, steps: int, rate: float) -> float:
        """The seconds that a part takes."""
        return min(steps * rate, self._part_seconds) if self._part_seconds else steps * rate


def steps_per_epoch(examples: int, recipe: Recipe) -> int:
    """The number of steps that learn each of `examples` examples once."""
    return max(1, ceil(examples / recipe.batch_pairs))


def time_of_parts(
    stages: Sequence[Sequence[TrainingExample]], folds: Sequence[int], recipe: Recipe, part_seconds: float
) -> TrainingTime:
    """The time of stages that learn these examples, and then of each fold, which learns the pairs of all other folds.

    folds: the fold of each pair that is in a fold.
    """
    sizes = [sum(not example.dev for example in examples) for examples in stages]
    sizes += [len(folds) - folds.count(fold) for fold in range(recipe.folds)]
    return TrainingTime([steps_per_epoch(size, recipe) * recipe.epochs for size in sizes], part_seconds)
