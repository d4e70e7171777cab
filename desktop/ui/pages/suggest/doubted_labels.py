"""The card of doubted labels: a table of phrases or domains with the model's doubt and people's answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QModelIndex, QObject, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop.text import count, percent
from desktop.translation import tr
from desktop.ui.pages.suggest.text import doubted_text
from desktop.ui.services.display_names import NO_DOMAIN
from desktop.ui.theme import Theme
from desktop.ui.widgets.buttons import ToggleGroup
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.cell_delegates import INTERVAL_ROLE, Index, IntervalDelegate
from desktop.ui.widgets.sortable_table import SortableTableModel, SortableTableView, TableColumn
from miner.statistics import Interval
from storage.models.suggestion_statistics import GroupDoubt
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from desktop.jobs.models.suggest_state import SuggestState

GroupKind = Literal["phrase", "domain"]
_Z_95 = 1.96  # standard errors on each side of a 95 % interval
_NO_VALUE = "–"
_GROUP_TITLES = {"phrase": tr("Phrase"), "domain": tr("Domain")}
_NUMBER_WIDTH = 64  # unscaled pixels; the bar is behind the number
_MAX_VISIBLE_ROWS = 12


def doubt_interval(group: GroupDoubt) -> Interval:
    """The 95 % interval of the share of wrong labels, by the phrases' precision and the model."""
    return Interval(max(0.0, group.doubt - _Z_95 * group.error), min(1.0, group.doubt + _Z_95 * group.error))


def _disagreement(group: GroupDoubt) -> float:
    """Share of the answered labels that people changed; -1 if none is answered."""
    return (group.answered - group.agreed) / group.answered if group.answered else -1.0


def group_name(kind: GroupKind, group: GroupDoubt) -> str:
    return group.group or (tr("no phrase") if kind == "phrase" else NO_DOMAIN)


def _columns(kind: GroupKind) -> tuple[TableColumn[GroupDoubt], ...]:
    return (
        TableColumn(
            _GROUP_TITLES[kind],
            lambda group: group_name(kind, group),
            lambda group: group.group.casefold(),
            is_left_aligned=True,
        ),
        *_FIGURE_COLUMNS,
    )


_FIGURE_COLUMNS: tuple[TableColumn[GroupDoubt], ...] = (
    TableColumn(
        tr("Pairs"),
        lambda group: f"{group.pairs:,}",
        lambda group: group.pairs,
        tr("Pairs that have a label and a suggestion"),
    ),
    TableColumn(
        tr("Doubt of the model"),
        lambda group: percent(group.doubt),
        lambda group: group.doubt,
        tr("The share of wrong labels, by phrases’ precision and the model; the bar is the 95 % interval"),
        is_left_aligned=True,
    ),
    TableColumn(
        tr("Annotated"),
        lambda group: f"{group.answered:,}",
        lambda group: group.answered,
        tr("Pairs that have a label from annotators"),
    ),
    TableColumn(
        tr("Label changed"),
        lambda group: percent(_disagreement(group)) if group.answered else _NO_VALUE,
        _disagreement,
        tr("Of the annotated pairs, the share to which annotators gave another label"),
    ),
)
DOUBT = 2


