"""The receipt of an export: its files with sizes and hashes, to read, copy and open."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from desktop.jobs.descriptions.exchange import replaced_text, unmined_text
from desktop.jobs.exchange.first_training import NOTEBOOK, loading_line, save_notebook
from desktop.jobs.exchange.receipt_text import receipt_notes
from desktop.text import count, size
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.fields import FormScrollArea
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.layouts import STRETCH, card_of, column_of, remove_widgets
from desktop.ui.widgets.notices import Notice
from storage.exchange.card_files import CARD_FILES
from storage.exchange.export_files import WrittenFile
from storage.exchange.pair_export import ExportReceipt


def _rows(file: WrittenFile) -> str:
    """The number of rows as text; "" for a kind of file that has no rows."""
    return "" if file.name in CARD_FILES else f"{file.rows:,}"


class ReceiptPane(QWidget):
    """The receipt, shown instead of the preview after an export."""

    closed = Signal()
    said = Signal(str)  # what was done, for the status bar

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folder = Path()
        self._receipt: ExportReceipt | None = None
        self._text = ""
        self.title = Notice(theme)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(12))
        self._grid.setHorizontalSpacing(theme.px(16))
        self._grid.setVerticalSpacing(theme.px(4))
        self._grid.setColumnStretch(0, 1)
        self._notes = PlainLabel(type="small", wraps=True)
        self._unmined = Notice(theme)
        self.open_folder = push_button(tr("&Open folder"), self._open_folder)
        self.copy = push_button(tr("&Copy"), self._copy, tip=tr("Copy this receipt as text"))
        self.back = push_button(tr("&Back to the preview"), self.closed)
        self.load_line = push_button(
            tr("Copy the &load_dataset line"),
            self._copy_load_line,
            tip=tr("The line of Python that loads these files with the library datasets"),
        )
        self.notebook = push_button(
            tr("Save a &notebook"),
            self._save_notebook,
            tip=tr("{notebook}, beside the files: it loads them, trains an encoder and measures it", notebook=NOTEBOOK),
        )
        buttons, contents = QWidget(), QWidget()
        flow = FlowLayout(theme.px(8), buttons)
        for button in (self.open_folder, self.load_line, self.notebook, self.copy, self.back):
            flow.addWidget(button)
        contents.setLayout(
            column_of(
                self.title, card_of(self._grid), self._notes, self._unmined, buttons, STRETCH, spacing=theme.px(12)
            )
        )
        self.setLayout(column_of(FormScrollArea(contents), spacing=0))

    def show_receipt(self, receipt: ExportReceipt, folder: Path, release: str = "") -> None:
        """release: the name that the data set was kept under."""
        self._folder, self._receipt = folder, receipt
        kept = tr(" as {release}", release=release) if release else ""
        title = tr(
            "{pairs} {released}{kept} to {folder}",
            pairs=count(receipt.rows, "pair"),
            released=tr("released") if release else tr("exported"),
            kept=kept,
            folder=folder,
        )
        self.title.show_text(title, "good")
        self._show_files(receipt)
        notes_text = "\n".join(filter(None, [*receipt_notes(receipt), replaced_text(receipt)]))
        self._notes.setText(notes_text)
        self._notes.setVisible(bool(notes_text))
        self._unmined.show_text(unmined_text(receipt.unmined, has_manifest=receipt.options.card), "warning")
        lines = [f"{title}."]
        lines += [
            tr("{name}\t{rows}\tSHA-256 {sha256}", name=file.name, rows=count(file.rows, "row"), sha256=file.sha256)
            for file in receipt.files
        ]
        lines += [text for text in (notes_text, self._unmined.text) if text]
        self._text = "\n".join(lines)

    def _show_files(self, receipt: ExportReceipt) -> None:
        remove_widgets(self._grid)
        for column, text in enumerate((tr("File and SHA-256"), tr("Rows"), tr("Size"))):
            side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
            self._grid.addWidget(self._label(text, "small"), 0, column, side)
        for number, file in enumerate(receipt.files, start=1):
            for column, text in enumerate((file.name, _rows(file), size(file.size))):
                side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
                self._grid.addWidget(self._label(text, "heading" if column == 0 else ""), 2 * number, column, side)
            digest = self._label(file.sha256, "small")
            digest.setAccessibleName(tr("SHA-256 of {name}", name=file.name))
            self._grid.addWidget(digest, 2 * number + 1, 0, 1, 3)

    def _label(self, text: str, text_type: str) -> QLabel:
        return PlainLabel(text, selectable=True, type=text_type)

    @Slot()
    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))

    @Slot()
    def _copy_load_line(self) -> None:
        if self._receipt is not None:
            line = loading_line(self._receipt, self._folder)
            QGuiApplication.clipboard().setText(f"from datasets import load_dataset\n{line}")
            self.said.emit(tr("Copied the line that loads these files."))

    @Slot()
    def _save_notebook(self) -> None:
        if self._receipt is None:
            return
        try:
            path = save_notebook(self._receipt, self._folder)
        except OSError as error:
            self.said.emit(
                tr("{notebook} could not be written: {strerror}.", notebook=NOTEBOOK, strerror=error.strerror or error)
            )
        else:
            self.said.emit(tr("Saved {path}.", path=path))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
