"""The linking phrases, how many pairs each made, and how far people agree with what it announces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.text import count as counted
from desktop.text import percent
from desktop.ui.theme import LETTERS, SMALL, Theme
from desktop.ui.widgets.labels import plain_tip
from miner.statistics import Interval, wilson
from storage.pairs.filters import PairFilter
from storage.pairs.statistics import PairCount

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
INTERVAL = Qt.ItemDataRole.UserRole  # (agreement, Interval), or None where nobody answered
LABEL = Qt.ItemDataRole.UserRole + 1
_NOTHING = "–"
_RANGE_TEXT = 80  # pixels as drawn; the bar is behind it


@dataclass(frozen=True, slots=True)
class PhraseLine:
    """A phrase that made `pairs`; of `answered` ones with a label by people, `agreed` have the relation it announces.

    Pairs whose answers have no majority, and bad pairs, tell nothing about the phrase and are not among them.
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
        start = f"“{self.phrase}” made {counted(self.pairs, 'pair')}. "
        if not self.answered:
            return start + "People have not answered any of them yet."
        low, high = self.interval
        return start + (
            f"People agree with {self.agreed:,} of the {self.answered:,} they answered "
            f"({percent(self.agreed / self.answered)}); for all its pairs, likely {_spoken(low, high)}."
        )


def _spoken(low: float, high: float) -> str:
    return f"between {low * 100:.0f} and {high * 100:.0f} %"


def phrase_lines(counts: Iterable[PairCount], domain: str | None) -> list[PhraseLine]:
    """A line for each phrase and relation, the most frequent first; of one domain if asked."""
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
    return [PhraseLine(*key, number, number / total, answered[key], agreed[key]) for key, number in pairs.most_common()]


class _Column(NamedTuple):
    title: str
    tip: str
    text: Callable[[PhraseLine], str]
    order: Callable[[PhraseLine], Any]  # what the column is sorted by: str or numbers
    plain: Callable[[PhraseLine], str]
    left: bool = False


def _agreement(line: PhraseLine) -> str:
    return _NOTHING if line.agreement is None else percent(line.agreement)


def _range_text(line: PhraseLine) -> str:
    if not line.answered:
        return _NOTHING
    return f"{line.interval.low * 100:.0f}–{line.interval.high * 100:.0f} %"


def _range_plain(line: PhraseLine) -> str:
    return "\t".join(f"{bound:.4f}" for bound in line.interval) if line.answered else "\t"


COLUMNS = (
    _Column("Phrase", "", lambda o: o.phrase, lambda o: o.phrase.casefold(), lambda o: o.phrase, True),
    _Column(
        "Relation", "What the phrase announces.", lambda o: o.relation, lambda o: o.relation, lambda o: o.relation, True
    ),
    _Column("Pairs", "Pairs mined by the phrase.", lambda o: f"{o.pairs:,}", lambda o: o.pairs, lambda o: str(o.pairs)),
    _Column(
        "Share",
        "Of all pairs mined by a phrase.",
        lambda o: percent(o.share),
        lambda o: o.share,
        lambda o: f"{o.share:.4f}",
    ),
    _Column(
        "Answered",
        "Pairs that have a label by people.",
        lambda o: f"{o.answered:,}",
        lambda o: o.answered,
        lambda o: str(o.answered),
    ),
    _Column(
        "Agree",
        "Of the answered pairs, those where people say what the phrase announces.",
        _agreement,
        lambda o: -1.0 if o.agreement is None else o.agreement,
        lambda o: "" if o.agreement is None else f"{o.agreement:.4f}",
    ),
    _Column(
        "Range",
        "Where the agreement of all pairs of the phrase lies, with 95 % confidence (Wilson interval).",
        _range_text,
        lambda o: o.interval.low if o.answered else -1.0,
        _range_plain,
        True,
    ),
)
RELATION, SHARE, RANGE = 1, 3, len(COLUMNS) - 1


class PhraseModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: list[PhraseLine] = []
        self._order = (2, Qt.SortOrder.DescendingOrder)

    def show_lines(self, lines: list[PhraseLine]) -> None:
        self.beginResetModel()
        self._lines = self._sorted(lines)
        self.endResetModel()

    def line(self, row: int) -> PhraseLine:
        return self._lines[row]

    def opens(self, row: int, domain: str | None) -> PairFilter:
        """The pairs behind a line."""
        line = self._lines[row]
        domains = frozenset[str]() if domain is None else frozenset((domain,))
        return PairFilter(phrases=frozenset((line.phrase,)), distant=frozenset((line.relation,)), domains=domains)

    def tsv(self) -> str:
        """All lines as tab-separated text; shares from 0 to 1, the range as two columns."""
        titles = [column.title for column in COLUMNS[:-1]] + ["Lowest likely", "Highest likely"]
        lines = [titles, *([column.plain(line) for column in COLUMNS] for line in self._lines)]
        return "".join("\t".join(line) + "\n" for line in lines)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line, column = self._lines[index.row()], COLUMNS[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.text(line)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(line.note)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _aligned(column)
            case _ if role == INTERVAL and index.column() == RANGE:
                return (line.agreement, line.interval) if line.answered else None
            case _ if role == LABEL:
                return line.relation
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
                return _aligned(column)
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(COLUMNS):
            return
        self._order = (column, order)
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        lines = [self._lines[index.row()] for index in kept]
        self._lines = self._sorted(self._lines)
        moved = [self.index(self._lines.index(line), index.column()) for line, index in zip(lines, kept, strict=True)]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def _sorted(self, lines: list[PhraseLine]) -> list[PhraseLine]:
        """By the column chosen, ties by frequency."""
        column, order = self._order
        down = order == Qt.SortOrder.DescendingOrder
        by_frequency = sorted(lines, key=lambda line: (-line.pairs, line.phrase))
        return sorted(by_frequency, key=COLUMNS[column].order, reverse=down)


class PhraseDelegate(QStyledItemDelegate):
    """Paints a relation with its chip, and a range as a bar from 0 to 100 % with the agreement on it."""

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
            self._paint_relation(painter, box, text, str(index.data(LABEL)))
        else:
            self._paint_range(painter, box, text, index.data(INTERVAL))
        painter.restore()

    def width(self, model: PhraseModel, column: int) -> int:
        """What a column needs."""
        rows, way = range(model.rowCount()), Qt.Orientation.Horizontal
        words = QFontMetricsF(self._theme.font())
        widest = max((words.horizontalAdvance(str(model.index(row, column).data())) for row in rows), default=0.0)
        title = QFontMetricsF(self._theme.font(SMALL)).horizontalAdvance(f"{model.headerData(column, way)} ↓")
        return round(max(widest + self._theme.px(26) * (column == RELATION), title)) + self._theme.px(17)

    def _paint_relation(self, painter: QPainter, box: QRectF, text: str, label: str) -> None:
        theme = self._theme
        chip = QRectF(box.left(), box.center().y() - theme.px(9), theme.px(18), theme.px(18))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.label_text_color(label))
        painter.drawRoundedRect(chip, theme.px(4), theme.px(4))
        painter.setPen(theme.color("card"))
        painter.setFont(theme.font(SMALL, bold=True))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, LETTERS.get(label, _NOTHING))
        painter.setPen(theme.color("ink"))
        painter.setFont(theme.font())
        painter.drawText(box.adjusted(theme.px(26), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_range(self, painter: QPainter, box: QRectF, text: str, known: tuple[float, Interval] | None) -> None:
        theme = self._theme
        words = theme.px(_RANGE_TEXT)
        painter.setPen(theme.color("ink" if known else "muted"))
        painter.setFont(theme.font())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        track = QRectF(box.left() + words, box.center().y() - theme.px(2), box.width() - words, theme.px(4))
        if known is None or track.width() < theme.px(20):
            return
        share, (low, high) = known
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


def _aligned(column: _Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column.left else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
