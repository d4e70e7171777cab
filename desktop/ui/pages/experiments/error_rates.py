"""How often a system errs on short and long pairs, and why, by the tags of those who read its errors."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.jobs.experiments.table_pairs import group_filter
from desktop.text import count, percent
from desktop.ui.plots.figures import BarFigure, BarRow, PlotBar, PlotMark
from desktop.ui.services.display_names import capitalized
from miner.experiments.experiment import Experiment, TableAxis
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:
    from miner.experiments.errors import ErrorCounts, ErrorRate

_NOTHING_READ = "No error has a tag yet. Right-click a number and choose “Read some of these errors…”."


def error_figure(counts: ErrorCounts, experiment: Experiment, cells: Collection[str], name: str) -> BarFigure:
    """Bars by length and by tag, each of which opens its misread pairs. name: of what the cells are."""
    misread = PairFilter(cells=frozenset(cells), misread=True)
    rows = [BarRow("Wrong predictions by the length of both sentences, in words")]
    for rate in counts.rates[TableAxis.LENGTH]:
        note = f"Of {count(rate.total, 'prediction')} for pairs of {rate.name} words, {rate.number:,} are wrong"
        rows.append(_row(rate, note, group_filter(experiment, misread, TableAxis.LENGTH, rate.name)))
    if counts.tags:
        rows.append(BarRow("Tags of the errors read so far"))
    for rate in counts.tags:
        note = f"Of {count(rate.total, 'error')} that somebody has read, {rate.number:,} have the tag {rate.name}"
        rows.append(_row(rate, note, replace(misread, tags=frozenset([rate.name]))))
    read = f"{counts.read:,} of {count(counts.pairs, 'wrongly predicted pair')} read." if counts.tags else _NOTHING_READ
    return BarFigure(
        rows=tuple(rows),
        summary=f"{name}: {counts.wrong:,} of {count(counts.predictions, 'prediction')} wrong. {read}",
        columns=("Pairs", "Errors", "Of", "Share"),
        numbers=tuple(bar.mark for row in rows for bar in row.bars),
    )


def _row(rate: ErrorRate, note: str, filter: PairFilter) -> BarRow:
    low, high = rate.interval
    note += f": {percent(rate.share)}, 95\u00a0% interval {percent(low)} to {percent(high)}."
    mark = PlotMark(note, filter if rate.number else None, (rate.name, rate.number, rate.total, rate.share))
    detail = f"{rate.number:,} of {rate.total:,}"
    return BarRow(capitalized(rate.name), (PlotBar(mark, rate.share, "accent"),), 1, detail, percent(rate.share))
