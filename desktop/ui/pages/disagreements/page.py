"""The Disagreements page: labels that are probably wrong, most doubtful first, one key each."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.jobs.pairs import table
from desktop.jobs.review import disagreements
from desktop.jobs.review.answers import ActionResult
from desktop.jobs.review.disagreements import DisagreementQueue, DoubtedPair, count_doubted, load_disagreements
from desktop.text import count
from desktop.ui.filters.filter_bar import FilterBar
from desktop.ui.judging.accept_dialog import AcceptDialog, Scope
from desktop.ui.judging.actions import (
    PageAction,
    add_actions,
    add_answer_actions,
    help_actions,
    mark_actions,
    move_actions,
)
from desktop.ui.judging.answer_bar import HINTS, AnswerBar
from desktop.ui.judging.answer_session import AnswerSession
from desktop.ui.judging.judging_page import JudgingPage
from desktop.ui.judging.pair_column import PairColumn
from desktop.ui.judging.review_queue import ReviewQueue
from desktop.ui.pages.disagreements.opinions import DoubtLine, Opinions
from desktop.ui.services.display_names import describe
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import LatestRequest
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import EmptyState
from miner.progress import Job
from miner.records import Answer
from storage.annotation.rounds import ReviewItem
from storage.changes import Changes
from storage.models.figures import DOUBTED_PERCENT
from storage.pairs.filters import PairFilter, with_value
from storage.pairs.table import FacetCount

FIELDS = ("distant", "suggested", "doubt", "phrases", "strategies", "domains", "papers")
AT_FIRST = PairFilter(doubt=(DOUBTED_PERCENT, None))
NOTHING = "No model has looked at the pairs yet. Its suggestions show which labels are probably wrong."
NO_PAIRS = "No pairs yet. Add papers, and the doubtful labels of their pairs come here."
NEWER = "Another model's suggestions are shown now. The pairs that come are those it doubts."
_HINTS = tuple(hint for hint in HINTS if hint[0] != "accept")  # that stands beside what the model says
_ROOMY = 840  # px of the window's height
_QUEUE = 100  # pairs that are fetched together
_SOON = 300  # ms after an answer until what waits is counted again


class DisagreementsPage(JudgingPage):
    title = "Disagreements"
    place = "disagreements"

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        opinions, doubt = Opinions(context.theme), DoubtLine(context.theme)
        answers = AnswerBar(context.actions, context.theme, "disagreements", _HINTS)
        column = PairColumn(context, answers, between=(opinions, doubt), roomy=_ROOMY)
        super().__init__(context, AnswerSession(context, self._answer_job), column, parent)
        self.session.view.blind = False
        self.opinions, self.doubt = opinions, doubt
        self._doubted: dict[str, DoubtedPair] = {}  # by key, all that were ever listed
        self._filter = AT_FIRST
        self._listed: PairFilter | None = None  # what the row was read with
        self._run = 0  # of the suggestions shown
        self._version = 0
        self._model = ""
        self._looking, self._counting, self._counts = LatestRequest(self), LatestRequest(self), LatestRequest(self)
        self._field = ""  # whose values are counted
        self._soon = QTimer(self, singleShot=True, interval=_SOON)
        self._build()
        self._add_actions()
        self.column.answers.show_keys()
        self.show_keys()
        self._connect()
        self._show_whether_read_only()
        self.opinions.allow(answers=not context.read_only)
        self._count()

    def _build(self) -> None:
        theme = self.context.theme
        self.accept_all = QPushButton("Accept all suggestions…")
        self.accept_all.setVisible(False)
        self.number = PlainLabel()
        self.number.setProperty("type", "lead")
        self.number.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.filters = FilterBar(theme, fields=FIELDS)
        self.filters.setVisible(False)
        self.header.insertWidget(1, self.number)
        self.header.insertSpacing(2, theme.px(8))
        self.header.insertWidget(3, self.filters, 100)
        self.header.addWidget(self.accept_all)
        self.blank = QWidget()
        self.empty = EmptyState(theme, NOTHING, "Suggest relations")
        self.done = EmptyState(theme, "", "Look at less doubtful ones")
        for state in (self.blank, self.empty, self.side_panel, self.done):
            self.stack.addWidget(state)

    def _add_actions(self) -> None:
        add_answer_actions(self)
        session = self.session
        own = (
            PageAction("keep", "Keep the distant label", self.keep, "K", "check"),
            PageAction("accept", "Accept the suggestion", self.accept, "A", "circle-check"),
            PageAction("skip", "Skip: ask again at the end", session.skip, "Space", "skip-forward"),
        )
        every = PageAction("accept_all", "Accept all suggestions…", self.ask_accept_all, "Shift+A", "circle-check")
        add_actions(self, (*own, *mark_actions(self), *move_actions(self), every, *help_actions(self)))

    def _connect(self) -> None:
        opinions, context = self.opinions, self.context
        context.actions.keys_changed.connect(self.show_keys)
        self._looking.done.connect(self._on_looked)
        self._looking.failed.connect(context.problems.show)
        self._counting.done.connect(self._on_counted)
        self._counting.failed.connect(context.problems.show)
        self._counts.done.connect(self._on_counts)
        self._counts.failed.connect(context.problems.show)
        self._soon.timeout.connect(self._count)
        self.session.finished.connect(self._look)
        opinions.keep.clicked.connect(self.keep)
        opinions.accept.clicked.connect(self.accept)
        self.filters.changed.connect(self.show_filter)
        self.filters.counts_requested.connect(self._ask_counts)
        self.accept_all.clicked.connect(self.ask_accept_all)
        self.empty.button.clicked.connect(self._on_empty)
        self.done.button.clicked.connect(self._on_done)
        context.annotator_changed.connect(self._on_annotator)

    # What is shown

    @property
    def filter(self) -> PairFilter:
        return self._filter

    @Slot(object)
    def show_filter(self, filter: PairFilter) -> None:
        """List the doubted pairs that a filter means."""
        self._filter = filter
        self.filters.show_filter(filter)
        self._look()

    @Slot(object)
    def on_changed(self, changes: Changes) -> None:
        """What waits is counted also while the page is out of sight."""
        super().on_changed(changes)
        if changes.pairs or changes.papers or changes.many_annotated or changes.annotated_keys or changes.suggestions:
            self._soon.start()

    def refresh(self, changes: Changes) -> None:
        if self.session.commands.is_own(changes):
            return
        if changes.pairs or changes.papers or changes.many_annotated or changes.settings or changes.suggestions:
            self._look()
        elif changes.annotated_keys:
            self.session.on_judged(changes.annotated_keys)

    @Slot()
    def _look(self) -> None:
        self._version = self.session.commands.version
        self.filters.show_filter(self._filter)
        self._looking.follow(
            self.context.runner.read(
                load_disagreements(self.context.project, self._filter, self.context.annotator, _QUEUE)
            )
        )

    @Slot(object)
    def _on_looked(self, found: DisagreementQueue) -> None:
        if self._version != self.session.commands.version:  # answered meanwhile: it would be asked again
            self._look()
            return
        self.guide.show_text(found.guidelines, editable=not self.context.read_only)
        self._on_counted(found.waiting)
        if found.run is None:
            self._show_nothing(found)
            return
        self._doubted |= {doubted.key: doubted for doubted in found.doubted}
        items = [doubted.item for doubted in found.doubted]
        first, is_other = self._run == 0, self._run not in (0, found.run.id)
        self._run, self._model = found.run.id, found.run.model
        self._say_waiting(found.waiting)
        self._show_head(shown=True)
        if self._listed != self._filter or self.session.queue.current is None:
            self._listed = self._filter
            self._begin(items)
        else:
            self.session.renew(items)
        if self.session.queue.current is None:
            self._show_done()
        elif is_other:
            self.tell(NEWER)
        if first:
            self.side_panel.reopen()

    def _begin(self, items: list[ReviewItem]) -> None:
        self.session.begin(ReviewQueue.of_all([item.pair.key for item in items]), items=items)

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        super().show_item(item, blind=False)
        doubted = self._listed_as(item)
        self.column.pair.show_origin(None)
        self.opinions.show_item(item, _answers(item, doubted, self.context.annotator))
        self.doubt.show_doubt(item, doubted.why if doubted else "")

    def _listed_as(self, item: ReviewItem) -> DoubtedPair | None:
        """What the queue said of a pair, the pair itself as it is now; None for one that was never listed."""
        known = self._doubted.get(item.pair.key)
        if known is None or item.suggestion is None:
            return None
        return replace(known, item=item, suggestion=item.suggestion)

    def _answer_job(self, item: ReviewItem, answer: Answer) -> Job[ActionResult] | None:
        doubted = self._listed_as(item)
        if doubted is None:
            return None
        return disagreements.answer_doubted(self.context.project, doubted, self.context.annotator, answer)

    @Slot()
    def show_keys(self) -> None:
        """The keys as they are now."""
        hint = self.context.actions.hint
        self.opinions.show_keys(hint("disagreements.keep"), hint("disagreements.accept"))

    def _show_head(self, *, shown: bool) -> None:
        for widget in (self.number, self.filters):
            widget.setVisible(shown)
        self.accept_all.setVisible(shown and not self.context.read_only)

    def _show_nothing(self, found: DisagreementQueue) -> None:
        """Before any model has looked at the pairs."""
        self._run, self._listed = 0, None
        self._begin([])
        self._show_head(shown=False)
        self.empty.sentence.setText(NOTHING if found.pairs else NO_PAIRS)
        self.empty.button.setText("Suggest relations" if found.pairs else "Add papers")
        self.stack.setCurrentWidget(self.empty)

    def _show_done(self) -> None:
        """None of the pairs asked for is left."""
        narrowed = with_value(self._filter, "doubt", None) != PairFilter()
        if narrowed:
            sentence, button = f"No doubtful label is left among these: {describe(self._filter)}.", "Clear the filter"
        elif self._filter.doubt is not None:
            sentence = f"No label that {self._model} doubts by {DOUBTED_PERCENT} % or more is left."
            button = "Look at less doubtful ones"
        else:
            sentence, button = f"You have settled every label that {self._model} can doubt.", "Review other pairs"
        self.done.sentence.setText(sentence)
        self.done.button.setText(button)
        self.stack.setCurrentWidget(self.done)
        if self.isVisible():
            self.done.button.setFocus()

    @Slot()
    def _on_empty(self) -> None:
        self.context.page_requested.emit("papers" if self.empty.sentence.text() == NO_PAIRS else "suggest")

    @Slot()
    def _on_done(self) -> None:
        if with_value(self._filter, "doubt", None) != PairFilter():
            self.show_filter(AT_FIRST)
        elif self._filter.doubt is not None:
            self.show_filter(PairFilter())
        else:
            self.context.page_requested.emit("review")

    @Slot(str)
    def _on_annotator(self, name: str) -> None:
        self._listed = None
        if self._run:
            self._look()

    # What waits

    @Slot()
    def _count(self) -> None:
        self._counting.follow(self.context.runner.read(count_doubted(self.context.project)))

    @Slot(object)
    def _on_counted(self, waiting: int) -> None:
        self.badge_changed.emit(waiting)
        if self._run:
            self._say_waiting(waiting)

    def _say_waiting(self, waiting: int) -> None:
        self.number.setText(f"{waiting:,}")
        labels = count(waiting, "label")
        told = f"{labels} that {self._model} doubts by {DOUBTED_PERCENT} % or more and nobody has answered"
        set_tip(self.number, told)
        self.number.setAccessibleName(told)

    @Slot(str)
    def _ask_counts(self, field: str) -> None:
        self._field = field
        self._counts.follow(self.context.runner.read(table.count_by_value(self.context.project, self._filter, field)))

    @Slot(object)
    def _on_counts(self, counts: list[FacetCount]) -> None:
        self.filters.show_counts(self._field, counts)

    # Commands

    @Slot()
    def keep(self) -> None:
        """The distant label is right."""
        if self._may_answer():
            self.session.keep()

    @Slot()
    def accept(self) -> None:
        super().accept()

    @Slot()
    def ask_accept_all(self) -> None:
        """Accept what the model is sure of, after a look at what that would do."""
        if not self._run or self.context.read_only or self.context.ask_annotator(self) is None:
            return
        scopes = [Scope("All pairs that nobody has answered", PairFilter())]
        if self._filter != PairFilter():
            scopes.insert(0, Scope(f"Those listed here: {describe(self._filter)}", self._filter, DOUBTED_PERCENT))
        AcceptDialog(self.context, scopes, self).open()


def _answers(item: ReviewItem, doubted: DoubtedPair | None, annotator: str) -> dict[str, Answer]:
    """What people say; the annotator's own as it is now."""
    others = {name: answer for name, answer in (doubted.answers if doubted else {}).items() if name != annotator}
    return {**others, annotator: item.mine} if item.mine is not None else others
