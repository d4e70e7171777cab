"""Figures of a corpus: its papers by field, year and language, its pairs by class, and files that are no papers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from desktop.jobs.corpus.choice import CorpusChoice
from desktop.jobs.descriptions.stock import failure_name
from desktop.text import count as counted
from desktop.text import percent
from desktop.translation import tr
from desktop.ui.plots.figures import (
    ABSENT_TONE,
    NO_LABEL_TONE,
    BarFigure,
    BarRow,
    Histogram,
    HistogramFigure,
    HistogramRow,
    PlotBar,
    PlotMark,
)
from desktop.ui.services.display_names import NO_DOMAIN, NO_LABEL, STRATEGIES, capitalized
from miner.parsing.language import language_name
from miner.records import Label

if TYPE_CHECKING:
    from miner.corpus.shards import ShardCounts

_MAX_ROWS = 12
_LABELS = (*(label.value for label in Label), "")
_TICK_GAP = 6  # the most ticks of a plot of years


def field_figure(counts: ShardCounts, choice: CorpusChoice) -> BarFigure:
    """Papers by domain; domains that are not chosen are grey."""
    papers, chosen, pairs = Counter[str](), Counter[str](), Counter[str]()
    for domain, year, _, number in counts.papers:
        papers[domain] += number
        chosen[domain] += number if choice.has(domain, year) else 0
    for domain, _, _, number in counts.pairs:
        pairs[domain] += number
    rows = []
    for domain, number in _most_first(papers):
        name = domain or NO_DOMAIN
        note = tr(
            "{name}: {papers} and {pairs}.",
            name=name,
            papers=counted(number, "paper"),
            pairs=counted(pairs[domain], "pair"),
        )
        mark = PlotMark(note, None, (name, number, pairs[domain]))
        parts = ((chosen[domain], "accent"), (number - chosen[domain], ABSENT_TONE))
        bars = tuple(PlotBar(mark, part, tone) for part, tone in parts if part)
        rows.append(BarRow(name, bars, 1, counted(pairs[domain], "pair"), f"{number:,}"))
    summary = tr(
        "{papers} in {fields}.", papers=counted(papers.total(), "paper"), fields=counted(len(papers), "domain")
    )
    return _bar_figure(rows, (tr("Domain"), tr("Papers"), tr("Pairs")), summary)


def year_figure(counts: ShardCounts, choice: CorpusChoice) -> HistogramFigure:
    """Papers of the chosen domain by year; years that are not chosen are grey."""
    papers = Counter[str]()
    for domain, year, _, number in counts.papers:
        if choice.domain in (None, domain):
            papers[year] += number
    known = sorted(int(year) for year in papers if year)
    first, last = (known[0], known[-1]) if known else (0, 0)
    most, total = max(papers.values(), default=1), max(papers.total(), 1)
    bars = []
    for one in range(first, last + 1) if known else ():
        year = str(one)
        number = papers[year]
        note = tr("{year}: {papers}.", year=year, papers=counted(number, "paper"))
        mark = PlotMark(note, None, (year, number, number / total))
        tone = "accent" if choice.has_year(year) else ABSENT_TONE
        bars.append(PlotBar(mark, number / most, tone))
    step = max(1, -(-len(bars) // _TICK_GAP))
    ticks = tuple((place + 0.5, str(first + place)) for place in range(0, len(bars), step))
    numbers = [bar.mark for bar in bars if bar.length]
    summary = tr("The year of {papers} is not known.", papers=counted(papers[""], "paper"))
    if papers[""]:
        numbers.append(PlotMark(summary, None, (tr("not known"), papers[""], papers[""] / total)))
    return HistogramFigure(
        histograms=(Histogram((HistogramRow(tuple(bars)),), max(len(bars), 1), ticks),),
        row_height=150,
        columns=(tr("Year"), tr("Papers"), tr("Share")),
        numbers=tuple(numbers),
        summary=summary if papers[""] else tr("The year of every paper is known."),
    )


def class_figure(counts: ShardCounts, choice: CorpusChoice) -> BarFigure:
    """Pairs of the chosen domain by the way they were mined and by distant label."""
    by_strategy: dict[str, Counter[str]] = {}
    for domain, strategy, label, number in counts.pairs:
        if choice.domain in (None, domain):
            by_strategy.setdefault(strategy, Counter())[label] += number
    everything = sum(by_strategy.values(), Counter[str]())
    total = max(everything.total(), 1)
    names = {strategy: capitalized(STRATEGIES.get(strategy, strategy)) for strategy in by_strategy}
    rows = [_class_row(tr("All pairs"), everything, total)]
    most_first = sorted(by_strategy, key=lambda strategy: -by_strategy[strategy].total())
    rows += [_class_row(names[strategy], by_strategy[strategy], total) for strategy in most_first]
    where = choice.domain if choice.domain is not None else None
    summary = tr("Pairs are counted by domain, not by year.")
    if where is not None:
        summary = tr("In {domain}. {summary}", domain=where or NO_DOMAIN, summary=summary)
    return BarFigure(
        rows=tuple(rows),
        columns=(tr("How it was mined"), tr("Distant label"), tr("Pairs"), tr("Share")),
        numbers=tuple(bar.mark for row in rows for bar in row.bars),
        summary=summary,
    )


def language_figure(counts: ShardCounts, choice: CorpusChoice) -> BarFigure:
    """The chosen papers by language."""
    papers = Counter[str]()
    for domain, year, language, number in counts.papers:
        if choice.has(domain, year):
            papers[language and language_name(language)] += number
    return _simple_figure(papers, tr("Language"), tr("Papers"), tr("not known"), "accent", "paper", "")


def failure_figure(counts: ShardCounts) -> BarFigure:
    """Files that are not papers, by reason."""
    files = Counter[str]()
    for code, number in counts.failed:  # several codes may have one name
        files[capitalized(failure_name(code))] += number
    papers = sum(number for *_, number in counts.papers)
    summary = tr(
        "{files} of {given} could not be read.",
        files=counted(files.total(), "file"),
        given=f"{files.total() + papers:,}",
    )
    return _simple_figure(files, tr("Reason"), tr("Files"), "", "warning", "file", summary)


def _class_row(name: str, labels: Mapping[str, int], full: int) -> BarRow:
    number = sum(labels.values())
    bars = []
    for label in _LABELS:
        if of_label := labels.get(label, 0):
            shown, share = label or NO_LABEL, of_label / number
            note = tr(
                "{name}, {label}: {pairs} ({share}).",
                name=name,
                label=shown,
                pairs=counted(of_label, "pair"),
                share=percent(share),
            )
            mark = PlotMark(note, None, (name, shown, of_label, share))
            bars.append(PlotBar(mark, of_label, label or NO_LABEL_TONE, (shown, shown[0].upper())))
    return BarRow(name, tuple(bars), full, total=f"{number:,}")


def _simple_figure(
    numbers: Counter[str], column: str, counted_in: str, none: str, tone: str, noun: str, summary: str
) -> BarFigure:
    rows = []
    for key, number in _most_first(numbers):
        name = key or none
        mark = PlotMark(f"{name}: {counted(number, noun)}.", None, (name, number))
        rows.append(BarRow(name, (PlotBar(mark, number, tone),), 1, total=f"{number:,}"))
    return _bar_figure(rows, (column, counted_in), summary)


def _bar_figure(rows: Sequence[BarRow], columns: tuple[str, ...], summary: str) -> BarFigure:
    """A figure of the rows, the longest as wide as the plot; rows that do not fit are only in the table of numbers."""
    longest = max((sum(bar.length for bar in row.bars) for row in rows), default=1)
    shown = [BarRow(row.name, row.bars, longest, row.detail, row.total) for row in rows[:_MAX_ROWS]]
    if hidden := len(rows) - len(shown):
        summary = tr("{summary} {hidden} more among the numbers.", summary=summary, hidden=hidden).strip()
    return BarFigure(
        rows=tuple(shown), columns=columns, numbers=tuple(row.bars[0].mark for row in rows), summary=summary
    )


def _most_first(numbers: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
