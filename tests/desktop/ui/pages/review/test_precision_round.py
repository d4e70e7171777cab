"""The end of a queue that is a sample."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from desktop.jobs.review.rounds import RoundOptions, start_round
from desktop.ui.pages.review.round_summary import RoundSummary
from desktop.ui.services.project_context import ProjectContext
from miner.progress import Progress
from storage.annotation.rounds import RoundOrder


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
