"""The card of doubted labels: a table of phrases or domains with the model's doubt and people's answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from desktop.text import count, percent
from desktop.ui.pages.suggest.text import doubts_text
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.theme import SMALL, Theme
from desktop.ui.widgets.buttons import ToggleGroup
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.labels import plain_tip
from desktop.ui.widgets.tables import style_table
from miner.statistics import Interval
from storage.models.suggestion_statistics import GroupDoubt
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from desktop.jobs.models.suggest_state import SuggestState

Index = QModelIndex | QPersistentModelIndex
GroupKind = Literal["phrase", "domain"]
_ROOT = QModelIndex()
_Z_95 = 1.96  # standard errors on each side of a 95 % interval
_NO_VALUE = "–"
INTERVAL_ROLE = Qt.ItemDataRole.UserRole  # (mean doubt, Interval)
_GROUP_TITLES = {"phrase": "Phrase", "domain": "Domain"}
# In unscaled pixels:
_NUMBER_WIDTH = 64  # the bar is behind the number
_HEADER_HEIGHT = 32
_ROW_HEIGHT = 28

_MAX_VISIBLE_ROWS = 12


def doubt_interval(group: GroupDoubt) -> Interval:
    """The 95 % interval of the share of wrong labels, as the model sees it."""
    return Interval(max(0.0, group.doubt - _Z_95 * group.error), min(1.0, group.doubt + _Z_95 * group.error))


class _GroupColumn(NamedTuple):
    title: str
    tip: str
    text: Callable[[GroupDoubt], str]
    sort_key: Callable[[GroupDoubt], Any]  # str or number


def _disagreement(group: GroupDoubt) -> float:
    """Share of the answered labels that people changed; -1 if none is answered."""
    return (group.answered - group.agreed) / group.answered if group.answered else -1.0


COLUMNS = (
    _GroupColumn("", "", lambda group: group.group, lambda group: group.group.casefold()),
    _GroupColumn(
        "Pairs", "That have a label and a suggestion", lambda group: f"{group.pairs:,}", lambda group: group.pairs
    ),
    _GroupColumn(
        "Model doubts",
        "The share of labels that is wrong, as the model sees it; the bar is its 95 % interval",
        lambda group: percent(group.doubt),
        lambda group: group.doubt,
    ),
    _GroupColumn(
        "Answered", "Pairs that people settled", lambda group: f"{group.answered:,}", lambda group: group.answered
    ),
    _GroupColumn(
        "People differ",
        "Of those, the share that people labelled differently",
        lambda group: percent(_disagreement(group)) if group.answered else _NO_VALUE,
        _disagreement,
    ),
)
NAME, PAIRS, DOUBT, ANSWERED, DISAGREEMENT = range(len(COLUMNS))


class GroupDoubtModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kind: GroupKind = "phrase"
        self._groups: list[GroupDoubt] = []
        self._order = (DOUBT, Qt.SortOrder.DescendingOrder)

    def show_groups(self, kind: GroupKind, groups: Sequence[GroupDoubt]) -> None:
        if (kind, self._sorted(groups)) == (self.kind, self._groups):
            return  # keeps the selection
        self.beginResetModel()
        self.kind, self._groups = kind, self._sorted(groups)
        self.endResetModel()

    def pair_filter(self, row: int) -> PairFilter:
        """The pairs of a row."""
        names = frozenset((self._groups[row].group,))
        return PairFilter(phrases=names) if self.kind == "phrase" else PairFilter(domains=names)

    def name(self, group: GroupDoubt) -> str:
        return group.group or ("no phrase" if self.kind == "phrase" else NO_DOMAIN)

    def note(self, row: int) -> str:
        group = self._groups[row]
        low, high = doubt_interval(group)
        sentence = (
            f"“{self.name(group)}”: of {count(group.pairs, 'pair')} about {percent(group.doubt)} are labelled wrong"
        )
        sentence += f" as the model sees it, likely {low * 100:.0f} to {high * 100:.0f} %."
        if not group.answered:
            return f"{sentence} People have not answered any of them."
        return f"{sentence} People agree with {group.agreed:,} of the {group.answered:,} labels they checked."

    def tsv(self) -> str:
        """The table as tab-separated text; shares from 0 to 1."""
        titles = [_GROUP_TITLES[self.kind], "Pairs", "Mean doubt", "Standard error", "Answered", "People agree"]
        lines = [
            (group.group, group.pairs, f"{group.doubt:.4f}", f"{group.error:.4f}", group.answered, group.agreed)
            for group in self._groups
        ]
        return "".join("\t".join(map(str, line)) + "\n" for line in (titles, *lines))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._groups)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        group, column = self._groups[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.name(group) if column == NAME else COLUMNS[column].text(group)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self.note(index.row()))
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case _ if role == INTERVAL_ROLE and column == DOUBT:
                return group.doubt, doubt_interval(group)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            column, order = self._order
            title = COLUMNS[section].title or _GROUP_TITLES[self.kind]
            arrow = "↓" if order == Qt.SortOrder.DescendingOrder else "↑"
            return f"{title} {arrow}" if section == column else title
        if role == Qt.ItemDataRole.ToolTipRole:
            return COLUMNS[section].tip or None
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(COLUMNS):
            self.beginResetModel()
            self._order = (column, order)
            self._groups = self._sorted(self._groups)
            self.endResetModel()
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def _sorted(self, groups: Sequence[GroupDoubt]) -> list[GroupDoubt]:
        column, order = self._order
        largest_first = sorted(groups, key=lambda group: (-group.pairs, group.group))
        return sorted(largest_first, key=COLUMNS[column].sort_key, reverse=order == Qt.SortOrder.DescendingOrder)


class DoubtedLabelsCard(Card):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Which labels does the model doubt?", parent)
        self.kinds = ToggleGroup(theme, "Grouped", {"phrase": "By phrase", "domain": "By domain"})
        self.kinds.key_changed.connect(self._show_groups)
        self.header.addWidget(self.kinds, 0, Qt.AlignmentFlag.AlignTop)
        self.add_button("", "copy", "Copy numbers").clicked.connect(self.copy)
        self.model = GroupDoubtModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.question)
        self.delegate = GroupDoubtDelegate(theme, self)
        self.table.setItemDelegate(self.delegate)
        style_table(self.table, theme)
        self.table.horizontalHeader().setFixedHeight(theme.px(_HEADER_HEIGHT))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(DOUBT, Qt.SortOrder.DescendingOrder)
        self.table.activated.connect(self._open_pairs)
        self.table.selectionModel().currentRowChanged.connect(self._show_note)
        self.body.addWidget(self.table)
        self._state: SuggestState | None = None

    def show_state(self, state: SuggestState) -> None:
        self._state = state
        self._show_groups(self.kinds.key)

    def tsv(self) -> str:
        return self.model.tsv()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    @Slot(str)
    def _show_groups(self, _: str) -> None:
        if self._state is None:
            return
        kind: GroupKind = "domain" if self.kinds.key == "domain" else "phrase"
        groups = self._state.phrases if kind == "phrase" else self._state.domains
        self.model.show_groups(kind, groups)
        theme, visible_rows = self._theme, min(_MAX_VISIBLE_ROWS, max(1, len(groups)))
        self.table.setFixedHeight(theme.px(_HEADER_HEIGHT) + theme.px(_ROW_HEIGHT) * visible_rows)
        self._fit_columns()
        labels = sum(group.pairs for group in groups)
        expected_wrong = sum(group.pairs * group.doubt for group in groups)
        if self._state.summary is not None:
            self.summary = doubts_text(self._state.summary, labels, expected_wrong)
        if not groups:
            self.waiting_label.setText("There are no labels that the model has not learned from, so it can doubt none.")
            self.summary = ""
        self.body.setCurrentIndex(1 if groups else 0)
        self.show_note("")

    def _fit_columns(self) -> None:
        """Fit columns to their texts; the doubt, with its bar, gets the rest of the width."""
        columns = range(self.model.columnCount())
        widths = [self.delegate.column_width(self.model, column) for column in columns]
        spare = self.table.viewport().width() - sum(widths) + widths[DOUBT]
        widths[DOUBT] = max(widths[DOUBT], spare)
        for column in columns:
            self.table.setColumnWidth(column, widths[column])

    @Slot(QModelIndex, QModelIndex)
    def _show_note(self, current: QModelIndex, _: QModelIndex) -> None:
        self.show_note(self.model.note(current.row()) if current.isValid() else "")

    @Slot(QModelIndex)
    def _open_pairs(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.pair_filter(index.row()))


class GroupDoubtDelegate(QStyledItemDelegate):
    """Paints a doubt as a number, and its interval on a bar from 0 to 100 % with a dot for the doubt."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def column_width(self, model: GroupDoubtModel, column: int) -> int:
        """The width that a column needs for its texts and title, in pixels."""
        metrics = QFontMetricsF(self._theme.font())
        texts = (str(model.index(row, column).data()) for row in range(model.rowCount()))
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
        title = str(model.headerData(column, Qt.Orientation.Horizontal)).removesuffix(" ↓").removesuffix(" ↑")
        title_width = QFontMetricsF(self._theme.font(SMALL)).horizontalAdvance(f"{title} ↓")
        return round(max(widest, title_width)) + self._theme.px(20)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        figures = index.data(INTERVAL_ROLE)
        if figures is None:
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
        box.setLeft(box.left() + px(_NUMBER_WIDTH))
        if box.width() > px(24):
            self._paint_interval(painter, box, *figures)
        painter.restore()

    def _paint_interval(self, painter: QPainter, box: QRectF, doubt: float, interval: Interval) -> None:
        theme, px = self._theme, self._theme.px
        track = QRectF(box.left(), box.center().y() - px(2), box.width(), px(4))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        painter.drawRoundedRect(track, px(2), px(2))
        painter.setBrush(theme.color("accent"))
        width = max(px(4), (interval.high - interval.low) * track.width())
        painter.drawRoundedRect(QRectF(track.left() + interval.low * track.width(), track.top(), width, px(4)), 2, 2)
        middle = track.left() + doubt * track.width()
        painter.drawEllipse(QRectF(middle - px(4), track.center().y() - px(4), px(8), px(8)))


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column in (NAME, DOUBT) else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
