"""A column of controls that is as wide as its place and may be taller."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QFrame, QScrollArea, QWidget


class Scrolling(QScrollArea):
    """Scrolls up and down alone. The wheel moves the column, never the numbers in it."""

    def __init__(self, column: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidget(column)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        column.setAutoFillBackground(False)
        for control in (*column.findChildren(QAbstractSpinBox), *column.findChildren(QComboBox)):
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt asks here for its own parts too, which must have their wheel."""
        if isinstance(event, QWheelEvent) and isinstance(watched, (QAbstractSpinBox, QComboBox)):
            QCoreApplication.sendEvent(self.verticalScrollBar(), event)
            return True
        return super().eventFilter(watched, event)
