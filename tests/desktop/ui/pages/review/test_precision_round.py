"""The end of a queue that is a sample."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.jobs.review.rounds import RoundOptions, start_round
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.pages.review.round_summary import RoundSummary
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from storage.annotation.answer_context import NO_CONTEXT
from storage.annotation.rounds import RoundOrder
from storage.pairs.judgement import PairScope
from tests.desktop.ui.judging.page_helpers import current_key
from tests.suggestion_factory import suggest

AT = datetime(2026, 7, 1, tzinfo=UTC)


def test_after_a_sample_the_summary_says_where_its_answers_speak_for_all_labels(
    context: ProjectContext, qtbot: QtBot
) -> None:
    texts = []
    for order in (RoundOrder.PRECISION, RoundOrder.RANDOM):
        job = start_round(context.project, context.annotator, RoundOptions(order, size=3))
        summary = RoundSummary(context)
        qtbot.addWidget(summary)
        with qtbot.waitSignal(summary.ready):
            summary.show_round(job.work(Progress()).round, ())
        texts.append(summary.text.text())
    assert ["on the page Precision" in text for text in texts] == [True, False]


def test_pairs_whose_suggestion_was_accepted_are_shown_and_answered(
    context: ProjectContext, make_page: Callable[[], ReviewPage], wait_until_idle: Callable[[ReviewPage], None]
) -> None:
    suggest(context.project)
    page = make_page()
    page.start_round(RoundOptions(RoundOrder.PRECISION, size=3))
    wait_until_idle(page)
    with context.project.transaction() as stores:
        action, all_pairs = stores.actions.begin("mk", "Accept", AT), PairScope("SELECT key FROM pairs", {})
        assert stores.answers.accept_suggestions(all_pairs, "mk", AT, action=action, seen=NO_CONTEXT) > 3
    page = make_page()
    keys = []
    while page.session.item is not None and len(keys) < 4:
        keys.append(current_key(page))
        QTest.keyClick(page, Qt.Key.Key_1)
        wait_until_idle(page)
    assert len({*keys}) == len(keys) == 3
    with context.project.read_transaction() as stores:
        opinions = stores.precision_samples.opinions(keys)
    assert [len(one.answers) for one in opinions.values()] == [1, 1, 1]
