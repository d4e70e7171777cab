"""The model of the table of pairs: it shows known lines and requests the others."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.ui.pages.pairs.columns import COLUMNS
from desktop.ui.pages.pairs.table_model import LINE_ROLE, WINDOW_SIZE, PairTableModel
from miner.records import Strategy
from storage.pairs.filters import PairOrder, PairStatus, SortColumn
from storage.pairs.table import PairTableRow


def line(number: int) -> PairTableRow:
    return PairTableRow(
        *(number, f"key {number}", f"Premise {number}.", f"hypothesis {number}.", "neutral", "neutral", ""),
        *(
            PairStatus.OPEN,
            Strategy.LINKED,
            "However",
            "",
            "biology",
            2020,
            "A title",
            "md5",
            3,
            (),
            False,
            False,
            False,
        ),
        *(5, 6, 50),
    )


def ids(numbers: Iterable[int]) -> array[int]:
    return array("q", numbers)


def text(table: PairTableModel, row: int) -> str | None:
    return table.index(row, 1).data()


def answer(table: PairTableModel) -> list[int]:
    """Answer every request of the model; returns the requested windows."""
    windows: list[int] = []

    def put(window: int, window_ids: array[int]) -> None:
        windows.append(window)
        table.put_lines(window, table.generation, [line(number) for number in window_ids])

    table.lines_requested.connect(put)
    return windows


def test_it_is_a_valid_qt_model(qtbot: QtBot, qtmodeltester: object) -> None:
    table = PairTableModel()
    table.show_ids(ids(range(200)), [line(number) for number in range(2 * WINDOW_SIZE)])
    answer(table)
    qtmodeltester.check(table, force_py=True)  # type: ignore[attr-defined]
    table.extend(ids(range(500)))
    table.replace_ids(ids(range(100, 400)))
    table.invalidate()
    qtmodeltester.check(table, force_py=True)  # type: ignore[attr-defined]


def test_known_lines_are_shown_and_others_requested(qtbot: QtBot) -> None:
    table = PairTableModel()
    table.show_ids(ids(range(1000)), [line(number) for number in range(2 * WINDOW_SIZE)])
    windows = answer(table)
    assert text(table, 5) == "Premise 5."
    assert text(table, 300) is None
    qtbot.waitUntil(lambda: text(table, 300) == "Premise 300.")
    assert windows == [300 // WINDOW_SIZE]


def test_while_scrolling_only_the_last_windows_are_requested(qtbot: QtBot) -> None:
    table = PairTableModel()
    table.show_ids(ids(range(100_000)))
    windows = answer(table)
    for row in range(0, 100_000, 100):
        text(table, row)
    qtbot.waitUntil(lambda: text(table, 99_900) is not None)
    assert len(windows) <= 6
    assert windows[0] == 99_900 // WINDOW_SIZE


def test_lines_of_an_earlier_generation_are_ignored(qtbot: QtBot) -> None:
    table = PairTableModel()
    table.show_ids(ids(range(10)))
    generation = table.generation
    table.show_ids(ids(range(50, 60)))
    table.put_lines(0, generation, [line(number) for number in range(10)])
    assert text(table, 0) is None


def test_rows_are_appended_without_a_reset(qtbot: QtBot) -> None:
    table = PairTableModel()
    table.show_ids(ids(range(200)), [line(number) for number in range(2 * WINDOW_SIZE)])
    with qtbot.waitSignal(table.rowsInserted):
        assert table.extend(ids(range(1000)))
    assert text(table, 3) == "Premise 3."
    assert not table.extend(ids(range(1, 2000)))
    assert table.rowCount() == 1000


def test_stale_lines_are_shown_until_they_are_read_again(qtbot: QtBot) -> None:
    table = PairTableModel()
    table.show_ids(ids(range(10)), [line(number) for number in range(10)])
    windows = answer(table)
    table.replace_ids(ids(range(2, 10)))
    assert text(table, 0) == "Premise 2."
    qtbot.waitUntil(lambda: windows == [0])


def test_pairs_that_no_longer_exist_are_empty_rows(qtbot: QtBot) -> None:
    table = PairTableModel()
    table.show_ids(ids([1, 2, 3]))
    table.put_lines(0, table.generation, [line(1), line(3)])
    assert [text(table, row) for row in range(3)] == ["Premise 1.", None, "Premise 3."]
    assert table.index(0, 0).data(LINE_ROLE) == line(1)


def test_the_number_of_cached_windows_is_limited(qtbot: QtBot) -> None:
    table = PairTableModel()
    table.show_ids(ids(range(100_000)))
    for window in range(500):
        low = window * WINDOW_SIZE
        table.put_lines(window, table.generation, [line(number) for number in range(low, low + WINDOW_SIZE)])
    assert sum(text(table, window * WINDOW_SIZE) is not None for window in range(500)) < 60


def test_sorting_requests_an_order(qtbot: QtBot) -> None:
    table = PairTableModel()
    year = [column.key for column in COLUMNS].index("year")
    with qtbot.waitSignal(table.order_requested) as requested:
        table.sort(year, Qt.SortOrder.DescendingOrder)
    assert requested.args == [PairOrder(SortColumn.YEAR, True)]
    with qtbot.waitSignal(table.order_requested) as requested:
        table.sort(-1)
    assert requested.args == [PairOrder()]
