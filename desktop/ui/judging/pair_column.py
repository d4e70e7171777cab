"""The column with a pair and, below it, everything it is answered with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from desktop.ui.judging.pair_view import PairView, text_width
from desktop.ui.theme import Theme
from desktop.ui.widgets.layouts import STRETCH, column_of, row_of, stretched

Reduction = Callable[[bool], object]
"""Reduces something to give the pair room, or restores it."""


class PairColumn(QWidget):
    """The pair, between the widgets above and below it, which are reduced until both sentences are fully visible.

    page: the page that the column is on. reductions: what is reduced below the pair, in the order of use.
    """

    def __init__(
        self,
        theme: Theme,
        pair: PairView,
        above: Sequence[QWidget],
        below: Sequence[QWidget],
        reductions: Callable[[], Sequence[Reduction]],
        page: QWidget,
    ) -> None:
        super().__init__(page)
        self._page, self._pair, self._reductions = page, pair, reductions
        self._reduced = 0  # how many of the reductions are in force
        self._is_asking = False  # whether a question was open when room was made last
        self._above, self._below = QWidget(self), QWidget()
        self._above.setLayout(column_of(*above, spacing=theme.px(12)))
        self._below.setLayout(column_of(*below, spacing=theme.px(8)))
        self._below.setMaximumWidth(max(text_width(theme), theme.px(800)))
        row = row_of(STRETCH, stretched(self._below, 1000), STRETCH)
        head = [self._above] if above else []
        self.setLayout(column_of(*head, stretched(pair), row, spacing=theme.px(12)))

    def restore(self) -> None:
        """Restore everything below the pair; `give_room` reduces it again as far as needed."""
        self._reduced = 0
        for reduce in self._reductions():
            reduce(False)

    def give_room(self, *, is_asking: bool) -> None:
        """Reduce what is below the pair until both sentences are fully visible; this lasts until `restore`.

        So the buttons stay where they are for the next pair, unless it needs more room. What is above the pair moves no
        button, and is reduced only for this pair. is_asking: whether a question about the pair is open.
        """
        if is_asking != self._is_asking:
            self._is_asking = is_asking
            self.restore()
        for_this_pair = self._pair.hide_source, self._above.setHidden, self._pair.hide_captions, self._pair.set_small
        for reduce in (self._pair.set_tight, *for_this_pair):
            reduce(False)
        if self._lacks_room():
            self._pair.set_tight(True)
        reductions = self._reductions()
        while self._reduced < len(reductions) and self._lacks_room():
            reductions[self._reduced](True)
            self._reduced += 1
        for reduce in for_this_pair:
            if self._lacks_room():
                reduce(True)

    def _lacks_room(self) -> bool:
        for widget in (self._below, self, self._page):
            if (layout := widget.layout()) is not None:
                layout.activate()
        return self._pair.lacks_room
