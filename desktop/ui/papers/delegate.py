"""How cells of the papers' table are painted."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui.papers.table_model import MUTED_ROLE, STATE_ROLE
from desktop.ui.papers.words import State
from desktop.ui.theme import Theme


class PaperDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_HasFocus
        if index.data(MUTED_ROLE):
            for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
                option.palette.setColor(role, self._theme.color("muted"))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        state = index.data(STATE_ROLE)
        if not isinstance(state, State):
            super().paint(painter, option, index)
            return
        bare = QStyleOptionViewItem(option)
        self.initStyleOption(bare, index)
        bare.text = ""
        style = bare.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, bare, painter, bare.widget)
        rect: QRect = bare.rect.adjusted(self._theme.px(8), 0, -self._theme.px(4), -1)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.save()
        painter.setFont(bare.font)
        painter.setPen(self._theme.color(state.tone))
        painter.drawText(rect, flags, state.shape)
        painter.setPen(self._theme.color("warning" if state.tone == "warning" else "ink"))
        rect.setLeft(rect.left() + self._theme.px(18))
        shown = bare.fontMetrics.elidedText(state.word, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, flags, shown)
        painter.restore()
