"""The figures of an experiment's report, for each table and system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from desktop.jobs.lab.experiments.results import ExperimentCells
from desktop.text import count
from miner.lab.experiments.direction import RECALLS, DirectionFinding
from miner.lab.experiments.experiment import TableAxis
from miner.lab.experiments.figures import (
    Bar,
    HeatCell,
    Line,
    bar_chart,
    heat_map,
    learning_curve,
    precision_recall_chart,
)
from miner.lab.experiments.scored_cells import ScoredCell, class_counts
from miner.lab.experiments.table_values import TableValue, TableView
from miner.libraries import np

MAX_CONFUSIONS = 40


class ReportFigure(NamedTuple):
    """A figure file of the report. name: the file's name without its suffix."""

    name: str
    title: str
    svg: str


def table_figures(views: tuple[TableView, ...]) -> list[ReportFigure | None]:
    """The figure of each table; None for a table that is neither a matrix nor a learning curve and has no macro F1."""
    found: list[ReportFigure | None] = []
    for number, view in enumerate(views, 1):
        svg = _figure_of(view)
        found.append(None if svg is None else ReportFigure(f"figure-{number}", view.title, svg))
    return found


def confusion_figures(found: ExperimentCells) -> Iterator[ReportFigure]:
    """The confusion matrix of each system on each test part, over its runs; at most `MAX_CONFUSIONS` of them."""
    groups = groupby(found.scored, key=lambda one: (one.cell.run.system, one.cell.run.train, one.cell.test))
    for number, ((system, train, test), cells) in enumerate(groups, 1):
        if number > MAX_CONFUSIONS:
            return
        title = found.experiment.systems[system].title
        several = len({one.cell.run.train for one in found.scored if one.cell.run.train}) > 1
        title += f", trained on {train}" if train and several else ""
        title += f", tested on {test}" if len(found.parts) > 1 else ""
        yield ReportFigure(f"confusion-{number}", title, _confusion(found, title, test, list(cells)))


def curve_figures(findings: Sequence[DirectionFinding]) -> Iterator[ReportFigure]:
    """Curves of precision by recall for each family of systems on each subset of a mesh."""
    curves = [(found.system, curve) for found in findings for curve in found.curves]
    for number, (system, curve) in enumerate(curves, 1):
        title = f"{curve.subset}, {system}"
        lines = list(curve.lines.items())
        yield ReportFigure(f"curves-{number}", title, precision_recall_chart(title, RECALLS, lines, curve.share))


def _figure_of(view: TableView) -> str | None:
    there = [value for row in view.values for value in row if value is not None]
    if not there:
        return None
    match view.columns_axis:
        case TableAxis.SCORE:
            column = view.columns.index("macro F1")
            bars = [
                _point(name, value)
                for name, row in zip(view.rows, view.values, strict=True)
                if (value := row[column]) is not None
            ]
            return bar_chart(view.title, bars, "macro F1, mean ± standard deviation")
        case TableAxis.SIZE:
            curves = [
                Line(name, tuple(None if value is None else _point(name, value) for value in row))
                for name, row in zip(view.rows, view.values, strict=True)
            ]
            return learning_curve(view.title, view.columns, curves, view.caption.split(": ", 1)[1].split(",", 1)[0])
        case TableAxis.TEST if len(view.columns) > 1 and len(view.rows) > 1:
            means = [value.mean for value in there]
            low, span = min(means), max(means) - min(means)
            cells = [[None if value is None else _heat_cell(value, low, span) for value in row] for row in view.values]
            return heat_map(view.title, view.rows, view.columns, cells, view.row_head.lower(), "tested on")
        case _:
            return None


def _point(name: str, value: TableValue) -> Bar:
    return Bar(name, value.mean, value.sd)


def _heat_cell(value: TableValue, low: float, span: float) -> HeatCell:
    """A cell of a matrix, whose lowest number is pale and whose highest is dark."""
    share = 0.05 + 0.85 * (value.mean - low) / span if span else 0.3
    spread = "" if value.sd is None else f"± {value.sd:.1f}"
    return HeatCell(f"{value.mean:.1f}", share, spread, value.is_in_domain)


def _confusion(found: ExperimentCells, title: str, test: str, cells: list[ScoredCell]) -> str:
    names = found.experiment.class_names
    part = found.parts[test]
    counts = np.sum([class_counts(part.classes, one.predicted, len(names)) for one in cells], axis=0)
    columns = [*names, "no answer"] if counts[:, -1].any() else list(names)
    rows = []
    for line in counts:
        whole = max(1, int(line.sum()))
        shares = [int(number) / whole for number in line[: len(columns)]]
        rows.append(
            [
                HeatCell(f"{100 * share:.0f} %", share, f"{int(number):,}")
                for share, number in zip(shares, line[: len(columns)], strict=True)
            ]
        )
    runs = f", {count(len(cells), 'run')} together" if len(cells) > 1 else ""
    note = f"Each row is 100 %; below, the number of pairs{runs}."
    return heat_map(title, names, columns, rows, "label", "predicted", note)
