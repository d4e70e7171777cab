"""What a training tells of itself; without torch, for it is heard in the window's process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """How far a training is: `loss` is the mean of late, `seconds_left` a guess. `stage` says what is trained."""

    step: int
    steps: int
    loss: float
    pairs_per_second: float
    seconds_left: float
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Dev:
    """What the model scores on the pairs kept for it, after this step; `best`: better than ever before."""

    step: int
    epoch: int
    scores: dict[str, Any]
    best: bool
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something people should know: why it is slower, smaller or elsewhere than asked."""

    text: str


Event = Step | Dev | Note
