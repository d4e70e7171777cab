"""How a training went, small enough to be kept with its run and drawn again."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from miner.classifier.events import Dev, Event, Note, Step

_POINTS = 600  # of the loss: as wide as a plot is
_KEPT_EVERY = 10.0  # seconds


@dataclass
class History:
    """`loss`: [stage, step, loss]; `dev`: [stage, step, epoch, scores as data]; `notes`: sentences. As JSON."""

    loss: list[list[Any]] = field(default_factory=list)
    dev: list[list[Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _kept: float = field(default_factory=time.monotonic)
    _stages: set[str] = field(default_factory=set)  # heard of in this sitting

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """What `to_data` gave; empty for {}."""
        return cls(list(data.get("loss", ())), list(data.get("dev", ())), list(data.get("notes", ())))

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return {"loss": self.loss, "dev": self.dev, "notes": self.notes}

    def hear(self, event: Event) -> bool:
        """Take it in; whether it is time to keep the history."""
        match event:
            case Step():
                if event.stage not in self._stages:
                    self._stages.add(event.stage)
                    self._go_back(event)
                if math.isfinite(event.loss):
                    self.loss.append([event.stage, event.step, round(event.loss, 4)])
                if len(self.loss) > _POINTS:
                    self.loss = self.loss[1::2]
            case Dev():
                self.dev.append([event.stage, event.step, event.epoch, event.scores])
            case Note():
                self.notes = list(dict.fromkeys([*self.notes, event.text]))
        if isinstance(event, Dev) or time.monotonic() > self._kept + _KEPT_EVERY:
            self._kept = time.monotonic()
            return True
        return False

    def _go_back(self, event: Step) -> None:
        """Resumed, a training does again what came after its last checkpoint."""
        for rows in (self.loss, self.dev):
            rows[:] = [row for row in rows if row[0] != event.stage or row[1] < event.step]
