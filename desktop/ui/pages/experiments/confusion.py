"""The confusion matrix of a table's row: which classes systems predict for the pairs of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.lab.experiments.table_pairs import confused_filter
from desktop.text import count
from desktop.translation import tr
from desktop.ui.plots.figures import Heatmap, HeatmapCell, HeatmapFigure, PlotMark
from miner.lab.experiments.experiment import Experiment
from miner.records import Label
from storage.pairs.filters import PairFilter

if TYPE_CHECKING:  # it imports numpy
    from desktop.jobs.lab.experiments.details import ConfusionMatrix

NO_ANSWER = tr("no answer")


def confusion_figure(
    confusion: ConfusionMatrix, experiment: Experiment, tested: PairFilter, name: str
) -> HeatmapFigure:
    """The figure of a row called `name`. tested: the row's pairs; each cell opens its pairs among them."""
    classes = confusion.classes
    has_unreadable = any(counts[-1] for counts in confusion.counts)
    columns = (*classes, NO_ANSWER) if has_unreadable else classes
    rows, numbers = [], []
    for label, counts in zip(classes, confusion.counts, strict=True):
        total, cells = sum(counts), []
        for predicted, pairs in zip((*classes, ""), counts, strict=True):
            if not predicted and not has_unreadable:
                continue
            predicate = tr("predicted as {predicted}", predicted=predicted) if predicted else tr("without a prediction")
            predicate = tr("predicted correctly") if predicted == label else predicate
            note = tr(
                "Of {predictions} for pairs of {label}, {pairs:,} are {predicate}.",
                predictions=count(total, "prediction"),
                label=label,
                pairs=pairs,
                predicate=predicate,
            )
            opens = confused_filter(experiment, tested, label, predicted) if pairs else None
            mark = PlotMark(note, opens, (label, predicted or NO_ANSWER, int(pairs), pairs / (total or 1)))
            text = f"{pairs:,}"
            cells.append(HeatmapCell(mark, text, pairs / (total or 1), label == predicted))
            numbers.append(mark)
        rows.append(tuple(cells))
    are_classes = all(name in {label.value for label in Label} for name in classes) and not has_unreadable
    runs = tr(", {runs} runs together", runs=confusion.runs) if confusion.runs > 1 else ""
    heatmap = Heatmap(classes, columns, tuple(rows), are_classes=are_classes)
    return HeatmapFigure(
        heatmaps=(heatmap,),
        corner=tr("label ↓ predicted →"),
        summary=tr(
            "{name}{runs}. Rows: the label; columns: what is predicted. Click a cell for the pairs.",
            name=name,
            runs=runs,
        ),
        columns=(tr("Label"), tr("Predicted"), tr("Predictions"), tr("Share")),
        numbers=tuple(numbers),
    )
