"""A button that answers: its key, the class' letter and its word."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop.ui.pages.review.chip import paint_letter
from desktop.ui.theme import BODY, SMALL, Theme
from desktop.ui.widgets.plain import set_tip
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
