"""The Pairs page on a real project."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from desktop.jobs.pairs.table import CopyFormat
from desktop.jobs.review import answers
from desktop.ui.evidence.panel import EvidencePanel
from desktop.ui.filters.filter_picker import RangePicker, ValuePicker
from desktop.ui.pages.pairs import actions
from desktop.ui.pages.pairs.columns import COLUMNS
from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.questions import Question
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.marks import MarkKind
from storage.changes import Changes
from storage.pairs.filters import PairFilter, PairOrder, PairStatus, SortColumn


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[[PairsPage], None]) -> PairsPage:
    page = PairsPage(context)
    qtbot.addWidget(page)
    page.resize(1100, 700)
    with qtbot.waitExposed(page):
        page.show()
    page.activate()
    page.setFocus()
    wait_until_idle(page)
    return page


@pytest.fixture
def wait_until_idle(context: ProjectContext, qtbot: QtBot) -> Callable[[PairsPage], None]:
    """`wait_until_idle(page)` waits until the page has read everything it needs."""

    def wait(page: PairsPage) -> None:
        def is_idle() -> bool:
            timers = (
                page._search_timer,
                page.inspector._read_timer,
                page.loader._reload_timer,
                page.loader._read_all_timer,
                page.model._request_timer,
            )
            return not context.runner.running and not any(timer.isActive() for timer in timers)

        qtbot.waitUntil(is_idle, timeout=5000)

    return wait


def count_pairs(context: ProjectContext, filter: PairFilter) -> int:
    with context.project.read_transaction() as stores:
        return stores.pair_table.count(filter)


def test_all_pairs_are_shown_and_counted(page: PairsPage, context: ProjectContext) -> None:
    total = count_pairs(context, PairFilter())
    assert page.model.rowCount() == total > 20
    assert page.toolbar.counter.text() == f"{total:,} of {total:,} pairs"
    assert page.inspector.details.premise.text()
    assert "pairwright" in page.inspector.details.provenance.text()


def test_the_search_filters_while_typing(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    qtbot.keyClick(page.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.search.hasFocus()
    qtbot.keyClicks(page.search, "the wav")
    wait_until_idle(page)
    shown = page.model.rowCount()
    assert 0 < shown == count_pairs(context, PairFilter(text="the wav")) < count_pairs(context, PairFilter())
    assert context.pairs_page_filter == PairFilter(text="the wav")
    line = page.model.line(0)
    assert line is not None
    found = [line.premise[low:high] for low, high in page.table.delegate.matcher.spans(line.premise)]
    found += [line.hypothesis[low:high] for low, high in page.table.delegate.matcher.spans(line.hypothesis)]
    assert {word.casefold()[:3] for word in found} == {"the", "wav"}
    qtbot.keyClick(page.search, Qt.Key.Key_Escape)
    wait_until_idle(page)
    assert page.model.rowCount() == count_pairs(context, PairFilter())
    assert page.table.hasFocus()


def test_a_filter_requested_by_another_page_is_shown_as_chips(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    filter = PairFilter(labels=frozenset({"reasoning"}), years=(1990, None))
    context.pairs_requested.emit(filter)
    wait_until_idle(page)
    assert page.model.rowCount() == count_pairs(context, filter)
    assert [chip.text_button.text() for chip in page.filter_bar.chips.values()] == [
        "Class: reasoning",
        "Year: from 1990",
    ]
    page.filter_bar.chips["years"].remove_button.click()
    wait_until_idle(page)
    assert page.filter == PairFilter(labels=frozenset({"reasoning"}))
    qtbot.keyClick(page.filter_bar.chips["labels"].text_button, Qt.Key.Key_Delete)
    wait_until_idle(page)
    assert page.filter == PairFilter()
    assert not page.filter_bar.chips


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_values_are_selected_in_a_list_with_counts(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.filter_bar.pick("labels")
    picker = page.filter_bar.picker
    assert isinstance(picker, ValuePicker)
    qtbot.waitUntil(lambda: picker.list.topLevelItemCount() > 1)
    item = picker.list.topLevelItem(0)
    assert item is not None
    name, number = item.text(0), int(item.text(1).replace(",", ""))
    qtbot.keyClick(picker.list, Qt.Key.Key_Space)
    assert page.filter == PairFilter(labels=frozenset({name}))
    wait_until_idle(page)
    assert page.model.rowCount() == number == count_pairs(context, page.filter)
    qtbot.keyClick(picker.list, Qt.Key.Key_Space)
    assert page.filter == PairFilter()
    picker.close()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_range_is_entered_as_two_numbers(page: PairsPage, context: ProjectContext, qtbot: QtBot) -> None:
    page.filter_bar.pick("overlap")
    picker = page.filter_bar.picker
    assert isinstance(picker, RangePicker)
    picker.low.setValue(40)
    picker.close()
    assert page.filter == PairFilter(overlap=(40, None))
    assert page.filter_bar.chips["overlap"].text_button.text() == "Word overlap: from 40 %"


def test_a_filter_without_matches_can_be_cleared(
    page: PairsPage, context: ProjectContext, wait_until_idle: Callable[..., None]
) -> None:
    page.show_filter(PairFilter(text="nosuchword"))
    wait_until_idle(page)
    assert page.empty.isVisible()
    assert page.toolbar.counter.text().startswith("0 of ")
    page.empty.button.click()
    wait_until_idle(page)
    assert page.table.isVisible()


def test_sorting_and_returning_to_paper_order(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    usual = page.model.ids
    number = [column.key for column in COLUMNS].index("year")
    page.table.sortByColumn(number, Qt.SortOrder.DescendingOrder)
    wait_until_idle(page)
    with context.project.read_transaction() as stores:
        assert page.model.ids == stores.pair_table.ids(PairFilter(), PairOrder(SortColumn.YEAR, True))
    page.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
    wait_until_idle(page)
    assert page.model.ids == usual


def test_the_columns_menu_can_sort(
    page: PairsPage, context: ProjectContext, wait_until_idle: Callable[..., None]
) -> None:
    [sort] = [action.menu() for action in page.table.column_menu().actions() if action.text() == "Sort by"]
    [action] = [action for action in sort.actions() if action.text() == "Overlap"]
    action.trigger()
    wait_until_idle(page)
    with context.project.read_transaction() as stores:
        assert page.model.ids == stores.pair_table.ids(PairFilter(), PairOrder(SortColumn.OVERLAP))


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_context_menu_filters_by_the_paper_of_a_pair(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.table.select_rows([3], 3)
    line = page.model.line(3)
    assert line is not None
    page.table.menu_requested.emit(page.mapToGlobal(QPoint(50, 200)))
    [menu] = [menu for menu in page.findChildren(QMenu) if menu.isVisible()]
    [action] = [action for action in menu.actions() if action.text() == "Only this paper"]
    action.trigger()
    menu.close()
    wait_until_idle(page)
    assert page.filter == PairFilter(papers=frozenset({line.paper}))
    assert page.filter_bar.chips["papers"].text_button.text().startswith(f"Paper: {line.title[:20]}")


def test_the_evidence_is_of_the_current_pair(
    page: PairsPage, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    qtbot.keyClick(page.table, Qt.Key.Key_C)
    wait_until_idle(page)
    assert isinstance(page.inspector.evidence, EvidencePanel)
    assert page.inspector.evidence.isVisible()
    qtbot.keyClick(page.table, Qt.Key.Key_Down)
    wait_until_idle(page)
    qtbot.keyClick(page.table, Qt.Key.Key_C)
    assert not page.inspector.evidence.isVisible()


def test_a_key_answers_the_selected_pairs_and_undo_reverts_all(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.table.select_rows([2, 3, 4], 2)
    qtbot.keyClick(page.table, Qt.Key.Key_4)
    wait_until_idle(page)
    neutral = PairFilter(gold=frozenset({"neutral"}), annotators=frozenset({"mk"}))
    assert count_pairs(context, neutral) == 3
    assert [row for rows in page.table.ranges() for row in rows] == [2, 3, 4]
    line = page.model.line(3)
    assert line is not None
    assert (line.label, line.status) == ("neutral", PairStatus.SETTLED)
    context.undo()
    wait_until_idle(page)
    assert count_pairs(context, neutral) == 0
    line = page.model.line(3)
    assert line is not None
    assert line.status is PairStatus.OPEN


def test_changing_many_pairs_must_be_confirmed(
    page: PairsPage,
    context: ProjectContext,
    qtbot: QtBot,
    wait_until_idle: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
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
    wait_until_idle(page)
    assert count_pairs(context, PairFilter(flagged=True)) == 0
    is_confirmed = True
    context.actions["pairs.flag"].trigger()
    wait_until_idle(page)
    assert questions[-1] == f"Flag {total:,} pairs?"
    assert count_pairs(context, PairFilter(flagged=True)) == total
    assert page.table.has_all_selected()
    context.undo()
    wait_until_idle(page)
    assert count_pairs(context, PairFilter(flagged=True)) == 0


def test_pairs_are_marked_as_bad_and_unmarked(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.table.select_rows([1], 1)
    qtbot.keyClick(page.table, Qt.Key.Key_B)
    wait_until_idle(page)
    assert count_pairs(context, PairFilter(statuses=frozenset({PairStatus.BAD}))) == 1
    assert "mk: bad pair: broken sentence" in page.inspector.details.history.text()
    qtbot.keyClick(page.table, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
    wait_until_idle(page)
    assert count_pairs(context, PairFilter(statuses=frozenset({PairStatus.BAD}))) == 0


def test_a_change_by_others_keeps_selection_and_scroll_position(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    unflagged = PairFilter(flagged=False)
    page.show_filter(unflagged)
    wait_until_idle(page)
    chosen = [page.model.ids[row] for row in (12, 14)]
    page.table.scroll_to_top(10, 0)
    top = page.model.ids[10]
    page.table.select_rows([12, 14], 14)
    with context.project.read_transaction() as stores:
        keys = stores.pair_table.keys(page.model.ids[2:5])
    judged = answers.mark(context.project, keys, "ada", MarkKind.FLAG, "1").work(Progress())
    context.events.changed.emit(judged.changes)
    wait_until_idle(page)
    assert page.model.rowCount() == count_pairs(context, unflagged)
    assert page.model.ids[page.table.top_row()] == top
    assert [page.model.ids[row] for rows in page.table.ranges() for row in rows] == chosen
    assert page.model.ids[page.table.cursor_row()] == chosen[1]


def displayed_key(page: PairsPage) -> str:
    """The key of the pair that the details pane shows."""
    lines = [page.model.line(row) for row in range(min(64, page.model.rowCount()))]
    lines += [page.model.line(page.model.rowCount() - 1)]
    message = (page.inspector.details.premise.text(), page.inspector.details.hypothesis.text())
    [found] = {line.key for line in lines if line is not None and (line.premise, line.hypothesis) == message}
    return found


def answered_keys(context: ProjectContext) -> list[str]:
    with context.project.read_transaction() as stores:
        rows = stores._connection.exec_driver_sql("SELECT pair_key FROM label_events ORDER BY id")
        return [key for (key,) in rows]


Ctrl, Shift, No = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


@pytest.mark.parametrize("modifiers", [No, Ctrl], ids=["alone", "with Ctrl"])
@pytest.mark.parametrize("key", [Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown])
def test_an_answer_is_about_the_displayed_pair(
    page: PairsPage,
    context: ProjectContext,
    qtbot: QtBot,
    wait_until_idle: Callable[..., None],
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier,
) -> None:
    page.table.select_rows([4], 4)
    qtbot.keyClick(page.table, key, modifiers)
    wait_until_idle(page)
    shown = displayed_key(page)
    qtbot.keyClick(page.table, Qt.Key.Key_1)
    wait_until_idle(page)
    assert answered_keys(context) == [shown]


def test_home_and_end_select_the_first_and_last_row(page: PairsPage, qtbot: QtBot) -> None:
    last = page.model.rowCount() - 1
    page.table.select_rows([4], 4)
    for modifiers in (No, Ctrl):
        qtbot.keyClick(page.table, Qt.Key.Key_End, modifiers)
        assert page.table.ranges() == [range(last, last + 1)]
        qtbot.keyClick(page.table, Qt.Key.Key_Home, modifiers)
        assert page.table.ranges() == [range(1)]
    qtbot.keyClick(page.table, Qt.Key.Key_End, Shift)
    assert page.table.ranges() == [range(last + 1)]


def test_deselecting_a_row_shows_the_remaining_selection(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.table.select_rows([1, 3], 1)
    place = page.table.visualRect(page.model.index(3, 1)).center()
    qtbot.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, Ctrl, QPoint(place))
    wait_until_idle(page)
    shown = displayed_key(page)
    qtbot.keyClick(page.table, Qt.Key.Key_1)
    wait_until_idle(page)
    assert answered_keys(context) == [shown]
    assert page.table.ranges() == [range(1, 2)]


def test_late_details_of_another_pair_are_ignored(
    page: PairsPage, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.inspector._read()  # of the first row
    page.table.select_rows([5], 5)
    shown = displayed_key(page)
    page.inspector._read_timer.stop()
    qtbot.waitUntil(lambda: not page.context.runner.running)
    assert displayed_key(page) == shown


def test_a_pair_that_is_still_being_read_is_not_answered(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.table.select_rows([70], 70)
    page.model.show_ids(page.model.ids)  # nothing of it is known
    page.table.select_rows([70], 70)
    with qtbot.waitSignal(context.message) as message:
        qtbot.keyClick(page.table, Qt.Key.Key_1)
    assert message.args == ["This pair is still being read. Press the key again when it is shown.", False]
    wait_until_idle(page)
    assert answered_keys(context) == []


def test_the_next_pair_is_selected_only_after_an_answer_on_this_page(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.show_filter(PairFilter(statuses=frozenset({PairStatus.OPEN})))
    wait_until_idle(page)
    page.table.select_rows([2], 2)
    first, second = page.model.ids[2], page.model.ids[3]
    qtbot.keyClick(page.table, Qt.Key.Key_1)
    wait_until_idle(page)
    assert first not in page.model.ids
    assert [page.model.ids[row] for rows in page.table.ranges() for row in rows] == [second]
    with context.project.read_transaction() as stores:
        keys = stores.pair_table.keys(page.model.ids[2:3])
    judged = answers.answer(context.project, keys, "ada", Answer.NEUTRAL).work(Progress())
    context.events.changed.emit(judged.changes)
    wait_until_idle(page)
    assert second not in page.model.ids
    assert page.table.ranges() == []
    assert not context.actions["pairs.label.neutral"].isEnabled()


def test_a_flag_that_removes_no_row_selects_no_other_pair_later(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.show_filter(PairFilter(statuses=frozenset({PairStatus.OPEN})))
    wait_until_idle(page)
    page.table.select_rows([2], 2)
    qtbot.keyClick(page.table, Qt.Key.Key_F)
    wait_until_idle(page)
    with context.project.read_transaction() as stores:
        keys = stores.pair_table.keys(page.model.ids[2:3])
    judged = answers.answer(context.project, keys, "ada", Answer.NEUTRAL).work(Progress())
    context.events.changed.emit(judged.changes)
    wait_until_idle(page)
    assert page.table.ranges() == []


def test_answer_keys_do_not_repeat(page: PairsPage, context: ProjectContext) -> None:
    assert not any(context.actions[f"pairs.label.{answer.value}"].autoRepeat() for answer in Answer)


def test_pairs_are_copied_as_tsv_and_json(page: PairsPage, qtbot: QtBot, wait_until_idle: Callable[..., None]) -> None:
    page.table.select_rows([0, 1], 0)
    qtbot.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    wait_until_idle(page)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 3
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(page.table, Qt.Key.Key_C, modifiers)
    wait_until_idle(page)
    assert len(json.loads(QGuiApplication.clipboard().text())) == 2


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


def test_a_typed_search_is_applied_when_the_page_is_left(
    page: PairsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    page.search.setFocus()
    qtbot.keyClicks(page.search, "the")
    page.hide()
    assert context.pairs_page_filter == PairFilter(text="the")


def test_typing_in_the_search_field_answers_nothing(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.table.select_rows([0], 0)
    page.search.setFocus()
    qtbot.keyClicks(page.search, "1 b f 4")
    wait_until_idle(page)
    assert count_pairs(context, PairFilter(annotators=frozenset({"mk"}))) == 0
    assert page.search.text() == "1 b f 4"


def test_visible_columns_are_remembered(page: PairsPage, context: ProjectContext, qtbot: QtBot) -> None:
    number = [column.key for column in COLUMNS].index("title")
    assert page.table.isColumnHidden(number)
    [action] = [action for action in page.table.column_menu().actions() if action.text() == "Paper"]
    action.trigger()
    another = PairsPage(context)
    qtbot.addWidget(another)
    assert not another.table.isColumnHidden(number)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_filter_menu_can_be_searched(page: PairsPage, context: ProjectContext, qtbot: QtBot) -> None:
    page.table.setFocus()
    menu = page.filter_bar.menu
    every = len(menu.visible_items())
    menu.popup(page.mapToGlobal(QPoint(0, 0)))
    qtbot.keyClicks(menu, "word ov")
    assert [action.text() for action in menu.visible_items()] == ["Word overlap…"]
    qtbot.keyClick(menu, Qt.Key.Key_Backspace)
    qtbot.keyClicks(menu, "v")
    with qtbot.waitSignal(menu.triggered) as chosen:
        qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert chosen.args[0].text() == "Word overlap…"
    if page.filter_bar.picker is not None:
        page.filter_bar.picker.close()
    menu.popup(page.mapToGlobal(QPoint(0, 0)))
    assert len(menu.visible_items()) == every
    qtbot.keyClicks(menu, "flag 1")
    menu.close()
    qtbot.waitUntil(lambda: not context.runner.running)
    assert answered_keys(context) == []
    assert count_pairs(context, PairFilter(flagged=True)) == 0


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_columns_menu_stays_open(page: PairsPage, qtbot: QtBot) -> None:
    menu = page.table.column_menu()
    menu.popup(page.mapToGlobal(QPoint(0, 0)))
    for name, how in (("Paper", "key"), ("Page", "click")):
        number = [column.title for column in COLUMNS].index(name)
        [action] = [action for action in menu.actions() if action.text() == name]
        assert page.table.isColumnHidden(number)
        if how == "key":
            menu.setActiveAction(action)
            qtbot.keyClick(menu, Qt.Key.Key_Space)
        else:
            qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        assert not page.table.isColumnHidden(number)
        assert menu.isVisible()
    menu.close()


def test_the_status_is_empty_until_a_pair_is_answered(
    page: PairsPage, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    number = [column.key for column in COLUMNS].index("status")
    page.table.select_rows([1], 1)
    assert page.model.index(1, number).data() == ""
    qtbot.keyClick(page.table, Qt.Key.Key_1)
    wait_until_idle(page)
    assert page.model.index(1, number).data() == "settled"
    assert page.inspector.details.label.text().endswith("settled as contrasting")


def test_the_details_can_be_expanded_and_scrolled_by_key(page: PairsPage, qtbot: QtBot) -> None:
    assert page.inspector.details.provenance.isHidden()
    page.inspector.details.more.click()
    assert page.inspector.details.provenance.isVisible()
    page.inspector._vertical_splitter.setSizes([600, 60])
    bar = page.inspector.details._scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert bar.value() > 0
    qtbot.keyClick(page.table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert bar.value() == 0
    assert page.table.ranges() == [range(1)]


def test_filters_are_saved_under_a_name(
    page: PairsPage, context: ProjectContext, wait_until_idle: Callable[..., None]
) -> None:
    filter = PairFilter(text="wave", flagged=False)
    page.saved.save("Waves", filter)
    wait_until_idle(page)
    page.saved.menu().aboutToShow.emit()
    [action] = [action for action in page.saved.menu().actions() if action.text() == "Waves"]
    action.trigger()
    wait_until_idle(page)
    assert page.filter == filter
    assert page.search.text() == "wave"
    page.saved.save("Waves", None)
    wait_until_idle(page)
    assert page.saved.names == []


def test_actions_that_write_are_disabled_in_a_read_only_project(page: PairsPage, context: ProjectContext) -> None:
    context.read_only = True
    page.table.select_rows([1], 1)
    page.pair_actions.update_enabled()
    assert not context.actions["pairs.flag"].isEnabled()
    assert context.actions["pairs.review"].isEnabled()


def test_a_hidden_page_is_refreshed_when_it_is_shown(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.hide()
    context.pairs_requested.emit(PairFilter(text="wave"))
    assert not context.runner.running
    page.show()
    page.activate()
    wait_until_idle(page)
    assert page.model.rowCount() == count_pairs(context, PairFilter(text="wave"))
    context.events.changed.emit(Changes(many_annotated=True))
    wait_until_idle(page)
    assert page.filter == replace(PairFilter(), text="wave")


def test_a_page_deleted_while_reading_gets_no_results(context: ProjectContext, qtbot: QtBot) -> None:
    page = PairsPage(context)
    page.show()
    page.activate()
    qtbot.waitUntil(lambda: page.model.rowCount() > 0, timeout=5000)
    page.model.invalidate()
    page.model.line(0)
    page.model._request_windows()
    page.filter_bar.counts_requested.emit("phrases")
    page.pair_actions.copy(CopyFormat.TSV)
    page.pair_actions.review()
    with qtbot.captureExceptions() as exceptions:
        delete(page)
        qtbot.waitUntil(lambda: not context.runner.running, timeout=5000)
    assert exceptions == []
