"""A sentence with a sign before it: something to know, to look after, or that went wrong."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.plain import PlainLabel

_ICONS = {"info": "info", "good": "circle-check", "warning": "triangle-alert", "bad": "circle-alert"}
_TOKENS = {"info": "muted", "good": "good", "warning": "warning", "bad": "bad"}


class Notice(QWidget):
    """Hidden while it has nothing to say."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tone = "info"
        self._sign = PlainLabel()
        self._sign.setFixedSize(theme.px(16), theme.px(18))
        self._words = PlainLabel()
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._words, 1)
        self.setVisible(False)
        theme.changed.connect(self._draw)

    def tell(self, text: str, tone: str = "info") -> None:
        """`tone`: info, good, warning or bad; no text hides the notice."""
        self._tone = tone
        self._words.setText(text)
        self.setAccessibleName(text)
        self._draw()
        self.setVisible(bool(text))

    @property
    def text(self) -> str:
        return self._words.text()

    def _draw(self) -> None:
        side = self._theme.px(16)
        self._sign.setPixmap(self._theme.icon(_ICONS[self._tone], _TOKENS[self._tone]).pixmap(side, side))
