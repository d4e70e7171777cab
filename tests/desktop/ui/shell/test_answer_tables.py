"""Tables that annotators send back, dropped on the window or chosen: merged, and not taken for data sets or papers."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.ui.pages.papers.import_dialog import ImportDialog
from desktop.ui.services.answer_files import MergeReceipt
from desktop.ui.shell.window import MainWindow
from miner.records import Answer
from storage.annotation.sent_assignments import AssignmentForm
from tests.answer_file_factory import answers_of, keys_in
from tests.answer_table_factory import (
    ID,
    LABEL,
    fill_csv,
    id_of,
    prodigy_lines,
    read_csv,
    send_as,
    table_project,
    write_csv,
    write_lines,
)
from tests.desktop.ui.conftest import OpenInWindow
from tests.desktop.ui.shell.test_window import drop


@pytest.fixture
def returned(tmp_path: Path) -> dict[str, Path]:
    """Files that came back to owner.pairwright, each with an answer to its first pair."""
    with table_project(tmp_path / "owner.pairwright") as project:
        id = id_of(project, keys_in(project)[0])
        table = fill_csv(send_as(project, AssignmentForm.CSV, tmp_path), {id: "n"})
        tasks = send_as(project, AssignmentForm.PRODIGY, tmp_path)
        lines = write_lines(tmp_path / "annotations.jsonl", prodigy_lines(tasks, {id: "reasoning"}))
        rows = read_csv(table)
        rows[0][LABEL] = "nuetral" if rows[0][ID] != id else "n"
        rows[1][LABEL] = "nuetral" if rows[1][ID] != id else "n"
        damaged = write_csv(tmp_path / "damaged.csv", rows)
    return {"table": table, "lines": lines, "damaged": damaged}


@pytest.fixture
def window(
    empty_window: MainWindow, tmp_path: Path, returned: dict[str, Path], open_in_window: OpenInWindow
) -> MainWindow:
    open_in_window(empty_window, tmp_path / "owner.pairwright")
    return empty_window


def receipt(window: MainWindow, qtbot: QtBot) -> MergeReceipt:
    qtbot.waitUntil(lambda: window.findChild(MergeReceipt) is not None)
    found = window.findChild(MergeReceipt)
    assert isinstance(found, MergeReceipt)
    return found


def given(window: MainWindow) -> set[Answer]:
    assert window.context is not None
    return set(answers_of(window.context.project).values())


@pytest.mark.parametrize(("name", "answer"), [("table", Answer.NEUTRAL), ("lines", Answer.REASONING)])
def test_a_table_that_is_dropped_is_merged(
    window: MainWindow, qtbot: QtBot, returned: dict[str, Path], name: str, answer: Answer
) -> None:
    drop(window, returned[name])
    assert receipt(window, qtbot).lines == ["Anna, round 1: 1 new answer, 4 unanswered."]
    assert given(window) == {answer}
    assert window.findChild(ImportDialog) is None


def test_rows_that_were_refused_are_in_the_receipt(window: MainWindow, qtbot: QtBot, returned: dict[str, Path]) -> None:
    drop(window, returned["damaged"])
    lines = receipt(window, qtbot).lines
    assert any("not merged" in line for line in lines)
    assert any("perhaps neutral is meant" in line for line in lines)


def test_a_data_set_beside_a_table_is_offered_as_before(
    window: MainWindow, qtbot: QtBot, returned: dict[str, Path], tmp_path: Path
) -> None:
    data_set = tmp_path / "train.csv"
    data_set.write_text("sentence1,sentence2,label\na,b,neutral\n", encoding="utf-8")
    drop(window, returned["table"], data_set)
    receipt(window, qtbot).accept()
    qtbot.waitUntil(lambda: window.findChild(ImportDialog) is not None)
    assert given(window) == {Answer.NEUTRAL}
    dialog = window.findChild(ImportDialog)
    assert isinstance(dialog, ImportDialog)
    dialog.reject()


def test_a_data_set_alone_is_no_answer(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    data_set = tmp_path / "train.csv"
    data_set.write_text("sentence1,sentence2,label\na,b,neutral\n", encoding="utf-8")
    drop(window, data_set)
    qtbot.waitUntil(lambda: window.findChild(ImportDialog) is not None)
    assert window.findChild(MergeReceipt) is None
    dialog = window.findChild(ImportDialog)
    assert isinstance(dialog, ImportDialog)
    dialog.reject()


def test_tables_can_be_chosen_to_merge(
    window: MainWindow, qtbot: QtBot, returned: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    def choose(*arguments: object) -> tuple[list[str], str]:
        shown.append(str(arguments[-1]))
        return [str(returned["table"])], ""

    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileNames", choose)
    window.action_registry["file.merge"].trigger()
    receipt(window, qtbot)
    assert given(window) == {Answer.NEUTRAL}
    assert "*.csv" in shown[0]
    assert "*.jsonl" in shown[0]
