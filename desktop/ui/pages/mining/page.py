"""The Mining page: settings and lexicon to the left, what they would change to the right."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTabWidget, QWidget

from desktop.jobs.mining.preview import SettingsEffect, SettingsPreview
from desktop.jobs.mining.run import MiningResult, MiningState, load_mining_state, mine
from desktop.jobs.pairs.statistics import load_phrase_figures
from desktop.text import count
from desktop.ui.pages.mining.effect import EffectPane
from desktop.ui.pages.mining.form import SettingsForm
from desktop.ui.pages.mining.lexicon import LexiconEditor
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from miner.mining.settings import MiningSettings
from storage.changes import Changes

_PAUSE = 150  # milliseconds without a change before a sample is mined
_REST = 60_000  # milliseconds out of sight before the sampler's process ends


class MiningPage(Page):
    """`model`: what reads sentences, see `load_analyzer`."""

    title = "Mining"
    _partly = Signal(object)  # Effect, of the first papers; from the job's thread

    def __init__(self, context: ProjectContext, parent: QWidget | None = None, *, model: str | None = None) -> None:
        super().__init__(context, parent)
        self._model = model
        self._sampler = SettingsPreview(context.project, model=model)
        self._seed = 0
        self._standing: MiningState | None = None
        self._shown: MiningSettings | None = None  # what was shown last by us, to know what a person changed
        self._read: JobRun | None = None
        self._mine: JobRun | None = None
        self._wait = self._timer(self._look)
        self._rest = self._timer(self.rest)
        self._partly.connect(self._on_partly)
        self._lay_out()
        self._add_actions()
        self._show_state()

    @property
    def settings(self) -> MiningSettings | None:
        """What the page shows; None while it makes no sense."""
        if self.form.problem or self.lexicon.problem:
            return None
        try:
            return MiningSettings(phrases=self.lexicon.phrases, **self.form.values)
        except UserError:
            return None

    # What happens outside

    def refresh(self, changes: Changes) -> None:
        if not (
            changes.papers or changes.pairs or changes.many_annotated or changes.settings or changes.annotated_keys
        ):
            return
        run = self.context.runner.read(load_mining_state(self.context.project))
        run.done.connect(self._on_standing)
        run.failed.connect(self.context.problems.show)
        figures = self.context.runner.read(load_phrase_figures(self.context.project))
        figures.done.connect(self.lexicon.show_figures)
        figures.failed.connect(self.context.problems.show)
        if changes.papers:
            self.context.runner.read(self._sampler.close()).failed.connect(self.context.problems.show)

    @Slot(object)
    def _on_standing(self, standing: MiningState) -> None:
        untouched = self._shown is None or self.settings == self._shown
        self._standing = standing
        if standing.mined is not None:
            self.effect.show_funnel(standing.papers - standing.pending, standing.funnel)
        if untouched:
            self._show_settings(standing.settings)
            self._shown = standing.settings
        self._ask()

    def _show_settings(self, settings: MiningSettings) -> None:
        if self.settings != settings:
            self.lexicon.show_phrases(settings.phrases)
            self.form.show_settings(settings)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._rest.stop()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._wait.stop()
        if self._read is not None:
            self._read.cancel()
            self._stale = True
        self._rest.start(_REST)

    @Slot()
    def rest(self) -> None:
        """End the process that mines samples."""
        self.context.runner.read(self._sampler.close()).failed.connect(self.context.problems.show)

    # The sample

    @Slot()
    def _ask(self) -> None:
        """What is shown of the sample is out of date."""
        if self._read is not None:
            self._read.cancel()
            self._read = None
        if self._standing is not None and self._standing.papers and self.settings is not None:
            self._wait.start(_PAUSE)
        elif self._standing is not None:
            self._wait.stop()
            papers = self._standing.papers
            self.effect.wait(
                "correct the settings to see what they do." if papers else "there are no papers to try them on."
            )
        self._show_state()

    @Slot()
    def _look(self) -> None:
        settings = self.settings
        if settings is None or self._standing is None:
            return
        if not self.isVisible():
            self._stale = True
            return
        before = self._standing.mined or self._standing.settings
        self.effect.wait("mining a sample…")
        job = self._sampler.effect(before, settings, seed=self._seed, on_partial=self._partly.emit)
        self._read = run = self.context.runner.read(job)
        run.done.connect(self._on_effect)
        run.failed.connect(self._on_effect_failed)

    @Slot(object)
    def _on_partly(self, effect: SettingsEffect) -> None:
        if self._read is not None and not self._read.progress.cancelled:
            self.effect.show_effect(effect)

    @Slot(object)
    def _on_effect(self, effect: SettingsEffect) -> None:
        if self._read is None or self.sender() is not self._read:
            return  # of other settings
        self._read = None
        self.effect.show_effect(effect)
        self.lexicon.show_effect(effect)

    @Slot(object)
    def _on_effect_failed(self, error: Exception) -> None:
        if self.sender() is self._read:
            self._read = None
            self.effect.wait("the sample could not be mined.")
        self.context.problems.show(error)

    @Slot()
    def _on_another(self) -> None:
        self._seed += 1
        self._ask()

    # What people do

    @Slot()
    def mine(self) -> None:
        settings = self.settings
        if settings is None or not self.button.isEnabled():
            return
        job = mine(
            self.context.project, settings, workers=self.context.settings_store.settings.workers, model=self._model
        )
        self._shown = settings
        self._mine = run = self.context.runner.start(job)
        run.done.connect(self._on_mined)
        run.failed.connect(self.context.problems.show)
        run.ended.connect(self._on_mine_ended)
        self._show_state()

    @Slot(object)
    def _on_mined(self, mined: MiningResult) -> None:
        kept = sum(mined.funnel.kept.values())
        self.context.show_message(f"Mined {count(mined.mined, 'paper')}: {count(kept, 'pair')}")

    @Slot()
    def _on_mine_ended(self) -> None:
        self._mine = None
        self.context.events.changed.emit(Changes(pairs=True, many_annotated=True, settings=True))
        self._show_state()

    @Slot()
    def reset(self) -> None:
        """The settings and the lexicon that come with the program; nothing is mined yet."""
        if not self.context.read_only:
            self._show_settings(MiningSettings())
            self._ask()

    @Slot()
    def revert(self) -> None:
        """The project's settings again."""
        if self._standing is not None:
            self._show_settings(self._standing.settings)
            self._ask()

    def find_phrase(self) -> None:
        self.tabs.setCurrentWidget(self.lexicon)
        self.lexicon.search.setFocus()

    def new_phrase(self) -> None:
        self.tabs.setCurrentWidget(self.lexicon)
        self.lexicon.text.setFocus()

    def _show_state(self) -> None:
        """What the button does, and why it cannot be pressed."""
        settings, known = self.settings, self._standing
        text, tone = self._sentence(settings, known)
        self.state.show_text(text, tone)
        changed = known is not None and settings != known.settings
        ready = known is not None and settings is not None and known.papers > 0 and self._mine is None
        done = known is not None and settings is not None and known.has_mined(settings)
        first = known is not None and known.mined is None
        self.button.setText("Mining…" if self._mine is not None else "M&ine" if first else "M&ine again")
        self.button.setEnabled(ready and not done and not self.context.read_only)
        self.undo_changes.setEnabled(changed)
        on = sum(phrase.on for phrase in self.lexicon.phrases)
        self.tabs.setTabText(1, f"Lexicon ({on} of {len(self.lexicon.phrases)} on)")

    def _sentence(self, settings: MiningSettings | None, known: MiningState | None) -> tuple[str, str]:
        if self.context.read_only:
            return "This project can only be read here, so its mining settings cannot be changed.", "info"
        if problem := self.form.problem or self.lexicon.problem:
            return problem, "bad"
        if known is None or settings is None:
            return "", "info"
        if not known.papers:
            return "There are no papers to mine yet. Add some on the Papers page.", "info"
        if self._mine is not None:
            return "Mining runs; you can keep working.", "info"
        if known.has_mined(settings):
            return f"All {count(known.papers, 'paper')} are mined with these settings.", "good"
        if known.mined is not None and settings == known.mined:
            return f"{count(known.pending, 'paper is', 'papers are')} not mined yet.", "info"
        return f"Mining makes the pairs of {count(known.papers, 'paper')} anew. All answers are kept.", "info"

    # Layout

    def _timer(self, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer

    def _lay_out(self) -> None:
        theme = self.context.theme
        self.form = SettingsForm(theme)
        self.form.changed.connect(self._ask)
        self.lexicon = LexiconEditor(theme)
        self.lexicon.changed.connect(self._ask)
        self.form.setEnabled(not self.context.read_only)
        self.lexicon.set_editable(not self.context.read_only)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(FormScrollArea(self.form), "Settings")
        self.tabs.addTab(self.lexicon, "Lexicon")
        self.effect = EffectPane(theme)
        self.effect.another_requested.connect(self._on_another)
        self.effect.setFixedWidth(theme.px(372))
        across = QHBoxLayout()
        across.setSpacing(theme.px(24))
        across.addWidget(self.tabs, 1)
        across.addWidget(self.effect)
        self.body.addLayout(across, 1)
        self.body.addLayout(self._bottom())

    def _bottom(self) -> QHBoxLayout:
        theme = self.context.theme
        self.state = Notice(theme)
        self.defaults = QPushButton("Defa&ults")
        set_tip(self.defaults, "The settings and the lexicon that come with the program")
        self.defaults.setEnabled(not self.context.read_only)
        self.defaults.clicked.connect(self.reset)
        self.undo_changes = QPushButton("&Revert")
        set_tip(self.undo_changes, "The project's settings again")
        self.undo_changes.clicked.connect(self.revert)
        self.button = QPushButton()
        self.button.setProperty("look", "primary")
        self.button.setMinimumWidth(theme.px(140))
        self.button.clicked.connect(self.mine)
        row = QHBoxLayout()
        row.setSpacing(theme.px(8))
        row.addWidget(self.state, 1)
        row.addStretch(0)
        row.addWidget(self.defaults)
        row.addWidget(self.undo_changes)
        row.addWidget(self.button)
        return row

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add("mining.mine", "Mine again", self.mine, menu="Mining", keys="Ctrl+Return", icon="refresh-cw", widget=self)
        add("mining.new", "New phrase", self.new_phrase, menu="Mining", keys="Ctrl+Shift+N", icon="plus", widget=self)
        add("mining.find", "Find a phrase", self.find_phrase, menu="Mining", keys="Ctrl+F", icon="search", widget=self)
        add("mining.another", "Draw another sample", self._on_another, menu="Mining", widget=self)
        add("mining.revert", "Revert changes", self.revert, menu="Mining", widget=self)
        add("mining.reset", "Reset to defaults", self.reset, menu="Mining", icon="rotate-ccw", widget=self)
