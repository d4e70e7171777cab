"""Markdown that somebody else may have written: no HTML, nothing fetched, and links that only a click opens."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QTextBrowser, QWidget

from desktop.ui.widgets.labels import set_tip

_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)


class MarkdownView(QTextBrowser):
    """Pictures are shown by their words. A link says where it leads while the mouse is on it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given: QTextDocument | None = None
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._on_clicked)
        self.highlighted.connect(self._on_pointed)

    def show_markdown(self, text: str) -> None:
        document = QTextDocument(self)  # cleaned before it is laid out: laying out a picture reads its file
        document.setDefaultFont(self.font())
        document.setMarkdown(text, QTextDocument.MarkdownFeature(_FEATURES))
        _spell_out_pictures(document)
        self.setDocument(document)
        if self._given is not None:
            self._given.deleteLater()  # Qt deletes only the document that it made
        self._given = document
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing, but not None, at which Qt would read the file itself."""
        return QByteArray(b" ")

    @Slot(QUrl)
    def _on_clicked(self, link: QUrl) -> None:
        if link.scheme().lower() in ("http", "https"):
            QDesktopServices.openUrl(link)

    @Slot(QUrl)
    def _on_pointed(self, link: QUrl) -> None:
        set_tip(self.viewport(), link.toString())


def _spell_out_pictures(document: QTextDocument) -> None:
    """Words in the place of each picture, from the last to the first."""
    found: list[tuple[int, int, str]] = []
    block = document.begin()
    while block.isValid():
        inside = block.begin()
        while not inside.atEnd():
            fragment = inside.fragment()
            if fragment.charFormat().isImageFormat():
                picture = fragment.charFormat().toImageFormat()
                words = picture.property(QTextFormat.Property.ImageAltText) or picture.name()
                found.append((fragment.position(), fragment.length(), f"[picture: {words}]"))
            inside += 1
        block = block.next()
    cursor = QTextCursor(document)
    for position, length, words in reversed(found):
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(words, QTextCharFormat())
