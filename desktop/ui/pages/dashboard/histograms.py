"""Figures of the dashboard: how long sentences are and how many words they share, as histograms by class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from desktop.text import listed, percent
from desktop.translation import tr
from desktop.ui.pages.dashboard.figures import LABELS, filter_in_domain, mark
from desktop.ui.plots.figures import NO_LABEL_TONE, Histogram, HistogramFigure, HistogramRow, PlotBar
from desktop.ui.services.display_names import NO_LABEL
from miner.statistics import Bins
from storage.pairs.filters import PairFilter, Range
from storage.pairs.statistics import PERCENT, WORDS, ClassMeasures


def lengths_figure(measures: Mapping[str, ClassMeasures], domain: str | None) -> HistogramFigure:
    """Number of words of the premise and of the hypothesis, by class."""

    def histogram(title: str, field: str, values: Callable[[ClassMeasures], tuple[Sequence[int], float]]) -> Histogram:
        return _histogram(title, "words", WORDS, measures, domain, values, field)

    histograms = (
        histogram(tr("Premise"), "premise_words", lambda measured: (measured.premise, measured.mean_premise)),
        histogram(
            tr("Hypothesis"), "hypothesis_words", lambda measured: (measured.hypothesis, measured.mean_hypothesis)
        ),
    )
    premise = _mean(measures, lambda measured: measured.mean_premise)
    hypothesis = _mean(measures, lambda measured: measured.mean_hypothesis)
    means = (
        [tr("premise {premise:.1f}", premise=premise), tr("hypothesis {hypothesis:.1f}", hypothesis=hypothesis)]
        if measures
        else []
    )
    summary = tr(
        "Words on average: {means}. The classes should look alike; otherwise a model can guess the "
        "class from the length.",
        means=listed(means),
    )
    return _with_numbers(histograms, (tr("Sentence"), tr("Class"), tr("Words"), tr("Pairs"), tr("Share")), summary)


def overlap_figure(measures: Mapping[str, ClassMeasures], domain: str | None) -> HistogramFigure:
    """Share of the hypothesis' words that are in the premise too, by class."""
    histogram = _histogram(
        "", "%", PERCENT, measures, domain, lambda measured: (measured.overlap, measured.mean_overlap), "overlap"
    )
    mean = _mean(measures, lambda measured: measured.mean_overlap)
    summary = tr("On average, {mean:.0f} % of the words of the hypothesis are also in the premise.", mean=mean)
    return _with_numbers((histogram,), (tr("Class"), tr("Shared"), tr("Pairs"), tr("Share")), summary)


def _with_numbers(histograms: tuple[Histogram, ...], columns: tuple[str, ...], summary: str) -> HistogramFigure:
    """A figure with a row of numbers for each bar."""
    figure = HistogramFigure(histograms=histograms, columns=columns, summary=summary)
    return replace(figure, numbers=tuple(figure.marks()))


def _mean(measures: Mapping[str, ClassMeasures], class_mean: Callable[[ClassMeasures], float]) -> float:
    """The mean over all pairs, computed from the means of the classes."""
    pairs = sum(measured.pairs for measured in measures.values())
    return sum(class_mean(measured) * measured.pairs for measured in measures.values()) / max(pairs, 1)


def _histogram(
    title: str,
    unit: str,
    bins: Bins,
    measures: Mapping[str, ClassMeasures],
    domain: str | None,
    values: Callable[[ClassMeasures], tuple[Sequence[int], float]],
    field: str,
) -> Histogram:
    rows = []
    for label in LABELS:
        if not (measured := measures.get(label)):
            continue
        numbers, mean = values(measured)
        bars = tuple(
            _bin_bar(
                title, unit, bins, index, number, measured.pairs, label, _bin_filter(domain, label, field, bins, index)
            )
            for index, number in enumerate(numbers)
        )
        mean_in_bins = min(mean / bins.width, len(bins) - 0.5)
        mean_text = f"{mean:.0f}" if unit == "words" else f"{mean:.0f} %"
        rows.append(HistogramRow(bars, label or NO_LABEL, label, mean_in_bins, mean_text))
    step = 2 if bins.top is None else 5
    ticks = [(float(index), f"{index * bins.width:,}") for index in range(0, len(bins), step)]
    if bins.top is None:
        ticks[-1] = (ticks[-1][0], f"{bins.last:,}+")
    else:
        ticks.append((float(len(bins)), f"{bins.top:,} %"))
    return Histogram(tuple(rows), len(bins), tuple(ticks), f"{title}, {unit}" if title else tr("Shared words"))


def _bin_bar(
    title: str, unit: str, bins: Bins, index: int, number: int, total: int, label: str, pairs: PairFilter
) -> PlotBar:
    name = bins.name(index)
    subject = tr("{label} pairs", label=label) if label else tr("pairs without a label")
    predicate = tr(
        "{has} a {title} of {name} words", has=tr("has") if number == 1 else tr("have"), title=title.lower(), name=name
    )
    if unit != "words":
        predicate = tr(
            "{shares} {name} % of the hypothesis' words", shares=tr("shares") if number == 1 else tr("share"), name=name
        )
    note = tr(
        "{number:,} of {total:,} {subject} {predicate} ({number_2}).",
        number=number,
        total=total,
        subject=subject,
        predicate=predicate,
        number_2=percent(number / total),
    )
    names = (*((title,) if title else ()), label or NO_LABEL, name if unit == "words" else f"{name} %")
    return PlotBar(mark(number, total, names, note, pairs), number / total, label or NO_LABEL_TONE)


def _bin_filter(domain: str | None, label: str, field: str, bins: Bins, index: int) -> PairFilter:
    limits: Range = bins.limits(index)
    return filter_in_domain(domain, labels=frozenset((label,)), **{field: limits})
