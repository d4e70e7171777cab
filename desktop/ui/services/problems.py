"""The problems of a session: a sentence and a hint for each, and for a bug the details to copy."""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop.translation import tr
from miner.errors import UserError
from miner.progress import Cancelled

log = logging.getLogger(__name__)

_MAX_PROBLEMS = 500


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem. `summary`: what happened, to what. `hint`: what to do about it. `details`: the traceback of a bug.

    `is_on_page`: the page on screen already shows it, so no toast is needed.
    """

    summary: str
    hint: str = ""
    details: str = ""
    is_on_page: bool = False
    at: datetime = field(default_factory=datetime.now)

    @property
    def is_bug(self) -> bool:
        return bool(self.details)

    @property
    def signature(self) -> str:
        """A text that is equal for bugs at the same place in the code."""
        lines = [line for line in self.details.splitlines() if line.lstrip().startswith("File ")]
        return "\n".join([self.summary, *lines[-3:]])


class Problems(QObject):
    """All problems since the window opened, the newest last."""

    added = Signal(object)  # Problem
    unseen_changed = Signal(int)
    _reported = Signal(object)  # an exception, from any thread

    def __init__(self, log_path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.log_path = log_path
        self.all: list[Problem] = []
        self.unseen = 0
        self._reported.connect(self.show)

    def report(self, error: BaseException) -> None:
        """Show an error from any thread; the signals are emitted in the window's thread."""
        self._reported.emit(error)

    @Slot(object)
    def show(self, error: BaseException, *, is_on_page: bool = False) -> None:
        """Add a problem for an error. `Cancelled` is not a problem."""
        if isinstance(error, Cancelled):
            return
        if isinstance(error, UserError):
            self.add(Problem(str(error), error.hint, is_on_page=is_on_page))
            return
        details = "".join(traceback.format_exception(error))
        log.error("unexpected: %s", error, exc_info=error)
        summary = tr("Pairwright met an unexpected error ({name}).", name=type(error).__name__)
        self.add(
            Problem(
                summary,
                tr("What was saved before is safe, and the program goes on. Please report the details."),
                details,
            )
        )

    def add(self, problem: Problem) -> None:
        self.all.append(problem)
        del self.all[:-_MAX_PROBLEMS]
        self.unseen += 1
        self.added.emit(problem)
        self.unseen_changed.emit(self.unseen)

    def mark_seen(self) -> None:
        """Reset the count of unseen problems, since the list of problems is on screen."""
        self.unseen = 0
        self.unseen_changed.emit(0)
