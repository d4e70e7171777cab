"""The figures of the Agreement page: annotators against each other, and people against the distant label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop.jobs.review.agreement_report import AgreementGroup, AgreementReport, Comparison, GroupKind
from desktop.jobs.review.agreement_text import NO_VALUE, coefficient_text, proportion_text, raw_text, share_text
from desktop.text import count, percent
from desktop.translation import tr
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
    summary = tr("No two annotators have answered the same pair.")
    if ranked:
        pair = tr(
            "{report} and {report_2}", report=report.name(ranked[0].first), report_2=report.name(ranked[0].second)
        )
        summary = tr(
            "Cohen’s κ (agreement beyond chance: 1 is perfect, 0 is chance) of every two annotators. "
            "Lowest: {pair}, κ = {coefficient_text}.",
            pair=pair,
            coefficient_text=coefficient_text(ranked[0].cohen.kappa),
        )
    return HeatmapFigure(
        heatmaps=(Heatmap(tuple(names[1:]), tuple(names[:-1]), cells[1:], are_classes=False),),
        numbers=tuple(cell.mark for row in cells for cell in row),
        columns=(tr("Annotator"), tr("Other annotator"), tr("Pairs"), tr("Votes agree"), tr("Cohen’s κ")),
        summary=summary,
        decimals=1,
    )


def _pairwise_cell(report: AgreementReport, one: Comparison) -> HeatmapCell:
    first, second = report.name(one.first), report.name(one.second)
    kappa, raw = one.cohen.kappa, one.cohen.raw
    if not one.cohen.pairs:
        mark = PlotMark(
            tr("{first} and {second} have not answered the same pairs.", first=first, second=second),
            None,
            (first, second, 0, "", ""),
        )
        return HeatmapCell(mark, NO_VALUE)
    pairs = count(one.cohen.pairs, "pair")
    note = tr(
        "{first} and {second}: {raw_text} of {pairs} have the same answer",
        first=first,
        second=second,
        raw_text=raw_text(raw),
        pairs=pairs,
    )
    note += f", κ {coefficient_text(kappa)}." if kappa.value is not None else "."
    values = (first, second, one.cohen.pairs, raw.value or 0.0, "" if kappa.value is None else f"{kappa.value:.4f}")
    mark = PlotMark(tr("{note} Click for the pairs with different answers.", note=note), one.filter, values)
    return HeatmapCell(mark, coefficient_text(Coefficient(kappa.value)), max(0.0, kappa.value or 0.0))


def distant_figure(report: AgreementReport) -> BarFigure:
    """For each class, what people's majority makes of the distant label; as numbers, table 12 of MSciNLI."""
    classes = [group for group in report.of_kind(GroupKind.CLASS) if group.name and group.distant.annotated]
    rows = [_distant_row(tr("All"), report.overall, None)]
    rows += [_distant_row(group_name(group), group, group.name) for group in classes]
    overall, waiting = report.overall.distant, report.overall.waiting
    summary = tr("No pair with a distant label has enough votes yet.")
    if overall.annotated:
        agreed = proportion_text(overall.agreement)
        summary = tr(
            "The majority of the annotators confirms the distant label in {agreed} of {pairs}.",
            agreed=agreed,
            pairs=count(overall.annotated, "pair"),
        )
        if waiting:
            summary += tr(" {have} too few votes so far.", have=count(waiting, "more pair has", "more pairs have"))
    return BarFigure(
        rows=tuple(rows),
        numbers=tuple(_distant_numbers([*classes, report.overall])),
        columns=(tr("Class"), tr("Annotated"), tr("Agreement"), tr("Low"), tr("High"), tr("No majority")),
        summary=summary,
        axis="percent",
        decimals=1,
    )


def _distant_row(name: str, group: AgreementGroup, label: str | None) -> BarRow:
    found, total = group.distant, max(1, group.distant.annotated)
    parts = (
        (found.agreeing, "accent", "agree", replace(group.filter, disagrees=False)),
        (found.other, "warning", tr("another class"), replace(group.filter, disagrees=True)),
        (
            found.no_consensus,
            ABSENT_TONE,
            tr("no majority"),
            replace(group.filter, statuses=frozenset({PairStatus.UNSETTLED})),
        ),
    )
    bars = []
    for number, tone, what, opens in parts:
        if number:
            note = tr(
                "{name}: {number:,} of {pairs}, {what} ({number_2}).",
                name=name,
                number=number,
                pairs=count(found.annotated, "pair"),
                what=what,
                number_2=percent(number / total),
            )
            bars.append(PlotBar(PlotMark(note, opens), number, tone, (f"{what} {number:,}", f"{number:,}")))
    return BarRow(name, tuple(bars), total, share_text(found.agreement.share), label=label)


def _distant_numbers(groups: Sequence[AgreementGroup]) -> list[PlotMark]:
    found = []
    for group in groups:
        distant = group.distant
        name = group_name(group) if group.kind else tr("All")
        right = distant.agreement
        shares = (right.share or 0.0, *right.interval, distant.undecided.share or 0.0)
        values = (name, distant.annotated, *shares)
        note = tr(
            "{name}: the majority is the distant label in {agreeing:,} of {pairs}.",
            name=name,
            agreeing=distant.agreeing,
            pairs=count(distant.annotated, "pair"),
        )
        found.append(PlotMark(note, group.filter, values))
    return found
