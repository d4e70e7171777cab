"""The heat map of how alike the domains' vocabularies are."""

from __future__ import annotations

from dataclasses import replace

from desktop.jobs.pairs.paper_tables import similarity_notes
from desktop.text import count
from desktop.translation import tr
from desktop.ui.plots.figures import Heatmap, HeatmapCell, HeatmapFigure, PlotMark
from desktop.ui.services.display_names import NO_DOMAIN
from miner.dataset_statistics import VocabularySimilarity
from storage.pairs.filters import PairFilter

_MAX_DOMAINS = 12  # of a heat map; the numbers have all


def similarity_figure(similarity: VocabularySimilarity, filter: PairFilter) -> HeatmapFigure:
    """The similarity of the domains with most pairs; a cell opens the pairs of both. filter: of the measured pairs."""
    names = [domain or NO_DOMAIN for domain in similarity.domains]
    largest = sorted(range(len(names)), key=lambda place: (-similarity.pairs[place], names[place]))[:_MAX_DOMAINS]
    shown = sorted(largest)
    least = min((min(row) for row in similarity.cosines), default=0.0)
    marks = {
        (row, column): PlotMark(
            _note(similarity, row, column),
            _with_domains(filter, similarity.domains[row], similarity.domains[column]),
            (names[row], names[column], f"{similarity.cosines[row][column]:.3f}"),
        )
        for row in range(len(names))
        for column in range(row + 1)
    }
    cells = tuple(
        tuple(
            HeatmapCell(
                marks[row, column],
                f"{similarity.cosines[row][column]:.2f}",
                _strength(similarity.cosines[row][column], least),
                row == column,
            )
            for column in shown
            if column <= row
        )
        for row in shown
    )
    shown_names = tuple(names[place] for place in shown)
    more = (
        tr(" {domains} among the numbers only.", domains=count(len(names) - len(shown), "smaller domain"))
        if len(names) > len(shown)
        else ""
    )
    return HeatmapFigure(
        heatmaps=(Heatmap(shown_names, shown_names, cells, are_classes=False),),
        summary=" ".join(similarity_notes(similarity)) + more,
        columns=(tr("Domain"), tr("Other domain"), tr("Cosine")),
        numbers=tuple(mark for (row, column), mark in marks.items() if row != column),
    )


def _note(similarity: VocabularySimilarity, row: int, column: int) -> str:
    name, other = (similarity.domains[place] or NO_DOMAIN for place in (row, column))
    if row == column:
        return f"{name}: {count(similarity.pairs[row], 'pair')}, {count(similarity.tokens[row], 'token')}."
    return tr(
        "{name} and {other}: the cosine of their token frequencies is {cosine:.3f}.",
        name=name,
        other=other,
        cosine=similarity.cosines[row][column],
    )


def _strength(cosine: float, least: float) -> float:
    """How strongly a cell is coloured: the least similar domains not at all."""
    return (cosine - least) / (1 - least) if least < 1 else 1.0


def _with_domains(filter: PairFilter, one: str, other: str) -> PairFilter:
    return replace(filter, domains=frozenset((one, other)))
