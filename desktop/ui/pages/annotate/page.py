"""The Annotate page: people, rounds, gold labels against targets, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.jobs.review import annotation_rounds, gold, people
from desktop.jobs.review.annotate_overview import AnnotateOverview, AnnotationStep, StepKind, load_annotate
from desktop.jobs.review.annotation_rounds import AnnotationRoundProgress, StartedRound
from desktop.jobs.review.gold import GoldState
from desktop.jobs.review.people import ChangedPerson, Person
from desktop.jobs.review.pilot import PilotFeedback, pilot_feedback
from desktop.text import count
from desktop.ui.pages.annotate.class_grid import ClassCell, ClassGrid
from desktop.ui.pages.annotate.dialogs import FeedbackDialog, PeopleDialog, TargetsDialog
from desktop.ui.pages.annotate.merges import MergesSection
from desktop.ui.pages.annotate.next_step import NextStepCard
from desktop.ui.pages.annotate.page_section import PageSection
from desktop.ui.pages.annotate.round_dialog import NewRoundDialog
from desktop.ui.pages.annotate.tables import PeopleTableModel, RoundsTableModel
from desktop.ui.services.answer_files import answer_files
from desktop.ui.services.page import Page
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRun, LatestRequest
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.questions import TextQuestion
from desktop.ui.widgets.sortable_table import SortableTableModel, SortableTableView
from miner.progress import Job
from storage.annotation.annotation_rounds import Assignment, AssignmentState, RoundKind
from storage.annotation.annotators import Role
from storage.changes import Changes
from storage.dataset.gold import GoldRule
from storage.dataset.options import ExportOptions
from storage.pairs.filters import PairFilter

_READ_DELAY_MS = 300  # after a change
_MAX_ROWS = 8  # of a table, before it scrolls
_NO_ROUNDS = "No round has been drawn yet."
_NO_PEOPLE = "Nobody annotates yet."
Row = TypeVar("Row")


class AnnotatePage(Page):
    title = "Annotate"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.overview: AnnotateOverview | None = None
        self._reading, self._feedback_request, self._gold_request = (LatestRequest(self) for _ in range(3))
        self._reading.done.connect(self._on_read)
        self._feedback_request.done.connect(self._on_feedback)
        self._gold_request.done.connect(self._on_gold)
        for request in (self._reading, self._feedback_request, self._gold_request):
            request.failed.connect(context.problems.show)
        self._timer = self.create_timer(self._read)
        self._build()
        self._add_actions()
        context.annotator_changed.connect(self._on_annotator_changed)
        self._show_buttons()

    # What is shown

    def refresh(self, changes: Changes) -> None:
        if self.overview is None:
            self._read()
        else:
            self._timer.start(_READ_DELAY_MS)

    @Slot(str)
    def _on_annotator_changed(self, name: str) -> None:
        self.on_changed(Changes(settings=True))

    @Slot()
    def _read(self) -> None:
        self._reading.follow(self.context.runner.read(load_annotate(self.context.project, self.context.annotator)))

    @Slot(object)
    def _on_read(self, overview: AnnotateOverview) -> None:
        self.overview = overview
        self.next_step.show_step(overview.next, is_enabled=self._can_do(overview.next.step))
        self._show_rows(self.rounds_table, self.rounds_model, overview.rounds, self.no_rounds)
        self._show_rows(self.people_table, self.people_model, overview.people, self.no_people)
        self._show_targets(overview)
        self.merges.show_merges(overview.merges)
        self.targets.setVisible(bool(overview.strata))
        self.rounds.setVisible(bool(overview.strata))
        self._show_buttons()
        self.badge_changed.emit(overview.ties)

    def _show_rows(
        self, table: SortableTableView, model: SortableTableModel[Any], rows: tuple[Any, ...], empty: PlainLabel
    ) -> None:
        model.show_rows(rows)
        table.setVisible(bool(rows))
        empty.setVisible(not rows)
        table.fit_height(_MAX_ROWS)
        table.fit_columns(stretched=len(model.columns) - 1 if model is self.rounds_model else 0)

    def _show_targets(self, overview: AnnotateOverview) -> None:
        total = overview.targets.total
        self.grid.show_cells(
            [
                ClassCell(
                    one.domain,
                    one.label,
                    f"{one.gold:,} of {total:,}",
                    one.gold / total if total else 1.0,
                    f"{count(one.gold, 'gold pair')}; {count(one.waiting, 'pair waits', 'pairs wait')} for answers, "
                    f"{one.missing(total):,} still to draw. Kept: {one.kept:,} of {one.finished:,} annotated.",
                )
                for one in overview.strata
            ]
        )
        rules = overview.rules
        votes = "one vote" if rules.votes == 1 else f"the majority of {rules.votes} votes"
        only = ", where that is the distant label" if rules.rule is GoldRule.AGREEING else ""
        each = f"{overview.targets.dev:,} for dev and {overview.targets.test:,} for test"
        self.targets_note.setText(f"Targets: {each}, of each class in each domain. Gold is {votes}{only}.")

    def _show_buttons(self) -> None:
        can_change = not self.context.read_only and self.overview is not None
        round, person = self.selected_round, self.selected_person
        own = self.context.annotator
        is_open = can_change and round is not None and round.round.is_open
        assigned = [one for one in round.assignments if one.assignment.annotator == own] if round else []
        self.new_button.setEnabled(can_change and self.overview is not None and bool(self.overview.strata))
        self.merge_button.setEnabled(can_change and self.overview is not None and bool(self.overview.rounds))
        self.answer_button.setEnabled(is_open and any(one.left for one in assigned))
        self.send_button.setEnabled(is_open and round is not None and bool(self._waiting_elsewhere(round)))
        self.feedback_button.setEnabled(round is not None and round.round.plan.kind is RoundKind.PILOT)
        self.close_button.setEnabled(can_change and round is not None)
        self.close_button.setText("Open again" if round is not None and not round.round.is_open else "Close")
        self.targets_button.setEnabled(can_change)
        self.add_button.setEnabled(can_change)
        for button in (self.rename_button, self.role_button):
            button.setEnabled(can_change and person is not None)

    @property
    def selected_round(self) -> AnnotationRoundProgress | None:
        return _selected(self.rounds_table, self.rounds_model)

    @property
    def selected_person(self) -> Person | None:
        return _selected(self.people_table, self.people_model)

    def is_action_enabled(self, name: str) -> bool:
        buttons = {
            "round": self.new_button,
            "merge": self.merge_button,
            "people": self.add_button,
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
                self.add_people()
            case StepKind.CHOOSE_ADJUDICATOR:
                self._choose_adjudicator()
            case StepKind.ANSWER:
                self.answer(step.round)
            case StepKind.ADJUDICATE:
                self._review(annotation_rounds.start_ties(self.context.project, self.context.annotator))
            case StepKind.SEND:
                self.send(step.round)
            case StepKind.MERGE:
                self.merge()
            case StepKind.START_ROUND:
                self.open_round_dialog()

    def _release(self) -> None:
        """Offer the gold pairs in splits as large as their targets, with a card."""
        if self.overview is None:
            return
        targets = self.overview.targets
        shares = {"dev": targets.dev, "test": targets.test}
        options = ExportOptions(
            shares=tuple((split, 100 * size / targets.total) for split, size in shares.items() if size),
            settled=True,
            card=True,
            name=self.context.path.stem,
        )
        self.context.release_requested.emit(options)

    def _choose_adjudicator(self) -> None:
        everybody = self.overview.people if self.overview else ()
        if any(one.role is Role.ADJUDICATOR for one in everybody):
            self.context.ask_annotator(self, again=True)
        else:
            self.add_people(Role.ADJUDICATOR)

    # Rounds

    @Slot()
    def open_round_dialog(self) -> None:
        if self.overview is None or not self.new_button.isEnabled():
            return
        dialog = NewRoundDialog(self.context, self.overview, self)
        dialog.accepted.connect(lambda: self._start_round(dialog))
        _open(dialog)

    def _start_round(self, dialog: NewRoundDialog) -> None:
        job = annotation_rounds.start_annotation_round(self.context.project, dialog.plan, dialog.names)
        self._run(job, self._on_round_started, is_long=True)

    def _on_round_started(self, started: StartedRound) -> None:
        round = started.progress.round
        self.context.show_message(f"Round {round.number}: {count(round.size, 'pair')}.", undo=True)

    def answer(self, number: int) -> None:
        """Answer the own assignment of a round in Review."""
        self._review(annotation_rounds.start_assignment(self.context.project, self.context.annotator, number))

    def send(self, number: int) -> None:
        """Write the answer files of those who have still to answer a round, but for the own one."""
        found = [one for one in (self.overview.rounds if self.overview else ()) if one.round.number == number]
        waiting = [one for round in found for one in self._waiting_elsewhere(round)]
        unsent = [one for one in waiting if one.state is AssignmentState.OPEN]
        if waiting:
            names = [one.annotator for one in unsent or waiting]
            answer_files(self.context, self).choose_folder_and_send(number, names)

    def _waiting_elsewhere(self, round: AnnotationRoundProgress) -> list[Assignment]:
        """The assignments of others who have still to answer."""
        own = self.context.annotator
        return [one.assignment for one in round.assignments if one.left and one.assignment.annotator != own]

    @Slot()
    def merge(self) -> None:
        """Merge answer files that came back."""
        answer_files(self.context, self).choose_and_merge()

    def _review(self, job: Job[Any]) -> None:
        def on_started(_: object) -> None:
            self.context.events.changed.emit(Changes(settings=True))
            self.context.round_started.emit()
            self.context.page_requested.emit("review")

        self._run(job, on_started)

    def _answer_selected(self) -> None:
        if (round := self.selected_round) is not None:
            self.answer(round.round.number)

    def _send_selected(self) -> None:
        if (round := self.selected_round) is not None:
            self.send(round.round.number)

    def _close_selected(self) -> None:
        if (round := self.selected_round) is not None:
            number, is_open = round.round.number, round.round.is_open
            job = annotation_rounds.close_round(self.context.project, number, is_open=not is_open)
            text = f"Round {number} is closed; pairs that nobody answered can be drawn again."
            self._run(job, lambda _: self._on_decided(text if is_open else f"Round {number} is open again."))

    def _on_decided(self, text: str) -> None:
        self.context.events.changed.emit(Changes(settings=True))
        self.context.show_message(text, undo=True)

    def _show_feedback(self) -> None:
        if (round := self.selected_round) is not None:
            job = pilot_feedback(self.context.project, round.round.number)
            self._feedback_request.follow(self.context.runner.read(job))

    @Slot(object)
    def _on_feedback(self, feedback: PilotFeedback) -> None:
        _open(FeedbackDialog(self.context.theme, feedback, self))

    # Targets and gold

    def open_targets_dialog(self) -> None:
        self._gold_request.follow(self.context.runner.read(gold.load_gold(self.context.project)))

    @Slot(object)
    def _on_gold(self, state: GoldState) -> None:
        if self.overview is None:
            return
        dialog = TargetsDialog(self.context.theme, self.overview.targets, self.overview.domains, state, self)
        dialog.accepted.connect(lambda: self._save_targets(dialog, state))
        _open(dialog)

    def _save_targets(self, dialog: TargetsDialog, state: GoldState) -> None:
        if dialog.targets != dialog.old_targets:
            job = annotation_rounds.save_targets(self.context.project, dialog.targets)
            self._run(job, lambda _: self.context.show_message("The targets are saved.", undo=True))
        if dialog.rules != state.rules:
            self._run(gold.set_gold(self.context.project, dialog.rules), self._on_gold_changed, is_long=True)

    def _on_gold_changed(self, state: GoldState) -> None:
        discarded = f"; {count(state.discarded, 'pair is', 'pairs are')} discarded" if state.discarded else ""
        text = f"{count(state.gold, 'pair has', 'pairs have')} a gold label{discarded}."
        self.context.show_message(text, undo=True)

    @Slot(str, str)
    def _show_pairs(self, domain: str, label: str) -> None:
        self.context.pairs_requested.emit(PairFilter(domains=frozenset({domain}), gold=frozenset({label})))

    # People

    @Slot()
    def add_people(self, role: Role = Role.ANNOTATOR) -> None:
        """Ask for names, and add them."""
        dialog = PeopleDialog(self.context.theme, self, role=role)
        dialog.accepted.connect(lambda: self._add(dialog))
        _open(dialog)

    def _add(self, dialog: PeopleDialog) -> None:
        for name in dialog.names:
            self._run(people.add_person(self.context.project, name, dialog.role), lambda _: None)

    def _rename_selected(self) -> None:
        if (person := self.selected_person) is None:
            return
        about = "All answers stay theirs."
        question = TextQuestion(
            self.context.theme, "Rename", "The new name", "Rename", text=person.name, about=about, parent=self
        )
        if name := question.ask():
            self._run(people.rename_person(self.context.project, person.key, name), self._on_renamed)

    def _on_renamed(self, changed: ChangedPerson) -> None:
        self.context.show_message(f"The name is {changed.person.name} from now on.")

    def _change_role(self) -> None:
        if (person := self.selected_person) is None:
            return
        key = person.key
        dialog = PeopleDialog(self.context.theme, self, name=person.name, role=person.role)
        dialog.accepted.connect(
            lambda: self._run(
                people.set_role(self.context.project, key, dialog.role), self._on_role_changed, is_long=True
            )
        )
        _open(dialog)

    def _on_role_changed(self, changed: ChangedPerson) -> None:
        again = f" {count(changed.refreshed, 'pair was', 'pairs were')} decided again." if changed.refreshed else ""
        text = f"{changed.person.name}: {people.ROLE_NAMES[changed.person.role]}.{again}"
        self.context.show_message(text, undo=True)

    def _run(self, job: Job[Any], on_done: Callable[[Any], object], *, is_long: bool = False) -> JobRun:
        """Run a job that changes the project, and tell what it changed."""
        run = self.context.runner.start(job) if is_long else self.context.runner.save(job)

        def done(result: Any) -> None:
            changes = result if isinstance(result, Changes) else getattr(result, "changes", None)
            if isinstance(changes, Changes):
                self.context.events.changed.emit(changes)
            on_done(result)

        run.done.connect(done)
        run.failed.connect(self.context.problems.show)
        return run

    # Layout

    def _build(self) -> None:
        theme, px = self.context.theme, self.context.theme.px
        self.merge_button = QPushButton("Merge answer files…")
        self.merge_button.clicked.connect(self.merge)
        self.new_button = QPushButton("New round…")
        self.new_button.clicked.connect(self.open_round_dialog)
        self.header.addWidget(self.merge_button)
        self.header.addWidget(self.new_button)
        self.next_step = NextStepCard(theme)
        self.next_step.requested.connect(self.do)
        self.initial_focus = self.next_step.button
        self._build_targets()
        self._build_rounds()
        self._build_people()
        below = QHBoxLayout()
        below.setSpacing(px(16))
        self.merges = MergesSection(theme)
        self.merges.review_requested.connect(self.context.review_requested)
        left = QVBoxLayout()
        left.setSpacing(px(16))
        left.addWidget(self.rounds)
        left.addWidget(self.merges)
        left.addStretch(1)
        below.addLayout(left, 3)
        below.addWidget(self.people, 2, Qt.AlignmentFlag.AlignTop)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(16))
        column.addWidget(self.next_step)
        column.addWidget(self.targets)
        column.addLayout(below)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        self.body.addWidget(area, 1)

    def _build_targets(self) -> None:
        self.targets = PageSection(self.context.theme, "Gold labels")
        self.targets_button = self.targets.add_button("Targets and gold labels…", self.open_targets_dialog)
        self.grid = ClassGrid(self.context.theme, "Gold labels of each class and domain", is_clickable=True)
        self.grid.requested.connect(self._show_pairs)
        self.targets_note = PlainLabel()
        self.targets_note.setProperty("type", "small")
        self.targets_note.setWordWrap(True)
        self.targets.contents.addWidget(self.grid)
        self.targets.contents.addSpacing(self.context.theme.px(4))
        self.targets.contents.addWidget(self.targets_note)
        self.targets.setVisible(False)

    def _build_rounds(self) -> None:
        self.rounds = PageSection(self.context.theme, "Rounds")
        self.answer_button = self.rounds.add_button("Answer", self._answer_selected, "Answer your part in Review")
        self.send_button = self.rounds.add_button(
            "Send as answer file…", self._send_selected, "A file for each annotator, to be answered elsewhere"
        )
        self.feedback_button = self.rounds.add_button(
            "Feedback…", self._show_feedback, "Compare a pilot round with the reference's answers"
        )
        self.close_button = self.rounds.add_button(
            "Close", self._close_selected, "Close a round to wait for no more answers; open it again to go on"
        )
        self.rounds_model = RoundsTableModel()
        self.rounds_table = SortableTableView(self.context.theme, self.rounds_model, "Rounds")
        self.rounds_table.selectionModel().selectionChanged.connect(self._on_selected)
        self.no_rounds = _muted(_NO_ROUNDS)
        self.rounds.contents.addWidget(self.rounds_table)
        self.rounds.contents.addWidget(self.no_rounds)

    def _build_people(self) -> None:
        self.people = PageSection(self.context.theme, "People")
        self.add_button = self.people.add_button("Add…", self.add_people)
        self.rename_button = self.people.add_button("Rename…", self._rename_selected)
        self.role_button = self.people.add_button("Role…", self._change_role, "What their answers count for")
        self.people_model = PeopleTableModel()
        self.people_table = SortableTableView(self.context.theme, self.people_model, "People")
        self.people_table.selectionModel().selectionChanged.connect(self._on_selected)
        self.no_people = _muted(_NO_PEOPLE)
        self.people.contents.addWidget(self.people_table)
        self.people.contents.addWidget(self.no_people)

    @Slot()
    def _on_selected(self) -> None:
        self._show_buttons()

    def _add_actions(self) -> None:
        add, menu = self.context.actions.add, "Annotate"
        add("annotate.round", "New round…", self.open_round_dialog, menu=menu, icon="plus", widget=self)
        add("annotate.people", "Add people…", self.add_people, menu=menu, icon="user", widget=self)
        add("annotate.merge", "Merge answer files…", self.merge, menu=menu, icon="download", widget=self)
        add("annotate.targets", "Targets and gold labels…", self.open_targets_dialog, menu=menu, widget=self)


def _selected(table: SortableTableView, model: SortableTableModel[Row]) -> Row | None:
    """The selected row; None if there is none."""
    rows = table.selectionModel().selectedRows()
    return model.rows[rows[0].row()] if rows and rows[0].row() < len(model.rows) else None


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def _muted(text: str) -> PlainLabel:
    label = PlainLabel(text)
    label.setProperty("type", "muted")
    return label
