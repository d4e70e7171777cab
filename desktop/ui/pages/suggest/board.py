"""The cards of the suggestions: by class, by confidence, against phrase and people, and by phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QTableView, QWidget

from desktop.text import count
from desktop.ui.pages.suggest import words
from desktop.ui.pages.suggest.figures import Rows, classes_figure, confidence_figure, matrix_figure
from desktop.ui.pages.suggest.groups import DOUBTS, GroupDelegate, GroupModel, Kind
from desktop.ui.plots.card import PlotCard
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import ToggleGroup
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.tables import style_table

if TYPE_CHECKING:
    from desktop.jobs.models.suggest_state import SuggestState

_WIDE = 760  # pixels as drawn, from which cards stand side by side
_LINES = 12  # of the table; more scroll
_NOBODY = "People have not answered any of these pairs yet."


class MatrixCard(PlotCard):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Where do phrase, people and model differ?", parent)
        self.rows = ToggleGroup(theme, "Rows", {"distant": "By phrase", "gold": "By people"})
        self.rows.key_changed.connect(self._show)
        self.header.insertWidget(1, self.rows, 0, Qt.AlignmentFlag.AlignTop)
        self._state: SuggestState | None = None

    def show_state(self, state: SuggestState) -> None:
        self._state = state
        self._show(self.rows.key)

    @Slot(str)
    def _show(self, _: str) -> None:
        if self._state is None:
            return
        rows: Rows = "gold" if self.rows.key == "gold" else "distant"
        cells = [cell for cell in self._state.matrix if cell.suggested]
        labelled = sum(cell.pairs for cell in cells if cell.distant)
        same = sum(cell.pairs for cell in cells if cell.distant and cell.distant == cell.suggested)
        settled = [cell for cell in cells if cell.gold]
        right = sum(cell.pairs for cell in settled if cell.gold == cell.suggested)
        answers = sum(cell.pairs for cell in settled)
        if rows == "distant":
            text = (
                f"Rows: what the phrase says; columns: the model. They agree on {same:,} of {count(labelled, 'pair')}."
            )
            more = " The line in a cell: what people say of its pairs." if answers else ""
        else:
            text = f"Rows: what people say; columns: the model. They agree on {right:,} of {count(answers, 'pair')}."
            more = " The line in a cell: what the phrase says." if answers else ""
            text = text if answers else _NOBODY
        self.show_figure(matrix_figure(cells, rows, text + more))


class GroupCard(Card):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Which labels does the model doubt?", parent)
        self.kinds = ToggleGroup(theme, "Grouped", {"phrase": "By phrase", "domain": "By domain"})
        self.kinds.key_changed.connect(self._show)
        self.header.addWidget(self.kinds, 0, Qt.AlignmentFlag.AlignTop)
        self.add_button("", "copy", "Copy numbers").clicked.connect(self.copy)
        self.model = GroupModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.question)
        self.delegate = GroupDelegate(theme, self)
        self.table.setItemDelegate(self.delegate)
        style_table(self.table, theme)
        self.table.horizontalHeader().setFixedHeight(theme.px(32))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(DOUBTS, Qt.SortOrder.DescendingOrder)
        self.table.activated.connect(self._on_activated)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.body.addWidget(self.table)
        self._state: SuggestState | None = None

    def show_state(self, state: SuggestState) -> None:
        self._state = state
        self._show(self.kinds.key)

    def tsv(self) -> str:
        return self.model.tsv()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    @Slot(str)
    def _show(self, _: str) -> None:
        if self._state is None:
            return
        kind: Kind = "domain" if self.kinds.key == "domain" else "phrase"
        lines = self._state.phrases if kind == "phrase" else self._state.domains
        self.model.show_lines(kind, lines)
        theme = self._theme
        self.table.setFixedHeight(theme.px(32) + theme.px(28) * min(_LINES, max(1, len(lines))))
        self._fit_columns()
        pairs = sum(line.pairs for line in lines)
        wrong = sum(line.pairs * line.doubt for line in lines)
        if self._state.summary is not None:
            self.summary = words.doubts(self._state.summary, pairs, wrong)
        if not lines:
            self.waiting_label.setText("There are no labels that the model has not learned from, so it can doubt none.")
            self.summary = ""
        self.body.setCurrentIndex(1 if lines else 0)
        self.show_note("")

    def _fit_columns(self) -> None:
        """As wide as their text, and the bar takes what is left."""
        columns = range(self.model.columnCount())
        widths = [self.delegate.width(self.model, column) for column in columns]
        spare = self.table.viewport().width() - sum(widths) + widths[DOUBTS]
        widths[DOUBTS] = max(widths[DOUBTS], spare)
        for column in columns:
            self.table.setColumnWidth(column, widths[column])

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, _: QModelIndex) -> None:
        self.show_note(self.model.note(current.row()) if current.isValid() else "")

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.opens(index.row()))


class Board(QWidget):
    opened = Signal(object)  # PairFilter: the pairs behind a mark
    copied = Signal(int)  # how many lines of numbers

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.classes = PlotCard(theme, "What does the model suggest?")
        self.sure = PlotCard(theme, "How sure is it?")
        self.matrix = MatrixCard(theme)
        self.groups = GroupCard(theme)
        self.cards: tuple[Card, ...] = (self.classes, self.sure, self.matrix, self.groups)
        for card in self.cards:
            card.opened.connect(self.opened)
            card.copied.connect(self.copied)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._columns = 0
        self._arrange()

    def show_state(self, state: SuggestState) -> None:
        assert state.summary is not None
        summary = state.summary
        suggested = f"{count(summary.suggested, 'pair has', 'pairs have')} a suggestion."
        self.classes.show_figure(classes_figure(summary.labels, suggested))
        self.sure.show_figure(confidence_figure(summary.confidence, words.calibration(state.calibration)))
        self.matrix.show_state(state)
        self.groups.show_state(state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Two cards side by side where there is room."""
        columns = 2 if self.width() >= self._theme.px(_WIDE) else 1
        self._grid.setSpacing(self._theme.px(16))
        if columns == self._columns:
            return
        self._columns = columns
        for card in self.cards:
            self._grid.removeWidget(card)
        for column in range(2):
            self._grid.setColumnStretch(column, int(column < columns))
        if columns == 1:
            for row, card in enumerate(self.cards):
                self._grid.addWidget(card, row, 0)
            return
        self._grid.addWidget(self.classes, 0, 0)
        self._grid.addWidget(self.sure, 0, 1)
        self._grid.addWidget(self.matrix, 1, 0, 1, 2)
        self._grid.addWidget(self.groups, 2, 0, 1, 2)
