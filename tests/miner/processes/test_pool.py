"""Worker processes: order, limits and what happens to a worker that dies."""

from __future__ import annotations

import os
import struct
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from miner.errors import UserError
from miner.processes.child import Failure, ProcessLimits, ProcessStartError
from miner.processes.pool import Pool, run


def double() -> Callable[[int], int]:
    def function(item: int) -> int:
        time.sleep(0.02 if item % 2 else 0)  # later items finish first
        return item * 2

    return function


def misbehave() -> Callable[[str], str]:
    def function(item: str) -> str:
        if item == "die":
            os._exit(3)
        if item == "break off":  # dies in the middle of its answer: a header that promises more than follows
            pipe = sys._getframe(2).f_locals["pipe"]
            os.write(pipe.fileno(), struct.pack("!i", 1_000) + b"x")
            os._exit(3)
        if item == "hang":
            time.sleep(600)
        if item == "eat":
            hoard = bytearray(300_000_000)
            time.sleep(600)
            return str(len(hoard))
        if item == "raise":
            raise ValueError("a bug")
        return item

    return function


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    assert list(run(double, range(20), workers=workers)) == [(n, 2 * n) for n in range(20)]


@pytest.mark.parametrize(
    ("item", "kind"), [("die", "crash"), ("break off", "crash"), ("hang", "timeout"), ("eat", "memory")]
)
def test_a_bad_item_fails_alone(item: str, kind: str) -> None:
    limits = ProcessLimits(seconds=2 if item == "hang" else 60, megabytes=200)
    found = dict(run(misbehave, ["a", item, "b", "c"], workers=1, limits=limits))
    assert found.pop(item) == Failure(kind)  # type: ignore[arg-type]
    assert found == {"a": "a", "b": "b", "c": "c"}


def test_a_bug_comes_back_with_its_traceback() -> None:
    [(_, failure)] = run(misbehave, ["raise"], workers=1)
    assert isinstance(failure, Failure)
    assert failure.kind == "error"
    assert "ValueError: a bug" in failure.detail


def test_items_are_drawn_only_a_few_ahead() -> None:
    drawn = []

    def source() -> Iterator[int]:
        for n in range(100):
            drawn.append(n)
            yield n

    results = run(double, source(), workers=2)
    next(results)
    assert len(drawn) <= 9
    results.close()  # type: ignore[attr-defined]


def test_closing_ends_the_processes() -> None:
    before = set(psutil.Process().children())
    results = run(misbehave, ["a", "hang"], workers=2)
    assert next(results) == ("a", "a")
    results.close()  # type: ignore[attr-defined]
    alive = {p for p in psutil.Process().children() if "spawn_main" in " ".join(p.cmdline())}
    assert not alive - before


def whoami() -> Callable[[int], tuple[int, int]]:
    def function(item: int) -> tuple[int, int]:
        time.sleep(0.01)
        return os.getpid(), item

    return function


def test_a_pool_keeps_its_processes_and_a_run_broken_off_leaves_nothing_to_the_next() -> None:
    pool = Pool(whoami)
    try:
        broken = pool.run(range(50))
        first, (process, _) = next(broken)
        broken.close()
        again = list(pool.run(range(100, 105)))
        assert (first, [item for item, _ in again]) == (0, [100, 101, 102, 103, 104])
        assert [result for _, result in again] == [(process, item) for item, _ in again]
    finally:
        pool.close()
    assert not psutil.pid_exists(process)


def raise_while_starting() -> Callable[[int], int]:
    raise ImportError("libmissing.so.1: cannot open shared object file")


def die_while_starting() -> Callable[[int], int]:
    os._exit(3)


def refuse_to_start() -> Callable[[int], int]:
    raise UserError("The model is not there.", hint="Fetch it.")


@pytest.mark.parametrize(
    ("setup", "kind", "words"),
    [
        (raise_while_starting, "error", r"could not start \(ImportError: libmissing\.so\.1"),
        (die_while_starting, "crash", r"could not start \(it ended by itself\)"),
        (refuse_to_start, "refused", r"^The model is not there\.$"),
    ],
)
def test_a_worker_that_cannot_start_fails_the_run_and_no_item(
    setup: Callable[[], Callable[[int], int]], kind: str, words: str
) -> None:
    with pytest.raises(ProcessStartError, match=words) as failed:
        next(run(setup, range(12), workers=2))
    assert failed.value.failure.kind == kind
    assert failed.value.hint


def start_slowly() -> Callable[[int], int]:
    time.sleep(1.5)
    return abs


def test_the_time_to_start_is_not_the_first_items() -> None:
    assert list(run(start_slowly, [-1], workers=1, limits=ProcessLimits(seconds=1))) == [(-1, 1)]
