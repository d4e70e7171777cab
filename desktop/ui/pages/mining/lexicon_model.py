"""The table model of the lexicon: phrases, their relation and origin, and the pairs mined by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop.jobs.descriptions.mining import reading_text
from desktop.jobs.mining.lexicon_figures import PhraseFigures
from desktop.jobs.mining.preview import SettingsEffect
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.mining.text import conflict_text
from desktop.ui.theme import LETTERS, Theme
from desktop.ui.widgets.labels import plain_tip
from miner.mining.linking_phrases import EXTENDED, SCINLI, Phrase, phrase_key
from miner.mining.phrase_conflicts import BLOCKING_PROBLEMS, PhraseConflict, PhraseProblem, find_conflicts
from miner.mining.phrase_precision import reading_of
from miner.records import Label
from miner.statistics import wilson

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_NO_VALUE = "–"
SORT_ROLE = Qt.ItemDataRole.UserRole
_ORIGINS = {
    **{phrase_key(phrase.text): "SciNLI" for phrase in SCINLI},
    **{phrase_key(phrase.text): "extended" for phrase in EXTENDED},
}
_ORIGIN_ORDER = ("SciNLI", "extended", "own")


class LexiconColumn(IntEnum):
    PHRASE = 0
    RELATION = 1
    ORIGIN = 2
    PAIRS = 3
    AGREEMENT = 4
    READ = 5


_HEADERS = {
    LexiconColumn.PHRASE: (tr("Phrase"), tr("Pairs are mined with the phrases that are ticked")),
    LexiconColumn.RELATION: (tr("Relation"), tr("The relation that the phrase stands for")),
    LexiconColumn.PAIRS: (tr("Pairs"), tr("Pairs of the project that were mined with this phrase")),
    LexiconColumn.AGREEMENT: (
        tr("Agree"),
        tr(
            "Of the pairs that people answered, without ties and “unclear” (which the page Precision counts as wrong), "
            "the share with the relation of the phrase"
        ),
    ),
    LexiconColumn.READ: (
        tr("Right"),
        tr("How many pairs of this phrase are right, of those that were read by hand from papers of ten domains"),
    ),
    LexiconColumn.ORIGIN: (
        tr("Origin"),
        tr("Where the phrase comes from: SciNLI's lexicon, the extended lexicon, or your own"),
    ),
}


class LexiconModel(QAbstractTableModel):
    edited = Signal()

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
        self._find_conflicts()
        self.endResetModel()

    def show_figures(self, figures: Mapping[str, PhraseFigures]) -> None:
        self._figures = figures
        self._emit_all_changed()

    def show_effect(self, effect: SettingsEffect | None) -> None:
        """Use the sentences of a sample to find phrases that are too common or never occur."""
        self._effect = effect
        self._find_conflicts()
        self._emit_all_changed()

    def set_editable(self, editable: bool) -> None:
        self.beginResetModel()
        self.editable = editable
        self.endResetModel()

    def add(self, phrase: Phrase) -> int:
        """Append a phrase, and return its row."""
        row = len(self._phrases)
        self.beginInsertRows(_ROOT, row, row)
        self._phrases.append(phrase)
        self._find_conflicts()
        self.endInsertRows()
        self._on_edited()
        return row

    def remove(self, rows: Sequence[int]) -> None:
        for row in sorted(set(rows), reverse=True):
            self.beginRemoveRows(_ROOT, row, row)
            del self._phrases[row]
            self._find_conflicts()
            self.endRemoveRows()
        self._on_edited()

    def set_on(self, rows: Sequence[int], on: bool) -> None:
        for row in rows:
            self._phrases[row] = replace(self._phrases[row], on=on)
        self._on_edited()

    def conflicts(self, row: int) -> list[str]:
        """Sentences about the conflicts of a phrase."""
        return [
            conflict_text(conflict, self._phrases, self._effect)
            for conflict in self._conflicts.get(row, [])
            if conflict.problem is not PhraseProblem.NO_MATCH or self.origin(row) == "own"
        ]

    @property
    def problem(self) -> str:
        """Why the lexicon cannot be used; "" if it can."""
        for row, conflicts in sorted(self._conflicts.items()):
            for conflict in conflicts:
                if conflict.problem in BLOCKING_PROBLEMS:
                    return f"“{self._phrases[row].text}”: {conflict_text(conflict, self._phrases, self._effect)}"
        return ""

    def origin(self, row: int) -> str:
        """The origin of a phrase: "SciNLI", "extended" or "own"."""
        return _ORIGINS.get(phrase_key(self._phrases[row].text), "own")

    # QAbstractTableModel

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._phrases)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(LexiconColumn)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid() or not self.editable:
            return flags
        if index.column() == LexiconColumn.PHRASE:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        if index.column() in (LexiconColumn.PHRASE, LexiconColumn.RELATION):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # of whatever type the role has
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(LexiconColumn):
            return None
        title, tip = _HEADERS[LexiconColumn(section)]
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(LexiconColumn(section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # of whatever type the role has
        if not index.isValid() or index.row() >= len(self._phrases):
            return None
        row, column = index.row(), LexiconColumn(index.column())
        phrase = self._phrases[row]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(row, column)
            case Qt.ItemDataRole.EditRole:
                return phrase.label.value if column is LexiconColumn.RELATION else self._text(row, column)
            case Qt.ItemDataRole.CheckStateRole if column is LexiconColumn.PHRASE:
                return Qt.CheckState.Checked if phrase.on else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(column)
            case Qt.ItemDataRole.ForegroundRole:
                return self._color(row, column)
            case Qt.ItemDataRole.DecorationRole if column is LexiconColumn.PHRASE and self.conflicts(row):
                is_error = any(conflict.problem in BLOCKING_PROBLEMS for conflict in self._conflicts[row])
                return (
                    self._theme.icon("circle-alert", "bad")
                    if is_error
                    else self._theme.icon("triangle-alert", "warning")
                )
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._tooltip(row, column) or "")
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._accessible_text(row, column)
            case _ if role == SORT_ROLE:
                return self._sort_key(row, column)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or not self.editable:
            return False
        row, column = index.row(), LexiconColumn(index.column())
        phrase = self._phrases[row]
        if role == Qt.ItemDataRole.CheckStateRole and column is LexiconColumn.PHRASE:
            changed = replace(phrase, on=Qt.CheckState(value) == Qt.CheckState.Checked)
        elif role == Qt.ItemDataRole.EditRole and column is LexiconColumn.PHRASE:
            changed = replace(phrase, text=" ".join(str(value).split()))
        elif (
            role == Qt.ItemDataRole.EditRole
            and column is LexiconColumn.RELATION
            and value in set(Label) - {Label.NEUTRAL}
        ):
            changed = replace(phrase, label=Label(value))
        else:
            return False
        if changed != phrase:
            self._phrases[row] = changed
            self._on_edited()
        return True

    def _on_edited(self) -> None:
        self._find_conflicts()
        self._emit_all_changed()
        self.edited.emit()

    def _emit_all_changed(self) -> None:
        if self._phrases:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._phrases) - 1, len(LexiconColumn) - 1))

    def _find_conflicts(self) -> None:
        effect = self._effect
        conflicts = (
            find_conflicts(self._phrases, effect.phrase_starts, effect.sentences)
            if effect
            else find_conflicts(self._phrases)
        )
        self._conflicts = {}
        for conflict in conflicts:
            self._conflicts.setdefault(conflict.phrase, []).append(conflict)

    def _figures_of(self, row: int) -> PhraseFigures:
        return self._figures.get(phrase_key(self._phrases[row].text), PhraseFigures())

    def _text(self, row: int, column: LexiconColumn) -> str:
        phrase, figures = self._phrases[row], self._figures_of(row)
        match column:
            case LexiconColumn.PHRASE:
                return phrase.text
            case LexiconColumn.RELATION:
                return f"{LETTERS[phrase.label]}  {phrase.label}"
            case LexiconColumn.PAIRS:
                return f"{figures.pairs:,}" if figures.pairs else _NO_VALUE
            case LexiconColumn.AGREEMENT:
                return f"{100 * figures.agreed / figures.answered:.0f} %" if figures.answered else _NO_VALUE
            case LexiconColumn.READ:
                reading = reading_of(phrase)
                return tr("{right} of {read}", right=reading.right, read=reading.read) if reading else _NO_VALUE
            case LexiconColumn.ORIGIN:
                return self.origin(row)

    def _sort_key(self, row: int, column: LexiconColumn) -> Any:  # str or number
        figures = self._figures_of(row)
        if column is LexiconColumn.PAIRS:
            return figures.pairs
        if column is LexiconColumn.AGREEMENT:
            return figures.agreed / figures.answered if figures.answered else -1.0
        if column is LexiconColumn.READ:
            return self._reliability(row)
        if column is LexiconColumn.ORIGIN:
            return self._origin_key(row)
        return self._text(row, column).casefold()

    def _reliability(self, row: int) -> float:
        """The share of right pairs that the phrase has at least; -1.0 if none was read."""
        reading = reading_of(self._phrases[row])
        return reading.interval.low if reading else -1.0

    def _origin_key(self, row: int) -> str:
        """Sorts by origin; phrases of the extended lexicon with the most reliable first, the others as listed."""
        origin = self.origin(row)
        doubt = 1 - self._reliability(row) if origin == "extended" else 0.0
        return f"{_ORIGIN_ORDER.index(origin)} {doubt:.4f} {row:05}"

    def _tooltip(self, row: int, column: LexiconColumn) -> str | None:
        if column is LexiconColumn.AGREEMENT and (figures := self._figures_of(row)).answered:
            low, high = wilson(figures.agreed, figures.answered)
            agreement = tr(
                "People agree with {agreed:,} of {pairs}",
                agreed=figures.agreed,
                pairs=count(figures.answered, "pair with a majority", "pairs with a majority"),
            )
            return tr(
                "{agreement}; the 95 % interval for all its pairs is {low:.0f} to {high:.0f} %.",
                agreement=agreement,
                low=100 * low,
                high=100 * high,
            )
        if column is LexiconColumn.READ and (reading := reading_of(self._phrases[row])):
            return reading_text(self._phrases[row].label, reading)
        if column is LexiconColumn.PAIRS and self._effect is not None and not self._phrases[row].on:
            spare = self._effect.spare_pairs.get(phrase_key(self._phrases[row].text), 0)
            if self._phrases[row].extended:
                return tr("It is switched off. In the sample it would add {pairs}.", pairs=count(spare, "pair"))
        return "\n".join(self.conflicts(row)) or None

    def _accessible_text(self, row: int, column: LexiconColumn) -> str:
        text = self._text(row, column)
        if column is LexiconColumn.PHRASE:
            return " ".join([text, "on" if self._phrases[row].on else "off", *self.conflicts(row)])
        return f"{_HEADERS[column][0]} {text}"

    def _color(self, row: int, column: LexiconColumn) -> Any:  # QColor or None
        phrase = self._phrases[row]
        if not phrase.on or column is LexiconColumn.ORIGIN:
            return self._theme.color("muted")
        return self._theme.label_text_color(phrase.label) if column is LexiconColumn.RELATION else None

    def _alignment(self, column: LexiconColumn) -> Qt.AlignmentFlag:
        right = column in (LexiconColumn.PAIRS, LexiconColumn.AGREEMENT, LexiconColumn.READ)
        return Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)
