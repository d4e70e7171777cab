"""What the tab Answer shows while it asks nothing: draw pairs, or join a round of others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.jobs.review.kinds_rounds import KindsQueue, join_kinds, start_kinds
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.fields import NumberBox, centered, pad_number
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import STRETCH, card_of, column_of, row_of
from miner.errors import UserError
from miner.progress import Job
from storage.annotation.annotation_rounds import USUAL_KINDS_PAIRS

_MAX_PAIRS = 10_000
_LEAD = tr("Which kinds of reasoning do the pairs need, and which sentence entails the other?")
_ABOUT = tr(
    "You answer one pair at a time by keys: first its relation, then short questions. The pairs are drawn in equal "
    "numbers from each class and domain."
)


class KindsStart(QWidget):
    draw_requested = Signal(int)  # how many pairs
    started = Signal(object)  # the `KindsQueue` of a round that was drawn or joined

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, theme = context, context.theme
        px = theme.px
        self.lead = PlainLabel(_LEAD, type="lead")
        self.about = PlainLabel(_ABOUT, type="muted")
        for label in (self.lead, self.about):
            label.setWordWrap(True)
        self.size_box = NumberBox()
        self.size_box.setRange(1, _MAX_PAIRS)
        self.size_box.setValue(USUAL_KINDS_PAIRS)
        self.size_box.setAccessibleName(tr("How many pairs"))
        pad_number(self.size_box, theme)
        self.size_box.valueChanged.connect(self._show_size)
        self.draw_button = QPushButton()
        self.draw_button.setProperty("look", "primary")
        self.draw_button.setAutoDefault(True)  # Enter presses it, as Space does
        self.draw_button.clicked.connect(lambda: self.draw_requested.emit(self.size_box.value()))
        self.join_button = QPushButton()
        self.join_button.setAutoDefault(True)
        self.join_button.clicked.connect(self._join)
        self._joinable = 0
        self.problem = PlainLabel(type="warning", wraps=True)
        self.problem.hide()
        self._form = QWidget()
        label = PlainLabel(tr("&Pairs"))
        label.setBuddy(self.size_box)
        self._form.setLayout(row_of(label, self.size_box, self.draw_button, self.join_button, STRETCH, spacing=px(8)))
        frame = card_of(column_of(self.lead, self.about, self._form, self.problem, spacing=px(16), margins=px(32)))
        frame.setMaximumWidth(px(600))
        self.setLayout(column_of(centered(frame, px(8)), spacing=0))
        self._show_size()

    def offer(self, joinable: Sequence[int], *, read_only_reason: str = "") -> None:
        """Offer what can be started.

        joinable: the rounds of others that this annotator could join; the last is offered.
        """
        self._joinable = joinable[-1] if joinable else 0
        self.join_button.setText(tr("Join round {joinable:,}", joinable=self._joinable))
        set_tip(self.join_button, tr("Answer the same pairs as others, so that agreement can be measured"))
        self.join_button.setVisible(bool(joinable))
        self._form.setVisible(not read_only_reason)
        self.about.setText(
            tr("{read_only_reason} Pairs cannot be answered.", read_only_reason=read_only_reason)
            if read_only_reason
            else _ABOUT
        )
        self.show_problem("")

    def draw(self, pairs: int) -> None:
        """Draw pairs only for the annotator."""
        self.draw_button.setEnabled(False)
        self._follow(start_kinds(self._context.project, self._context.annotator, pairs))

    @Slot()
    def _join(self) -> None:
        """Join a round of others."""
        if self._context.ask_annotator(self) is not None:
            self._follow(join_kinds(self._context.project, self._context.annotator, self._joinable))

    def _follow(self, job: Job[KindsQueue]) -> None:
        run = self._context.runner.save(job)
        run.done.connect(self._on_started)
        run.failed.connect(self._on_failed)

    @Slot(object)
    def _on_started(self, queue: KindsQueue) -> None:
        self.show_problem("")
        self.started.emit(queue)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.show_problem(f"{error} {error.hint}" if isinstance(error, UserError) else "")
        if not isinstance(error, UserError):
            self._context.problems.show(error)

    def show_problem(self, text: str) -> None:
        """Show why nothing was drawn; "" if something was."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        self.draw_button.setEnabled(True)

    @Slot()
    def _show_size(self) -> None:
        self.draw_button.setText(tr("Draw {pairs} and start", pairs=count(self.size_box.value(), "pair")))
