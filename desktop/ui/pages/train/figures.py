"""How a training goes, and what its model mistakes for what, as figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desktop.text import count, points
from desktop.ui.pages.train import words
from desktop.ui.plots.figures import (
    CurvePoint,
    Heatmap,
    HeatmapCell,
    HeatmapFigure,
    LineChart,
    LineFigure,
    PlotMark,
)
from desktop.ui.services.display_names import capital
from miner.records import Label
from storage.models.training_runs import TrainingRun

_TICKS = 4  # steps of the axis, at most
_LABELS = tuple(label.value for label in Label)


def training_figure(
    history: Mapping[str, Any], *, steps: Mapping[str, int] | None = None, summary: str = ""
) -> LineFigure:
    """Loss and macro F1 (on the pairs kept for it) by step; stages of a training follow each other on one axis.

    `history` is a run's; `steps`: how many a stage will have, where that is known.
    """
    losses, devs = history.get("loss", ()), history.get("dev", ())
    names = list(dict.fromkeys(line[0] for line in (*losses, *devs)))
    loss_curves, dev_curves, starts, length = [], [], [], 0
    for name in names:
        loss = [CurvePoint(length + step, value) for stage, step, value in losses if stage == name]
        dev = [line for line in devs if line[0] == name]
        seen = max((line[1] for line in (*losses, *devs) if line[0] == name), default=0)
        loss_curves.append(tuple(loss))
        dev_curves.append(_dev_curve(dev, name, length))
        starts.append(length)
        length += max(seen, (steps or {}).get(name, 0))
    return LineFigure(
        charts=(
            LineChart("Loss", tuple(loss_curves), "muted", _ticks(loss_curves, 0.1, 1e9, 1), 5),
            LineChart("Macro F1 on the pairs kept for it", tuple(dev_curves), "accent",
                      _ticks(dev_curves, 0.05, 1.0, 100), 7),
        ),
        length=length,
        ticks=_stage_names(names, starts, length) if len(names) > 1 else _steps(length),
        borders=tuple(starts[1:]),
        numbers=tuple(point.mark for curve in dev_curves for point in curve if point.mark),
        columns=("Stage", "Epoch", "Step", "Macro F1", "Right"),
        summary=summary,
        decimals=1,
    )  # fmt: skip


def _dev_curve(lines: Sequence[Sequence[Any]], stage: str, start: int) -> tuple[CurvePoint, ...]:
    """Each of (stage, step of it, epoch, scores) is a point that can be pointed at; the best is a strong one."""
    best = max((scores["macro_f1"] for *_, scores in lines), default=0.0)
    found = []
    for _, step, epoch, scores in lines:
        value, right = scores["macro_f1"], scores["accuracy"]
        where = f"{capital(stage)}, epoch {epoch}" if stage else f"Epoch {epoch}"
        note = f"{where}, step {step:,}: macro F1 {points(value)}, right {points(right)} %"
        note += ", the best so far." if value == best else "."
        values = (_stage_name(stage), int(epoch), int(step), float(value), float(right))
        found.append(CurvePoint(start + step, value, PlotMark(note, None, values), value == best))
    return tuple(found)


def _stage_name(stage: str) -> str:
    return stage or "all labels"


def _steps(length: int) -> tuple[tuple[float, str], ...]:
    steps = sorted({round(length * tick / _TICKS) for tick in range(_TICKS + 1)} if length else ())
    return tuple((float(step), f"{step:,} steps" if step == length else f"{step:,}") for step in steps)


def _stage_names(names: Sequence[str], starts: Sequence[int], length: int) -> tuple[tuple[float, str], ...]:
    """In the middle of each stage."""
    ends = (*starts[1:], length)
    return tuple(((start + end) / 2, _stage_name(name)) for name, start, end in zip(names, starts, ends, strict=True))


def _ticks(
    curves: Sequence[Sequence[CurvePoint]], step: float, most: float, factor: float
) -> tuple[tuple[float, str], ...]:
    """Round bounds with some room around all values, and their middle; shown multiplied by the factor."""
    values = [point.y for curve in curves for point in curve]
    low, high = min(values, default=0.0), max(values, default=1.0)
    bottom = max(0.0, step * int((low - step / 2) / step))
    top = min(most, step * (int((high + step / 2) / step) + 1))
    if top - bottom < 2 * step - 1e-9:
        top = bottom + 2 * step
    return tuple((value, f"{factor * value:.3g}") for value in (bottom, (bottom + top) / 2, top))


def confusion_figure(runs: Sequence[TrainingRun]) -> HeatmapFigure:
    """Labels by suggestions for each run, side by side; an empty place for a run that was not measured."""
    maps = tuple(_confusion(run) for run in runs)
    return HeatmapFigure(heatmaps=maps, dense=True)


def _confusion(run: TrainingRun) -> Heatmap | None:
    found = words.scores(run)
    if found is None:
        return None
    rows = []
    for said, numbers in zip(_LABELS, found["confusion"], strict=True):
        whole, cells = sum(numbers), []
        for suggested, pairs in zip(_LABELS, numbers, strict=True):
            verb = "are suggested as such" if said == suggested else f"are suggested as {suggested}"
            note = f"{run.name}: of {count(whole, 'pair')} labelled {said}, {pairs:,} {verb}."
            mark = PlotMark(note, None, (run.name, said, suggested, int(pairs)))
            cells.append(HeatmapCell(mark, f"{pairs:,}", pairs / (whole or 1), said == suggested))
        rows.append(tuple(cells))
    return Heatmap(_LABELS, _LABELS, tuple(rows))
