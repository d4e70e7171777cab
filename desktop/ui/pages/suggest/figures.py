"""The figures of the Model page: suggestions by class and confidence, and labels of phrase, people and model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from desktop.text import count, listed, percent
from desktop.translation import tr
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
from storage.models.suggestion_statistics import MatrixCell
from storage.pairs.filters import PairFilter, with_value

RowOpinion = Literal["distant", "gold"]  # fields of MatrixCell: labels of phrases, labels by people
_BINS_BELOW_CHANCE = 5  # of 20: the best of four classes has at least 25 %
_ROW_HEIGHT = 32  # unscaled pixels
_HISTOGRAM_HEIGHT = 112  # unscaled pixels
_CORNERS = {"distant": tr("distant label ↓ model →"), "gold": tr("annotators ↓ model →")}
_LABELS = tuple(label.value for label in Label)
_LABELS_OR_NONE = (*_LABELS, "")


def classes_figure(counts: Mapping[Label, int], summary: str) -> BarFigure:
    """Number of suggestions of each class."""
    total, largest = sum(counts.values()), max(counts.values(), default=0) or 1
    rows = []
    for label in Label:
        number = counts.get(label, 0)
        share = percent(number / total) if total else "none"
        note = tr(
            "The model suggests {value} for {pairs}, {share} of all suggestions.",
            value=label.value,
            pairs=count(number, "pair"),
            share=share,
        )
        opens = PairFilter(suggested=frozenset((label.value,))) if number else None
        mark = PlotMark(note, opens, (label.value, number, number / max(total, 1)))
        bars = (PlotBar(mark, number, label.value),)
        detail = percent(number / total) if number else ""
        rows.append(BarRow(label.value, bars, largest, detail, f"{number:,}", label.value))
    numbers = tuple(bar.mark for row in rows for bar in row.bars)
    columns = (tr("Class"), tr("Pairs"), tr("Share"))
    return BarFigure(rows=tuple(rows), row_height=_ROW_HEIGHT, numbers=numbers, columns=columns, summary=summary)


def confidence_figure(bins: Sequence[int], summary: str) -> HistogramFigure:
    """Number of suggestions by confidence. bins: counts in bins of equal width from 0 to 1."""
    first = 0 if any(bins[:_BINS_BELOW_CHANCE]) else min(_BINS_BELOW_CHANCE, len(bins))
    total, bars = sum(bins), []
    for index in range(first, len(bins)):
        pairs = bins[index]
        low, high = round(100 * index / len(bins)), round(100 * (index + 1) / len(bins))
        opens = PairFilter(confidence=(low, high if high == 100 else high - 1)) if pairs else None
        share = pairs / max(total, 1)
        note = tr(
            "{pairs} with a confidence from {low} to {high} %, {share}.",
            pairs=count(pairs, "pair"),
            low=low,
            high=high,
            share=percent(share),
        )
        bars.append(
            PlotBar(PlotMark(note, opens, (tr("{low} to {high} %", low=low, high=high), pairs, share)), pairs, "accent")
        )
    ticks = ((tick * len(bins) / 100 - first, f"{tick} %") for tick in range(0, 101, 25))
    histogram = Histogram(
        (HistogramRow(tuple(bars)),), len(bins) - first, tuple(tick for tick in ticks if tick[0] >= 0)
    )
    return HistogramFigure(
        histograms=(histogram,) if bars else (),
        row_height=_HISTOGRAM_HEIGHT,
        numbers=tuple(bar.mark for bar in bars if bar.length),
        columns=(tr("Confidence"), tr("Pairs"), tr("Share")),
        summary=summary,
    )


class _LabelMatrix(NamedTuple):
    """Pairs by row label and suggested label. cells: pairs that have both labels. rows: whose labels the rows are."""

    cells: Sequence[MatrixCell]
    rows: RowOpinion

    @property
    def third_opinion(self) -> RowOpinion:
        """The opinion that is in neither the rows nor the columns."""
        return "gold" if self.rows == "distant" else "distant"

    @property
    def row_labels(self) -> tuple[str, ...]:
        """All classes, and "" if there are pairs without a label."""
        labels = {getattr(cell, self.rows) for cell in self.cells}
        return tuple(label for label in _LABELS_OR_NONE if label or "" in labels)

    def counts(self) -> Counter[tuple[str, str]]:
        """Pairs by row label and suggested label."""
        counts: Counter[tuple[str, str]] = Counter()
        for cell in self.cells:
            counts[getattr(cell, self.rows), cell.suggested] += cell.pairs
        return counts

    def third_counts(self, row_label: str, suggested: str) -> Counter[str]:
        """The pairs of a cell by the label of the third opinion."""
        counts: Counter[str] = Counter()
        for cell in self.cells:
            if getattr(cell, self.rows) == row_label and cell.suggested == suggested:
                counts[getattr(cell, self.third_opinion)] += cell.pairs
        return counts

    def pair_filter(self, row_label: str, suggested: str) -> PairFilter:
        """The pairs of a cell. An accepted suggestion is not a label by people."""
        accepted = None if self.rows == "distant" else False
        by_model = PairFilter(suggested=frozenset((suggested,)), accepted=accepted)
        return with_value(by_model, self.rows, frozenset((row_label,)))

    def clause(self, row_label: str, suggested: str) -> str:
        """The start of a sentence about a cell."""
        subject = tr("The distant label is") if self.rows == "distant" else tr("Annotators say")
        row_clause = f"{subject} {row_label}" if row_label else tr("There is no distant label")
        column_clause = (
            tr("and the model agrees")
            if row_label == suggested
            else tr("the model says {suggested}", suggested=suggested)
        )
        return f"{row_clause}, {column_clause}"


def disagreement_figure(cells: Iterable[MatrixCell], rows: RowOpinion, summary: str) -> HeatmapFigure:
    """Rows: labels of phrases ("distant") or by people ("gold"). Columns: labels suggested by the model.

    The thin bar in a cell shows the labels of the third opinion.
    """
    matrix = _LabelMatrix([cell for cell in cells if cell.suggested and (rows == "distant" or cell.gold)], rows)
    counts, row_labels = matrix.counts(), matrix.row_labels
    row_sums = {row: sum(counts[row, label] for label in _LABELS) for row in row_labels}
    heatmap_cells = tuple(
        tuple(_cell(matrix, row, label, counts[row, label], row_sums[row]) for label in _LABELS) for row in row_labels
    )
    column_texts = tuple(f"{sum(counts[row, label] for row in row_labels):,}" for label in _LABELS)
    sums = (tuple(f"{number:,}" for number in row_sums.values()), column_texts, f"{counts.total():,}")
    return HeatmapFigure(
        heatmaps=(Heatmap(row_labels, _LABELS, heatmap_cells, sums),),
        corner=_CORNERS[rows],
        numbers=tuple(cell.mark for row in heatmap_cells for cell in row if cell.mark.opens is not None),
        columns=(
            tr("Distant label") if rows == "distant" else tr("Annotators"),
            tr("Model"),
            tr("Pairs"),
            tr("Share of the row"),
        ),
        summary=summary,
    )


def _cell(matrix: _LabelMatrix, row_label: str, suggested: str, pairs: int, row_sum: int) -> HeatmapCell:
    third_counts = matrix.third_counts(row_label, suggested)
    third_labels = [label for label in _LABELS if third_counts[label]]
    share = pairs / row_sum if row_sum else 0.0
    share_text = tr(", {share} of the row", share=percent(share)) if pairs else ""
    note = f"{matrix.clause(row_label, suggested)}: {count(pairs, 'pair')}{share_text}."
    if third_labels:
        subject = tr("Annotators say") if matrix.rows == "distant" else tr("Distant label")
        note += f" {subject}: {listed([f'{third_counts[label]:,} {label}' for label in third_labels])}."
    opens = matrix.pair_filter(row_label, suggested) if pairs else None
    mark = PlotMark(note, opens, (row_label or NO_LABEL, suggested, pairs, share))
    parts = tuple(_part(matrix, row_label, suggested, label, third_counts[label]) for label in third_labels)
    return HeatmapCell(mark, f"{pairs:,}" if pairs else "–", share, row_label == suggested, parts)


def _part(matrix: _LabelMatrix, row_label: str, suggested: str, label: str, number: int) -> PlotBar:
    pairs = replace(matrix.pair_filter(row_label, suggested), accepted=False)  # one of the labels is by people
    subject = tr("annotators say") if matrix.rows == "distant" else tr("the distant label is")
    note = tr(
        "{clause}, and {subject} {label}: {pairs}.",
        clause=matrix.clause(row_label, suggested),
        subject=subject,
        label=label,
        pairs=count(number, "pair"),
    )
    opens = with_value(pairs, matrix.third_opinion, frozenset((label,)))
    return PlotBar(PlotMark(note, opens), number, label)
