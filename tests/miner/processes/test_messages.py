"""What a confined process sends is read without doing what it says."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from multiprocessing import Pipe
from pathlib import Path

import numpy as np
import pytest

from miner.errors import UnreadableFile
from miner.processes.child import Child, Failure
from miner.processes.messages import receive_untrusted
from miner.processes.pool import run
from miner.processes.sandbox import Confinement
from miner.records import Box


def received(message: bytes, limit: int = 1_000_000) -> object:
    here, there = Pipe()
    with here, there:
        there.send_bytes(message)
        return receive_untrusted(here, limit)


class Calls:
    """Pickled, it is a call."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._call


@pytest.mark.parametrize(
    "call",
    [
        Calls(os.system, "true"),
        Calls(eval, "1 + 1"),
        Calls(getattr, Path, "unlink"),
        Calls(Child, print),
        Calls(__import__, "antigravity"),
    ],
    ids=["command", "eval", "getattr", "our own process", "import"],
)
def test_a_message_that_is_a_call_is_refused(call: Calls) -> None:
    with pytest.raises(pickle.UnpicklingError, match="which is no record"):
        received(pickle.dumps([call]))


def test_a_function_behind_a_record_is_refused() -> None:
    with pytest.raises(pickle.UnpicklingError):
        received(b"cminer.records\nsys.exit\n(tR.")


@pytest.mark.parametrize("message", [b"", b"\x80", b"(((((", b"garbage", pickle.dumps(Box(1, 2, 3, 4, 5))[:-3]])
def test_a_damaged_message_is_no_bug(message: bytes) -> None:
    with pytest.raises(pickle.UnpicklingError):
        received(message)


def test_records_errors_and_arrays_arrive() -> None:
    error = UnreadableFile("damaged", "what", hint="why")
    sent = [Box(1, 2.0, 3.0, 4.0, 5.0), Failure("crash"), error, {"a": (1, None, "x", b"y", {2.5})}]
    box, failure, read, values = received(pickle.dumps(sent))  # type: ignore[misc]
    assert [box, failure, values] == [sent[0], sent[1], sent[3]]
    assert (type(read), str(read), read.hint, read.code) == (UnreadableFile, "what", "why", "damaged")
    array = received(pickle.dumps(np.arange(6, dtype=np.float64).reshape(2, 3)))
    assert isinstance(array, np.ndarray)
    assert array.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_message_longer_than_the_workers_memory_is_not_read() -> None:
    with pytest.raises(OSError, match="bad message length"):
        received(pickle.dumps(b"x" * 1000), limit=100)


def sends_a_call() -> Callable[[str], object]:
    return lambda item: Calls(os.system, f"touch {item}") if item.startswith("/") else item


@pytest.mark.skipif(sys.platform == "win32", reason="the command is of POSIX")
def test_a_worker_that_a_file_has_taken_over_is_ended(tmp_path: Path) -> None:
    file = str(tmp_path / "made")
    found = list(run(sends_a_call, ["a", file, "b"], workers=1, confinement=Confinement()))
    assert found == [("a", "a"), (file, Failure("crash")), ("b", "b")]
    assert not Path(file).exists()
