"""Jobs in the background: nothing they say is lost, each queue keeps its order, and all can be stopped."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.ui.services.runner import JobQueue, JobRun, JobRunner, JobState, SaveState
from miner.errors import UserError
from miner.progress import Cancelled, Job, Progress, Tick


def job(work: Callable[[Progress], object], title: str = "A job") -> Job[object]:
    return Job(title, work)


def wait(qtbot: QtBot, *runs: JobRun) -> None:
    states = {JobState.DONE, JobState.FAILED, JobState.CANCELLED}
    qtbot.waitUntil(lambda: all(run.state in states for run in runs), timeout=5000)


def test_a_job_that_ends_before_anybody_listens_is_still_heard(qtbot: QtBot, runner: JobRunner) -> None:
    ended = threading.Event()

    def work(progress: Progress) -> int:
        progress.tick(1, 1)
        ended.set()
        return 7

    run = runner.read(job(work))
    assert ended.wait(5)
    heard: list[object] = []
    run.ticked.connect(heard.append)
    run.done.connect(heard.append)
    run.ended.connect(lambda: heard.append("ended"))
    qtbot.waitUntil(lambda: "ended" in heard)
    assert heard == [Tick(1, 1), 7, "ended"]


def test_a_failure_is_handed_over_and_logged_only_if_it_is_a_bug(
    qtbot: QtBot, runner: JobRunner, caplog: pytest.LogCaptureFixture
) -> None:
    errors: list[Exception] = []

    def refuse(progress: Progress) -> None:
        raise UserError("No.", hint="Ask again.")

    def break_down(progress: Progress) -> None:
        raise ValueError("broken")

    runs = [runner.read(job(refuse, "Refusing")), runner.read(job(break_down, "Breaking"))]
    for run in runs:
        run.failed.connect(errors.append)
    wait(qtbot, *runs)
    assert sorted(map(str, errors)) == ["No.", "broken"]
    assert [record.message for record in caplog.records] == ["Breaking failed"]


def test_cancelling_stops_a_job_at_its_next_tick_and_one_that_waits_at_once(qtbot: QtBot, runner: JobRunner) -> None:
    began, go = threading.Event(), threading.Event()
    heard: list[str] = []

    def work(progress: Progress) -> None:
        began.set()
        assert go.wait(5)
        progress.tick(1)
        heard.append("went on")

    first, second = runner.start(job(work)), runner.start(job(lambda _: heard.append("second")))
    first.cancelled.connect(lambda: heard.append("first stopped"))
    second.cancelled.connect(lambda: heard.append("second stopped"))
    assert began.wait(5)
    first.cancel()
    second.cancel()
    go.set()
    wait(qtbot, first, second)
    assert heard == ["first stopped", "second stopped"]


def test_a_paused_job_waits_and_goes_on_where_it_was(qtbot: QtBot, runner: JobRunner) -> None:
    passed = threading.Event()
    go = threading.Event()

    def work(progress: Progress) -> str:
        assert go.wait(5)
        progress.tick(1, 2)
        passed.set()
        return "done"

    run = runner.start(job(work))
    said: list[bool] = []
    run.paused.connect(said.append)
    qtbot.waitUntil(lambda: run.state is JobState.RUNNING)
    run.pause()
    go.set()
    qtbot.waitUntil(lambda: run.last_tick == Tick(1, 2))
    assert run.state is JobState.PAUSED
    assert not passed.is_set()
    run.resume()
    wait(qtbot, run)
    assert (run.result, said) == ("done", [True, False])


def test_a_paused_job_can_be_cancelled(qtbot: QtBot, runner: JobRunner) -> None:
    go = threading.Event()

    def work(progress: Progress) -> None:
        assert go.wait(5)
        progress.tick(1)

    run = runner.start(job(work))
    qtbot.waitUntil(lambda: run.state is JobState.RUNNING)
    run.pause()
    go.set()
    qtbot.waitUntil(lambda: run.last_tick is not None)
    run.cancel()
    wait(qtbot, run)
    assert run.state is JobState.CANCELLED


def test_saves_keep_their_order_and_wait_for_no_long_job(qtbot: QtBot, runner: JobRunner) -> None:
    go = threading.Event()
    order: list[int] = []
    long = runner.start(job(lambda _: go.wait(5)))
    saves = [runner.save(job(lambda _, number=number: order.append(number))) for number in range(50)]
    wait(qtbot, *saves)
    assert order == list(range(50))
    assert long.state is JobState.RUNNING
    go.set()
    wait(qtbot, long)


def test_the_save_state_tells_of_slow_and_failed_saves_only(qtbot: QtBot, runner: JobRunner) -> None:
    states: list[SaveState] = []
    runner.save_state_changed.connect(states.append)
    wait(qtbot, *[runner.save(job(lambda _: None)) for _ in range(3)])
    assert states == []
    go = threading.Event()
    slow = runner.save(job(lambda _: go.wait(5)))
    qtbot.waitUntil(lambda: states == [SaveState.SAVING])
    go.set()
    wait(qtbot, slow)
    qtbot.waitUntil(lambda: states == [SaveState.SAVING, SaveState.SAVED])

    def fail(_: Progress) -> None:
        raise UserError("the disk is full")

    wait(qtbot, runner.save(job(fail)))
    wait(qtbot, runner.save(job(lambda _: None)))
    qtbot.waitUntil(lambda: states[2:] == [SaveState.FAILED, SaveState.SAVED])


def test_pages_are_drawn_by_one_thread_alone(qtbot: QtBot, runner: JobRunner) -> None:
    threads: set[int] = set()
    runs = [runner.run_pdf_job(job(lambda _: threads.add(threading.get_ident()))) for _ in range(8)]
    wait(qtbot, *runs)
    assert len(threads) == 1


def test_a_listener_that_fails_takes_nothing_from_the_others(qtbot: QtBot, runner: JobRunner) -> None:
    heard: list[object] = []

    def fail(_: object) -> None:
        raise ValueError("a slot's bug")

    with qtbot.captureExceptions() as raised:
        run = runner.read(job(lambda _: 3))
        run.done.connect(fail)
        run.done.connect(heard.append)
        run.ended.connect(lambda: heard.append("ended"))
        qtbot.waitUntil(lambda: "ended" in heard)
    assert heard == [3, "ended"]
    assert [str(error[1]) for error in raised] == ["a slot's bug"]


def test_ticks_are_thinned_but_the_last_one_comes(qtbot: QtBot, runner: JobRunner) -> None:
    def work(progress: Progress) -> None:
        for number in range(10_001):
            progress.tick(number, 10_000)

    ticks: list[Tick] = []
    run = runner.read(job(work))
    run.ticked.connect(ticks.append)
    wait(qtbot, run)
    assert ticks[-1] == Tick(10_000, 10_000)
    assert len(ticks) < 200


def test_what_is_let_go_is_cancelled_and_says_no_more_but_saves_are_kept(qtbot: QtBot, runner: JobRunner) -> None:
    began, go = threading.Event(), threading.Event()
    heard: list[str] = []

    def work(progress: Progress) -> None:
        began.set()
        assert go.wait(5)
        progress.tick(1)

    def save(progress: Progress) -> None:
        assert go.wait(5)

    long, saving = runner.start(job(work)), runner.save(job(save))
    long.ended.connect(lambda: heard.append("the job"))
    saving.done.connect(lambda _: heard.append("the save"))
    runner.idle.connect(lambda: heard.append("idle"))
    assert began.wait(5)
    runner.cancel_all()
    go.set()
    qtbot.waitUntil(lambda: "idle" in heard)
    assert heard == ["the save", "idle"]
    assert long.state is JobState.CANCELLED


def test_stopping_waits_for_saves_and_cancels_the_rest(qtbot: QtBot) -> None:
    runner = JobRunner()
    written: list[int] = []

    def work(progress: Progress) -> None:
        while not progress.wait(5):
            pass
        raise Cancelled

    run = runner.start(job(work), queue=JobQueue.JOBS)
    for number in range(20):
        runner.save(job(lambda _, number=number: written.append(number)))
    assert runner.shut_down(5)
    assert written == list(range(20))
    qtbot.waitUntil(lambda: run.state is JobState.CANCELLED)
    qtbot.waitUntil(lambda: not runner.running)


def test_a_save_that_goes_on_is_shown_and_cancelled_at_the_end_and_short_ones_are_not(
    runner: JobRunner, qtbot: QtBot
) -> None:
    shown: list[JobRun] = []
    runner.started.connect(shown.append)
    go = threading.Event()

    def goes_on(progress: Progress) -> None:
        while not go.is_set():
            progress.tick(0)
            time.sleep(0.01)

    quick = runner.save(Job("Quick", lambda progress: None))
    with qtbot.waitSignal(quick.ended):
        pass
    bulk = runner.save(Job("Undoing", goes_on))
    behind = runner.save(Job("An answer", lambda progress: "kept"))
    qtbot.waitUntil(lambda: shown == [bulk], timeout=3000)
    with qtbot.waitSignals([bulk.cancelled, behind.done]):
        assert runner.shut_down(5)
    assert behind.result == "kept"


class Ring:
    """Points at itself, so that only the collector can take it away."""

    def __init__(self) -> None:
        self.ring = self


def test_a_job_keeps_no_garbage(qtbot: QtBot, runner: JobRunner) -> None:
    gone = weakref.ref(Ring())
    run = runner.start(Job("Nothing", lambda progress: None))
    with qtbot.waitSignal(run.ended):
        pass
    gc.collect()
    assert gone() is None


def test_who_cancels_what_has_ended_does_no_harm(qtbot: QtBot, runner: JobRunner) -> None:
    run = runner.read(Job("Nothing", lambda progress: None))
    qtbot.waitUntil(lambda: not isValid(run))
    run.cancel()
