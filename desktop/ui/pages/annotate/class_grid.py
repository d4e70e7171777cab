"""A table of domains by classes, with a number and a bar in each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop.translation import tr
from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from desktop.ui.widgets.layouts import column_of
from miner.records import Label


class ClassCell(NamedTuple):
    """A class of a domain. share: how full the bar is, 0.0 to 1.0. tone: of the text, "" or warning."""

    domain: str
    label: str
    text: str
    share: float
    tip: str = ""
    tone: str = ""


class RowHeading(NamedTuple):
    """The heading before a row. group: a text above the first of several rows."""

    group: str
    title: str


class ClassGrid(QWidget):
    """A row for each domain, a column for each class."""

    requested = Signal(str, str)  # domain and class of the cell that was clicked

    def __init__(
        self, theme: Theme, name: str, *, is_clickable: bool, spacing: int = 24, parent: QWidget | None = None
    ) -> None:
        """spacing: between the columns."""
        super().__init__(parent)
        self._theme, self._is_clickable, self._spacing = theme, is_clickable, spacing
        self.setAccessibleName(name)
        self._cells: list[ClassCell] = []
        self._headings: Mapping[str, RowHeading] = {}
        self._contents = QWidget()
        self.setLayout(column_of(self._contents, spacing=theme.px(6)))

    @property
    def cells(self) -> list[ClassCell]:
        """The shown cells, by domain and class."""
        return self._cells

    @property
    def needed_height(self) -> int:
        """The height in pixels, even before new cells are laid out."""
        return self._contents.sizeHint().height()

    @property
    def headings(self) -> Mapping[str, RowHeading]:
        """The headings before the rows, by domain, where they are more than the domain's name."""
        return self._headings

    def show_cells(self, cells: Sequence[ClassCell], headings: Mapping[str, RowHeading] | None = None) -> None:
        """Show these cells, sorted by domain and then by class. headings: as in the property."""
        if list(cells) == self._cells and self._headings == (headings or {}):
            return
        self._cells, self._headings = list(cells), headings or {}
        layout = self.layout()
        assert layout is not None
        layout.removeWidget(self._contents)
        self._contents.hide()
        self._contents.deleteLater()
        self._contents = self._build()
        layout.addWidget(self._contents)

    def _build(self) -> QWidget:
        px = self._theme.px
        contents = QWidget()
        grid = QGridLayout(contents)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(self._spacing))
        grid.setVerticalSpacing(px(8))
        grid.setColumnStretch(0, 2)
        for column, label in enumerate(Label, start=1):
            grid.addWidget(LabelChip(self._theme, label.value), 0, column)
            grid.setColumnStretch(column, 1)
        rows: dict[str, int] = {}
        group = ""
        for domain in dict.fromkeys(cell.domain for cell in self._cells):
            heading = self._headings.get(domain, RowHeading("", domain or NO_DOMAIN))
            if heading.group != group:
                group = heading.group
                above = ElidedLabel(group, type="heading")
                grid.addWidget(above, grid.rowCount(), 0, 1, -1)
            rows[domain] = grid.rowCount()
            grid.addWidget(PlainLabel(heading.title) if group else ElidedLabel(heading.title), rows[domain], 0)
        for cell in self._cells:
            column = list(Label).index(Label(cell.label)) + 1
            grid.addWidget(self._cell(cell), rows[cell.domain], column)
        return contents

    def _cell(self, cell: ClassCell) -> QWidget:
        holder = QWidget()
        name = tr("{text} {label} in {domain}", text=cell.text, label=cell.label, domain=cell.domain or NO_DOMAIN)
        holder.setAccessibleName(name)
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self._theme.px(3))
        if self._is_clickable:
            button = QPushButton(cell.text)
            button.setProperty("look", "link")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setAccessibleName(tr("{name}: show these pairs", name=name))
            button.clicked.connect(lambda: self.requested.emit(cell.domain, cell.label))
            set_tip(button, cell.tip)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        else:
            text = PlainLabel(cell.text)
            text.set_tone(cell.tone)
            set_tip(text, cell.tip)
            layout.addWidget(text)
        bar = QProgressBar()
        bar.setTextVisible(False)
        bar.setFixedHeight(self._theme.px(4))
        bar.setMinimumWidth(self._theme.px(48))
        bar.setRange(0, 1000)
        bar.setValue(round(1000 * min(1.0, cell.share)))
        bar.setAccessibleName(name)
        layout.addWidget(bar)
        return holder
