"""Delegates that paint the contents of table cells, such as an interval as a bar."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui.theme import Theme
from miner.statistics import Interval

INTERVAL_ROLE = Qt.ItemDataRole.UserRole  # (value, Interval), from 0 to 1; None if there is none

Index = QModelIndex | QPersistentModelIndex


class CellDelegate(QStyledItemDelegate):
    """Lets Qt paint the background of a cell, with selection and focus; subclasses paint what is on it."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme

    @abstractmethod
    def paint_contents(self, painter: QPainter, box: QRectF, text: str, index: Index) -> None:
        """Paint into the cell without its margins; `text` is what Qt would show."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(self.theme.px(8), 0, -self.theme.px(8), -1)
        self.paint_contents(painter, box, text, index)
        painter.restore()


class IntervalDelegate(CellDelegate):
    """Paints the text of a cell and its interval (INTERVAL_ROLE): a bar from 0 to 100 %, with a dot for the value.

    text_width: the width of the text before the bar, in unscaled pixels.
    """

    def __init__(self, theme: Theme, text_width: int, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._text_width = text_width

    def paint_contents(self, painter: QPainter, box: QRectF, text: str, index: Index) -> None:
        theme, px = self.theme, self.theme.px
        figures: tuple[float, Interval] | None = index.data(INTERVAL_ROLE)
        painter.setPen(theme.color("ink" if figures else "muted"))
        painter.setFont(theme.font())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        track = QRectF(box.left() + px(self._text_width), box.center().y() - px(2), 0, px(4))
        track.setRight(box.right())
        if figures is None or track.width() < px(20):
            return
        value, (low, high) = figures
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        painter.drawRoundedRect(track, px(2), px(2))
        painter.setBrush(theme.color("accent"))
        width = max(px(4), (high - low) * track.width())
        painter.drawRoundedRect(QRectF(track.left() + low * track.width(), track.top(), width, px(4)), 2, 2)
        middle = track.left() + value * track.width()
        painter.drawEllipse(QRectF(middle - px(4), track.center().y() - px(4), px(8), px(8)))
