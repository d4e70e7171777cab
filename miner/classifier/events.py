"""Events of a training. This module does not import torch, because the window's process receives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TrainStep:
    """Progress of a training. `loss`: running mean. `stage`: the current stage or fold, whose step it is.

    Of the whole training, over all stages and folds: `seconds_left` and `seconds`, estimates; `done` of `total` steps.
    """

    step: int
    steps: int
    loss: float
    pairs_per_second: float
    seconds_left: float
    stage: str = ""
    done: int = 0
    total: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class DevScores:
    """Scores of the dev pairs after this step. `best`: the macro F1 is the best so far."""

    step: int
    epoch: int
    scores: dict[str, Any]
    best: bool
    stage: str = ""


@dataclass(frozen=True, slots=True)
class TrainNote:
    """A sentence for the user: why the training is slower, smaller or on another device than requested."""

    text: str


TrainEvent = TrainStep | DevScores | TrainNote
