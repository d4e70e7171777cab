"""An answer to a question about kinds, as a row: its letter, its text, and an example."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop.translation import tr
from desktop.ui.theme import BODY, SMALL, Theme
from desktop.ui.widgets.labels import set_tip
from miner.kinds.taxonomy import Option, OptionExplanation

_MIN_EXAMPLE_PX = 240  # beside the text; with less room the example is below it


class OptionRow(QAbstractButton):
    """A row that is checked if its option is ticked. A click does not focus it, so that keys keep working."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.key = ""
        self._example = ""
        self._text_width = 0
        self._is_wide = True
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def show_option(self, option: Option, explanation: OptionExplanation) -> None:
        self.key = option.key
        self.setText(option.text)
        self._example = " → ".join(explanation.example)
        self.setAccessibleName(tr("{text}, key {key}", text=option.text, key=option.key.upper()))
        self.setAccessibleDescription(explanation.definition)
        lines = (
            explanation.definition,
            self._example and tr("For example: {example}", example=self._example),
            explanation.confusion,
        )
        set_tip(self, "\n".join(filter(None, lines)))
        self.update()

    @property
    def needed_width(self) -> int:
        """The width in pixels of key and text."""
        px = self._theme.px
        return px(40) + QFontMetrics(self._theme.font(BODY, bold=True)).horizontalAdvance(self.text()) + px(16)

    def set_columns(self, text_width: int, width: int) -> None:
        """Set the width of the texts, after which the examples of all rows begin, and the width of the row."""
        is_wide = not self._example or width - text_width >= self._theme.px(_MIN_EXAMPLE_PX)
        if (text_width, is_wide) != (self._text_width, self._is_wide):
            self._text_width, self._is_wide = text_width, is_wide
            self.updateGeometry()
            self.update()

    def nextCheckState(self) -> None:
        """Do nothing: only the session checks the row, not a click."""

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(200), self._theme.px(28 if self._is_wide else 44))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(120), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_frame(painter)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        middle = float(px(14))
        self._paint_key(painter, QRectF(px(8), middle - px(10), px(20), px(20)))
        font = theme.font(BODY, bold=self.isChecked())
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(theme.color("ink"))
        baseline = middle + (metrics.ascent() - metrics.descent()) / 2
        room = self.width() - px(48)
        painter.drawText(QPointF(px(40), baseline), metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room))
        if self._example:
            small = theme.font(SMALL)
            metrics = QFontMetrics(small)
            left = self._text_width if self._is_wide else px(40)
            room = self.width() - left - px(8)
            painter.setFont(small)
            painter.setPen(theme.color("muted"))
            at = baseline if self._is_wide else baseline + px(18)
            shown = metrics.elidedText(self._example, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QPointF(left, at), shown)

    def _paint_frame(self, painter: QPainter) -> None:
        theme, px = self._theme, self._theme.px
        is_marked = self.isChecked() or self.isDown()
        if not (is_marked or self.underMouse() or self.hasFocus()):
            return
        painter.setBrush(theme.color("selected" if is_marked else "hover" if self.underMouse() else "card"))
        painter.setPen(QPen(theme.color("accent"), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(6), px(6))

    def _paint_key(self, painter: QPainter, box: QRectF) -> None:
        """Paint the letter in a box, which is filled if the option is ticked."""
        theme, px = self._theme, self._theme.px
        is_checked = self.isChecked()
        painter.setBrush(theme.color("accent" if is_checked else "card"))
        painter.setPen(QPen(theme.color("accent" if is_checked else "muted"), 1))
        painter.drawRoundedRect(box, px(4), px(4))
        painter.setPen(theme.color("on_accent" if is_checked else "ink"))
        painter.setFont(theme.font(SMALL, bold=True))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.key.upper())
