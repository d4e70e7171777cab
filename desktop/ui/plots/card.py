"""A card whose answer is a plot."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QModelIndex, Slot
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTableView, QToolTip, QVBoxLayout, QWidget

from desktop.ui.plots.figures import Figure, PlotMark
from desktop.ui.plots.numbers import NumbersModel
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.labels import plain_tip
from desktop.ui.widgets.tables import style_table
from miner.progress import Job, Progress

if TYPE_CHECKING:
    from desktop.ui.plots.plot import Plot

_MODE = QHeaderView.ResizeMode
_PLOT = "desktop.ui.plots.plot"
T = TypeVar("T")


def with_plots(job: Job[T]) -> Job[T]:
    """The job, after importing what draws its result, which takes longer than a click should."""

    def work(progress: Progress) -> T:
        import_module(_PLOT)
        return job.work(progress)

    return Job(job.title, work)


class PlotCard(Card):
    """Shows the plot or, on demand, its numbers. A chosen mark is opened, or says why there is nothing behind it."""

    def __init__(self, theme: Theme, question: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, question, parent)
        self._has_figure = False
        self.numbers_button = self.add_button("Numbers", "", "Show as numbers")
        self.numbers_button.setCheckable(True)
        self.numbers_button.toggled.connect(self.show_numbers)
        self.copy_button = self.add_button("", "copy", "Copy numbers")
        self.copy_button.clicked.connect(self.copy)
        holder = QWidget()
        self._place = QVBoxLayout(holder)
        self._place.setContentsMargins(0, 0, 0, 0)
        self.body.addWidget(holder)
        self.model = NumbersModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(f"{question} As numbers")
        self.table.activated.connect(self.on_activated)
        style_table(self.table, theme)
        self.table.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # the plot has the say
        self.body.addWidget(self.table)

    @cached_property
    def plot(self) -> Plot:
        """Made when there is something to show; see `with_plots`."""
        from desktop.ui.plots.plot import Plot

        plot = Plot(self._theme, self.question)
        plot.pointed.connect(self.on_pointed)
        plot.chosen.connect(self.on_chosen)
        self._place.addWidget(plot)
        self._place.addStretch(0)
        return plot

    def show_nothing(self, why: str) -> None:
        """A sentence where there is nothing to plot."""
        self.waiting_label.setText(why)
        self.summary, self._has_figure = "", False
        self.body.setCurrentIndex(0)
        self.show_note("")

    def show_figure(self, figure: Figure) -> None:
        self.summary, self._has_figure = figure.summary, True
        self.plot.show_figure(figure)
        self.model.show_figure(figure)
        header = self.table.horizontalHeader()
        for column in range(len(figure.columns)):  # the second has the long names
            header.setSectionResizeMode(column, _MODE.Stretch if column == 1 else _MODE.ResizeToContents)
        self.show_numbers(self.numbers_button.isChecked())
        self.show_note(self.plot.current.note if self.plot.current is not None else "")

    @Slot(bool)
    def show_numbers(self, numbers: bool) -> None:
        self.numbers_button.setChecked(numbers)
        self.numbers_button.setText("Plot" if numbers else "Numbers")
        if self._has_figure:
            self.body.setCurrentIndex(2 if numbers else 1)

    def tsv(self) -> str:
        return self.model.tsv()

    @Slot(object)
    def on_pointed(self, mark: PlotMark | None) -> None:
        self.show_note(mark.note if mark else "")

    @Slot(object)
    def on_chosen(self, mark: PlotMark) -> None:
        if mark.opens is not None:
            self.opened.emit(mark.opens)
            return
        self.show_note(mark.note)
        at = self.plot.mapToGlobal(self.plot.where(mark).bottomLeft().toPoint())
        QToolTip.showText(at if self.plot.isVisible() else QCursor.pos(), plain_tip(mark.note), self)

    @Slot(QModelIndex)
    def on_activated(self, index: QModelIndex) -> None:
        self.on_chosen(self.model.mark(index.row()))
