"""The table of pairs beside a model: its columns, filters and orders, and suggestions accepted from there."""

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
from tests.suggestion_factory import mixed, suggest, sure_of

NUMBER = {column.key: number for number, column in enumerate(COLUMNS)}


@pytest.fixture
def settled(context: ProjectContext, qtbot: QtBot) -> Callable[[PairsPage], None]:
    def wait(page: PairsPage) -> None:
        def quiet() -> bool:
            timers = (
                page._search_timer,
                page.inspector._read_timer,
                page.loader._reload_timer,
                page.loader._read_all_timer,
                page.table._request_timer,
            )
            return not context.runner.running and not any(timer.isActive() for timer in timers)

        qtbot.waitUntil(quiet, timeout=5000)

    return wait


@pytest.fixture
def page(context: ProjectContext, qtbot: QtBot, settled: Callable[[PairsPage], None]) -> PairsPage:
    """Before any model has looked at the pairs."""
    page = PairsPage(context)
    qtbot.addWidget(page)
    page.resize(1400, 800)
    with qtbot.waitExposed(page):
        page.show()
    page.activate()
    page.setFocus()
    settled(page)
    return page


@pytest.fixture
def judged(page: PairsPage, context: ProjectContext, settled: Callable[[PairsPage], None]) -> PairsPage:
    """After one has."""
    suggest(context.project, mixed)
    context.events.changed.emit(Changes(suggestions=True))
    settled(page)
    return page


def plain(context: ProjectContext, filter: PairFilter) -> int:
    with context.project.reading() as stores:
        return stores.pair_table.count(filter)


def test_columns_of_suggestions_come_with_the_first_of_them(
    page: PairsPage, context: ProjectContext, settled: Callable[[PairsPage], None]
) -> None:
    assert page.view.isColumnHidden(NUMBER["suggested"])
    assert page.inspector.details.suggestion.isHidden()
    suggest(context.project, mixed)
    context.events.changed.emit(Changes(suggestions=True))
    settled(page)
    assert not page.view.isColumnHidden(NUMBER["suggested"])
    line = page.table.line(0)
    assert line is not None
    assert line.suggested
    assert page.inspector.details.bars.probabilities == line.probabilities


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("field", ["suggested", "suggestion_agrees", "accepted"])
def test_what_the_model_says_is_chosen_from_a_list_with_counts(
    judged: PairsPage, context: ProjectContext, settled: Callable[[PairsPage], None], field: str
) -> None:
    judged.filter_bar.pick(field)
    settled(judged)
    picker = judged.filter_bar.picker
    assert isinstance(picker, ValuePicker)
    item = picker.list.topLevelItem(0)
    assert item is not None
    expected = int(item.text(1).replace(",", ""))
    picker._toggle(item)
    if judged.filter_bar.picker is not None:
        judged.filter_bar.picker.close()
    settled(judged)
    assert judged.table.rowCount() == expected
    assert judged.filter_bar.chips[field].text_button.text().startswith(FIELDS[field].name)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("field", ["confidence", "doubt"])
def test_ranges_of_confidence_and_doubt_are_chosen_in_percent(
    judged: PairsPage, context: ProjectContext, settled: Callable[[PairsPage], None], field: str
) -> None:
    judged.filter_bar.pick(field)
    assert isinstance(judged.filter_bar.picker, RangePicker)
    judged.filter_bar.picker.low.setValue(50)
    judged.filter_bar.picker.close()
    settled(judged)
    assert judged.filter == with_value(PairFilter(), field, (50, None))
    lines = [judged.table.line(row) for row in range(judged.table.rowCount())]
    assert lines
    assert all(getattr(line, field) >= 0.4999 for line in lines if line is not None)


def test_a_head_sorts_by_doubt(judged: PairsPage, settled: Callable[[PairsPage], None]) -> None:
    judged.view.sortByColumn(NUMBER["doubt"], Qt.SortOrder.DescendingOrder)
    settled(judged)
    assert COLUMNS[NUMBER["doubt"]].sort is SortColumn.DOUBT
    lines = [judged.table.line(row) for row in range(20)]
    doubts = [line.doubt for line in lines if line is not None and line.doubt is not None]
    assert doubts == sorted(doubts, reverse=True)


def test_suggestions_of_the_chosen_pairs_are_accepted_and_undo_takes_all_back(
    judged: PairsPage, context: ProjectContext, qtbot: QtBot, settled: Callable[[PairsPage], None]
) -> None:
    judged.view.select_rows([0, 1, 2], 0)
    qtbot.keyClick(judged.view, Qt.Key.Key_A)
    settled(judged)
    assert plain(context, PairFilter(accepted=True)) == 3
    line = judged.table.line(1)
    assert line is not None
    assert (line.accepted, line.status, line.gold) == (True, PairStatus.SETTLED, line.suggested)
    context.undo()
    settled(judged)
    assert plain(context, PairFilter(accepted=True)) == 0


def test_many_suggestions_are_accepted_only_after_a_question(
    judged: PairsPage, context: ProjectContext, settled: Callable[[PairsPage], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def refuse(box: Question) -> int:
        asked.append(box.question.text())
        return 0

    monkeypatch.setattr(Question, "exec", refuse)
    judged.view.select_rows(list(range(60)), 0)
    judged.pair_actions.accept()
    settled(judged)
    assert asked == ["Accept the suggestions for 60 pairs?"]
    assert plain(context, PairFilter(accepted=True)) == 0


def test_with_all_pairs_selected_one_looks_at_what_it_does_first(
    judged: PairsPage, context: ProjectContext, qtbot: QtBot, settled: Callable[[PairsPage], None]
) -> None:
    judged.show_filter(PairFilter(distant=frozenset(("reasoning",))))
    settled(judged)
    judged.view.selectAll()
    judged.pair_actions.accept()
    dialog = judged.findChild(AcceptDialog)
    assert isinstance(dialog, AcceptDialog)
    dialog.confidence_box.setValue(25)
    qtbot.waitUntil(lambda: dialog.preview is not None and not context.runner.running)
    assert dialog.preview is not None
    assert dialog.preview.count == judged.table.rowCount()
    dialog.accept_button.click()
    settled(judged)
    assert plain(context, PairFilter(accepted=True)) == judged.table.rowCount()


def test_suggestions_that_change_move_pairs_in_a_table_that_follows_them(
    judged: PairsPage, context: ProjectContext, settled: Callable[[PairsPage], None]
) -> None:
    judged.show_filter(PairFilter(suggested=frozenset(("neutral",))))
    settled(judged)
    few = judged.table.rowCount()
    suggest(context.project, lambda wanted: sure_of(Label.NEUTRAL), model="second")
    context.events.changed.emit(Changes(suggestions=True))
    settled(judged)
    assert judged.table.rowCount() == plain(context, PairFilter()) > few
