"""Pulls papers of a corpus into a project, with the pairs that they keep in the corpus: nothing is parsed or mined.

Duplicates and the quota are decided over the whole corpus, so the project's run counts as having mined these papers. If
papers of another origin are added or settings change, mining decides anew, for the papers of the project alone.

A new project is stored in one transaction, with its indices made last; in another, each batch of papers is a
transaction that leaves a consistent project. A project that was pulled from the corpus as it is now can get more papers
of it; those that it has stay as they are.
"""

from __future__ import annotations

import hashlib
import itertools
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.exc import IntegrityError

from miner.corpus.locations import Location
from miner.corpus.parts import CorpusSettings, read_settings
from miner.corpus.selection import Selection, select_papers
from miner.corpus.shards import MANIFEST, Shard, ShardManifest, check_whole, read_manifest, read_shard
from miner.errors import UserError
from miner.libraries import pa
from miner.mining.settings import MiningSettings
from miner.mining.settings import read_settings as read_mining_settings
from miner.progress import Progress
from storage.connections import driver_connection
from storage.dataset.corpus_origin import CorpusOrigin
from storage.errors import UndecodableValue, translate_decoding_errors
from storage.exchange.added_project import AddedProject
from storage.exchange.corpus_answers import pull_answers
from storage.exchange.corpus_rows import ShardRows, funnel_rows, pair_columns, paper_rows
from storage.pairs.store import indexed_at_end, insert_mined
from storage.papers.transfer import add_rows, next_id
from storage.project import Project
from storage.settings import CORPUS, MINING
from storage.stores import Stores

_BATCH = 200  # papers stored at once
_AT_ONCE, _AT_ONCE_EMPTY = 1, 50  # batches in a transaction: others wait for it, but not where there are no papers
_MD5S = "SELECT md5 FROM papers"
_INSERT_FUNNEL = "INSERT INTO funnel (paper_id, run, strategy, outcome, reason, count) VALUES (?, ?, ?, ?, ?, ?)"


class PaperBatch(NamedTuple):
    """The rows of some papers of a shard, by table."""

    shard: Shard
    tables: Mapping[str, pa.Table]


@dataclass(frozen=True, slots=True)
class PulledPapers:
    """What was pulled: papers and their pairs.

    known: selected papers that the project had; matching: papers that meet the conditions. program, language_model: the
    ones that mined the corpus. answers: the result of merging the answers pushed to the corpus.
    """

    papers: int
    pairs: int
    known: int
    matching: int
    program: str
    language_model: str
    answers: AddedProject


class SettledCorpus:
    """A settled corpus, complete and of this version; `UserError` for any other."""

    def __init__(self, out: Location) -> None:
        self.out = out
        settings, manifest = read_settings(out), read_manifest(out)
        assert settings is not None
        assert manifest is not None
        check_whole(out, manifest)
        self.settings: CorpusSettings = settings
        self.manifest: ShardManifest = manifest
        self.mining: MiningSettings = read_mining_settings(settings.mining)
        self.digest = hashlib.sha256(out.child(MANIFEST).read()).hexdigest()

    def origin(self, selection: Selection) -> CorpusOrigin:
        """The record of this pull, for the project that it went into."""
        place = self.out.shown if not self.out.is_local else self.out.path.rstrip("/").rpartition("/")[2]
        where = tuple(map(str, selection.where))
        return CorpusOrigin(place, self.digest, self.manifest.run, where, selection.papers, selection.seed)

    def batches(self, md5s: Sequence[str]) -> Iterator[PaperBatch]:
        """The rows of the papers, whose MD5s ascend, some at once. `UserError` for what Pairwright never writes."""
        for shard, some in self.by_shard(md5s):
            rows = ShardRows(self.out, shard, some)
            for first in range(0, len(some), _BATCH):
                with self.refusing(shard):
                    yield PaperBatch(shard, rows.take(some[first : first + _BATCH]))

    def by_shard(self, md5s: Sequence[str]) -> Iterator[tuple[Shard, list[str]]]:
        """The MD5s that have a shard, by shard. md5s: in ascending order."""
        shards = {shard.prefix: shard for shard in self.manifest.shards}
        length = max((len(prefix) for prefix in shards), default=0)
        for prefix, some in itertools.groupby(md5s, key=lambda md5: md5[:length]):
            if prefix in shards:
                yield shards[prefix], list(some)

    @contextmanager
    def refusing(self, shard: Shard) -> Iterator[None]:
        """Around the use of a shard's rows: errors say that they are not what Pairwright writes."""
        try:
            with translate_decoding_errors():
                yield
        except (UndecodableValue, IntegrityError, sqlite3.IntegrityError) as exc:
            what = f"The shards {shard.prefix} of {self.out.shown} have what Pairwright never writes: {exc}."
            raise UserError(what, hint="Settle the corpus again.") from exc


