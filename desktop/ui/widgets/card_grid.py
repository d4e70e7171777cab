"""A grid of cards: side by side where there is room, else one below the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card


class CardGrid(QWidget):
    """Rows of one or two cards. two_columns_width: unscaled pixels, from which two cards are side by side."""

    def __init__(self, theme: Theme, two_columns_width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._two_columns_width = theme, two_columns_width
        self._rows: Sequence[Sequence[Card]] = ()
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        theme.changed.connect(self._arrange)

    def set_cards(self, rows: Sequence[Sequence[Card]]) -> None:
        self._rows, self._columns = rows, 0
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @Slot()
    def _arrange(self) -> None:
        self._grid.setSpacing(self._theme.px(16))
        columns = 2 if self.width() >= self._theme.px(self._two_columns_width) else 1
        if columns == self._columns:
            return
        self._columns = columns
        cards = [card for row in self._rows for card in row]
        for card in cards:
            self._grid.removeWidget(card)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, columns - 1)
        for number, row in enumerate(self._rows if columns == 2 else [[card] for card in cards]):
            for column, card in enumerate(row):
                self._grid.addWidget(card, number, column, 1, columns if len(row) == 1 else 1)
