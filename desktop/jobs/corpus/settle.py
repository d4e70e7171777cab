"""The jobs that settle a corpus, and that count its contents."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.translation import tr
from miner.corpus.locations import Location
from miner.corpus.parts import CorpusSettings, read_parts, read_settings
from miner.corpus.settle import Settled, settle
from miner.corpus.shards import ShardCounts, read_manifest
from miner.progress import Job, Progress


@dataclass(frozen=True, slots=True)
class CorpusFigures:
    """The contents of a settled corpus. mapped: how many papers and failures its parts have, copies included."""

    place: str
    settings: CorpusSettings
    counts: ShardCounts
    shards: int
    size: int
    parts: int
    mapped: int


def settle_corpus(place: str, *, memory_mb: int = 1_000) -> Job[Settled]:
    """Settle the corpus at `place`: write the shards that have changed."""

    def work(progress: Progress) -> Settled:
        return settle(Location.of(place), progress.tick, memory_mb=memory_mb)

    return Job(
        tr("Settling {place}", place=place),
        work,
        tr("The corpus is as it was settled before. Settle it again to go on."),
    )


def read_figures(place: str) -> Job[CorpusFigures]:
    """The figures of a corpus, without reading its shards."""

    def work(progress: Progress) -> CorpusFigures:
        out = Location.of(place)
        settings, manifest = read_settings(out), read_manifest(out)
        assert settings is not None
        assert manifest is not None
        parts = read_parts(out)
        size = sum(one.bytes for shard in manifest.shards for one in shard.sizes.values())
        mapped = sum(part.papers + part.failed for part in parts)
        return CorpusFigures(out.shown, settings, manifest.counts, len(manifest.shards), size, len(parts), mapped)

    return Job(tr("Reading {place}", place=place), work)
