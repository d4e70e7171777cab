"""Maps sources on a Ray cluster, by Ray Data: actors, each with a pool of worker processes, write parts themselves.

Ray knows no paper, only tasks of sources: a paper that crashes or hangs is a row, as without Ray. Parts have names that
follow from what is in them, so a task that Ray runs twice writes the same files again.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Thread
from typing import Any

from miner import codec
from miner.corpus.inputs import PaperSource, split_source
from miner.corpus.locations import AGAIN, Location
from miner.corpus.map_run import map_sources, new_pool
from miner.corpus.mapping import MapSettings
from miner.corpus.parts import FinishedRanges, MappedPart
from miner.errors import UserError
from miner.installation import missing_extra

STALL_SECONDS = 900.0  # without a finished part, after which nothing is expected of a cluster any more
_POLL_SECONDS = 0.2
_SINGLES = 256  # files of one paper in a task
_MOST_BLOCKS = 4096


@dataclass(frozen=True, slots=True)
class _Task:
    """What one actor reads in one go."""

    sources: tuple[PaperSource, ...]


def _tasks(given: Sequence[PaperSource], actors: int) -> list[_Task]:
    """A file of many papers, or many of one; the largest first, so that the last actor ends soon after the others."""
    sources = [share for source in given for share in split_source(source, actors)]
    singles = [source for source in sources if not source.is_of_many]
    groups = [tuple(singles[start : start + _SINGLES]) for start in range(0, len(singles), _SINGLES)]
    groups += [(source,) for source in sources if source.is_of_many]
    return [_Task(group) for group in sorted(groups, key=lambda group: -sum(source.size for source in group))]


def map_by_ray(
    sources: Sequence[PaperSource],
    out: Location,
    settings: MapSettings,
    parts: Sequence[MappedPart],
    *,
    actors: int | None = None,
    workers: int = 1,
    on_poll: Callable[[], None] = lambda: None,
    stall_seconds: float = STALL_SECONDS,
) -> Iterator[MappedPart]:
    """Each part as soon as Ray says that it is written. `on_poll` is called several times a second; it may raise.

    actors: by default one for each processor but one of the cluster, which is RAY_ADDRESS's, else of this computer.
    workers: processes of each. `UserError` where Ray is missing, or does nothing for `stall_seconds`.
    """
    if error := missing_extra("scale", "--engine ray"):
        raise error
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    ours = not ray.is_initialized()
    if ours:
        _start(ray, actors)
    try:
        free = int(ray.cluster_resources().get("CPU", 1)) - 1  # Ray Data needs one itself, and hangs without
        wanted = min(actors or free, free)
        if wanted < 1:
            hint = "Give Ray two processors or more, or use --engine processes."
            raise UserError("The Ray cluster has too few processors for an actor.", hint=hint)
        paths = {source.path for source in sources}
        begun = [part for part in parts if any(papers.path in paths for papers in part.ranges)]
        yield from _run(ray, _tasks(sources, wanted), out, settings, begun, wanted, workers, on_poll, stall_seconds)
    finally:
        if ours:
            ray.shutdown()


def _start(ray: Any, actors: int | None) -> None:
    """Connect to the cluster of RAY_ADDRESS, or start Ray here with a processor more than actors."""
    try:
        if os.environ.get("RAY_ADDRESS"):
            ray.init(log_to_driver=False, logging_level=logging.ERROR)
        else:
            count = (actors or max(1, (os.cpu_count() or 1) - 1)) + 1
            ray.init(num_cpus=count, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as exc:
        raise UserError(f"Ray does not start: {exc}", hint="Check RAY_ADDRESS, or use --engine processes.") from exc


class _Mapper:
    """An actor: its worker processes live as long as it does. Rows are JSON, which Arrow carries as it is."""

    def __init__(self, system: Any, path: str, shown: str, settings: MapSettings, parts: Any, workers: int) -> None:
        self._out = Location(system, path, shown)
        self._finished = FinishedRanges(parts)
        self._pool = new_pool(settings, workers)

    def __call__(self, batch: dict[str, Any]) -> Iterator[dict[str, list[str]]]:
        for text in batch["task"]:
            try:
                for part in map_sources(codec.decode(_Task, text).sources, self._out, self._pool, self._finished):
                    yield {"part": [codec.encode(part)], "error": [""], "hint": [""]}
            except UserError as exc:  # Ray would hide it in an error of its own
                yield {"part": [""], "error": [str(exc)], "hint": [exc.hint]}


def _run(
    ray: Any,
    found: list[_Task],
    out: Location,
    settings: MapSettings,
    parts: Sequence[MappedPart],
    actors: int,
    workers: int,
    on_poll: Callable[[], None],
    stall_seconds: float,
) -> Iterator[MappedPart]:
    rows: Queue[Any] = Queue()
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False

    def read() -> None:
        try:
            given = ray.data.from_items(
                [{"task": codec.encode(task)} for task in found], override_num_blocks=min(len(found), _MOST_BLOCKS)
            )
            mapped = given.map_batches(
                _Mapper,
                fn_constructor_args=(out.system, out.path, out.shown, settings, list(parts), workers),
                batch_size=1,
                compute=ray.data.ActorPoolStrategy(size=actors),
                num_cpus=1,
            )
            for row in mapped.iter_rows():
                rows.put(row)
            rows.put(None)
        except BaseException as exc:  # noqa: BLE001  raised again by the thread that waits
            rows.put(exc)

    Thread(target=read, daemon=True).start()
    heard = time.monotonic()
    while True:
        on_poll()
        with suppress(Empty):
            row = rows.get(timeout=_POLL_SECONDS)
            heard = time.monotonic()
            if row is None:
                return
            if isinstance(row, BaseException):
                raise UserError(f"Ray stopped: {' '.join(str(row).split())[:300]}", hint=AGAIN) from row
            if row["error"]:
                raise UserError(row["error"], hint=row["hint"])
            yield codec.decode(MappedPart, row["part"])
        if time.monotonic() > heard + stall_seconds:
            free = ray.available_resources().get("CPU", 0)
            what = f"Ray has finished nothing for {stall_seconds:,.0f} s; {free:,.0f} processors of it are free."
            raise UserError(what, hint=f"Look at `ray status`: other jobs may hold its processors. {AGAIN}")
