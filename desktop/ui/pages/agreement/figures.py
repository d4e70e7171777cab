"""The figures of the Agreement page: annotators against each other, and people against the distant label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop.jobs.review.agreement_report import AgreementGroup, AgreementReport, Comparison, GroupKind
from desktop.jobs.review.agreement_text import NO_VALUE, coefficient_text, proportion_text, raw_text, share_text
from desktop.text import count, percent
from desktop.ui.pages.agreement.rows import group_name
from desktop.ui.plots.figures import (
    ABSENT_TONE,
    BarFigure,
    BarRow,
    Heatmap,
    HeatmapCell,
    HeatmapFigure,
    PlotBar,
    PlotMark,
)
from miner.agreement import Coefficient
from storage.pairs.filters import PairStatus


def pairwise_figure(report: AgreementReport) -> HeatmapFigure:
    """Cohen's kappa of every two annotators, each once: below the diagonal."""
    compared = {frozenset((one.first, one.second)): one for one in report.comparisons}
    keys = [voter.key for voter in report.voters if any(voter.key in both for both in compared)]
    names = [report.name(key) for key in keys]
    cells = tuple(
        tuple(_pairwise_cell(report, compared[frozenset((row, column))]) for column in keys[:number])
        for number, row in enumerate(keys)
    )
    ranked = sorted(
        (one for one in report.comparisons if one.cohen.kappa.value is not None),
        key=lambda one: one.cohen.kappa.value or 0.0,
    )
    summary = "No two annotators have answered the same pair."
    if ranked:
        pair = f"{report.name(ranked[0].first)} and {report.name(ranked[0].second)}"
        summary = (
            f"Cohen’s κ (agreement beyond chance: 1 is perfect, 0 is chance) of every two annotators. Lowest: {pair}, "
            f"κ = {coefficient_text(ranked[0].cohen.kappa)}."
        )
    return HeatmapFigure(
        heatmaps=(Heatmap(tuple(names[1:]), tuple(names[:-1]), cells[1:], are_classes=False),),
        numbers=tuple(cell.mark for row in cells for cell in row),
        columns=("Annotator", "Other annotator", "Pairs", "Votes agree", "Cohen’s κ"),
        summary=summary,
        decimals=1,
    )


def _pairwise_cell(report: AgreementReport, one: Comparison) -> HeatmapCell:
    first, second = report.name(one.first), report.name(one.second)
    kappa, raw = one.cohen.kappa, one.cohen.raw
    if not one.cohen.pairs:
        mark = PlotMark(f"{first} and {second} have not answered the same pairs.", None, (first, second, 0, "", ""))
        return HeatmapCell(mark, NO_VALUE)
    pairs = count(one.cohen.pairs, "pair")
    note = f"{first} and {second}: {raw_text(raw)} of {pairs} have the same answer"
    note += f", κ {coefficient_text(kappa)}." if kappa.value is not None else "."
    values = (first, second, one.cohen.pairs, raw.value or 0.0, "" if kappa.value is None else f"{kappa.value:.4f}")
    mark = PlotMark(f"{note} Click for the pairs with different answers.", one.filter, values)
    return HeatmapCell(mark, coefficient_text(Coefficient(kappa.value)), max(0.0, kappa.value or 0.0))


def distant_figure(report: AgreementReport) -> BarFigure:
    """For each class, what people's majority makes of the distant label; as numbers, table 12 of MSciNLI."""
    classes = [group for group in report.of_kind(GroupKind.CLASS) if group.name and group.distant.annotated]
    rows = [_distant_row("All", report.overall, None)]
    rows += [_distant_row(group_name(group), group, group.name) for group in classes]
    overall, waiting = report.overall.distant, report.overall.waiting
    summary = "No pair with a distant label has enough votes yet."
    if overall.annotated:
        agreed = proportion_text(overall.agreement)
        summary = (
            f"The majority of the annotators confirms the distant label in {agreed} of "
            f"{count(overall.annotated, 'pair')}."
        )
        if waiting:
            summary += f" {count(waiting, 'more pair has', 'more pairs have')} too few votes so far."
    return BarFigure(
        rows=tuple(rows),
        numbers=tuple(_distant_numbers([*classes, report.overall])),
        columns=("Class", "Annotated", "Agreement", "Low", "High", "No majority"),
        summary=summary,
        axis="percent",
        decimals=1,
    )


def _distant_row(name: str, group: AgreementGroup, label: str | None) -> BarRow:
    found, total = group.distant, max(1, group.distant.annotated)
    parts = (
        (found.agreeing, "accent", "agree", replace(group.filter, disagrees=False)),
        (found.other, "warning", "another class", replace(group.filter, disagrees=True)),
        (
            found.no_consensus,
            ABSENT_TONE,
            "no majority",
            replace(group.filter, statuses=frozenset({PairStatus.UNSETTLED})),
        ),
    )
    bars = []
    for number, tone, what, opens in parts:
        if number:
            note = f"{name}: {number:,} of {count(found.annotated, 'pair')}, {what} ({percent(number / total)})."
            bars.append(PlotBar(PlotMark(note, opens), number, tone, (f"{what} {number:,}", f"{number:,}")))
    return BarRow(name, tuple(bars), total, share_text(found.agreement.share), label=label)


def _distant_numbers(groups: Sequence[AgreementGroup]) -> list[PlotMark]:
    found = []
    for group in groups:
        distant = group.distant
        name = group_name(group) if group.kind else "All"
        right = distant.agreement
        shares = (right.share or 0.0, *right.interval, distant.undecided.share or 0.0)
        values = (name, distant.annotated, *shares)
        note = (
            f"{name}: the majority is the distant label in {distant.agreeing:,} of {count(distant.annotated, 'pair')}."
        )
        found.append(PlotMark(note, group.filter, values))
    return found
