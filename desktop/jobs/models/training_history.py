"""The history of a training, small enough to be stored with its run; the Train page draws it."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from miner import codec
from miner.classifier.events import DevScores, TrainEvent, TrainNote, TrainStep

_MAX_POINTS = 600  # of the loss: about the width of a plot
_STORE_EVERY_S = 10.0


class LossPoint(NamedTuple):
    """The running mean of the loss at a step of a stage."""

    stage: str
    step: int
    loss: float


class DevPoint(NamedTuple):
    """The scores of the dev pairs after a step of a stage, as data (`Scores.to_data`)."""

    stage: str
    step: int
    epoch: int
    scores: dict[str, Any]


@dataclass
class TrainingHistory:
    """The course of a training. notes: sentences for people."""

    loss: list[LossPoint] = field(default_factory=list)
    dev: list[DevPoint] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _stored: float = field(default_factory=time.monotonic)
    _stages: set[str] = field(default_factory=set)  # with events since this object was made

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The history that `to_data` gave; empty for other data, because it is only drawn."""
        try:
            return cls(
                codec.from_data(list[LossPoint], data.get("loss", [])),
                codec.from_data(list[DevPoint], data.get("dev", [])),
                codec.from_data(list[str], data.get("notes", [])),
            )
        except ValueError:
            return cls()

    def to_data(self) -> dict[str, Any]:
        """Data for JSON."""
        return {"loss": self.loss, "dev": self.dev, "notes": self.notes}

    def add(self, event: TrainEvent) -> bool:
        """Add an event; returns whether the history should be stored now."""
        match event:
            case TrainStep():
                if event.stage not in self._stages:
                    self._stages.add(event.stage)
                    self._remove_from(event)
                if math.isfinite(event.loss):
                    self.loss.append(LossPoint(event.stage, event.step, round(event.loss, 4)))
                if len(self.loss) > _MAX_POINTS:
                    self.loss = self.loss[1::2]
            case DevScores():
                self.dev.append(DevPoint(event.stage, event.step, event.epoch, event.scores))
            case TrainNote():
                self.notes = list(dict.fromkeys([*self.notes, event.text]))
        if isinstance(event, DevScores) or time.monotonic() > self._stored + _STORE_EVERY_S:
            self._stored = time.monotonic()
            return True
        return False

    def _remove_from(self, event: TrainStep) -> None:
        """Remove the points of this step and later ones, which a resumed training repeats."""
        self.loss = [point for point in self.loss if point.stage != event.stage or point.step < event.step]
        self.dev = [point for point in self.dev if point.stage != event.stage or point.step < event.step]
