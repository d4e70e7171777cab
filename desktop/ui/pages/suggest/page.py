"""The Model page of the suggestions: a model suggests labels, and cards compare them with phrases and people."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from desktop.jobs.models.suggest_state import load_suggest_state
from desktop.jobs.models.suggestions import load_model, release_model
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.suggest.cards import SuggestionCards
from desktop.ui.pages.suggest.model_picker import ClassOrderDialog, ModelPicker
from desktop.ui.pages.suggest.text import (
    NO_PAIRS_TEXT,
    NO_SUGGESTIONS_TEXT,
    ButtonState,
    button_state,
    is_current_model,
    progress_text,
    retrain_text,
    subtitle_text,
)
from desktop.ui.plots.card import with_plots
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobQueue, JobRun, JobState
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.layouts import column_of
from desktop.ui.widgets.notices import EmptyState
from miner.classifier.checkpoints import UnknownClassOrder
from miner.errors import UserError
from miner.progress import Job, Tick
from miner.records import Label
from storage.changes import Changes

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice
    from desktop.jobs.models.suggest_state import SuggestState
    from desktop.jobs.models.suggestions import SuggestionResult

_REFRESH_INTERVAL_MS = 1000  # at least, however fast suggestions come
_RELEASE_DELAY_MS = 600_000  # after the page is hidden, before the model's memory is released


class SuggestPage(Page):
    title = tr("Model")
    preloads_model = True
    """Whether to load the selected model before suggestions are requested."""
    _suggestions_saved = Signal()  # emitted in the job's thread

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._state: SuggestState | None = None
        self._run: JobRun | None = None
        self._class_orders: dict[str, tuple[Label, ...]] = {}
        self._problem: UserError | None = None
        self._notes: tuple[str, ...] = ()
        self._loaded_model = ""
        self._last_read_at = 0.0
        self._refresh_timer = self.create_timer(self._read_state)
        self._publish_timer = self.create_timer(self._publish_changes)
        self._release_timer = self.create_timer(self._release_model)
        self._suggestions_saved.connect(self._on_suggestions_saved)
        self._lay_out()
        self._add_actions()

    # Changes from outside

    def activate(self) -> None:
        super().activate()
        if self._state is not None:
            self._choose_requested_model()

    def refresh(self, changes: Changes) -> None:
        if changes == Changes(papers=True) and self._state is not None and self._run is None:
            return  # titles and files do not matter here
        wait = _REFRESH_INTERVAL_MS - round(1000 * (time.monotonic() - self._last_read_at))
        if self.context.is_reading(self._on_state) or wait > 0:
            if not self._refresh_timer.isActive():
                self._refresh_timer.start(max(wait, 50))
        else:
            self._read_state()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._release_timer.stop()
        self._load_model()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._release_timer.start(_RELEASE_DELAY_MS)

    @Slot()
    def _read_state(self) -> None:
        if self.context.is_reading(self._on_state):
            self._refresh_timer.start(_REFRESH_INTERVAL_MS)
            return
        self._last_read_at = time.monotonic()
        job = load_suggest_state(self.context.project)
        self.context.read(with_plots(job), self._on_state)

    @Slot(object)
    def _on_state(self, state: SuggestState) -> None:
        is_first = self._state is None
        self._last_read_at = time.monotonic()
        self._state = state
        current = [choice.reference for choice in state.choices if is_current_model(state, choice)]
        self.picker.show_choices(state.choices, current[0] if is_first and current else "")
        self._choose_requested_model()
        if state.summary is not None and state.summary.suggested:
            self.cards.show_state(state)
        self._show_state()
        self._load_model()

    # The model

    @property
    def choice(self) -> ModelChoice | None:
        return self.picker.choice

    def _choose_requested_model(self) -> None:
        """Select the model that another page has requested."""
        if reference := self.context.requested_model:
            self.context.requested_model = ""
            self.picker.models.choose(reference)

    @Slot()
    def _on_model_changed(self) -> None:
        self._problem, self._notes = None, ()
        self._show_state()
        self._load_model()

    def ask_class_order(self) -> None:
        choice = self.choice
        if choice is None:
            return
        dialog = ClassOrderDialog(self.context.theme, choice.name, self)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self._class_orders[choice.reference] = dialog.order
            self._on_model_changed()

    def _load_model(self) -> None:
        """Load the selected model in advance, so that it is ready when the button is pressed."""
        choice, state = self.choice, self._state
        if choice is None or state is None or not self.isVisible() or self._run is not None:
            return
        if (
            not self.preloads_model
            or self.context.read_only
            or not state.pairs
            or choice.problem
            or choice.reference in (self._loaded_model, *self._class_orders)
        ):
            return
        if choice.kind == "hub" or self.picker.models.is_new(choice):
            return  # it may need a download, or the order of its classes
        self._loaded_model = reference = choice.reference
        job = load_model(self.context.project, reference)
        run = self.context.runner.start(job, queue=JobQueue.MODELS)
        run.failed.connect(self._on_failed)

    @Slot()
    def _release_model(self) -> None:
        if self._run is not None:
            self._release_timer.start(_RELEASE_DELAY_MS)  # the model is in use: look again later
        elif self._loaded_model:
            self._loaded_model = ""
            job = Job(tr("Releasing the model's memory"), lambda _: release_model())
            self.context.runner.start(job, queue=JobQueue.MODELS)

    # Suggesting

    @Slot()
    def suggest(self) -> None:
        choice, state = self.choice, self._state
        if choice is None or state is None or not self._can_suggest():
            return
        from desktop.jobs.models.model_options import SuggestOptions
        from desktop.jobs.models.suggestions import suggest

        again = button_state(state, choice).again
        options = SuggestOptions(choice.reference, self._class_orders.get(choice.reference), rescore=again)
        self._problem, self._notes = None, ()
        self._loaded_model = choice.reference
        job = suggest(self.context.project, options, on_stored=lambda done, total: self._suggestions_saved.emit())
        self._run = run = self.context.runner.start(job)
        run.ticked.connect(self._show_progress)
        run.paused.connect(self._show_progress)
        run.started.connect(self._show_progress)
        run.done.connect(self._on_done)
        run.failed.connect(self._on_failed)
        run.ended.connect(self._on_ended)
        self._show_state()

    @Slot()
    def _on_suggestions_saved(self) -> None:
        """Show the first suggestions at once, and later ones about once a second."""
        if self._run is not None and not self._publish_timer.isActive():
            self._publish_timer.start(0 if self._state is None or self._state.shown is None else _REFRESH_INTERVAL_MS)

    @Slot()
    def _publish_changes(self) -> None:
        self.context.events.changed.emit(Changes(suggestions=True))

    @Slot(object)
    def _on_done(self, result: SuggestionResult) -> None:
        self._notes = result.notes

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, UserError):
            self._problem = error
            self._show_state()
        self.context.problems.show(error, is_on_page=isinstance(error, UserError) and self.isVisible())

    @Slot()
    def _on_ended(self) -> None:
        self._run = None
        self._publish_timer.stop()
        self._last_read_at = 0.0
        self.context.events.changed.emit(Changes(suggestions=True))
        self._show_state()

    @Slot()
    def _on_pause(self) -> None:
        if self._run is not None:
            (self._run.resume if self._run.state is JobState.PAUSED else self._run.pause)()

    @Slot()
    def _on_stop(self) -> None:
        if self._run is not None:
            self._run.cancel()
            self._show_progress()

    # State on screen

    def _can_suggest(self) -> bool:
        return not (
            self.context.read_only or self._run is not None or (self.choice is not None and self.choice.problem)
        )

    def _show_state(self) -> None:
        state, choice = self._state, self.choice
        if state is None:
            return
        if not state.pairs:
            self.set_subtitle("")
            self._show_only(self.no_pairs)
            self.picker.setVisible(False)
            return
        self.picker.setVisible(True)
        self.set_subtitle(subtitle_text(state))
        has_suggestions = state.summary is not None and state.summary.suggested > 0
        button = button_state(state, choice) if choice is not None else ButtonState("")
        can_suggest = self._can_suggest()
        is_empty = not has_suggestions and self._run is None
        text = "" if is_empty or self._run else button.text
        self.picker.show_button(text, is_primary=button.is_primary, enabled=can_suggest)
        self.no_suggestions.button.setText(button.text)
        self.no_suggestions.button.setEnabled(can_suggest)
        self._show_only(self.cards if has_suggestions else self.no_suggestions if is_empty else self.waiting)
        self._show_notice(state, choice)
        retrain = retrain_text(state.new_answers) if state.retrain and self._run is None else ""
        self.picker.show_retrain_offer(retrain)
        self._show_progress()

    def _show_only(self, visible: QWidget) -> None:
        for widget in self._state_widgets:
            widget.setVisible(widget is visible)

    def _show_notice(self, state: SuggestState, choice: ModelChoice | None) -> None:
        """Show why nothing can be suggested, or a note on the suggestions."""
        if self.context.read_only:
            self.picker.show_notice(tr("This project is read-only, so no suggestions can be added."), "info")
        elif self._problem is not None:
            asks_class_order = isinstance(self._problem, UnknownClassOrder)
            hint = "" if asks_class_order else self._problem.hint  # the button beside it says what to do
            text = f"{self._problem} {hint}".strip()
            self.picker.show_notice(text, "bad", can_set_class_order=asks_class_order)
        elif choice is not None and choice.problem:
            self.picker.show_notice(choice.problem, "bad")
        elif choice is not None and state.shown is not None and not is_current_model(state, choice):
            text = tr(
                "The suggestions shown are by {model}; they are kept until the new model has suggested "
                "labels for all pairs.",
                model=state.shown.model,
            )
            self.picker.show_notice(text, "info")
        else:
            self.picker.show_notice(" ".join(self._notes), "info")

    @Slot()
    def _show_progress(self) -> None:
        run = self._run
        if run is None:
            self.picker.show_progress(None)
            return
        tick = run.last_tick or Tick(0, None)
        self.picker.show_progress(tick, text=progress_text(run), paused=run.state is JobState.PAUSED)

    # Layout

    def _lay_out(self) -> None:
        theme = self.context.theme
        self.picker = picker = ModelPicker(theme, self.context.path.parent)
        picker.setVisible(False)
        picker.model_changed.connect(self._on_model_changed)
        picker.class_order_requested.connect(self.ask_class_order)
        picker.suggest_requested.connect(self.suggest)
        picker.pause_requested.connect(self._on_pause)
        picker.stop_requested.connect(self._on_stop)
        picker.train_requested.connect(lambda: self.context.page_requested.emit("train"))
        self.no_pairs = EmptyState(theme, NO_PAIRS_TEXT, tr("Add papers"))
        self.no_pairs.button.clicked.connect(lambda: self.context.page_requested.emit("papers"))
        self.no_suggestions = EmptyState(theme, NO_SUGGESTIONS_TEXT, tr("Suggest"))
        self.no_suggestions.button.clicked.connect(self.suggest)
        self.waiting = EmptyState(theme, tr("The first suggestions will appear here soon."))
        self.cards = SuggestionCards(theme)
        self.cards.opened.connect(self.context.pairs_requested)
        self.cards.copied.connect(
            lambda lines: self.context.show_message(tr("Copied {lines} of numbers.", lines=count(lines, "line")))
        )
        self._state_widgets = (self.no_pairs, self.no_suggestions, self.waiting, self.cards)
        column = QWidget()
        layout = column_of(picker, spacing=theme.px(16), margins=(0, 0, theme.px(8), 0))
        column.setLayout(layout)
        for widget in self._state_widgets:
            layout.addWidget(widget, 1)
            widget.setVisible(False)
        layout.addStretch(0)
        self.body.addWidget(FormScrollArea(column), 1)
        self.initial_focus = picker.models

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add(
            "suggest.suggest",
            tr("Suggest"),
            self.suggest,
            menu=self.title,
            keys="Ctrl+Return",
            icon="lightbulb",
            widget=self,
        )
        add(
            "suggest.folder",
            tr("Choose a model's folder…"),
            self.picker.models.ask_folder,
            menu=self.title,
            icon="folder",
            widget=self,
        )
        add(
            "suggest.hub",
            tr("Model from the Hugging Face hub…"),
            self.picker.models.ask_hub,
            menu=self.title,
            icon="download",
            widget=self,
        )
        add(
            "suggest.doubted",
            tr("Show doubted pairs as a table"),
            self._show_doubted,
            menu=self.title,
            widget=self,
        )

    def _show_doubted(self) -> None:
        """Show the listed doubted labels that nobody has answered on the Pairs page."""
        if self._state is not None:
            self.context.pairs_requested.emit(self._state.waiting)
