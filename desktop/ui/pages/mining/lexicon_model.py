"""The lexicon as a table: what each phrase announces, whether it is on, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop.jobs.mining.preview import SettingsEffect
from desktop.jobs.pairs.statistics import PhraseFigures
from desktop.text import count
from desktop.ui.pages.mining.words import conflict_text
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.labels import plain_tip
from miner.mining.linking_phrases import EXTENDED, SCINLI, Phrase, phrase_key
from miner.mining.phrase_conflicts import BLOCKING_PROBLEMS, PhraseConflict, PhraseProblem, find_conflicts
from miner.records import Label
from miner.statistics import wilson

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_NOTHING = "–"
SORT = Qt.ItemDataRole.UserRole
_BUILT_IN = {
    **{phrase_key(phrase.text): "SciNLI" for phrase in SCINLI},
    **{phrase_key(phrase.text): "extended" for phrase in EXTENDED},
}


class Column(IntEnum):
    PHRASE = 0
    RELATION = 1
    ORIGIN = 2
    PAIRS = 3
    PRECISION = 4


_HEADERS = {
    Column.PHRASE: ("Phrase", "Ticked: pairs are mined by it"),
    Column.RELATION: ("Relation", "What the phrase announces"),
    Column.PAIRS: ("Pairs", "Pairs of the project mined by it"),
    Column.PRECISION: ("Agree", "How many of the answered pairs have the relation it announces, by people"),
    Column.ORIGIN: ("Origin", "SciNLI's lexicon, the extended one, or your own"),
}


class PhraseModel(QAbstractTableModel):
    edited = Signal()  # by a person

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._phrases: list[Phrase] = []
        self._figures: Mapping[str, PhraseFigures] = {}
        self._effect: SettingsEffect | None = None
        self._conflicts: dict[int, list[PhraseConflict]] = {}
        self.editable = True

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        return tuple(self._phrases)

    def show_phrases(self, phrases: Sequence[Phrase]) -> None:
        self.beginResetModel()
        self._phrases = list(phrases)
        self._look_for_conflicts()
        self.endResetModel()

    def show_figures(self, figures: Mapping[str, PhraseFigures]) -> None:
        self._figures = figures
        self._repaint()

    def show_effect(self, effect: SettingsEffect | None) -> None:
        """What the sample says of the phrases."""
        self._effect = effect
        self._look_for_conflicts()
        self._repaint()

    def set_editable(self, editable: bool) -> None:
        self.beginResetModel()
        self.editable = editable
        self.endResetModel()

    def add(self, phrase: Phrase) -> int:
        """Append it; its row."""
        row = len(self._phrases)
        self.beginInsertRows(_ROOT, row, row)
        self._phrases.append(phrase)
        self._look_for_conflicts()
        self.endInsertRows()
        self._on_edited()
        return row

    def remove(self, rows: Sequence[int]) -> None:
        for row in sorted(set(rows), reverse=True):
            self.beginRemoveRows(_ROOT, row, row)
            del self._phrases[row]
            self._look_for_conflicts()
            self.endRemoveRows()
        self._on_edited()

    def switch(self, rows: Sequence[int], on: bool) -> None:
        for row in rows:
            self._phrases[row] = replace(self._phrases[row], on=on)
        self._on_edited()

    def conflicts(self, row: int) -> list[str]:
        """What is wrong with a phrase, in sentences."""
        return [
            conflict_text(conflict, self._phrases, self._effect)
            for conflict in self._conflicts.get(row, [])
            if conflict.problem is not PhraseProblem.NO_MATCH or self.origin(row) == "own"
        ]

    @property
    def problem(self) -> str:
        """Why the lexicon cannot be used; "" when it can."""
        for row, conflicts in sorted(self._conflicts.items()):
            for conflict in conflicts:
                if conflict.problem in BLOCKING_PROBLEMS:
                    return f"“{self._phrases[row].text}”: {conflict_text(conflict, self._phrases, self._effect)}"
        return ""

    def origin(self, row: int) -> str:
        return _BUILT_IN.get(phrase_key(self._phrases[row].text), "own")

    # Qt's side

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._phrases)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid() or not self.editable:
            return flags
        if index.column() == Column.PHRASE:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        if index.column() in (Column.PHRASE, Column.RELATION):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # of whatever type the role has
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        title, tip = _HEADERS[Column(section)]
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(Column(section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # of whatever type the role has
        if not index.isValid() or index.row() >= len(self._phrases):
            return None
        row, column = index.row(), Column(index.column())
        phrase = self._phrases[row]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(row, column)
            case Qt.ItemDataRole.EditRole:
                return phrase.label.value if column is Column.RELATION else self._text(row, column)
            case Qt.ItemDataRole.CheckStateRole if column is Column.PHRASE:
                return Qt.CheckState.Checked if phrase.on else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(column)
            case Qt.ItemDataRole.ForegroundRole:
                return self._color(row, column)
            case Qt.ItemDataRole.DecorationRole if column is Column.PHRASE and self.conflicts(row):
                barred = any(conflict.problem in BLOCKING_PROBLEMS for conflict in self._conflicts[row])
                return (
                    self._theme.icon("circle-alert", "bad") if barred else self._theme.icon("triangle-alert", "warning")
                )
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._tip(row, column) or "")
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row, column)
            case _ if role == SORT:
                return self._sort_key(row, column)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or not self.editable:
            return False
        row, column = index.row(), Column(index.column())
        phrase = self._phrases[row]
        if role == Qt.ItemDataRole.CheckStateRole and column is Column.PHRASE:
            changed = replace(phrase, on=Qt.CheckState(value) == Qt.CheckState.Checked)
        elif role == Qt.ItemDataRole.EditRole and column is Column.PHRASE:
            changed = replace(phrase, text=" ".join(str(value).split()))
        elif role == Qt.ItemDataRole.EditRole and column is Column.RELATION and value in set(Label) - {Label.NEUTRAL}:
            changed = replace(phrase, label=Label(value))
        else:
            return False
        if changed != phrase:
            self._phrases[row] = changed
            self._on_edited()
        return True

    def _on_edited(self) -> None:
        self._look_for_conflicts()
        self._repaint()
        self.edited.emit()

    def _repaint(self) -> None:
        if self._phrases:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._phrases) - 1, len(Column) - 1))

    def _look_for_conflicts(self) -> None:
        effect = self._effect
        found = (
            find_conflicts(self._phrases, effect.phrase_starts, effect.sentences)
            if effect
            else find_conflicts(self._phrases)
        )
        self._conflicts = {}
        for conflict in found:
            self._conflicts.setdefault(conflict.phrase, []).append(conflict)

    def _figures_of(self, row: int) -> PhraseFigures:
        return self._figures.get(phrase_key(self._phrases[row].text), PhraseFigures())

    def _text(self, row: int, column: Column) -> str:
        phrase, figures = self._phrases[row], self._figures_of(row)
        match column:
            case Column.PHRASE:
                return phrase.text
            case Column.RELATION:
                return f"{LETTERS[phrase.label]}  {phrase.label}"
            case Column.PAIRS:
                return f"{figures.pairs:,}" if figures.pairs else _NOTHING
            case Column.PRECISION:
                return f"{100 * figures.agreed / figures.answered:.0f} %" if figures.answered else _NOTHING
            case Column.ORIGIN:
                return self.origin(row)

    def _sort_key(self, row: int, column: Column) -> Any:  # str or number
        figures = self._figures_of(row)
        if column is Column.PAIRS:
            return figures.pairs
        if column is Column.PRECISION:
            return figures.agreed / figures.answered if figures.answered else -1.0
        return self._text(row, column).casefold()

    def _tip(self, row: int, column: Column) -> str | None:
        if column is Column.PRECISION and (figures := self._figures_of(row)).answered:
            low, high = wilson(figures.agreed, figures.answered)
            said = f"People agree with {figures.agreed:,} of {count(figures.answered, 'answered pair')}"
            return f"{said}; for all its pairs that is likely {100 * low:.0f} to {100 * high:.0f} %."
        return "\n".join(self.conflicts(row)) or None

    def _spoken(self, row: int, column: Column) -> str:
        text = self._text(row, column)
        if column is Column.PHRASE:
            return " ".join([text, "on" if self._phrases[row].on else "off", *self.conflicts(row)])
        return f"{_HEADERS[column][0]} {text}"

    def _color(self, row: int, column: Column) -> Any:  # QColor or None
        phrase = self._phrases[row]
        if not phrase.on or column is Column.ORIGIN:
            return self._theme.color("muted")
        return self._theme.label_text_color(phrase.label) if column is Column.RELATION else None

    def _alignment(self, column: Column) -> Qt.AlignmentFlag:
        right = column in (Column.PAIRS, Column.PRECISION)
        return Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)
