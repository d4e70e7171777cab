"""The list beside an experiment: cards of the ready experiments and of those that were run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.translation import tr
from desktop.ui.theme import BODY, SMALL, Theme
from desktop.ui.widgets.labels import plain_tip
from desktop.ui.widgets.list_headings import list_heading
from desktop.ui.widgets.list_keys import list_keys

Index = QModelIndex | QPersistentModelIndex

_ENTRY_ROLE = Qt.ItemDataRole.UserRole
_PAD = 10  # unscaled pixels, as the others
_GAP = 6  # between two cards
_ICON = 16


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A row of the list. key: its unique name. detail, more: small lines below the title.

    icon, token: the icon of its state and the icon's colour in the theme; "" for no icon.
    """

    key: str
    title: str
    detail: str
    icon: str = ""
    token: str = "muted"
    more: str = ""
    tip: str = ""

    @property
    def lines(self) -> list[str]:
        return [line for line in (self.detail, self.more) if line]


class ExperimentList(QTreeWidget):
    """The list; keys and clicks choose an entry. `chosen` emits its key."""

    chosen = Signal(str)  # a key

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._groups: list[tuple[str, list[ListEntry]]] = []
        self.setAccessibleName(tr("Experiments"))
        self.setHeaderHidden(True)
        list_keys(self)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setProperty("look", "list")
        self.setStyleSheet("QTreeView::item:selected, QTreeView::item:hover { background: transparent; }")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self.setItemDelegate(_EntryDelegate(theme, self))
        self.currentItemChanged.connect(self._on_current)
        theme.changed.connect(self._fill)

    @property
    def key(self) -> str:
        """The key of the current entry; "" if there is none."""
        item: QTreeWidgetItem | None = self.currentItem()
        entry: ListEntry | None = None if item is None else item.data(0, _ENTRY_ROLE)
        return "" if entry is None else entry.key

    def show_groups(self, groups: Sequence[tuple[str, Sequence[ListEntry]]]) -> None:
        """List entries under headings.

        The current entry stays current if it is still there; else no entry is current.
        """
        new = [(heading, list(entries)) for heading, entries in groups if entries]
        if new != self._groups:
            self._groups = new
            self._fill()

    def choose(self, key: str) -> None:
        """Make an entry the current one."""
        item = next((one for one in self._items() if one.data(0, _ENTRY_ROLE).key == key), None)
        if item is not None:
            self.scrollToItem(self.itemAbove(item) or item)  # which may be the heading
            self.scrollToItem(item)
            self.setCurrentItem(item)  # last, since receivers may list the entries again

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()  # titles wrap at another place

    def _items(self) -> list[QTreeWidgetItem]:
        root = self.invisibleRootItem()
        items = (root.child(index) for index in range(root.childCount()))
        return [item for item in items if item is not None and item.data(0, _ENTRY_ROLE) is not None]

    @Slot()
    def _fill(self) -> None:
        before, place = self.key, self.verticalScrollBar().value()
        self.blockSignals(True)
        self.clear()
        for heading, entries in self._groups:
            self.addTopLevelItem(list_heading(self._theme, heading))
            for entry in entries:
                item = QTreeWidgetItem([entry.title])
                item.setData(0, _ENTRY_ROLE, entry)
                item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{entry.title}: {', '.join(entry.lines)}")
                item.setToolTip(0, plain_tip(entry.tip or entry.title))
                self.addTopLevelItem(item)
        self.choose(before)
        self.blockSignals(False)
        self.verticalScrollBar().setValue(place)

    @Slot(QTreeWidgetItem)
    def _on_current(self, item: QTreeWidgetItem | None) -> None:
        entry: ListEntry | None = None if item is None else item.data(0, _ENTRY_ROLE)
        if entry is not None:
            self.chosen.emit(entry.key)


class _EntryDelegate(QStyledItemDelegate):
    """Paints an entry as a card: its title, wrapped, and below it the small line with the icon of its state."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: ListEntry | None = index.data(_ENTRY_ROLE)
        if entry is None:
            super().paint(painter, option, index)
            return
        theme, px = self._theme, self._theme.px
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        is_under_mouse = bool(option.state & QStyle.StateFlag.State_MouseOver)
        has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
        box = QRectF(option.rect).adjusted(1, 1, -1, -px(_GAP) - 1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = "selected" if is_selected else "hover" if is_under_mouse else "card"
        painter.setPen(QPen(theme.color("accent" if has_focus else "line"), 2 if has_focus else 1))
        painter.setBrush(theme.color(fill))
        painter.drawRoundedRect(box, px(6), px(6))
        self._paint_text(painter, box.adjusted(px(_PAD), px(8), -px(_PAD), -px(8)), entry)
        painter.restore()

    def _paint_text(self, painter: QPainter, box: QRectF, entry: ListEntry) -> None:
        theme, px = self._theme, self._theme.px
        small = QFontMetrics(theme.font(SMALL))
        painter.setFont(theme.font(BODY, bold=True))
        painter.setPen(theme.color("ink"))
        height = small.height() + px(2)
        above = box.adjusted(0, 0, 0, -height * len(entry.lines))
        painter.drawText(above, int(Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap), entry.title)
        painter.setFont(theme.font(SMALL))
        painter.setPen(theme.color("muted"))
        for number, text in enumerate(entry.lines):
            top = box.bottom() - height * (len(entry.lines) - number)
            line = QRectF(box.left(), top, box.width(), height)
            if entry.icon and not number:
                side = px(14)
                at = QRectF(line.left(), line.center().y() - side / 2, side, side)
                theme.icon(entry.icon, entry.token).paint(painter, at.toRect())
                line.setLeft(line.left() + side + px(6))
            shown = small.elidedText(text, Qt.TextElideMode.ElideRight, int(line.width()))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, shown)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        entry: ListEntry | None = index.data(_ENTRY_ROLE)
        if entry is None:
            return super().sizeHint(option, index)
        theme, px = self._theme, self._theme.px
        view = option.widget
        width = (view.viewport().width() if isinstance(view, QTreeWidget) else px(240)) - 2 * px(_PAD) - 2
        metrics = QFontMetrics(theme.font(BODY, bold=True))
        height = metrics.boundingRect(0, 0, width, 10_000, int(Qt.TextFlag.TextWordWrap), entry.title).height()
        height += len(entry.lines) * (QFontMetrics(theme.font(SMALL)).height() + px(2))
        return QSize(0, height + 2 * px(8) + px(_GAP) + 2)
