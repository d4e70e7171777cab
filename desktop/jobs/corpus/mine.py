"""The job that mines papers into the parts of a corpus, in worker processes of this computer or by Ray."""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum

from desktop.translation import tr
from miner import codec
from miner.corpus.inputs import PaperSource, find_sources, in_shard
from miner.corpus.locations import Location
from miner.corpus.map_run import map_sources, new_pool
from miner.corpus.mapping import MapSettings
from miner.corpus.parts import CorpusSettings, FinishedRanges, MappedPart, claim, read_parts
from miner.errors import UserError
from miner.mining.sentence_analysis import name_of_analyzer
from miner.parsing.sentences import SentenceSplitter, SplitterParameters
from miner.processes.pool import worker_count
from miner.progress import Job, Progress
from miner.versions import mining_program

log = logging.getLogger(__name__)

KEPT = tr("The parts that are finished are kept. Mine again to go on with the other papers.")


class Engine(StrEnum):
    """The system that runs the workers."""

    PROCESSES = "processes"
    RAY = "ray"


@dataclass(frozen=True, slots=True)
class CorpusMiningOptions:
    """How to mine a corpus.

    settings: the settings that the rows depend on. workers: the number of processes, with Ray of each actor; None: one
    for each processor, with Ray one. shard: (k, n), from 1: mine only the k-th of n parts of the sources.
    """

    settings: MapSettings = field(default_factory=MapSettings)
    engine: Engine = Engine.PROCESSES
    workers: int | None = None
    actors: int | None = None
    shard: tuple[int, int] = (1, 1)


@dataclass(frozen=True, slots=True)
class CorpusMining:
    """The result of mining: sources given, sources finished before, and papers, failures and pairs of this run."""

    place: str
    sources: int
    known: int
    papers: int
    failed: int
    pairs: int


def mine_corpus(addresses: Sequence[str], place: str, options: CorpusMiningOptions) -> Job[CorpusMining]:
    """Mine the papers at these addresses into the corpus at `place`; sources in finished parts are passed over."""

    def work(progress: Progress) -> CorpusMining:
        progress.tick(0, None, tr("looking for papers"))
        out = Location.of(place)
        sources = in_shard(find_sources(addresses), *options.shard)
        claim(out, corpus_settings(options.settings))
        parts = read_parts(out)
        finished = FinishedRanges(parts)
        new = [source for source in sources if not finished.has_all(source)]
        papers = failed = pairs = 0
        if new:
            with closing(_map(new, out, options, parts, finished, progress)) as found:
                for part in found:
                    papers, failed, pairs = papers + part.papers, failed + part.failed, pairs + part.pairs
        log.info("mapped %d papers of %d sources into %s", papers, len(new), out.shown)
        return CorpusMining(out.shown, len(sources), len(sources) - len(new), papers, failed, pairs)

    return Job(tr("Mining into {place}", place=place), work, KEPT)


def corpus_settings(settings: MapSettings) -> CorpusSettings:
    """The settings of a corpus that this version of the program mines with these settings."""
    return CorpusSettings(
        codec.encode(settings.mining),
        mining_program(),
        name_of_analyzer(settings.model),
        SentenceSplitter(SplitterParameters.bundled()).name,
    )


def parse_shard(text: str) -> tuple[int, int]:
    """The two numbers of `3/7`; `UserError` for other text."""
    number, _, count = text.partition("/")
    if number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count) <= 100_000:
        return int(number), int(count)
    raise UserError(tr("“{text}” is no shard.", text=text), hint=tr("Write which of how many, from 1: --shard 17/400"))


def _map(
    sources: Sequence[PaperSource],
    out: Location,
    options: CorpusMiningOptions,
    parts: Sequence[MappedPart],
    finished: FinishedRanges,
    progress: Progress,
) -> Generator[MappedPart]:
    if options.engine is Engine.RAY:
        from miner.corpus.ray_engine import map_by_ray

        done = 0

        def poll() -> None:
            progress.tick(done, None, tr("{done:,} papers", done=done))

        actors, workers = options.actors, options.workers or 1
        for part in map_by_ray(sources, out, options.settings, parts, actors=actors, workers=workers, on_poll=poll):
            done += part.papers + part.failed
            yield part
        return
    pool = new_pool(options.settings, worker_count(options.workers))
    try:
        tick = progress.tick
        yield from map_sources(
            sources, out, pool, finished, lambda papers: tick(papers, None, tr("{papers:,} papers", papers=papers))
        )
    finally:
        pool.close()
