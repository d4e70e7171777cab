"""The summary of a queue, shown when its last pair is answered, and what can be done next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QVBoxLayout, QWidget

from desktop.jobs.review import rounds
from desktop.jobs.review.queues import WaitingQueue
from desktop.text import count, duration
from desktop.translation import tr
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.pages.review.queue_menu import QueueButtons
from desktop.ui.pages.review.round_options import GIVEN_ORDERS
from desktop.ui.services.display_names import capitalized
from desktop.ui.services.file_manager import show_file
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, remove_widgets, row_of, stretched
from miner.records import Answer
from miner.statistics import wilson
from storage.annotation.rounds import Round, RoundCounts, RoundOrder

_OWN_IS_DONE = tr("Your queue is done")
_ASSIGNED_IS_DONE = tr("The Rounds page shows the progress of the others, and merges the answer files that come back.")


class RoundSummary(QWidget):
    """How many answers of each class, how many agree with the distant label, and how long they took."""

    ready = Signal(object)  # the Round that it is of
    another_requested = Signal()
    again_requested = Signal()
    annotate_requested = Signal()
    queue_chosen = Signal(object)  # QueueId

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._theme = theme = context.theme
        self._round: Round | None = None
        self._others: Sequence[WaitingQueue] = ()
        self.title = PlainLabel(type="title")
        self.text = PlainLabel(wraps=True, selectable=True)
        self._counts = QGridLayout()
        self._counts.setHorizontalSpacing(theme.px(24))
        self._counts.setVerticalSpacing(theme.px(6))
        self._counts.setColumnStretch(2, 1)
        self.another_button = QPushButton(tr("Start a new queue"))
        self.another_button.setProperty("look", "primary")
        self.another_button.clicked.connect(self.another_requested)
        self.folder_button = QPushButton(tr("Show file"))
        self.folder_button.setProperty("look", "primary")
        self.folder_button.clicked.connect(self._show_file)
        self.annotate_button = QPushButton(tr("Open rounds"))
        self.annotate_button.setProperty("look", "primary")
        self.annotate_button.clicked.connect(self.annotate_requested)
        self._file: Path | None = None
        self.others = QueueButtons(theme)
        self.others.queue_chosen.connect(self.queue_chosen)
        self.again_button = push_button(tr("Look at these pairs again"), self.again_requested)
        card = QFrame()
        card.setProperty("look", "card")
        card.setMaximumWidth(theme.px(560))
        inside = QVBoxLayout(card)
        inside.setContentsMargins(*[theme.px(32)] * 4)
        inside.setSpacing(theme.px(16))
        inside.addWidget(self.title)
        inside.addLayout(self._counts)
        inside.addWidget(self.text)
        inside.addWidget(self.others)
        inside.addLayout(
            row_of(self.another_button, self.folder_button, self.annotate_button, self.again_button, STRETCH)
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[theme.px(8)] * 4)
        layout.setSpacing(0)
        layout.addStretch(1)
        layout.addLayout(row_of(STRETCH, stretched(card, 10), STRETCH))
        layout.addStretch(2)

    @property
    def first_button(self) -> QPushButton:
        """What to do next."""
        buttons = (self.folder_button, self.annotate_button, *self.others.buttons, self.another_button)
        return next(button for button in buttons if not button.isHidden())

    def show_round(self, round: Round, others: Sequence[WaitingQueue]) -> None:
        """Count what the annotator has answered, or tagged, in a queue, and show that. others: those that wait."""
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
            self._show_tags(self._round, counts)
        is_own = self.annotate_button.isHidden()
        self.others.show_queues(self._others, is_next=is_own)
        self.another_button.setProperty("look", "" if self._others else "primary")
        self.another_button.style().unpolish(self.another_button)
        self.another_button.style().polish(self.another_button)
        self.ready.emit(self._round)

    def _show_answers(self, round: Round, counts: RoundCounts) -> None:
        """Of an answer file, with what to do with it; of an assignment, with the way back to the Rounds page."""
        was_assigned = round.order in GIVEN_ORDERS
        self._file = send_back = None if self._context.assignment is None else self._context.path
        self.folder_button.setVisible(send_back is not None)
        self.annotate_button.setVisible(send_back is None and was_assigned)
        self.another_button.setVisible(send_back is None and not was_assigned)
        is_of_ties = round.order is RoundOrder.TIES
        is_assigned = round.order is RoundOrder.ASSIGNED
        self.title.setText(
            tr("The ties are decided")
            if is_of_ties
            else tr("Your part of round {number:,} is done", number=round.number)
            if is_assigned
            else _OWN_IS_DONE
        )
        remove_widgets(self._counts)
        for row, answer in enumerate(Answer):
            number = PlainLabel(f"{counts.answers.get(answer.value, 0):,}")
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._counts.addWidget(LabelChip(self._theme, answer.value), row, 0)
            self._counts.addWidget(number, row, 1)
        lines = _sentences(counts)
        if send_back is not None:
            lines.append(tr("Close this window, then send {name} back to the person who sent it.", name=send_back.name))
        elif is_assigned:
            lines.append(_ASSIGNED_IS_DONE)
        self.text.setText("\n".join(lines))

    def _show_tags(self, round: Round, counts: Mapping[str, int]) -> None:
        """Show how many pairs have each tag, the most frequent first; by "" how many have any."""
        self.folder_button.setVisible(False)
        self.annotate_button.setVisible(False)
        self.another_button.setVisible(True)
        self.title.setText(tr("The errors are read"))
        remove_widgets(self._counts)
        read = counts.get("", 0)
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
            self._counts.addWidget(PlainLabel(capitalized(tag)), row, 0)
            self._counts.addWidget(PlainLabel(share), row, 1)
        self.text.setText(
            tr(
                "{errors} read; a pair may have several tags. In brackets: the 95\xa0% interval for all errors "
                "of the system, valid if the errors were drawn at random.",
                errors=count(read, "error"),
            )
        )

    @Slot()
    def _show_file(self) -> None:
        if self._file is not None:
            show_file(self._file)


def _sentences(counts: RoundCounts) -> list[str]:
    answered = sum(counts.answers.values())
    rejected = tr(", {bad:,} marked as bad", bad=counts.bad) if counts.bad else ""
    lines = [tr("{pairs} answered{rejected}.", pairs=count(answered, "pair"), rejected=rejected)]
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
