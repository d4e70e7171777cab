"""Answering while other things go on: a load ends late, a save takes long, the page is deleted."""

from __future__ import annotations

import threading

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from desktop.jobs.review.queues import load_review
from desktop.jobs.review.rounds import RoundOptions
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from miner.records import Answer
from storage.changes import Changes


def page_in_round(context: ProjectContext, qtbot: QtBot) -> tuple[ReviewPage, str]:
    """A page in a round, and the key of its first pair."""
    page = ReviewPage(context)
    page.resize(1100, 760)
    page.show()
    page.activate()
    page.start_round(RoundOptions(size=10, seed=1))
    qtbot.waitUntil(lambda: page.pair_view.is_seen and not context.runner.running, timeout=5000)
    assert page.session.item is not None
    return page, page.session.item.pair.key


def test_a_pair_answered_while_the_round_is_read_is_not_asked_again(context: ProjectContext, qtbot: QtBot) -> None:
    page, key = page_in_round(context, qtbot)
    qtbot.addWidget(page)
    page.refresh(Changes(papers=True))
    read = load_review(context.project, "mk").work(Progress())
    with qtbot.waitSignal(page.session.pair_answered, timeout=5000):
        page.answer(Answer.NEUTRAL)
    page._on_loaded(read)  # it took its time to come
    qtbot.waitUntil(lambda: not context.runner.running and not page.session.is_busy, timeout=5000)
    assert not page.session.queue.is_waiting(key)
    assert page.session.queue.waiting_count == 9


def test_a_round_started_before_the_first_load_ends_stays_on_the_screen(context: ProjectContext, qtbot: QtBot) -> None:
    page = ReviewPage(context)
    qtbot.addWidget(page)
    page.show()
    loaded = load_review(context.project, "mk").work(Progress())
    page.start_round(RoundOptions(size=10, seed=1))
    qtbot.waitUntil(lambda: page.session.item is not None)
    page._on_loaded(loaded)  # it knows of no round
    qtbot.waitUntil(lambda: not context.runner.running and not page.session.is_busy)
    assert page.stack.currentWidget() is page.side_panel
    assert page.session.queue.waiting_count == 10


def test_an_answer_on_its_way_is_kept_when_the_page_goes(context: ProjectContext, qtbot: QtBot) -> None:
    page, key = page_in_round(context, qtbot)
    page.answer(Answer.NEUTRAL)
    page.session.reload(None)  # and pairs are being read
    with qtbot.captureExceptions() as exceptions:
        delete(page)
        qtbot.waitUntil(lambda: not context.runner.running, timeout=5000)
    assert exceptions == []
    with context.project.read_transaction() as stores:
        assert stores.answers.of_pair(key) == {"mk": Answer.NEUTRAL}


def test_keys_pressed_while_a_save_takes_long_answer_no_pair_that_nobody_saw(
    context: ProjectContext, qtbot: QtBot
) -> None:
    page, first = page_in_round(context, qtbot)
    qtbot.addWidget(page)
    held, go = threading.Event(), threading.Event()

    def hold() -> None:
        with context.project.transaction():
            held.set()
            go.wait(10)

    writer = threading.Thread(target=hold)
    writer.start()
    assert held.wait(5)
    told: list[str] = []
    page.session.message.connect(told.append)
    for _ in range(4):
        page.answer(Answer.NEUTRAL)
    QTimer.singleShot(1200, go.set)
    qtbot.waitUntil(lambda: not page.session.is_busy and not context.runner.running, timeout=8000)
    writer.join()
    assert [key for key in page.session.queue.keys if not page.session.queue.is_waiting(key)] == [first]
    assert any("were ignored" in sentence for sentence in told)
