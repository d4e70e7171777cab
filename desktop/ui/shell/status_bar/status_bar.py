"""The status bar: what runs, what was just done, who annotates, and whether it is saved."""

from __future__ import annotations

from PySide6.QtCore import QMetaObject, QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from desktop.text import count
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner, JobState
from desktop.ui.shell.status_bar.activity import Activity, JobEntry
from desktop.ui.shell.status_bar.job_bar import JobBar
from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip

QUICK = 400  # ms; a job that is done by then is not worth a look
_NARROW = 720
_NAME, _LONGEST_NAME = 24, 200  # characters of an annotator's name, in the status bar and in its tooltip
STAYS = 8_000  # ms that a result or a message stays


class StatusBar(QWidget):
    jobs_requested = Signal()
    undo_requested = Signal()
    annotator_requested = Signal()

    def __init__(self, activity: Activity, runner: JobRunner, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._activity = activity
        self._context: ProjectContext | None = None
        self._links: list[QMetaObject.Connection] = []
        self._entry: JobEntry | None = None
        self._narrow = False
        self.setProperty("look", "status_bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Activity")
        self.setFixedHeight(theme.px(40))
        self.job = self._link("Show all jobs")
        self.job.clicked.connect(self.jobs_requested)
        self.job_text = ElidedLabel()
        self.job_text.setFont(theme.font(SMALL))
        self.bar = JobBar(theme, 140)
        self.message = ElidedLabel()
        self.message.setFont(theme.font(SMALL))
        self.undo = self._link("Undo")
        self.undo.setText("Undo")
        self.undo.clicked.connect(self.undo_requested)
        self.annotator = QPushButton()
        self.annotator.setProperty("look", "quiet")
        self.annotator.setIconSize(QSize(theme.px(14), theme.px(14)))
        self.annotator.setIcon(theme.icon("user", "muted"))
        self.annotator.clicked.connect(self.annotator_requested)
        self.saved = PlainLabel()
        self.saved.setProperty("type", "small")
        self._lay_out()
        self._reveal = self._timer(QUICK, self._show_job)
        self._retire = self._timer(STAYS, self._hide_job)
        self._forget = self._timer(STAYS, self._hide_message)
        self._late = self._timer(QUICK, lambda: self.saved.setText("Saving…"))
        activity.changed.connect(self._on_changed)
        activity.cleared.connect(self._hide_job)
        runner.pending_saves_changed.connect(self._on_saving)
        runner.save_failed.connect(self._on_unsaved)
        self._hide_job()
        self._hide_message()
        self.use(None)
        if activity.going:
            self._show_job()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._narrow = self.width() < self._theme.px(_NARROW)
        self.bar.set_narrow(self._narrow)
        if self._context is not None:
            self._on_annotator(self._context.annotator)

    def use(self, context: ProjectContext | None) -> None:
        """Show the messages of this project; None: no project is open."""
        for link in self._links:
            QObject.disconnect(link)
        self._links.clear()
        self._context = context
        self._hide_message()
        self.annotator.setVisible(context is not None)
        self.saved.setVisible(context is not None)
        if context is not None:
            self._links = [
                context.message.connect(self.show_message),
                context.annotator_changed.connect(self._on_annotator),
            ]
            self._on_annotator(context.annotator)
            self.saved.setText("Read only" if context.read_only else "✓ saved")
        self._show_or_hide()

    @Slot(str, bool)
    def show_message(self, text: str, undo: bool = False) -> None:
        self.message.setText(text)
        self.message.setAccessibleName(text)
        self.message.setVisible(bool(text))
        self.undo.setVisible(undo)
        self._forget.start()
        self._show_or_hide()

    @property
    def shows_job(self) -> bool:
        return self._entry is not None

    # Jobs

    @Slot(object)
    def _on_changed(self, entry: JobEntry) -> None:
        if self._entry is not None:
            self._show_job()
        elif not entry.has_ended and not self._reveal.isActive():
            self._reveal.start()
        elif entry.has_ended and (entry.result is None or entry.result.problems or not self._reveal.isActive()):
            self._show_job()
        elif entry.has_ended and not self._activity.going:  # too quick to be seen working: a word is enough
            self._reveal.stop()
            if entry.state is JobState.DONE and entry.result is not None:
                self.show_message(entry.line)

    def _show_job(self) -> None:
        entry = self._activity.current
        if entry is None:
            return
        self._entry = entry
        beside = [other.short for other in self._activity.beside]
        others = self._activity.going - len(beside) - (0 if entry.has_ended else 1)
        more = "".join(f" · {part}" for part in [*beside, *([f"{others} more"] if others > 0 else [])])
        problems = len(entry.result.problems) if entry.result else 0
        self.job_text.setText(entry.line + more)
        self.job.setText(f"Show {count(problems, 'problem')}" if problems else "Jobs")
        self.job.setAccessibleName(f"{entry.line}{more}. {self.job.text()}")
        for widget in (self.job, self.job_text):
            widget.setVisible(True)
        self.bar.show_entry(entry)
        if entry.has_ended and not self._activity.going:
            if not self._retire.isActive():
                self._retire.start()
        else:
            self._retire.stop()
        self._show_or_hide()

    def _hide_job(self) -> None:
        self._reveal_stop()
        self._entry = None
        for widget in (self.job, self.job_text):
            widget.setVisible(False)
        self.bar.show_entry(None)
        self._show_or_hide()

    def _reveal_stop(self) -> None:
        for timer in ("_reveal", "_retire"):
            if hasattr(self, timer):
                getattr(self, timer).stop()

    # The rest

    @Slot(int)
    def _on_saving(self, going: int) -> None:
        if self._context is None or self._context.read_only:
            return
        if going and not self._late.isActive():
            self._late.start()
        elif not going:
            self._late.stop()
            self.saved.setText("✓ saved")

    @Slot()
    def _on_unsaved(self) -> None:
        """Until the next save works."""
        if self._context is not None and not self._context.read_only:
            self.saved.setText("▲ not saved")

    @Slot(str)
    def _on_annotator(self, name: str) -> None:
        short = name if len(name) <= _NAME else f"{name[: _NAME - 1].rstrip()}…"
        short = short.replace("&", "&&")
        self.annotator.setText((f" {short}" if self._narrow else f" annotator: {short}") if name else " Who annotates?")
        tip = "Change who annotates" if len(name) <= _NAME else f"{name[:_LONGEST_NAME]} annotates. Change it"
        set_tip(self.annotator, tip if name else "Say who annotates")
        self.annotator.setAccessibleName(f"Annotator: {name or 'not said yet'}. Change")

    def _hide_message(self) -> None:
        self.message.clear()
        self.message.setVisible(False)
        self.undo.setVisible(False)
        self._show_or_hide()

    def _show_or_hide(self) -> None:
        """With no project open the status bar is there only while it has something to say."""
        self.setVisible(self._context is not None or self._entry is not None or bool(self.message.text()))

    def _timer(self, ms: int, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(ms)
        timer.timeout.connect(slot)
        return timer

    def _link(self, name: str) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("look", "link")
        button.setFont(self._theme.font(SMALL))
        button.setAccessibleName(name)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def _lay_out(self) -> None:
        theme = self._theme
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(16), 0, theme.px(12), 0)
        layout.setSpacing(theme.px(12))
        layout.addWidget(self.bar)
        layout.addWidget(self.job_text)
        layout.addWidget(self.job)
        layout.addWidget(self.message)
        layout.addWidget(self.undo)
        layout.addStretch(1)
        layout.addWidget(self.annotator)
        layout.addWidget(self.saved)
        for label in (self.job_text, self.message):  # as wide as its text, less where there is no room
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
