"""The Rounds page: people, rounds, gold labels against targets, and what to do next."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from desktop.jobs.exchange import project_split
from desktop.jobs.exchange.project_split import SplitChange
from desktop.jobs.exchange.split_preview import SplitProposal, load_proposal
from desktop.jobs.review import annotation_rounds, gold
from desktop.jobs.review.annotate_overview import AnnotateOverview, load_annotate
from desktop.jobs.review.annotation_rounds import StartedRound
from desktop.jobs.review.gold import GoldState
from desktop.jobs.review.open_rounds import AnnotationStep, StepKind
from desktop.jobs.review.ties import count_ties
from desktop.text import count, listed
from desktop.translation import tr
from desktop.ui.pages.annotate.class_grid import ClassCell, ClassGrid
from desktop.ui.pages.annotate.dialogs import TargetsDialog
from desktop.ui.pages.annotate.merges import MergesSection
from desktop.ui.pages.annotate.next_step import NextStepCard
from desktop.ui.pages.annotate.page_section import PageSection, open_dialog
from desktop.ui.pages.annotate.people import PeopleSection
from desktop.ui.pages.annotate.round_dialog import NewRoundDialog
from desktop.ui.pages.annotate.rounds import RoundsSection
from desktop.ui.pages.annotate.split_dialog import SplitDialog
from desktop.ui.services.answer_files import answer_files
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of
from miner.splits import PaperSplit
from storage.annotation.annotators import Role
from storage.annotation.round_draw import RoundStratum
from storage.changes import Changes
from storage.dataset.export_options import ExportOptions, SplitOptions
from storage.dataset.gold_rule import GoldRule
from storage.pairs.filters import DISCARDED_PAIRS, PairFilter

_READ_DELAY_MS = 300  # after a change
_COUNT_DELAY_MS = 1000  # after the first of several changes while the page is hidden
_WIDE_PX = 1000  # at 100 %, from which rounds and people stand beside each other
_MAX_ROWS = 8  # of a table, before it scrolls


class AnnotatePage(Page):
    title = tr("Rounds")

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.overview: AnnotateOverview | None = None
        self._timer = self.create_timer(self._read)
        self._build()
        self._add_actions()
        context.annotator_changed.connect(self._on_annotator_changed)
        self._count_timer = self.create_timer(self._count_ties)
        context.events.changed.connect(self._on_changed_while_hidden)
        self._show_buttons()
        self._count_ties()

    # What is shown

    def refresh(self, changes: Changes) -> None:
        if self.overview is None:
            self._read()
        else:
            self._timer.start(_READ_DELAY_MS)

    @Slot(str)
    def _on_annotator_changed(self, name: str) -> None:
        self.on_changed(Changes(settings=True))

    @Slot(object)
    def _on_changed_while_hidden(self, changes: Changes) -> None:
        """Have the badge follow answers that are given on other pages."""
        matters = changes.annotated_keys or changes.many_annotated or changes.pairs or changes.settings
        if matters and not self.isVisible() and not self._count_timer.isActive():
            self._count_timer.start(_COUNT_DELAY_MS)

    @Slot()
    def _count_ties(self) -> None:
        if not self.isVisible():
            self.context.read(count_ties(self.context.project), self._on_ties_counted)

    @Slot(int)
    def _on_ties_counted(self, ties: int) -> None:
        if not self.isVisible():
            self.badge_changed.emit(ties)

    @Slot()
    def _read(self) -> None:
        self.context.read(load_annotate(self.context.project, self.context.annotator), self._on_read)

    @Slot(object)
    def _on_read(self, overview: AnnotateOverview) -> None:
        self.overview = overview
        self.next_step.show_step(overview.next, overview.standing, is_enabled=self._can_do(overview.next.step))
        self.rounds.show_rows(overview.rounds)
        self.people.show_rows(overview.people)
        self._show_targets(overview)
        self.merges.show_rows(overview.merges)
        self.targets.setVisible(bool(overview.strata))
        self.rounds.setVisible(bool(overview.strata))
        self.people.setVisible(bool(overview.strata or overview.people))
        if overview.rounds and self.rounds.selected is None:
            self.rounds.table.selectRow(0)  # its buttons are for it
        self._show_buttons()
        self.badge_changed.emit(overview.ties)

    def _show_targets(self, overview: AnnotateOverview) -> None:
        targets = overview.targets
        self.grid.show_cells(
            [
                ClassCell(
                    _row_title(one),
                    one.label,
                    tr("{gold:,} of {of:,}", gold=one.gold, of=targets.of(one.split)),
                    one.gold / targets.of(one.split) if targets.of(one.split) else 1.0,
                    tr(
                        "{pairs} with this gold label, {pairs_2} in open rounds, {missing:,} still to draw. {kept:,} "
                        "of {finished:,} annotated pairs have a gold label.",
                        pairs=count(one.gold, "pair"),
                        pairs_2=count(one.waiting, "pair"),
                        missing=one.missing(targets.of(one.split)),
                        kept=one.kept,
                        finished=one.finished,
                    ),
                )
                for one in overview.strata
            ]
        )
        self.discarded_button.setText(tr("Show {pairs}", pairs=count(overview.discarded, "discarded pair")))
        self.discarded_button.setVisible(bool(overview.discarded))
        rules = overview.rules
        votes = (
            tr("the label of one vote") if rules.votes == 1 else tr("the majority of {votes} votes", votes=rules.votes)
        )
        only = tr(", if it is the distant label") if rules.rule is GoldRule.AGREEING else ""
        each = tr("{dev:,} for dev and {test:,} for test", dev=overview.targets.dev, test=overview.targets.test)
        text = tr(
            "Targets: {each}, of each class in {domains}. The gold label is {votes}{only}. {targets_note}",
            each=each,
            domains=tr("each of these domains") if overview.targets.domains else tr("each domain"),
            votes=votes,
            only=only,
            targets_note=overview.targets_note,
        )
        self.targets_note.setText(text.rstrip())

    def _show_buttons(self) -> None:
        overview, can_change = self.overview, not self.context.read_only and self.overview is not None
        self.split_button.setEnabled(can_change)
        self.new_button.setEnabled(can_change and overview is not None and bool(overview.strata))
        self.merge_button.setEnabled(can_change and overview is not None and bool(overview.rounds))
        self.targets_button.setEnabled(can_change)

    def is_action_enabled(self, name: str) -> bool:
        buttons = {
            "round": self.new_button,
            "merge": self.merge_button,
            "people": self.people.add_people_button,
            "split": self.split_button,
            "targets": self.targets_button,
        }
        return buttons[name].isEnabled()

    # What to do next

    def _can_do(self, step: StepKind) -> bool:
        return not self.context.read_only or step in (StepKind.EXPORT, StepKind.MINE, StepKind.ADD_PHRASES)

    @Slot(object)
    def do(self, step: AnnotationStep) -> None:
        """Do what the button of the next step says."""
        match step.step:
            case StepKind.MINE:
                self.context.page_requested.emit("papers")
            case StepKind.ADD_PHRASES:
                self.context.page_requested.emit("mining")
            case StepKind.EXPORT:
                self._release()
            case StepKind.ADD_PEOPLE:
                self.people.add_people()
            case StepKind.CHOOSE_ADJUDICATOR:
                self._choose_adjudicator()
            case StepKind.ANSWER:
                self.rounds.answer(step.round)
            case StepKind.ADJUDICATE:
                self.rounds.answer_ties()
            case StepKind.SEND:
                self.rounds.send(step.round)
            case StepKind.MERGE:
                self.merge()
            case StepKind.SPLIT:
                self.open_split_dialog()
            case StepKind.START_ROUND:
                self.open_round_dialog()

    def _release(self) -> None:
        """Offer a release like the papers', with a card; only of gold pairs if the papers are not split."""
        if self.overview is None:
            return
        targets = self.overview.targets
        is_split = any(one.split for one in self.overview.strata)
        options = ExportOptions(
            split=SplitOptions(dev=targets.dev, test=targets.test) if is_split else None,
            settled=not is_split,
            card=True,
            name=self.context.path.stem,
        )
        self.context.release_requested.emit(options)

    def _choose_adjudicator(self) -> None:
        everybody = self.overview.people if self.overview else ()
        if any(one.role is Role.ADJUDICATOR for one in everybody):
            self.context.ask_annotator(self, again=True)
        else:
            self.people.add_people(Role.ADJUDICATOR)

    # Rounds

    @Slot()
    def open_round_dialog(self) -> None:
        if self.overview is None or not self.new_button.isEnabled():
            return
        dialog = NewRoundDialog(self.context, self.overview, self)
        dialog.accepted.connect(lambda: self._start_round(dialog))
        open_dialog(dialog)

    def _start_round(self, dialog: NewRoundDialog) -> None:
        job = annotation_rounds.start_annotation_round(self.context.project, dialog.plan, dialog.names)
        self.context.change(job, is_long=True).done.connect(self._on_round_started)

    @Slot(object)
    def _on_round_started(self, started: StartedRound) -> None:
        round = started.progress.round
        drawn = tr("Round {number}: {pairs}.", number=round.number, pairs=count(round.size, "pair"))
        new = tr("New in this project: {names}.", names=listed(started.added)) if started.added else ""
        self.context.show_message(f"{drawn} {new}".rstrip(), undo=True)

    @Slot()
    def merge(self) -> None:
        """Merge answer files that came back."""
        answer_files(self.context, self).choose_and_merge()

    # Targets and gold

    def open_split_dialog(self) -> None:
        """Ask how to split the papers, with suggestions for dev and test."""
        self.context.read(load_proposal(self.context.project), self._ask_split)

    @Slot(object)
    def _ask_split(self, proposal: SplitProposal) -> None:
        dialog = SplitDialog(self.context, proposal, self)
        dialog.targets_requested.connect(self.open_targets_dialog)
        dialog.accepted.connect(
            lambda: self._split_papers(dialog.split, proposal, confirmed=dialog.confirmed.isChecked())
        )
        open_dialog(dialog)

    def _split_papers(self, split: PaperSplit, proposal: SplitProposal, *, confirmed: bool) -> None:
        job = project_split.set_split(self.context.project, split, confirmed=confirmed)
        done = partial(self._on_split, replace(proposal, present=split))
        self.context.change(job, is_long=True).done.connect(done)

    def _on_split(self, proposal: SplitProposal, change: SplitChange) -> None:
        if not change.is_done:  # somebody has answered in the meantime
            self._ask_split(proposal)
            return
        text = tr(
            "{papers} changed the split. {gold_text}",
            papers=count(len(change.moved), "paper"),
            gold_text=project_split.gold_text(*change.gold),
        )
        self.context.show_message(text.rstrip(), undo=True)

    def open_targets_dialog(self) -> None:
        self.context.read(gold.load_gold(self.context.project), self._on_gold)

    @Slot(object)
    def _on_gold(self, state: GoldState) -> None:
        if self.overview is None:
            return
        asking = next((one for one in self.findChildren(SplitDialog) if one.isVisible()), self)
        dialog = TargetsDialog(self.context.theme, self.overview.targets, self.overview.domains, state, asking)
        dialog.accepted.connect(lambda: self._save_targets(dialog, state))
        open_dialog(dialog)

    def _save_targets(self, dialog: TargetsDialog, state: GoldState) -> None:
        if dialog.targets != dialog.old_targets:
            job = annotation_rounds.save_targets(self.context.project, dialog.targets)
            self.context.change(job).done.connect(self._on_targets_saved)
        if dialog.rules != state.rules:
            run = self.context.change(gold.set_gold(self.context.project, dialog.rules), is_long=True)
            run.done.connect(self._on_gold_changed)

    @Slot()
    def _on_targets_saved(self) -> None:
        self.context.show_message(tr("The targets are saved."), undo=True)

    @Slot(object)
    def _on_gold_changed(self, state: GoldState) -> None:
        discarded = (
            tr("; {are} discarded", are=count(state.discarded, "pair is", "pairs are")) if state.discarded else ""
        )
        text = tr(
            "{have} a gold label{discarded}.", have=count(state.gold, "pair has", "pairs have"), discarded=discarded
        )
        self.context.show_message(text, undo=True)

    @Slot(str, str)
    def _show_pairs(self, row: str, label: str) -> None:
        strata = self.overview.strata if self.overview else ()
        domain, split = next(((one.domain, one.split) for one in strata if _row_title(one) == row), (row, ""))
        splits = frozenset({split}) if split else frozenset[str]()
        self.context.pairs_requested.emit(
            PairFilter(domains=frozenset({domain}), gold=frozenset({label}), splits=splits)
        )

    def _show_discarded(self) -> None:
        self.context.pairs_requested.emit(DISCARDED_PAIRS)

    # Layout

    def _build(self) -> None:
        theme, px = self.context.theme, self.context.theme.px
        self.merge_button = push_button(tr("Merge answer files…"), self.merge)
        self.new_button = push_button(tr("New round…"), self.open_round_dialog)
        self.header.addWidget(self.merge_button)
        self.header.addWidget(self.new_button)
        self.next_step = NextStepCard(theme)
        self.next_step.requested.connect(self.do)
        self.initial_focus = self.next_step.button
        self._build_targets()
        self.rounds = RoundsSection(self.context, _MAX_ROWS)
        self.people = PeopleSection(self.context, _MAX_ROWS)
        self._below = below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        below.setSpacing(px(16))
        self.merges = MergesSection(theme)
        self.merges.review_requested.connect(self.context.review_requested)
        self.merges.kinds_requested.connect(self.context.kinds_requested)
        below.addLayout(column_of(self.rounds, self.merges, STRETCH, spacing=px(16)), 3)
        below.addWidget(self.people, 2)
        inside = QWidget()
        inside.setLayout(column_of(self.next_step, self.targets, below, STRETCH, spacing=px(16)))
        self.body.addWidget(FormScrollArea(inside), 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the people below the rounds where they do not fit side by side."""
        super().resizeEvent(event)
        is_wide, direction = self.width() >= self.context.theme.px(_WIDE_PX), QBoxLayout.Direction
        self._below.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)

    def _build_targets(self) -> None:
        self.targets = PageSection(self.context.theme, tr("Gold labels"))
        self.discarded_button = self.targets.add_button(
            "",
            self._show_discarded,
            tr("Pairs for which annotators agree on another label than the distant label: they have no gold label"),
        )
        self.split_button = self.targets.add_button(tr("Split of the papers…"), self.open_split_dialog)
        self.targets_button = self.targets.add_button(tr("Targets and gold labels…"), self.open_targets_dialog)
        self.grid = ClassGrid(self.context.theme, tr("Gold labels of each class and domain"), is_clickable=True)
        self.grid.requested.connect(self._show_pairs)
        self.targets_note = PlainLabel(type="small", wraps=True)
        self.targets.contents.addWidget(self.grid)
        self.targets.contents.addSpacing(self.context.theme.px(4))
        self.targets.contents.addWidget(self.targets_note)
        self.targets.setVisible(False)

    def _add_actions(self) -> None:
        add, menu = self.context.actions.add, self.title
        add("annotate.round", tr("New round…"), self.open_round_dialog, menu=menu, icon="plus", widget=self)
        add("annotate.people", tr("Add people…"), self.people.add_people, menu=menu, icon="user", widget=self)
        add("annotate.merge", tr("Merge answer files…"), self.merge, menu=menu, icon="download", widget=self)
        add("annotate.split", tr("Split the papers…"), self.open_split_dialog, menu=menu, widget=self)
        add("annotate.targets", tr("Targets and gold labels…"), self.open_targets_dialog, menu=menu, widget=self)


def _row_title(one: RoundStratum) -> str:
    """The title of a stratum's row: its domain, and its split where there is one."""
    return f"{one.domain} · {one.split}" if one.split else one.domain
