"""Answers pairs as the window does, without a person: the window's own session of answers, its queue and its jobs.

A line is appended to a file for each answer or flag once the window shows that it is saved: the next pair is on the
screen, or the pair with its flag.
"""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from desktop.jobs.open_project import open_project
from desktop.settings import Paths
from desktop.ui.judging.answer_session import AnsweredPair, AnswerSession
from desktop.ui.judging.review_queue import ReviewQueue
from desktop.ui.services.actions import ActionRegistry
from desktop.ui.services.problems import Problems
from desktop.ui.services.project_context import ProjectContext
from desktop.ui.services.runner import JobRunner
from desktop.ui.services.settings_store import SettingsStore
from desktop.ui.theme import Theme
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.rounds import ReviewItem
from storage.pairs.filters import PairFilter
from storage.project import Project

ANNOTATOR = "mk"


def answer_of(key: str) -> Answer:
    """What is answered to a pair."""
    answers = list(Answer)
    return answers[int(key[:8], 16) % len(answers)]


def is_flagged(key: str) -> bool:
    """Whether a pair is flagged before it is answered."""
    return int(key[:8], 16) % 5 == 0


def pair_keys(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return sorted(stores.pair_table.keys(stores.pair_table.ids(PairFilter())))


def answer_all(file: str, said: str) -> int:
    """Answer every pair of a project that waits for an answer; what was saved is said in the file `said`."""
    app = QApplication([])
    theme = Theme(app)
    path = Path(file)
    data = path.parent / "settings"
    runner = JobRunner()
    problems = Problems(data / "pairwright.log")
    opened = open_project(path).work(Progress())
    context = ProjectContext(
        opened,
        runner=runner,
        problems=problems,
        actions=ActionRegistry(theme),
        settings_store=SettingsStore(Paths.below(data)),
        theme=theme,
        annotator=ANNOTATOR,
    )
    annotator = _Annotator(context, Path(said))  # Qt's signals do not keep it
    session = annotator.session
    keys = pair_keys(opened.project)
    with opened.project.read_transaction() as stores:
        waiting = [key for key in keys if ANNOTATOR not in stores.answers.of_pair(key)]
    if waiting:
        session.finished.connect(app.quit)
        problems.added.connect(app.quit)
        session.start(ReviewQueue.of_all(waiting))
        app.exec()
    runner.shut_down(5)
    for problem in problems.all:
        print(problem)
    opened.close()
    return int(bool(problems.all))


class _Annotator:
    """Answers the pair on the screen."""

    def __init__(self, context: ProjectContext, said: Path) -> None:
        self.session = AnswerSession(context)
        self._said = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._saved = ""
        self.session.pair_answered.connect(self._on_answered)
        self.session.item_shown.connect(self._on_shown)

    def _on_answered(self, answered: AnsweredPair) -> None:
        self._saved = f"{answered.item.pair.key} {answered.answer}\n"

    def _on_shown(self, item: ReviewItem | None) -> None:
        if self._saved:
            os.write(self._said, self._saved.encode())
            self._saved = ""
        if item is None:
            return
        key = item.pair.key
        if is_flagged(key) and not item.flagged:
            QTimer.singleShot(0, self.session.toggle_flag)
            return
        if item.flagged:
            os.write(self._said, f"{key} flag\n".encode())
        QTimer.singleShot(0, lambda: self.session.answer(answer_of(key)))
