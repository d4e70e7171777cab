"""Tables of an experiment: views of the predictions of its cells, with means over runs and tests of differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from miner.classifier.metrics import (
    bootstrap_difference,
    class_f1,
    macro_f1,
    paired_t_test,
    summarize_values,
)
from miner.experiments.experiment import (
    Experiment,
    PairChoice,
    SignificanceTest,
    Table,
    TableAxis,
    TableScore,
)
from miner.experiments.plan import ExperimentCell
from miner.experiments.system_kinds import PeopleSystem

SIGNIFICANT = 0.05
UNREADABLE = -1
"""The class of a pair for which a system gave no answer; it is wrong for every label."""
NOT_ASKED = -2
"""The class of a pair that a person has not answered; it is in none of their scores."""
_LENGTH_BOUNDS = (0, 20, 30, 40, 50, 60, 80)  # words of both sentences; the last group has no upper bound
_BOOTSTRAP_SEED = 1


@dataclass(frozen=True, slots=True)
class TestPart:
    """The pairs of a test part. classes: (n,) their classes. groups: by axis, the name of each pair's group.

    A group "" is unknown, and in no column.
    """

    __test__ = False  # no test of pytest's

    classes: NDArray[np.int64]
    groups: Mapping[TableAxis, Sequence[str]] = field(default_factory=dict)


class ScoredCell(NamedTuple):
    """A finished cell. predicted: (n,) the class of each pair of its test part, or `UNREADABLE`, or `NOT_ASKED`."""

    cell: ExperimentCell
    predicted: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TableValue:
    """A number of a table, in percent, over `runs` runs on `pairs` pairs; of people, the fewest that one answered.

    p: of its difference from the row it is compared with, None where it is not tested. cells: the keys of the cells
    that it is made of, and group: which of their pairs, "" for all; by these a number opens its pairs.
    """

    mean: float
    sd: float | None
    runs: int
    pairs: int
    p: float | None = None
    is_significant: bool = False
    is_best: bool = False
    is_second: bool = False
    is_in_domain: bool = False
    cells: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class TableView:
    """A table, ready to be shown. values: by row and column, None where nothing is known (yet).

    group_axis: what `TableValue.group` names. reasons: why there is no value, by row and column, "" where there is one.
    """

    title: str
    row_head: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[TableValue | None, ...], ...]
    caption: str
    group_axis: TableAxis | None = None
    reasons: tuple[tuple[str, ...], ...] = ()


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
                view = _View(experiment, table, chosen, wanted, parts, system, test).view()
                if view.rows and view.columns:
                    views.append(view)
    return views


def class_counts(classes: NDArray[np.int64], predicted: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """How many pairs have each class (rows) and each prediction (columns), the last column for `UNREADABLE`.

    Without those that are `NOT_ASKED`.
    """
    asked = predicted != NOT_ASKED
    classes, predicted = classes[asked], predicted[asked]
    columns = np.where(predicted < 0, count, predicted)
    cells = np.bincount(classes * (count + 1) + columns, minlength=count * (count + 1))
    return cells.reshape(count, count + 1)


def _of_answered(experiment: Experiment, scored: Sequence[ScoredCell]) -> list[ScoredCell]:
    """The cells, with only those pairs of each test part that some of the people answered; all if there are none."""
    answered: dict[str, NDArray[np.bool_]] = {}
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


def length_group(words: int) -> str:
    """The group of a pair by the number of words of both sentences, such as "21-30"."""
    for low, high in pairwise(_LENGTH_BOUNDS):
        if low < words <= high or (not low and not words):
            return f"{low + 1}-{high}"
    return f"more than {_LENGTH_BOUNDS[-1]}"


class _RowCells(NamedTuple):
    """What the cells of a row have in common."""

    system: int
    train: str


class _View:
    def __init__(
        self,
        experiment: Experiment,
        table: Table,
        scored: Sequence[ScoredCell],
        cells: Sequence[ExperimentCell],
        parts: Mapping[str, TestPart],
        system: int | None,
        test: str | None,
    ) -> None:
        self._experiment, self._table, self._scored, self._parts = experiment, table, scored, parts
        self._cells = cells
        self._system, self._test = system, test
        self._classes = experiment.class_names

    def view(self) -> TableView:
        rows = self._rows()
        columns = self._columns()
        names = list(columns)
        values = [[self._value(row, columns[name], name) for name in names] for row in rows]
        compared = [self._compare(rows, number, columns, names, values) for number in range(len(rows))]
        marked = _with_best(compared)
        reasons = [
            tuple("" if value is not None else self._reason(row, name) for name, value in zip(names, line, strict=True))
            for row, line in zip(rows, marked, strict=True)
        ]
        return TableView(
            self._title(),
            "Trained on" if self._table.rows is TableAxis.TRAIN else "System",
            tuple(self._row_name(row, rows) for row in rows),
            tuple(names),
            tuple(map(tuple, marked)),
            self._caption(marked),
            self._group_axis(),
            tuple(reasons),
        )

    def _rows(self) -> list[_RowCells]:
        found = dict.fromkeys(_RowCells(cell.run.system, cell.run.train) for cell in self._cells)
        sets = ["", *self._experiment.data]
        return sorted(found, key=lambda row: (row.system, sets.index(row.train)))

    def _row_name(self, row: _RowCells, rows: Sequence[_RowCells]) -> str:
        if self._table.rows is TableAxis.TRAIN:
            return row.train
        title = self._experiment.systems[row.system].title
        several = len({one.train for one in rows if one.train}) > 1
        return f"{title}, trained on {row.train}" if several and row.train else title

    def _columns(self) -> dict[str, Callable[[ScoredCell], float | None]]:
        """What a cell gives for each column; None where it has no pairs for it."""
        score = _macro_f1 if self._table.of is TableScore.MACRO_F1 else _accuracy
        match self._table.columns:
            case TableAxis.SCORE:
                found: dict[str, Callable[[ScoredCell], float | None]] = {
                    name: self._class_score(number) for number, name in enumerate(self._classes)
                }
                return found | {"macro F1": self._scorer(_macro_f1), "accuracy": self._scorer(_accuracy)}
            case TableAxis.CLASS:
                return {name: self._class_score(number) for number, name in enumerate(self._classes)}
            case TableAxis.TEST:
                tests = [name for name in self._experiment.data if any(cell.test == name for cell in self._cells)]
                return {name: self._scorer(score, test=name) for name in tests}
            case TableAxis.TRAIN:
                trains = dict.fromkeys(cell.run.train for cell in self._cells)
                return {name or "none": self._scorer(score, train=name) for name in trains}
            case axis:
                return {name: self._scorer(score, axis=axis, group=name) for name in self._groups(axis)}

    def _groups(self, axis: TableAxis) -> list[str]:
        names: Iterable[str] = ()
        for test in dict.fromkeys(one.cell.test for one in self._scored):
            names = dict.fromkeys((*names, *self._parts[test].groups.get(axis, ())))
        if axis is TableAxis.LENGTH:
            order = [f"{low + 1}-{high}" for low, high in pairwise(_LENGTH_BOUNDS)]
            return [name for name in (*order, length_group(10_000)) if name in names]
        return sorted(name for name in names if name)

    def _scorer(
        self,
        score: Callable[[NDArray[np.int64]], float],
        *,
        test: str | None = None,
        train: str | None = None,
        axis: TableAxis | None = None,
        group: str = "",
    ) -> Callable[[ScoredCell], float | None]:
        def value(one: ScoredCell) -> float | None:
            if test not in (None, one.cell.test) or train not in (None, one.cell.run.train):
                return None
            part = self._parts[one.cell.test]
            there = _members(part, axis, group)
            counts = class_counts(part.classes[there], one.predicted[there], len(self._classes))
            return score(counts) if counts.any() else None

        return value

    def _class_score(self, number: int) -> Callable[[ScoredCell], float | None]:
        def value(one: ScoredCell) -> float | None:
            counts = class_counts(self._parts[one.cell.test].classes, one.predicted, len(self._classes))
            return float(class_f1(counts)[number]) if counts.any() else None

        return value

    def _value(self, row: _RowCells, score: Callable[[ScoredCell], float | None], column: str) -> TableValue | None:
        found = [(one, score(one)) for one in self._members(row)]
        there = [(one, 100 * value) for one, value in found if value is not None]
        if not there:
            return None
        summary = summarize_values([value for _, value in there])
        axis = self._table.columns
        group_axis = self._group_axis()
        group = column if group_axis is not None and (axis is not TableAxis.SCORE or column in self._classes) else ""
        part = self._parts[there[0][0].cell.test]
        members = _members(part, axis, "" if group_axis is TableAxis.CLASS else group)
        pairs = min(int((members & (one.predicted != NOT_ASKED)).sum()) for one, _ in there)
        in_domain = self._table.rows is TableAxis.TRAIN and axis is TableAxis.TEST and row.train == column
        return TableValue(
            summary.mean,
            summary.sd,
            summary.n,
            pairs,
            is_in_domain=in_domain,
            cells=tuple(one.cell.key for one, _ in there),
            group=group,
        )

    def _group_axis(self) -> TableAxis | None:
        """What the columns are groups of pairs by; None where a column is of all pairs."""
        match self._table.columns:
            case TableAxis.SCORE:
                return TableAxis.CLASS
            case TableAxis.TEST | TableAxis.TRAIN:
                return None
            case axis:
                return axis

    def _reason(self, row: _RowCells, column: str) -> str:
        """Why a number is missing."""
        cells = [cell for cell in self._cells if (cell.run.system, cell.run.train) == row]
        if self._table.columns is TableAxis.TEST:
            cells = [cell for cell in cells if cell.test == column]
        elif self._table.columns is TableAxis.TRAIN:
            cells = [cell for cell in cells if (cell.run.train or "none") == column]
        if refused := next((cell.problem for cell in cells if cell.problem), ""):
            return f"Refused: {refused}"
        finished = {one.cell.key for one in self._scored}
        is_finished = all(cell.key in finished for cell in cells)
        return ("There are no such pairs." if cells else "It is not asked for.") if is_finished else "Not computed yet."

    def _members(self, row: _RowCells) -> list[ScoredCell]:
        return [one for one in self._scored if (one.cell.run.system, one.cell.run.train) == row]

    def _compare(
        self,
        rows: Sequence[_RowCells],
        number: int,
        columns: Mapping[str, Callable[[ScoredCell], float | None]],
        names: Sequence[str],
        values: Sequence[Sequence[TableValue | None]],
    ) -> list[TableValue | None]:
        """The row's values with p of their differences from the row that the table compares with."""
        compared = []
        for column, name in enumerate(names):
            value = values[number][column]
            other = self._compared_row(rows, name, [line[column] for line in values])
            if value is not None and other is not None and other != number:
                value = self._tested(value, rows[number], rows[other], columns[name])
            compared.append(value)
        return compared

    def _compared_row(self, rows: Sequence[_RowCells], column: str, values: Sequence[TableValue | None]) -> int | None:
        if self._table.test is SignificanceTest.NONE:
            return None
        if self._table.against == "diagonal":
            return next((number for number, row in enumerate(rows) if row.train == column), None)
        if self._table.against == "best":
            there = [number for number, value in enumerate(values) if value is not None]
            return max(there, key=lambda number: values[number].mean, default=None)  # type: ignore[union-attr]
        return 0

    def _tested(
        self, value: TableValue, row: _RowCells, other: _RowCells, score: Callable[[ScoredCell], float | None]
    ) -> TableValue:
        ours, theirs = self._members(row), self._members(other)
        if any((one.predicted == NOT_ASKED).any() for one in (*ours, *theirs)) or self._is_of_people(row, other):
            return value  # a person is not a seed, and people answer different pairs
        if self._table.test is SignificanceTest.BOOTSTRAP:
            return self._bootstrapped(value, ours, theirs)
        first, second = (
            {one.cell.run.seed: found for one in side if (found := score(one)) is not None} for side in (theirs, ours)
        )
        shared = [seed for seed in first if seed in second]
        test = paired_t_test([first[seed] for seed in shared], [second[seed] for seed in shared])
        return value if test is None else replace(value, p=test.p, is_significant=test.p < SIGNIFICANT)

    def _is_of_people(self, *rows: _RowCells) -> bool:
        return any(isinstance(self._experiment.systems[row.system], PeopleSystem) for row in rows)

    def _bootstrapped(self, value: TableValue, ours: Sequence[ScoredCell], theirs: Sequence[ScoredCell]) -> TableValue:
        """Significant where the 95 % interval of the difference in macro F1 leaves out 0."""
        tests = {one.cell.test for one in (*ours, *theirs) if one.cell.key in value.cells}
        if len(tests) != 1 or value.group:
            return value
        [test] = tests
        sides = [[one.predicted for one in side if one.cell.test == test] for side in (theirs, ours)]
        if not all(sides):
            return value
        first, second = (np.stack(side) for side in sides)
        unreadable = bool((first < 0).any() or (second < 0).any())  # a class of its own, which is never right
        count = len(self._classes) + unreadable
        first, second = (np.where(side < 0, count - 1, side) for side in (first, second))
        low, high = bootstrap_difference(self._parts[test].classes, first, second, seed=_BOOTSTRAP_SEED, classes=count)
        return replace(value, is_significant=low > 0 or high < 0)

    def _title(self) -> str:
        parts = [self._table.title or self._experiment.name]
        if self._system is not None:
            parts.append(self._experiment.systems[self._system].title)
        if self._test is not None and len({name for name, one in self._experiment.data.items() if one.test}) > 1:
            parts.append(f"tested on {self._test}")
        return ", ".join(parts)

    def _caption(self, values: Sequence[Sequence[TableValue | None]]) -> str:
        there = [value for row in values for value in row if value is not None]
        if not there:
            return "Nothing is computed yet."
        pairs, runs = sorted({value.pairs for value in there}), sorted({value.runs for value in there})
        what = "" if self._table.columns is TableAxis.SCORE else _SCORE_NAMES[self._table.of] + ", "
        text = f"In percent: {what}{_range(pairs)} pairs, mean of {_range(runs)} {'run' if runs == [1] else 'runs'}"
        text += " ± standard deviation." if runs[-1] > 1 else "."
        text += self._on_people()
        if self._table.test is SignificanceTest.NONE:
            return text
        against = {"first": "the first row", "best": "the best row", "diagonal": "the model of the same domain"}
        tested = any(value.p is not None or value.is_significant for value in there)
        if self._table.test is SignificanceTest.BOOTSTRAP:
            return (
                f"{text} * differs from {against[self._table.against]}: 95 % bootstrap interval over pairs without 0."
            )
        if not tested:
            return f"{text} A paired t-test needs two runs or more with the same seeds."
        return (
            f"{text} * differs from {against[self._table.against]}: p < {SIGNIFICANT}, paired t-test over "
            f"{_range(runs)} seeds."
        )

    def _on_people(self) -> str:
        """What is compared, where people are among the systems."""
        people = [
            one for one in self._scored if isinstance(self._experiment.systems[one.cell.run.system], PeopleSystem)
        ]
        if not people:
            return ""
        answered = _range(sorted({int((one.predicted != NOT_ASKED).sum()) for one in people}))
        others = "the pairs that some of them answered" if self._table.pairs is PairChoice.ANSWERED else "all pairs"
        alone = len(people) == len(self._scored)
        return f" A person is a run, on the {answered} pairs that they answered" + (
            "." if alone else f"; other systems are scored on {others}."
        )


