"""Worker processes that apply a function to many items. A bad item can neither crash nor hang the job."""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
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
    ProcessLimits,
    Ready,
    attempt,
    prepare_child,
)
from miner.processes.messages import receive_untrusted
from miner.processes.sandbox import Confinement, confine

log = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R")

_ITEMS_PER_WORKER = 4  # in work or waiting to be yielded
_MAX_ON_WINDOWS = 60  # a thread can wait for 63 objects there


def worker_count(requested: int | None = None, *, on_windows: bool = os.name == "nt") -> int:
    """The number of workers requested; by default one for each processor that this process may use.

    At least 1, and on Windows at most 60.
    """
    if requested is None:
        requested = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(requested, _MAX_ON_WINDOWS) if on_windows else requested)


def run(
    setup: Callable[[], Callable[[T], R]],
    items: Iterable[T],
    *,
    workers: int,
    limits: ProcessLimits | None = None,
    on_poll: Callable[[], None] | None = None,
    compact: Callable[[T], T] | None = None,
    confinement: Confinement | None = None,
) -> Generator[tuple[T, R | Failure]]:
    """`Pool.run` with a pool that is closed when the iterator ends or is closed."""
    pool = Pool(setup, workers=workers, limits=limits, compact=compact, confinement=confinement)
    try:
        yield from pool.run(items, on_poll=on_poll)
    finally:
        pool.close()


@dataclass(slots=True)
class _PendingItem(Generic[T, R]):
    item: T
    result: tuple[R | Failure] | None = None  # in a tuple, because None is a result too


@dataclass(slots=True)
class _Worker(Generic[T, R]):
    child: Child
    pending: _PendingItem[T, R] | None = None


