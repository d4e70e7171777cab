"""The Precision page: what it says before and after a sample was answered, and the round that it starts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop.jobs.review.rounds import RoundOptions, start_round
from desktop.ui.pages.dashboard.precision_page import PrecisionPage
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.widgets.questions import Question
from miner.progress import Progress
from storage.annotation.rounds import Round, RoundOrder
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from tests.desktop.ui.conftest import show_page
from tests.precision_factory import answer_sample
from tests.suggestion_factory import suggest


@pytest.fixture
def shown(context: ProjectContext, qtbot: QtBot) -> Callable[[], PrecisionPage]:
    """The page, once it has read."""

    def show() -> PrecisionPage:
        page = PrecisionPage(context)
        show_page(page, qtbot, 1000, 700)
        qtbot.waitUntil(lambda: not page.is_measuring)
        return page

    return show


def current(context: ProjectContext) -> Round:
    with context.project.read_transaction() as stores:
        found = stores.queues.current(context.annotator)
    assert found is not None
    return found


def test_before_a_sample_the_page_says_what_it_is_for_and_its_button_starts_one(
    shown: Callable[[], PrecisionPage], context: ProjectContext, qtbot: QtBot
) -> None:
    page = shown()
    assert page.empty.isVisible()
    assert "how many of the distant labels are right" in page.empty.sentence.text()
    with qtbot.waitSignal(context.round_started):
        qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert current(context).order is RoundOrder.PRECISION


def test_in_a_project_without_pairs_the_page_leads_to_the_papers(empty_context: ProjectContext, qtbot: QtBot) -> None:
    page = PrecisionPage(empty_context)
    show_page(page, qtbot, 1000, 700)
    qtbot.waitUntil(lambda: not page.is_measuring)
    with qtbot.waitSignal(empty_context.page_requested) as requested:
        qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert requested.args == ["papers"]


def test_the_tables_say_how_many_labels_are_right_with_an_interval_and_what_more_answers_would_give(
    shown: Callable[[], PrecisionPage], context: ProjectContext
) -> None:
    suggest(context.project)
    answer_sample(context.project, 60, right=0.8)
    page = shown()
    assert "of the distant labels are right (95 % interval: " in page.lead.text()
    assert "It does not cover wrong answers." in page.sentences.text()
    table = page.classes.model.table
    assert table.columns[3:] == ("Right", "95 % interval", "More for ±3", "More for ±5")
    assert [row.cells[0].text for row in table.rows] == [
        *("Contrasting", "Reasoning", "Entailment", "Neutral"),
        "Overall",
    ]
    assert table.rows[-1].cells[2].text == "60"
    assert page.domains.isVisible()
    assert len(page.domains.model.table.rows) == 5
    assert page.phrases.isVisible()
    page.copy_all()
    assert "How many distant labels are right?\nClass\tPairs\tAnswers" in QGuiApplication.clipboard().text()


def test_where_all_pairs_are_answered_nothing_is_an_estimate(
    shown: Callable[[], PrecisionPage], context: ProjectContext
) -> None:
    with context.project.read_transaction() as stores:
        pairs = stores.pairs.count()
    suggest(context.project)
    answer_sample(context.project, pairs, right=0.8)
    page = shown()
    assert f"right: all {pairs:,} pairs are answered." in page.lead.text()
    assert "at random" not in page.sentences.text()
    assert [row.cells[4].text for row in page.classes.model.table.rows] == ["exact"] * 5
    assert "[" not in page.domains.model.table.rows[-1].cells[1].text
    assert not page.start_button.isVisible()


def test_a_number_opens_its_pairs(shown: Callable[[], PrecisionPage], context: ProjectContext, qtbot: QtBot) -> None:
    answer_sample(context.project, 60)
    page = shown()
    with qtbot.waitSignal(context.pairs_requested) as requested:
        page.classes.table.chosen.emit(page.classes.model.index(1, 1))
    assert requested.args == [PairFilter(distant=frozenset({"reasoning"}))]


def test_new_answers_change_the_estimates(
    shown: Callable[[], PrecisionPage], context: ProjectContext, qtbot: QtBot
) -> None:
    answer_sample(context.project, 20)
    page = shown()
    answer_sample(context.project, 10)
    page.refresh(Changes(many_annotated=True))
    qtbot.waitUntil(lambda: page.report is not None and page.report.overall.answers == 30)


def test_a_round_asks_before_it_replaces_a_queue_and_carries_on_one_of_its_own(
    shown: Callable[[], PrecisionPage], context: ProjectContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_round(context.project, context.annotator, RoundOptions(RoundOrder.RANDOM, size=5)).work(Progress())
    asked: list[str] = []
    answers = iter((False, True))
    monkeypatch.setattr(Question, "confirm", lambda self: (asked.append(self.about.text()), next(answers))[1])
    page = shown()
    page.ask_to_start()
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert current(context).order is RoundOrder.RANDOM
    assert "which has 5 pairs left" in asked[0]
    for _ in range(2):
        with qtbot.waitSignal(context.round_started):
            page.ask_to_start()
    assert len(asked) == 2
    assert (current(context).order, current(context).number) == (RoundOrder.PRECISION, 2)
