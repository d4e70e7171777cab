"""What would stop a job is done only when the person confirms it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.jobs.mining.run import mine
from desktop.ui.pages.review.page import ReviewPage
from desktop.ui.services.runner import JobRun, JobState
from desktop.ui.shell.window import MainWindow
from desktop.ui.widgets.questions import Question
from miner.progress import Job, Progress
from tests.desktop.ui.conftest import press_key


@pytest.fixture
def endless_job(window: MainWindow, qtbot: QtBot) -> Iterator[JobRun]:
    """A job that does not end by itself."""

    def work(progress: Progress) -> None:
        while not progress.wait(5):
            progress.tick(1, 2)
        progress.tick(1)

    assert window.context is not None
    stays = mine(window.context.project).if_stopped
    run = window.runner.start(Job("Mining samples", work, stays))
    qtbot.waitUntil(lambda: run.state is JobState.RUNNING)
    yield run
    if isValid(run):
        run.cancel()


def open_question(window: MainWindow, qtbot: QtBot) -> Question:
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), Question))
    question = QApplication.activeModalWidget()
    assert isinstance(question, Question)
    return question


def test_quitting_during_a_job_says_what_is_kept_and_how_it_goes_on(
    window: MainWindow, qtbot: QtBot, endless_job: JobRun
) -> None:
    press_key(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    question = open_question(window, qtbot)
    assert question.question.text() == "Mining samples is not finished."
    assert question.about.text() == ("The pairs mined so far are kept. Mine again to go on with the other papers.")
    qtbot.keyClick(question, Qt.Key.Key_Return)  # the button that destroys nothing
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert window.isVisible()
    assert not endless_job.progress.cancelled
    press_key(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    qtbot.mouseClick(open_question(window, qtbot).action_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert window.shut_down()


def test_a_project_is_closed_during_a_job_only_when_the_person_says_so(
    window: MainWindow, qtbot: QtBot, endless_job: JobRun
) -> None:
    press_key(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(open_question(window, qtbot), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert window.context is not None
    press_key(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(window.project_controller.closed, timeout=5000):
        open_question(window, qtbot).action_button.click()
    assert window.context is None


def test_another_project_is_opened_during_a_job_only_when_the_person_says_so(
    window: MainWindow, qtbot: QtBot, endless_job: JobRun, project_path: Path
) -> None:
    window.central.start.create_requested.emit(project_path.with_name("other.pairwright"))
    assert open_question(window, qtbot).action_button.text() == "Create other"
    open_question(window, qtbot).reject()
    window.action_registry["file.sample"].trigger()
    assert open_question(window, qtbot).action_button.text() == "Open sample project"
    open_question(window, qtbot).reject()
    assert not endless_job.progress.cancelled
    assert not window.project_controller.is_busy


def test_a_job_that_is_stopping_already_holds_up_nothing(window: MainWindow, qtbot: QtBot, endless_job: JobRun) -> None:
    endless_job.cancel()
    press_key(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert window.context is None
    qtbot.waitUntil(lambda: not window.runner.running)


def test_a_note_that_is_not_saved_is_not_lost_without_a_question(window: MainWindow, qtbot: QtBot) -> None:
    page = window.page("review")
    assert isinstance(page, ReviewPage)
    page.note_editor.open_for("key", "")
    assert not window.close_guard.asks, "nothing is written yet"
    page.note_editor.text.setPlainText("half a thou")
    page.note_editor.leave_pair()
    press_key(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    question = open_question(window, qtbot)
    assert question.question.text() == "Something you wrote is not saved."
    assert question.about.text() == "Review: a note is written but not saved."
    question.reject()
    assert window.isVisible()
    page.note_editor.open_for("key", "")
    page.note_editor.cancel_button.click()
    assert not window.close_guard.asks
