"""The dialog that edits title, authors, year, domain and licence of one paper or of several at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.text import count
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import EditableComboBox, YearEdit
from desktop.ui.widgets.labels import PlainLabel, set_tip
from miner.parsing.licences import CHOICES
from storage.papers.store import PaperMetadata
from storage.papers.table import PaperTableRow

_MIXED_PLACEHOLDER = "several; type to set them all"


class EditPapersDialog(QDialog):
    """A field shows the value that all papers share, or is empty. Only fields that were edited are changed."""

    def __init__(self, theme: Theme, lines: Sequence[PaperTableRow], domains: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Edit paper" if len(lines) == 1 else f"Edit {count(len(lines), 'paper')}")
        self.setMinimumWidth(theme.px(520))
        self.title = QLineEdit()
        self.authors = QLineEdit()
        set_tip(self.authors, "Several authors are separated by semicolons")
        self.year = YearEdit()
        self.domain = EditableComboBox("Domain")
        self.domain.set_choices(domains)
        self.licence = EditableComboBox("Licence")
        self.licence.set_choices(CHOICES)
        self._fields = {
            "title": self.title,
            "authors": self.authors,
            "year": self.year,
            "domain": self.domain.field,
            "licence": self.licence.field,
        }
        values_by_field = {
            "title": {line.title for line in lines},
            "authors": {"; ".join(line.authors) for line in lines},
            "year": {str(line.year or "") for line in lines},
            "domain": {line.domain for line in lines},
            "licence": {line.licence for line in lines},
        }
        self._common_values = {
            name: next(iter(values)) if len(values) == 1 else None for name, values in values_by_field.items()
        }
        for name, field in self._fields.items():
            value = self._common_values[name]
            field.setText(value or "")
            field.setPlaceholderText(_MIXED_PLACEHOLDER if value is None else "")
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
            ("&Licence", self.licence),
        ):
            form.addRow(text, widget)
        form.setRowVisible(self.title, len(lines) == 1)
        note = PlainLabel("Your changes are kept, whatever a parser reads later. Ctrl+Z undoes them.")
        note.setWordWrap(True)
        note.setProperty("type", "muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        save_button = buttons.button(QDialogButtonBox.StandardButton.Save)
        save_button.setProperty("look", "primary")
        self.year.textChanged.connect(lambda _: save_button.setEnabled(self.year.hasAcceptableInput()))
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
        """The fields that were changed, with their new values."""
        changes = PaperMetadata()
        if self._is_changed("title"):
            changes["title"] = " ".join(self.title.text().split())
        if self._is_changed("authors"):
            names = (" ".join(name.split()) for name in self.authors.text().split(";"))
            changes["authors"] = tuple(filter(None, names))
        if self._is_changed("year"):
            changes["year"] = self.year.year
        if self._is_changed("domain"):
            changes["domain"] = " ".join(self.domain.currentText().split())
        if self._is_changed("licence"):
            changes["licence"] = " ".join(self.licence.currentText().split())
        return changes

    def _is_changed(self, name: str) -> bool:
        field = self._fields[name]
        return field.isModified() and field.text() != self._common_values[name]
