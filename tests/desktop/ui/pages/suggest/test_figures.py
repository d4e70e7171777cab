"""The figures of the Suggest page: labels of phrase, people and model, and suggestions by confidence."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop.ui.pages.suggest.figures import confidence_figure, disagreement_figure
from desktop.ui.plots.figures import HeatmapCell, HeatmapFigure, PlotMark
from desktop.ui.plots.plot import Plot
from desktop.ui.theme import Theme
from storage.models.suggestion_statistics import MatrixCell
from storage.pairs.filters import PairFilter

CELLS = [
    MatrixCell("contrasting", "contrasting", "", 30),
    MatrixCell("contrasting", "contrasting", "contrasting", 4),
    MatrixCell("contrasting", "reasoning", "reasoning", 3),
    MatrixCell("contrasting", "reasoning", "contrasting", 1),
    MatrixCell("", "neutral", "", 7),
    MatrixCell("neutral", "", "", 9),
]


@pytest.fixture
def figure() -> HeatmapFigure:
    return disagreement_figure(CELLS, "distant", "")


@pytest.fixture
def plot(theme: Theme, qtbot: QtBot, figure: HeatmapFigure) -> Plot:
    plot = Plot(theme, "Matrix")
    qtbot.addWidget(plot)
    plot.resize(600, 300)
    plot.show_figure(figure)
    plot.show()
    plot.grab()
    return plot


def cells(figure: HeatmapFigure) -> list[HeatmapCell]:
    [heatmap] = figure.heatmaps
    assert heatmap is not None
    return [cell for row in heatmap.cells for cell in row]


def rows(figure: HeatmapFigure) -> tuple[str, ...]:
    [heatmap] = figure.heatmaps
    assert heatmap is not None
    return heatmap.rows


def parts(figure: HeatmapFigure) -> list[PlotMark]:
    return [part.mark for cell in cells(figure) for part in cell.parts]


def note(plot: Plot) -> str:
    return plot.current.note if plot.current else ""


def test_a_cell_describes_all_three_opinions(plot: Plot, figure: HeatmapFigure) -> None:
    plot.set_current(cells(figure)[0].mark)
    assert note(plot) == (
        "The distant label is contrasting, and the model agrees: 34 pairs, 89 % of the row. "
        "Annotators say: 4 contrasting."
    )
    assert plot.accessibleDescription() == note(plot)


def test_the_thin_bar_in_a_cell_opens_pairs_by_their_answer(plot: Plot, figure: HeatmapFigure) -> None:
    [part] = [mark for mark in parts(figure) if "annotators say reasoning" in mark.note]
    expected = PairFilter(
        distant=frozenset(("contrasting",)),
        suggested=frozenset(("reasoning",)),
        gold=frozenset(("reasoning",)),
        accepted=False,
    )
    assert part.opens == expected
    assert plot.mark_at(plot.mark_rect(part).center()) is part


def test_rows_can_be_the_labels_by_people() -> None:
    figure = disagreement_figure(CELLS, "gold", "")
    opens = [cell.mark.opens for cell in cells(figure) if cell.mark.opens is not None]
    by_people = PairFilter(gold=frozenset(("contrasting",)), suggested=frozenset(("reasoning",)), accepted=False)
    assert by_people in opens
    assert "" not in rows(figure)
    assert figure.heatmaps[0] is not None
    assert figure.heatmaps[0].sums is not None
    assert figure.heatmaps[0].sums[2] == "8"


def test_pairs_without_a_label_have_their_own_row(figure: HeatmapFigure) -> None:
    assert rows(figure) == ("contrasting", "reasoning", "entailment", "neutral", "")
    assert figure.heatmaps[0] is not None
    assert figure.heatmaps[0].sums is not None
    assert figure.heatmaps[0].sums[2] == "45"  # those with a suggestion
    assert [mark.values[:3] for mark in figure.numbers] == [
        ("contrasting", "contrasting", 34),
        ("contrasting", "reasoning", 4),
        ("no label", "neutral", 7),
    ]


def test_empty_bins_below_a_quarter_are_left_out() -> None:
    bins = [0] * 20
    bins[5], bins[19] = 2, 6
    figure = confidence_figure(bins, "")
    first, last = figure.numbers
    assert first.note == "2 pairs with a confidence from 25 to 30 %, 25 %."
    assert (first.opens, last.opens) == (PairFilter(confidence=(25, 29)), PairFilter(confidence=(95, 100)))
    assert [text for _, text in figure.histograms[0].ticks] == ["25 %", "50 %", "75 %", "100 %"]
    bins[1] = 1
    assert confidence_figure(bins, "").histograms[0].ticks[0] == (0, "0 %")
