"""Editing what is said of papers: one, or many at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.theme import Theme
from desktop.ui.widgets.numbers import count
from desktop.ui.widgets.plain import PlainLabel, set_tip
from storage.listing import PaperLine
from storage.papers import Metadata

_MIXED = "several; type to set them all"


class EditDialog(QDialog):
    """Fields that the papers agree on hold their value, the others are empty; only what was typed changes."""

    def __init__(self, theme: Theme, lines: Sequence[PaperLine], domains: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Edit paper" if len(lines) == 1 else f"Edit {count(len(lines), 'paper')}")
        self.setMinimumWidth(theme.px(520))
        self.title = QLineEdit()
        self.authors = QLineEdit()
        set_tip(self.authors, "Several authors are separated by semicolons")
        self.year = QLineEdit()
        self.year.setValidator(QIntValidator(0, 2200, self.year))
        self.domain = QComboBox(editable=True)
        self.domain.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.domain.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.domain.addItems(list(domains))
        domain = self.domain.lineEdit()
        assert domain is not None
        self._fields = {"title": self.title, "authors": self.authors, "year": self.year, "domain": domain}
        shown = {
            "title": {line.title for line in lines},
            "authors": {"; ".join(line.authors) for line in lines},
            "year": {str(line.year or "") for line in lines},
            "domain": {line.domain for line in lines},
        }
        for name, field in self._fields.items():
            mixed = len(shown[name]) > 1
            field.setText("" if mixed else next(iter(shown[name]), ""))
            field.setPlaceholderText(_MIXED if mixed else "")
            field.setModified(False)
            field.textEdited.connect(lambda _, field=field: field.setModified(True))
        self.domain.activated.connect(lambda _: domain.setModified(True))
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

    def changes(self) -> Metadata:
        """What was typed."""
        changes = Metadata()
        if self.title.isModified():
            changes["title"] = " ".join(self.title.text().split())
        if self.authors.isModified():
            names = (" ".join(name.split()) for name in self.authors.text().split(";"))
            changes["authors"] = tuple(filter(None, names))
        if self.year.isModified():
            changes["year"] = int(self.year.text()) if self.year.text() else None
        if self._fields["domain"].isModified():
            changes["domain"] = " ".join(self.domain.currentText().split())
        return changes
