"""Asks for a confirmation before unfinished jobs are stopped or unsaved text is lost, and says what is kept."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.runner import JobState
from desktop.ui.shell.page_stack import PageStack
from desktop.ui.shell.status_bar.activity import Activity, JobEntry
from desktop.ui.theme import Theme
from desktop.ui.widgets.questions import Question

_MAX_JOBS_LISTED = 4


class CloseGuard(QObject):
    """Asks before an action that would stop jobs or lose unsaved text, such as closing the project."""

    def __init__(self, activity: Activity, stack: PageStack, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._activity, self._stack, self._theme, self._window = activity, stack, theme, window
        self._question: Question | None = None

    @property
    def asks(self) -> bool:
        """Whether there is an unfinished job that was not cancelled, or unsaved text."""
        return bool(self._unfinished() or self._stack.unsaved)

    def confirm_then(self, title: str, action: str, then: Callable[[], object]) -> None:
        """Call `then`: at once if nothing would be stopped or lost, else after the user has confirmed by `action`."""
        entries, unsaved = self._unfinished(), self._stack.unsaved
        if not entries and not unsaved:
            then()
            return
        if self._question is not None:
            self._question.reject()
        is_one = len(entries) == 1
        if not entries:
            text = tr("Something you wrote is not saved.")
        elif is_one:
            text = tr("{title} is not finished.", title=entries[0].title)
        else:
            text = tr("{jobs} are not finished.", jobs=count(len(entries), "job"))
        question = Question(
            self._theme,
            title,
            text,
            action,
            about="\n".join([*_lines(entries, named=not is_one), *unsaved]),
            destroys=True,
            dismiss=tr("Keep working"),
            parent=self._window,
        )
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.accepted.connect(then)
        question.finished.connect(self._on_question_finished)
        self._question = question
        question.open()

    def _on_question_finished(self) -> None:
        self._question = None

    def _unfinished(self) -> list[JobEntry]:
        return [
            entry
            for entry in self._activity.entries
            if entry.run is not None and not entry.has_ended and not entry.run.is_stopping
        ]


def _lines(entries: list[JobEntry], *, named: bool) -> list[str]:
    lines = [
        f"{entry.title}: {_what_is_kept(entry)}" if named else _what_is_kept(entry)
        for entry in entries[:_MAX_JOBS_LISTED]
    ]
    return [
        *lines,
        *(
            [tr("And {entries:,} more.", entries=len(entries) - _MAX_JOBS_LISTED)]
            if len(entries) > _MAX_JOBS_LISTED
            else []
        ),
    ]


def _what_is_kept(entry: JobEntry) -> str:
    assert entry.run is not None
    if entry.state is JobState.WAITING:
        return tr("It has not started yet. Start it again next time.")
    return entry.run.job.if_stopped
