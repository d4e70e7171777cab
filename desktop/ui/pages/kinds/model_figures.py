"""The figures of the Kinds page about models: their scores on each category, and factors of their errors."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from desktop.jobs.kinds.report import KindsReport
from desktop.jobs.kinds.selection import KindsSelection
from desktop.jobs.kinds.text import STARS, factor_name
from desktop.text import count
from desktop.translation import tr
from desktop.ui.pages.kinds.figures import category_name, coefficient, groups, scale
from desktop.ui.plots.figures import HALF_TONE, PlotMark, PlotPoint, PointFigure, PointRow
from miner.kinds.factors import CategoryScore, Factor
from miner.kinds.figures import LENGTHS, ModelKinds

TONES = ("accent", "muted", HALF_TONE, "absent")
"""Of models, in their order; there are no more of them in one figure."""
_Z = 1.96  # of a 95 % interval


class FactorMeasure(StrEnum):
    """The measure of a factor to show: from the regression, or from the discriminant analysis."""

    LOG_ODDS = "log odds"
    EFFECT = "effect"
    DISCRIMINANT = "discriminant"


def scores_figure(report: KindsReport) -> PointFigure:
    """The share of right predictions of each model on each category, with intervals (TaxiNLI, Figure 5)."""
    models = report.figures.models
    scores = [{one.category: one for one in model.scores} for model in models]
    seen = [one for one in report.figures.categories if any(found[one].pairs for found in scores)]
    totals = tuple(_total_point(model, tone) for model, tone in zip(models, TONES, strict=False))
    rows = [PointRow(tr("All pairs"), totals, count(max(model.pairs for model in models), "pair"))]
    for name, categories in groups(report, seen):
        rows.append(PointRow(name))
        for category in categories:
            points = tuple(
                _score_point(report, model, found[category], tone)
                for model, found, tone in zip(models, scores, TONES, strict=False)
                if found[category].pairs
            )
            most = max(found[category].pairs for found in scores)
            rows.append(PointRow(category_name(report, category), points, count(most, "pair")))
    return PointFigure(
        rows=tuple(rows),
        ticks=tuple((share / 4, f"{25 * share} %") for share in range(5)),
        series=_series(models),
        summary=tr("Accuracy of each model, with 95 % intervals. Click a bar for the pairs that it gets wrong."),
        columns=(tr("Model"), tr("Category"), tr("Accuracy"), tr("Low"), tr("High"), tr("Pairs")),
        numbers=tuple(point.mark for row in rows for point in row.points),
        decimals=1,
    )


def _total_point(model: ModelKinds, tone: str) -> PlotPoint:
    share = model.right / max(1, model.pairs)
    note = tr(
        "{model} is correct for {percent} of {pairs}.",
        model=model.model,
        percent=_percent(share),
        pairs=count(model.pairs, "pair"),
    )
    wrong = model.pairs - model.right
    opens = KindsSelection(model=model.model) if wrong else None
    return PlotPoint(PlotMark(note, opens, (model.model, tr("All pairs"), share, "", "", model.pairs)), share, tone)


def _score_point(report: KindsReport, model: ModelKinds, one: CategoryScore, tone: str) -> PlotPoint:
    share, interval = one.share or 0.0, one.interval
    name = category_name(report, one.category)
    low, high = interval or (0.0, 1.0)
    note = tr(
        "{model}, {name}: correct for {percent} ({percent_2} to {percent_3}) of ",
        model=model.model,
        name=name,
        percent=_percent(share),
        percent_2=_percent(low),
        percent_3=_percent(high),
    )
    note += f"{count(one.pairs, 'pair')}."
    opens = KindsSelection(frozenset({one.category}), model=model.model) if one.right < one.pairs else None
    mark = PlotMark(note, opens, (model.model, name, share, low, high, one.pairs))
    return PlotPoint(mark, share, tone, low, high)


def factors_figure(report: KindsReport, measure: FactorMeasure) -> PointFigure | None:
    """The factors of each model's errors (TaxiNLI, Figure 6); None where no model can be analysed."""
    models = report.figures.models[: len(TONES)]
    found = [{one.name: one for one in model.factors.factors} for model in models]
    names = [one for one in (*report.taxonomy.reasoning, *LENGTHS) if any(one in factors for factors in found)]
    if not names:
        return None
    rows = []
    for name in names:
        points = tuple(
            _factor_point(report, model, factors[name], measure, tone)
            for model, factors, tone in zip(models, found, TONES, strict=False)
            if name in factors
        )
        rows.append(PointRow(_factor_name(report, name), points))
    bounds = [bound for row in rows for point in row.points for bound in (point.value, *_bounds(point))]
    low, high = min(0.0, *bounds), max(0.0, *bounds)
    return PointFigure(
        rows=tuple(rows),
        ticks=scale(low, high, _step(high - low)),
        series=tuple(one for one, factors in zip(_series(models), found, strict=True) if factors),
        summary=_SUMMARIES[measure],
        columns=(
            tr("Model"),
            tr("Factor"),
            tr("Log odds"),
            tr("Error"),
            "p",
            tr("Significance"),
            tr("Effect"),
            tr("Discriminant"),
        ),
        numbers=tuple(point.mark for row in rows for point in row.points),
    )


