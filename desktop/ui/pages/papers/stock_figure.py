"""The figures of the stock of papers, and of the linking phrases of each domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from desktop.jobs.descriptions.stock import PROPERTY_NAMES, group_note, value_name
from desktop.jobs.papers.stock import PhraseTable, PhraseUse
from desktop.text import count
from desktop.translation import tr
from desktop.ui.plots.figures import (
    ABSENT_TONE,
    HALF_TONE,
    BarFigure,
    BarRow,
    Heatmap,
    HeatmapCell,
    HeatmapFigure,
    PlotBar,
    PlotMark,
)
from desktop.ui.services.display_names import drop_reason_name
from storage.pairs.filters import PairFilter
from storage.papers.stock import Counts, NoPairsReason, PaperGroup, PaperProperty

_MAX_VALUES = 6  # shown of a property
_MAX_YEARS = 12
_MAX_PHRASES, _MAX_DOMAINS = 20, 8


def stock_figure(counts: Mapping[PaperProperty, Counts], shown: PaperGroup | None) -> BarFigure:
    """Bars for the values of each property, under its name; each opens its `PaperGroup`. shown: the group in the table.

    A property without known values is left out. The longest bar of each property has full length.
    """
    rows: list[BarRow] = []
    for one, name in PROPERTY_NAMES.items():
        if any(counts[one]):
            rows += [BarRow(name), *_value_rows(one, counts[one], shown)]
    return BarFigure(rows=tuple(rows), row_height=22)


def shown_name(group: PaperGroup) -> str:
    """The name of the group's value; a short name for a reason why candidates are dropped."""
    if group.property is PaperProperty.NO_PAIRS and group.value not in list(NoPairsReason):
        return drop_reason_name(group.value)
    return value_name(group)


def _value_rows(one: PaperProperty, counts: Counts, shown: PaperGroup | None) -> list[BarRow]:
    listed = list(counts.items())[: _MAX_YEARS if one is PaperProperty.YEAR else _MAX_VALUES]
    if shown is not None and shown.property is one and shown.value in counts:
        listed += [(shown.value, counts[shown.value])] if shown.value not in dict(listed) else []
    longest = max(number for _, number in listed)
    rows = []
    for value, number in listed:
        group = PaperGroup(one, value)
        mark = PlotMark(group_note(group, number), group, (PROPERTY_NAMES[one], shown_name(group), number))
        bar = PlotBar(mark, number, "accent" if group == shown else HALF_TONE)
        rows.append(BarRow(shown_name(group), (bar,), longest, total=f"{number:,}"))
    if more := len(counts) - len(listed):
        papers = sum(counts.values()) - sum(number for _, number in listed)
        note = tr("{values} with {papers}.", values=count(more, "more value"), papers=count(papers, "paper"))
        bar = PlotBar(PlotMark(note), min(papers, longest), ABSENT_TONE)
        rows.append(BarRow(tr("{more:,} more", more=more), (bar,), longest, total=f"{papers:,}"))
    return rows


def phrase_figure(table: PhraseTable) -> HeatmapFigure:
    """How many pairs each phrase made in 100 papers of each domain; a cell opens its pairs.

    The colour of a cell shows its rate as a share of the highest rate of its phrase.
    """
    used = {domain for use in table.phrases for domain in use.pairs}
    domains = [domain for domain in table.papers if domain in used][:_MAX_DOMAINS]
    uses = table.phrases[:_MAX_PHRASES]
    names = tuple(domain or tr("no domain") for domain in domains)
    rows = tuple(tuple(_phrase_cells(table, use, domains)) for use in uses)
    more = len(table.phrases) - len(uses)
    summary = tr(
        "Pairs per 100 papers of each domain; the darkest cell of a row is the domain that uses the phrase most."
    )
    summary += tr(" {are} left out.", are=count(more, "rarer phrase is", "rarer phrases are")) if more else ""
    heatmap = Heatmap(tuple(use.phrase for use in uses), names, rows, are_classes=False)
    return HeatmapFigure(heatmaps=(heatmap,), is_compact=True, summary=summary)


def _phrase_cells(table: PhraseTable, use: PhraseUse, domains: Sequence[str]) -> Iterator[HeatmapCell]:
    highest = max(table.rate(use, domain) for domain in domains) or 1.0
    for domain in domains:
        pairs, rate = use.pairs.get(domain, 0), table.rate(use, domain)
        papers = tr(
            "{papers} of {domain}", papers=count(table.papers[domain], "paper"), domain=domain or tr("no domain")
        )
        note = tr(
            "{pairs} with “{phrase}” in {papers}: {rate:,.1f} per 100 papers.",
            pairs=count(pairs, "pair"),
            phrase=use.phrase,
            papers=papers,
            rate=rate,
        )
        opens = PairFilter(domains=frozenset({domain}), phrases=frozenset({use.phrase})) if pairs else None
        text = f"{rate:,.0f}" if rate >= 10 else f"{rate:,.1f}" if pairs else "–"
        yield HeatmapCell(PlotMark(note, opens), text, rate / highest)
