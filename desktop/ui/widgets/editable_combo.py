"""A field for a value that is typed, with the values known so far to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QLineEdit, QSizePolicy, QWidget


class EditableComboBox(QComboBox):
    """What is in the field counts: a known value takes its place only when it is chosen from the list.

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
