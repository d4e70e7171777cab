"""Which numbers of a table differ: tests between rows, over seeds or over pairs, and the marks that say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from miner.classifier.metrics import bootstrap_differences, paired_t_test
from miner.lab.experiments.experiment import ALL_ROWS, Experiment, SignificanceTest, Table
from miner.lab.experiments.scored_cells import NOT_ASKED, CellScores, Score, ScoredCell, TestPart, score_counts
from miner.lab.experiments.system_kinds import PeopleSystem
from miner.lab.experiments.table_captions import MIN_BOOTSTRAP_PAIRS, SIGNIFICANT
from miner.lab.experiments.table_values import MARKS, RowTest, TableValue
from miner.libraries import np

_BOOTSTRAP_SEED = 1
_Values = Sequence[Sequence[TableValue | None]]


class RowCells(NamedTuple):
    """What the cells of a row have in common. train: of a learning curve, the set that its samples are drawn from."""

    system: int
    train: str


class ScoredColumn(NamedTuple):
    """What the numbers of a column are. test, train, size: of which cells, None for all."""

    score: Score
    test: str | None = None
    train: str | None = None
    size: int | None = None
    is_better_higher: bool = True


class RowComparison:
    """Compares the rows of a table. members: the cells of a row. score: what a cell gives for a column, in percent.

    tests: all that were made, in the order of rows and columns; where all are compared, those with the rows above.
    """

    def __init__(
        self,
        experiment: Experiment,
        table: Table,
        parts: Mapping[str, TestPart],
        scores: CellScores,
        members: Callable[[RowCells], Sequence[ScoredCell]],
        score: Callable[[ScoredCell, ScoredColumn], float | None],
    ) -> None:
        self._experiment, self._table, self._parts, self._scores = experiment, table, parts, scores
        self._members, self._score = members, score
        self.tests: list[RowTest] = []

    def compare(
        self, rows: Sequence[RowCells], names: Sequence[str], columns: Mapping[str, ScoredColumn], values: _Values
    ) -> list[list[TableValue | None]]:
        """The values with their differences from the row that the table compares with, or with marks of all others.

        names: of the rows.
        """
        compared = [list(line) for line in values]
        for number, row in enumerate(rows):
            for place, column in enumerate(columns):
                value = values[number][place]
                shown = [line[place] for line in values]
                for other in self._compared_rows(rows, number, column, shown, columns[column].is_better_higher):
                    theirs = values[other][place]
                    if value is None or theirs is None or other == number:
                        continue
                    test = RowTest(names[number], names[other], column, value.mean - theirs.mean)
                    test = self._tested(test, row, rows[other], columns[column])
                    if test.is_tested:
                        self.tests.append(test)
                    if self._table.against != ALL_ROWS:
                        compared[number][place] = _with_difference(value, test)
                        continue
                    is_better = (test.difference > 0) == columns[column].is_better_higher
                    better, worse = (number, other) if is_better else (other, number)
                    compared[number][place] = _with_runs(compared[number][place], test)
                    if test.is_significant:
                        compared[better][place] = _with_mark(compared[better][place], worse)
        return compared

    def _compared_rows(
        self,
        rows: Sequence[RowCells],
        number: int,
        column: str,
        values: Sequence[TableValue | None],
        is_better_higher: bool,
    ) -> Sequence[int]:
        """The rows that a row's number is compared with: one, or all above it."""
        match self._table.against:
            case "diagonal":
                return [place for place, row in enumerate(rows) if row.train == column][:1]
            case "best":
                there = {place: value.mean for place, value in enumerate(values) if value is not None}
                best = max if is_better_higher else min
                return [best(there, key=there.__getitem__)] if there else []
            case against if against == ALL_ROWS:
                return range(number)
        return [0]

    def _tested(self, test: RowTest, row: RowCells, other: RowCells, column: ScoredColumn) -> RowTest:
        ours, theirs = self._members(row), self._members(other)
        if self._table.test is SignificanceTest.NONE or self._is_of_people(row, other):
            return test
        if any((one.predicted == NOT_ASKED).any() for one in (*ours, *theirs)):
            return test  # a person is not a seed, and people answer different pairs
        if self._table.test is SignificanceTest.BOOTSTRAP:
            return self._bootstrapped(test, ours, theirs, column)
        first, second = (
            {one.cell.run.seed: found for one in side if (found := self._score(one, column)) is not None}
            for side in (theirs, ours)
        )
        before, after = self._for_each_seed(other, first, second), self._for_each_seed(row, second, first)
        shared = [seed for seed in before if seed in after]
        t_test = paired_t_test([before[seed] for seed in shared], [after[seed] for seed in shared])
        if t_test is None:
            return test
        return replace(test, p=t_test.p, runs=len(shared), is_tested=True, is_significant=t_test.p < SIGNIFICANT)

    def _for_each_seed(
        self, row: RowCells, scores: Mapping[int, float], others: Mapping[int, float]
    ) -> Mapping[int, float]:
        """The scores by seed; a system without random choices has the same score for each seed of the other."""
        if self._experiment.systems[row.system].varies or len(scores) != 1:
            return scores
        [score] = scores.values()
        return dict.fromkeys(others, score)

    def _is_of_people(self, *rows: RowCells) -> bool:
        return any(isinstance(self._experiment.systems[row.system], PeopleSystem) for row in rows)

    def _bootstrapped(
        self, test: RowTest, ours: Sequence[ScoredCell], theirs: Sequence[ScoredCell], column: ScoredColumn
    ) -> RowTest:
        """Significant where the 95 % interval of the difference leaves out 0; not tested over too few pairs."""
        sides = [[one for one in side if self._score(one, column) is not None] for side in (theirs, ours)]
        tests = {one.cell.test for side in sides for one in side}
        if len(tests) != 1 or not all(sides):
            return test
        [name] = tests
        there = self._scores.members(name, column.score)
        if there.sum() < MIN_BOOTSTRAP_PAIRS:
            return test
        count = len(self._experiment.class_names)
        first, second = (
            np.stack([np.where(one.predicted < 0, count, one.predicted)[there] for one in side]) for side in sides
        )

        def score(counts: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
            return score_counts(column.score, counts[..., :count, :])  # no pair has the class "unreadable"

        gold = self._parts[name].classes[there]
        [(low, high)] = bootstrap_differences(gold, first, second, [score], seed=_BOOTSTRAP_SEED, classes=count + 1)
        interval = (100 * low, 100 * high)
        return replace(test, interval=interval, is_tested=True, is_significant=low > 0 or high < 0)


def _with_difference(value: TableValue, test: RowTest) -> TableValue:
    return replace(
        value,
        difference=test.difference,
        p=test.p,
        tested_runs=test.runs,
        is_significant=test.is_significant,
        marks=MARKS[0] if test.is_significant else "",
    )


def _with_runs(value: TableValue | None, test: RowTest) -> TableValue | None:
    return None if value is None else replace(value, tested_runs=max(value.tested_runs, test.runs))


def _with_mark(value: TableValue | None, worse: int) -> TableValue | None:
    """The value with the mark of the row that it is better than."""
    if value is None or worse >= len(MARKS):
        return value
    return replace(value, marks="".join(sorted(value.marks + MARKS[worse], key=MARKS.index)))
