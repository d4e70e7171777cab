"""The contents of a settled corpus, from its notes, and a sample of its pairs."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from desktop.jobs.corpus.choice import CorpusChoice
from desktop.jobs.corpus.settle import CorpusFigures, read_figures
from desktop.translation import tr
from miner.corpus.locations import Location
from miner.corpus.selection import Selection
from miner.corpus.shards import MANIFEST, Shard, check_whole, read_manifest, read_shard
from miner.errors import UserError
from miner.progress import Job, Progress

SAMPLE_SIZE = 200
_PROJECT_SHARE = 3.6  # bytes of a pulled project for a byte of shards: 3.58 and 3.47, measured with two corpora
_SEEN_PER_PAIR = 20  # of a sample; then no more shards are read
_PAIR_COLUMNS = ["md5", "key", "premise", "hypothesis", "distant_label", "strategy", "phrase"]


@dataclass(frozen=True, slots=True)
class CorpusOverview:
    """The figures of a corpus. settled_at: when its shards were made, if known. damage: the incomplete shards."""

    figures: CorpusFigures
    run: str
    settled_at: datetime | None
    damage: UserError | None

    @property
    def papers(self) -> int:
        return sum(count for *_, count in self.figures.counts.papers)

    def project_size(self, papers: int) -> int:
        """The approximate size in bytes of a project with this number of the corpus's papers."""
        return round(_PROJECT_SHARE * self.figures.size * papers / max(self.papers, 1))


class SampledPair(NamedTuple):
    """A pair of a corpus, with the title and year of its paper."""

    key: str
    premise: str
    hypothesis: str
    label: str
    strategy: str
    phrase: str
    title: str
    year: int | None


@dataclass(frozen=True, slots=True)
class PairSample:
    """Pairs in random order. shards: how many shards were read, and how many have chosen papers."""

    pairs: tuple[SampledPair, ...]
    shards: int
    of_shards: int


def read_overview(place: str) -> Job[CorpusOverview]:
    """The contents of a corpus, from its notes only. `UserError` where there is no corpus, or it is not settled."""

    def work(progress: Progress) -> CorpusOverview:
        out = Location.of(place)
        figures, manifest = read_figures(place).work(progress), read_manifest(out)
        assert manifest is not None
        progress.tick(0, None)
        damage = None
        try:
            check_whole(out, manifest)
        except UserError as exc:
            damage = exc
        return CorpusOverview(figures, manifest.run, _changed_at(out.child(MANIFEST)), damage)

    return Job(tr("Reading {place}", place=place), work)


def sample_pairs(place: str, choice: CorpusChoice, seed: int, size: int = SAMPLE_SIZE) -> Job[PairSample]:
    """Some of the chosen pairs: of the shards in an order by `seed`, and of their pairs those that it ranks first.

    A shard has papers of all kinds, so a few are enough; of each only the keys are held. `UserError` for a corpus that
    cannot be read.
    """

    def work(progress: Progress) -> PairSample:
        out = Location.of(place)
        manifest = read_manifest(out)
        assert manifest is not None
        conditions = Selection.of(choice.where, None, seed).filter
        having = [shard for shard in manifest.shards if _has_some(shard, choice)]
        having.sort(key=lambda shard: _rank(seed, shard.prefix))
        best: list[tuple[bytes, str, str]] = []
        titles: dict[str, tuple[str, int | None]] = {}
        seen = done = 0
        for done, shard in enumerate(having, 1):
            progress.tick(done - 1, len(having))
            papers = read_shard(out, shard, "papers", ["md5", "title", "year"], conditions).to_pylist()
            titles |= {paper["md5"]: (paper["title"] or "", paper["year"]) for paper in papers}
            keys = read_shard(out, shard, "pairs", ["md5", "key"], [("md5", "in", [one["md5"] for one in papers])])
            seen += keys.num_rows
            pairs = zip(keys["md5"].to_pylist(), keys["key"].to_pylist(), strict=True)
            best = heapq.nsmallest(size, [*best, *((_rank(seed, key), key, shard.prefix) for _, key in pairs)])
            if seen >= _SEEN_PER_PAIR * size:
                break
        rows: dict[str, dict[str, Any]] = {}
        for shard in having[:done]:
            progress.tick(done, len(having))
            if wanted := [key for _, key, prefix in best if prefix == shard.prefix]:
                table = read_shard(out, shard, "pairs", _PAIR_COLUMNS, [("key", "in", wanted)])
                rows |= {row["key"]: row for row in table.to_pylist()}
        return PairSample(tuple(_pair(rows[key], titles) for _, key, _ in best), done, len(having))

    return Job(tr("Reading pairs of {place}", place=place), work)


def _pair(row: dict[str, Any], titles: dict[str, tuple[str, int | None]]) -> SampledPair:
    key, premise, hypothesis, label, strategy, phrase = (row[name] or "" for name in _PAIR_COLUMNS[1:])
    title, year = titles[row["md5"]]
    return SampledPair(key, premise, hypothesis, label, strategy, phrase, title, year)


def _has_some(shard: Shard, choice: CorpusChoice) -> bool:
    return any(choice.has(domain, year) for domain, year, _, _ in shard.counts.papers)


def _rank(seed: int, text: str) -> bytes:
    return blake2b(f"{seed} {text}".encode(), digest_size=8).digest()


def _changed_at(file: Location) -> datetime | None:
    changed: datetime | None = file.system.get_file_info(file.path).mtime
    return changed if changed is None or changed.tzinfo is not None else changed.replace(tzinfo=UTC)
