"""The figures of the Kinds page: counts and correlations of categories, and how far annotators agree on each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop.jobs.kinds.report import KindsReport
from desktop.jobs.kinds.selection import KindsSelection
from desktop.text import count, percent
from desktop.translation import tr
from desktop.ui.plots.figures import (
    BarFigure,
    BarRow,
    Heatmap,
    HeatmapCell,
    HeatmapFigure,
    PlotBar,
    PlotMark,
    PlotPoint,
    PointFigure,
    PointRow,
)
from desktop.ui.theme import LETTERS
from miner.kinds.agreement import CategoryAgreement, KindsAgreement
from miner.records import Label
from storage.pairs.filters import NOT_BAD, PairFilter

NO_CATEGORY = tr("No category")
_LABELS = tuple(label.value for label in Label)


def agreement_figure(report: KindsReport, agreement: KindsAgreement) -> PointFigure:
    """Fleiss' kappa of each category with its interval; a bar opens the pairs on which annotators differ."""
    by_category = {one.category: one for one in agreement.categories}
    rows = []
    marks = []
    for name, categories in groups(report, [one.category for one in agreement.categories if one.prevalence]):
        rows.append(PointRow(name))
        for category in categories:
            one = by_category[category]
            mark = _agreement_mark(category_name(report, category), one)
            marks.append(mark)
            rows.append(_agreement_row(category_name(report, category), one, mark))
    lowest = min([0.0, *(one.kappa.value or 0.0 for one in agreement.categories)])
    lowest = min([lowest, *(one.kappa.interval.low for one in agreement.categories if one.kappa.interval)])
    unused = [category_name(report, one.category) for one in agreement.categories if not one.prevalence]
    summary = tr("Fleiss’ κ with its 95 % interval. Click a bar for the pairs on which annotators disagree.")
    if unused:
        summary += tr(" Never ticked: {unused}.", unused=", ".join(unused))
    return PointFigure(
        rows=tuple(rows),
        ticks=scale(max(-1.0, lowest), 1.0, 0.2),
        summary=summary,
        columns=(
            tr("Category"),
            "κ",
            tr("Low"),
            tr("High"),
            tr("Pairs"),
            tr("Disagreeing"),
            tr("Votes agree"),
            tr("Ticked"),
        ),
        numbers=tuple(marks),
        decimals=1,
    )


def _agreement_row(name: str, one: CategoryAgreement, mark: PlotMark) -> PointRow:
    low, high = one.kappa.interval or (None, None)
    detail = tr("{pairs:,} pairs, ticked in {prevalence:.1f} %", pairs=one.pairs, prevalence=100 * one.prevalence)
    points = (PlotPoint(mark, one.kappa.value or 0.0, "accent", low, high),)
    return PointRow(name, points, detail, coefficient(one.kappa.value))


def _agreement_mark(name: str, one: CategoryAgreement) -> PlotMark:
    kappa = coefficient(one.kappa.value)
    low, high = one.kappa.interval or (None, None)
    interval = (
        ""
        if low is None or high is None
        else tr(" ({coefficient} to {coefficient_2})", coefficient=coefficient(low), coefficient_2=coefficient(high))
    )
    note = tr(
        "{name}: κ {kappa}{interval} over {pairs}; annotators disagree on {differing:,} of them.",
        name=name,
        kappa=kappa,
        interval=interval,
        pairs=count(one.pairs, "pair"),
        differing=one.differing,
    )
    if one.raw.value is not None:
        note += tr(" {value:.1f} % of the votes agree.", value=100 * one.raw.value)
    opens = PairFilter(kinds_differ=frozenset({one.category}), statuses=NOT_BAD) if one.differing else None
    values = (
        name,
        kappa,
        coefficient(low),
        coefficient(high),
        one.pairs,
        one.differing,
        one.raw.value or 0.0,
        one.prevalence,
    )
    return PlotMark(note, opens, values)


def counts_figure(report: KindsReport) -> BarFigure:
    """How many pairs have each category, by label (TaxiNLI, Figure 3)."""
    figures = report.figures
    counts = dict(zip(figures.categories, figures.counts, strict=True))
    longest = max([sum(row) for row in figures.counts] + [sum(figures.without)], default=1) or 1
    rows: list[BarRow] = []
    for name, categories in groups(report, [one for one in figures.categories if one not in figures.unused]):
        rows.append(BarRow(name))
        rows += (
            _count_row(report, category_name(report, one), counts[one], longest, frozenset({one})) for one in categories
        )
    if any(figures.without):
        rows.append(BarRow(tr("Without a category")))
        rows.append(_count_row(report, NO_CATEGORY, figures.without, longest, None))
    pairs = ", ".join(f"{n:,} {name}" for name, n in zip(figures.classes, figures.class_pairs, strict=True))
    unused = [category_name(report, one) for one in figures.unused]
    summary = tr(
        "{pairs}: {pairs_2}. A pair may have several categories.", pairs=count(figures.pairs, "pair"), pairs_2=pairs
    )
    if unused:
        summary += tr(" No pair has {listed}.", listed=_listed(unused))
    return BarFigure(
        rows=tuple(rows),
        axis="count",
        summary=summary,
        columns=(tr("Label"), tr("Category"), tr("Pairs"), tr("Share of the label")),
        numbers=tuple(bar.mark for row in rows for bar in row.bars),
        decimals=1,
    )


