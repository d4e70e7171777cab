"""Sentences to people: in a form, over a page, or where there is nothing yet."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip


class IconLabel(QWidget):
    """An icon that stands beside text, in a colour of the theme and following it."""

    def __init__(self, theme: Theme, name: str, token: str, size: int = 18, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = theme.icon(name, token)
        self.setFixedSize(theme.px(size), theme.px(size))

    def paintEvent(self, event: QPaintEvent) -> None:
        self._icon.paint(QPainter(self), self.rect())


_ICONS = {"info": "info", "good": "circle-check", "warning": "triangle-alert", "bad": "circle-alert"}
_TOKENS = {"info": "muted", "good": "good", "warning": "warning", "bad": "bad"}


class Notice(QWidget):
    """A sentence with an icon before it: to know, to look after, or that went wrong. Hidden without a sentence."""

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


class Banner(QWidget):
    """A sentence that stays while it is true, with what can be done about it. Hidden without a sentence."""

    action_requested = Signal()
    dismissed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.words = PlainLabel()
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.button = QPushButton()
        self.button.clicked.connect(self.action_requested)
        self.cross = QToolButton()
        self.cross.setProperty("look", "quiet")
        theme.give_icon(self.cross, "x")
        set_tip(self.cross, "Do not show this line")
        self.cross.setAccessibleName("Close this line")
        self.cross.clicked.connect(self.dismissed)
        px = theme.px
        layout = QHBoxLayout(self)
        layout.setContentsMargins(px(12), px(6), px(8), px(6))
        layout.setSpacing(px(8))
        layout.addWidget(self.words, 1)
        layout.addWidget(self.button)
        layout.addWidget(self.cross)
        self.setVisible(False)

    def tell(self, text: str, action: str = "", *, can_close: bool = False) -> None:
        """No text hides it; no `action`, no button."""
        self.words.setText(text)
        self.setAccessibleName(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.cross.setVisible(can_close)
        self.setVisible(bool(text))

    def text(self) -> str:
        return self.words.text()


class EmptyState(QWidget):
    """What stands where there is nothing yet: one sentence, one button."""

    def __init__(self, theme: Theme, sentence: str, button: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setSpacing(theme.px(16))
        layout.addStretch(2)
        self.sentence = PlainLabel(sentence)
        self.sentence.setProperty("type", "lead")
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence.setMaximumWidth(theme.px(560))
        self.sentence.setMinimumWidth(theme.px(360))
        across = QHBoxLayout()  # an aligned label would get the height of one line
        across.addStretch(1)
        across.addWidget(self.sentence, 1000)
        across.addStretch(1)
        layout.addLayout(across)
        self.button = QPushButton(button)
        self.button.setProperty("look", "primary")
        self.button.setAutoDefault(True)  # Enter presses it, as Space does
        if not button:
            self.button.hide()
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
