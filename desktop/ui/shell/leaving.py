"""Asks before jobs that go on are stopped, and says of each what stays of it and how it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from desktop.text import count
from desktop.ui.services.runner import State
from desktop.ui.shell.status_bar.activity import JobEntry
from desktop.ui.widgets.questions import Question

if TYPE_CHECKING:
    from desktop.ui.shell.window import MainWindow

_NAMED = 4  # jobs; a batch of trainings is told by its first ones


class CloseGuard(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._asked: Question | None = None

    @property
    def has_unfinished_jobs(self) -> bool:
        """Whether a job goes on that nobody has stopped yet."""
        return bool(self._unfinished())

    def confirm_then(self, title: str, action: str, then: Callable[[], object]) -> None:
        """Do it at once when no job goes on, else when the person says so."""
        going = self._unfinished()
        if not going:
            then()
            return
        if self._asked is not None:
            self._asked.reject()
        one = len(going) == 1
        running = f"{going[0].title} is not finished." if one else f"{count(len(going), 'job')} are not finished."
        question = Question(
            self._window.theme,
            title,
            running,
            action,
            about="\n".join(_lines(going, named=not one)),
            destroys=True,
            dismiss="Keep working",
            parent=self._window,
        )
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.accepted.connect(then)
        question.finished.connect(self._forget)
        self._asked = question
        question.open()

    def _forget(self) -> None:
        self._asked = None

    def _unfinished(self) -> list[JobEntry]:
        return [
            entry
            for entry in self._window.activity.entries
            if entry.run is not None and not entry.has_ended and not entry.run.is_stopping
        ]


def _lines(going: list[JobEntry], *, named: bool) -> list[str]:
    lines = [f"{entry.title}: {_stays(entry)}" if named else _stays(entry) for entry in going[:_NAMED]]
    return [*lines, *([f"And {len(going) - _NAMED:,} more."] if len(going) > _NAMED else [])]


def _stays(entry: JobEntry) -> str:
    assert entry.run is not None
    if entry.state is State.WAITING:
        return "It has not begun. Start it again next time."
    return entry.run.job.if_stopped
