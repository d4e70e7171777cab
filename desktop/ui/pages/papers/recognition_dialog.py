"""The dialog that asks for the languages of scans, and the folder for their PDFs with text."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QSizePolicy,
    QWidget,
)

from desktop.jobs.papers.recognition_state import RecognitionOptions, RecognitionState
from desktop.text import count
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.file_dialogs import Purpose, choose_folder
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import column_of, row_of, stretched

_BESIDE = tr("beside each scan")


class RecognitionDialog(QDialog):
    """The dialog's `options`; several languages are separated by plus signs, as for Tesseract."""

    def __init__(self, theme: Theme, state: RecognitionState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder: Path | None = None
        px = theme.px
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Recognise text"))
        self.setMinimumWidth(px(480))
        title = PlainLabel(tr("Recognise the text of {scans}?", scans=count(state.scans, "scan")), type="heading")
        about = PlainLabel(
            tr(
                "The program ocrmypdf makes a PDF with text from each scan, which is then added as the paper. This "
                "takes some seconds per page. The scans are not changed."
            ),
            wraps=True,
        )
        self.language = ComboBox(editable=True)
        self.language.addItems(state.languages)
        self.language.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.language.setAccessibleName(tr("Language of the scans"))
        set_tip(self.language, tr("As Tesseract names it; several with a plus: eng+deu"))
        self.folder = PlainLabel(_BESIDE)
        choose = push_button(tr("Choose a folder…"), self._on_choose)
        place = row_of(stretched(self.folder), choose)
        form = QFormLayout()
        form.setHorizontalSpacing(px(16))
        form.setVerticalSpacing(px(8))
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(tr("&Language"), self.language)
        form.addRow(tr("PDFs with text"), place)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Recognise text"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.setLayout(column_of(title, about, form, buttons, spacing=px(16), margins=(px(24), px(20), px(24), px(20))))

    def options(self) -> RecognitionOptions:
        """The chosen options."""
        languages = tuple(filter(None, (name.strip() for name in self.language.currentText().split("+"))))
        return RecognitionOptions(languages or RecognitionOptions().languages, self._folder)

    @Slot()
    def _on_choose(self) -> None:
        if folder := choose_folder(self, Purpose.PAPERS, tr("Folder for PDFs with text")):
            self._folder = folder
            self.folder.setText(str(self._folder))
