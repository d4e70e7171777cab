"""A card with a plot and, on demand, the numbers behind it as a table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTableView, QToolButton, QToolTip, QVBoxLayout, QWidget

from desktop.text import percent
from desktop.translation import tr
from desktop.ui.plots.figures import Figure, PlotMark, Value
from desktop.ui.theme import Theme
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.labels import plain_tip
from desktop.ui.widgets.menus import add_copy_menu
from desktop.ui.widgets.tables import style_table
from miner.progress import Job, Progress
from miner.text_tables import TableCell, TableFormat, TextRow, TextTable, format_table

if TYPE_CHECKING:
    from desktop.ui.plots.plot import Plot

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_NUMBER = re.compile(r"[+−]?\d|–?$")  # a coefficient as it is shown, or none
T = TypeVar("T")


def with_plots(job: Job[T]) -> Job[T]:
    """The same job, which first imports numpy in its own thread: half of the time that importing plots takes.

    pyqtgraph itself is not imported: it touches all classes of Qt, which PySide makes when they are first used. Made in
    a thread while the window exists, they crash the program about once in twenty times.
    """

    def work(progress: Progress) -> T:
        import_module("numpy")
        return job.work(progress)

    return Job(job.title, work)


class NumbersModel(QAbstractTableModel):
    """The numbers of a figure as a table: for people who do not see the plot, and for copying."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._figure = Figure()
        self._alignments: list[Qt.AlignmentFlag] = []  # by column

    def show_figure(self, figure: Figure) -> None:
        self.beginResetModel()
        self._figure = figure
        rows = [mark.values for mark in figure.numbers]
        self._alignments = [_alignment(row[column] for row in rows) for column in range(len(figure.columns))]
        self.endResetModel()

    def mark(self, row: int) -> PlotMark:
        return self._figure.numbers[row]

    def tsv(self) -> str:
        """The table as tab-separated text; counts without separators, shares from 0 to 1."""
        rows = [[_plain_text(value) for value in mark.values] for mark in self._figure.numbers]
        return "".join("\t".join(row) + "\n" for row in [self._figure.columns, *rows])

    def text_table(self, title: str) -> TextTable:
        """The table as it is shown."""
        rows = [
            TextRow(tuple(TableCell(self._display_text(value)) for value in mark.values))
            for mark in self._figure.numbers
        ]
        return TextTable(title, tuple(self._figure.columns), tuple(rows), notes=(self._figure.summary,))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._figure.numbers)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._figure.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        mark = self._figure.numbers[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._display_text(mark.values[index.column()])
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(mark.note)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignments[index.column()]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._figure.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._figure.columns[section]
        return self._alignments[section] if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _display_text(self, value: Value) -> str:
        if isinstance(value, float):
            return f"{100 * value:.{self._figure.decimals}f} %" if self._figure.decimals else percent(value)
        return f"{value:,}" if isinstance(value, int) else value


def _alignment(values: Iterable[Value]) -> Qt.AlignmentFlag:
    """The alignment of a column: left for texts, right for numbers."""
    is_text = any(isinstance(value, str) and not _NUMBER.match(value) for value in values)
    return (Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight) | Qt.AlignmentFlag.AlignVCenter


def _plain_text(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    text = str(value)
    return text.strip("–+").replace("−", "-") if _NUMBER.match(text) else text


class PlotCard(Card):
    """Shows a figure as a plot or as a table of numbers.

    Activating a mark emits `opened` with what it opens; a mark that opens nothing shows its sentence as a tooltip.
    has_formats: the numbers can be copied as Markdown and LaTeX, too.
    """

    def __init__(
        self, theme: Theme, question: str, parent: QWidget | None = None, *, has_formats: bool = False
    ) -> None:
        super().__init__(theme, question, parent)
        self._has_figure = False
        self.numbers_button = self.add_button(tr("Numbers"), "", tr("Show as numbers"))
        self.numbers_button.setCheckable(True)
        self.numbers_button.toggled.connect(self.show_numbers)
        self.copy_button = self.add_button("", "copy", tr("Copy numbers"))
        if has_formats:
            self.copy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            add_copy_menu(self.copy_button, self.copy_as)
        else:
            self.copy_button.clicked.connect(self.copy)
        self._plot_area = QWidget()
        self._plot_layout = QVBoxLayout(self._plot_area)
        self._plot_layout.setContentsMargins(0, 0, 0, 0)
        self._plot_layout.setSpacing(theme.px(6))
        self.body.addWidget(self._plot_area)
        self.model = NumbersModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("{question} As numbers", question=question))
        self.table.activated.connect(self._on_activated)
        style_table(self.table, theme)
        self.table.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # the plot decides the size
        self.body.addWidget(self.table)

    @cached_property
    def plot(self) -> Plot:
        """The plot, which is created with the first figure, see `with_plots`."""
        from desktop.ui.plots.plot import Plot

        plot = Plot(self._theme, self.question)
        plot.current_changed.connect(self.show_mark_note)
        plot.activated.connect(self.open_mark)
        self._plot_layout.addWidget(plot)
        self._plot_layout.addStretch(0)
        return plot

    def show_message(self, text: str) -> None:
        """Show a sentence in place of the plot."""
        self.waiting_label.setText(text)
        self.summary, self._has_figure = "", False
        self._plot_area.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # of a plot before
        self.body.setCurrentIndex(0)
        self.show_note("")

    def show_figure(self, figure: Figure) -> None:
        self.summary, self._has_figure = figure.summary, True
        self._plot_area.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.plot.show_figure(figure)
        self.model.show_figure(figure)
        header = self.table.horizontalHeader()
        for column in range(len(figure.columns)):  # the second has the long names
            mode = QHeaderView.ResizeMode.Stretch if column == 1 else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(column, mode)
        self.show_numbers(self.numbers_button.isChecked())
        self.show_note(self.plot.current.note if self.plot.current is not None else "")

    @Slot(bool)
    def show_numbers(self, numbers: bool) -> None:
        self.numbers_button.setChecked(numbers)
        self.numbers_button.setText(tr("Plot") if numbers else tr("Numbers"))
        if self._has_figure:
            self.body.setCurrentIndex(2 if numbers else 1)

    def tsv(self) -> str:
        return self.model.tsv()

    def copy_as(self, form: str) -> None:
        """Put the numbers on the clipboard as "markdown", "latex" or "tsv"."""
        if form == TableFormat.TSV:
            self.copy()
            return
        QGuiApplication.clipboard().setText(format_table(self.model.text_table(self.question), TableFormat(form)))
        self.copied.emit(self.model.rowCount())

    @Slot(object)
    def show_mark_note(self, mark: PlotMark | None) -> None:
        """Show the sentence of a mark below the plot; the summary for None."""
        self.show_note(mark.note if mark else "")

    @Slot(object)
    def open_mark(self, mark: PlotMark) -> None:
        if mark.opens is not None:
            self.opened.emit(mark.opens)
            return
        self.show_note(mark.note)
        at = self.plot.mapToGlobal(self.plot.mark_rect(mark).bottomLeft().toPoint())
        QToolTip.showText(at if self.plot.isVisible() else QCursor.pos(), plain_tip(mark.note), self)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.open_mark(self.model.mark(index.row()))
