"""The annotation rounds: answered here, sent as files, compared with the reference, closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Slot

from desktop.jobs.review import annotation_rounds
from desktop.jobs.review.annotation_rounds import AnnotationRoundProgress
from desktop.jobs.review.pilot import PilotFeedback, pilot_feedback
from desktop.translation import tr
from desktop.ui.pages.annotate.dialogs import FeedbackDialog
from desktop.ui.pages.annotate.page_section import TableSection, open_dialog
from desktop.ui.pages.annotate.send_dialog import SendDialog
from desktop.ui.pages.annotate.tables import RoundsTableModel
from desktop.ui.services.answer_files import answer_files
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Job
from storage.annotation.annotation_rounds import Assignment, AssignmentState, RoundKind
from storage.annotation.sent_assignments import AssignmentForm
from storage.changes import Changes

_NO_ROUNDS = tr("No round has been drawn yet. A round gives the same pairs to several people.")


class RoundsSection(TableSection[AnnotationRoundProgress]):
    """A section whose buttons act on the selected round."""

    def __init__(self, context: ProjectContext, max_rows: int) -> None:
        model = RoundsTableModel()
        last = len(model.columns) - 1
        super().__init__(context.theme, tr("Rounds"), model, _NO_ROUNDS, stretched=last, max_rows=max_rows)
        self._context = context
        self.answer_button = self.add_button(tr("Answer"), self._answer_selected, tr("Answer your part"))
        tip = tr(
            "Write a file for each annotator, to be answered on another computer: in Pairwright, a spreadsheet or "
            "another tool"
        )
        self.send_button = self.add_button(tr("Send…"), self._send_selected, tip)
        tip = tr("Compare a pilot round with the reference's answers")
        self.feedback_button = self.add_button(tr("Feedback…"), self._show_feedback, tip)
        tip = tr("Close a round when no more answers are expected; you can open it again")
        self.close_button = self.add_button(tr("Close"), self._close_selected, tip)
        self.table.selectionModel().selectionChanged.connect(self.show_buttons)
        self.table.activated.connect(self._open_selected)
        self.show_buttons()

    def show_rows(self, rows: Sequence[AnnotationRoundProgress]) -> None:
        super().show_rows(rows)
        self.show_buttons()

    @Slot()
    def show_buttons(self) -> None:
        """Enable the buttons that apply to the selected round."""
        round, can_change = self.selected, not self._context.read_only
        own = self._context.annotator
        is_open = can_change and round is not None and round.round.is_open
        assigned = [one for one in round.assignments if one.assignment.annotator == own] if round else []
        self.answer_button.setEnabled(is_open and any(one.left for one in assigned))
        self.send_button.setEnabled(is_open and round is not None and bool(self._waiting_elsewhere(round)))
        self.feedback_button.setEnabled(round is not None and round.round.plan.kind is RoundKind.PILOT)
        self.close_button.setEnabled(can_change and round is not None)
        self.close_button.setText(tr("Open again") if round is not None and not round.round.is_open else tr("Close"))

    def answer(self, number: int) -> None:
        """Answer the annotator's own assignment of a round, in Review or on the Kinds page."""
        if any(one.round.number == number and one.round.plan.asks_kinds for one in self.model.rows):
            self._context.kinds_round_requested.emit(number)
            return
        self._review(annotation_rounds.start_assignment(self._context.project, self._context.annotator, number))

    def answer_ties(self) -> None:
        """Decide the ties in Review."""
        self._review(annotation_rounds.start_ties(self._context.project, self._context.annotator))

    def send(self, number: int) -> None:
        """Ask for a format, and write the files of the other annotators who have still to answer a round."""
        found = [one for one in self.model.rows if one.round.number == number]
        waiting = [one for round in found for one in self._waiting_elsewhere(round)]
        unsent = [one for one in waiting if one.state is AssignmentState.OPEN]
        if not waiting:
            return
        names = [one.annotator for one in unsent or waiting]
        files = answer_files(self._context, self)
        if any(one.round.plan.asks_kinds for one in found):
            files.choose_folder_and_send(number, names, AssignmentForm.ANSWER_FILE)
            return
        dialog = SendDialog(self._context.theme, number, len(names), self)
        dialog.accepted.connect(lambda: files.choose_folder_and_send(number, names, dialog.form_chosen))
        open_dialog(dialog)

    def _waiting_elsewhere(self, round: AnnotationRoundProgress) -> list[Assignment]:
        """The assignments of others who have still to answer."""
        own = self._context.annotator
        return [one.assignment for one in round.assignments if one.left and one.assignment.annotator != own]

    def _review(self, job: Job[Any]) -> None:
        self._context.change(job).done.connect(self._on_started)

    @Slot()
    def _on_started(self) -> None:
        self._context.events.changed.emit(Changes(settings=True))
        self._context.round_started.emit()
        self._context.page_requested.emit("review")

    @Slot()
    def _open_selected(self) -> None:
        """Answer the selected round; if nothing is left to answer, show its feedback."""
        (self.answer_button if self.answer_button.isEnabled() else self.feedback_button).click()

    def _answer_selected(self) -> None:
        if (round := self.selected) is not None:
            self.answer(round.round.number)

    def _send_selected(self) -> None:
        if (round := self.selected) is not None:
            self.send(round.round.number)

    def _close_selected(self) -> None:
        if (round := self.selected) is not None:
            job = annotation_rounds.close_round(
                self._context.project, round.round.number, is_open=not round.round.is_open
            )
            self._context.change(job).done.connect(self._on_closed)

    @Slot(object)
    def _on_closed(self, changed: AnnotationRoundProgress) -> None:
        self._context.events.changed.emit(Changes(settings=True))
        is_open, number = changed.round.is_open, changed.round.number
        closed = tr("Round {number} is closed. Its unanswered pairs can be drawn for other rounds.", number=number)
        self._context.show_message(tr("Round {number} is open again.", number=number) if is_open else closed, undo=True)

    def _show_feedback(self) -> None:
        if (round := self.selected) is not None:
            self._context.read(pilot_feedback(self._context.project, round.round.number), self._on_feedback)

    @Slot(object)
    def _on_feedback(self, feedback: PilotFeedback) -> None:
        open_dialog(FeedbackDialog(self._context.theme, feedback, self))
