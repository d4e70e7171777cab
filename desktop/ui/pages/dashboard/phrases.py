"""The card of linking phrases: a table of how many pairs each made, and how often people agree with its relation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from desktop.text import count as counted
from desktop.text import percent
from desktop.ui.theme import LETTERS, SMALL, Theme
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.labels import plain_tip
from desktop.ui.widgets.tables import style_table
from miner.statistics import Interval, wilson
from storage.pairs.filters import PairFilter
from storage.pairs.statistics import PairCount

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
INTERVAL_ROLE = Qt.ItemDataRole.UserRole  # (agreement, Interval); None if no pair is answered
LABEL_ROLE = Qt.ItemDataRole.UserRole + 1
_NO_VALUE = "–"
# In unscaled pixels:
_RANGE_TEXT_WIDTH = 80  # the bar is behind the text
_RANGE_MIN_WIDTH = 150
_HEADER_HEIGHT = 32
_ROW_HEIGHT = 28
_RELATION_CHIP_WIDTH = 26  # with the gap behind it

_MAX_VISIBLE_ROWS = 16


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """The figures of a linking phrase.

    share: of all pairs mined by a phrase. answered: pairs with a label by people; answers without a majority and bad
    pairs do not count. agreed: answered pairs with the relation that the phrase announces.
    """

    phrase: str
    relation: str
    pairs: int
    share: float
    answered: int
    agreed: int

    @property
    def agreement(self) -> float | None:
        return self.agreed / self.answered if self.answered else None

    @property
    def interval(self) -> Interval:
        return wilson(self.agreed, self.answered)

    @property
    def note(self) -> str:
        pairs = f"“{self.phrase}” made {counted(self.pairs, 'pair')}. "
        if not self.answered:
            return pairs + "People have not answered any of them yet."
        low, high = self.interval
        return pairs + (
            f"People agree with {self.agreed:,} of the {self.answered:,} they answered "
            f"({percent(self.agreed / self.answered)}); for all its pairs, likely {_range_phrase(low, high)}."
        )


def _range_phrase(low: float, high: float) -> str:
    return f"between {low * 100:.0f} and {high * 100:.0f} %"


def phrase_rows(counts: Iterable[PairCount], domain: str | None) -> list[PhraseRow]:
    """A row for each phrase and relation, the most frequent first. domain: None for all domains."""
    pairs: Counter[tuple[str, str]] = Counter()
    answered: Counter[tuple[str, str]] = Counter()
    agreed: Counter[tuple[str, str]] = Counter()
    for row in counts:
        if not row.phrase or (domain is not None and row.domain != domain):
            continue
        key = (row.phrase, row.distant)
        pairs[key] += row.pairs
        if row.status == "settled" and not row.accepted:
            answered[key] += row.pairs
            agreed[key] += row.pairs * (row.gold == row.distant)
    total = pairs.total()
    return [PhraseRow(*key, number, number / total, answered[key], agreed[key]) for key, number in pairs.most_common()]


class _PhraseColumn(NamedTuple):
    title: str
    tip: str
    text: Callable[[PhraseRow], str]
    sort_key: Callable[[PhraseRow], Any]  # str or number
    tsv: Callable[[PhraseRow], str]
    is_left_aligned: bool = False


def _agreement_text(row: PhraseRow) -> str:
    return _NO_VALUE if row.agreement is None else percent(row.agreement)


def _range_text(row: PhraseRow) -> str:
    if not row.answered:
        return _NO_VALUE
    return f"{row.interval.low * 100:.0f}–{row.interval.high * 100:.0f} %"


def _range_tsv(row: PhraseRow) -> str:
    return "\t".join(f"{bound:.4f}" for bound in row.interval) if row.answered else "\t"


COLUMNS = (
    _PhraseColumn(
        "Phrase", "", lambda row: row.phrase, lambda row: row.phrase.casefold(), lambda row: row.phrase, True
    ),
    _PhraseColumn(
        "Relation",
        "What the phrase announces.",
        lambda row: row.relation,
        lambda row: row.relation,
        lambda row: row.relation,
        True,
    ),
    _PhraseColumn(
        "Pairs",
        "Pairs mined by the phrase.",
        lambda row: f"{row.pairs:,}",
        lambda row: row.pairs,
        lambda row: str(row.pairs),
    ),
    _PhraseColumn(
        "Share",
        "Of all pairs mined by a phrase.",
        lambda row: percent(row.share),
        lambda row: row.share,
        lambda row: f"{row.share:.4f}",
    ),
    _PhraseColumn(
        "Answered",
        "Pairs that have a label by people.",
        lambda row: f"{row.answered:,}",
        lambda row: row.answered,
        lambda row: str(row.answered),
    ),
    _PhraseColumn(
        "Agree",
        "Of the answered pairs, those where people say what the phrase announces.",
        _agreement_text,
        lambda row: -1.0 if row.agreement is None else row.agreement,
        lambda row: "" if row.agreement is None else f"{row.agreement:.4f}",
    ),
    _PhraseColumn(
        "Range",
        "Where the agreement of all pairs of the phrase lies, with 95 % confidence (Wilson interval).",
        _range_text,
        lambda row: row.interval.low if row.answered else -1.0,
        _range_tsv,
        True,
    ),
)
RELATION, PAIRS, SHARE, RANGE = 1, 2, 3, len(COLUMNS) - 1


class PhraseFiguresModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[PhraseRow] = []
        self._order = (PAIRS, Qt.SortOrder.DescendingOrder)

    def show_rows(self, rows: list[PhraseRow]) -> None:
        self.beginResetModel()
        self._rows = self._sorted(rows)
        self.endResetModel()

    def row(self, index: int) -> PhraseRow:
        return self._rows[index]

    def pair_filter(self, index: int, domain: str | None) -> PairFilter:
        """The pairs of a row."""
        row = self._rows[index]
        domains = frozenset[str]() if domain is None else frozenset((domain,))
        return PairFilter(phrases=frozenset((row.phrase,)), distant=frozenset((row.relation,)), domains=domains)

    def tsv(self) -> str:
        """The table as tab-separated text; shares from 0 to 1, the range as two columns."""
        titles = [column.title for column in COLUMNS[:-1]] + ["Lowest likely", "Highest likely"]
        lines = [titles, *([column.tsv(row) for column in COLUMNS] for row in self._rows)]
        return "".join("\t".join(line) + "\n" for line in lines)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], COLUMNS[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.text(row)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(row.note)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case _ if role == INTERVAL_ROLE and index.column() == RANGE:
                return (row.agreement, row.interval) if row.answered else None
            case _ if role == LABEL_ROLE:
                return row.relation
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        column = COLUMNS[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                sorted_by, order = self._order
                arrow = "↓" if order == Qt.SortOrder.DescendingOrder else "↑"
                return f"{column.title} {arrow}" if section == sorted_by else column.title
            case Qt.ItemDataRole.ToolTipRole:
                return column.tip or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(COLUMNS):
            return
        self._order = (column, order)
        self.layoutAboutToBeChanged.emit()
        old_indexes = self.persistentIndexList()
        rows = [self._rows[index.row()] for index in old_indexes]
        self._rows = self._sorted(self._rows)
        new_indexes = [
            self.index(self._rows.index(row), index.column()) for row, index in zip(rows, old_indexes, strict=True)
        ]
        self.changePersistentIndexList(old_indexes, new_indexes)
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def _sorted(self, rows: list[PhraseRow]) -> list[PhraseRow]:
        """Sorted by the current column, ties by frequency."""
        column, order = self._order
        by_frequency = sorted(rows, key=lambda row: (-row.pairs, row.phrase))
        return sorted(by_frequency, key=COLUMNS[column].sort_key, reverse=order == Qt.SortOrder.DescendingOrder)


class PhraseDelegate(QStyledItemDelegate):
    """Paints a relation after the letter of its class, and a range as a bar with a dot for the agreement."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.column() not in (RELATION, RANGE):
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(self._theme.px(8), 0, -self._theme.px(8), -1)
        if index.column() == RELATION:
            self._paint_relation(painter, box, text, str(index.data(LABEL_ROLE)))
        else:
            self._paint_range(painter, box, text, index.data(INTERVAL_ROLE))
        painter.restore()

    def column_width(self, model: PhraseFiguresModel, column: int) -> int:
        """The width that a column needs for its texts and title, in pixels."""
        metrics = QFontMetricsF(self._theme.font())
        texts = (str(model.index(row, column).data()) for row in range(model.rowCount()))
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
        chip = self._theme.px(_RELATION_CHIP_WIDTH) if column == RELATION else 0
        title = f"{model.headerData(column, Qt.Orientation.Horizontal)} ↓"
        title_width = QFontMetricsF(self._theme.font(SMALL)).horizontalAdvance(title)
        return round(max(widest + chip, title_width)) + self._theme.px(17)

    def _paint_relation(self, painter: QPainter, box: QRectF, text: str, label: str) -> None:
        theme = self._theme
        chip = QRectF(box.left(), box.center().y() - theme.px(9), theme.px(18), theme.px(18))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.label_text_color(label))
        painter.drawRoundedRect(chip, theme.px(4), theme.px(4))
        painter.setPen(theme.color("card"))
        painter.setFont(theme.font(SMALL, bold=True))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, LETTERS.get(label, _NO_VALUE))
        painter.setPen(theme.color("ink"))
        painter.setFont(theme.font())
        painter.drawText(box.adjusted(theme.px(_RELATION_CHIP_WIDTH), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_range(self, painter: QPainter, box: QRectF, text: str, figures: tuple[float, Interval] | None) -> None:
        theme = self._theme
        text_width = theme.px(_RANGE_TEXT_WIDTH)
        painter.setPen(theme.color("ink" if figures else "muted"))
        painter.setFont(theme.font())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        track = QRectF(box.left() + text_width, box.center().y() - theme.px(2), box.width() - text_width, theme.px(4))
        if figures is None or track.width() < theme.px(20):
            return
        share, (low, high) = figures
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        painter.drawRoundedRect(track, theme.px(2), theme.px(2))
        painter.setBrush(theme.color("accent"))
        left = track.left() + low * track.width()
        painter.drawRoundedRect(QRectF(left, track.top(), (high - low) * track.width(), track.height()), 2, 2)
        dot = theme.px(4)
        painter.drawEllipse(
            QRectF(track.left() + share * track.width() - dot, track.center().y() - dot, 2 * dot, 2 * dot)
        )


class PhraseCard(Card):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Which phrases can be trusted?", parent)
        self.domain: str | None = None
        self.add_button("", "copy", "Copy numbers").clicked.connect(self.copy)
        self.model = PhraseFiguresModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.question)
        self.delegate = PhraseDelegate(theme, self)
        self.table.setItemDelegate(self.delegate)
        style_table(self.table, theme)
        header = self.table.horizontalHeader()
        header.setStretchLastSection(True)
        header.setFixedHeight(theme.px(_HEADER_HEIGHT))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(PAIRS, Qt.SortOrder.DescendingOrder)
        self.table.activated.connect(self._open_pairs)
        self.table.selectionModel().currentRowChanged.connect(self._show_note)
        self.body.addWidget(self.table)

    def show_counts(self, counts: list[PairCount], domain: str | None) -> None:
        self.domain = domain
        rows = phrase_rows(counts, domain)
        self.model.show_rows(rows)
        visible_rows = min(_MAX_VISIBLE_ROWS, max(1, len(rows)))
        self.table.setFixedHeight(self._theme.px(_HEADER_HEIGHT) + self._theme.px(_ROW_HEIGHT) * visible_rows)
        self._fit_columns()
        answered, agreed = sum(row.answered for row in rows), sum(row.agreed for row in rows)
        self.summary = "No pairs were mined by a phrase."
        if rows:
            self.summary = f"{counted(len(rows), 'phrase')}. People have answered none of their pairs yet."
        if answered:
            self.summary = f"People agree with {agreed:,} of {counted(answered, 'answered pair')} mined by a phrase."
        self.body.setCurrentIndex(1)
        self.show_note("")

    def tsv(self) -> str:
        return self.model.tsv()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Fit columns to their texts; where the card is narrow, hide the share, then the relation."""
        widths = {column: self.delegate.column_width(self.model, column) for column in range(RANGE)}
        spare = self.width() - self._theme.px(_RANGE_MIN_WIDTH + 32) - sum(widths.values())
        for column in range(RANGE):  # the range fills the rest
            self.table.setColumnWidth(column, widths[column])
        for column in (SHARE, RELATION):
            self.table.setColumnHidden(column, spare < 0)
            spare += widths[column]

    @Slot(QModelIndex, QModelIndex)
    def _show_note(self, current: QModelIndex, _: QModelIndex) -> None:
        self.show_note(self.model.row(current.row()).note if current.isValid() else "")

    @Slot(QModelIndex)
    def _open_pairs(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.pair_filter(index.row(), self.domain))


def _alignment(column: _PhraseColumn) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column.is_left_aligned else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
