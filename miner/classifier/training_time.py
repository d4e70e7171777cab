"""How long a training still takes that has several parts: its stages, and the models of folds after them."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from miner.classifier.examples import TrainingExample
from miner.classifier.recipe import Recipe


class TrainingEstimate(NamedTuple):
    """Of a whole training: steps done of all, seconds left, and seconds that it takes from its begin to its end."""

    done: int
    steps: int
    seconds_left: float
    seconds: float


class TrainingTime:
    """One estimate over all parts of a training. What each part has taken is known as soon as it was asked about."""

    def __init__(self, steps: Sequence[int], part_seconds: float = 0) -> None:
        """steps: of each part, in order. part_seconds: the most that a part may take; 0 for no limit."""
        self._steps, self._part_seconds = tuple(steps), part_seconds
        self._spent: dict[int, float] = {}  # by part

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self._steps)

    def estimate(self, part: int, share: float, spent: float) -> TrainingEstimate:
        """When this share (0 to 1, without 0) of a part is done, which has taken `spent` seconds.

        Parts to come take as long per step as those before; these may have ended early, so their steps count as done.
        Parts that an earlier process has done tell nothing of the speed.
        """
        self._spent[part] = spent
        known = sum(steps for one, steps in enumerate(self._steps[:part]) if one in self._spent)
        rate = sum(seconds for one, seconds in self._spent.items() if one <= part)
        rate /= known + share * self._steps[part]
        left = spent * (1 - share) / share + sum(self._whole(steps, rate) for steps in self._steps[part + 1 :])
        before = sum(self._spent.get(one, self._whole(steps, rate)) for one, steps in enumerate(self._steps[:part]))
        done = sum(self._steps[:part]) + round(share * self._steps[part])
        return TrainingEstimate(done, sum(self._steps), left, before + spent + left)

    def _whole(self, steps: int, rate: float) -> float:
        """The seconds that a part takes."""
        return min(steps * rate, self._part_seconds) if self._part_seconds else steps * rate


def steps_per_epoch(examples: int, recipe: Recipe) -> int:
    """How many steps learn each of so many examples once."""
    return max(1, ceil(examples / recipe.batch_pairs))


def time_of_parts(
    stages: Sequence[Sequence[TrainingExample]], folds: Sequence[int], recipe: Recipe, part_seconds: float
) -> TrainingTime:
    """The time of stages that learn these examples, and then of each fold, which learns the pairs of all other folds.

    folds: of each pair that has one.
    """
    sizes = [sum(not one.dev for one in examples) for examples in stages]
    sizes += [len(folds) - folds.count(fold) for fold in range(recipe.folds)]
    return TrainingTime([steps_per_epoch(size, recipe) * recipe.epochs for size in sizes], part_seconds)
