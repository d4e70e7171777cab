"""Runs a function over many items in processes that can be stopped: one bad item can neither crash nor hang a job."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, Literal, NamedTuple, TypeVar, cast

import psutil

from miner.errors import UserError
from miner.progress import Cancelled

log = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R")

_POLL = 0.1  # seconds between looks at time and memory
_NICE = 10 if os.name == "posix" else 0x4000  # BELOW_NORMAL_PRIORITY_CLASS
_TOLD_TO_END = tuple(-number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, 0)))  # exit codes
_AHEAD = 4  # items in hand or waiting for their turn to be yielded, for each worker
_START = 300.0  # seconds that a worker may take at least until it is ready: a slow disk, a model to load


@dataclass(frozen=True, slots=True)
class Limits:
    """What one item may take: wall-clock seconds, and megabytes of resident memory of its worker."""

    seconds: float = 120.0
    megabytes: int = 2_000


class Failure(NamedTuple):
    """Why an item has no result; `detail` is the traceback of an `error`, `refusal` what a `UserError` said."""

    kind: Literal["timeout", "memory", "crash", "error", "refused"]
    detail: str = ""
    refusal: UserError | None = None


class WorkerStartError(UserError):
    """A worker process failed before its first item: no item is the cause, so none may be marked as failed."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        if failure.refusal is not None:
            super().__init__(str(failure.refusal), hint=failure.refusal.hint)
            return
        why = {"timeout": "it took too long", "memory": "there was not enough memory"}.get(failure.kind)
        why = why or failure.detail.strip().rpartition("\n")[2] or "it ended by itself"
        hint = "Close other programs and try again. If it happens again, install Pairwright anew."
        super().__init__(f"A worker process could not start ({why}). Nothing was marked as failed.", hint=hint)


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
) -> Generator[tuple[T, R | Failure]]:
    """`Pool.run` with processes of its own, which end with the iterator, at once."""
    pool = Pool(setup, workers=workers, limits=limits)
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
    process: BaseProcess
    pipe: Connection
    deadline: float
    slot: _Slot[T, R] | None = None
    ready: bool = False  # it has said so; before that it is sent no item


class _Ready:
    """A worker's first word, once `setup` has returned."""


