"""The base of the forms beside a page's contents: a column of headings and fields."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import NumberBox, SeedBox, pad_number
from desktop.ui.widgets.labels import PlainLabel, set_tip


class Form(QWidget):
    """Subclasses add their fields from the top; `create_…` makes a field that they add themselves."""

    changed = Signal()  # the value of a field

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._is_filling = False
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, theme.px(12), 0)
        self.column.setSpacing(theme.px(4))

    @contextmanager
    def filling(self) -> Iterator[None]:
        """A context for setting many values, in which `changed` is emitted only once, at the end."""
        self._is_filling = True
        yield
        self._is_filling = False
        self._on_field_changed()

    def show_state(self) -> None:
        """Show what depends on the values, such as a problem with them; for forms to override."""

    def add_heading(self, text: str) -> None:
        if self.column.count():
            self.column.addSpacing(self.theme.px(12))
        label = PlainLabel(text, type="heading")
        self.column.addWidget(label)

    def add_text(self, text: str = "") -> PlainLabel:
        """Add a small text below a field, and return it."""
        label = PlainLabel(text, type="small", wraps=True)
        self.column.addWidget(label)
        return label

    def add_row(self, *parts: str | QWidget) -> None:
        """Add texts and fields side by side."""
        row = QHBoxLayout()
        row.setSpacing(self.theme.px(8))
        for part in parts:
            row.addWidget(PlainLabel(part) if isinstance(part, str) else part)
        row.addStretch(1)
        self.column.addLayout(row)

    def add_radio_buttons(self, *texts: str) -> list[QRadioButton]:
        """Add a radio button for each text, with the first on, and return them."""
        group = QButtonGroup(self)
        buttons = [QRadioButton(text) for text in texts]
        for button in buttons:
            group.addButton(button)
            self.column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        buttons[0].setChecked(True)
        group.buttonToggled.connect(self._on_radio_button_toggled)
        return buttons

    def add_check_box(self, text: str, tip: str = "") -> QCheckBox:
        box = self.create_check_box(text, tip)
        self.column.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        return box

    def create_check_box(self, text: str, tip: str = "") -> QCheckBox:
        box = QCheckBox(text)
        set_tip(box, tip)
        box.toggled.connect(self._on_field_changed)
        return box

    def create_number(self, minimum: int, maximum: int, name: str, *, value: int = 0, unit: str = "") -> NumberBox:
        """A field for a number, with a name for screen readers."""
        box = NumberBox()
        box.setRange(minimum, maximum)
        box.setValue(value)
        box.setSuffix(unit)
        box.setAccessibleName(name)
        pad_number(box, self.theme)
        box.valueChanged.connect(self._on_field_changed)
        return box

    def create_seed(self, name: str) -> SeedBox:
        box = SeedBox()
        box.setAccessibleName(name)
        pad_number(box, self.theme)
        box.valueChanged.connect(self._on_field_changed)
        return box

    @Slot(object, bool)
    def _on_radio_button_toggled(self, _: object, on: bool) -> None:
        if on:
            self._on_field_changed()

    @Slot()
    def _on_field_changed(self) -> None:
        if not self._is_filling:
            self.show_state()
            self.changed.emit()