_SUMMARIES = {
    FactorMeasure.LOG_ODDS: (
        tr(
            "Logistic regression, in log odds: above 0, the factor makes a correct prediction more "
            "likely; below 0, less likely. {stars}.",
            stars=STARS,
        )
    ),
    FactorMeasure.EFFECT: (
        tr("Average change of the probability of a correct prediction, from the regression. {stars}.", stars=STARS)
    ),
    FactorMeasure.DISCRIMINANT: tr(
        "Linear discriminant analysis: above 0, the factor makes a correct prediction more "
        "likely; below 0, less likely."
    ),
}


def _factor_point(report: KindsReport, model: ModelKinds, one: Factor, measure: FactorMeasure, tone: str) -> PlotPoint:
    name = _factor_name(report, one.name)
    note = tr(
        "{model}, {name}: log odds {three}{stars}, error {error:.3f}, ",
        model=model.model,
        name=name,
        three=_three(one.coefficient),
        stars=one.stars,
        error=one.error,
    )
    note += tr(
        "p {p:.3f}; effect {three}; discriminant {three_2}.",
        p=one.p,
        three=_three(one.effect),
        three_2=_three(one.discriminant),
    )
    is_category = one.name not in LENGTHS
    opens = KindsSelection(frozenset({one.name}), model=model.model) if is_category else None
    values = (
        model.model,
        name,
        _three(one.coefficient),
        f"{one.error:.3f}",
        f"{one.p:.4f}",
        one.stars,
        _three(one.effect),
        _three(one.discriminant),
    )
    mark = PlotMark(note, opens, values)
    match measure:
        case FactorMeasure.DISCRIMINANT:
            return PlotPoint(mark, one.discriminant, tone)
        case FactorMeasure.EFFECT:
            return PlotPoint(mark, one.effect, tone, text=one.stars)
        case _:
            reach = _Z * one.error
            return PlotPoint(mark, one.coefficient, tone, one.coefficient - reach, one.coefficient + reach, one.stars)


def _factor_name(report: KindsReport, factor: str) -> str:
    name = factor_name(factor, {key: one.name for key, one in report.taxonomy.category.items()})
    return name[:1].upper() + name[1:]


def _series(models: Sequence[ModelKinds]) -> tuple[tuple[str, str], ...]:
    return tuple((model.model, tone) for model, tone in zip(models, TONES, strict=False))


def _bounds(point: PlotPoint) -> tuple[float, ...]:
    return () if point.low is None or point.high is None else (point.low, point.high)


def _step(span: float) -> float:
    """The step of a scale with about six ticks: 1, 2 or 5 times a power of ten."""
    power = 0.01
    while True:
        for step in (power, 2 * power, 5 * power):
            if span / step <= 6:
                return step
        power *= 10


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _three(value: float) -> str:
    return coefficient(value) if value == 0 else f"{value:+.3f}".replace("-", "−")
