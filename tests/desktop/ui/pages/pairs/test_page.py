"""The Pairs page on a real project: search, filters, details."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from desktop.jobs.exchange.project_split import set_split
from desktop.jobs.pairs import lists
from desktop.jobs.pairs.table import CopyFormat
from desktop.jobs.review.annotator import set_annotator
from desktop.jobs.review.answers import answer
from desktop.jobs.review.people import rename_person
from desktop.ui.evidence.panel import EvidencePanel
from desktop.ui.filters.filter_picker import RangePicker, ValuePicker
from desktop.ui.pages.pairs.columns import COLUMNS
from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.display_names import FIELDS, GROUPS
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.questions import Question, TextQuestion
from miner.progress import Progress
from miner.records import Answer
from miner.splits import shares_split
from storage.changes import Changes
from storage.pairs.filters import CONDITIONS, PairFilter
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.pages.pairs.page_helpers import answered_keys, count_pairs, displayed_key
from tests.storage.factories import answer_about_kinds, reasoned


def test_all_pairs_are_shown_and_counted(page: PairsPage, context: ProjectContext) -> None:
    total = count_pairs(context, PairFilter())
    assert page.model.rowCount() == total > 20
    assert page.toolbar.counter.text() == f"{total:,} of {total:,} pairs"
    assert page.inspector.details.premise.text()
    assert "pairwright" in page.inspector.details.provenance.text()


def test_the_search_filters_while_typing(app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot) -> None:
    qtbot.keyClick(page.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.search.hasFocus()
    qtbot.keyClicks(page.search, "the wav")
    app.wait()
    shown = page.model.rowCount()
    assert 0 < shown == count_pairs(context, PairFilter(text="the wav")) < count_pairs(context, PairFilter())
    assert context.pairs_page_filter == PairFilter(text="the wav")
    line = page.model.line(0)
    assert line is not None
    found = [line.premise[low:high] for low, high in page.table.delegate.matcher.spans(line.premise)]
    found += [line.hypothesis[low:high] for low, high in page.table.delegate.matcher.spans(line.hypothesis)]
    assert {word.casefold()[:3] for word in found} == {"the", "wav"}
    qtbot.keyClick(page.search, Qt.Key.Key_Escape)
    app.wait()
    assert page.model.rowCount() == count_pairs(context, PairFilter())
    assert page.table.hasFocus()


def test_a_filter_requested_by_another_page_is_shown_as_chips(
    app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    filter = PairFilter(labels=frozenset({"reasoning"}), years=(1990, None))
    context.pairs_requested.emit(filter)
    app.wait()
    assert page.model.rowCount() == count_pairs(context, filter)
    assert [chip.text_button.text() for chip in page.filter_bar.chips.values()] == [
        "Class: reasoning",
        "Year: from 1990",
    ]
    page.filter_bar.chips["years"].remove_button.click()
    app.wait()
    assert page.filter == PairFilter(labels=frozenset({"reasoning"}))
    qtbot.keyClick(page.filter_bar.chips["labels"].text_button, Qt.Key.Key_Delete)
    app.wait()
    assert page.filter == PairFilter()
    assert not page.filter_bar.chips


def test_kinds_and_direction_of_a_pair_are_filtered_and_shown(
    app: App, page: PairsPage, context: ProjectContext
) -> None:
    key = displayed_key(page)
    answer_about_kinds(context.project, key, "anna", reasoned("ct", "e"))
    answer_about_kinds(context.project, key, "ben", reasoned("c", "e"))
    asked = {"kinds": frozenset({"causal"}), "direction": frozenset({"both"}), "kinds_differ": frozenset({"any"})}
    page.show_filter(PairFilter(**asked))  # type: ignore[arg-type]
    app.wait()
    assert page.model.rowCount() == 1
    assert [chip.text_button.text() for chip in page.filter_bar.chips.values()] == [
        "Kind of reasoning: causal",
        "Direction: each entails the other",
        "Annotators disagree on: any kind",
    ]
    said = page.inspector.details.label.text()
    assert (
        "direction from annotators: each entails the other · kinds of reasoning (2 annotators): causal, temporal"
        in said
    )
    assert "annotators disagree on temporal" in said
    line = page.model.line(0)
    assert line is not None
    cells = {column.key: column.text(line) for column in COLUMNS}
    assert (cells["direction"], cells["kinds"]) == ("each entails the other", "causal, temporal")


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_values_are_selected_in_a_list_with_counts(
    app: App, page: PairsPage, context: ProjectContext, qtbot: QtBot
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
    app.wait()
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


def test_a_chip_names_annotators_as_they_are_called_now(app: App, page: PairsPage, context: ProjectContext) -> None:
    set_annotator(context.project, "mk").work(Progress())
    context.change(answer(context.project, [displayed_key(page)], "mk", Answer.NEUTRAL))
    context.events.changed.emit(rename_person(context.project, "mk", "Mika").work(Progress()).changes)
    app.wait()
    page.show_filter(PairFilter(annotators=frozenset({"mk"})))
    assert page.filter_bar.chips["annotators"].text_button.text() == "Answered by: Mika"
    app.wait()
    context.change(rename_person(context.project, "mk", "Mona"))
    app.wait()
    assert page.filter_bar.chips["annotators"].text_button.text() == "Answered by: Mona"
    assert "Mona: " in page.inspector.details.history.text()
    page.show_filter(PairFilter(domains=frozenset({"R&D"})))
    assert page.filter_bar.chips["domains"].text_button.text() == "Domain: R&&D"  # else Qt underlines the D


def test_a_filter_without_matches_can_be_cleared(app: App, page: PairsPage) -> None:
    page.show_filter(PairFilter(text="nosuchword"))
    app.wait()
    assert page.empty.isVisible()
    assert page.toolbar.counter.text().startswith("0 of ")
    page.empty.button.click()
    app.wait()
    assert page.table.isVisible()


def test_the_evidence_is_of_the_current_pair(app: App, page: PairsPage, qtbot: QtBot) -> None:
    qtbot.keyClick(page.table, Qt.Key.Key_C)
    app.wait()
    assert isinstance(page.inspector.evidence, EvidencePanel)
    assert page.inspector.evidence.isVisible()
    qtbot.keyClick(page.table, Qt.Key.Key_Down)
    app.wait()
    qtbot.keyClick(page.table, Qt.Key.Key_C)
    assert not page.inspector.evidence.isVisible()


def test_late_details_of_another_pair_are_ignored(
    page: PairsPage, qtbot: QtBot, wait_until_idle: Callable[..., None]
) -> None:
    page.inspector._read()  # of the first row
    page.table.select_rows([5], 5)
    shown = displayed_key(page)
    page.inspector._read_timer.stop()
    qtbot.waitUntil(lambda: not page.context.runner.running)
    assert displayed_key(page) == shown


def test_a_typed_search_is_applied_when_the_page_is_left(
    page: PairsPage, context: ProjectContext, qtbot: QtBot
) -> None:
    page.search.setFocus()
    qtbot.keyClicks(page.search, "the")
    page.hide()
    assert context.pairs_page_filter == PairFilter(text="the")


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_filter_menu_can_be_searched(page: PairsPage, context: ProjectContext, qtbot: QtBot) -> None:
    page.table.setFocus()
    menu = page.filter_bar.menu
    assert FIELDS.keys() | {"text"} == CONDITIONS.keys()
    assert {known.group for known in FIELDS.values()} == set(GROUPS)
    every = len(menu.visible_items())
    assert every == 10
    menu.popup(page.mapToGlobal(QPoint(0, 0)))
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    assert menu.activeAction().text() == "Class…"
    qtbot.keyClicks(menu, "corrected by hand")  # a value of it
    assert [action.text() for action in menu.visible_items()] == ["Text…"]
    qtbot.keyClick(menu, Qt.Key.Key_Escape)
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


def test_filters_are_saved_under_a_name(app: App, page: PairsPage) -> None:
    filter = PairFilter(text="wave", flagged=False)
    page.saved.save("Waves", filter)
    app.wait()
    page.saved.menu().aboutToShow.emit()
    [action] = [action for action in page.saved.menu().actions() if action.text() == "Waves"]
    action.trigger()
    app.wait()
    assert page.filter == filter
    assert page.search.text() == "wave"
    page.saved.save("Waves", None)
    app.wait()
    assert page.saved.names == []


def test_lists_of_pairs_are_shown_renamed_and_deleted(
    app: App, page: PairsPage, context: ProjectContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trigger(text: str) -> None:
        page.saved.menu().aboutToShow.emit()
        found = [action for action in page.saved.menu().actions() if action.text() == text]
        found[0].trigger()
        app.wait()

    with context.project.read_transaction() as stores:
        keys = stores.pair_table.keys(page.model.ids[:3])
    context.change(lists.put_list(context.project, "hard & fast", keys))
    app.wait()
    trigger("hard && fast (3)")
    assert page.filter == PairFilter(lists=frozenset({"hard & fast"}))
    assert page.model.rowCount() == 3
    monkeypatch.setattr(TextQuestion, "ask", lambda self: "hard ones")
    page.saved.lists.rename("hard & fast")
    app.wait()
    assert page.filter == PairFilter(lists=frozenset({"hard ones"}))
    assert page.model.rowCount() == 3
    said: list[str] = []
    monkeypatch.setattr(Question, "confirm", lambda self: said.append(self.about.text()))
    page.saved.lists.delete("hard ones")
    app.wait()
    assert "filters that leave it out will leave out nothing" in said[0]
    assert len(page.saved.lists.lists) == 1
    monkeypatch.setattr(Question, "confirm", lambda self: True)
    page.saved.lists.delete("hard ones")
    app.wait()
    assert page.saved.lists.lists == ()
    assert page.model.rowCount() == 0


def test_undo_and_redo_show_the_pairs_that_match_then(app: App, page: PairsPage, context: ProjectContext) -> None:
    context.change(set_split(context.project, shares_split(60, 15, 25)))
    app.wait()
    page.show_filter(PairFilter(splits=frozenset(["test"])))
    app.wait()
    shown = page.model.rowCount()
    assert shown > 0
    context.undo()
    app.wait()
    assert page.model.rowCount() == 0
    context.redo()
    app.wait()
    assert page.model.rowCount() == shown


def test_a_hidden_page_is_refreshed_when_it_is_shown(app: App, page: PairsPage, context: ProjectContext) -> None:
    page.hide()
    context.pairs_requested.emit(PairFilter(text="wave"))
    assert not context.runner.running
    page.show()
    page.activate()
    app.wait()
    assert page.model.rowCount() == count_pairs(context, PairFilter(text="wave"))
    context.events.changed.emit(Changes(many_annotated=True))
    app.wait()
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
