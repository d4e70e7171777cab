"""What the model suggests and how sure it is, and where phrase, people and model differ, as figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from desktop.text import count, listed, percent
from desktop.ui.plots.figures import (
    BarFigure,
    BarRow,
    Heatmap,
    HeatmapCell,
    HeatmapFigure,
    Histogram,
    HistogramFigure,
    HistogramRow,
    PlotBar,
    PlotMark,
)
from desktop.ui.services.display_names import NO_LABEL
from miner.records import Label
from storage.models.suggestions import MatrixCell
from storage.pairs.filters import PairFilter, with_value

Rows = Literal["distant", "gold"]
_BELOW_CHANCE = 5  # twentieths below a quarter, where no suggestion of four can be
_ROOMY, _TALL = 32, 112  # pixels as drawn: of a row of bars, of the histogram
_CORNERS = {"distant": "phrase ↓ model →", "gold": "people ↓ model →"}
_LABELS = tuple(label.value for label in Label)
_ORDER = (*_LABELS, "")


def classes_figure(counts: Mapping[Label, int], summary: str) -> BarFigure:
    """How many pairs are suggested to be of each class."""
    total, most = sum(counts.values()), max(counts.values(), default=0) or 1
    rows = []
    for label in Label:
        number = counts.get(label, 0)
        share = percent(number / total) if total else "none"
        note = f"The model suggests {label.value} for {count(number, 'pair')}, {share} of those it judged."
        opens = PairFilter(suggested=frozenset((label.value,))) if number else None
        mark = PlotMark(note, opens, (label.value, number, number / max(total, 1)))
        bars = (PlotBar(mark, number, label.value),)
        after = percent(number / total) if number else ""
        rows.append(BarRow(label.value, bars, most, after, f"{number:,}", label.value))
    numbers = tuple(bar.mark for row in rows for bar in row.bars)
    columns = ("Class", "Pairs", "Share")
    return BarFigure(rows=tuple(rows), height=_ROOMY, numbers=numbers, columns=columns, summary=summary)


def confidence_figure(bins: Sequence[int], summary: str) -> HistogramFigure:
    """How many pairs are suggested with each confidence: `bins` of the same width from 0 to 1, from a quarter up."""
    first = 0 if any(bins[:_BELOW_CHANCE]) else min(_BELOW_CHANCE, len(bins))
    total, bars = sum(bins), []
    for index in range(first, len(bins)):
        pairs = bins[index]
        low, high = round(100 * index / len(bins)), round(100 * (index + 1) / len(bins))
        opens = PairFilter(confidence=(low, high if high == 100 else high - 1)) if pairs else None
        share = pairs / max(total, 1)
        note = f"{count(pairs, 'pair')} with a confidence from {low} to {high} %, {percent(share)}."
        bars.append(PlotBar(PlotMark(note, opens, (f"{low} to {high} %", pairs, share)), pairs, "accent"))
    ticks = ((tick * len(bins) / 100 - first, f"{tick} %") for tick in range(0, 101, 25))
    histogram = Histogram(
        (HistogramRow(tuple(bars)),), len(bins) - first, tuple(tick for tick in ticks if tick[0] >= 0)
    )
    return HistogramFigure(
        histograms=(histogram,) if bars else (),
        height=_TALL,
        numbers=tuple(bar.mark for bar in bars if bar.length),
        columns=("Confidence", "Pairs", "Share"),
        summary=summary,
    )


class _Opinions(NamedTuple):
    """The cells that have a suggestion and, for rows by people, an answer."""

    cells: Sequence[MatrixCell]
    rows: Rows

    @property
    def third(self) -> Rows:
        """Who is neither in the rows nor in the columns."""
        return "gold" if self.rows == "distant" else "distant"

    @property
    def shown(self) -> tuple[str, ...]:
        """The rows: all classes, and pairs without a label if there are any."""
        said = {getattr(cell, self.rows) for cell in self.cells}
        return tuple(label for label in _ORDER if label or "" in said)

    def counts(self) -> Counter[tuple[str, str]]:
        """Pairs by row and column."""
        counts: Counter[tuple[str, str]] = Counter()
        for cell in self.cells:
            counts[getattr(cell, self.rows), cell.suggested] += cell.pairs
        return counts

    def by_third(self, said: str, suggested: str) -> Counter[str]:
        counts: Counter[str] = Counter()
        for cell in self.cells:
            if getattr(cell, self.rows) == said and cell.suggested == suggested:
                counts[getattr(cell, self.third)] += cell.pairs
        return counts

    def pairs_behind(self, said: str, suggested: str) -> PairFilter:
        """A cell's pairs; an accepted suggestion is no word of people's."""
        accepted = None if self.rows == "distant" else False
        of_model = PairFilter(suggested=frozenset((suggested,)), accepted=accepted)
        return with_value(of_model, self.rows, frozenset((said,)))

    def begin(self, said: str, suggested: str) -> str:
        """How a sentence about a cell begins."""
        who = "The phrase says" if self.rows == "distant" else "People say"
        first = f"{who} {said}" if said else "No phrase says anything"
        joint = "and so does the model" if said == suggested else f"the model says {suggested}"
        return f"{first}, {joint}"


def matrix_figure(cells: Iterable[MatrixCell], rows: Rows, summary: str) -> HeatmapFigure:
    """Rows are what the phrase says ("distant") or people ("gold"), columns what the model suggests.

    The line in a cell shows what the third one says of its pairs.
    """
    known = [cell for cell in cells if cell.suggested and (rows == "distant" or cell.gold)]
    opinions = _Opinions(known, rows)
    counts = opinions.counts()
    shown = opinions.shown
    by_row = {said: sum(counts[said, label] for label in _LABELS) for said in shown}
    drawn = tuple(
        tuple(_cell(opinions, said, label, counts[said, label], by_row[said]) for label in _LABELS) for said in shown
    )
    by_column = tuple(f"{sum(counts[said, label] for said in shown):,}" for label in _LABELS)
    sums = (tuple(f"{number:,}" for number in by_row.values()), by_column, f"{counts.total():,}")
    return HeatmapFigure(
        heatmaps=(Heatmap(shown, _LABELS, drawn, sums),),
        corner=_CORNERS[rows],
        numbers=tuple(mark for row in drawn for cell in row for mark in (cell.mark,) if mark.opens is not None),
        columns=("Phrase" if rows == "distant" else "People", "Model", "Pairs", "Share of the row"),
        summary=summary,
    )


def _cell(opinions: _Opinions, said: str, suggested: str, pairs: int, whole: int) -> HeatmapCell:
    third = opinions.by_third(said, suggested)
    known = [label for label in _LABELS if third[label]]
    share = pairs / whole if whole else 0.0
    about = f", {percent(share)} of the row" if pairs else ""
    note = f"{opinions.begin(said, suggested)}: {count(pairs, 'pair')}{about}."
    if known:
        who = "People say" if opinions.rows == "distant" else "The phrase says"
        note += f" {who}: {listed([f'{third[label]:,} {label}' for label in known])}."
    opens = opinions.pairs_behind(said, suggested) if pairs else None
    mark = PlotMark(note, opens, (said or NO_LABEL, suggested, pairs, share))
    parts = tuple(_part(opinions, said, suggested, label, third[label]) for label in known)
    return HeatmapCell(mark, f"{pairs:,}" if pairs else "–", share, said == suggested, parts)


def _part(opinions: _Opinions, said: str, suggested: str, label: str, number: int) -> PlotBar:
    asked = replace(opinions.pairs_behind(said, suggested), accepted=False)  # one of the two is what people say
    who = "people say" if opinions.rows == "distant" else "the phrase says"
    note = f"{opinions.begin(said, suggested)}, and {who} {label}: {count(number, 'pair')}."
    return PlotBar(PlotMark(note, with_value(asked, opinions.third, frozenset((label,)))), number, label)
