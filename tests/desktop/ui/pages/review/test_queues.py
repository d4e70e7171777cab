"""Queues beside each other: what is on, what else waits, and what can be done at the end of each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt

from desktop.jobs.review.annotation_rounds import close_round, start_annotation_round, start_assignment
from desktop.jobs.review.answers import answer
from desktop.jobs.review.rounds import RoundOptions
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.pages.review.round_options import RoundDialog
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotation_rounds import RoundPlan
from storage.annotation.rounds import OWN_QUEUE, QueueId, QueueKind, RoundOrder
from storage.changes import Changes
from tests.desktop.ui.app_driver import App
from tests.desktop.ui.judging.page_helpers import TWELVE_PAIRS, history
from tests.storage.annotation.round_factory import hold_rules_everywhere

Key = Qt.Key
Wait = Callable[[ReviewPage], None]
FIRST, SECOND = (QueueId(QueueKind.ASSIGNED, number) for number in (1, 2))


@pytest.fixture
def context(context: ProjectContext) -> ProjectContext:
    """Two rounds of a few pairs each are assigned to the annotator."""
    hold_rules_everywhere(context.project)
    for _ in range(2):
        job = start_annotation_round(context.project, RoundPlan(size=1, domains=("nlp",)), [context.annotator, "Ben"])
        job.work(Progress())
    return context


def choose(page: ReviewPage, queue: QueueId, wait: Wait) -> None:
    """As from the menu."""
    page.round_bar.queue_button.queues[queue].trigger()
    wait(page)


def offered(page: ReviewPage) -> dict[QueueId, str]:
    page.round_bar.queue_button.opened.emit()
    return {queue: action.text() for queue, action in page.round_bar.queue_button.queues.items()}


def answer_all(page: ReviewPage, wait: Wait) -> None:
    while page.session.item is not None:
        page.session.answer(Answer.NEUTRAL)
        wait(page)


def test_review_goes_over_to_an_assigned_round_and_back_and_nothing_is_lost(
    app: App, page: ReviewPage, context: ProjectContext, wait_until_idle: Wait
) -> None:
    first = app.pair_key
    app.press("1")
    skipped = app.pair_key
    app.press("Space")
    third = app.pair_key
    left = offered(page)
    assert left[OWN_QUEUE] == "Your queue: 11 left"
    assert set(left) == {OWN_QUEUE, FIRST, SECOND}
    assert "2 other queues wait" in app.text()
    choose(page, SECOND, wait_until_idle)
    assert "Round 2 · assigned · " in app.text()
    assert page.session.recorder.stays_blind
    assigned = app.pair_key
    app.press("2")
    with context.project.read_transaction() as stores:
        seen = stores.answers.history(assigned)[-1].seen
    assert (seen.round, seen.order) == (2, RoundOrder.ASSIGNED)
    choose(page, OWN_QUEUE, wait_until_idle)
    assert "Your queue · random · 1 of 12" in app.text()
    assert not page.session.recorder.stays_blind
    assert app.pair_key == third
    assert page.session.queue.keys[-1] == skipped
    assert [key for key, _, _ in history(context)] == [first, assigned]


def test_undo_works_in_each_queue_also_for_an_answer_given_in_another(
    app: App, page: ReviewPage, wait_until_idle: Wait
) -> None:
    first = app.pair_key
    page.session.answer(Answer.NEUTRAL)
    app.wait()
    choose(page, FIRST, wait_until_idle)
    assigned, title = app.pair_key, page.round_bar.title.text()
    page.session.answer(Answer.REASONING)
    app.wait()
    page.session.undo()
    app.wait()
    assert (app.pair_key, page.round_bar.title.text()) == (assigned, title)
    page.session.undo()
    app.wait()
    assert app.pair_key == first
    assert title in page.round_bar.title.text()  # nothing of this round is done
    page.session.redo()
    app.wait()
    choose(page, OWN_QUEUE, wait_until_idle)
    assert "Your queue · random · 1 of 12" in app.text()
    page.session.undo()
    app.wait()
    assert (app.pair_key, page.session.queue.waiting_count) == (first, 12)


def test_a_round_that_is_started_on_another_page_leaves_the_own_queue_to_come_back_to(
    app: App, page: ReviewPage, context: ProjectContext
) -> None:
    start_assignment(context.project, context.annotator, 1).work(Progress())
    context.round_started.emit()
    app.wait()
    assert "Round 1 · assigned · 0 of " in app.text()
    assert offered(page)[OWN_QUEUE] == "Your queue: 12 left"


def test_a_new_own_queue_says_what_it_replaces(app: App, page: ReviewPage, wait_until_idle: Wait) -> None:
    choose(page, FIRST, wait_until_idle)
    page.open_round_dialog()
    [dialog] = page.findChildren(RoundDialog)
    assert any("replaces your queue, which has 12 pairs left" in text for text in _texts(dialog))
    dialog.size_box.setValue(3)
    dialog.accept()
    app.wait()
    assert page.round_bar.title.text().endswith("0 of 3")
    left = offered(page)
    assert left[OWN_QUEUE] == "Your queue: 3 left"
    assert set(left) == {OWN_QUEUE, FIRST, SECOND}


def test_the_end_of_a_queue_offers_the_others_and_what_else_can_be_done(
    app: App, page: ReviewPage, context: ProjectContext, wait_until_idle: Wait
) -> None:
    choose(page, FIRST, wait_until_idle)
    answer_all(page, wait_until_idle)
    summary = page.summary
    assert page.stack.currentWidget() is summary
    assert summary.title.text() == "Your part of round 1 is done"
    assert summary.first_button is summary.annotate_button
    texts = [button.text().partition(" (")[0] for button in summary.others.buttons]
    assert texts == ["Go on with your queue", "Go on with round 2"]
    summary.others.buttons[0].click()
    app.wait()
    answer_all(page, wait_until_idle)
    assert summary.title.text() == "Your queue is done"
    assert summary.first_button is summary.others.buttons[0]
    close_round(context.project, 2).work(Progress())
    context.events.changed.emit(Changes(settings=True))
    app.wait()
    assert summary.others.buttons == []
    assert summary.first_button is summary.another_button


def test_whoever_has_no_queue_yet_is_offered_what_is_assigned(
    context: ProjectContext, make_page: Callable[[], ReviewPage], wait_until_idle: Wait
) -> None:
    page = make_page()
    assert page.stack.currentWidget() is page.first_round
    page.first_round.others.buttons[1].click()
    wait_until_idle(page)
    assert page.round_bar.title.text().startswith("Round 2 · assigned · 0 of ")


def test_a_queue_that_is_gone_or_cannot_be_begun_is_told(
    app: App, page: ReviewPage, context: ProjectContext, wait_until_idle: Wait
) -> None:
    close_round(context.project, 2).work(Progress())  # by another program
    choose(page, SECOND, wait_until_idle)
    assert "Round 2 is closed." in app.text()
    assert "Your queue · random · 0 of 12" in app.text()
    page.start_round(RoundOptions(TWELVE_PAIRS.order, size=2))
    app.wait()
    assert "Your queue · random · 0 of 2" in app.text()


def test_an_undo_brings_no_pair_back_of_a_queue_that_is_gone(
    app: App, page: ReviewPage, context: ProjectContext, wait_until_idle: Wait
) -> None:
    choose(page, FIRST, wait_until_idle)
    app.press("1")
    [other] = page.session.queue.keys[-1:]
    context.set_annotator("Mo")  # who is in no round
    app.wait()
    assert page.stack.currentWidget() is page.first_round
    context.change(answer(context.project, [other], context.annotator, Answer.NEUTRAL))
    app.wait()
    context.undo()
    app.wait()
    assert page.stack.currentWidget() is page.first_round
    assert page.session.item is None
    assert page.session.recorder.base.round is None


def _texts(dialog: RoundDialog) -> list[str]:
    from PySide6.QtWidgets import QLabel

    return [label.text() for label in dialog.findChildren(QLabel)]
