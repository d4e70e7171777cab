"""Fields of forms, and the column they stand in."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from desktop.ui.theme import Theme


class EditableComboBox(QComboBox):
    """A field for a value that is typed, with the values known so far to choose from.

    What is in the field counts: a known value takes its place only when it is chosen from the list.

    So it has no completer. Qt's puts the first of the list in the place of a text that is selected when Return is
    pressed, as it is after Tab; it lengthens a new value that a known one begins with, and changes its capitals.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, editable=True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCompleter(None)  # type: ignore[arg-type]  # the stubs know no way to take it away

    @property
    def field(self) -> QLineEdit:
        field = self.lineEdit()
        assert field is not None
        return field

    def offer(self, values: Sequence[str]) -> None:
        """Values to choose from; what is in the field stays."""
        typed, was_modified = self.currentText(), self.field.isModified()
        self.clear()
        self.addItems(list(values))
        self.setCurrentIndex(self.findText(typed))
        self.setEditText(typed)
        self.field.setModified(was_modified)


def pad_number(box: QAbstractSpinBox, theme: Theme) -> None:
    """Leave room before the number, which a style sheet cannot give."""
    box.lineEdit().setTextMargins(theme.px(6), 0, 0, 0)


class MultilineEdit(QPlainTextEdit):
    """A field for more than a line: Ctrl+Enter is `done`, Escape is `left`; Tab goes on to what comes next."""

    done = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control:
            self.done.emit()
        else:
            super().keyPressEvent(event)


class FormScrollArea(QScrollArea):
    """A column of fields, as wide as its place. The wheel moves the column, never the numbers in it."""

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
