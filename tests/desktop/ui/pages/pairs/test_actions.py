"""What keys and menus of the Pairs page do with the selected pairs."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop.jobs.pairs.table import CopyFormat
from desktop.jobs.review import answers
from desktop.ui.pages.pairs import actions
from desktop.ui.pages.pairs.columns import COLUMNS
from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.questions import Question
from miner.progress import Progress
from miner.records import Answer
from storage.pairs.filters import PairFilter, PairStatus
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.pages.pairs.page_helpers import answered_keys, count_pairs, displayed_key
from tests.storage.factories import remove

Ctrl, Shift, No = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


def test_a_key_answers_the_selected_pairs_and_undo_reverts_all(
    app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    page.table.select_rows([2, 3, 4], 2)
    qtbot.keyClick(page.table, Qt.Key.Key_4)
    app.wait()
    neutral = PairFilter(gold=frozenset({"neutral"}), annotators=frozenset({"mk"}))
    assert count_pairs(context, neutral) == 3
    assert [row for rows in page.table.ranges() for row in rows] == [2, 3, 4]
    line = page.model.line(3)
    assert line is not None
    assert (line.label, line.status) == ("neutral", PairStatus.SETTLED)
    context.undo()
    app.wait()
    assert count_pairs(context, neutral) == 0
    line = page.model.line(3)
    assert line is not None
    assert line.status is PairStatus.OPEN


def test_changing_many_pairs_must_be_confirmed(
    app: App, page: PairsPage, context: ProjectContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "_CONFIRM_FROM", 5)
    monkeypatch.setattr(actions, "_MAX_LISTED_PAIRS", 10)
    questions = []

    def answer(box: Question) -> int:
        questions.append(box.question.text())
        return int(is_confirmed)

    monkeypatch.setattr(Question, "exec", answer)
    total, is_confirmed = count_pairs(context, PairFilter()), False
    page.table.selectAll()
    context.actions["pairs.flag"].trigger()
    app.wait()
    assert count_pairs(context, PairFilter(flagged=True)) == 0
    is_confirmed = True
    context.actions["pairs.flag"].trigger()
    app.wait()
    assert questions[-1] == f"Flag {total:,} pairs?"
    assert count_pairs(context, PairFilter(flagged=True)) == total
    assert page.table.has_all_selected()
    context.undo()
    app.wait()
    assert count_pairs(context, PairFilter(flagged=True)) == 0


def test_pairs_are_marked_as_bad_and_unmarked(app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot) -> None:
    page.table.select_rows([1], 1)
    qtbot.keyClick(page.table, Qt.Key.Key_B)
    app.wait()
    assert count_pairs(context, PairFilter(statuses=frozenset({PairStatus.BAD}))) == 1
    assert "mk: bad pair: broken sentence" in app.text()
    qtbot.keyClick(page.table, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
    app.wait()
    assert count_pairs(context, PairFilter(statuses=frozenset({PairStatus.BAD}))) == 0


@pytest.mark.parametrize("modifiers", [No, Ctrl], ids=["alone", "with Ctrl"])
@pytest.mark.parametrize("key", [Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown])
def test_an_answer_is_about_the_displayed_pair(
    app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier
) -> None:
    page.table.select_rows([4], 4)
    qtbot.keyClick(page.table, key, modifiers)
    app.wait()
    shown = displayed_key(page)
    qtbot.keyClick(page.table, Qt.Key.Key_1)
    app.wait()
    assert answered_keys(context) == [shown]


def test_a_pair_that_is_still_being_read_is_not_answered(
    app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    page.table.select_rows([70], 70)
    page.model.show_ids(page.model.ids)  # nothing of it is known
    page.table.select_rows([70], 70)
    with qtbot.waitSignal(context.message) as message:
        qtbot.keyClick(page.table, Qt.Key.Key_1)
    assert message.args == ["This pair is still loading. Press the key again when it is shown.", False]
    app.wait()
    assert answered_keys(context) == []


def test_the_next_pair_is_selected_only_after_an_answer_on_this_page(
    app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    page.show_filter(PairFilter(statuses=frozenset({PairStatus.OPEN})))
    app.wait()
    page.table.select_rows([2], 2)
    first, second = page.model.ids[2], page.model.ids[3]
    qtbot.keyClick(page.table, Qt.Key.Key_1)
    app.wait()
    assert first not in page.model.ids
    assert [page.model.ids[row] for rows in page.table.ranges() for row in rows] == [second]
    with context.project.read_transaction() as stores:
        keys = stores.pair_table.keys(page.model.ids[2:3])
    judged = answers.answer(context.project, keys, "ada", Answer.NEUTRAL).work(Progress())
    context.events.changed.emit(judged.changes)
    app.wait()
    assert second not in page.model.ids
    assert page.table.ranges() == []
    assert not context.actions["pairs.label.neutral"].isEnabled()


def test_a_flag_that_removes_no_row_selects_no_other_pair_later(
    app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    page.show_filter(PairFilter(statuses=frozenset({PairStatus.OPEN})))
    app.wait()
    page.table.select_rows([2], 2)
    qtbot.keyClick(page.table, Qt.Key.Key_F)
    app.wait()
    with context.project.read_transaction() as stores:
        keys = stores.pair_table.keys(page.model.ids[2:3])
    judged = answers.answer(context.project, keys, "ada", Answer.NEUTRAL).work(Progress())
    context.events.changed.emit(judged.changes)
    app.wait()
    assert page.table.ranges() == []


def test_answer_keys_do_not_repeat(page: PairsPage, context: ProjectContext) -> None:
    assert not any(context.actions[f"pairs.label.{answer.value}"].autoRepeat() for answer in Answer)


def test_pairs_are_copied_as_tsv_and_json(app: App, page: PairsPage, qtbot: QtBot) -> None:
    page.table.select_rows([0, 1], 0)
    qtbot.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    app.wait()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 3
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(page.table, Qt.Key.Key_C, modifiers)
    app.wait()
    assert len(json.loads(QGuiApplication.clipboard().text())) == 2


def test_pairs_that_are_gone_are_not_copied(app: App, page: PairsPage, context: ProjectContext) -> None:
    messages: list[str] = []
    context.message.connect(lambda text, undo: messages.append(text))
    QGuiApplication.clipboard().setText("as before")
    page.table.select_rows([0], 0)
    line = page.model.line(0)
    assert line is not None
    with context.project.transaction() as stores:  # by another program
        remove(stores, line.paper)
    page.pair_actions.copy(CopyFormat.TSV)
    app.wait()
    assert messages == ["Nothing was copied: these pairs no longer exist."]
    assert QGuiApplication.clipboard().text() == "as before"
    last = page.model.rowCount() - 1
    page.table.select_rows([0, last], last)
    page.pair_actions.copy(CopyFormat.TSV)
    app.wait()
    assert messages[1:] == ["Copied 1 pair as TSV."]


def test_enter_and_a_double_click_go_to_review(page: PairsPage, context: ProjectContext, qtbot: QtBot) -> None:
    with context.project.read_transaction() as stores:
        keys = tuple(stores.pair_table.keys(page.model.ids[:2]))
    page.table.select_rows([0, 1], 0)
    with qtbot.waitSignal(context.review_requested) as requested:
        qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert requested.args == [keys]
    place = page.table.visualRect(page.model.index(1, 1)).center()
    qtbot.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    with qtbot.waitSignal(context.review_requested) as requested:
        qtbot.mouseDClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert requested.args == [keys[1:]]


def test_typing_in_the_search_field_answers_nothing(
    app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    page.table.select_rows([0], 0)
    page.search.setFocus()
    qtbot.keyClicks(page.search, "1 b f 4")
    app.wait()
    assert count_pairs(context, PairFilter(annotators=frozenset({"mk"}))) == 0
    assert page.search.text() == "1 b f 4"


def test_the_status_is_empty_until_a_pair_is_answered(app: App, page: PairsPage, qtbot: QtBot) -> None:
    number = [column.key for column in COLUMNS].index("status")
    page.table.select_rows([1], 1)
    assert page.model.index(1, number).data() == ""
    qtbot.keyClick(page.table, Qt.Key.Key_1)
    app.wait()
    assert page.model.index(1, number).data() == "annotated"
    assert page.inspector.details.label.text().splitlines()[0].endswith("annotated as contrasting")


def test_actions_that_write_are_disabled_in_a_read_only_project(page: PairsPage, context: ProjectContext) -> None:
    context.read_only = True
    page.table.select_rows([1], 1)
    page.pair_actions.update_enabled()
    assert not context.actions["pairs.flag"].isEnabled()
    assert context.actions["pairs.review"].isEnabled()
