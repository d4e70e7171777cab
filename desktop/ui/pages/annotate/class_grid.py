"""A table of domains by classes, with a number and a bar in each cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop.ui.judging.label_chip import LabelChip
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import ElidedLabel, PlainLabel, set_tip
from miner.records import Label


class ClassCell(NamedTuple):
    """A class of a domain. share: how full the bar is, 0.0 to 1.0. tone: of the text, "" or warning."""

    domain: str
    label: str
    text: str
    share: float
    tip: str = ""
    tone: str = ""


class ClassGrid(QWidget):
    """A row for each domain, a column for each class."""

    requested = Signal(str, str)  # domain and class of the cell that was clicked

    def __init__(self, theme: Theme, name: str, *, is_clickable: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._is_clickable = theme, is_clickable
        self.setAccessibleName(name)
        self._cells: list[ClassCell] = []
        self._contents = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._contents)

    @property
    def cells(self) -> list[ClassCell]:
        """What is shown, by domain and class."""
        return self._cells

    @property
    def needed_height(self) -> int:
        """In pixels, also before what was just shown is laid out."""
        return self._contents.sizeHint().height()

    def show_cells(self, cells: Sequence[ClassCell]) -> None:
        """Show these cells, which are sorted by domain and then by class."""
        if list(cells) == self._cells:
            return
        self._cells = list(cells)
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
        grid.setHorizontalSpacing(px(24))
        grid.setVerticalSpacing(px(8))
        grid.setColumnStretch(0, 2)
        for column, label in enumerate(Label, start=1):
            grid.addWidget(LabelChip(self._theme, label.value), 0, column)
            grid.setColumnStretch(column, 1)
        domains = list(dict.fromkeys(cell.domain for cell in self._cells))
        for row, domain in enumerate(domains, start=1):
            grid.addWidget(ElidedLabel(domain or NO_DOMAIN), row, 0)
        for cell in self._cells:
            column = list(Label).index(Label(cell.label)) + 1
            grid.addWidget(self._cell(cell), domains.index(cell.domain) + 1, column)
        return contents

    def _cell(self, cell: ClassCell) -> QWidget:
        holder = QWidget()
        name = f"{cell.text} {cell.label} in {cell.domain or NO_DOMAIN}"
        holder.setAccessibleName(name)
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self._theme.px(3))
        if self._is_clickable:
            button = QPushButton(cell.text)
            button.setProperty("look", "link")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setAccessibleName(f"{name}: show these pairs")
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
        bar.setRange(0, 1000)
        bar.setValue(round(1000 * min(1.0, cell.share)))
        bar.setAccessibleName(name)
        layout.addWidget(bar)
        return holder
