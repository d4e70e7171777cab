"""The model of the table of papers: ids in order, and lines that are read in the background when they are painted."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal, Slot

from desktop.jobs.papers.edits import FIELD_NAMES
from desktop.text import listed
from desktop.translation import tr
from desktop.ui.pages.papers.text import PaperState, display_title, import_state, paper_state, short_authors
from desktop.ui.widgets.labels import plain_tip
from miner.parsing.language import ENGLISH, language_name
from storage.papers.table import PaperTableColumn, PaperTableRow

_Index = QModelIndex | QPersistentModelIndex
_BATCH_SIZE = 96  # rows read at a time: more than fit on a screen
_MAX_COMPARED_ROWS = 20_000  # beyond that, a change of the rows resets the model
_MAX_CHANGED_SPANS = 400  # beyond that too
_MAX_STALE_ROWS = 5_000
_IMPORTING_ID = -(10**15)  # lower ids are those of files being imported


class ImportingFile(NamedTuple):
    """A file that is being imported; `state` as in `import_session.FileProgress`, "" while it waits."""

    path: Path
    state: str


class PaperCell(NamedTuple):
    """The contents of a cell: the state if there is one, else the text.

    remedy: what to do about a failed file, painted across all columns right of the title.
    """

    text: str = ""
    is_number: bool = False
    is_muted: bool = False
    state: PaperState | None = None
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class PaperColumnDefinition:
    """A column of the table. text: the text of a line's cell. sort: the order for a click on the header.

    tip: what is shown while the mouse is on a cell. is_default: shown at first. needs_width: of the table, in px at
    100 %: while the table is narrower, the column is hidden.
    """

    key: str
    name: str
    width: int
    sort: PaperTableColumn | None
    text: Callable[[PaperTableRow], str]
    _: KW_ONLY
    tip: Callable[[PaperTableRow], str] = lambda line: ""
    is_number: bool = False
    is_default: bool = True
    needs_width: int = 0


def _pairs(line: PaperTableRow) -> str:
    if line.code or (not line.mined and not line.pairs):
        return "–"
    return f"{line.pairs:,}"


def _file_name(line: PaperTableRow) -> str:
    return Path(line.path).name.encode("utf-8", "replace").decode()


def _pairs_tip(line: PaperTableRow) -> str:
    if line.pairs:
        return "\n".join(f"{count:,} {label or 'without a label'}" for label, count in line.counts.items())
    return "" if line.mined or line.data_set else tr("Not mined yet")


def _state_tip(line: PaperTableRow) -> str:
    if line.to_check:
        return tr("To be checked: {to_check}", to_check=listed([FIELD_NAMES.get(name, name) for name in line.to_check]))
    if line.language not in ("", ENGLISH):
        return tr("It is in {language_name}: nothing is mined from it.", language_name=language_name(line.language))
    return ""


COLUMNS = (
    PaperColumnDefinition(
        "title", tr("Title"), 300, PaperTableColumn.TITLE, display_title, tip=lambda line: line.title or line.path
    ),
    PaperColumnDefinition(
        "authors",
        tr("Authors"),
        112,
        None,
        lambda line: short_authors(line.authors),
        tip=lambda line: ", ".join(line.authors),
        needs_width=760,
    ),
    PaperColumnDefinition(
        "year",
        tr("Year"),
        52,
        PaperTableColumn.YEAR,
        lambda line: str(line.year or ""),
        is_number=True,
        needs_width=360,
    ),
    PaperColumnDefinition(
        "domain", tr("Domain"), 144, PaperTableColumn.DOMAIN, lambda line: line.domain, needs_width=480
    ),
    PaperColumnDefinition("pairs", tr("Pairs"), 56, PaperTableColumn.PAIRS, _pairs, tip=_pairs_tip, is_number=True),
    PaperColumnDefinition(
        "state", tr("State"), 100, PaperTableColumn.STATE, lambda line: str(paper_state(line)), tip=_state_tip
    ),
    PaperColumnDefinition("journal", tr("Journal"), 144, None, lambda line: line.journal, is_default=False),
    PaperColumnDefinition("doi", "DOI", 144, None, lambda line: line.doi or "", is_default=False),
    PaperColumnDefinition("licence", tr("Licence"), 96, None, lambda line: line.licence, is_default=False),
    PaperColumnDefinition("file", tr("File"), 200, None, _file_name, is_default=False),
)
_KEYS = [column.key for column in COLUMNS]
TITLE, YEAR, DOMAIN, PAIRS, STATE = map(_KEYS.index, ("title", "year", "domain", "pairs", "state"))


@dataclass(slots=True)
class _CachedLine:
    """A line as it was read last. is_stale: it may have changed, and is shown until it is read again."""

    line: PaperTableRow
    is_stale: bool = False


@dataclass(slots=True)
class _RowChanges:
    """How one list of ids becomes another: spans of rows (first, last) to remove, then to insert.

    Removals are ordered from the bottom up, insertions from the top down.
    """

    removed: list[tuple[int, int]] = field(default_factory=list)
    inserted: list[tuple[int, int]] = field(default_factory=list)


class PaperTableModel(QAbstractTableModel):
    """The rows; ids above 0 are papers, ids below 0 are failed files and files being imported."""

    lines_requested = Signal(object)  # list[int]: ids of rows that were painted and are not up to date
    sort_requested = Signal(object, bool)  # PaperTableColumn, or None for the default order; whether it is descending

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids: array[int] = array("q")
        self._rows: dict[int, int] | None = None
        self._cache: dict[int, _CachedLine] = {}
        self._importing_files: dict[int, ImportingFile] = {}
        self._queue: dict[int, None] = {}
        self._is_waiting = False
        self._request_timer = QTimer(self, singleShot=True, interval=0)
        self._request_timer.timeout.connect(self._request_lines)

    def show_ids(self, ids: array[int], importing_files: Mapping[int, ImportingFile] | None = None) -> None:
        """Show these rows below those of the files being imported. Rows that stay keep their selection."""
        self._importing_files = {_IMPORTING_ID - number: file for number, file in (importing_files or {}).items()}
        new = array("q", self._importing_files)
        new.extend(ids)
        if new != self._ids:
            changes = _row_changes(self._ids, new)
            if changes is None:
                self.beginResetModel()
                self._ids, self._rows = new, None
                self.endResetModel()
            else:
                self._apply(changes, new)
        if self._importing_files:
            self._repaint(0, len(self._importing_files) - 1)

    def invalidate(self) -> None:
        """Read the rows on screen again, since any may have changed."""
        for cached in self._cache.values():
            cached.is_stale = True
        if len(self._cache) > _MAX_STALE_ROWS:
            self._cache.clear()
        self._repaint(0, len(self._ids) - 1)

    @Slot(object)
    def put_lines(self, requested_ids: Sequence[int], lines: Iterable[PaperTableRow]) -> None:
        """Take the lines requested by `lines_requested`, without lines that no longer exist."""
        self._is_waiting = False
        by_id = {line.id: line for line in lines}
        for number in requested_ids:
            if number in by_id:
                self._cache[number] = _CachedLine(by_id[number])
            else:
                self._cache.pop(number, None)
        rows = sorted(row for number in by_id if (row := self.row_of(number)) is not None)
        if rows:
            self._repaint(rows[0], rows[-1])
        if self._queue:
            self._request_timer.start()

    def cancel_request(self) -> None:
        """Forget the last request, which failed; its rows are requested again when they are painted again."""
        self._is_waiting = False

    def id_of(self, row: int) -> int:
        return self._ids[row]

    def ids(self, rows: Iterable[int]) -> list[int]:
        """The ids of the papers and failed files among the rows; files being imported are left out."""
        return [number for row in rows if (number := self._ids[row]) > _IMPORTING_ID]

    def row_of(self, number: int) -> int | None:
        if self._rows is None:
            self._rows = {number: row for row, number in enumerate(self._ids)}
        return self._rows.get(number)

    def line(self, row: int) -> PaperTableRow | None:
        """The line of a row; None when it has not been read yet."""
        cached = self._cache.get(self._ids[row])
        return cached.line if cached else None

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self._ids)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.NoItemFlags

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

    def cell(self, row: int, column: int) -> PaperCell:
        """The contents of a cell; empty while its line is being read."""
        number = self._ids[row]
        file = self._importing_files.get(number)
        if file is not None:
            return _importing_cell(file, column)
        line = self._cached_line(number)
        if line is None:
            return PaperCell()
        if column == STATE or (line.code and column != TITLE):
            state = paper_state(line)
            text = COLUMNS[column].text(line)
            return PaperCell(text, state=state, remedy=(line.hint or line.reason) if line.code else "")
        definition = COLUMNS[column]
        return PaperCell(definition.text(line), definition.is_number, is_muted=not line.title and not line.data_set)

    def _tip(self, number: int, column: int) -> str:
        if (file := self._importing_files.get(number)) is not None:
            return str(file.path).encode("utf-8", "replace").decode()
        line = self._cached_line(number)
        if line is None:
            return ""
        return plain_tip(f"{line.reason}\n{line.hint}".strip() if line.code else COLUMNS[column].tip(line))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        sort = COLUMNS[column].sort if 0 <= column < len(COLUMNS) else None
        self.sort_requested.emit(sort, sort is None or order is Qt.SortOrder.DescendingOrder)

    def _cached_line(self, number: int) -> PaperTableRow | None:
        """The line of an id as it was read last; if it is missing or stale, it is requested."""
        cached = self._cache.get(number)
        if cached is None or cached.is_stale:
            self._queue.pop(number, None)
            self._queue[number] = None
            if not self._is_waiting and not self._request_timer.isActive():
                self._request_timer.start()
        return cached.line if cached else None

    @Slot()
    def _request_lines(self) -> None:
        """Request the lines that were painted last, since they are on screen; earlier ones were scrolled away."""
        if self._is_waiting or not self._queue:
            return
        ids = list(self._queue)[-_BATCH_SIZE:]
        self._queue.clear()
        self._is_waiting = True
        self.lines_requested.emit(ids)

    def _apply(self, changes: _RowChanges, new: array[int]) -> None:
        root = QModelIndex()
        for first, last in changes.removed:
            self.beginRemoveRows(root, first, last)
            del self._ids[first : last + 1]
            self._rows = None
            self.endRemoveRows()
        for first, last in changes.inserted:
            self.beginInsertRows(root, first, last)
            self._ids[first:first] = new[first : last + 1]
            self._rows = None
            self.endInsertRows()

    def _repaint(self, first: int, last: int) -> None:
        if last >= first and self._ids:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(COLUMNS) - 1))


def _alignment(column: PaperColumnDefinition) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _importing_cell(file: ImportingFile, column: int) -> PaperCell:
    if column == STATE:
        state = import_state(file.state)
        return PaperCell(str(state), state=state)
    return (
        PaperCell(file.path.name.encode("utf-8", "replace").decode(), is_muted=True) if column == TITLE else PaperCell()
    )


def _row_changes(old: array[int], new: array[int]) -> _RowChanges | None:
    """How `old` becomes `new`; None when the ids in both are in another order, or when there are too many changes."""
    first, last = _common_ends(old, new)
    before, after = old[first : len(old) - last], new[first : len(new) - last]
    if len(before) > _MAX_COMPARED_ROWS or len(after) > _MAX_COMPARED_ROWS:
        return None
    old_ids, new_ids = set(before), set(after)
    if [number for number in before if number in new_ids] != [number for number in after if number in old_ids]:
        return None
    removed = list(row_spans(row for row, number in enumerate(before, start=first) if number not in new_ids))
    inserted = list(row_spans(row for row, number in enumerate(after, start=first) if number not in old_ids))
    if len(removed) + len(inserted) > _MAX_CHANGED_SPANS:
        return None
    return _RowChanges(removed[::-1], inserted)


def _common_ends(one: array[int], other: array[int]) -> tuple[int, int]:
    """The length of the common prefix, and of the common suffix of the rest.

    It bisects: comparing two slices is much faster than comparing their items in a loop.
    """
    shorter = min(len(one), len(other))

    def search(high: int, is_equal: Callable[[int], bool]) -> int:
        low = 0
        while low < high:
            middle = (low + high + 1) // 2
            if is_equal(middle):
                low = middle
            else:
                high = middle - 1
        return low

    first = search(shorter, lambda count: one[:count] == other[:count])
    last = search(shorter - first, lambda count: one[len(one) - count :] == other[len(other) - count :])
    return first, last


def row_spans(rows: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Ascending row numbers as spans (first, last).

    >>> list(row_spans([1, 2, 3, 7]))
    [(1, 3), (7, 7)]
    """
    first = before = None
    for row in rows:
        if before is None or row != before + 1:
            if first is not None and before is not None:
                yield first, before
            first = row
        before = row
    if first is not None and before is not None:
        yield first, before
