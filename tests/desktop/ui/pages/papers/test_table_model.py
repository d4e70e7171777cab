"""The table of papers keeps what stays, reads what is seen, and forgets what changed."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from pathlib import Path

import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.ui.pages.papers.table_model import PAIRS, STATE, TITLE, YEAR, ImportingFile, PaperTableModel
from storage.papers.table import PaperTableColumn, PaperTableRow


def ids(*numbers: int) -> array[int]:
    return array("q", numbers)


def answer(model: PaperTableModel, gone: Iterable[int] = ()) -> list[list[int]]:
    """Answer what the model asks for; what it asked."""
    asked: list[list[int]] = []

    def read(wanted: list[int]) -> None:
        asked.append(wanted)
        model.put_lines(wanted, [paper(number) for number in wanted if number not in gone])

    model.lines_requested.connect(read)
    return asked


def paper(number: int) -> PaperTableRow:
    if number < 0:
        return PaperTableRow(
            number, None, "", path="/p/scan.pdf", code="scan", reason="No text layer.", hint="Run OCR."
        )
    return PaperTableRow(number, f"{number:032x}", f"Paper {number}", year=2000, mined=True, counts={"neutral": 1200})


def shown(model: PaperTableModel, column: int = TITLE) -> list[str]:
    return [model.index(row, column).data() for row in range(model.rowCount())]


@pytest.fixture
def model(qtmodeltester: ModelTester, qtbot: QtBot) -> PaperTableModel:
    model = PaperTableModel()
    qtmodeltester.check(model)
    return model


def test_rows_are_read_when_they_are_first_looked_at(model: PaperTableModel, qtbot: QtBot) -> None:
    asked = answer(model)
    model.show_ids(ids(3, 2, 1))
    assert shown(model) == ["", "", ""]
    qtbot.waitUntil(lambda: bool(asked))
    assert (asked, shown(model)) == ([[3, 2, 1]], ["Paper 3", "Paper 2", "Paper 1"])


def test_a_hundred_thousand_rows_are_not_read_at_once(qtbot: QtBot) -> None:
    model = PaperTableModel()  # Qt's tester would look at every row
    asked = answer(model)
    model.show_ids(array("q", range(1, 100_001)))
    shown(model)
    qtbot.waitUntil(lambda: bool(asked))
    assert [len(wanted) for wanted in asked] == [96]


def test_what_stays_keeps_its_place_while_rows_come_and_go(model: PaperTableModel) -> None:
    model.show_ids(ids(5, 4, 3, 2, 1))
    kept = QPersistentModelIndex(model.index(2, 0))
    model.show_ids(ids(7, 6, 5, 3, 1))
    assert [model.id_of(row) for row in range(5)] == [7, 6, 5, 3, 1]
    assert kept.isValid()
    assert model.id_of(kept.row()) == 3


@pytest.mark.parametrize("after", [(1, 2, 3), (9, 8), (), (3,), (3, 2, 1, 9, -4)])
def test_any_rows_can_follow_any_others(
    model: PaperTableModel, qtmodeltester: ModelTester, after: tuple[int, ...]
) -> None:
    model.show_ids(ids(3, 2, 1))
    model.show_ids(ids(*after))
    assert [model.id_of(row) for row in range(model.rowCount())] == list(after)


def test_a_changed_row_is_shown_as_it_was_until_it_is_read_again(model: PaperTableModel, qtbot: QtBot) -> None:
    asked = answer(model)
    model.show_ids(ids(1))
    shown(model)
    qtbot.waitUntil(lambda: len(asked) == 1)
    model.invalidate()
    assert shown(model) == ["Paper 1"]
    qtbot.waitUntil(lambda: len(asked) == 2)


def test_a_row_that_is_gone_is_no_trouble(model: PaperTableModel, qtbot: QtBot) -> None:
    asked = answer(model, gone=[2])
    model.show_ids(ids(2, 1))
    shown(model)
    qtbot.waitUntil(lambda: bool(asked))
    assert shown(model) == ["", "Paper 1"]


def test_files_in_hand_stand_above_and_say_how_far_they_are(model: PaperTableModel, qtbot: QtBot) -> None:
    answer(model)
    hand = {1: ImportingFile(Path("/p/a.pdf"), "parsing"), 2: ImportingFile(Path("/p/\udcff.pdf"), "")}
    model.show_ids(ids(1), hand)
    assert shown(model)[:2] == ["a.pdf", "?.pdf"]
    assert shown(model, STATE)[:2] == ["◐ parsing", "◐ waiting"]
    model.show_ids(ids(2, 1), {2: ImportingFile(Path("/p/b.pdf"), "parsing")})
    qtbot.waitUntil(lambda: shown(model, STATE) == ["◐ parsing", "● parsed", "● parsed"])
    assert model.ids(range(3)) == [2, 1]


def test_a_failed_file_says_why_in_a_word_and_in_a_sentence(model: PaperTableModel, qtbot: QtBot) -> None:
    asked = answer(model)
    model.show_ids(ids(-4))
    shown(model)
    qtbot.waitUntil(lambda: bool(asked))
    assert [model.index(0, column).data() for column in (TITLE, YEAR, PAIRS, STATE)] == [
        "scan.pdf",
        "",
        "–",
        "▲ no text layer",
    ]
    assert model.index(0, STATE).data(Qt.ItemDataRole.ToolTipRole) == "No text layer.\nRun OCR."


def test_a_head_asks_for_its_order(model: PaperTableModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(model.sort_requested) as asked:
        model.sort(YEAR, Qt.SortOrder.DescendingOrder)
    assert asked.args == [PaperTableColumn.YEAR, True]
    with qtbot.waitSignal(model.sort_requested) as asked:
        model.sort(-1)
    assert asked.args == [None, True]
