"""Maps the papers of sources into parts, in worker processes, so that no paper can harm another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from queue import Queue
from threading import Thread
from typing import Any

from miner.corpus.inputs import PaperSource, read_items
from miner.corpus.locations import Location
from miner.corpus.mapping import Item, MapSettings, PaperMapper, Rows, unreadable_rows
from miner.corpus.parts import FinishedRanges, MappedPart, Range, write_part
from miner.corpus.schema import MAPPED
from miner.libraries import pa
from miner.parsing.failures import parser_failure
from miner.parsing.formats import FileKind
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import Pool
from miner.processes.sandbox import Confinement

LIMITS = ProcessLimits(seconds=180, megabytes=3_000)  # for a batch, and for a paper alone where its batch has failed
_BATCH_ITEMS, _BATCH_BYTES = 16, 1_000_000
_PART_ITEMS, _PART_BYTES = 512, 256_000_000
_TEMPORARY = ("missing", "unreadable")  # why a file has no papers today; tried again by the next run

Batches = dict[str, pa.RecordBatch]  # by table


@dataclass(slots=True)
class _OpenPart:
    """A part whose papers are being mapped."""

    ranges: list[Range] = field(default_factory=list)
    done: list[Batches] = field(default_factory=list)
    items: int = 0
    size: int = 0
    waiting: int = 0  # batches
    is_full: bool = False

    def extend(self, source: PaperSource, first: int, last: int) -> None:
        """Note that these papers of the source, as far as it has them, are in the part."""
        for start, end in source.own_ranges(first, last):
            before = self.ranges[-1] if self.ranges else None
            if before is not None and (before.path, before.last + 1) == (source.path, start):
                self.ranges[-1] = before._replace(last=end)
            else:
                self.ranges.append(Range(source.path, source.stamp, start, end, is_end=False))

    def end(self, source: PaperSource, last: int) -> None:
        """Note that the source has no papers after this one."""
        before = self.ranges[-1] if self.ranges else None
        if before is not None and (before.path, before.last) == (source.path, last):
            self.ranges[-1] = before._replace(is_end=True)
        else:
            self.ranges.append(Range(source.path, source.stamp, last + 1, last, is_end=True))


@dataclass(slots=True)
class ItemBatch:
    """Papers that a worker maps at once."""

    items: list[Item]
    part: int
    size: int = 0


def open_mapper(settings: MapSettings) -> Callable[[Sequence[Item]], Batches]:
    """The function of a worker process: from items to their rows."""
    mapper = PaperMapper(settings)
    return lambda items: to_batches(mapper.map(item) for item in items)


def new_pool(settings: MapSettings, workers: int) -> Pool[ItemBatch, Batches]:
    """Worker processes for `map_sources`."""
    return Pool(partial(_open_worker, settings), workers=workers, limits=LIMITS, confinement=Confinement())


def _open_worker(settings: MapSettings) -> Callable[[ItemBatch], Batches]:
    map_items = open_mapper(settings)
    return lambda batch: map_items(batch.items)


def map_sources(
    sources: Iterable[PaperSource],
    out: Location,
    pool: Pool[ItemBatch, Batches],
    finished: FinishedRanges,
    on_poll: Callable[[int], None] = lambda papers: None,
) -> Iterator[MappedPart]:
    """Map all papers of the sources that are not in finished parts; each part as soon as it is written.

    A paper that crashes its worker, or takes too much time or memory, is a row of `files` with that reason. `on_poll`
    gets how many papers are mapped, and may raise to stop. `UserError` where a place cannot be reached.
    """
    return _MapRun(out, finished).run(sources, pool, on_poll)


class _MapRun:
    def __init__(self, out: Location, finished: FinishedRanges) -> None:
        self._out, self._finished = out, finished
        self._open: dict[int, _OpenPart] = {}
        self._again: deque[ItemBatch] = deque()  # papers of batches that have failed, one each
        self._mapped = 0

    def run(
        self, sources: Iterable[PaperSource], pool: Pool[ItemBatch, Batches], on_poll: Callable[[int], None]
    ) -> Iterator[MappedPart]:
        writer = _Writer(self._out)
        try:
            given = self._batches(sources)
            more = True
            while more:
                for batch, result in pool.run(given, on_poll=lambda: on_poll(self._mapped)):
                    self._take(batch, result, writer)
                    yield from writer.written()
                self._close_full(writer)
                more = bool(self._again)
                given = self._drain()
            yield from writer.finish()
        finally:
            writer.close()

    def _take(self, batch: ItemBatch, result: Batches | Failure, writer: _Writer) -> None:
        part = self._open[batch.part]
        if isinstance(result, Failure):
            if result.refusal is not None:  # it concerns all papers
                raise result.refusal
            if len(batch.items) > 1:
                part.waiting += len(batch.items)
                self._again += (ItemBatch([item], batch.part) for item in batch.items)
                result = {}
            else:
                [item] = batch.items
                result = to_batches([unreadable_rows(item, parser_failure(result, item.shown, LIMITS))])
        if result:
            part.done.append(result)
            self._mapped += result["files"].num_rows
        part.waiting -= 1
        self._close_full(writer)

    def _close_full(self, writer: _Writer) -> None:
        for number, part in list(self._open.items()):
            if part.is_full and not part.waiting:
                del self._open[number]
                writer.put(part.ranges, part.done)

    def _drain(self) -> Iterator[ItemBatch]:
        while self._again:
            yield self._again.popleft()

    def _batches(self, sources: Iterable[PaperSource]) -> Iterator[ItemBatch]:
        """The papers in batches, each of one part; what has failed in a batch comes before what was not read yet."""
        number, part, items = 0, _OpenPart(), list[Item]()
        self._open[0] = part

        def batch() -> Iterator[ItemBatch]:
            nonlocal items
            if items:
                part.waiting += 1
                yield ItemBatch(items, number)
                items = []

        for source in sources:
            if self._finished.has_all(source):
                continue
            last, seen, size, is_temporary = -1, -1, 0, False
            for item in read_items(source):
                yield from self._drain()
                seen = max(seen, item.number)
                if not source.has(item.number):
                    continue
                if item.failed is not None and item.failed.code in _TEMPORARY:
                    is_temporary = True
                elif item.number and self._finished.has(source, item.number):
                    last = item.number
                    continue
                if items and (item.kind is FileKind.PDF or size + len(item.content) > _BATCH_BYTES):
                    yield from batch()
                    size = 0
                items.append(item)
                size += len(item.content)
                part.items += 1
                part.size += len(item.content)
                if not is_temporary:
                    part.extend(source, last + 1, max(last, item.number))
                    last = max(last, item.number)
                if len(items) == _BATCH_ITEMS or item.kind is FileKind.PDF:
                    yield from batch()
                    size = 0
                if part.items >= _PART_ITEMS or part.size >= _PART_BYTES:
                    yield from batch()
                    part.is_full, size = True, 0
                    number, part = number + 1, _OpenPart()
                    self._open[number] = part
            if not is_temporary:
                part.extend(source, last + 1, seen)
                part.end(source, seen)
        yield from batch()
        if part.items or part.ranges:
            part.is_full = True
        else:
            del self._open[number]


class _Writer:
    """Writes parts in a thread, so that workers need not wait: compression leaves Python's lock."""

    def __init__(self, out: Location) -> None:
        self._out = out
        self._queue: Queue[Any] = Queue(maxsize=2)
        self._done: Queue[MappedPart | BaseException] = Queue()
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def put(self, ranges: Sequence[Range], batches: Sequence[Batches]) -> None:
        self._queue.put((ranges, batches))

    def written(self) -> Iterator[MappedPart]:
        """The parts written since the last call; raises the error of a part that could not be written."""
        while not self._done.empty():
            found = self._done.get()
            if isinstance(found, BaseException):
                raise found
            yield found

    def finish(self) -> Iterator[MappedPart]:
        """The last parts, once they are written."""
        self._queue.put(None)
        self._thread.join()
        yield from self.written()

    def close(self) -> None:
        """Let the thread end; parts that were not begun are not written."""
        while not self._queue.empty():
            self._queue.get_nowait()
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def _work(self) -> None:
        failed = False
        while (job := self._queue.get()) is not None:
            if failed:
                continue
            try:
                self._done.put(write_part(self._out, *job))
            except BaseException as exc:  # noqa: BLE001  raised again by whoever waits for the part
                self._done.put(exc)
                failed = True


def to_batches(mapped: Iterable[Rows]) -> Batches:
    """The rows of papers as Arrow's batches, by table."""
    rows: Rows = {}
    for of_paper in mapped:
        for table, values in of_paper.items():
            rows.setdefault(table, []).extend(values)
    return {table: pa.RecordBatch.from_pylist(values, schema=_SCHEMAS[table]) for table, values in rows.items()}


_SCHEMAS = {table: pa.schema(list(schema)[1:]) for table, schema in MAPPED.items()}  # without `part`
