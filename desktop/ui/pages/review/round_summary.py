"""The summary of a queue in Review, shown when its last pair is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.jobs.review import rounds
from desktop.jobs.review.queues import WaitingQueue
from desktop.text import count, duration
from desktop.translation import tr
from desktop.ui.judging.round_end import RoundEnd, answered_text
from desktop.ui.pages.review.queue_menu import QueueButtons
from desktop.ui.pages.review.round_options import GIVEN_ORDERS
from desktop.ui.services.display_names import capitalized
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import push_button
from miner.records import Answer
from miner.statistics import wilson
from storage.annotation.rounds import Round, RoundCounts, RoundOrder

_OWN_IS_DONE = tr("Your queue is done")
_SAMPLE_IS_ANSWERED = tr(
    "Pairs whose label is hard to predict were drawn more often: what your answers say of all labels is under "
    "Dashboard, on the page Precision."
)
_ASSIGNED_IS_DONE = tr("The Rounds page shows the progress of the others, and merges the answer files that come back.")


class RoundSummary(RoundEnd):
    """Shows how many answers each class has, how many agree with the distant label, and how long they took."""

    ready = Signal(object)  # the Round that it is of
    annotate_requested = Signal()
    queue_chosen = Signal(object)  # QueueId

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context.theme, tr("Start a new queue"), parent)
        self._context = context
        self._round: Round | None = None
        self._others: Sequence[WaitingQueue] = ()
        self.annotate_button = push_button(tr("Open rounds"), self.annotate_requested)
        self.annotate_button.setProperty("look", "primary")
        self._buttons.insertWidget(2, self.annotate_button)
        self.others = QueueButtons(context.theme)
        self.others.queue_chosen.connect(self.queue_chosen)
        self._column.insertWidget(self._column.count() - 1, self.others)

    @property
    def first_button(self) -> QPushButton:
        """The button for what to do next."""
        buttons = (self.folder_button, self.annotate_button, *self.others.buttons, self.another_button)
        return next(button for button in buttons if not button.isHidden())

    def show_round(self, round: Round, others: Sequence[WaitingQueue]) -> None:
        """Count what the annotator has answered or tagged in a queue, and show the counts.

        others: the queues that wait.
        """
        self._round, self._others = round, others
        asked = (self._context.project, round.keys, self._context.annotator)
        if round.order is RoundOrder.ERRORS:
            self._context.read(rounds.count_tags(*asked), self._on_counts)
        else:
            self._context.read(rounds.count_answers(*asked), self._on_counts)

    @Slot(object)
    def _on_counts(self, counts: RoundCounts | dict[str, int]) -> None:
        if self._round is None:
            return
        if isinstance(counts, RoundCounts):
            self._show_answers(self._round, counts)
        else:
            self._show_tags(counts)
        is_own = self.annotate_button.isHidden()
        self.others.show_queues(self._others, is_next=is_own)
        self.another_button.setProperty("look", "" if self._others else "primary")
        self.another_button.style().unpolish(self.another_button)
        self.another_button.style().polish(self.another_button)
        self.ready.emit(self._round)

    def _show_answers(self, round: Round, counts: RoundCounts) -> None:
        """Show the answers, with the next step for an answer file, or a link to the Rounds page for an assignment."""
        was_assigned = round.order in GIVEN_ORDERS
        send_back = None if self._context.assignment is None else self._context.path
        lines = _sentences(counts)
        if send_back is None and round.order is RoundOrder.ASSIGNED:
            lines.append(_ASSIGNED_IS_DONE)
        if round.order is RoundOrder.PRECISION:
            lines.append(_SAMPLE_IS_ANSWERED)
        self.show_end(_title(round), lines, can_draw=send_back is None and not was_assigned, send_back=send_back)
        self.annotate_button.setVisible(send_back is None and was_assigned)
        self.add_classes(Answer, counts.answers)

    def _show_tags(self, counts: Mapping[str, int]) -> None:
        """Show how many pairs have each tag, the most frequent first. counts: the key "" counts pairs with any tag."""
        read = counts.get("", 0)
        about = tr(
            "{errors} read; a pair may have several tags. In brackets: the 95\xa0% interval for all errors "
            "of the system, valid if the errors were drawn at random.",
            errors=count(read, "error"),
        )
        self.show_end(tr("The errors are read"), [about], can_draw=True)
        self.annotate_button.hide()
        for row, (tag, number) in enumerate((tag, number) for tag, number in counts.items() if tag):
            low, high = wilson(number, read)
            share = tr(
                "{number:,} of {read:,} · {number_2:.0f} % ({low:.0f}-{high:.0f})",
                number=number,
                read=read,
                number_2=100 * number / read,
                low=100 * low,
                high=100 * high,
            )
            self.add_count(capitalized(tag), share, row)


def _title(round: Round) -> str:
    if round.order is RoundOrder.TIES:
        return tr("The ties are decided")
    if round.order is RoundOrder.ASSIGNED:
        return tr("Your part of round {number:,} is done", number=round.number)
    return _OWN_IS_DONE


def _sentences(counts: RoundCounts) -> list[str]:
    answered = sum(counts.answers.values())
    lines = [answered_text(answered, counts.bad)]
    if counts.compared:
        percent = round(100 * counts.agreed / counts.compared)
        compared = tr(
            "{agreed:,} of {pairs} ({percent}\xa0%)",
            agreed=counts.agreed,
            pairs=count(counts.compared, "pair"),
            percent=percent,
        )
        lines.append(tr("You confirmed the distant label of {compared}.", compared=compared))
    if counts.seconds and answered:
        lines.append(
            tr(
                "{seconds} in total, {seconds_2:.1f} s per pair.",
                seconds=duration(counts.seconds),
                seconds_2=counts.seconds / answered,
            )
        )
    return lines
