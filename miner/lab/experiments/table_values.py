"""Tables of experiments as values: their numbers, and which of them is the best of its column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from miner.lab.experiments.experiment import TableAxis

MARKS = "*#$†‡§¶abcdefghijklmnopqrstuvwxyz"
"""What stands for a row behind the numbers that are better than its own; MSciNLI's tables have the first three."""


@dataclass(frozen=True, slots=True)
class TableValue:
    """A number of a table, in percent, over `runs` runs on `pairs` pairs; of people, the fewest that one answered.

    difference: from the row it is compared with, None where there is none. p: of that difference, None where it is not
    tested, over `tested_runs` pairs of runs. marks: for the rows that it is significantly better than, or "*" where it
    differs from the row it is compared with. cells: the keys of the cells that it is made of, and group: which of their
    pairs, "" for all; by these a number opens its pairs. text: what is shown in place of a percentage, such as a ratio;
    a published number has no cells.
    """

    mean: float
    sd: float | None
    runs: int
    pairs: int
    difference: float | None = None
    p: float | None = None
    tested_runs: int = 0
    is_significant: bool = False
    marks: str = ""
    is_best: bool = False
    is_second: bool = False
    is_in_domain: bool = False
    cells: tuple[str, ...] = ()
    group: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class RowTest:
    """The difference of a row's number from another row's, in points, and whether chance explains it.

    p: over `runs` pairs of runs; interval: of 95 %, by bootstrap over pairs. Not tested where a person is a row,
    there are fewer than two runs with the same seeds, or too few pairs to draw from.
    """

    row: str
    other: str
    column: str
    difference: float
    p: float | None = None
    runs: int = 0
    interval: tuple[float, float] | None = None
    is_tested: bool = False
    is_significant: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A table, ready to be shown. values: by row and column, None where nothing is known (yet).

    columns_axis: what the columns are. group_axis: what `TableValue.group` names. shows_differences: beside each number
    stands its difference. reasons: why there is no value, by row and column, "" where there is one.
    tests: between rows.
    """

    title: str
    row_head: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[TableValue | None, ...], ...]
    caption: str
    group_axis: TableAxis | None = None
    reasons: tuple[tuple[str, ...], ...] = ()
    columns_axis: TableAxis = TableAxis.SCORE
    shows_differences: bool = False
    tests: tuple[RowTest, ...] = ()


def mark_best(rows: Sequence[Sequence[TableValue | None]], higher: Sequence[bool]) -> list[list[TableValue | None]]:
    """The rows with the best and second best value of each column marked, where there are several.

    higher: of each column, whether higher values are better. Values that look the same are marked alike.
    """
    marked = [list(row) for row in rows]
    for column, is_higher in enumerate(higher):
        there = [value for row in rows if (value := row[column]) is not None]
        means = sorted({round(value.mean, 1) for value in there}, reverse=is_higher)
        if len(means) < 2:
            continue
        for row in marked:
            value = row[column]
            if value is not None:
                mean = round(value.mean, 1)
                row[column] = replace(value, is_best=mean == means[0], is_second=mean == means[1])
    return marked
