"""A quiet card for a problem with what the person just did; it goes by itself, the list of problems keeps it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QEnterEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop.ui.services.problems import Problem
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel, set_tip
from desktop.ui.widgets.notices import IconLabel

_STAYS = 12_000  # ms


class Toast(QFrame):
    problems_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._home = theme, parent
        self.setProperty("look", "card")
        self.setAccessibleName("Problem")
        sign = IconLabel(theme, "triangle-alert", "bad")
        self.what = self._line("heading")
        self.hint = self._line("muted")
        self.more = QPushButton("Show problems")
        self.more.setProperty("look", "link")
        self.more.setCursor(Qt.CursorShape.PointingHandCursor)
        self.more.clicked.connect(self._on_more)
        close = QToolButton()
        close.setProperty("look", "quiet")
        set_tip(close, "Close (Esc)")
        close.setAccessibleName("Close")
        close.setIconSize(QSize(theme.px(14), theme.px(14)))
        theme.give_icon(close, "x")
        close.clicked.connect(self.shut)
        text = QVBoxLayout()
        text.setSpacing(theme.px(4))
        text.addWidget(self.what)
        text.addWidget(self.hint)
        text.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self._across = layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(16), theme.px(12), theme.px(8), theme.px(12))
        layout.setSpacing(theme.px(12))
        layout.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(text, 1)
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self._going = QTimer(self)
        self._going.setSingleShot(True)
        self._going.setInterval(_STAYS)
        self._going.timeout.connect(self.shut)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), parent)  # whoever has the keyboard
        self._escape.activated.connect(self.shut)
        self._escape.setEnabled(False)
        self.setVisible(False)

    def show_problem(self, problem: Problem, *, link: bool) -> None:
        """Show it in place of the one before; `link` to the list of problems, where that can be reached."""
        self.what.setText(problem.what)
        self.hint.setText(problem.hint)
        self.hint.setVisible(bool(problem.hint))
        self.more.setVisible(link)
        self.setAccessibleDescription(f"{problem.what} {problem.hint}")
        self.ensurePolished()
        for label in (self.what, self.hint):
            label.ensurePolished()
        self._place()
        self.setVisible(True)
        self._home.installEventFilter(self)
        self._escape.setEnabled(True)
        self.raise_()
        self._going.start()

    @Slot()
    def shut(self) -> None:
        self._going.stop()
        self._escape.setEnabled(False)
        self._home.removeEventFilter(self)
        self.setVisible(False)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._going.stop()  # somebody reads it

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self.isVisible():
            self._going.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    @Slot()
    def _on_more(self) -> None:
        self.shut()
        self.problems_asked.emit()

    def _line(self, kind: str) -> QLabel:
        label = PlainLabel()
        label.setProperty("type", kind)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _place(self) -> None:
        home, px = self._home, self._theme.px
        width = min(px(440), home.width() - px(32))
        self.setFixedWidth(width)
        self._across.activate()
        height = self._across.totalHeightForWidth(width)
        self.setFixedHeight(height if height > 0 else self._across.sizeHint().height())
        self.move(home.width() - width - px(16), home.height() - self.height() - px(56))
