"""The figure of a system's errors: their rate by length of pairs, and their causes by the readers' tags."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.jobs.lab.experiments.table_pairs import group_filter
from desktop.text import count, percent
from desktop.translation import tr
from desktop.ui.plots.figures import BarFigure, BarRow, PlotBar, PlotMark
from desktop.ui.services.display_names import capitalized
from miner.lab.experiments.experiment import Experiment, TableAxis
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from miner.lab.experiments.errors import ErrorCounts, ErrorRate

_NOTHING_READ = tr("No error has a tag yet. Right-click a number and choose “Read some of these errors…”.")


def error_figure(counts: ErrorCounts, experiment: Experiment, cells: Collection[str], name: str) -> BarFigure:
    """Bars by length and by tag, each of which opens its misread pairs. name: what the cells are called."""
    misread = PairFilter(cells=frozenset(cells), misread=True)
    rows = [BarRow(tr("Wrong predictions by the length of both sentences, in words"))]
    for rate in counts.rates[TableAxis.LENGTH]:
        note = tr(
            "Of {predictions} for pairs of {name} words, {number:,} are wrong",
            predictions=count(rate.total, "prediction"),
            name=rate.name,
            number=rate.number,
        )
        rows.append(_row(rate, note, group_filter(experiment, misread, TableAxis.LENGTH, rate.name)))
    if counts.tags:
        rows.append(BarRow(tr("Tags of the errors read so far")))
    for rate in counts.tags:
        note = tr(
            "Of {errors} that somebody has read, {number:,} have the tag {name}",
            errors=count(rate.total, "error"),
            number=rate.number,
            name=rate.name,
        )
        rows.append(_row(rate, note, replace(misread, tags=frozenset([rate.name]))))
    read = (
        tr("{read:,} of {pairs} read.", read=counts.read, pairs=count(counts.pairs, "wrongly predicted pair"))
        if counts.tags
        else _NOTHING_READ
    )
    return BarFigure(
        rows=tuple(rows),
        summary=tr(
            "{name}: {wrong:,} of {predictions} wrong. {read}",
            name=name,
            wrong=counts.wrong,
            predictions=count(counts.predictions, "prediction"),
            read=read,
        ),
        columns=(tr("Pairs"), tr("Errors"), tr("Of"), tr("Share")),
        numbers=tuple(bar.mark for row in rows for bar in row.bars),
    )


def _row(rate: ErrorRate, note: str, filter: PairFilter) -> BarRow:
    low, high = rate.interval
    note += tr(
        ": {share}, 95\xa0% interval {low} to {high}.", share=percent(rate.share), low=percent(low), high=percent(high)
    )
    mark = PlotMark(note, filter if rate.number else None, (rate.name, rate.number, rate.total, rate.share))
    detail = tr("{number:,} of {total:,}", number=rate.number, total=rate.total)
    return BarRow(capitalized(rate.name), (PlotBar(mark, rate.share, "accent"),), 1, detail, percent(rate.share))
