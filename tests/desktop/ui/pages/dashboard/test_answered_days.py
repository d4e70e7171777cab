"""What an annotator has answered, day by day: counted once for each answer, with those that are the distant label."""

from __future__ import annotations

from datetime import UTC, datetime

from desktop.jobs.pairs.statistics import load_answered_days
from desktop.ui.pages.dashboard.answered_days import days_figure
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.project import Project


def test_days_have_their_answers_and_how_many_are_the_distant_label(project: Project) -> None:
    with project.transaction() as stores:
        first, second = [pair for pair in stores.pairs.of_paper(stores.papers.md5s()[0]) if pair.distant_label][:2]
        same = Answer(first.distant_label.value if first.distant_label else "")
        for key, answer, day in ((first.key, same, 1), (second.key, Answer.UNCLEAR, 1), (second.key, None, 3)):
            stores.answers.append([NewAnswer(key, "mk", datetime(2026, 5, day, 12, tzinfo=UTC), answer)])
    [day] = days = load_answered_days(project, "mk").work(Progress())
    assert (day.day, day.answers, day.labelled, day.same) == ("2026-05-01", 2, 2, 1)
    figure = days_figure(days, "mk", None)
    assert figure.summary == "2 answers on 1 day, 50 % of them confirm the distant label."
    assert load_answered_days(project, "somebody").work(Progress()) == []
