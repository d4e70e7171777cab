"""The dialog that asks in which format a round is sent."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.annotate.dialogs import FieldsDialog
from desktop.ui.theme import Theme
from desktop.ui.widgets.fields import ComboBox
from storage.annotation.sent_assignments import AssignmentForm

_FORMS = {
    AssignmentForm.ANSWER_FILE: (
        tr("Answer file for Pairwright"),
        tr("A small project to open and answer in Pairwright. Answers come back with their times, flags and notes."),
    ),
    AssignmentForm.CSV: (
        tr("Table for a spreadsheet (CSV)"),
        tr(
            "The pairs with an empty column for the label, and a text with instructions, definitions and guidelines. "
            "Labels can be written as word, letter or number."
        ),
    ),
    AssignmentForm.JSONL: (
        tr("JSON lines"),
        tr("One JSON object per line with an empty label, and a text with instructions, definitions and guidelines."),
    ),
    AssignmentForm.LABEL_STUDIO: (
        tr("Tasks for Label Studio"),
        tr(
            "Tasks (.json), the labelling interface (.xml) and instructions (.html). Exports as JSON, JSON-MIN and "
            "CSV can be merged."
        ),
    ),
    AssignmentForm.PRODIGY: (
        tr("Tasks for Prodigy"),
        tr(
            "Tasks of the interface choice (.jsonl), and instructions (.html). What `prodigy db-out` writes can "
            "be merged."
        ),
    ),
}


class SendDialog(FieldsDialog):
    """Asks for the format, and emits it by `form_chosen`."""

    def __init__(self, theme: Theme, round: int, annotators: int, parent: QWidget) -> None:
        super().__init__(theme, tr("Send round {round:,}", round=round), parent)
        self.form_box = ComboBox()
        for form, (name, _) in _FORMS.items():
            self.form_box.addItem(name, form)
        self.form.addRow(tr("&Form"), self.form_box)
        self.meaning = self.add_text()
        self.add_text(
            tr(
                "{annotators}. None of these files shows linking phrases, distant labels or suggestions.",
                annotators=count(annotators, "annotator"),
            )
        )
        self.add_buttons(tr("Choose a folder…"))
        self.form_box.currentIndexChanged.connect(self._show_meaning)
        self._show_meaning()

    @property
    def form_chosen(self) -> AssignmentForm:
        return AssignmentForm(self.form_box.currentData())

    @Slot()
    def _show_meaning(self) -> None:
        self.meaning.setText(_FORMS[self.form_chosen][1])
