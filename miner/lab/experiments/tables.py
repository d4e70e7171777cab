"""Tables of an experiment: views of the predictions of its cells, with means over runs and tests of differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from miner.classifier.metrics import summarize_values
from miner.lab.experiments.experiment import (
    Experiment,
    PairChoice,
    Table,
    TableAxis,
    TableScore,
)
from miner.lab.experiments.plan import ExperimentCell
from miner.lab.experiments.scored_cells import (
    LENGTH_GROUPS,
    NOT_ASKED,
    UNREADABLE,
    CellScores,
    Score,
    ScoredCell,
    ScoreName,
    TestPart,
)
from miner.lab.experiments.system_kinds import PeopleSystem
from miner.lab.experiments.table_captions import SCORE_OF, hypothesis_ratios, table_caption, table_title
from miner.lab.experiments.table_comparison import RowCells, RowComparison, ScoredColumn
from miner.lab.experiments.table_values import MARKS, TableValue, TableView, mark_best
from miner.libraries import np

ALL_PAIRS = "all pairs"
"""The last column of a table by groups of pairs."""


def view_tables(
    experiment: Experiment,
    scored: Sequence[ScoredCell],
    parts: Mapping[str, TestPart],
    planned: Sequence[ExperimentCell] = (),
) -> list[TableView]:
    """All tables of the experiment, over the cells that are finished; `parts`: by the name of their set.

    planned: all cells, for rows and columns of those that are not finished, with the reason. A table whose rows and
    columns leave several systems, or several test parts, is one for each of them.
    """
    views = []
    everything = scored
    names = len(experiment.class_names)
    scores = {choice: CellScores(parts, names) for choice in PairChoice}
    cells = list(dict.fromkeys((*(one.cell for one in scored), *planned)))
    for table in experiment.tables:
        scored = _of_answered(experiment, everything) if table.pairs is PairChoice.ANSWERED else everything
        tests = [name for name in experiment.data if any(cell.test == name for cell in cells)]
        systems = sorted({cell.run.system for cell in cells})
        for system in systems if table.rows is TableAxis.TRAIN else [None]:
            for test in [None] if table.columns is TableAxis.TEST else tests:
                chosen = [
                    one for one in scored
                    if system in (None, one.cell.run.system) and test in (None, one.cell.test)
                ]  # fmt: skip
                wanted = [
                    cell for cell in cells if system in (None, cell.run.system) and test in (None, cell.test)
                ]  # fmt: skip
                if table.rows is TableAxis.TRAIN:
                    chosen = [one for one in chosen if one.cell.run.train]
                    wanted = [cell for cell in wanted if cell.run.train]
                if table.columns is TableAxis.SIZE:
                    chosen = [one for one in chosen if _sample_size(experiment, one.cell)]
                    wanted = [cell for cell in wanted if _sample_size(experiment, cell)]
                view = _View(experiment, table, chosen, wanted, parts, scores[table.pairs], system, test).view()
                if view.rows and view.columns:
                    views.append(view)
    return views


def _of_answered(experiment: Experiment, scored: Sequence[ScoredCell]) -> list[ScoredCell]:
    """The cells, with only those pairs of each test part that some of the people answered; all if there are none."""
    answered: dict[str, np.ndarray[Any, np.dtype[np.bool_]]] = {}
    for one in scored:
        if isinstance(experiment.systems[one.cell.run.system], PeopleSystem):
            asked = one.predicted != NOT_ASKED
            answered[one.cell.test] = asked | answered.get(one.cell.test, asked)
    return [
        one._replace(predicted=np.where(answered[one.cell.test], one.predicted, NOT_ASKED))
        if one.cell.test in answered
        else one
        for one in scored
    ]


def _sample_size(experiment: Experiment, cell: ExperimentCell) -> int:
    """How many pairs the train part of a learning curve is to have; 0 for other cells."""
    one = experiment.data.get(cell.run.train)
    return one.train.sample if one is not None and one.sample_of and one.train is not None else 0


class _View:
    def __init__(
        self,
        experiment: Experiment,
        table: Table,
        scored: Sequence[ScoredCell],
        cells: Sequence[ExperimentCell],
        parts: Mapping[str, TestPart],
        scores: CellScores,
        system: int | None,
        test: str | None,
    ) -> None:
        self._experiment, self._table, self._scored, self._parts = experiment, table, scored, parts
        self._cells, self._scores = cells, scores
        self._system, self._test = system, test
        self._classes = experiment.class_names

    def view(self) -> TableView:
        rows = self._rows()
        columns = self._columns()
        names = list(columns)
        values = [[self._value(row, columns[name], name) for name in names] for row in rows]
        row_names = [self._row_name(row, rows) for row in rows]
        comparison = RowComparison(self._experiment, self._table, self._parts, self._scores, self._members, self._score)
        compared = comparison.compare(rows, row_names, columns, values)
        marked = mark_best(compared, [columns[name].is_better_higher for name in names])
        reasons = [
            tuple("" if value is not None else self._reason(row, name) for name, value in zip(names, line, strict=True))
            for row, line in zip(rows, marked, strict=True)
        ]
        return TableView(
            table_title(self._experiment, self._table, self._system, self._test),
            "Trained on" if self._table.rows is TableAxis.TRAIN else "System",
            tuple(row_names),
            tuple(names),
            tuple(map(tuple, marked)),
            self._caption(rows, row_names, names, marked),
            self._group_axis(),
            tuple(reasons),
            self._table.columns,
            self._table.differences,
            tuple(comparison.tests),
        )

    def _caption(
        self,
        rows: Sequence[RowCells],
        row_names: Sequence[str],
        names: Sequence[str],
        values: Sequence[Sequence[TableValue | None]],
    ) -> str:
        used = {mark for row in values for value in row if value is not None for mark in value.marks}
        marks = {mark: name for mark, name in zip(MARKS, row_names, strict=False) if mark in used}
        text = table_caption(self._experiment, self._table, self._scored, self._parts, values, marks)
        if self._table.rows is TableAxis.SYSTEM and ScoreName.MACRO_F1 in names:
            place = names.index(ScoreName.MACRO_F1)
            means = {
                (row.system, row.train): value.mean
                for row, line in zip(rows, values, strict=True)
                if (value := line[place]) is not None
            }
            text += hypothesis_ratios(self._experiment, means)
        return text

    def _rows(self) -> list[RowCells]:
        found = dict.fromkeys(map(self._row_of, self._cells))
        sets = ["", *self._experiment.data]
        return sorted(found, key=lambda row: (row.system, sets.index(row.train)))

    def _row_of(self, cell: ExperimentCell) -> RowCells:
        train = cell.run.train
        if self._table.columns is TableAxis.SIZE:
            train = self._experiment.data[train].sample_of
        return RowCells(cell.run.system, train)

    def _row_name(self, row: RowCells, rows: Sequence[RowCells]) -> str:
        if self._table.rows is TableAxis.TRAIN:
            return row.train
        title = self._experiment.systems[row.system].title
        several = len({one.train for one in rows if one.train}) > 1
        return f"{title}, trained on {row.train}" if several and row.train else title

    def _columns(self) -> dict[str, ScoredColumn]:
        score = Score(SCORE_OF[self._table.of])
        is_part = self._table.of in (TableScore.PRECISION, TableScore.RECALL)
        of_class = score.name if is_part else ScoreName.CLASS_F1
        by_class = {name: ScoredColumn(Score(of_class, number=number)) for number, name in enumerate(self._classes)}
        match self._table.columns:
            case TableAxis.SCORE:
                both = {name.value: ScoredColumn(Score(name)) for name in (ScoreName.MACRO_F1, ScoreName.ACCURACY)}
                unreadable = {"unreadable": ScoredColumn(Score(ScoreName.UNREADABLE), is_better_higher=False)}
                own = {score.name.value: ScoredColumn(score)} if self._table.of.is_of_curve or is_part else {}
                return {**own, **by_class, **both, **(unreadable if self._has_unreadable() else {})}
            case TableAxis.CLASS:
                return by_class
            case TableAxis.TEST:
                tests = [name for name in self._experiment.data if any(cell.test == name for cell in self._cells)]
                return {name: ScoredColumn(score, test=name) for name in tests}
            case TableAxis.TRAIN:
                trains = dict.fromkeys(cell.run.train for cell in self._cells)
                return {name or "none": ScoredColumn(score, train=name) for name in trains}
            case TableAxis.SIZE:
                sizes = sorted({_sample_size(self._experiment, cell) for cell in self._cells})
                return {f"{size:,}": ScoredColumn(score, size=size) for size in sizes}
            case axis:
                columns = {
                    self._group_head(axis, name): ScoredColumn(score._replace(axis=axis, group=name))
                    for name in self._groups(axis)
                }
                return columns | ({ALL_PAIRS: ScoredColumn(score)} if columns and ALL_PAIRS not in columns else {})

    def _has_unreadable(self) -> bool:
        return any((one.predicted == UNREADABLE).any() for one in self._scored)

    def _groups(self, axis: TableAxis) -> list[str]:
        tests = dict.fromkeys(one.cell.test for one in self._scored)
        names = {name for test in tests for name in self._scores.groups(test, axis)}
        return [name for name in LENGTH_GROUPS if name in names] if axis is TableAxis.LENGTH else sorted(names)

    def _group_head(self, axis: TableAxis, name: str) -> str:
        """The head of a group's column; with how many pairs a kind of reasoning has, as a pair has several."""
        if axis is not TableAxis.KIND:
            return name
        score = Score(ScoreName.ACCURACY, axis, name)
        return f"{name} ({max(self._scores.pairs(one, score) for one in self._scored):,})"

    def _score(self, one: ScoredCell, column: ScoredColumn) -> float | None:
        """What a cell gives for a column, in percent; None where it has no pairs for it."""
        cell = one.cell
        if column.test not in (None, cell.test) or column.train not in (None, cell.run.train):
            return None
        if column.size not in (None, _sample_size(self._experiment, cell)):
            return None
        found = self._scores.of(one, column.score)
        return None if found is None else 100 * found

    def _value(self, row: RowCells, column: ScoredColumn, name: str) -> TableValue | None:
        there = [(one, value) for one in self._members(row) if (value := self._score(one, column)) is not None]
        if not there:
            return None
        summary = summarize_values([value for _, value in there])
        is_of_class = column.score.number is not None
        in_domain = self._table.rows is TableAxis.TRAIN and self._table.columns is TableAxis.TEST and row.train == name
        return TableValue(
            summary.mean,
            summary.sd,
            summary.n,
            min(self._scores.pairs(one, column.score) for one, _ in there),
            is_in_domain=in_domain,
            cells=tuple(one.cell.key for one, _ in there),
            group=name if is_of_class else column.score.group,
        )

    def _group_axis(self) -> TableAxis | None:
        """What the columns are groups of pairs by; None where a column is of all pairs."""
        match self._table.columns:
            case TableAxis.SCORE:
                return TableAxis.CLASS
            case TableAxis.TEST | TableAxis.TRAIN | TableAxis.SIZE:
                return None
            case axis:
                return axis

    def _reason(self, row: RowCells, column: str) -> str:
        """Why a number is missing."""
        cells = [cell for cell in self._cells if self._row_of(cell) == row]
        if self._table.columns is TableAxis.TEST:
            cells = [cell for cell in cells if cell.test == column]
        elif self._table.columns is TableAxis.TRAIN:
            cells = [cell for cell in cells if (cell.run.train or "none") == column]
        elif self._table.columns is TableAxis.SIZE:
            cells = [cell for cell in cells if f"{_sample_size(self._experiment, cell):,}" == column]
        if refused := next((cell.problem for cell in cells if cell.problem), ""):
            return f"Refused: {refused}"
        finished = {one.cell.key for one in self._scored}
        if failure := next((cell.failure for cell in cells if cell.failure and cell.key not in finished), ""):
            return f"Not computed: {failure}"
        is_finished = all(cell.key in finished for cell in cells)
        return ("There are no such pairs." if cells else "It is not asked for.") if is_finished else "Not computed yet."

    def _members(self, row: RowCells) -> list[ScoredCell]:
        return [one for one in self._scored if self._row_of(one.cell) == row]
