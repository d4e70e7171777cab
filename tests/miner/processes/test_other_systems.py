"""How worker processes end on Windows, simulated: there are no signals there.

multiprocessing ends a process by TerminateProcess there, and says -SIGTERM of it, as here after `terminate`.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess

import pytest

from miner.processes.child import Failure, ProcessLimits, ProcessStartError, was_told_to_end
from miner.processes.pool import run, worker_count


def hang_or_fill() -> Callable[[str], str]:
    def function(item: str) -> str:
        hoard = bytearray(300_000_000 if item == "fill" else 0)
        if item in ("hang", "fill"):
            time.sleep(600)
        return item + str(hoard)[:0]

    return function


def fail_to_start() -> Callable[[str], str]:
    raise ImportError("DLL load failed")


@pytest.mark.parametrize(("item", "kind"), [("hang", "timeout"), ("fill", "memory")])
def test_a_worker_that_we_end_fails_its_item_and_cancels_nothing(
    monkeypatch: pytest.MonkeyPatch, item: str, kind: str
) -> None:
    monkeypatch.setattr(BaseProcess, "kill", BaseProcess.terminate)
    limits = ProcessLimits(seconds=1 if item == "hang" else 60, megabytes=200)
    found = dict(run(hang_or_fill, ["a", item, "b"], workers=1, limits=limits))
    assert found == {"a": "a", item: Failure(kind), "b": "b"}  # type: ignore[arg-type]


def test_a_worker_that_cannot_start_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BaseProcess, "kill", BaseProcess.terminate)
    with pytest.raises(ProcessStartError, match="DLL load failed"):
        next(run(fail_to_start, ["a"], workers=1))


@pytest.mark.parametrize(
    ("code", "on_windows", "told"),
    [
        (-signal.SIGTERM, False, True),
        (-signal.SIGKILL, False, False),
        (0xC000013A, True, True),  # Ctrl-C, a closed console, the end of the session
        (-signal.SIGTERM, True, False),
        (0xC0000005, True, False),  # an access violation
        (1, True, False),  # the task manager
    ],
)
def test_which_exit_codes_say_that_the_session_ends(code: int, on_windows: bool, told: bool) -> None:
    assert was_told_to_end(code, on_windows=on_windows) == told


def test_windows_waits_for_no_more_than_63_workers() -> None:
    assert worker_count(200, on_windows=True) == 60
    assert worker_count(200, on_windows=False) == 200
    assert worker_count(0, on_windows=True) == 1