class Pool(Generic[T, R]):
    """Worker processes that keep what they have loaded from one `run` to the next; for one thread at a time.

    `setup` is called once in every process, before the first item, and returns the function that is applied to items.
    `setup` and the items are pickled. `compact`: for items that take much memory; it returns what to keep of an item
    once a worker has received it, and that is yielded with the result. `confinement`: for workers that parse files of
    others; each is confined (`miner.processes.sandbox`) before `setup`. `is_awaited`: a person waits for each item, so
    the workers have the priority of the window. `run` raises `ProcessStartError` where `setup` fails, and `Cancelled`
    where the system told a worker to end together with the program.
    """

    def __init__(
        self,
        setup: Callable[[], Callable[[T], R]],
        *,
        workers: int = 1,
        limits: ProcessLimits | None = None,
        compact: Callable[[T], T] | None = None,
        confinement: Confinement | None = None,
        is_awaited: bool = False,
    ) -> None:
        self._setup = setup
        self._is_awaited = is_awaited
        self._confinement = confinement
        self._max_workers = workers
        self._limits = limits or ProcessLimits()
        self._compact = compact
        self._workers: list[_Worker[T, R]] = []

    def run(self, items: Iterable[T], *, on_poll: Callable[[], None] | None = None) -> Generator[tuple[T, R | Failure]]:
        """Each item with its result or failure, in the order of `items`, whatever the number of workers.

        Items are drawn as workers become free, a few ahead of the one yielded. `on_poll` is called several times a
        second while waiting. What it raises ends the run, as closing the iterator does: the workers finish the items
        they have, and these results are discarded.
        """
        pending_items: deque[_PendingItem[T, R]] = deque()
        source = iter(items)
        max_pending = self._max_workers * _ITEMS_PER_WORKER
        exhausted = False
        while not exhausted or pending_items:
            while not exhausted and len(pending_items) < max_pending and self._has_free_worker():
                try:
                    item = next(source)
                except StopIteration:
                    exhausted = True
                    break
                pending: _PendingItem[T, R] = _PendingItem(item)
                pending_items.append(pending)
                self._assign(pending)
            if pending_items and (result := pending_items[0].result) is not None:
                yield pending_items.popleft().item, result[0]
            elif pending_items or not exhausted:
                self._collect()
                if on_poll is not None:
                    on_poll()

    def close(self) -> None:
        """End the processes at once; the next `run` starts new ones."""
        for worker in list(self._workers):
            self._workers.remove(worker)
            worker.child.kill()

    def _has_free_worker(self) -> bool:
        return len(self._workers) < self._max_workers or any(worker.pending is None for worker in self._workers)

    def _assign(self, pending: _PendingItem[T, R]) -> None:
        worker = next((worker for worker in self._workers if worker.pending is None), None) or self._start()
        worker.pending = pending
        if worker.child.ready:
            try:
                self._send(worker, pending)
            except (BrokenPipeError, ConnectionResetError):  # it died while idle: this item is not the cause
                self._workers.remove(worker)
                worker.child.kill()
                self._start().pending = pending

    def _send(self, worker: _Worker[T, R], pending: _PendingItem[T, R]) -> None:
        worker.child.deadline = time.monotonic() + self._limits.seconds
        worker.child.pipe.send(pending.item)
        if self._compact is not None:
            pending.item = self._compact(pending.item)

    def _start(self) -> _Worker[T, R]:
        arguments = self._setup, self._confinement, self._limits.megabytes, self._is_awaited
        worker: _Worker[T, R] = _Worker(Child(_run_worker, *arguments))
        worker.child.deadline = time.monotonic() + max(START_SECONDS, self._limits.seconds)
        self._workers.append(worker)
        return worker

    def _collect(self) -> None:
        """Wait `POLL_SECONDS` for messages, and drop workers that died or passed a limit."""
        busy = {worker.child.pipe: worker for worker in self._workers if worker.pending is not None}
        for pipe in wait(list(busy), timeout=POLL_SECONDS):
            worker = busy.pop(cast(Connection, pipe))
            try:
                self._receive(worker, self._read(worker.child.pipe))
            except (EOFError, OSError):  # it died, perhaps while it was answering
                self._drop_worker(worker, Failure("crash"))
            except pickle.UnpicklingError as exc:
                log.error("a confined process was ended for its answer: %s", exc)
                worker.child.kill()
                self._drop_worker(worker, Failure("crash"))
        for worker in busy.values():
            if failure := worker.child.exceeded_limit(self._limits):
                self._drop_worker(worker, failure)

    def _read(self, pipe: Connection) -> R | Failure | Ready:
        if self._confinement is None:
            return cast(R | Failure | Ready, pipe.recv())
        return cast(R | Failure | Ready, receive_untrusted(pipe, self._limits.megabytes * 1_000_000))

    def _receive(self, worker: _Worker[T, R], message: R | Failure | Ready) -> None:
        assert worker.pending is not None
        if isinstance(message, Ready):
            worker.child.ready = True
            self._send(worker, worker.pending)
        elif worker.child.ready:
            self._set_result(worker, message)
        else:
            assert isinstance(message, Failure)
            self._drop_worker(worker, message)

    def _drop_worker(self, worker: _Worker[T, R], failure: Failure) -> None:
        """Remove a worker that died or passed a limit. Its item has failed, unless the worker was not ready yet."""
        self._workers.remove(worker)
        worker.child.abort(failure)
        self._set_result(worker, failure)

    def _set_result(self, worker: _Worker[T, R], result: R | Failure) -> None:
        assert worker.pending is not None
        worker.pending.result = (result,)
        worker.pending = None


def _run_worker(
    setup: Callable[[], Callable[[T], R]],
    confinement: Confinement | None,
    megabytes: int,
    is_awaited: bool,
    pipe: Connection,
) -> None:
    prepare_child(is_awaited=is_awaited)
    if confinement is not None:
        confine(confinement, megabytes)
    with contextlib.suppress(EOFError, OSError):  # the program has ended
        function = attempt(setup)
        pipe.send(function if isinstance(function, Failure) else Ready())
        while not isinstance(function, Failure):
            pipe.send(attempt(function, pipe.recv()))
