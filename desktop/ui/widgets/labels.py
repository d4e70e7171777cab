"""Text shown as it is: what papers and project files say is never read as markup."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtGui import Qt as GuiQt  # the same enum space, with the functions that QtGui adds to it
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_LONGEST = 2_000  # characters of a tooltip; more would cover the screen


class _HasToolTip(Protocol):
    def setToolTip(self, text: str, /) -> None: ...


class PlainLabel(QLabel):
    """A label of plain text. Qt's own guesses, and shows a title such as `<s>x` as struck out."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def set_tone(self, tone: str) -> None:
        """A colour of the theme, or a class; it follows the theme, as a colour that is set does not. "" for none."""
        self.setProperty("tone", tone)
        self.style().unpolish(self)
        self.style().polish(self)


def plain_tip(text: str) -> str:
    """A tooltip that says exactly this; for models, where `set_tip` has nothing to set it on.

    Qt has no plain tooltips: what would be taken for markup is given as markup that shows it.
    """
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST - 1].rstrip()}…"
    return GuiQt.convertFromPlainText(text) if GuiQt.mightBeRichText(text) else text


def set_tip(target: _HasToolTip, text: str) -> None:
    """Give a widget, an action or a table's item a tooltip that says exactly this."""
    target.setToolTip(plain_tip(text))


class ElidedLabel(PlainLabel):
    """The whole text is its tool tip while some of it is hidden."""

    def __init__(
        self,
        text: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())
        set_tip(self, self.text() if shown != self.text() else "")
        flags = self.alignment().value | Qt.TextFlag.TextSingleLine.value
        self.style().drawItemText(
            painter, self.contentsRect(), flags, self.palette(), self.isEnabled(), shown, self.foregroundRole()
        )
