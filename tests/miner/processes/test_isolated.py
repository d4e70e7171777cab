"""A task in a process of its own: its events, its result, and what ends it early."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest

from miner.errors import UserError
from miner.processes.isolated import run_isolated
from miner.progress import Cancelled, Progress

Emit = Callable[[Any], None]


def count(most: int, emit: Emit, progress: Progress) -> int:
    for n in range(most):
        emit(n)
    return most


def misbehave(how: str, emit: Emit, progress: Progress) -> object:
    match how:
        case "die":
            os._exit(3)
        case "be killed":
            os.kill(os.getpid(), 9)
        case "fill the memory":
            raise MemoryError
        case "refuse":
            raise UserError("There are no labels.", hint="Answer some.")
        case "have a bug":
            raise ValueError("a bug")
        case "return what cannot be sent":
            return threading.Lock()
    raise Cancelled


def work(seconds: float, emit: Emit, progress: Progress) -> str:
    """Until it is cancelled; it keeps what it has."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        emit("working")
        try:
            progress.tick(0)
        except Cancelled:
            return "what there was"
        time.sleep(0.02)
    return "all of it"


def ignore(seconds: float, emit: Emit, progress: Progress) -> None:
    emit("ready")
    time.sleep(seconds)


def test_what_it_tells_and_returns_comes_back_in_order() -> None:
    heard: list[int] = []
    assert run_isolated(count, 300, Progress(), heard.append) == 300
    assert heard == list(range(300))


@pytest.mark.parametrize(
    ("how", "error", "words"),
    [
        ("die", UserError, "The training ended by itself, with code 3"),
        ("be killed", UserError, "The training was ended by the system"),
        ("fill the memory", UserError, "needed more memory than there is"),
        ("refuse", UserError, "There are no labels"),
        ("have a bug", RuntimeError, "ValueError: a bug"),
        ("return what cannot be sent", RuntimeError, "met a bug"),
        ("stop", Cancelled, "^$"),
    ],
)
def test_how_it_ends_is_told(how: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        run_isolated(misbehave, how, Progress(), subject="The training")
    if error is UserError:
        assert caught.value.hint  # type: ignore[attr-defined]


def test_cancelled_it_may_return_what_it_has_whatever_its_hearer_does() -> None:
    progress = Progress()

    def hear(event: str) -> None:
        progress.cancel()
        progress.tick(0)  # raises

    assert run_isolated(work, 60.0, progress, hear) == "what there was"


def test_what_does_not_hear_is_ended_after_a_while() -> None:
    progress = Progress()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        run_isolated(ignore, 600.0, progress, lambda event: progress.cancel(), grace=0.3)
    assert time.monotonic() - began < 30


def test_paused_it_waits_and_resumed_it_goes_on() -> None:
    progress = Progress()
    times: list[float] = []

    def hear(event: str) -> None:
        times.append(time.monotonic())
        if len(times) == 5:
            progress.pause()
            threading.Timer(1.0, progress.resume).start()

    assert run_isolated(work, 2.0, progress, hear) == "all of it"
    assert max(later - earlier for earlier, later in pairwise(times)) > 0.6


def _parent(path: Path) -> None:
    run_isolated(_write_pid, path, Progress())


def _write_pid(path: Path, emit: Emit, progress: Progress) -> None:
    path.with_suffix(".part").write_text(str(os.getpid()))
    path.with_suffix(".part").rename(path)
    while not progress.wait(0.05):
        emit("working")
    path.with_suffix(".ended").write_text("")


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_when_the_program_is_killed_the_work_ends_too(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_parent, args=(tmp_path / "pid",))
    process.start()
    late = time.monotonic() + 60
    while not (tmp_path / "pid").exists() and time.monotonic() < late:
        time.sleep(0.05)
    child = psutil.Process(int((tmp_path / "pid").read_text()))
    process.kill()
    process.join()
    _, alive = psutil.wait_procs([child], timeout=20)
    assert alive == []
    assert (tmp_path / "pid.ended").exists()
