"""The widget that draws figures: which mark is current, and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.ui.plots.figures import Heatmap, HeatmapCell, HeatmapFigure, PlotMark
from desktop.ui.plots.plot import Plot
from desktop.ui.theme import Theme

CLASSES = ("contrasting", "reasoning")


def heatmap(*counts: int) -> HeatmapFigure:
    """Two rows of two cells, with these counts."""
    marks = [PlotMark(f"Cell {number}: {count}.") for number, count in enumerate(counts)]
    cells = [HeatmapCell(mark, str(count)) for mark, count in zip(marks, counts, strict=True)]
    return HeatmapFigure(heatmaps=(Heatmap(CLASSES, CLASSES, (tuple(cells[:2]), tuple(cells[2:]))),))


@pytest.fixture
def plot(theme: Theme, qtbot: QtBot) -> Plot:
    plot = Plot(theme, "Matrix")
    qtbot.addWidget(plot)
    plot.resize(600, 300)
    plot.show_figure(heatmap(4, 3, 2, 1))
    plot.show()
    plot.grab()
    return plot


def note(plot: Plot) -> str:
    return plot.current.note if plot.current else ""


def test_arrows_move_between_cells_and_enter_activates(plot: Plot, qtbot: QtBot) -> None:
    assert plot.figure is not None
    plot.set_current(next(plot.figure.marks()))
    assert plot.accessibleDescription() == note(plot)
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert note(plot) == "Cell 1: 3."
    with qtbot.waitSignal(plot.activated) as activated:
        qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert activated.args == [plot.current]
    qtbot.keyClick(plot, Qt.Key.Key_Down)
    assert note(plot) == "Cell 3: 1."
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert note(plot) == "Cell 2: 2."
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    assert note(plot) == "Cell 0: 4."


def test_the_current_mark_stays_when_its_numbers_are_the_same(plot: Plot) -> None:
    assert plot.figure is not None
    plot.set_current(list(plot.figure.marks())[1])
    changes: list[PlotMark | None] = []
    plot.current_changed.connect(changes.append)
    again = heatmap(5, 3, 2, 1)
    plot.show_figure(again)
    assert plot.current is list(again.marks())[1]
    plot.show_figure(heatmap(5, 4, 2, 1))
    assert plot.current is None
    assert changes[-1] is None
    assert plot.accessibleDescription() == ""
