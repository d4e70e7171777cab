"""The model of the table of papers: changes of its rows, and reading their lines."""

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
    """Answer all requests of the model, without the lines of the `gone` ids; returns the requests."""
    requests: list[list[int]] = []

    def read(requested_ids: list[int]) -> None:
        requests.append(requested_ids)
        model.put_lines(requested_ids, [paper(number) for number in requested_ids if number not in gone])

    model.lines_requested.connect(read)
    return requests


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


def test_lines_are_read_when_they_are_painted(model: PaperTableModel, qtbot: QtBot) -> None:
    requests = answer(model)
    model.show_ids(ids(3, 2, 1))
    assert shown(model) == ["", "", ""]
    qtbot.waitUntil(lambda: bool(requests))
    assert (requests, shown(model)) == ([[3, 2, 1]], ["Paper 3", "Paper 2", "Paper 1"])


def test_lines_are_requested_in_batches(qtbot: QtBot) -> None:
    model = PaperTableModel()  # Qt's tester would look at every row
    requests = answer(model)
    model.show_ids(array("q", range(1, 100_001)))
    shown(model)
    qtbot.waitUntil(lambda: bool(requests))
    assert [len(requested_ids) for requested_ids in requests] == [96]


def test_rows_that_stay_keep_their_persistent_index(model: PaperTableModel) -> None:
    model.show_ids(ids(5, 4, 3, 2, 1))
    kept = QPersistentModelIndex(model.index(2, 0))
    model.show_ids(ids(7, 6, 5, 3, 1))
    assert [model.id_of(row) for row in range(5)] == [7, 6, 5, 3, 1]
    assert kept.isValid()
    assert model.id_of(kept.row()) == 3


@pytest.mark.parametrize("after", [(1, 2, 3), (9, 8), (), (3,), (3, 2, 1, 9, -4)])
def test_any_ids_can_replace_any_others(
    model: PaperTableModel, qtmodeltester: ModelTester, after: tuple[int, ...]
) -> None:
    model.show_ids(ids(3, 2, 1))
    model.show_ids(ids(*after))
    assert [model.id_of(row) for row in range(model.rowCount())] == list(after)


def test_stale_lines_are_shown_until_they_are_read_again(model: PaperTableModel, qtbot: QtBot) -> None:
    requests = answer(model)
    model.show_ids(ids(1))
    shown(model)
    qtbot.waitUntil(lambda: len(requests) == 1)
    model.invalidate()
    assert shown(model) == ["Paper 1"]
    qtbot.waitUntil(lambda: len(requests) == 2)


def test_a_row_that_no_longer_exists_is_empty(model: PaperTableModel, qtbot: QtBot) -> None:
    requests = answer(model, gone=[2])
    model.show_ids(ids(2, 1))
    shown(model)
    qtbot.waitUntil(lambda: bool(requests))
    assert shown(model) == ["", "Paper 1"]


def test_importing_files_are_listed_first_with_their_state(model: PaperTableModel, qtbot: QtBot) -> None:
    answer(model)
    hand = {1: ImportingFile(Path("/p/a.pdf"), "parsing"), 2: ImportingFile(Path("/p/\udcff.pdf"), "")}
    model.show_ids(ids(1), hand)
    assert shown(model)[:2] == ["a.pdf", "?.pdf"]
    assert shown(model, STATE)[:2] == ["◐ parsing", "◐ waiting"]
    model.show_ids(ids(2, 1), {2: ImportingFile(Path("/p/b.pdf"), "parsing")})
    qtbot.waitUntil(lambda: shown(model, STATE) == ["◐ parsing", "● parsed", "● parsed"])
    assert model.ids(range(3)) == [2, 1]


def test_a_failed_file_has_a_state_and_an_explanation(model: PaperTableModel, qtbot: QtBot) -> None:
    requests = answer(model)
    model.show_ids(ids(-4))
    shown(model)
    qtbot.waitUntil(lambda: bool(requests))
    assert [model.index(0, column).data() for column in (TITLE, YEAR, PAIRS, STATE)] == [
        "scan.pdf",
        "",
        "–",
        "▲ no text layer",
    ]
    assert model.index(0, STATE).data(Qt.ItemDataRole.ToolTipRole) == "No text layer.\nRun OCR."


def test_sorting_requests_an_order(model: PaperTableModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(model.sort_requested) as requests:
        model.sort(YEAR, Qt.SortOrder.DescendingOrder)
    assert requests.args == [PaperTableColumn.YEAR, True]
    with qtbot.waitSignal(model.sort_requested) as requests:
        model.sort(-1)
    assert requests.args == [None, True]
