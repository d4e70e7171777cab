"""The buttons that answer, and below them the other keys; each can be clicked as well."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.ui.judging.label_chip import paint_letter
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.theme import BODY, SMALL, Theme
from desktop.ui.widgets.flow_layout import FlowLayout
from desktop.ui.widgets.labels import set_tip
from miner.records import Answer


class AnswerButton(QAbstractButton):
    """Not focused by a click, so that the keys go on working; checked when it is the annotator's answer."""

    def __init__(self, theme: Theme, answer: Answer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.answer = answer
        self._key = ""
        self._words = True
        self.setText(answer.value.capitalize())
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def show_key(self, key: str) -> None:
        self._key = key
        self.setAccessibleName(f"{self.text()}, key {key}" if key else self.text())
        set_tip(self, f"Answer {self.answer.value} ({key})" if key else f"Answer {self.answer.value}")
        self.updateGeometry()
        self.update()

    def show_words(self, words: bool) -> None:
        """Whether there is room for the word beside key and letter; else it stands below them."""
        self._words = words
        self.updateGeometry()
        self.update()

    def nextCheckState(self) -> None:
        """What is checked follows the answer kept, not the click."""

    def sizeHint(self) -> QSize:
        px = self._theme.px
        words = QFontMetrics(self._theme.font(BODY, bold=True)).horizontalAdvance(self.text())
        return QSize(px(10) + self._key_width() + px(18 + 8) + words + px(10), px(44 if self._words else 52))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(58), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_frame(painter)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        middle = self.height() / 2 if self._words else px(18)
        x = float(px(10)) if self._words else (self.width() - self._key_width() - px(18)) / 2
        font = theme.font(BODY)
        metrics = QFontMetrics(font)
        baseline = middle + (metrics.ascent() - metrics.descent()) / 2
        if self._key:
            painter.setFont(font)
            painter.setPen(theme.color("muted"))
            painter.drawText(QPointF(x, baseline), self._key)
        x += self._key_width()
        paint_letter(painter, theme, self.answer.value, x, middle)
        if self._words:
            painter.setFont(theme.font(BODY, bold=self.isChecked()))
            painter.setPen(theme.color("ink"))
            painter.drawText(QPointF(x + px(18 + 8), baseline), self.text())
        else:
            painter.setFont(theme.font(SMALL, bold=self.isChecked()))
            painter.setPen(theme.color("ink"))
            below = QRectF(0, px(30), self.width(), px(18))
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self.text())

    def _paint_frame(self, painter: QPainter) -> None:
        theme, px = self._theme, self._theme.px
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        fill = "selected" if self.isChecked() or self.isDown() else "hover" if self.underMouse() else "card"
        painter.setBrush(theme.color(fill if self.isEnabled() else "paper"))
        strong = self.hasFocus() or self.isChecked()
        color = theme.color("accent") if self.hasFocus() else theme.label_color(self.answer.value)
        painter.setPen(QPen(color, 2) if strong else QPen(theme.color("line"), 1))
        painter.drawRoundedRect(frame, px(8), px(8))

    def _key_width(self) -> int:
        if not self._key:
            return 0
        return QFontMetrics(self._theme.font(BODY)).horizontalAdvance(self._key) + self._theme.px(8)


HINTS = (  # action, words
    ("accept", "accept"),
    ("skip", "skip"),
    ("context", "context"),
    ("note", "note"),
    ("flag", "flag"),
    ("bad", "bad pair"),
    ("edit.undo", "undo"),
    ("guide", "definitions"),
    ("help", "help"),
)
_SAVING = frozenset(("accept", "keep", "skip", "note", "flag", "bad", "edit.undo"))


class AnswerBar(QWidget):
    answered = Signal(object)  # Answer
    asked = Signal(str)  # the key of an action

    def __init__(
        self,
        actions: ActionRegistry,
        theme: Theme,
        place: str = "review",
        hints: Sequence[tuple[str, str]] = HINTS,
        parent: QWidget | None = None,
    ) -> None:
        """`place`: what the actions' keys begin with."""
        super().__init__(parent)
        self._actions, self._place = actions, place
        self._words = {key if "." in key else f"{place}.{key}": words for key, words in hints}
        self.buttons = {answer: AnswerButton(theme, answer) for answer in Answer}
        self.hints: dict[str, QToolButton] = {}
        self._gap = theme.px(8)
        row = QHBoxLayout()
        row.setSpacing(self._gap)
        for button in self.buttons.values():
            button.clicked.connect(self._on_clicked)
            row.addWidget(button, 1)
        links = FlowLayout(theme.px(4))
        for key in self._words:
            hint = QToolButton()
            hint.setProperty("look", "quiet")
            hint.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            hint.setObjectName(key)
            hint.clicked.connect(self._on_hint)
            self.hints[key] = hint
            links.addWidget(hint)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.px(8))
        layout.addLayout(row)
        layout.addLayout(links)
        actions.keys_changed.connect(self.show_keys)
        self.show_keys()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        share = (self.width() - 4 * self._gap) / len(self.buttons)
        room = all(share >= button.sizeHint().width() for button in self.buttons.values())
        for button in self.buttons.values():
            button.show_words(room)

    @Slot()
    def show_keys(self) -> None:
        """The keys as they are now."""
        for answer, button in self.buttons.items():
            button.show_key(self._actions.hint(f"{self._place}.{answer.value}"))
        for key in self._words:
            self._show_hint(key)

    def _show_hint(self, key: str) -> None:
        words, hint, link = self._words[key], self._actions.hint(key), self.hints[key]
        link.setText(f"{hint} {words}" if hint else words)
        link.setVisible(key in self._actions)
        link.setAccessibleName(f"{words.capitalize()}, key {hint}" if hint else words.capitalize())
        if key in self._actions:
            set_tip(link, self._actions[key].toolTip())

    def show_answer(self, mine: Answer | None) -> None:
        """Mark the annotator's answer."""
        for answer, button in self.buttons.items():
            button.setChecked(answer is mine)

    def show_flagged(self, flagged: bool) -> None:
        """What the key for flags does now."""
        key, words = f"{self._place}.flag", "unflag" if flagged else "flag"
        if self._words[key] != words:
            self._words[key] = words
            self._show_hint(key)

    def offer(self, key: str, offered: bool) -> None:
        """Show the hint of an action only while it has something to do."""
        self.hints[key].setVisible(offered and key in self._actions)

    def allow(self, answers: bool) -> None:
        """Whether anything can be saved."""
        for button in self.buttons.values():
            button.setEnabled(answers)
        for key, hint in self.hints.items():
            if key in _SAVING or key.rpartition(".")[2] in _SAVING:
                hint.setEnabled(answers)

    @Slot()
    def _on_clicked(self) -> None:
        button = self.sender()
        assert isinstance(button, AnswerButton)
        self.answered.emit(button.answer)

    @Slot()
    def _on_hint(self) -> None:
        self.asked.emit(self.sender().objectName())
