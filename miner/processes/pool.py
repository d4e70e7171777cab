"""Worker processes that apply a function to many items: one bad item can neither crash nor hang a job."""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar, cast

from miner.processes.child import (
    POLL_SECONDS,
    START_SECONDS,
    Child,
    Failure,
    Limits,
    Ready,
    attempt,
    prepare_child,
)

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 4  # items in work or waiting to be yielded, for each worker


def worker_count(wanted: int | None = None) -> int:
    """As many workers as wanted, else one for each processor this process may use."""
    if wanted is not None:
        return max(1, wanted)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    setup: Callable[[], Callable[[T], R]],
    items: Iterable[T],
    *,
    workers: int,
    limits: Limits | None = None,
    look: Callable[[], None] | None = None,
    kept: Callable[[T], T] | None = None,
) -> Generator[tuple[T, R | Failure]]:
    """`Pool.run` with processes of its own, which end with the iterator, at once."""
    pool = Pool(setup, workers=workers, limits=limits, kept=kept)
    try:
        yield from pool.run(items, look=look)
    finally:
        pool.close()


@dataclass(slots=True)
class _Slot(Generic[T, R]):
    item: T
    result: tuple[R | Failure] | None = None  # in a tuple, because None is a result too


@dataclass(slots=True)
class _Worker(Generic[T, R]):
    child: Child
    slot: _Slot[T, R] | None = None


class Pool(Generic[T, R]):
    """Worker processes that live from one `run` to the next, with what they have loaded; for one thread at a time.

    `setup` is called once in every process, before the first item, and returns the function; both it and the items are
    pickled. `run` raises `ProcessStartError` where `setup` does not return, and `Cancelled` where a worker was told to
    end together with the program. `kept`: what is left here of an item once a worker has it, and yielded with its
    result, where the whole takes much memory.
    """

    def __init__(
        self,
        setup: Callable[[], Callable[[T], R]],
        *,
        workers: int = 1,
        limits: Limits | None = None,
        kept: Callable[[T], T] | None = None,
    ) -> None:
        self._setup = setup
        self._most = workers
        self._limits = limits or Limits()
        self._kept = kept
        self._workers: list[_Worker[T, R]] = []

    def run(self, items: Iterable[T], *, look: Callable[[], None] | None = None) -> Generator[tuple[T, R | Failure]]:
        """Each item with its result or failure, in the order of `items`, whatever the number of workers.

        Items are drawn as workers become free, a few ahead of the one yielded. `look` is called several times a second
        while waiting; what it raises, like closing the iterator, ends the run: the workers finish the items they have,
        and their results are discarded.
        """
        waiting: deque[_Slot[T, R]] = deque()
        source = iter(items)
        exhausted = False
        while not exhausted or waiting:
            while not exhausted and len(waiting) < self._most * _AHEAD and self._can_take():
                try:
                    item = next(source)
                except StopIteration:
                    exhausted = True
                    break
                slot: _Slot[T, R] = _Slot(item)
                waiting.append(slot)
                self._assign(slot)
            if waiting and (result := waiting[0].result) is not None:  # the workers are busy while it is made use of
                yield waiting.popleft().item, result[0]
            elif waiting or not exhausted:
                self._collect()
                if look is not None:
                    look()

    def close(self) -> None:
        """End the processes at once; the next `run` starts others."""
        for worker in list(self._workers):
            self._workers.remove(worker)
            worker.child.end()

    def _can_take(self) -> bool:
        return len(self._workers) < self._most or any(worker.slot is None for worker in self._workers)

    def _assign(self, slot: _Slot[T, R]) -> None:
        worker = next((worker for worker in self._workers if worker.slot is None), None) or self._start()
        worker.slot = slot
        if worker.child.ready:
            try:
                self._send(worker, slot)
            except (BrokenPipeError, ConnectionResetError):  # died while idle, for no fault of this item
                self._workers.remove(worker)
                worker.child.end()
                self._start().slot = slot

    def _send(self, worker: _Worker[T, R], slot: _Slot[T, R]) -> None:
        worker.child.deadline = time.monotonic() + self._limits.seconds
        worker.child.pipe.send(slot.item)
        if self._kept is not None:
            slot.item = self._kept(slot.item)

    def _start(self) -> _Worker[T, R]:
        worker: _Worker[T, R] = _Worker(Child(_serve, self._setup))
        worker.child.deadline = time.monotonic() + max(START_SECONDS, self._limits.seconds)
        self._workers.append(worker)
        return worker

    def _collect(self) -> None:
        """Wait a moment for messages, and see to workers that died or passed a limit."""
        busy = {worker.child.pipe: worker for worker in self._workers if worker.slot is not None}
        for pipe in wait(list(busy), timeout=POLL_SECONDS):
            worker = busy.pop(cast(Connection, pipe))
            try:
                self._receive(worker, worker.child.pipe.recv())
            except (EOFError, OSError):  # it died, perhaps in the middle of its answer
                self._lose(worker, Failure("crash"))
        for worker in busy.values():
            if excess := worker.child.excess(self._limits):
                self._lose(worker, excess)

    def _receive(self, worker: _Worker[T, R], message: R | Failure | Ready) -> None:
        assert worker.slot is not None
        if isinstance(message, Ready):
            worker.child.ready = True
            self._send(worker, worker.slot)
        elif worker.child.ready:
            self._settle(worker, message)
        else:
            assert isinstance(message, Failure)
            self._lose(worker, message)

    def _lose(self, worker: _Worker[T, R], failure: Failure) -> None:
        """Do without a worker that died or passed a limit: its item has failed, unless it was never given it."""
        self._workers.remove(worker)
        worker.child.give_up(failure)
        self._settle(worker, failure)

    def _settle(self, worker: _Worker[T, R], result: R | Failure) -> None:
        assert worker.slot is not None
        worker.slot.result = (result,)
        worker.slot = None


def _serve(setup: Callable[[], Callable[[T], R]], pipe: Connection) -> None:
    prepare_child()
    with contextlib.suppress(EOFError, OSError):  # the job is gone, and with it the need
        function = attempt(setup)
        pipe.send(function if isinstance(function, Failure) else Ready())
        while not isinstance(function, Failure):
            pipe.send(attempt(function, pipe.recv()))
