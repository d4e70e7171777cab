"""Phrases or domains, how far the model doubts their labels, and what people found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.text import count, percent
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.labels import plain_tip
from miner.statistics import Interval
from storage.models.suggestions import GroupDoubt
from storage.pairs.filters import PairFilter

Index = QModelIndex | QPersistentModelIndex
Kind = Literal["phrase", "domain"]
_ROOT = QModelIndex()
_Z = 1.96  # 95 % lie within so many standard errors
_NOTHING = "–"
RANGE = Qt.ItemDataRole.UserRole  # (mean doubt, Interval)
_NUMBER = 64  # pixels as drawn, before the bar
_TITLES = {"phrase": "Phrase", "domain": "Domain"}


def likely(line: GroupDoubt) -> Interval:
    """Between which bounds the share of wrong labels lies, as the model sees it."""
    return Interval(max(0.0, line.doubt - _Z * line.error), min(1.0, line.doubt + _Z * line.error))


class _Column(NamedTuple):
    title: str
    tip: str
    text: Callable[[GroupDoubt], str]
    order: Callable[[GroupDoubt], Any]


def _disagreed(line: GroupDoubt) -> float:
    return (line.answered - line.agreed) / line.answered if line.answered else -1.0


COLUMNS = (
    _Column("", "", lambda line: line.group, lambda line: line.group.casefold()),
    _Column("Pairs", "That have a label and a suggestion", lambda line: f"{line.pairs:,}", lambda line: line.pairs),
    _Column(
        "Model doubts",
        "The share of labels that is wrong, as the model sees it; the bar is where it lies with 95 %",
        lambda line: percent(line.doubt),
        lambda line: line.doubt,
    ),
    _Column("Answered", "Pairs that people settled", lambda line: f"{line.answered:,}", lambda line: line.answered),
    _Column(
        "People differ",
        "Of those, the share that people labelled otherwise",
        lambda line: percent(_disagreed(line)) if line.answered else _NOTHING,
        _disagreed,
    ),
)
NAME, PAIRS, DOUBTS, ANSWERED, DIFFER = range(5)


class GroupModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kind: Kind = "phrase"
        self._lines: list[GroupDoubt] = []
        self._order = (DOUBTS, Qt.SortOrder.DescendingOrder)

    def show_lines(self, kind: Kind, lines: Sequence[GroupDoubt]) -> None:
        if (kind, self._sorted(lines)) == (self.kind, self._lines):
            return  # what is chosen stays
        self.beginResetModel()
        self.kind, self._lines = kind, self._sorted(lines)
        self.endResetModel()

    def opens(self, row: int) -> PairFilter:
        """The pairs behind a line."""
        group = frozenset((self._lines[row].group,))
        return PairFilter(phrases=group) if self.kind == "phrase" else PairFilter(domains=group)

    def name(self, line: GroupDoubt) -> str:
        return line.group or ("no phrase" if self.kind == "phrase" else NO_DOMAIN)

    def note(self, row: int) -> str:
        line = self._lines[row]
        low, high = likely(line)
        start = f"“{self.name(line)}”: of {count(line.pairs, 'pair')} about {percent(line.doubt)} are labelled wrong"
        start += f" as the model sees it, likely {low * 100:.0f} to {high * 100:.0f} %."
        if not line.answered:
            return f"{start} People have not answered any of them."
        return f"{start} People agree with {line.agreed:,} of the {line.answered:,} labels they checked."

    def tsv(self) -> str:
        """All lines as tab-separated text; shares from 0 to 1."""
        titles = [_TITLES[self.kind], "Pairs", "Mean doubt", "Standard error", "Answered", "People agree"]
        lines = [
            (line.group, line.pairs, f"{line.doubt:.4f}", f"{line.error:.4f}", line.answered, line.agreed)
            for line in self._lines
        ]
        return "".join("\t".join(map(str, line)) + "\n" for line in (titles, *lines))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line, column = self._lines[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.name(line) if column == NAME else COLUMNS[column].text(line)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self.note(index.row()))
            case Qt.ItemDataRole.TextAlignmentRole:
                return _aligned(column)
            case _ if role == RANGE and column == DOUBTS:
                return line.doubt, likely(line)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            column, order = self._order
            title = COLUMNS[section].title or _TITLES[self.kind]
            arrow = "↓" if order == Qt.SortOrder.DescendingOrder else "↑"
            return f"{title} {arrow}" if section == column else title
        if role == Qt.ItemDataRole.ToolTipRole:
            return COLUMNS[section].tip or None
        return _aligned(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(COLUMNS):
            self.beginResetModel()
            self._order = (column, order)
            self._lines = self._sorted(self._lines)
            self.endResetModel()
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def _sorted(self, lines: Sequence[GroupDoubt]) -> list[GroupDoubt]:
        column, order = self._order
        largest = sorted(lines, key=lambda line: (-line.pairs, line.group))
        return sorted(largest, key=COLUMNS[column].order, reverse=order == Qt.SortOrder.DescendingOrder)


class GroupDelegate(QStyledItemDelegate):
    """Paints a doubt as its number, and the range it lies in on a line from 0 to 100 %."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def width(self, model: GroupModel, column: int) -> int:
        """What a column needs."""
        words = QFontMetricsF(self._theme.font())
        rows = range(model.rowCount())
        widest = max((words.horizontalAdvance(str(model.index(row, column).data())) for row in rows), default=0.0)
        title = str(model.headerData(column, Qt.Orientation.Horizontal)).removesuffix(" ↓").removesuffix(" ↑")
        room = QFontMetricsF(self._theme.font(SMALL)).horizontalAdvance(f"{title} ↓")
        return round(max(widest, room)) + self._theme.px(20)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        known = index.data(RANGE)
        if known is None:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        px = self._theme.px
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(px(8), 0, -px(8), -1)
        painter.setPen(self._theme.color("ink"))
        painter.setFont(self._theme.font())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        box.setLeft(box.left() + px(_NUMBER))
        if box.width() > px(24):
            self._line(painter, box, *known)
        painter.restore()

    def _line(self, painter: QPainter, box: QRectF, doubt: float, limits: Interval) -> None:
        theme, px = self._theme, self._theme.px
        track = QRectF(box.left(), box.center().y() - px(2), box.width(), px(4))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        painter.drawRoundedRect(track, px(2), px(2))
        painter.setBrush(theme.color("accent"))
        wide = max(px(4), (limits.high - limits.low) * track.width())
        painter.drawRoundedRect(QRectF(track.left() + limits.low * track.width(), track.top(), wide, px(4)), 2, 2)
        middle = track.left() + doubt * track.width()
        painter.drawEllipse(QRectF(middle - px(4), track.center().y() - px(4), px(8), px(8)))


def _aligned(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column in (NAME, DOUBTS) else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
