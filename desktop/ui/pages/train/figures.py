"""The figures of the Train page: training curves and confusion matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop.jobs.models.training_history import DevPoint, LossPoint, TrainingHistory
from desktop.text import count, points
from desktop.translation import tr
from desktop.ui.pages.train.scores import run_scores
from desktop.ui.plots.figures import (
    CurvePoint,
    Heatmap,
    HeatmapCell,
    HeatmapFigure,
    LineChart,
    LineFigure,
    PlotMark,
)
from desktop.ui.services.display_names import capitalized
from miner.records import Label
from storage.models.training_runs import TrainingRun

_MAX_STEP_TICKS = 4  # after 0
_LABELS = tuple(label.value for label in Label)


def training_figure(
    history: TrainingHistory, *, steps: Mapping[str, int] | None = None, summary: str = ""
) -> LineFigure:
    """Loss and dev macro F1 by step. The stages of a training follow each other on one axis.

    steps: the number of steps of each stage, if known.
    """
    measured: list[LossPoint | DevPoint] = [*history.loss, *history.dev]
    names = list(dict.fromkeys(point.stage for point in measured))
    loss_curves, dev_curves, starts, length = [], [], [], 0
    for name in names:
        loss = [CurvePoint(length + point.step, point.loss) for point in history.loss if point.stage == name]
        dev = [point for point in history.dev if point.stage == name]
        last_step = max((point.step for point in measured if point.stage == name), default=0)
        loss_curves.append(tuple(loss))
        dev_curves.append(_dev_curve(dev, name, length))
        starts.append(length)
        length += max(last_step, (steps or {}).get(name, 0))
    return LineFigure(
        charts=(
            LineChart(tr("Loss"), tuple(loss_curves), "muted", _value_ticks(loss_curves, 0.1, 1e9, 1), 5),
            LineChart(tr("Macro F1 on the dev pairs"), tuple(dev_curves), "accent",
                      _value_ticks(dev_curves, 0.05, 1.0, 100), 7),
        ),
        length=length,
        ticks=_stage_ticks(names, starts, length) if len(names) > 1 else _step_ticks(length),
        separators=tuple(starts[1:]),
        numbers=tuple(point.mark for curve in dev_curves for point in curve if point.mark),
        columns=(tr("Stage"), tr("Epoch"), tr("Step"), tr("Macro F1"), tr("Accuracy")),
        summary=summary,
        decimals=1,
    )  # fmt: skip


def _dev_curve(measured: Sequence[DevPoint], stage: str, start: int) -> tuple[CurvePoint, ...]:
    """A curve with a mark for each point; the best mark is filled."""
    best = max((point.scores["macro_f1"] for point in measured), default=0.0)
    curve = []
    for _, step, epoch, scores in measured:
        value, accuracy = scores["macro_f1"], scores["accuracy"]
        epoch_text = (
            tr("{stage}, epoch {epoch}", stage=capitalized(stage), epoch=epoch)
            if stage
            else tr("Epoch {epoch}", epoch=epoch)
        )
        note = tr(
            "{epoch_text}, step {step:,}: macro F1 {value}, accuracy {accuracy} %",
            epoch_text=epoch_text,
            step=step,
            value=points(value),
            accuracy=points(accuracy),
        )
        note += tr(", the best so far.") if value == best else "."
        values = (_stage_name(stage), int(epoch), int(step), float(value), float(accuracy))
        curve.append(CurvePoint(start + step, value, PlotMark(note, None, values), value == best))
    return tuple(curve)


def _stage_name(stage: str) -> str:
    return stage or tr("all labels")


def _step_ticks(length: int) -> tuple[tuple[float, str], ...]:
    steps = sorted({round(length * tick / _MAX_STEP_TICKS) for tick in range(_MAX_STEP_TICKS + 1)} if length else ())
    return tuple((float(step), tr("{step:,} steps", step=step) if step == length else f"{step:,}") for step in steps)


def _stage_ticks(names: Sequence[str], starts: Sequence[int], length: int) -> tuple[tuple[float, str], ...]:
    """The name of each stage, at its middle."""
    ends = (*starts[1:], length)
    return tuple(((start + end) / 2, _stage_name(name)) for name, start, end in zip(names, starts, ends, strict=True))


def _value_ticks(
    curves: Sequence[Sequence[CurvePoint]], step: float, maximum: float, factor: float
) -> tuple[tuple[float, str], ...]:
    """Ticks at round numbers from below to above all values. Their texts are the values times `factor`."""
    values = [point.y for curve in curves for point in curve]
    low, high = min(values, default=0.0), max(values, default=1.0)
    bottom = max(0.0, step * int((low - step / 2) / step))
    top = min(maximum, step * (int((high + step / 2) / step) + 1))
    if top - bottom < 2 * step - 1e-9:
        top = bottom + 2 * step
    return tuple((value, f"{factor * value:.3g}") for value in (bottom, (bottom + top) / 2, top))


def confusion_figure(runs: Sequence[TrainingRun]) -> HeatmapFigure:
    """A confusion matrix for each run, side by side; an empty place for a run that was not measured."""
    heatmaps = tuple(_confusion(run) for run in runs)
    return HeatmapFigure(heatmaps=heatmaps, is_compact=True)


def _confusion(run: TrainingRun) -> Heatmap | None:
    scores = run_scores(run)
    if scores is None:
        return None
    rows = []
    for label, counts in zip(_LABELS, scores["confusion"], strict=True):
        total, cells = sum(counts), []
        for suggested, pairs in zip(_LABELS, counts, strict=True):
            predicate = (
                tr("are predicted correctly")
                if label == suggested
                else tr("are predicted as {suggested}", suggested=suggested)
            )
            note = tr(
                "{name}: of {pairs} labelled {label}, {pairs_2:,} {predicate}.",
                name=run.name,
                pairs=count(total, "pair"),
                label=label,
                pairs_2=pairs,
                predicate=predicate,
            )
            mark = PlotMark(note, None, (run.name, label, suggested, int(pairs)))
            cells.append(HeatmapCell(mark, f"{pairs:,}", pairs / (total or 1), label == suggested))
        rows.append(tuple(cells))
    return Heatmap(_LABELS, _LABELS, tuple(rows))
