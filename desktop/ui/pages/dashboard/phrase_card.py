"""The card of the phrases: a table, for there the numbers are the answer."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTableView, QWidget

from desktop.text import count as counted
from desktop.ui.pages.dashboard.phrases import RANGE, RELATION, SHARE, PhraseDelegate, PhraseModel, phrase_lines
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.tables import style_table
from storage.pairs.statistics import PairCount

_RANGE = 150  # pixels as drawn, for the range of agreement at least
_PHRASES_SHOWN = 16  # more scroll


class PhraseCard(Card):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Which phrases can be trusted?", parent)
        self.domain: str | None = None
        self.add_button("", "copy", "Copy numbers").clicked.connect(self.copy)
        self.model = PhraseModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.question)
        self.delegate = PhraseDelegate(theme, self)
        self.table.setItemDelegate(self.delegate)
        style_table(self.table, theme)
        header = self.table.horizontalHeader()
        header.setStretchLastSection(True)
        header.setFixedHeight(theme.px(32))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
        self.table.activated.connect(self.on_activated)
        self.table.selectionModel().currentRowChanged.connect(self.on_current)
        self.body.addWidget(self.table)

    def show_counts(self, counts: list[PairCount], domain: str | None) -> None:
        self.domain = domain
        lines = phrase_lines(counts, domain)
        self.model.show_lines(lines)
        self.table.setFixedHeight(self._theme.px(32) + self._theme.px(28) * min(_PHRASES_SHOWN, max(1, len(lines))))
        self._fit_columns()
        answered, agreed = sum(line.answered for line in lines), sum(line.agreed for line in lines)
        self.summary = "No pairs were mined by a phrase."
        if lines:
            self.summary = f"{counted(len(lines), 'phrase')}. People have answered none of their pairs yet."
        if answered:
            self.summary = f"People agree with {agreed:,} of {counted(answered, 'answered pair')} mined by a phrase."
        self.body.setCurrentIndex(1)
        self.show_note("")

    def tsv(self) -> str:
        return self.model.tsv()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """As wide as their text; where it is narrow, what matters less is left out, and the range's bar is short."""
        widths = {column: self.delegate.width(self.model, column) for column in range(RANGE)}
        spare = self.width() - self._theme.px(_RANGE + 32) - sum(widths.values())
        for column in range(RANGE):  # the last one takes what is left
            self.table.setColumnWidth(column, widths[column])
        for column in (SHARE, RELATION):
            self.table.setColumnHidden(column, spare < 0)
            spare += widths[column]

    @Slot(QModelIndex, QModelIndex)
    def on_current(self, current: QModelIndex, _: QModelIndex) -> None:
        self.show_note(self.model.line(current.row()).note if current.isValid() else "")

    @Slot(QModelIndex)
    def on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.opens(index.row(), self.domain))