def pull_papers(
    project: Project, corpus: SettledCorpus, selection: Selection, at: datetime, progress: Progress
) -> PulledPapers:
    """Store the selected papers that the project does not have, with what people pushed, and note where they are from.

    If it is stopped, what was stored stays, and the same call continues. `UserError` for a selection without papers,
    and for a project that has other papers, or pairs of other settings.
    """
    with project.read_transaction() as stores:
        here = set(stores._connection.exec_driver_sql(_MD5S).scalars())
        if here:
            _check_project(project, stores, corpus, here, progress)
    selected = select_papers(
        corpus.out, corpus.manifest, selection, lambda done, total: progress.tick(done, total, "papers")
    )
    wanted = [md5 for md5 in selected.md5s if md5 not in here]
    with project.transaction() as stores:
        number = _start(stores, corpus)
        origin, origins = corpus.origin(selection), stores.settings.get(CORPUS)
        if origin not in origins:
            stores.settings.put(CORPUS, (*origins, origin))
    papers = pairs = 0
    at_once = None if project.is_being_built else _AT_ONCE if here else _AT_ONCE_EMPTY
    batches = corpus.batches(wanted)
    while papers < len(wanted):
        progress.tick(papers, len(wanted), "pulling")
        with project.transaction(bulk=True) as stores, _indexing(project, stores, progress):
            for batch in itertools.islice(batches, at_once):
                progress.tick(papers, len(wanted), "pulling", may_wait=project.is_being_built)
                with corpus.refusing(batch.shard):
                    pairs += _store(stores, batch.tables, number)
                papers += batch.tables["papers"].num_rows
            stores.mining_runs.note_all_mined(number)
    with project.transaction() as stores:
        stores.mining_runs.finish(number)
    known = [md5 for md5 in selected.md5s if md5 in here]
    answers = pull_answers(project, corpus.out, sorted({*here, *wanted}), at, progress)
    made_by = (corpus.settings.program, corpus.settings.language_model)
    return PulledPapers(papers, pairs, len(known), selected.matching, *made_by, answers)


def _start(stores: Stores, corpus: SettledCorpus) -> int:
    if (run := stores.mining_runs.current()) is not None:
        return run.number
    settings = corpus.settings
    stores.settings.put(MINING, corpus.mining)
    how = {"program": settings.program, "language_model": settings.language_model}
    return stores.mining_runs.start(corpus.manifest.run, settings.mining, **how)


@contextmanager
def _indexing(project: Project, stores: Stores, progress: Progress) -> Iterator[None]:
    """Pairs of a new project get their indices at the end; cancelling ends also what takes long there."""
    if not project.is_being_built:
        yield
        return
    with stores.cancellable(progress), indexed_at_end(stores._connection):
        yield
        progress.tick(0, None, "indexing")


def _store(stores: Stores, tables: Mapping[str, pa.Table], run: int) -> int:
    """Store papers with their pairs and funnels; how many pairs they have."""
    connection = stores._connection
    first = next_id(connection)
    add_rows(connection, first, paper_rows(tables, first))
    columns = pair_columns(tables, first)
    insert_mined(connection, columns | {"run": [run] * len(columns["key"])})
    driver_connection(connection).executemany(
        _INSERT_FUNNEL, [(paper, run, *row) for paper, *row in funnel_rows(tables, first)]
    )
    return len(columns["key"])


def _check_project(project: Project, stores: Stores, corpus: SettledCorpus, here: set[str], progress: Progress) -> None:
    """Raise `UserError` where duplicates and the quota of the corpus would not hold for the project."""
    run, origins = stores.mining_runs.current(), stores.settings.get(CORPUS)
    is_same = (
        all(origin.manifest == corpus.digest for origin in origins)
        and bool(origins)
        and run is not None
        and (run.settings, run.program) == (corpus.settings.mining, corpus.settings.program)
        and run.language_model == corpus.settings.language_model
    )
    if is_same and run is not None and (pending := stores.mining_runs.count_pending(run.number)):
        papers = "1 paper" if pending == 1 else f"{pending:,} papers"
        what = f"{papers} of {project.path} would have to be mined again: some were removed or changed since the pull."
        raise UserError(what, hint="Pull into a new project.")
    if is_same:
        for number, shard in enumerate(corpus.manifest.shards):
            progress.tick(number, len(corpus.manifest.shards), "checking")
            here = here.difference(read_shard(corpus.out, shard, "papers", ["md5"])["md5"].to_pylist())
    if here or not is_same:
        what = f"{project.path} exists already, and has not only papers that were pulled from {corpus.out.shown} "
        what += "as it is now."
        hint = "Pull into a new project. To have both in one: pairwright --project FIRST add SECOND"
        raise UserError(what, hint=hint)
