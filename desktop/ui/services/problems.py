"""Problems as people meet them: a sentence and what to do next, or, for a bug of ours, details to copy."""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from miner.errors import UserError
from miner.progress import Cancelled

log = logging.getLogger(__name__)

_KEPT = 500


@dataclass(frozen=True, slots=True)
class Problem:
    """What happened, to what, and what to do; `details` is a traceback where it is a bug of ours.

    `told`: the page on screen says it where it happened.
    """

    what: str
    hint: str = ""
    details: str = ""
    told: bool = False
    at: datetime = field(default_factory=datetime.now)

    @property
    def is_bug(self) -> bool:
        return bool(self.details)

    @property
    def signature(self) -> str:
        """The same for bugs at the same place."""
        lines = [line for line in self.details.splitlines() if line.lstrip().startswith("File ")]
        return "\n".join([self.what, *lines[-3:]])


class Problems(QObject):
    """All problems since the window opened, the last one last."""

    added = Signal(object)  # Problem
    unseen_changed = Signal(int)

    def __init__(self, log_path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.log_path = log_path
        self.all: list[Problem] = []
        self.unseen = 0

    @Slot(object)
    def show(self, error: BaseException, *, told: bool = False) -> None:
        """Tell of an error, or only keep it where the person was told already; being asked to stop is none."""
        if isinstance(error, Cancelled):
            return
        if isinstance(error, UserError):
            self.add(Problem(str(error), error.hint, told=told))
            return
        details = "".join(traceback.format_exception(error))
        log.error("unexpected: %s", error, exc_info=error)
        what = f"Something in Pairwright is not as it should be ({type(error).__name__})."
        self.add(
            Problem(what, "What was saved before is safe, and the program goes on. Please report the details.", details)
        )

    def add(self, problem: Problem) -> None:
        self.all.append(problem)
        del self.all[:-_KEPT]
        self.unseen += 1
        self.added.emit(problem)
        self.unseen_changed.emit(self.unseen)

    def see(self) -> None:
        """The person has looked at them."""
        self.unseen = 0
        self.unseen_changed.emit(0)
