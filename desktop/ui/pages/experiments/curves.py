"""The plot of precision by recall of one model on one subset of a mesh, for each input that it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.translation import tr
from desktop.ui.plots.figures import CurvePoint, LineChart, LineFigure, PlotMark

if TYPE_CHECKING:  # it imports numpy
    from miner.lab.experiments.direction import DirectionCurve, DirectionFinding

_TICKS = tuple((step / 100, f"{step} %") for step in (0, 50, 100))
_RECALL_TICKS = tuple((step / 100, f"{step} %") for step in range(0, 101, 20))
_MARK_EVERY = 5  # points


def chosen_curve(findings: tuple[DirectionFinding, ...], test: str) -> tuple[str, DirectionCurve] | None:
    """The first system's curve on the set with this name, else on its first set; None if there is no curve."""
    curves = [(found.system, curve) for found in findings for curve in found.curves]
    return next((one for one in curves if one[1].set == test), curves[0] if curves else None)


def curve_figure(system: str, curve: DirectionCurve, recalls: tuple[float, ...]) -> LineFigure:
    """A chart for each input, one above the other; the dashed line in each is what random scores have."""
    charts, numbers = [], []
    for name, precisions in curve.lines.items():
        points = []
        for place, (recall, precision) in enumerate(zip(recalls, precisions, strict=True)):
            mark = None
            if place % _MARK_EVERY == 0:
                note = tr(
                    "{name}: among the pairs with the highest scores, {precision:.0f} % are positive when ",
                    name=name.capitalize(),
                    precision=100 * precision,
                )
                note += tr("{recall:.0f} % of all positive pairs are found.", recall=100 * recall)
                mark = PlotMark(note, None, (name, float(recall), float(precision)))
                numbers.append(mark)
            points.append(CurvePoint(recall, precision, mark, is_filled=True))
        title = tr("Precision, {name}", name=name)
        charts.append(LineChart(title, (tuple(points),), "accent", _TICKS, chance=curve.share))
    return LineFigure(
        charts=tuple(charts),
        length=1.0,
        ticks=_RECALL_TICKS,
        summary=(
            tr(
                "{system} on {set}, trained there, precision by recall. Dashed line: chance, {share:.0f} %.",
                system=system,
                set=curve.set,
                share=100 * curve.share,
            )
        ),
        columns=(tr("Input"), tr("Recall"), tr("Precision")),
        numbers=tuple(numbers),
    )
