"""The dialog that edits metadata such as title and year, of one paper or several at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.jobs.papers.table import check_notes
from desktop.text import count
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import EditableComboBox, YearEdit
from desktop.ui.widgets.labels import PlainLabel, set_tip
from miner.parsing.language import ENGLISH, LANGUAGES, language_code, language_name
from miner.parsing.licences import CHOICES
from storage.papers.metadata import PaperMetadata, PaperSummary
from storage.papers.table import PaperTableRow

_MIXED_PLACEHOLDER = tr("several values; type to set them all")


class EditPapersDialog(QDialog):
    """A field shows the value that all papers share, or is empty. Only fields that were edited are changed.

    Notes on what to check in a single paper are above the fields, and saving confirms the metadata.
    """

    next_requested = Signal()  # it was accepted, and the next paper is to be edited

    def __init__(
        self,
        theme: Theme,
        lines: Sequence[PaperTableRow],
        domains: Sequence[str],
        parent: QWidget,
        *,
        paper: PaperSummary | None = None,
        has_next: bool = False,
    ) -> None:
        """paper: all data of a single paper. has_next: whether another paper follows, which can be edited next."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(
            tr("Edit paper") if len(lines) == 1 else tr("Edit {papers}", papers=count(len(lines), "paper"))
        )
        self.setMinimumWidth(theme.px(560))
        self.title, self.authors, self.doi, self.journal = (QLineEdit() for _ in range(4))
        set_tip(self.authors, tr("Separate several authors by semicolons"))
        self.year = YearEdit()
        self.domain, self.licence, self.language = map(EditableComboBox, (tr("Domain"), tr("Licence"), tr("Language")))
        self.domain.set_choices(domains)
        self.language.set_choices(sorted(LANGUAGES.values(), key=lambda name: (name != LANGUAGES[ENGLISH], name)))
        set_tip(self.language, tr("Only English papers are mined"))
        self.licence.set_choices(CHOICES)
        self._fields = {
            "title": self.title,
            "authors": self.authors,
            "year": self.year,
            "journal": self.journal,
            "doi": self.doi,
            "domain": self.domain.field,
            "licence": self.licence.field,
            "language": self.language.field,
        }
        self._common_values = {name: _common_value(lines, name) for name in self._fields}
        for name, field in self._fields.items():
            value = self._common_values[name]
            field.setText(value or "")
            field.setCursorPosition(0)
            field.setPlaceholderText(_MIXED_PLACEHOLDER if value is None else "")
            field.setModified(False)
            field.textChanged.connect(lambda _, field=field: field.setModified(True))
        form = QFormLayout()
        form.setHorizontalSpacing(theme.px(16))
        form.setVerticalSpacing(theme.px(8))
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        unsure = paper.unchecked if paper is not None else ()
        for name, widget in (
            (tr("&Title"), self.title),
            (tr("&Authors"), self.authors),
            (tr("&Year"), self.year),
            (tr("&Journal"), self.journal),
            ("D&OI", self.doi),
            (tr("&Domain"), self.domain),
            (tr("&Licence"), self.licence),
            (tr("Lan&guage"), self.language),
        ):
            is_unsure = name.replace("&", "").lower() in unsure
            form.addRow(f"▲ {name}" if is_unsure else name, widget)
        for widget in (self.title, self.doi):
            form.setRowVisible(widget, len(lines) == 1)
        self.confirms = bool(unsure)
        layout = QVBoxLayout(self)
        margin = theme.px(24)
        layout.setContentsMargins(margin, margin, margin, theme.px(16))
        layout.setSpacing(theme.px(12))
        if unsure and paper is not None:
            layout.addWidget(_note("\n".join(check_notes(paper))))
        layout.addLayout(form)
        note = tr("Your changes are kept, even if the paper is parsed again. Ctrl+Z undoes them.")
        layout.addWidget(_note(tr("Saving marks the paper as checked. {note}", note=note) if unsure else note, "muted"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        save = buttons.button(QDialogButtonBox.StandardButton.Save)
        accepting = [save]
        if has_next:
            save_and_next = buttons.addButton(tr("Save and &next"), QDialogButtonBox.ButtonRole.ApplyRole)
            save_and_next.clicked.connect(self._save_and_go_on)
            accepting.append(save_and_next)
        accepting[-1].setProperty("look", "primary")
        for button, field in product(accepting, (self.year, self.language.field)):
            field.textChanged.connect(lambda _, button=button: button.setEnabled(self._is_valid()))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        accepting[-1].setDefault(True)
        first = next((field for name, field in self._fields.items() if name in unsure), None)
        (first or (self.title if len(lines) == 1 else self.domain)).setFocus()

    @Slot()
    def _save_and_go_on(self) -> None:
        self.accept()
        self.next_requested.emit()

    def changes(self) -> PaperMetadata:
        """The fields that were changed, with their new values."""
        changes = PaperMetadata()
        if self._is_changed("title"):
            changes["title"] = _plain(self.title)
        if self._is_changed("authors"):
            names = (" ".join(name.split()) for name in self.authors.text().split(";"))
            changes["authors"] = tuple(filter(None, names))
        if self._is_changed("year"):
            changes["year"] = self.year.year
        if self._is_changed("journal"):
            changes["journal"] = _plain(self.journal)
        if self._is_changed("doi"):
            changes["doi"] = _plain(self.doi) or None
        if self._is_changed("domain"):
            changes["domain"] = _plain(self.domain.field)
        if self._is_changed("licence"):
            changes["licence"] = _plain(self.licence.field)
        if self._is_changed("language") and (code := language_code(self.language.field.text())) is not None:
            changes["language"] = code
        return changes

    def _is_valid(self) -> bool:
        names_language = language_code(self.language.field.text()) is not None
        return self.year.hasAcceptableInput() and (names_language or not self._is_changed("language"))

    def _is_changed(self, name: str) -> bool:
        field = self._fields[name]
        return field.isModified() and field.text() != self._common_values[name]


def _common_value(lines: Sequence[PaperTableRow], name: str) -> str | None:
    """The text of the value that all papers have in this field; None if they differ."""
    values = {_field_text(line, name) for line in lines}
    return values.pop() if len(values) == 1 else None


def _field_text(line: PaperTableRow, name: str) -> str:
    match name:
        case "authors":
            return "; ".join(line.authors)
        case "language":
            return language_name(line.language)
    return str(getattr(line, name) or "")


def _plain(field: QLineEdit) -> str:
    return " ".join(field.text().split())


def _note(text: str, style: str = "") -> PlainLabel:
    label = PlainLabel(text, wraps=True)
    if style:
        label.setProperty("type", style)
    return label
