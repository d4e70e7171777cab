"""Labels and tooltips of plain text: text from papers and project files is never read as markup."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtGui import Qt as GuiQt  # the same enum space, with the functions that QtGui adds to it
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_MAX_TIP_LENGTH = 2_000  # characters; a longer tooltip would cover the screen


class _HasToolTip(Protocol):
    def setToolTip(self, text: str, /) -> None: ...


class PlainLabel(QLabel):
    """A label of plain text. A QLabel guesses the format, and shows a title such as `<s>x` struck out.

    type: the style of its text: title, heading, small or muted; "" for the window's.
    """

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        type: str = "",
        wraps: bool = False,
        selectable: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        if type:
            self.setProperty("type", type)
        self.setWordWrap(wraps)
        if selectable:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def set_tone(self, tone: str) -> None:
        """Set the text colour by name: a colour of the theme or a class; "" for none. It follows theme changes."""
        self.setProperty("tone", tone)
        self.style().unpolish(self)
        self.style().polish(self)


def plain_tip(text: str) -> str:
    """A tooltip text that shows as exactly this text; for models, which `set_tip` cannot be used on.

    Qt has no plain tooltips, so text that looks like markup is escaped.
    """
    if len(text) > _MAX_TIP_LENGTH:
        text = f"{text[: _MAX_TIP_LENGTH - 1].rstrip()}…"
    return GuiQt.convertFromPlainText(text) if GuiQt.mightBeRichText(text) else text


def set_tip(target: _HasToolTip, text: str) -> None:
    """Set the tooltip of a widget, an action or a table item to exactly this text."""
    target.setToolTip(plain_tip(text))


class ElidedLabel(PlainLabel):
    """A label that is elided without enough room; its tooltip then starts with the whole text."""

    def __init__(
        self,
        text: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
        *,
        type: str = "",
        selectable: bool = False,
    ) -> None:
        super().__init__(text, parent, type=type, selectable=selectable)
        self._mode = mode
        self._about = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def set_about(self, text: str) -> None:
        """Set the explanation of the text in the tooltip."""
        self._about = text
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())
        set_tip(self, "\n".join(filter(None, (self.text() if shown != self.text() else "", self._about))))
        flags = self.alignment().value | Qt.TextFlag.TextSingleLine.value
        self.style().drawItemText(
            painter, self.contentsRect(), flags, self.palette(), self.isEnabled(), shown, self.foregroundRole()
        )
