"""Messages: within a form, above a page, or in place of contents that do not exist yet."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import push_button
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.layouts import aligned, row_of, stretched


class IconLabel(QWidget):
    """An icon in a colour of the theme; it follows theme changes."""

    def __init__(self, theme: Theme, name: str, token: str, size: int = 18, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = theme.icon(name, token)
        self.setFixedSize(theme.px(size), theme.px(size))

    def paintEvent(self, event: QPaintEvent) -> None:
        self._icon.paint(QPainter(self), self.rect())


_ICONS = {"info": "info", "good": "circle-check", "warning": "triangle-alert", "bad": "circle-alert"}
_TOKENS = {"info": "muted", "good": "good", "warning": "warning", "bad": "bad"}


class Notice(QWidget):
    """A message within a form, with an icon for its tone. Hidden while it has no text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tone = "info"
        self._icon_label = PlainLabel()
        self._icon_label.setFixedSize(theme.px(16), theme.px(18))
        self._label = PlainLabel(wraps=True, selectable=True)
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setLayout(
            row_of(aligned(self._icon_label, Qt.AlignmentFlag.AlignTop), stretched(self._label), spacing=theme.px(8))
        )
        self.setVisible(False)
        theme.changed.connect(self._update_icon)

    def show_text(self, text: str, tone: str = "info") -> None:
        """Show a message; "" hides the notice. `tone`: info, good, warning or bad."""
        self._tone = tone
        self._label.setText(text)
        self.setAccessibleName(text)
        self._update_icon()
        self.setVisible(bool(text))

    @property
    def text(self) -> str:
        return self._label.text()

    def _update_icon(self) -> None:
        side = self._theme.px(16)
        self._icon_label.setPixmap(self._theme.icon(_ICONS[self._tone], _TOKENS[self._tone]).pixmap(side, side))


class Banner(QWidget):
    """A message above a page, with a button for what can be done about it. Hidden while it has no text."""

    action_requested = Signal()
    dismissed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.label = PlainLabel(wraps=True, selectable=True)
        self.button = push_button("", self.action_requested)
        self.close_button = QToolButton()
        self.close_button.setProperty("look", "quiet")
        theme.set_icon(self.close_button, "x")
        set_tip(self.close_button, tr("Do not show this message"))
        self.close_button.setAccessibleName(tr("Close this message"))
        self.close_button.clicked.connect(self.dismissed)
        px = theme.px
        self.setLayout(
            row_of(
                stretched(self.label),
                self.button,
                self.close_button,
                spacing=px(8),
                margins=(px(12), px(6), px(8), px(6)),
            )
        )
        self.setVisible(False)

    def show_text(self, text: str, action: str = "", *, can_close: bool = False) -> None:
        """Show a message and a button for `action`; "" hides the banner or the button."""
        self.label.setText(text)
        self.setAccessibleName(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.close_button.setVisible(can_close)
        self.setVisible(bool(text))

    def text(self) -> str:
        return self.label.text()


class EmptyState(QWidget):
    """A sentence and a button, shown in place of contents that do not exist yet."""

    def __init__(self, theme: Theme, sentence: str, button: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[theme.px(8)] * 4)
        layout.setSpacing(theme.px(16))
        layout.addStretch(2)
        self.sentence = PlainLabel(sentence, type="lead", wraps=True)
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
