"""Review beside a model: its suggestions are hidden while blind, can be accepted when not, and order rounds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from pytestqt.qtbot import QtBot

from desktop.jobs.review.rounds import RoundOptions
from desktop.ui.judging.why_popover import WhyPopover
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.pages.review.round_options import RoundDialog
from desktop.ui.services.project_context import ProjectContext
from miner.records import Answer, Label
from storage.annotation.answers import AnswerSource
from storage.annotation.rounds import RoundOrder
from storage.changes import Changes
from storage.pairs.filters import PairFilter
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.judging.page_helpers import TWELVE_PAIRS
from tests.suggestion_factory import mixed_opinion, probabilities_for, suggest

Key = Qt.Key


@pytest.fixture
def page(
    context: ProjectContext, make_page: Callable[[], ReviewPage], wait_until_idle: Callable[[ReviewPage], None]
) -> ReviewPage:
    """A round of twelve pairs for which there are suggestions, blind."""
    suggest(context.project, mixed_opinion)
    page = make_page()
    page.start_round(TWELVE_PAIRS)
    wait_until_idle(page)
    return page


def test_blind_a_suggestion_is_hidden_and_cannot_be_accepted(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    item = page.session.item
    assert item is not None
    assert page.pair_view.suggested_chip.label == ""
    assert page.answer_bar.hints["review.accept"].isHidden()
    app.press("A")
    assert "stays hidden" in app.text()
    with context.project.read_transaction() as stores:
        assert stores.answers.history(item.pair.key) == []


def test_the_line_about_the_pair_before_tells_what_the_model_says(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    item = page.session.item
    assert item is not None
    assert item.suggestion is not None
    app.press("2")
    assert page.previous_answer.suggested_chip.label == item.suggestion.label
    assert page.previous_answer.confidence_label.text() == f"{item.suggestion.confidence * 100:.0f} %"
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(item.pair.key)
    assert event.seen.hidden == ("phrase", "distant_label", "suggestion")
    assert event.seen.model is None


def test_not_blind_a_accepts_and_the_answer_is_known_as_accepted(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    page.round_bar.blind_button.click()
    item = page.session.item
    assert item is not None
    assert item.suggestion is not None
    assert page.pair_view.suggested_chip.label == item.suggestion.label
    app.press("A")
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(item.pair.key)
    assert (event.new, event.source) == (Answer(item.suggestion.label.value), AnswerSource.ACCEPTED)
    assert page.session.queue.waiting_count == 11


def test_an_answer_of_ones_own_is_not_replaced_by_a_suggestion(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    item = page.session.item
    assert item is not None
    app.press("2")
    page.session.go_to(item.pair.key)
    app.wait()
    app.press("A")
    with context.project.read_transaction() as stores:
        [event] = stores.answers.history(item.pair.key)
    assert event.source is AnswerSource.ANSWER
    assert "You have answered this pair" in app.text()


def test_a_suggestion_that_changed_meanwhile_is_not_accepted_unseen(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    page.round_bar.blind_button.click()
    item = page.session.item
    assert item is not None
    assert item.suggestion is not None
    other = next(label for label in Label if label is not item.suggestion.label)
    suggest(context.project, lambda wanted: probabilities_for(other), model="second")
    app.press("A")
    assert page.session.item is not None
    assert page.session.item.pair.key == item.pair.key
    assert page.pair_view.suggested_chip.label == other
    assert "Nothing was accepted" in app.text()


def test_suggestions_that_come_during_a_round_are_shown(
    app: App, qtbot: QtBot, page: ReviewPage, context: ProjectContext
) -> None:
    page.round_bar.blind_button.click()
    suggest(context.project, lambda wanted: probabilities_for(Label.NEUTRAL, 0.97), model="second")
    context.events.changed.emit(Changes(suggestions=True))
    qtbot.waitUntil(lambda: page.pair_view.confidence_label.text() == "97 %", timeout=5000)
    app.wait()
    assert page.pair_view.suggested_chip.label == "neutral"


@pytest.mark.parametrize("suggested", [False, True])
def test_orders_by_suggestions_can_be_chosen_only_where_there_are_any(
    qtbot: QtBot, context: ProjectContext, suggested: bool
) -> None:
    last = RoundOptions(RoundOrder.ACTIVE)
    dialog = RoundDialog(context.theme, {}, PairFilter(), last, suggested=suggested)
    qtbot.addWidget(dialog)
    model = dialog.order_box.model()
    assert isinstance(model, QStandardItemModel)
    place = dialog.order_box.findData(RoundOrder.DISAGREEMENTS)
    assert model.item(place).isEnabled() is suggested
    assert ("on the Model page" in dialog.description.text()) is not suggested
    assert (dialog.options().order is RoundOrder.ACTIVE) is suggested


@pytest.mark.parametrize("order", [RoundOrder.DISAGREEMENTS, RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE])
def test_a_round_comes_in_the_order_asked_for(
    app: App, page: ReviewPage, context: ProjectContext, order: RoundOrder
) -> None:
    page.start_round(RoundOptions(order, size=12, seed=3))
    app.wait()
    with context.project.read_transaction() as stores:
        made = [item.suggestion for item in stores.rounds.items(page.session.queue.keys, "mk")]
    doubts = [one.doubt for one in made if one is not None and one.doubt is not None]
    sure = [one.confidence for one in made if one is not None]
    if order is RoundOrder.DISAGREEMENTS:
        assert doubts == sorted(doubts, reverse=True)
    if order is RoundOrder.LEAST_CERTAIN:
        assert sure == sorted(sure)
    assert len(made) == 12


def test_a_key_says_why_the_pair_comes_and_another_key_answers_nothing(
    app: App, qtbot: QtBot, page: ReviewPage
) -> None:
    qtbot.keyClick(page, Key.Key_W)
    popover = page.window().findChild(WhyPopover)
    assert popover is not None
    assert popover.sentences == page.why()
    assert popover.sentences[0] == "This is pair 1 of 12 in your queue."
    page.round_bar.title.repaint()
    assert page.why()[0] in page.round_bar.title.toolTip()
    qtbot.keyClick(popover, Key.Key_2)
    qtbot.waitUntil(lambda: page.window().findChild(WhyPopover) is None, timeout=5000)
    app.wait()
    assert page.session.queue.position == 1
    assert page.answer_bar.hints["review.why"].text() == "W why"