_SCORE_NAMES = {TableScore.MACRO_F1: "macro F1", TableScore.ACCURACY: "accuracy"}


def _members(part: TestPart, axis: TableAxis | None, group: str) -> NDArray[np.bool_]:
    """Which pairs of the part are in the group; all for no group."""
    if axis is None or not group or axis not in part.groups:
        return np.ones(len(part.classes), bool)
    return np.array([name == group for name in part.groups[axis]], bool)


def _macro_f1(counts: NDArray[np.int64]) -> float:
    return float(macro_f1(counts))


def _accuracy(counts: NDArray[np.int64]) -> float:
    return float(np.trace(counts) / max(1, counts.sum()))


def _with_best(rows: Sequence[Sequence[TableValue | None]]) -> list[list[TableValue | None]]:
    """The rows with the best and second best value of each column marked, where there are several."""
    marked = [list(row) for row in rows]
    for column in range(len(rows[0]) if rows else 0):
        means = sorted({round(row[column].mean, 2) for row in rows if row[column] is not None}, reverse=True)  # type: ignore[union-attr]
        if len(means) < 2:
            continue
        for row in marked:
            value = row[column]
            if value is not None:
                mean = round(value.mean, 2)
                row[column] = replace(value, is_best=mean == means[0], is_second=mean == means[1])
    return marked


def _range(numbers: Sequence[int]) -> str:
    return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,}-{numbers[-1]:,}"
