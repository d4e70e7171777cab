"""A question, the plot that answers it, its numbers, and one line about what is pointed at."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QStackedWidget,
    QTableView,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.dashboard.figures import Figure, Mark
from desktop.ui.dashboard.numbers import NumbersModel
from desktop.ui.dashboard.plots import Plot
from desktop.ui.theme import Theme

_MODE = QHeaderView.ResizeMode


class Card(QFrame):
    """A card without its contents yet: the question, room for buttons, `body`, and the line below."""

    opened = Signal(object)  # PairFilter: the pairs behind a mark
    copied = Signal(int)  # how many lines

    def __init__(self, theme: Theme, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.question = question
        self.summary = ""
        self.setProperty("look", "card")
        self.setAccessibleName(question)
        layout = QVBoxLayout(self)
        margin = theme.px(16)
        layout.setContentsMargins(margin, theme.px(12), margin, theme.px(12))
        layout.setSpacing(theme.px(8))
        self.head = QHBoxLayout()
        self.head.setSpacing(theme.px(4))
        title = QLabel(question)
        title.setProperty("type", "heading")
        title.setWordWrap(True)
        self.head.addWidget(title, 1)
        layout.addLayout(self.head)
        self.body = QStackedWidget()
        self.waiting = QLabel("Counting…")
        self.waiting.setProperty("type", "muted")
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.waiting.setWordWrap(True)
        self.waiting.setMinimumHeight(theme.px(160))
        self.body.addWidget(self.waiting)
        layout.addWidget(self.body, 1)
        self.line = QLabel()
        self.line.setProperty("type", "small")
        self.line.setWordWrap(True)
        self.line.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.line)
        theme.changed.connect(self._fit)
        self._fit()

    def add_button(self, text: str, icon: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setProperty("look", "quiet")
        button.setToolTip(tip)
        button.setAccessibleName(f"{tip}: {self.question}")
        side = self._theme.px(16)
        button.setIconSize(QSize(side, side))
        if icon:
            self._theme.give_icon(button, icon)
        else:
            button.setText(text)
        self.head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return button

    def say(self, text: str) -> None:
        self.line.setText(text or self.summary)

    def tsv(self) -> str:
        """The numbers as tab-separated text, with the columns' names."""
        raise NotImplementedError

    @Slot()
    def copy(self) -> None:
        text = self.tsv()
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text.count("\n") - 1)

    @Slot()
    def _fit(self) -> None:
        self.line.setFixedHeight(2 * self._theme.px(16) + 2)  # two lines, always: nothing moves under the pointer


def dress_table(table: QTableView, theme: Theme) -> None:
    """The looks of the dashboard's tables: dense rows, no grid, one row chosen at a time."""
    table.setShowGrid(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setCornerButtonEnabled(False)
    table.verticalHeader().setVisible(False)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.verticalHeader().setMinimumSectionSize(theme.px(20))
    table.verticalHeader().setDefaultSectionSize(theme.px(28))
    table.horizontalHeader().setHighlightSections(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setStyleSheet(
        f"QTableView, QTableView:focus {{ border: none; border-radius: 0; }}"
        f"QTableView::item {{ padding: 0 {theme.px(5)}px; }}"
        f"QHeaderView::up-arrow, QHeaderView::down-arrow {{ width: 0; height: 0; image: none; }}"
    )


class PlotCard(Card):
    """A card whose answer is a plot, or its numbers."""

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
        """Open the pairs behind the mark, or say why there are none."""
        if mark.opens is not None:
            self.opened.emit(mark.opens)
            return
        self.say(mark.note)
        at = self.plot.mapToGlobal(self.plot.where(mark).bottomLeft().toPoint())
        QToolTip.showText(at if self.plot.isVisible() else QCursor.pos(), mark.note, self)

    @Slot(QModelIndex)
    def on_activated(self, index: QModelIndex) -> None:
        self.on_chosen(self.model.mark(index.row()))
