"""A card whose answer is a plot."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QHeaderView, QTableView, QToolTip, QVBoxLayout, QWidget

from desktop.ui.pages.dashboard.figures import Figure, Mark
from desktop.ui.pages.dashboard.numbers import NumbersModel
from desktop.ui.pages.dashboard.plots import Plot
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card, dress_table
from desktop.ui.widgets.plain import plain_tip

_MODE = QHeaderView.ResizeMode


class PlotCard(Card):
    """A card whose answer is a plot, or its numbers."""

    examples_asked = Signal(object)  # Mark, of candidates that were dropped

    def __init__(self, theme: Theme, question: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, question, parent)
        self.numbers_button = self.add_button("Numbers", "", "Show as numbers")
        self.numbers_button.setCheckable(True)
        self.numbers_button.toggled.connect(self.show_numbers)
        self.add_button("", "copy", "Copy numbers").clicked.connect(self.copy)
        self.plot = Plot(theme, question)
        self.plot.pointed.connect(self.on_pointed)
        self.plot.chosen.connect(self.on_chosen)
        holder = QWidget()
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        layout.addStretch(1)
        self.body.addWidget(holder)
        self.model = NumbersModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(f"{question} As numbers")
        self.table.activated.connect(self.on_activated)
        dress_table(self.table, theme)
        self.body.addWidget(self.table)

    def show_nothing(self, why: str) -> None:
        """A sentence where there is nothing to plot."""
        self.waiting.setText(why)
        self.summary = ""
        self.body.setCurrentIndex(0)
        self.say("")

    def show_figure(self, figure: Figure) -> None:
        self.summary = figure.summary
        self.plot.show_figure(figure)
        self.model.show_figure(figure)
        header = self.table.horizontalHeader()
        for column in range(len(figure.columns)):  # the second has the long names
            header.setSectionResizeMode(column, _MODE.Stretch if column == 1 else _MODE.ResizeToContents)
        self.show_numbers(self.numbers_button.isChecked())
        self.say("")

    @Slot(bool)
    def show_numbers(self, numbers: bool) -> None:
        self.numbers_button.setChecked(numbers)
        self.numbers_button.setText("Plot" if numbers else "Numbers")
        if self.summary:
            self.body.setCurrentIndex(2 if numbers else 1)

    def tsv(self) -> str:
        return self.model.tsv()

    @Slot(object)
    def on_pointed(self, mark: Mark | None) -> None:
        self.say(mark.note if mark else "")

    @Slot(object)
    def on_chosen(self, mark: Mark) -> None:
        """Open the pairs behind the mark, or examples of what was dropped, or say why there is nothing."""
        if mark.opens is not None:
            self.opened.emit(mark.opens)
            return
        if mark.dropped is not None:
            self.examples_asked.emit(mark)
            return
        self.say(mark.note)
        at = self.plot.mapToGlobal(self.plot.where(mark).bottomLeft().toPoint())
        QToolTip.showText(at if self.plot.isVisible() else QCursor.pos(), plain_tip(mark.note), self)

    @Slot(QModelIndex)
    def on_activated(self, index: QModelIndex) -> None:
        self.on_chosen(self.model.mark(index.row()))
