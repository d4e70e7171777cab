"""The status bar and what lies over it: jobs, messages, problems."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.jobs.descriptions.result_text import ResultText
from desktop.jobs.papers.import_session import ImportFailure, ImportResult
from desktop.ui.services.runner import JobQueue, JobRun, JobState
from desktop.ui.shell.status_bar.activity import JobEntry
from desktop.ui.shell.status_bar.job_bar import JobBar
from desktop.ui.shell.window import MainWindow
from miner.errors import UserError
from miner.progress import Job, Progress
from tests.desktop.ui.conftest import pop_problems


class Gate:
    """A job that goes step by step as the test says."""

    def __init__(self, total: int = 10, result: object = None) -> None:
        self._steps = threading.Semaphore(0)
        self._total = total
        self._result = result

    def step(self, times: int = 1) -> None:
        self._steps.release(times)

    def work(self, progress: Progress) -> object:
        for number in range(1, self._total + 1):
            assert self._steps.acquire(timeout=5)
            progress.tick(number, self._total)
        return self._result


def start(window: MainWindow, gate: Gate, title: str = "Adding papers") -> JobRun:
    return window.runner.start(Job(title, gate.work))


def test_a_second_click_at_the_place_of_pause_never_cancels(window: MainWindow, qtbot: QtBot) -> None:
    gate, status_bar = Gate(), window.central.status_bar
    run = start(window, gate, "Adding papers to a project with a name of some length")
    gate.step(4)
    qtbot.waitUntil(lambda: "4 of 10" in status_bar.job_text.text())
    place = status_bar.bar.pause.mapTo(window, status_bar.bar.pause.rect().center())
    states = []
    for _ in range(3):
        under = window.childAt(place)
        assert under is status_bar.bar.pause
        qtbot.mouseClick(under, Qt.MouseButton.LeftButton)
        qtbot.wait(20)  # the text grows and shrinks with each
        states.append(run.state)
    assert states == [JobState.PAUSED, JobState.RUNNING, JobState.PAUSED]
    assert not run.progress.cancelled
    run.resume()
    gate.step(6)


def test_in_the_list_of_jobs_the_buttons_keep_their_places_too(window: MainWindow, qtbot: QtBot) -> None:
    gate = Gate()
    run = start(window, gate)
    gate.step(4)
    qtbot.waitUntil(lambda: "4 of 10" in window.central.status_bar.job_text.text())
    window.central.jobs.open()
    qtbot.wait(20)
    [bar] = window.central.jobs.findChildren(JobBar)
    place = bar.pause.mapTo(window, bar.pause.rect().center())
    for state in (JobState.PAUSED, JobState.RUNNING):
        under = window.childAt(place)
        assert under is bar.pause
        qtbot.mouseClick(under, Qt.MouseButton.LeftButton)
        qtbot.wait(20)
        assert run.state is state
    gate.step(6)


def test_cancelling_much_work_can_be_taken_back(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.ui.services.runner._LONG_RUN_S", 0.0)
    gate, status_bar = Gate(), window.central.status_bar
    run = start(window, gate)
    gate.step(4)
    qtbot.waitUntil(lambda: "4 of 10" in status_bar.job_text.text())
    status_bar.bar.cancel.click()
    assert status_bar.job_text.text() == "Adding papers · cancelled"
    assert status_bar.bar.resume.isVisible()
    assert not status_bar.bar.cancel.isEnabled()
    status_bar.bar.resume.setFocus()
    qtbot.keyClick(status_bar.bar.resume, Qt.Key.Key_Space)
    assert not status_bar.bar.resume.isVisible()
    gate.step(6)
    qtbot.waitUntil(lambda: run.state is JobState.DONE)


def test_cancelled_work_that_is_not_taken_back_stops(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.ui.services.runner._LONG_RUN_S", 0.0)
    monkeypatch.setattr("desktop.ui.services.runner._CANCEL_DELAY_MS", 50)
    gate = Gate()
    run = start(window, gate)
    gate.step(4)
    qtbot.waitUntil(lambda: run.state is JobState.RUNNING)
    run.request_cancel()
    gate.step(6)
    qtbot.waitUntil(lambda: run.state is JobState.CANCELLED)


def test_a_quick_job_leaves_a_word_and_no_bar(window: MainWindow, qtbot: QtBot) -> None:
    window.runner.start(Job("Counting", lambda _: ResultText("12 counted.")))
    qtbot.waitUntil(lambda: window.central.status_bar.message.text() == "Counting: 12 counted.")
    assert not window.central.status_bar.job_text.isVisible()


def test_a_long_job_shows_how_far_it_is_and_can_be_paused_and_cancelled(window: MainWindow, qtbot: QtBot) -> None:
    gate, status_bar = Gate(), window.central.status_bar
    run = start(window, gate)
    gate.step(4)
    qtbot.waitUntil(lambda: status_bar.job_text.isVisible())
    qtbot.waitUntil(lambda: "4 of 10" in status_bar.job_text.text())
    assert status_bar.job_text.text().startswith("Adding papers · 4 of 10")
    assert status_bar.bar.progress.value() == 4
    qtbot.mouseClick(status_bar.bar.pause, Qt.MouseButton.LeftButton)
    assert "paused" in status_bar.job_text.text()
    assert "Resume" in status_bar.bar.pause.accessibleName()
    qtbot.mouseClick(status_bar.bar.pause, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(status_bar.bar.cancel, Qt.MouseButton.LeftButton)
    gate.step(6)
    qtbot.waitUntil(lambda: run.state is JobState.CANCELLED)
    assert status_bar.job_text.text() == "Adding papers: cancelled. What was finished is kept."
    assert not status_bar.bar.isVisible()


def test_a_training_goes_on_beside_another_job_and_both_are_shown(window: MainWindow, qtbot: QtBot) -> None:
    training, mining = Gate(4), Gate(2)
    runs = [
        window.runner.start(Job("Training", training.work), queue=JobQueue.TRAINING),
        start(window, mining, "Mining"),
    ]
    training.step()
    mining.step()
    status_bar = window.central.status_bar
    qtbot.waitUntil(lambda: status_bar.job_text.text().startswith("Mining · 1 of 2"))
    qtbot.waitUntil(lambda: status_bar.job_text.text().endswith(" · Training 25 %"))
    mining.step()
    qtbot.waitUntil(lambda: runs[1].state is JobState.DONE)
    qtbot.waitUntil(lambda: status_bar.job_text.text().startswith("Training · 1 of 4"))
    training.step(3)
    qtbot.waitUntil(lambda: runs[0].state is JobState.DONE)
    qtbot.waitUntil(lambda: status_bar.job_text.text() == "Training: Nothing to do.")


def test_several_jobs_are_shown_at_once(window: MainWindow, qtbot: QtBot) -> None:
    first, second = Gate(1), Gate(1)
    runs = [start(window, first), start(window, second, "Mining")]
    qtbot.waitUntil(lambda: window.central.status_bar.job_text.isVisible())
    assert window.central.status_bar.job_text.text() == "Adding papers · 1 more"
    qtbot.mouseClick(window.central.status_bar.job, Qt.MouseButton.LeftButton)
    assert window.central.jobs.isVisible()
    lines = [row.text.text() for row in window.central.jobs._rows.values()]
    assert lines == ["Adding papers", "Mining · waiting for the previous job"]
    first.step()
    second.step()
    qtbot.waitUntil(lambda: all(run.state is JobState.DONE for run in runs))
    assert [row.text.text() for row in window.central.jobs._rows.values()] == [
        "Adding papers: Nothing to do.",
        "Mining: Nothing to do.",
    ]
    qtbot.keyClick(window.central.jobs.close_button, Qt.Key.Key_Escape)
    assert not window.central.jobs.isVisible()


def test_what_went_wrong_with_items_is_one_click_away(window: MainWindow, qtbot: QtBot) -> None:
    bad = ImportFailure(Path("scan.pdf"), 0, "scan", "scan.pdf has no text layer.", "Run OCR, then retry.")
    gate = Gate(1, ImportResult(new=2, failed=[bad]))
    start(window, gate)
    gate.step()
    qtbot.waitUntil(lambda: window.central.status_bar.job.text() == "Show 1 problem")
    assert window.central.status_bar.job_text.text() == "Adding papers: 2 new papers, 1 could not be read."
    window.central.status_bar.job.click()
    [row] = window.central.jobs._rows.values()
    assert row.problems.isVisible()
    assert row.problems.toPlainText() == "scan.pdf has no text layer. Run OCR, then retry."


def test_a_job_that_fails_says_why(window: MainWindow, qtbot: QtBot) -> None:
    def fail(progress: Progress) -> None:
        raise UserError("The disk is full.", hint="Make room.")

    run = window.runner.start(Job("Exporting", fail))
    run.failed.connect(window.problems.show)
    qtbot.waitUntil(lambda: window.central.status_bar.job_text.isVisible())
    assert window.central.status_bar.job_text.text() == "Exporting: failed."
    assert window.central.toast.summary.text() == "The disk is full."
    assert window.central.toast.hint.text() == "Make room."
    assert len(pop_problems(window.problems)) == 1


def test_what_was_done_can_be_undone_from_the_status_bar(window: MainWindow, qtbot: QtBot) -> None:
    assert window.context is not None
    window.context.show_message("Flagged 12 pairs.", undo=True)
    assert window.central.status_bar.message.text() == "Flagged 12 pairs."
    with qtbot.waitSignal(window.context.message, check_params_cb=lambda text, _: text == "There is nothing to undo."):
        qtbot.mouseClick(window.central.status_bar.undo, Qt.MouseButton.LeftButton)
    assert not window.central.status_bar.undo.isVisible()


def test_the_annotator_is_shown_and_followed(window: MainWindow) -> None:
    assert window.context is not None
    assert window.central.status_bar.annotator.text().strip() == "annotator: mk"
    window.context.set_annotator("anna b")
    assert window.central.status_bar.annotator.text().strip() == "annotator: anna b"


def test_a_save_that_fails_is_not_called_saved(window: MainWindow, qtbot: QtBot) -> None:
    def fail(progress: Progress) -> None:
        raise UserError("The disk is full.")

    for work, said in ((fail, "▲ not saved"), (lambda progress: None, "✓ saved")):
        with qtbot.waitSignal(window.runner.idle, timeout=5000):
            window.runner.save(Job("Saving", work))
        assert window.central.status_bar.saved.text() == said


def test_a_long_name_leaves_the_window_as_wide_as_it_was(window: MainWindow) -> None:
    before = window.minimumSizeHint().width()
    window.central.status_bar._on_annotator("Ada & " + "x" * 5000)
    assert window.minimumSizeHint().width() < before + 300
    assert "Ada && xxx" in window.central.status_bar.annotator.text()


def test_rate_and_time_left_come_from_the_last_seconds() -> None:
    entry = JobEntry(1, "Parsing", None, JobState.RUNNING, done=41, total=120)
    assert entry.line == "Parsing · 41 of 120"
    entry.samples.extend([(100.0, 9), (110.0, 41)])
    assert entry.line == "Parsing · 41 of 120 · 3.2/s · 25 s left"


def test_a_change_that_says_what_it_did_says_it_once() -> None:
    entry = JobEntry(1, "Tag: wrong label", None, JobState.DONE, result=ResultText("Tag: wrong label."))
    assert entry.line == "Tag: wrong label"
    entry.result = ResultText("2 pairs.")
    assert entry.line == "Tag: wrong label: 2 pairs."