def _count_row(
    report: KindsReport, name: str, counts: Sequence[int], longest: int, categories: frozenset[str] | None
) -> BarRow:
    figures = report.figures
    bars = []
    total = sum(counts)
    order = sorted(range(len(figures.classes)), key=lambda place: _label_place(figures.classes[place]))
    for place in order:
        label, number = figures.classes[place], counts[place]
        if not number:
            continue
        share = number / max(1, figures.class_pairs[place])
        note = tr(
            "{name}: {counted}, {share} of those.",
            name=name,
            counted=count(number, f"{label} pair"),
            share=percent(share),
        )
        opens = KindsSelection(categories or frozenset(), label, has_none=categories is None)
        mark = PlotMark(note, opens, (label, name, number, share))
        bars.append(PlotBar(mark, number, label, (f"{LETTERS.get(label, '')} {number:,}", f"{number:,}")))
    share_text = percent(total / figures.pairs) if total else ""
    return BarRow(name, tuple(bars), longest, share_text, f"{total:,}")


def correlation_figure(report: KindsReport) -> HeatmapFigure | None:
    """The phi coefficients of every two categories, each once (TaxiNLI, Figure 4); None without two that vary."""
    figures = report.figures
    places = [place for place in range(len(figures.categories)) if figures.correlations[place][place] is not None]
    if len(places) < 2:
        return None
    names = [category_name(report, figures.categories[place]) for place in places]
    cells = tuple(
        tuple(_correlation_cell(report, row, column) for column in places[:number]) for number, row in enumerate(places)
    )
    marks = [cell.mark for row in cells for cell in row]
    values = [
        (figures.correlations[row][column] or 0.0, row, column)
        for number, row in enumerate(places)
        for column in places[:number]
    ]
    strongest = max(values, key=lambda one: abs(one[0]))
    one, other = (category_name(report, figures.categories[place]) for place in strongest[1:])
    summary = tr(
        "φ, the correlation of every two categories: above 0 they occur together more often than by "
        "chance, below 0 less often. Strongest: {one} and {other}, {coefficient}. Click a cell for "
        "the pairs with both.",
        one=one,
        other=other,
        coefficient=coefficient(strongest[0]),
    )
    return HeatmapFigure(
        heatmaps=(Heatmap(tuple(names[1:]), tuple(names[:-1]), cells[1:], are_classes=False),),
        is_compact=True,
        is_upright=True,
        summary=summary,
        columns=(tr("Category"), tr("Other category"), "φ", tr("Pairs with both")),
        numbers=tuple(marks),
    )


def _correlation_cell(report: KindsReport, row: int, column: int) -> HeatmapCell:
    keys = report.figures.categories[row], report.figures.categories[column]
    first, second = (category_name(report, key) for key in keys)
    phi = report.figures.correlations[row][column] or 0.0
    both = report.figures.together[row][column]
    note = tr(
        "{first} and {second}: φ {coefficient}, {have} both.",
        first=first,
        second=second,
        coefficient=coefficient(phi),
        have=count(both, "pair has", "pairs have"),
    )
    mark = PlotMark(note, KindsSelection(frozenset(keys)) if both else None, (first, second, coefficient(phi), both))
    return HeatmapCell(
        mark, coefficient(phi).replace("0.", "."), min(1.0, 2.5 * abs(phi)), tone="accent" if phi > 0 else "warning"
    )


def groups(report: KindsReport, categories: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The categories by the taxonomy's groups, with each group's name; groups without categories are left out."""
    for group, name in report.taxonomy.groups.items():
        found = [one for one in categories if report.taxonomy.category[one].group == group]
        if found:
            yield name, found


def category_name(report: KindsReport, category: str) -> str:
    return report.taxonomy.category[category].name


def coefficient(value: float | None) -> str:
    """Two decimals with a real minus; "–" for None."""
    return "–" if value is None else f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


def scale(low: float, high: float, step: float) -> tuple[tuple[float, str], ...]:
    """Multiples of the step from the last one below `low` to the first one above `high`."""
    first, last = int(low // step), int(-(-high // step))
    digits = 0 if step >= 1 else 1 if step >= 0.1 else 2
    return tuple((number * step, f"{number * step:.{digits}f}".replace("-", "−")) for number in range(first, last + 1))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else tr("{name} or {name_2}", name=", ".join(names[:-1]), name_2=names[-1])


def _label_place(label: str) -> int:
    return _LABELS.index(label) if label in _LABELS else len(_LABELS)
