"""A dialog with lines of text and a Close button."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QScrollArea, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, column_of, stretched


class LinesDialog(QDialog):
    """`lines`: the texts that were added, in order. Subclasses may add to `buttons`."""

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        px = theme.px
        self.theme = theme
        self.lines: list[str] = []
        self.setWindowTitle(title)
        inside = QWidget()
        self._column = column_of(STRETCH, spacing=px(8), margins=(0, 0, px(8), 0))
        inside.setLayout(self._column)
        self.area = QScrollArea()
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(title)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self.reject)
        self.buttons.accepted.connect(self.accept)
        self.setLayout(
            column_of(stretched(self.area), self.buttons, spacing=px(16), margins=(px(24), px(20), px(24), px(20)))
        )
        close = self.buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        close.setFocus()

    def add_line(self, text: str, kind: str = "", *, gap: bool = False) -> None:
        """Add a text. kind: its style, such as "heading" or "muted". gap: with more space above it."""
        label = PlainLabel(text, wraps=True, selectable=True, type=kind)
        if gap:
            self._column.insertSpacing(self._column.count() - 1, self.theme.px(8))
        self._column.insertWidget(self._column.count() - 1, label)
        self.lines.append(text)
