"""Events of a training; without torch, since the window's process receives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """The progress of a training: `loss` is a running mean, `seconds_left` an estimate, `stage` what is trained."""

    step: int
    steps: int
    loss: float
    pairs_per_second: float
    seconds_left: float
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Dev:
    """The scores of the dev pairs after this step; `best`: the macro F1 is the best so far."""

    step: int
    epoch: int
    scores: dict[str, Any]
    best: bool
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence for people: why it is slower, smaller or on another device than asked."""

    text: str


Event = Step | Dev | Note
