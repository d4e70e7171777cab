"""The table of papers: ids in order, and the rows that were seen; what is not yet here is read in the background."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal, Slot

from desktop.ui.pages.papers.words import State, in_hand, name_of, people, state_of
from desktop.ui.widgets.labels import plain_tip
from storage.papers.table import PaperTableColumn, PaperTableRow

_Index = QModelIndex | QPersistentModelIndex
_TOGETHER = 96  # rows read at a time: more than a screen has
_MOST = 20_000  # rows between which those that come and go are looked for
_RUNS = 400  # of rows that come or go; more are shown as a new table
_IN_HAND = -(10**15)  # ids below are of files on their way


class InHand(NamedTuple):
    """A file on its way into the project; `state` as in `import_session.FileProgress`, "" while it waits."""

    path: Path
    state: str


class Cell(NamedTuple):
    """What is painted: `text`, or the `state` that it says. A `remedy` is painted over all columns behind the title."""

    text: str = ""
    is_number: bool = False
    is_muted: bool = False
    state: State | None = None
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """`text` of a row; `sort`: what a click on the head sorts by."""

    name: str
    width: int
    sort: PaperTableColumn | None
    text: Callable[[PaperTableRow], str]
    is_number: bool = False


def _pairs(line: PaperTableRow) -> str:
    if line.code or (not line.mined and not line.pairs):
        return "–"
    return f"{line.pairs:,}"


COLUMNS = (
    Column("Title", 300, PaperTableColumn.TITLE, name_of),
    Column("Authors", 112, None, lambda line: people(line.authors)),
    Column("Year", 52, PaperTableColumn.YEAR, lambda line: str(line.year or ""), is_number=True),
    Column("Domain", 144, PaperTableColumn.DOMAIN, lambda line: line.domain),
    Column("Pairs", 56, PaperTableColumn.PAIRS, _pairs, is_number=True),
    Column("State", 100, PaperTableColumn.STATE, lambda line: str(state_of(line))),
)
TITLE, AUTHORS, YEAR, DOMAIN, PAIRS, STATE = range(len(COLUMNS))


@dataclass(slots=True)
class _Seen:
    """A row as read; `is_stale` once it may have changed: shown until it is read again."""

    line: PaperTableRow
    is_stale: bool = False


@dataclass(slots=True)
class _Runs:
    """How one order of ids becomes another: rows that go (from, to), last first; then rows that come, first first."""

    gone: list[tuple[int, int]] = field(default_factory=list)
    come: list[tuple[int, int]] = field(default_factory=list)


class PaperTable(QAbstractTableModel):
    lines_requested = Signal(object)  # list[int]: ids whose rows are on screen and not known
    sort_requested = Signal(object, bool)  # PaperTableColumn or None for the usual order, and whether descending

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: array[int] = array("q")
        self._rows: dict[int, int] | None = None
        self._seen: dict[int, _Seen] = {}
        self._in_hand: dict[int, InHand] = {}
        self._wanted: dict[int, None] = {}
        self._asked = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._ask)

    # What it shows

    def show_ids(self, ids: array[int], in_hand: Mapping[int, InHand] | None = None) -> None:
        """Show these rows, below those of files in hand. What stays keeps its place in a selection."""
        self._in_hand = {_IN_HAND - number: file for number, file in (in_hand or {}).items()}
        new = array("q", self._in_hand)
        new.extend(ids)
        if new != self._ids:
            runs = _runs(self._ids, new)
            if runs is None:
                self.beginResetModel()
                self._ids, self._rows = new, None
                self.endResetModel()
            else:
                self._move(runs, new)
        if self._in_hand:
            self._repaint(0, len(self._in_hand) - 1)

    def forget(self) -> None:
        """Any row may have changed: read again what is on screen."""
        for seen in self._seen.values():
            seen.is_stale = True
        if len(self._seen) > 5000:
            self._seen.clear()
        self._repaint(0, len(self._ids) - 1)

    @Slot(object)
    def put_lines(self, asked: Sequence[int], lines: Iterable[PaperTableRow]) -> None:
        """Rows that `lines_requested` asked for; of those asked for, some may be gone."""
        self._asked = False
        found = {line.id: line for line in lines}
        for number in asked:
            if number in found:
                self._seen[number] = _Seen(found[number])
            else:
                self._seen.pop(number, None)
        rows = sorted(row for number in found if (row := self.row_of(number)) is not None)
        if rows:
            self._repaint(rows[0], rows[-1])
        if self._wanted:
            self._soon.start()

    def reading_failed(self) -> None:
        self._asked = False

    def id_of(self, row: int) -> int:
        return self._ids[row]

    def ids(self, rows: Iterable[int]) -> list[int]:
        """Of papers and failed files among the rows, not of what is in hand."""
        return [number for row in rows if (number := self._ids[row]) > _IN_HAND]

    def row_of(self, number: int) -> int | None:
        if self._rows is None:
            self._rows = {number: row for row, number in enumerate(self._ids)}
        return self._rows.get(number)

    def line(self, row: int) -> PaperTableRow | None:
        """What is known of a row by now."""
        seen = self._seen.get(self._ids[row])
        return seen.line if seen else None

    # Qt's questions

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].name
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(COLUMNS[section])
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._ids):
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.cell(index.row(), index.column()).text
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(COLUMNS[index.column()])
            case Qt.ItemDataRole.ToolTipRole:
                return self._tip(self._ids[index.row()], index.column())
        return None

    def cell(self, row: int, column: int) -> Cell:
        """What stands there; nothing while it is being read."""
        number = self._ids[row]
        file = self._in_hand.get(number)
        if file is not None:
            return _in_hand_cell(file, column)
        line = self._known(number)
        if line is None:
            return Cell()
        if column == STATE or (line.code and column != TITLE):
            state = state_of(line)
            text = COLUMNS[column].text(line)
            return Cell(text, state=state, remedy=(line.hint or line.reason) if line.code else "")
        shown = COLUMNS[column]
        return Cell(shown.text(line), shown.is_number, is_muted=not line.title and not line.data_set)

    def _tip(self, number: int, column: int) -> str:
        if (file := self._in_hand.get(number)) is not None:
            return str(file.path).encode("utf-8", "replace").decode()
        line = self._known(number)
        return plain_tip(_tip(line, column)) if line else ""

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        by = COLUMNS[column].sort if 0 <= column < len(COLUMNS) else None
        self.sort_requested.emit(by, by is None or order is Qt.SortOrder.DescendingOrder)

    # Reading

    def _known(self, number: int) -> PaperTableRow | None:
        seen = self._seen.get(number)
        if seen is None or seen.is_stale:
            self._wanted.pop(number, None)
            self._wanted[number] = None
            if not self._asked and not self._soon.isActive():
                self._soon.start()
        return seen.line if seen else None

    @Slot()
    def _ask(self) -> None:
        """What was painted last is what is on screen now; older wishes have scrolled away."""
        if self._asked or not self._wanted:
            return
        wanted = list(self._wanted)[-_TOGETHER:]
        self._wanted.clear()
        self._asked = True
        self.lines_requested.emit(wanted)

    def _move(self, runs: _Runs, new: array[int]) -> None:
        root = QModelIndex()
        for first, last in runs.gone:
            self.beginRemoveRows(root, first, last)
            del self._ids[first : last + 1]
            self._rows = None
            self.endRemoveRows()
        for first, last in runs.come:
            self.beginInsertRows(root, first, last)
            self._ids[first:first] = new[first : last + 1]
            self._rows = None
            self.endInsertRows()

    def _repaint(self, first: int, last: int) -> None:
        if last >= first and self._ids:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(COLUMNS) - 1))


def _alignment(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _in_hand_cell(file: InHand, column: int) -> Cell:
    if column == STATE:
        state = in_hand(file.state)
        return Cell(str(state), state=state)
    return Cell(file.path.name.encode("utf-8", "replace").decode(), is_muted=True) if column == TITLE else Cell()


def _tip(line: PaperTableRow, column: int) -> str:
    if line.code:
        return f"{line.reason}\n{line.hint}".strip()
    if column == TITLE:
        return line.title or line.path
    if column == AUTHORS:
        return ", ".join(line.authors)
    if column == PAIRS and line.pairs:
        return "\n".join(f"{count:,} {label or 'without a label'}" for label, count in line.counts.items())
    if column == PAIRS and not line.mined and not line.data_set:
        return "Not mined yet"
    return ""


def _runs(old: array[int], new: array[int]) -> _Runs | None:
    """None when the rows that stay stand in another order, or too many come and go."""
    first, last = _alike(old, new)
    before, after = old[first : len(old) - last], new[first : len(new) - last]
    if len(before) > _MOST or len(after) > _MOST:
        return None
    was, is_now = set(before), set(after)
    if [number for number in before if number in is_now] != [number for number in after if number in was]:
        return None
    gone = list(together(row for row, number in enumerate(before, start=first) if number not in is_now))
    come = list(together(row for row, number in enumerate(after, start=first) if number not in was))
    if len(gone) + len(come) > _RUNS:
        return None
    return _Runs(gone[::-1], come)


def _alike(one: array[int], other: array[int]) -> tuple[int, int]:
    """How many they have in common from the start, and of the rest from the end; by halves, so that C compares."""
    shorter = min(len(one), len(other))

    def search(most: int, is_alike: Callable[[int], bool]) -> int:
        least = 0
        while least < most:
            middle = (least + most + 1) // 2
            if is_alike(middle):
                least = middle
            else:
                most = middle - 1
        return least

    first = search(shorter, lambda count: one[:count] == other[:count])
    last = search(shorter - first, lambda count: one[len(one) - count :] == other[len(other) - count :])
    return first, last


def together(rows: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Ascending rows as spans: first and last."""
    first = before = None
    for row in rows:
        if before is None or row != before + 1:
            if first is not None and before is not None:
                yield first, before
            first = row
        before = row
    if first is not None and before is not None:
        yield first, before