class GroupDoubtModel(SortableTableModel[GroupDoubt]):
    """Phrases or domains, the most doubted first unless sorted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_columns("phrase"), DOUBT, parent)
        self.kind: GroupKind = "phrase"

    def row_key(self, row: GroupDoubt) -> str:
        return row.group

    def tie_key(self, row: GroupDoubt) -> tuple[int, str]:
        return -row.pairs, row.group

    def row_tip(self, row: GroupDoubt) -> str:
        return self.note(row)

    def show_groups(self, kind: GroupKind, groups: Sequence[GroupDoubt]) -> None:
        if kind != self.kind:
            self.beginResetModel()
            self.kind, self.columns, self.rows = kind, _columns(kind), []
            self.endResetModel()
        self.show_rows(groups)

    def pair_filter(self, row: int) -> PairFilter:
        """The pairs of a row."""
        names = frozenset((self.rows[row].group,))
        return PairFilter(phrases=names) if self.kind == "phrase" else PairFilter(domains=names)

    def note(self, group: GroupDoubt) -> str:
        """A sentence with all figures of a row."""
        low, high = doubt_interval(group)
        name = group_name(self.kind, group)
        sentence = tr(
            "“{name}”: of {pairs} about {doubt} have a wrong label",
            name=name,
            pairs=count(group.pairs, "pair"),
            doubt=percent(group.doubt),
        )
        sentence += tr(
            " according to the phrases’ precision and the model (95 % interval: {low:.0f} to {high:.0f} %).",
            low=low * 100,
            high=high * 100,
        )
        if not group.answered:
            return tr("{sentence} None of them is annotated yet.", sentence=sentence)
        return tr(
            "{sentence} Annotators confirm {agreed:,} of the {answered:,} labels they checked.",
            sentence=sentence,
            agreed=group.agreed,
            answered=group.answered,
        )

    def tsv(self) -> str:
        """The table as tab-separated text; shares from 0 to 1."""
        titles = [
            _GROUP_TITLES[self.kind],
            tr("Pairs"),
            tr("Mean doubt"),
            tr("Standard error"),
            tr("Annotated"),
            tr("People agree"),
        ]
        lines = [
            (group.group, group.pairs, f"{group.doubt:.4f}", f"{group.error:.4f}", group.answered, group.agreed)
            for group in self.rows
        ]
        return "".join("\t".join(map(str, line)) + "\n" for line in (titles, *lines))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == INTERVAL_ROLE and index.column() == DOUBT:
            group = self.rows[index.row()]
            return group.doubt, doubt_interval(group)
        return super().data(index, role)


class DoubtedLabelsCard(Card):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Which labels does the model doubt?"), parent)
        self.kinds = ToggleGroup(theme, tr("Grouped"), {"phrase": tr("By phrase"), "domain": tr("By domain")})
        self.kinds.key_changed.connect(self._show_groups)
        self.header.addWidget(self.kinds, 0, Qt.AlignmentFlag.AlignTop)
        self.add_button("", "copy", tr("Copy numbers")).clicked.connect(self.copy)
        self.model = GroupDoubtModel(self)
        self.table = SortableTableView(theme, self.model, self.question)
        self.table.setItemDelegateForColumn(DOUBT, IntervalDelegate(theme, _NUMBER_WIDTH, self))
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
        self.table.fit_height(_MAX_VISIBLE_ROWS)
        self._fit_columns()
        labels = sum(group.pairs for group in groups)
        expected_wrong = sum(group.pairs * group.doubt for group in groups)
        if self._state.summary is not None:
            self.summary = doubted_text(self._state, labels, expected_wrong)
        if not groups:
            self.waiting_label.setText(
                tr("The model has learned from all these labels, so it cannot judge whether they are wrong.")
            )
            self.summary = ""
        self.body.setCurrentIndex(1 if groups else 0)
        self._show_note(self.table.currentIndex())

    def _fit_columns(self) -> None:
        """Fit columns to their texts; the doubt, with its bar, gets the remaining width."""
        columns = range(self.model.columnCount())
        widths = [self.table.needed_width(column) for column in columns]
        spare = self.table.viewport().width() - sum(widths) + widths[DOUBT]
        widths[DOUBT] = max(widths[DOUBT], spare)
        for column in columns:
            self.table.setColumnWidth(column, widths[column])

    @Slot(QModelIndex)
    def _show_note(self, current: QModelIndex) -> None:
        self.show_note(self.model.note(self.model.rows[current.row()]) if current.isValid() else "")

    @Slot(QModelIndex)
    def _open_pairs(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.pair_filter(index.row()))
