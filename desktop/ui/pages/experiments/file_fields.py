"""Fields that show the values of an experiment file, and write changes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QPushButton, QSpinBox, QWidget

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import ComboBox, NumberBox, pad_number
from desktop.ui.widgets.file_dialogs import Purpose, choose_file, choose_folder
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import row_of, stretched
from miner.lab.experiments.file_editing import Path as FilePlace

Edit = Callable[[FilePlace, Any], None]
"""Sets a value of the file; None removes it."""


class FileFields:
    """Makes fields for places of a file. values: the file's values as read. home: the base of relative paths."""

    def __init__(self, theme: Theme, values: Mapping[str, Any], edit: Edit, home: Path) -> None:
        self.theme, self._values, self.edit, self.home = theme, values, edit, home

    def value(self, place: FilePlace, default: Any = None) -> Any:
        """The file's value at a place; the default if the file has none."""
        found: Any = self._values
        for key in place:
            try:
                found = found[key]
            except (KeyError, IndexError, TypeError):
                return default
        return found

    def line(self, place: FilePlace, name: str, placeholder: str = "") -> QLineEdit:
        """A field for a text; if it is emptied, the key is removed from the file."""
        field = QLineEdit(str(self.value(place, "")))
        field.setAccessibleName(name)
        field.setPlaceholderText(placeholder)
        field.textEdited.connect(lambda text: self.edit(place, text.strip() or None))
        return field

    def plain_line(self, text: str, name: str) -> QLineEdit:
        """A field for a text that is not a value of the file."""
        field = QLineEdit(text)
        field.setAccessibleName(name)
        return field

    def plain_number(self, value: int, low: int, high: int, name: str, unit: str) -> QSpinBox:
        """A field for a number that the file has in another form."""
        box = NumberBox()
        box.setRange(low, high)
        box.setValue(value)
        box.setSuffix(unit)
        box.setAccessibleName(name)
        pad_number(box, self.theme)
        return box

    def numbers(self, place: FilePlace, name: str, default: Sequence[int]) -> QLineEdit:
        """A field for whole numbers separated by commas; other text is written as typed, and refused."""
        values = self.value(place, default)
        field = QLineEdit(", ".join(map(str, values)) if isinstance(values, list | tuple) else str(values))
        field.setAccessibleName(name)
        field.textEdited.connect(lambda text: self.edit(place, _numbers(text)))
        return field

    def number(
        self, place: FilePlace, name: str, low: int, high: int, default: int, *, zero: str = "", unit: str = ""
    ) -> QSpinBox:
        """A field for a whole number. zero: the text shown for the lowest number."""
        box = NumberBox()
        box.setRange(low, high)
        box.setGroupSeparatorShown(high > 9_999)
        if zero:
            box.setSpecialValueText(zero)
        box.setSuffix(unit)
        found = self.value(place, default)
        box.setValue(found if isinstance(found, int) and low <= found <= high else default)
        box.setAccessibleName(name)
        pad_number(box, self.theme)
        box.valueChanged.connect(lambda value: self.edit(place, value))
        return box

    def choice(self, place: FilePlace, name: str, texts: Mapping[Any, str], default: Any) -> QComboBox:
        """A field for one of some values. If the file has another value, that is offered too, as it is written."""
        box = ComboBox()
        box.setAccessibleName(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        found = self.value(place, default)
        if not isinstance(found, str | int | float | None):
            found = str(found)
        known = dict(texts) if found in texts else {**texts, found: str(found)}
        for value, text in known.items():
            box.addItem(text, value)
        box.setCurrentIndex(list(known).index(found))
        box.currentIndexChanged.connect(lambda index: self.edit(place, box.itemData(index)))
        return box

    def check(self, place: FilePlace, text: str, *, default: bool = False, tip: str = "") -> QCheckBox:
        box = QCheckBox(text)
        box.setChecked(self.value(place, default) is True)
        set_tip(box, tip)
        box.toggled.connect(lambda on: self.edit(place, on))
        return box

    def flags(self, place: FilePlace, texts: Mapping[str, str]) -> QWidget:
        """A check box for each value of a list, in the order of `texts`; all are checked by default."""
        found = self.value(place, list(texts))
        chosen = [value for value in texts if value in found] if isinstance(found, list) else []
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self.theme.px(12))

        def toggle(value: str, on: bool) -> None:
            chosen[:] = [one for one in texts if (on if one == value else one in chosen)]
            self.edit(place, list(chosen))

        for value, text in texts.items():
            box = QCheckBox(text)
            box.setChecked(value in chosen)
            box.toggled.connect(lambda on, value=value: toggle(value, on))
            layout.addWidget(box)
        layout.addStretch(1)
        return row

    def file(self, place: FilePlace, name: str, placeholder: str = "", *, is_folder: bool = False) -> QWidget:
        """A field for a path, typed or chosen; relative to the experiment's file if it is in that file's folder."""
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self.theme.px(8))
        field = self.line(place, name, placeholder)
        field.setMinimumWidth(self.theme.px(180))
        button = QPushButton(tr("Choose…"))
        button.setAccessibleName(tr("Choose: {name}", name=name))

        def choose() -> None:
            path = (choose_folder if is_folder else choose_file)(row, Purpose.EXPERIMENTS, name, self.home)
            if path is not None:
                self.take_path(field, place, path)

        button.clicked.connect(choose)
        layout.addWidget(field, 1)
        layout.addWidget(button)
        return row

    def take_path(self, field: QLineEdit, place: FilePlace, path: Path) -> None:
        """Write a chosen path into the field and the file."""
        text = path.relative_to(self.home).as_posix() if path.is_relative_to(self.home) else str(path)
        field.setText(text)
        self.edit(place, text)

    def labelled(self, text: str, field: QWidget) -> QWidget:
        """A field with a small label before it."""
        row = QWidget()
        label = PlainLabel(text, type="muted")
        row.setLayout(row_of(label, stretched(field), spacing=self.theme.px(8), margins=(0, 0, self.theme.px(8), 0)))
        return row


def _numbers(text: str) -> list[int] | str:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return [int(part) for part in parts] if parts and all(part.isdecimal() for part in parts) else text
