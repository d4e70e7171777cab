"""The Mining page: settings and lexicon on the left, their effect on a sample of papers on the right."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop.jobs.mining.class_balance import find_rare_class
from desktop.jobs.mining.lexicon_figures import LexiconFigures, load_lexicon_figures
from desktop.jobs.mining.preview import SettingsEffect, SettingsPreview
from desktop.jobs.mining.run import MiningResult, MiningState, load_mining_state, mine
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.mining.discovery import DiscoveryController
from desktop.ui.pages.mining.effect import EffectPane
from desktop.ui.pages.mining.form import SettingsForm
from desktop.ui.pages.mining.lexicon import LexiconEditor
from desktop.ui.pages.mining.new_phrases import NewPhrases
from desktop.ui.pages.mining.text import state_text
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import FormScrollArea, Tabs
from desktop.ui.widgets.labels import set_tip
from desktop.ui.widgets.layouts import row_of, stretched
from desktop.ui.widgets.notices import Notice
from miner.errors import UserError
from miner.mining.linking_phrases import Phrase
from miner.mining.settings import MiningSettings
from storage.changes import Changes

_SAMPLE_DELAY_MS = 150  # after the last change of the settings
_SAMPLER_TIMEOUT_MS = 60_000  # after the page is hidden, before the sampler's process ends


class MiningPage(Page):
    """The settings of mining, their effect on a sample of papers, and the linking phrases.

    model: the spaCy model, see `load_analyzer`.
    """

    title = tr("Mining")
    least_size = (720, 340)
    _partial_effect = Signal(object)  # SettingsEffect on the first papers; emitted in the job's thread

    def __init__(self, context: ProjectContext, parent: QWidget | None = None, *, model: str | None = None) -> None:
        super().__init__(context, parent)
        self._model = model
        self._sampler = SettingsPreview(context.project, model=model)
        self._seed = 0
        self._mining_state: MiningState | None = None
        self._stored_settings: MiningSettings | None = None  # shown by the page itself, not edited by the user
        self._figures: LexiconFigures | None = None
        self._last_effect: tuple[MiningSettings, SettingsEffect] | None = None
        self._effect_run: JobRun | None = None
        self._mining_run: JobRun | None = None
        self._sample_timer = self.create_timer(self._read_effect)
        self._sampler_timer = self.create_timer(self.close_sampler)
        self._partial_effect.connect(self._on_partial_effect)
        self._lay_out()
        self._add_actions()
        self._show_state()

    @property
    def settings(self) -> MiningSettings | None:
        """The settings on the page; None while they are invalid."""
        if self.form.problem or self.lexicon.problem:
            return None
        try:
            return MiningSettings(phrases=self.lexicon.phrases, **self.form.values)
        except UserError:
            return None

    # Changes from outside

    def refresh(self, changes: Changes) -> None:
        if not (
            changes.papers or changes.pairs or changes.many_annotated or changes.settings or changes.annotated_keys
        ):
            return
        self.context.read(load_mining_state(self.context.project), self._on_mining_state)
        figures = self.context.runner.read(load_lexicon_figures(self.context.project))
        figures.done.connect(self._on_figures)
        figures.failed.connect(self.context.problems.show)
        if changes.papers:
            self.context.runner.read(self._sampler.close()).failed.connect(self.context.problems.show)

    @Slot(object)
    def _on_mining_state(self, state: MiningState) -> None:
        is_unedited = self._stored_settings is None or self.settings == self._stored_settings
        self._mining_state = state
        self.effect.has_older_rules = state.has_older_rules
        if state.mined is not None and not state.is_mixed:
            self.effect.show_funnel(state.papers - state.pending, state.funnel)
        if is_unedited:
            self._show_settings(state.settings)
            self._stored_settings = state.settings
        self._request_effect()

    @Slot(object)
    def _on_figures(self, figures: LexiconFigures) -> None:
        self._figures = figures
        self.lexicon.show_figures(figures.phrases)
        self._show_rare_class()

    def _show_settings(self, settings: MiningSettings) -> None:
        if self.settings != settings:
            self.lexicon.show_phrases(settings.phrases)
            self.form.show_settings(settings)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._sampler_timer.stop()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._sample_timer.stop()
        if self._effect_run is not None:
            self._effect_run.cancel()
            self._stale = True
        self._sampler_timer.start(_SAMPLER_TIMEOUT_MS)

    @Slot()
    def close_sampler(self) -> None:
        """End the process that mines samples."""
        self.context.runner.read(self._sampler.close()).failed.connect(self.context.problems.show)

    # The sample

    @Slot()
    def _request_effect(self) -> None:
        """Mine the sample again, after a delay."""
        if self._effect_run is not None:
            self._effect_run.cancel()
            self._effect_run = None
        if self._mining_state is not None and self._mining_state.papers and self.settings is not None:
            self._sample_timer.start(_SAMPLE_DELAY_MS)
        elif self._mining_state is not None:
            self._sample_timer.stop()
            papers = self._mining_state.papers
            self.effect.show_progress(
                tr("correct the settings to see their effect.")
                if papers
                else tr("there are no papers yet to try the settings on.")
            )
        self._show_state()

    @Slot()
    def _read_effect(self) -> None:
        settings = self.settings
        if settings is None or self._mining_state is None:
            return
        if not self.isVisible():
            self._stale = True
            return
        before = self._mining_state.mined or self._mining_state.settings
        self.effect.show_progress(tr("mining a sample…"))
        job = self._sampler.effect(before, settings, seed=self._seed, on_partial=self._partial_effect.emit)
        self._effect_run = run = self.context.runner.read(job)
        run.done.connect(self._on_effect)
        run.failed.connect(self._on_effect_failed)

    @Slot(object)
    def _on_partial_effect(self, effect: SettingsEffect) -> None:
        if self._effect_run is not None and not self._effect_run.progress.cancelled:
            self.effect.show_effect(effect)

    @Slot(object)
    def _on_effect(self, effect: SettingsEffect) -> None:
        if self._effect_run is None or self.sender() is not self._effect_run:
            return  # it is for other settings
        self._effect_run = None
        self.effect.show_effect(effect)
        self.lexicon.show_effect(effect)
        if (settings := self.settings) is not None:
            self._last_effect = settings, effect
        self._show_rare_class()

    def _show_rare_class(self) -> None:
        """Show the class with the fewest pairs by the settings of the last sample."""
        state = self._mining_state
        if state is None or self._figures is None or self._last_effect is None:
            return
        settings, effect = self._last_effect
        rare = find_rare_class(settings, self._figures, effect, is_mined=state.has_mined(settings))
        self.effect.show_rare_class(rare, is_editable=not self.context.read_only)

    @Slot(object)
    def _on_effect_failed(self, error: Exception) -> None:
        if self.sender() is self._effect_run:
            self._effect_run = None
            self.effect.show_progress(tr("the sample could not be mined; the page Problems says why."))
        self.context.problems.show(error)

    @Slot(object)
    def _on_phrases_requested(self, phrases: tuple[Phrase, ...]) -> None:
        self.tabs.setCurrentWidget(self.lexicon)  # a hidden table does not scroll
        self.lexicon.turn_on(phrases)

    @Slot(object)
    def _on_phrase_requested(self, phrase: Phrase) -> None:
        self.tabs.setCurrentWidget(self.lexicon)
        self.lexicon.add_phrase(phrase.text, phrase.label)

    @Slot()
    def discover(self) -> None:
        """Look for new linking phrases."""
        if self._mining_state is not None and self._mining_state.papers:
            self.tabs.setCurrentWidget(self.new_phrases)
            self.discovery.start()

    @Slot()
    def draw_sample(self) -> None:
        self._seed += 1
        self._request_effect()

    # Actions

    @Slot()
    def mine(self) -> None:
        settings = self.settings
        if settings is None or not self.button.isEnabled():
            return
        job = mine(
            self.context.project, settings, workers=self.context.settings_store.settings.workers, model=self._model
        )
        self._stored_settings = settings
        self._mining_run = run = self.context.runner.start(job)
        run.done.connect(self._on_mined)
        run.failed.connect(self.context.problems.show)
        run.ended.connect(self._on_mine_ended)
        self._show_state()

    @Slot(object)
    def _on_mined(self, mined: MiningResult) -> None:
        kept = sum(mined.funnel.kept.values())
        self.context.show_message(
            tr("Mined {papers}: {pairs}", papers=count(mined.mined, "paper"), pairs=count(kept, "pair"))
        )

    @Slot()
    def _on_mine_ended(self) -> None:
        self._mining_run = None
        self.context.events.changed.emit(Changes(pairs=True, many_annotated=True, settings=True))
        self._show_state()

    @Slot()
    def reset(self) -> None:
        """Go back to the default settings and lexicon; nothing is mined yet."""
        if not self.context.read_only:
            self._show_settings(MiningSettings())
            self._request_effect()

    @Slot()
    def revert(self) -> None:
        """Fill in the settings of the project; those of its pairs where a run with others is not finished."""
        if self._mining_state is not None:
            self._show_settings(self._mining_state.settings_before)
            self._request_effect()

    def find_phrase(self) -> None:
        self.tabs.setCurrentWidget(self.lexicon)
        self.lexicon.search.setFocus()

    @Slot()
    def turn_on_reliable(self) -> None:
        """Turn on the phrases of the extended lexicon that are reliable; nothing is mined yet."""
        self.tabs.setCurrentWidget(self.lexicon)
        self.lexicon.turn_on_reliable()

    def new_phrase(self) -> None:
        self.tabs.setCurrentWidget(self.lexicon)
        self.lexicon.new_phrase.setFocus()

    def _show_state(self) -> None:
        """Update the button and the sentence beside it."""
        settings, mining = self.settings, self._mining_state
        self.new_phrases.show_known(self.lexicon.phrases, editable=not self.context.read_only)
        has_papers = mining is not None and bool(mining.papers)
        self.new_phrases.show_searching(searching=self.discovery.is_running, can_search=has_papers)
        text, tone = self._state_text(settings, mining)
        self.state.show_text(text, tone)
        changed = mining is not None and settings != mining.settings_before
        ready = mining is not None and settings is not None and mining.papers > 0 and self._mining_run is None
        done = mining is not None and settings is not None and mining.has_mined(settings)
        first = mining is not None and mining.mined is None
        self.button.setText(
            tr("Mining…") if self._mining_run is not None else tr("M&ine") if first else tr("M&ine again")
        )
        self.button.setEnabled(ready and not done and not self.context.read_only)
        self.revert_button.setEnabled(changed)
        on = sum(phrase.on for phrase in self.lexicon.phrases)
        self.tabs.setTabText(1, tr("Lexicon ({on} of {phrases} on)", on=on, phrases=len(self.lexicon.phrases)))

    def _state_text(self, settings: MiningSettings | None, mining: MiningState | None) -> tuple[str, str]:
        if self.context.read_only:
            return tr("This project is read-only, so its mining settings cannot be changed."), "info"
        if problem := self.form.problem or self.lexicon.problem:
            return problem, "bad"
        if mining is None or settings is None:
            return "", "info"
        if not mining.papers:
            return (
                tr("Mining finds sentence pairs in papers, but there are no papers yet. Add some on the Papers page."),
                "info",
            )
        if self._mining_run is not None:
            return tr("Mining is running; you can keep working."), "info"
        return state_text(settings, mining)

    # Layout

    def _lay_out(self) -> None:
        theme = self.context.theme
        self.form = SettingsForm(theme)
        self.form.changed.connect(self._request_effect)
        self.lexicon = LexiconEditor(theme)
        self.lexicon.changed.connect(self._request_effect)
        self.form.setEnabled(not self.context.read_only)
        self.lexicon.set_editable(not self.context.read_only)
        self.tabs = Tabs()
        self.tabs.addTab(FormScrollArea(self.form), tr("Settings"))
        self.tabs.addTab(self.lexicon, tr("Lexicon"))
        self.new_phrases = NewPhrases(theme)
        self.discovery = DiscoveryController(self.context, self.new_phrases, self._model, self)
        self.discovery.changed.connect(self._show_state)
        self.new_phrases.search_requested.connect(self.discover)
        self.new_phrases.phrase_requested.connect(self._on_phrase_requested)
        self.tabs.addTab(self.new_phrases, tr("New phrases"))
        self.effect = EffectPane(theme)
        self.effect.another_sample_requested.connect(self.draw_sample)
        self.effect.phrases_requested.connect(self._on_phrases_requested)
        self.effect.setFixedWidth(theme.px(372))
        across = row_of(stretched(self.tabs), self.effect, spacing=theme.px(24))
        self.side_by_side = across
        self.body.addLayout(across, 1)
        self.body.addLayout(self._bottom())

    def _bottom(self) -> QHBoxLayout:
        theme = self.context.theme
        self.state = Notice(theme)
        self.defaults_button = QPushButton(tr("Defa&ults"))
        set_tip(self.defaults_button, tr("Go back to the default settings and lexicon"))
        self.defaults_button.setEnabled(not self.context.read_only)
        self.defaults_button.clicked.connect(self.reset)
        self.revert_button = push_button(tr("&Revert"), self.revert, tip=tr("Discard the changes"))
        self.button = QPushButton()
        self.button.setProperty("look", "primary")
        self.button.setMinimumWidth(theme.px(140))
        self.button.clicked.connect(self.mine)
        row = row_of(stretched(self.state), spacing=theme.px(8))
        row.addStretch(0)
        row.addWidget(self.defaults_button)
        row.addWidget(self.revert_button)
        row.addWidget(self.button)
        return row

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add(
            "mining.mine",
            tr("Mine again"),
            self.mine,
            menu=tr("Mining"),
            keys="Ctrl+Return",
            icon="refresh-cw",
            widget=self,
        )
        add(
            "mining.new",
            tr("New phrase"),
            self.new_phrase,
            menu=tr("Mining"),
            keys="Ctrl+Shift+N",
            icon="plus",
            widget=self,
        )
        add(
            "mining.find",
            tr("Find a phrase"),
            self.find_phrase,
            menu=tr("Mining"),
            keys="Ctrl+F",
            icon="search",
            widget=self,
        )
        add(
            "mining.reliable",
            tr("Switch on the reliable phrases"),
            self.turn_on_reliable,
            menu=tr("Mining"),
            widget=self,
        )
        add("mining.discover", tr("Look for new phrases"), self.discover, menu=tr("Mining"), widget=self)
        add("mining.another", tr("Draw another sample"), self.draw_sample, menu=tr("Mining"), widget=self)
        add("mining.revert", tr("Revert changes"), self.revert, menu=tr("Mining"), widget=self)
        add("mining.reset", tr("Reset to defaults"), self.reset, menu=tr("Mining"), icon="rotate-ccw", widget=self)
