"""Shows Markdown from untrusted sources: HTML, files and addresses are not read, and links open only on a click."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QTextBrowser, QWidget

from desktop.translation import tr
from desktop.ui.widgets.labels import set_tip

_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)


class MarkdownView(QTextBrowser):
    """A Markdown view. Pictures are replaced by their alternative texts; a link's tooltip shows its address."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own_document: QTextDocument | None = None
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._on_clicked)
        self.highlighted.connect(self._on_highlighted)

    def show_markdown(self, text: str) -> None:
        document = QTextDocument(self)  # without pictures before its layout, which would read their files
        document.setDefaultFont(self.font())
        document.setMarkdown(text, QTextDocument.MarkdownFeature(_FEATURES))
        self.prepare(document)
        self.setDocument(document)
        if self._own_document is not None:
            self._own_document.deleteLater()  # Qt deletes only documents it has created
        self._own_document = document
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def prepare(self, document: QTextDocument) -> None:
        """Change a new document before it is laid out; for views of the program's own texts to override."""
        _replace_pictures(document)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """An empty resource; if it were None, Qt would read the file itself."""
        return QByteArray(b" ")

    @Slot(QUrl)
    def _on_clicked(self, link: QUrl) -> None:
        if link.scheme().lower() in ("http", "https"):
            QDesktopServices.openUrl(link)

    @Slot(QUrl)
    def _on_highlighted(self, link: QUrl) -> None:
        set_tip(self.viewport(), link.toString())


def _replace_pictures(document: QTextDocument) -> None:
    """Replace each picture by its alternative text, from the last to the first, so that positions stay valid."""
    pictures: list[tuple[int, int, str]] = []
    block = document.begin()
    while block.isValid():
        inside = block.begin()
        while not inside.atEnd():
            fragment = inside.fragment()
            if fragment.charFormat().isImageFormat():
                picture = fragment.charFormat().toImageFormat()
                text = picture.property(QTextFormat.Property.ImageAltText) or picture.name()
                pictures.append((fragment.position(), fragment.length(), tr("[picture: {text}]", text=text)))
            inside += 1
        block = block.next()
    cursor = QTextCursor(document)
    for position, length, text in reversed(pictures):
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text, QTextCharFormat())
