"""The status bar: the running job, the last message, the annotator, and whether everything is saved."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMetaObject, QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from desktop.text import count, shortened
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner, JobState, SaveState
from desktop.ui.shell.status_bar.activity import Activity, JobEntry
from desktop.ui.shell.status_bar.job_bar import JobBar
from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, row_of

SHOW_JOB_AFTER_MS = 400  # a job that ends sooner is not shown
MESSAGE_DURATION_MS = 8_000  # also of a job's result
_NARROW_WIDTH_PX = 720
_MAX_NAME_LENGTH, _MAX_TIP_NAME_LENGTH = 24, 200  # characters of the annotator's name, in the bar and its tooltip
_SAVE_STATE_TEXTS = {
    SaveState.SAVED: tr("✓ saved"),
    SaveState.SAVING: tr("Saving…"),
    SaveState.FAILED: tr("▲ not saved"),
}


class StatusBar(QWidget):
    """The bar at the bottom of the window."""

    jobs_requested = Signal()
    undo_requested = Signal()
    annotator_requested = Signal()
    problems_requested = Signal()

    def __init__(self, activity: Activity, runner: JobRunner, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._activity = activity
        self._context: ProjectContext | None = None
        self._connections: list[QMetaObject.Connection] = []
        self._entry: JobEntry | None = None
        self._is_narrow = False
        self.setProperty("look", "status_bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Activity"))
        self.setFixedHeight(theme.px(40))
        self.job = self._link_button(tr("Show all jobs"))
        self.job.clicked.connect(self.jobs_requested)
        self.job_text = ElidedLabel()
        self.job_text.setFont(theme.font(SMALL))
        self.bar = JobBar(theme, 140)
        self.message = ElidedLabel()
        self.message.setFont(theme.font(SMALL))
        self.undo = self._link_button(tr("Undo"))
        self.undo.setText(tr("Undo"))
        self.undo.clicked.connect(self.undo_requested)
        self.problems = self._quiet_button("triangle-alert", "warning")
        self.problems.clicked.connect(self.problems_requested)
        self.annotator = self._quiet_button("user", "muted")
        self.annotator.clicked.connect(self.annotator_requested)
        self.saved = PlainLabel(type="small")
        self._lay_out()
        self._show_timer = self._timer(SHOW_JOB_AFTER_MS, self._show_job)
        self._hide_timer = self._timer(MESSAGE_DURATION_MS, self._hide_job)
        self._message_timer = self._timer(MESSAGE_DURATION_MS, self._hide_message)
        activity.changed.connect(self._on_changed)
        activity.cleared.connect(self._hide_job)
        runner.save_state_changed.connect(self._on_save_state_changed)
        self.show_problems(0, 0)
        self._hide_job()
        self._hide_message()
        self.use(None)
        if activity.unfinished_count:
            self._show_job()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._is_narrow = self.width() < self._theme.px(_NARROW_WIDTH_PX)
        self.bar.set_narrow(self._is_narrow)
        if self._context is not None:
            self._on_annotator(self._context.annotator_name)

    def use(self, context: ProjectContext | None) -> None:
        """Show the messages and the annotator of this project; None: no project is open."""
        for connection in self._connections:
            QObject.disconnect(connection)
        self._connections.clear()
        self._context = context
        self._hide_message()
        self.annotator.setVisible(context is not None)
        self.saved.setVisible(context is not None)
        if context is not None:
            self._connections = [
                context.message.connect(self.show_message),
                context.annotator_changed.connect(self._on_annotator),
            ]
            self._on_annotator(context.annotator_name)
            self.saved.setText(tr("Read only") if context.read_only else _SAVE_STATE_TEXTS[SaveState.SAVED])
        self._update_visibility()

    @Slot(str, bool)
    def show_message(self, text: str, undo: bool = False) -> None:
        """Show a text for a while. undo: with an Undo button."""
        self.message.setText(text)
        self.message.setAccessibleName(text)
        self.message.setVisible(bool(text))
        self.undo.setVisible(undo)
        self._message_timer.start()
        self._update_visibility()

    def show_problems(self, unseen: int, total: int) -> None:
        """Show a button for the list of problems.

        total: how many there are. unseen: how many nobody has looked at yet.
        """
        self.problems.setIcon(self._theme.icon("triangle-alert", "warning" if unseen else "muted"))
        self.problems.setText(f" {count(unseen or total, 'problem')}")
        self.problems.setAccessibleName(
            tr("Show {problems}", problems=count(unseen, "new problem") if unseen else count(total, "problem"))
        )
        set_tip(self.problems, self.problems.accessibleName())
        self.problems.setVisible(bool(total))

    # Jobs

    @Slot(object)
    def _on_changed(self, entry: JobEntry) -> None:
        if self._entry is not None:
            self._show_job()
        elif not entry.has_ended and not self._show_timer.isActive():
            self._show_timer.start()
        elif entry.has_ended and (entry.result is None or entry.result.problems or not self._show_timer.isActive()):
            self._show_job()
        elif entry.has_ended and not self._activity.unfinished_count:  # it was never shown: only its result is
            self._show_timer.stop()
            if entry.state is JobState.DONE and entry.result is not None:
                self.show_message(entry.line)

    def _show_job(self) -> None:
        entry = self._activity.current
        if entry is None:
            return
        self._entry = entry
        running = [other.short for other in self._activity.other_running]
        others = self._activity.unfinished_count - len(running) - (0 if entry.has_ended else 1)
        more = "".join(
            f" · {part}" for part in [*running, *([tr("{others} more", others=others)] if others > 0 else [])]
        )
        problems = len(entry.result.problems) if entry.result else 0
        self.job_text.setText(entry.line + more)
        self.job.setText(tr("Show {problems}", problems=count(problems, "problem")) if problems else tr("Jobs"))
        self.job.setAccessibleName(f"{entry.line}{more}. {self.job.text()}")
        for widget in (self.job, self.job_text):
            widget.setVisible(True)
        self.bar.show_entry(entry)
        if entry.has_ended and not self._activity.unfinished_count:
            if not self._hide_timer.isActive():
                self._hide_timer.start()
        else:
            self._hide_timer.stop()
        self._update_visibility()

    def _hide_job(self) -> None:
        self._show_timer.stop()
        self._hide_timer.stop()
        self._entry = None
        for widget in (self.job, self.job_text):
            widget.setVisible(False)
        self.bar.show_entry(None)
        self._update_visibility()

    # Saving, annotator and messages

    @Slot(object)
    def _on_save_state_changed(self, state: SaveState) -> None:
        if self._context is not None and not self._context.read_only:
            self.saved.setText(_SAVE_STATE_TEXTS[state])

    @Slot(str)
    def _on_annotator(self, name: str) -> None:
        short = shortened(name, _MAX_NAME_LENGTH).replace("&", "&&")
        self.annotator.setText(
            (f" {short}" if self._is_narrow else tr(" annotator: {short}", short=short))
            if name
            else tr(" Who annotates?")
        )
        tip = (
            tr("Change who annotates")
            if len(name) <= _MAX_NAME_LENGTH
            else tr("{name} annotates. Change it", name=name[:_MAX_TIP_NAME_LENGTH])
        )
        set_tip(self.annotator, tip if name else tr("Set who annotates"))
        self.annotator.setAccessibleName(tr("Annotator: {name}. Change", name=name or tr("not set")))

    def _hide_message(self) -> None:
        self.message.clear()
        self.message.setVisible(False)
        self.undo.setVisible(False)
        self._update_visibility()

    def _update_visibility(self) -> None:
        """Show the status bar while a project is open, else only while it shows something."""
        self.setVisible(self._context is not None or self._entry is not None or bool(self.message.text()))

    def _timer(self, ms: int, slot: Callable[[], object]) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=ms)
        timer.timeout.connect(slot)
        return timer

    def _link_button(self, name: str) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("look", "link")
        button.setFont(self._theme.font(SMALL))
        button.setAccessibleName(name)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def _quiet_button(self, icon: str, token: str) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("look", "quiet")
        button.setIconSize(QSize(self._theme.px(14), self._theme.px(14)))
        button.setIcon(self._theme.icon(icon, token))
        return button

    def _lay_out(self) -> None:
        theme = self._theme
        self.setLayout(
            row_of(
                self.bar,
                self.job_text,
                self.job,
                self.message,
                self.undo,
                STRETCH,
                self.problems,
                self.annotator,
                self.saved,
                spacing=theme.px(12),
                margins=(theme.px(16), 0, theme.px(12), 0),
            )
        )
        for label in (self.job_text, self.message):  # as wide as the text, or narrower if there is no room
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
