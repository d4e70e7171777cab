"""The merged answer files, and their conflicts, each of which leads to its pair."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from desktop.jobs.descriptions.review import answer_text, conflict_text
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.annotate.page_section import TableSection, open_dialog
from desktop.ui.theme import Theme
from desktop.ui.widgets.labels import PlainLabel
from desktop.ui.widgets.sortable_table import SortableTableModel, SortableTableView, TableColumn
from miner.kinds.questionnaire import PairKinds
from storage.annotation.merge_ledger import MergedAnswers
from storage.annotation.merging import MergeConflict, TimedAnswer

_MAX_ROWS = 5  # before the table scrolls


class MergesSection(TableSection[MergedAnswers]):
    """The merged answer files, the latest first; hidden while there are none."""

    review_requested = Signal(object)  # a tuple of pair keys
    kinds_requested = Signal(object)  # the same, of answers about kinds

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Merged answer files"), MergesTableModel(), "", stretched=1, max_rows=_MAX_ROWS)
        self._theme = theme
        self.conflicts_button = self.add_button(
            tr("Conflicts…"), self.show_conflicts, tr("Pairs that an annotator has answered differently in two places")
        )
        self.table.activated.connect(self.show_conflicts)
        self.setVisible(False)

    def show_rows(self, merges: Sequence[MergedAnswers]) -> None:
        super().show_rows(merges)
        self.setVisible(bool(merges))
        self.conflicts_button.setEnabled(any(one.conflicts for one in merges))

    @Slot()
    def show_conflicts(self) -> None:
        """Show the conflicts of the selected file, or of all."""
        selected = self.selected
        merges = [selected] if selected is not None and selected.conflicts else self.model.rows
        conflicts = [NamedConflict(one, conflict) for one in merges for conflict in one.conflicts]
        if conflicts:
            dialog = ConflictsDialog(self._theme, conflicts, self)
            dialog.review_requested.connect(self.review_requested)
            dialog.kinds_requested.connect(self.kinds_requested)
            open_dialog(dialog)


class NamedConflict(NamedTuple):
    """A conflict, and the merge that found it."""

    merged: MergedAnswers
    conflict: MergeConflict

    @property
    def hypothesis(self) -> str:
        """The hypothesis of the pair; "" if the project no longer has the pair."""
        return self.merged.hypotheses.get(self.conflict.pair_key, "")

    @property
    def is_of_kinds(self) -> bool:
        return isinstance(self.conflict.here.answer, PairKinds)

    @property
    def text(self) -> str:
        return conflict_text(self.conflict, self.merged.name, self.merged.hypotheses)


class ConflictsDialog(QDialog):
    """Conflicts in a table; a double click, or Enter, reviews a pair."""

    review_requested = Signal(object)  # a tuple of pair keys
    kinds_requested = Signal(object)  # the same, of answers about kinds

    def __init__(self, theme: Theme, conflicts: Sequence[NamedConflict], parent: QWidget) -> None:
        super().__init__(parent)
        px = theme.px
        self.setWindowTitle(tr("Merged answer files: {conflicts}", conflicts=count(len(conflicts), "conflict")))
        self.resize(px(760), px(440))
        about = PlainLabel(
            tr("The later of two answers counts; both are kept. Review a pair to answer it again."),
            type="muted",
            wraps=True,
        )
        self.model = ConflictsTableModel()
        self.table = SortableTableView(theme, self.model, tr("Conflicts"))
        self.model.show_rows(conflicts)
        self.table.fit_columns(stretched=1)
        self.table.activated.connect(self._review_row)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        shown = [one for one in self.model.rows if one.hypothesis]
        of_relations = [one for one in shown if not one.is_of_kinds]
        of_kinds = [one for one in shown if one.is_of_kinds]
        is_mixed = bool(of_relations and of_kinds)  # they are answered on two pages
        self.all_button = buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self.all_button.setText(
            tr("Review {relations}", relations=count(len(of_relations), "relation")) if is_mixed else tr("Review all")
        )
        self.all_button.clicked.connect(lambda: self._review(of_relations or of_kinds))
        self.all_button.setEnabled(bool(shown))
        self.kinds_button = buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self.kinds_button.setText(tr("Review {pairs} about kinds", pairs=count(len(of_kinds), "pair")))
        self.kinds_button.clicked.connect(lambda: self._review(of_kinds))
        self.kinds_button.setVisible(is_mixed)
        self.review_button = buttons.addButton(tr("Review pair"), QDialogButtonBox.ButtonRole.ActionRole)
        self.review_button.setProperty("look", "primary")
        self.review_button.clicked.connect(lambda: self._review_row(self.table.currentIndex()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[px(24)] * 4)
        layout.setSpacing(px(12))
        layout.addWidget(about)
        layout.addWidget(self.table, 1)
        layout.addWidget(buttons)
        self.table.selectRow(0)
        self.table.setFocus()

    @Slot(QModelIndex)
    def _review_row(self, index: QModelIndex) -> None:
        self._review([row for row in self.model.rows[index.row() : index.row() + 1] if row.hypothesis])

    def _review(self, conflicts: Sequence[NamedConflict]) -> None:
        """Review the pairs of conflicts, all of which are about kinds or all about relations."""
        if conflicts:
            keys = tuple(dict.fromkeys(one.conflict.pair_key for one in conflicts))
            self.accept()
            (self.kinds_requested if conflicts[0].is_of_kinds else self.review_requested).emit(keys)


class MergesTableModel(SortableTableModel[MergedAnswers]):
    """Merged answer files, the latest first."""

    def __init__(self) -> None:
        columns: tuple[TableColumn[MergedAnswers], ...] = (
            TableColumn(
                tr("Merged"), lambda row: f"{row.at.astimezone():%Y-%m-%d %H:%M}", lambda row: row.at, "", True
            ),
            TableColumn(tr("Annotator"), lambda row: row.name, lambda row: row.name.casefold(), "", True),
            TableColumn(tr("Round"), lambda row: f"{row.round:,}", lambda row: row.round),
            TableColumn(
                tr("Answers"),
                lambda row: f"{row.pairs:,}",
                lambda row: row.pairs,
                tr("Pairs with an answer in the file"),
            ),
            TableColumn(tr("Conflicts"), lambda row: f"{len(row.conflicts):,}", lambda row: len(row.conflicts)),
        )
        super().__init__(columns, 0)

    def row_key(self, row: MergedAnswers) -> Hashable:
        return row.at, row.round, row.name

    def tie_key(self, row: MergedAnswers) -> Any:
        return row.round, row.name.casefold(), row.name

    def row_tip(self, row: MergedAnswers) -> str:
        return "\n".join(NamedConflict(row, one).text for one in row.conflicts[:_MAX_ROWS])


class ConflictsTableModel(SortableTableModel[NamedConflict]):
    """Conflicts, by annotator."""

    def __init__(self) -> None:
        columns: tuple[TableColumn[NamedConflict], ...] = (
            TableColumn(tr("Annotator"), lambda row: row.merged.name, lambda row: row.merged.name.casefold(), "", True),
            TableColumn(
                tr("Hypothesis"),
                lambda row: row.hypothesis or tr("no longer in the project"),
                lambda row: row.hypothesis,
                "",
                True,
            ),
            TableColumn(
                tr("Answer in this project"),
                lambda row: _answer(row.conflict.here),
                lambda row: _answer(row.conflict.here),
                "",
                True,
            ),
            TableColumn(
                tr("Answer in the file"),
                lambda row: _answer(row.conflict.there),
                lambda row: _answer(row.conflict.there),
                "",
                True,
            ),
            TableColumn(
                tr("Counts"),
                lambda row: answer_text(row.conflict.holds),
                lambda row: answer_text(row.conflict.holds),
                "",
                True,
            ),
        )
        super().__init__(columns, 0)

    def row_key(self, row: NamedConflict) -> Hashable:
        return row.merged.at, row.merged.round, row.conflict

    def tie_key(self, row: NamedConflict) -> Any:
        return row.merged.round, row.hypothesis, row.conflict.pair_key, row.conflict.there.at

    def row_tip(self, row: NamedConflict) -> str:
        return row.text


def _answer(given: TimedAnswer) -> str:
    return answer_text(given.answer)
