"""Suggestions on the Pairs page: columns, filters, orders, and accepting them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.ui.filters.filter_picker import RangePicker, ValuePicker
from desktop.ui.judging.accept_dialog import AcceptDialog
from desktop.ui.pages.pairs.columns import COLUMNS
from desktop.ui.pages.pairs.page import PairsPage
from desktop.ui.services.display_names import FIELDS
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.questions import Question
from miner.records import Label
from storage.changes import Changes
from storage.pairs.filters import PairFilter, PairStatus, SortColumn, with_value
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.pages.pairs.page_helpers import count_pairs
from tests.suggestion_factory import mixed_opinion, probabilities_for, suggest

NUMBER = {column.key: number for number, column in enumerate(COLUMNS)}


@pytest.fixture
def page(page: PairsPage, wait_until_idle: Callable[[PairsPage], None]) -> PairsPage:
    """The page of a project without suggestions, wide enough for their columns."""
    page.resize(1400, 800)
    wait_until_idle(page)
    return page


@pytest.fixture
def suggestions_page(
    page: PairsPage, context: ProjectContext, wait_until_idle: Callable[[PairsPage], None]
) -> PairsPage:
    """The page of a project with suggestions."""
    suggest(context.project, mixed_opinion)
    context.events.changed.emit(Changes(suggestions=True))
    wait_until_idle(page)
    return page


def test_suggestion_columns_appear_with_the_first_suggestion(
    app: App, page: PairsPage, context: ProjectContext
) -> None:
    assert page.table.isColumnHidden(NUMBER["suggested"])
    assert page.inspector.details.suggestion.isHidden()
    suggest(context.project, mixed_opinion)
    context.events.changed.emit(Changes(suggestions=True))
    app.wait()
    assert not page.table.isColumnHidden(NUMBER["suggested"])
    line = page.model.line(0)
    assert line is not None
    assert line.suggested
    assert page.inspector.details.bars.probabilities == line.probabilities


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("field", ["suggested", "suggestion_agrees", "accepted"])
def test_fields_of_suggestions_can_be_filtered_by(
    suggestions_page: PairsPage, context: ProjectContext, wait_until_idle: Callable[[PairsPage], None], field: str
) -> None:
    suggestions_page.filter_bar.pick(field)
    wait_until_idle(suggestions_page)
    picker = suggestions_page.filter_bar.picker
    assert isinstance(picker, ValuePicker)
    item = picker.list.topLevelItem(0)
    assert item is not None
    expected = int(item.text(1).replace(",", ""))
    picker._toggle(item)
    if suggestions_page.filter_bar.picker is not None:
        suggestions_page.filter_bar.picker.close()
    wait_until_idle(suggestions_page)
    assert suggestions_page.model.rowCount() == expected
    assert suggestions_page.filter_bar.chips[field].text_button.text().startswith(FIELDS[field].name)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("field", ["confidence", "doubt"])
def test_confidence_and_doubt_are_filtered_in_percent(
    suggestions_page: PairsPage, context: ProjectContext, wait_until_idle: Callable[[PairsPage], None], field: str
) -> None:
    suggestions_page.filter_bar.pick(field)
    assert isinstance(suggestions_page.filter_bar.picker, RangePicker)
    suggestions_page.filter_bar.picker.low.setValue(50)
    suggestions_page.filter_bar.picker.close()
    wait_until_idle(suggestions_page)
    assert suggestions_page.filter == with_value(PairFilter(), field, (50, None))
    lines = [suggestions_page.model.line(row) for row in range(suggestions_page.model.rowCount())]
    assert lines
    assert all(getattr(line, field) >= 0.4999 for line in lines if line is not None)


def test_the_table_can_be_sorted_by_doubt(
    suggestions_page: PairsPage, wait_until_idle: Callable[[PairsPage], None]
) -> None:
    suggestions_page.table.sortByColumn(NUMBER["doubt"], Qt.SortOrder.DescendingOrder)
    wait_until_idle(suggestions_page)
    assert COLUMNS[NUMBER["doubt"]].sort is SortColumn.DOUBT
    lines = [suggestions_page.model.line(row) for row in range(20)]
    doubts = [line.doubt for line in lines if line is not None and line.doubt is not None]
    assert doubts == sorted(doubts, reverse=True)


def test_suggestions_of_the_selected_pairs_are_accepted_and_undone(
    suggestions_page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[[PairsPage], None]
) -> None:
    suggestions_page.table.select_rows([0, 1, 2], 0)
    qtbot.keyClick(suggestions_page.table, Qt.Key.Key_A)
    wait_until_idle(suggestions_page)
    assert count_pairs(context, PairFilter(accepted=True)) == 3
    line = suggestions_page.model.line(1)
    assert line is not None
    assert (line.accepted, line.status, line.gold) == (True, PairStatus.SETTLED, line.suggested)
    context.undo()
    wait_until_idle(suggestions_page)
    assert count_pairs(context, PairFilter(accepted=True)) == 0


def test_accepting_many_suggestions_must_be_confirmed(
    suggestions_page: PairsPage,
    context: ProjectContext,
    wait_until_idle: Callable[[PairsPage], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    questions: list[str] = []

    def refuse(box: Question) -> int:
        questions.append(box.question.text())
        return 0

    monkeypatch.setattr(Question, "exec", refuse)
    suggestions_page.table.select_rows(list(range(60)), 0)
    suggestions_page.pair_actions.accept()
    wait_until_idle(suggestions_page)
    assert questions == ["Accept the suggestions for 60 pairs?"]
    assert count_pairs(context, PairFilter(accepted=True)) == 0


def test_with_all_pairs_selected_a_dialog_shows_the_effect_first(
    suggestions_page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[[PairsPage], None]
) -> None:
    suggestions_page.show_filter(PairFilter(distant=frozenset(("reasoning",))))
    wait_until_idle(suggestions_page)
    suggestions_page.table.selectAll()
    suggestions_page.pair_actions.accept()
    dialog = suggestions_page.findChild(AcceptDialog)
    assert isinstance(dialog, AcceptDialog)
    dialog.confidence_box.setValue(25)
    qtbot.waitUntil(lambda: dialog.preview is not None and not context.runner.running)
    assert dialog.preview is not None
    assert dialog.preview.count == suggestions_page.model.rowCount()
    dialog.accept_button.click()
    wait_until_idle(suggestions_page)
    assert count_pairs(context, PairFilter(accepted=True)) == suggestions_page.model.rowCount()


def test_the_dialog_says_that_there_are_no_suggestions(
    page: PairsPage, context: ProjectContext, qtbot: QtBot, wait_until_idle: Callable[[PairsPage], None]
) -> None:
    page.table.selectAll()
    page.pair_actions.accept()
    dialog = page.findChild(AcceptDialog)
    assert isinstance(dialog, AcceptDialog)
    qtbot.waitUntil(lambda: dialog.preview is not None and not context.runner.running)
    dialog.find_button.click()
    wait_until_idle(page)
    expected = "There are no suggestions yet. A model makes some on the Model page."
    assert dialog.preview_pane.risk_label.text() == dialog.promise_label.text() == expected
    dialog.reject()


def test_new_suggestions_update_a_table_filtered_by_them(
    suggestions_page: PairsPage, context: ProjectContext, wait_until_idle: Callable[[PairsPage], None]
) -> None:
    suggestions_page.show_filter(PairFilter(suggested=frozenset(("neutral",))))
    wait_until_idle(suggestions_page)
    few = suggestions_page.model.rowCount()
    suggest(context.project, lambda wanted: probabilities_for(Label.NEUTRAL), model="second")
    context.events.changed.emit(Changes(suggestions=True))
    wait_until_idle(suggestions_page)
    assert suggestions_page.model.rowCount() == count_pairs(context, PairFilter()) > few
