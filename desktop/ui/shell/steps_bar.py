"""The steps from papers to a data set, above the pages of a project that is new to its user."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.text import either
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.shell.navigation import PAGES_OF_ONE_PAIR
from desktop.ui.theme import Theme
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import row_of, stretched
from miner.parsing.formats import FORMATS
from storage.changes import Changes

if TYPE_CHECKING:  # the window starts without the database
    from desktop.jobs.next_steps import StepsDone

_CLOSED = "steps/closed"  # window setting
_READ_DELAY_MS = 500  # after a change
_TEXTS = {  # by the page that a step is done on: its name, and its result
    "papers": (
        tr("Add papers"),
        tr("{files}, dropped anywhere on the window", files=either([tr(format.plural) for format in FORMATS])),
    ),
    "mining": (tr("Mine pairs"), tr("Sentence pairs joined by linking phrases, and neutral pairs beside them")),
    "review": (tr("Review"), tr("Answer pairs one by one: each answer corrects a label")),
    "suggest": (tr("Get suggestions"), tr("A model suggests labels, and shows which labels are probably wrong")),
    "export": (tr("Export"), tr("Files ready for training, with a data card")),
}
_COLLEAGUES = (
    tr("Annotators"),
    tr(
        "For a benchmark with colleagues: split the papers, give rounds of pairs to several people, merge their answers"
    ),
)


class StepsBar(QWidget):
    """The bar of steps. It is hidden when every step is done, when nothing can be changed, and for good once closed.

    On request it is shown on any page, even if every step is done, until the user goes to another page.
    """

    page_requested = Signal(str)  # the page on which a step is done
    guide_requested = Signal()

    def __init__(
        self, settings_store: SettingsStore, theme: Theme, runner: JobRunner, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._settings_store, self._theme, self._runner = settings_store, theme, runner
        self._context: ProjectContext | None = None
        self._has_answers = self._is_wanted = self._is_asked_for = self._is_complete = False
        self._page = ""
        self._timer = QTimer(self, singleShot=True, interval=_READ_DELAY_MS)
        self._timer.timeout.connect(self._read)
        self.setAccessibleName(tr("Next steps"))
        self.buttons = {page: self._button(page, text, tip) for page, (text, tip) in _TEXTS.items()}
        self.colleagues = self._button("annotate", *_COLLEAGUES)
        self.guide_button = self._quiet_button("circle-help", tr("How does this work?"))
        set_tip(self.guide_button, tr("How does this work? The guide opens beside the window (F1)"))
        self.guide_button.clicked.connect(self.guide_requested)
        self.close_button = self._quiet_button("x", tr("Close the next steps"))
        set_tip(self.close_button, tr("Do not show the next steps any more. Help > Next steps shows them again"))
        self.close_button.clicked.connect(self.close_for_good)
        self._lay_out()
        self.setVisible(False)

    def use(self, context: ProjectContext | None) -> None:
        """Show the steps of this project; None if no project is open."""
        self._runner.cancel_read(self._on_read)
        self._timer.stop()
        self._show(wanted=False)
        self._context = None
        if context is None or context.read_only or context.assignment is not None:
            return
        self._context = context
        self._has_answers = False
        context.events.changed.connect(self._on_changed)
        self._read()

    def on_page_shown(self, name: str) -> None:
        has_exported = self._page == "export" != name  # perhaps: nothing tells of an export
        self._page, self._is_asked_for = name, False
        self._show(wanted=self._is_wanted and not self._is_complete)
        if has_exported and self._context is not None:
            self._timer.start()

    @Slot()
    def close_for_good(self) -> None:
        self._settings_store.window_settings.setValue(_CLOSED, True)
        self._is_asked_for = False
        self._show(wanted=False)

    @Slot()
    def open_again(self) -> None:
        self._settings_store.window_settings.remove(_CLOSED)
        self._is_asked_for = True
        self._read()

    @Slot()
    def _read(self) -> None:
        if self._context is not None and not self._settings_store.window_settings.contains(_CLOSED):
            from desktop.jobs.next_steps import load_steps_done

            self._runner.read(load_steps_done(self._context.project), self._on_read)

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        is_first_answer = not self._has_answers and bool(changes.annotated_keys)
        if changes.papers or changes.pairs or changes.many_annotated or changes.suggestions or is_first_answer:
            self._timer.start()

    @Slot(object)
    def _on_read(self, steps: StepsDone) -> None:
        done = {step.value for step in steps.done}
        self._has_answers = "review" in done
        self._is_complete = steps.next is None
        self._show(wanted=not self._is_complete or self._is_asked_for)
        for page, button in self.buttons.items():
            is_next = steps.next is not None and page == steps.next.value
            text, _ = _TEXTS[page]
            button.setText(f"✓ {text}" if page in done else text)
            button.setAccessibleName(f"{text}: {'done' if page in done else 'next' if is_next else 'later'}")
            button.setChecked(is_next)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show all steps, or only the next one if they do not fit in a line."""
        flow, others = self._flow, [*self.buttons.values(), self._or_label, self.colleagues]
        parts = [self._label, *others]
        room = self.width() - sum(quiet.sizeHint().width() for quiet in (self.guide_button, self.close_button))
        needed = sum(part.sizeHint().width() for part in parts) + flow.spacing() * len(parts)
        has_room = needed <= room - self._theme.px(24 + 8)
        for part in others:
            is_next = isinstance(part, QToolButton) and part.isChecked()
            part.setVisible(has_room or is_next)
        self._label.setText(
            tr("All steps are done") if self._is_complete else tr("Next steps") if has_room else tr("Next step")
        )

    def _show(self, *, wanted: bool) -> None:
        self._is_wanted = wanted
        self.setVisible(wanted and (self._is_asked_for or self._page not in PAGES_OF_ONE_PAIR))

    def _button(self, page: str, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setProperty("look", "step")
        button.setText(text)
        button.setCheckable(True)
        set_tip(button, tip)
        button.clicked.connect(partial(self._on_clicked, page))
        return button

    def _quiet_button(self, icon: str, name: str) -> QToolButton:
        button = QToolButton()
        button.setProperty("look", "quiet")
        button.setProperty("shape", "tight")
        self._theme.set_icon(button, icon)
        button.setAccessibleName(name)
        return button

    @Slot()
    def _on_clicked(self, page: str) -> None:
        button = self.buttons.get(page, self.colleagues)
        button.setChecked(not button.isChecked())  # a click does not check the step: what was done does
        self.page_requested.emit(page)

    def _lay_out(self) -> None:
        px = self._theme.px
        steps = QWidget()
        self._flow = flow = FlowLayout(px(8), steps)
        self._label, self._or_label = PlainLabel(tr("Next steps")), PlainLabel(tr("or with colleagues"))
        for label in (self._label, self._or_label):
            label.setProperty("type", "small")
        for part in (self._label, *self.buttons.values(), self._or_label, self.colleagues):
            flow.addWidget(part)
        layout = row_of(stretched(steps), spacing=0, margins=(px(24), px(8), px(8), 0))
        self.setLayout(layout)
        for quiet in (self.guide_button, self.close_button):
            layout.addWidget(quiet, 0, Qt.AlignmentFlag.AlignTop)
