"""The question before unfinished jobs are stopped: what is kept of each, and how it can be continued."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from desktop.text import count
from desktop.ui.services.runner import State
from desktop.ui.shell.status_bar.activity import Activity, JobEntry
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question

_NAMED = 4  # jobs; a batch of trainings is told by its first ones


class CloseGuard(QObject):
    def __init__(self, activity: Activity, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._activity, self._theme, self._window = activity, theme, window
        self._question: Question | None = None

    @property
    def has_unfinished_jobs(self) -> bool:
        """Whether a job runs or waits that nobody has cancelled."""
        return bool(self._unfinished())

    def confirm_then(self, title: str, action: str, then: Callable[[], object]) -> None:
        """Call `then` at once when there is no unfinished job, else when the person agrees."""
        going = self._unfinished()
        if not going:
            then()
            return
        if self._question is not None:
            self._question.reject()
        one = len(going) == 1
        running = f"{going[0].title} is not finished." if one else f"{count(len(going), 'job')} are not finished."
        question = Question(
            self._theme,
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
        self._question = question
        question.open()

    def _forget(self) -> None:
        self._question = None

    def _unfinished(self) -> list[JobEntry]:
        return [
            entry
            for entry in self._activity.entries
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
