"""Editing what is said of papers: one, or many at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from desktop.text import count
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import EditableComboBox
from desktop.ui.widgets.labels import PlainLabel, set_tip
from storage.papers.store import PaperMetadata
from storage.papers.table import PaperTableRow

_MIXED = "several; type to set them all"


class EditDialog(QDialog):
    """Fields that the papers agree on hold their value, the others are empty; only what was typed changes."""

    def __init__(self, theme: Theme, lines: Sequence[PaperTableRow], domains: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Edit paper" if len(lines) == 1 else f"Edit {count(len(lines), 'paper')}")
        self.setMinimumWidth(theme.px(520))
        self.title = QLineEdit()
        self.authors = QLineEdit()
        set_tip(self.authors, "Several authors are separated by semicolons")
        self.year = QLineEdit()
        self.year.setValidator(QIntValidator(0, 2200, self.year))
        self.domain = EditableComboBox("Domain")
        self.domain.set_choices(domains)
        domain = self.domain.field
        self._fields = {"title": self.title, "authors": self.authors, "year": self.year, "domain": domain}
        shown = {
            "title": {line.title for line in lines},
            "authors": {"; ".join(line.authors) for line in lines},
            "year": {str(line.year or "") for line in lines},
            "domain": {line.domain for line in lines},
        }
        self._shown = {name: next(iter(values)) if len(values) == 1 else None for name, values in shown.items()}
        for name, field in self._fields.items():
            mixed = self._shown[name] is None
            field.setText(self._shown[name] or "")
            field.setPlaceholderText(_MIXED if mixed else "")
            field.setModified(False)
            field.textChanged.connect(lambda _, field=field: field.setModified(True))
        form = QFormLayout()
        form.setHorizontalSpacing(theme.px(16))
        form.setVerticalSpacing(theme.px(8))
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for text, widget in (
            ("&Title", self.title),
            ("&Authors", self.authors),
            ("&Year", self.year),
            ("&Domain", self.domain),
        ):
            form.addRow(text, widget)
        form.setRowVisible(self.title, len(lines) == 1)
        note = PlainLabel("What you say here stays, whatever a parser reads later. Ctrl+Z takes it back.")
        note.setWordWrap(True)
        note.setProperty("type", "muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Save).setProperty("look", "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        margin = theme.px(24)
        layout.setContentsMargins(margin, margin, margin, theme.px(16))
        layout.setSpacing(theme.px(12))
        layout.addLayout(form)
        layout.addWidget(note)
        layout.addWidget(buttons)
        (self.title if len(lines) == 1 else self.domain).setFocus()

    def changes(self) -> PaperMetadata:
        """What is another than before."""
        changes = PaperMetadata()
        if self._is_changed("title"):
            changes["title"] = " ".join(self.title.text().split())
        if self._is_changed("authors"):
            names = (" ".join(name.split()) for name in self.authors.text().split(";"))
            changes["authors"] = tuple(filter(None, names))
        if self._is_changed("year"):
            changes["year"] = int(self.year.text()) if self.year.text() else None
        if self._is_changed("domain"):
            changes["domain"] = " ".join(self.domain.currentText().split())
        return changes

    def _is_changed(self, name: str) -> bool:
        field = self._fields[name]
        return field.isModified() and field.text() != self._shown[name]