class Pool(Generic[T, R]):
    """Worker processes that are kept from one `run` to the next, with what they remember; for one thread at a time.

    `setup` is called once in every process, before the first item, and returns the function; both it and the items are
    pickled. `run` raises `WorkerStartError` where a process does not get that far, `Cancelled` where it is told to.
    """

    def __init__(
        self, setup: Callable[[], Callable[[T], R]], *, workers: int = 1, limits: Limits | None = None
    ) -> None:
        self._setup = setup
        self._most = workers
        self._limits = limits or Limits()
        self._workers: list[_Worker[T, R]] = []

    def run(self, items: Iterable[T], *, look: Callable[[], None] | None = None) -> Generator[tuple[T, R | Failure]]:
        """Each item with its result or failure, in the order of `items`, whatever the number of workers.

        Items are drawn as workers come free, a few ahead of the one yielded. `look` is called several times a second
        while waiting; what it raises, like closing the iterator, ends the run: what its workers have in hand, they
        finish for nobody.
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
                self._give(slot)
            if waiting and (result := waiting[0].result) is not None:  # the workers are busy while it is made use of
                yield waiting.popleft().item, result[0]
            elif waiting or not exhausted:
                self._collect()
                if look is not None:
                    look()

    def close(self) -> None:
        """End the processes at once; the next `run` starts others."""
        for worker in list(self._workers):
            self._dismiss(worker)

    def _can_take(self) -> bool:
        return len(self._workers) < self._most or any(worker.slot is None for worker in self._workers)

    def _give(self, slot: _Slot[T, R]) -> None:
        worker = next((worker for worker in self._workers if worker.slot is None), None) or self._hire()
        worker.slot = slot
        if worker.ready:
            try:
                self._send(worker, slot)
            except (BrokenPipeError, ConnectionResetError):  # died while idle, for no fault of this item
                self._dismiss(worker)
                self._hire().slot = slot

    def _send(self, worker: _Worker[T, R], slot: _Slot[T, R]) -> None:
        worker.deadline = time.monotonic() + self._limits.seconds
        worker.pipe.send(slot.item)

    def _collect(self) -> None:
        """Wait a moment for answers; settle those that came, died or took too much."""
        busy = {worker.pipe: worker for worker in self._workers if worker.slot is not None}
        for pipe in wait(list(busy), timeout=_POLL):
            worker = busy.pop(cast(Connection, pipe))
            try:
                self._hear(worker, worker.pipe.recv())
            except (EOFError, OSError):  # it died, perhaps in the middle of its answer
                self._lose(worker, Failure("crash"))
        for worker in busy.values():
            if excess := self._excess(worker):
                self._lose(worker, excess)

    def _hear(self, worker: _Worker[T, R], answer: R | Failure | _Ready) -> None:
        assert worker.slot is not None
        if isinstance(answer, _Ready):
            worker.ready = True
            self._send(worker, worker.slot)
        elif worker.ready:
            self._settle(worker, answer)
        else:
            assert isinstance(answer, Failure)
            self._lose(worker, answer)

    def _lose(self, worker: _Worker[T, R], failure: Failure) -> None:
        """Do without a worker that died or took too much: its item has failed, unless it had not come to it yet."""
        self._dismiss(worker)
        if worker.process.exitcode in _TOLD_TO_END:  # with all of the program: no fault of the item
            raise Cancelled
        if not worker.ready:
            log.error("a worker process could not start (%s)\n%s", failure.kind, failure.detail)
            raise WorkerStartError(failure)
        self._settle(worker, failure)

    def _excess(self, worker: _Worker[T, R]) -> Failure | None:
        if time.monotonic() > worker.deadline:
            return Failure("timeout")
        with contextlib.suppress(psutil.NoSuchProcess):  # a dead worker shows as a closed pipe at the next look
            if psutil.Process(worker.process.pid).memory_info().rss > self._limits.megabytes * 1_000_000:
                return Failure("memory")
        return None

    def _settle(self, worker: _Worker[T, R], result: R | Failure) -> None:
        assert worker.slot is not None
        worker.slot.result = (result,)
        worker.slot = None

    def _hire(self) -> _Worker[T, R]:
        context = multiprocessing.get_context("spawn")
        try:
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(self._setup, theirs), daemon=True)
            with deaf_to_interrupts():  # from its first instruction: the wish to stop reaches the whole group
                process.start()
        except OSError as exc:  # no more processes, files or memory
            raise WorkerStartError(Failure("crash", exc.strerror or str(exc))) from exc
        theirs.close()
        deadline = time.monotonic() + max(_START, self._limits.seconds)
        worker: _Worker[T, R] = _Worker(process, ours, deadline)
        self._workers.append(worker)
        return worker

    def _dismiss(self, worker: _Worker[T, R]) -> None:
        self._workers.remove(worker)
        worker.pipe.close()
        worker.process.kill()
        worker.process.join()


@contextlib.contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """What starts here ignores Ctrl-C. Only the main thread can see to it; elsewhere workers turn deaf a bit later."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _serve(setup: Callable[[], Callable[[T], R]], pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the job decides
    with contextlib.suppress(psutil.Error, OSError):  # then it is as urgent as the window, whose turn should come first
        psutil.Process().nice(_NICE)
    with contextlib.suppress(EOFError, OSError):  # the job is gone, and so is the need
        function = _tried(setup)
        pipe.send(function if isinstance(function, Failure) else _Ready())
        while not isinstance(function, Failure):
            pipe.send(_tried(function, pipe.recv()))


def _tried(function: Callable[..., R], *given: object) -> R | Failure:
    try:
        return function(*given)
    except MemoryError:
        return Failure("memory")
    except UserError as exc:
        return Failure("refused", str(exc), exc)
    except Exception:  # noqa: BLE001  crosses a process border: the job decides what a bug in one item means
        return Failure("error", traceback.format_exc())
