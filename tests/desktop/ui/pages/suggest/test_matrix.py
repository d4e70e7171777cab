"""Phrase, model and people in one matrix."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from desktop.ui.pages.suggest.matrix import Matrix
from desktop.ui.theme import Theme
from storage.models.suggestions import MatrixCell
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
def matrix(theme: Theme, qtbot: QtBot) -> Matrix:
    matrix = Matrix(theme)
    qtbot.addWidget(matrix)
    matrix.resize(600, 300)
    matrix.show()
    matrix.show_cells(CELLS, "distant")
    return matrix


def note(matrix: Matrix) -> str:
    return matrix.current.note if matrix.current else ""


def test_a_cell_says_what_all_three_say(matrix: Matrix) -> None:
    matrix.point(matrix.places[0].mark)
    assert note(matrix) == (
        "The phrase says contrasting, and so does the model: 34 pairs, 89 % of the row. People say: 4 contrasting."
    )
    assert matrix.accessibleDescription() == note(matrix)


def test_the_line_in_a_cell_leads_to_what_people_say(matrix: Matrix) -> None:
    [part] = [place for place in matrix.places if place.part and "people say reasoning" in place.mark.note]
    expected = PairFilter(
        distant=frozenset(("contrasting",)),
        suggested=frozenset(("reasoning",)),
        gold=frozenset(("reasoning",)),
        accepted=False,
    )
    assert part.mark.opens == expected
    assert matrix.mark_at(QPointF(part.painted.center())) is part.mark


def test_rows_by_people_show_what_the_phrase_says(matrix: Matrix) -> None:
    matrix.show_cells(CELLS, "gold")
    opens = [place.mark.opens for place in matrix.places if place.mark.opens is not None and not place.part]
    by_people = PairFilter(gold=frozenset(("contrasting",)), suggested=frozenset(("reasoning",)), accepted=False)
    assert by_people in opens
    assert "" not in matrix._shown
    assert sum(matrix._counts().values()) == 8


def test_pairs_without_a_label_have_a_row_of_their_own(matrix: Matrix) -> None:
    assert matrix._shown == ["contrasting", "reasoning", "entailment", "neutral", ""]
    assert sum(matrix._counts().values()) == 45  # those with a suggestion


def test_arrows_go_from_cell_to_cell_and_enter_chooses(matrix: Matrix, qtbot: QtBot) -> None:
    matrix.setFocus(Qt.FocusReason.TabFocusReason)
    matrix.point(matrix.places[0].mark)
    qtbot.keyClick(matrix, Qt.Key.Key_Right)
    assert "the model says reasoning: 4 pairs" in note(matrix)
    with qtbot.waitSignal(matrix.chosen) as chosen:
        qtbot.keyClick(matrix, Qt.Key.Key_Return)
    assert chosen.args == [matrix.current]
    qtbot.keyClick(matrix, Qt.Key.Key_Down)
    assert note(matrix).startswith("The phrase says reasoning, and so does the model: 0 pairs")
    qtbot.keyClick(matrix, Qt.Key.Key_Left)
    qtbot.keyClick(matrix, Qt.Key.Key_Left)
    qtbot.keyClick(matrix, Qt.Key.Key_Up)
    assert matrix.current is matrix.places[0].mark
