"""The model of the changes by a bibliography: a row for each value, with a check box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop.jobs.descriptions.references import FIELD_NAMES, value_text
from desktop.translation import tr
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import plain_tip
from miner.references.proposals import Proposal, ProposalKind

_Index = QModelIndex | QPersistentModelIndex


class ReferenceColumn(IntEnum):
    """The columns, from the left; the first has the check box."""

    PAPER = 0
    FIELD = 1
    NOW = 2
    REFERENCE = 3
    WHY = 4


_HEADERS = {
    ReferenceColumn.PAPER: (
        tr("Paper"),
        tr("Tick the values to take from the reference; Space ticks the selected rows"),
    ),
    ReferenceColumn.FIELD: (tr("Field"), ""),
    ReferenceColumn.NOW: (tr("Now"), tr("The paper's value")),
    ReferenceColumn.REFERENCE: (tr("Reference"), tr("The value in the bibliography")),
    ReferenceColumn.WHY: (tr("Why"), tr("State of the paper's value: empty, uncertain, different, or set by hand")),
}
_WHY = {
    ProposalKind.CONFLICT: tr("different"),
    ProposalKind.FILL: tr("unsure"),
    ProposalKind.CONFIRM: tr("uncertain, the same"),
}


class ReferencesModel(QAbstractTableModel):
    """Rows of proposals, conflicts first.

    At first only values for empty or uncertain fields are ticked, no conflicts.
    """

    choice_changed = Signal()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._proposals: Sequence[Proposal] = ()
        self._titles: Mapping[str, str] = {}
        self._taken: list[bool] = []

    def show_proposals(self, proposals: Sequence[Proposal], titles: Mapping[str, str]) -> None:
        self.beginResetModel()
        self._proposals, self._titles = proposals, titles
        self._taken = [one.kind is not ProposalKind.CONFLICT for one in proposals]
        self.endResetModel()
        self.choice_changed.emit()

    def taken(self) -> list[Proposal]:
        """The proposals that are ticked."""
        return [one for one, is_taken in zip(self._proposals, self._taken, strict=True) if is_taken]

    def take(self, rows: Sequence[int], *, is_taken: bool) -> None:
        """Tick these rows, or untick them."""
        if rows:
            for row in rows:
                self._taken[row] = is_taken
            first, last = self.index(min(rows), 0), self.index(max(rows), len(ReferenceColumn) - 1)
            self.dataChanged.emit(first, last)
            self.choice_changed.emit()

    def conflict_rows(self) -> range:
        """The rows of conflicts, which come first."""
        return range(sum(one.kind is ProposalKind.CONFLICT for one in self._proposals))

    def is_taken(self, row: int) -> bool:
        return self._taken[row]

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._proposals)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(ReferenceColumn)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # of whatever type the role has
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(ReferenceColumn):
            return None
        title, tip = _HEADERS[ReferenceColumn(section)]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return title
            case Qt.ItemDataRole.ToolTipRole:
                return tip
            case Qt.ItemDataRole.TextAlignmentRole:
                return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # of whatever type the role has
        if not index.isValid() or index.row() >= len(self._proposals):
            return None
        row, column = index.row(), ReferenceColumn(index.column())
        one = self._proposals[row]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(one, column)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._text(one, column))
            case Qt.ItemDataRole.CheckStateRole if column is ReferenceColumn.PAPER:
                return Qt.CheckState.Checked if self._taken[row] else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.ForegroundRole:
                return self._color(row, column)
            case Qt.ItemDataRole.AccessibleTextRole if column is ReferenceColumn.PAPER:
                return f"{self._text(one, column)}, {'taken' if self._taken[row] else 'not taken'}"
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or role != Qt.ItemDataRole.CheckStateRole or index.column() != ReferenceColumn.PAPER:
            return False
        self.take([index.row()], is_taken=Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == ReferenceColumn.PAPER else flags

    def _text(self, one: Proposal, column: ReferenceColumn) -> str:
        match column:
            case ReferenceColumn.PAPER:
                return self._titles[one.md5]
            case ReferenceColumn.FIELD:
                return FIELD_NAMES[one.field]
            case ReferenceColumn.NOW:
                return value_text(one.now) or "–"
            case ReferenceColumn.REFERENCE:
                return value_text(one.new)
            case ReferenceColumn.WHY:
                return tr("set by hand") if one.by_hand else "empty" if not one.now else _WHY[one.kind]

    def _color(self, row: int, column: ReferenceColumn) -> Any:  # a QColor, or None for the usual one
        """The colour of a value; a value that the paper will not have is muted."""
        one = self._proposals[row]
        if column is ReferenceColumn.WHY:
            return self._theme.color("warning" if one.kind is ProposalKind.CONFLICT else "muted")
        loses = ReferenceColumn.NOW if self._taken[row] and one.now != one.new else None
        loses = ReferenceColumn.REFERENCE if not self._taken[row] else loses
        return self._theme.color("muted") if column is loses else None
