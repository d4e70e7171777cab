"""The progress bar of a job with its buttons, for the status bar and the list of jobs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QProgressBar, QPushButton, QSizePolicy, QToolButton, QWidget

from desktop.translation import tr
from desktop.ui.services.runner import JobState
from desktop.ui.shell.status_bar.activity import JobEntry
from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.layouts import row_of, space


class JobBar(QWidget):
    """Progress bar, Pause and Cancel of an unfinished job; hidden after it has ended.

    The bar is before the job's text, so that the buttons do not move when the length of the text changes.
    """

    def __init__(self, theme: Theme, width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entry: JobEntry | None = None
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self._width = width
        self.set_narrow(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.pause = self._button("pause", tr("Pause"))
        self.pause.clicked.connect(self._on_pause)
        self.cancel = self._button("x", tr("Cancel: what is finished is kept"))
        self.cancel.clicked.connect(self._on_cancel)
        self.resume = QPushButton(tr("Resume"))
        self.resume.setProperty("look", "link")
        self.resume.setFont(theme.font(SMALL))
        self.resume.setCursor(Qt.CursorShape.PointingHandCursor)
        self.resume.clicked.connect(self._on_pause)
        self.resume.setVisible(False)
        self.setLayout(
            row_of(self.progress, space(theme.px(4)), self.pause, self.cancel, self.resume, spacing=theme.px(4))
        )

    def set_narrow(self, narrow: bool) -> None:
        self.progress.setFixedWidth(self._theme.px(self._width // 3 if narrow else self._width))

    def show_entry(self, entry: JobEntry | None) -> None:
        """Show this job; None for no job."""
        self._entry = entry
        is_unfinished = entry is not None and not entry.has_ended
        self.setVisible(is_unfinished)
        if entry is None or entry.run is None or not is_unfinished:
            return
        self.progress.setAccessibleName(tr("Progress of {title}", title=entry.title))
        if entry.total:
            self.progress.setRange(0, entry.total)
            self.progress.setValue(min(entry.done, entry.total))
        elif entry.state is JobState.WAITING or self._theme.reduced_motion:
            self.progress.setRange(0, 1)
            self.progress.setValue(0)
        else:
            self.progress.setRange(0, 0)  # indeterminate
        is_paused = entry.state is JobState.PAUSED
        self.pause.setEnabled(entry.state in (JobState.RUNNING, JobState.PAUSED) and not entry.run.progress.cancelled)
        self._set_button(
            self.pause, "play" if is_paused else "pause", tr("Resume") if is_paused else tr("Pause"), entry
        )
        self._set_button(self.cancel, "x", tr("Cancel: what is finished is kept"), entry)
        self.cancel.setEnabled(not entry.run.is_stopping)
        self.resume.setAccessibleName(tr("Resume ({title})", title=entry.title))
        self.resume.setVisible(entry.run.can_revoke_cancel)

    def _button(self, icon: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("look", "quiet")
        button.setIconSize(QSize(self._theme.px(14), self._theme.px(14)))
        set_tip(button, text)
        button.setAccessibleName(text)
        self._theme.set_icon(button, icon)
        return button

    def _set_button(self, button: QToolButton, icon: str, text: str, entry: JobEntry) -> None:
        if button.toolTip() != text:
            self._theme.set_icon(button, icon)
            set_tip(button, text)
        button.setAccessibleName(f"{text} ({entry.title})")

    @Slot()
    def _on_pause(self) -> None:
        if self._entry is not None and self._entry.run is not None:
            run = self._entry.run
            run.resume() if run.state is JobState.PAUSED else run.pause()

    @Slot()
    def _on_cancel(self) -> None:
        if self._entry is not None and self._entry.run is not None:
            self._entry.run.request_cancel()
            self.show_entry(self._entry)
