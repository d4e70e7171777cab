"""Events of a training. This module does not import torch, because the window's process receives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TrainStep:
    """Progress of a training. `loss`: running mean. `seconds_left`: estimate. `stage`: the current stage or fold."""

    step: int
    steps: int
    loss: float
    pairs_per_second: float
    seconds_left: float
    stage: str = ""


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
