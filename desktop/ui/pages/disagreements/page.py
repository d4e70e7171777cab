"""The Disagreements page: labels that are probably wrong, most doubtful first, one key each."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.jobs.pairs import table
from desktop.jobs.review.disagreements import DisagreementQueue, count_doubted, load_disagreements
from desktop.text import count
from desktop.ui.pages.disagreements.accepting import Accepting, Scope
from desktop.ui.pages.disagreements.reading import DoubtReading
from desktop.ui.pages.disagreements.session import Doubts
from desktop.ui.pages.pairs.filter_bar import FilterBar
from desktop.ui.pages.review.judging import JudgingPage
from desktop.ui.pages.review.verbs import Verb, add_all, add_answers, helping, marking, moving
from desktop.ui.services.latest_request import LatestRequest
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.words import describe
from desktop.ui.widgets.empty import Empty
from desktop.ui.widgets.plain import PlainLabel, set_tip
from storage.annotation.rounds import ReviewItem
from storage.changes import Changes
from storage.models.figures import DOUBTED
from storage.pairs.filters import PairFilter, with_value
from storage.pairs.table import Share

FIELDS = ("distant", "suggested", "doubt", "phrases", "strategies", "domains", "papers")
AT_FIRST = PairFilter(doubt=(DOUBTED, None))
NOTHING = "No model has looked at the pairs yet. Its suggestions show which labels are probably wrong."
NO_PAIRS = "No pairs yet. Add papers, and the doubtful labels of their pairs come here."
NEWER = "Another model's suggestions are shown now. The pairs that come are those it doubts."
_QUEUE = 100  # pairs that are fetched together
_SOON = 300  # ms after an answer until what waits is counted again


class DisagreementsPage(JudgingPage):
    title = "Disagreements"
    place = "disagreements"
    session: Doubts
    reading: DoubtReading

    def __init__(self, context: ProjectContext, parent: QWidget | None = None) -> None:
        super().__init__(context, Doubts(context), DoubtReading(context), parent)
        self._filter = AT_FIRST
        self._listed: PairFilter | None = None  # what the row was read with
        self._run = 0  # of the suggestions shown
        self._age = 0
        self._model = ""
        self._looking, self._counting, self._shares = LatestRequest(self), LatestRequest(self), LatestRequest(self)
        self._field = ""  # whose values are counted
        self._soon = QTimer(self, singleShot=True, interval=_SOON)
        self._build()
        self._add_verbs()
        self.reading.answers.show_keys()
        self.reading.show_keys()
        self._connect()
        self._show_whether_read_only()
        self.reading.opinions.allow(answers=not context.read_only)
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
        self.head.insertWidget(1, self.number)
        self.head.insertSpacing(2, theme.px(8))
        self.head.insertWidget(3, self.filters, 100)
        self.head.addWidget(self.accept_all)
        self.blank = QWidget()
        self.empty = Empty(theme, NOTHING, "Suggest relations")
        self.done = Empty(theme, "", "Look at less doubtful ones")
        for state in (self.blank, self.empty, self.side, self.done):
            self.stack.addWidget(state)

    def _add_verbs(self) -> None:
        add_answers(self)
        session = self.session
        own = (
            Verb("keep", "Keep the distant label", self.keep, "K", "check"),
            Verb("accept", "Accept the suggestion", self.accept, "A", "circle-check"),
            Verb("skip", "Skip: ask again at the end", session.skip, "Space", "skip-forward"),
        )
        every = Verb("accept_all", "Accept all suggestions…", self.ask_accept_all, "Shift+A", "circle-check")
        add_all(self, (*own, *marking(self), *moving(self), every, *helping(self)))

    def _connect(self) -> None:
        opinions, context = self.reading.opinions, self.context
        self._looking.done.connect(self._on_looked)
        self._looking.failed.connect(context.problems.show)
        self._counting.done.connect(self._on_counted)
        self._counting.failed.connect(context.problems.show)
        self._shares.done.connect(self._on_shares)
        self._shares.failed.connect(context.problems.show)
        self._soon.timeout.connect(self._count)
        self.session.finished.connect(self._look)
        opinions.keep.clicked.connect(self.keep)
        opinions.accept.clicked.connect(self.accept)
        self.filters.changed.connect(self.show_filter)
        self.filters.shares_asked.connect(self._ask_shares)
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
        if changes.mined or changes.papers or changes.many or changes.judged or changes.suggested:
            self._soon.start()

    def refresh(self, changes: Changes) -> None:
        if self.session.is_own(changes):
            return
        if changes.mined or changes.papers or changes.many or changes.settings or changes.suggested:
            self._look()
        elif changes.judged:
            self.session.judged(changes.judged)

    @Slot()
    def _look(self) -> None:
        self._age = self.session.age
        self.filters.show_filter(self._filter)
        self._looking.follow(
            self.context.runner.read(
                load_disagreements(self.context.project, self._filter, self.context.annotator, _QUEUE)
            )
        )

    @Slot(object)
    def _on_looked(self, found: DisagreementQueue) -> None:
        if self._age != self.session.age:  # answered meanwhile: it would be asked again
            self._look()
            return
        self.guide.show_text(found.guidelines, editable=not self.context.read_only)
        self._on_counted(found.waiting)
        if found.run is None:
            self._show_nothing(found)
            return
        first, is_other = self._run == 0, self._run not in (0, found.run.id)
        self._run, self._model = found.run.id, found.run.model
        self._say_waiting(found.waiting)
        self._show_head(shown=True)
        if self._listed != self._filter or self.session.row.current is None:
            self._listed = self._filter
            self.session.start(found.doubted)
        else:
            self.session.renew(found.doubted)
        if self.session.row.current is None:
            self._show_done()
        elif is_other:
            self.tell(NEWER)
        if first:
            self.side.reopen()

    def show_item(self, item: ReviewItem, *, blind: bool) -> None:
        self.reading.show_doubt(item, self.session.about(item), self.context.annotator)

    def _show_head(self, *, shown: bool) -> None:
        for widget in (self.number, self.filters):
            widget.setVisible(shown)
        self.accept_all.setVisible(shown and not self.context.read_only)

    def _show_nothing(self, found: DisagreementQueue) -> None:
        """Before any model has looked at the pairs."""
        self._run, self._listed = 0, None
        self.session.start(())
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
            sentence = f"No label that {self._model} doubts by {DOUBTED} % or more is left."
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
        self.context.page_asked.emit("papers" if self.empty.sentence.text() == NO_PAIRS else "suggest")

    @Slot()
    def _on_done(self) -> None:
        if with_value(self._filter, "doubt", None) != PairFilter():
            self.show_filter(AT_FIRST)
        elif self._filter.doubt is not None:
            self.show_filter(PairFilter())
        else:
            self.context.page_asked.emit("review")

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
        told = f"{count(waiting, 'label')} that {self._model} doubts by {DOUBTED} % or more and nobody has answered"
        set_tip(self.number, told)
        self.number.setAccessibleName(told)

    @Slot(str)
    def _ask_shares(self, field: str) -> None:
        self._field = field
        self._shares.follow(self.context.runner.read(table.shares(self.context.project, self._filter, field)))

    @Slot(object)
    def _on_shares(self, shares: list[Share]) -> None:
        self.filters.show_shares(self._field, shares)

    # Verbs

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
            scopes.insert(0, Scope(f"Those listed here: {describe(self._filter)}", self._filter, DOUBTED))
        Accepting(self.context, scopes, self).open()
