"""Fields of forms, and the scroll area for a form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRegularExpression, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QRegularExpressionValidator, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QTabBar,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.layouts import STRETCH, row_of, stretched
from miner.declared_options import MAX_SEED

if TYPE_CHECKING:
    _Widget = QWidget
else:
    _Widget = object


class _FocusedWheel(_Widget):
    """The mouse wheel changes the value only while the field has the focus, and never in a form, which it scrolls."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.focusPolicy() is Qt.FocusPolicy.WheelFocus:  # the wheel would move the focus here first
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus() and not self._is_in_a_form():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _is_in_a_form(self) -> bool:
        """Whether the field is inside a scroll area, where the first field has the focus although nobody chose it."""
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        return parent is not None


class ComboBox(_FocusedWheel, QComboBox):
    """A list from which one value is chosen."""


class NumberBox(_FocusedWheel, QSpinBox):
    """A whole number."""


class DecimalBox(_FocusedWheel, QDoubleSpinBox):
    """A number with decimals."""


class SeedBox(DecimalBox):
    """A random seed: a whole number, which may be larger than those of a NumberBox."""

    def __init__(self, seed: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(0)
        self.setRange(0, MAX_SEED)
        self.setValue(seed)

    def value(self) -> int:
        return round(super().value())


class Slider(_FocusedWheel, QSlider):
    """A slider for a number."""


class TabBar(_FocusedWheel, QTabBar):
    """The row of tab titles."""


class Tabs(QTabWidget):
    """Pages below a row of tab titles, without lines around them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabBar(TabBar(self))
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)


class EditableComboBox(ComboBox):
    """A field for a typed value, with a list of known values.

    The value is what the field shows; only choosing from the list replaces it. Therefore there is no completer: on
    Return Qt's replaces a selected text, as it is after Tab, by the first list item. It also extends a new value to a
    longer known one, and changes its capitals.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, editable=True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCompleter(None)  # type: ignore[arg-type]  # the stubs do not allow None

    @property
    def field(self) -> QLineEdit:
        field = self.lineEdit()
        assert field is not None
        return field

    def set_choices(self, values: Sequence[str]) -> None:
        """Set the known values; the field keeps its text."""
        typed, was_modified = self.currentText(), self.field.isModified()
        self.clear()
        self.addItems(list(values))
        self.setCurrentIndex(self.findText(typed))
        self.setEditText(typed)
        self.field.setModified(was_modified)


class ChoiceBox(ComboBox):
    """A list of values from which one or all are chosen. every: the text for all, the first in the list."""

    def __init__(self, name: str, every: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.addItem(every, None)

    @property
    def value(self) -> Any:
        """The chosen value; None for all."""
        return self.currentData()

    def choose(self, value: object) -> None:
        """Choose a value; None, or a value that is not offered, chooses all."""
        self.setCurrentIndex(0 if value is None else max(0, self.findData(value)))

    def offer(self, choices: Sequence[tuple[str, object]]) -> None:
        """Offer these values by their texts.

        The chosen value stays chosen if it is among them; no signal is emitted.
        """
        chosen, every = self.value, self.itemText(0)
        if [(self.itemText(place), self.itemData(place)) for place in range(1, self.count())] == list(choices):
            return
        with QSignalBlocker(self):
            self.clear()
            for text, value in ((every, None), *choices):
                self.addItem(text, value)
            self.choose(chosen)


def pad_number(box: QAbstractSpinBox, theme: Theme) -> None:
    """Add space before the number, which a style sheet cannot do."""
    box.lineEdit().setTextMargins(theme.px(6), 0, 0, 0)


class YearEdit(QLineEdit):
    """A year of four digits, or nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setValidator(QRegularExpressionValidator(QRegularExpression("|[1-9][0-9]{3}"), self))

    @property
    def year(self) -> int | None:
        """The typed year; None if nothing, or only a part of a year, is typed."""
        return int(self.text()) if self.text() and self.hasAcceptableInput() else None


class MultilineEdit(QPlainTextEdit):
    """A field of several lines. Ctrl+Enter emits `submitted`, Escape `cancelled`; Tab moves the focus on."""

    submitted = Signal()
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control:
            self.submitted.emit()
        else:
            super().keyPressEvent(event)


class NoteEdit(MultilineEdit):
    """A note, mostly of one line. Enter emits `submitted` as Ctrl+Enter does; Shift+Enter begins a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(tr("A note about this pair"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.insertPlainText("\n")  # Qt would insert a separator that is not a line break in the text
            self.ensureCursorVisible()
        else:
            self.submitted.emit()


class FormScrollArea(QScrollArea):
    """Scrolls a column of fields, wherever the mouse is in it; horizontally only if it is too narrow for them."""

    def __init__(self, column: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidget(column)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        column.setAutoFillBackground(False)


def centered(card: QWidget, margin: int) -> FormScrollArea:
    """The card, centred slightly above half the height; it scrolls if there is no room. margin: in pixels."""
    contents = QWidget()
    column = QVBoxLayout(contents)
    column.setContentsMargins(margin, margin, margin, margin)
    column.setSpacing(0)
    column.addStretch(2)
    column.addLayout(row_of(STRETCH, stretched(card, 1000), STRETCH))
    column.addStretch(3)
    return FormScrollArea(contents)
