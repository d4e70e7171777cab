"""The job that loads a corpus into a database."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from desktop.jobs.corpus.statistics import MeasuredCorpus, measured
from desktop.jobs.pairs.data_set_statistics import JUDGED_PAIRS
from desktop.translation import tr
from miner.classifier.vocabulary import STARTER_TOKENIZER
from miner.corpus.answers import answers_digest, read_answers
from miner.corpus.database import base_address, opened_shards
from miner.corpus.locations import Location
from miner.corpus.parts import CorpusSettings, read_settings
from miner.corpus.shards import ShardManifest, check_whole, read_manifest
from miner.corpus.warehouse import WarehouseSource, load_warehouse
from miner.corpus.warehouse_schema import FIGURES, WAREHOUSE_VERSION
from miner.corpus.warehouse_targets import NOTHING_CHANGED, opened_warehouse, without_password
from miner.libraries import pa
from miner.progress import Job, Progress

log = logging.getLogger(__name__)

SCHEMA = "pairwright"


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load a corpus into a database.

    schema: the name of the tables' schema. sentences: how many pairs of each domain are parsed at most; 0: none.
    tokenizer: for the vocabularies of Table 13; None: no vocabularies. workers: processes; None: one for each core.
    """

    schema: str = SCHEMA
    sentences: int = JUDGED_PAIRS
    tokenizer: Path | None = STARTER_TOKENIZER
    workers: int | None = None
    memory_mb: int = 1_000


@dataclass(frozen=True, slots=True)
class CorpusLoad:
    """What was loaded: `url` without its password, how many shards have `changed`, and the number of rows by table."""

    place: str
    url: str
    schema: str
    shards: int
    changed: int
    removed: int
    rows: dict[str, int]


def load_corpus(place: str, url: str, options: LoadOptions | None = None) -> Job[CorpusLoad]:
    """Load the shards that have changed since the last load into the database of the URL, in one transaction."""
    chosen = options or LoadOptions()

    def work(progress: Progress) -> CorpusLoad:
        out = Location.of(place)
        settings, manifest = read_settings(out), read_manifest(out)
        assert settings is not None
        assert manifest is not None
        check_whole(out, manifest)
        digest = answers_digest(out)
        with opened_shards(out, manifest, memory_mb=chosen.memory_mb) as source, opened_warehouse(url) as warehouse:

            def figures(own_progress: Progress) -> dict[str, pa.Table]:
                found = measured(
                    source.cursor(),  # of another thread
                    own_progress,
                    sentences=chosen.sentences,
                    tokenizer=chosen.tokenizer,
                    workers=chosen.workers,
                )
                return _figure_tables(found, out.shown, settings, manifest, chosen.sentences, digest)

            corpus = WarehouseSource(
                source, base_address(source, out), manifest, figures, lambda: read_answers(out), digest
            )
            done = load_warehouse(warehouse, corpus, chosen.schema, progress.tick)
        shown = without_password(url)
        log.info("loaded %d of %d shards of %s into %s", done.changed, done.shards, out.shown, shown)
        return CorpusLoad(out.shown, shown, chosen.schema, done.shards, done.changed, done.removed, done.rows)

    return Job(tr("Loading {place}", place=place), work, tr(NOTHING_CHANGED))


def _figure_tables(
    found: MeasuredCorpus, place: str, settings: CorpusSettings, manifest: ShardManifest, sentences: int, answers: str
) -> dict[str, pa.Table]:
    """The rows of the tables that the views of the papers' tables read."""
    complete, similarity = found.figures.complete, found.figures.similarity
    by_order = {pair.order: pair for members in (complete.judged.values() if complete else ()) for pair in members}
    orders = {one.id: one.order for drawn in found.pairs.statistics.drawn.values() for one in drawn}
    measured_pairs = []
    for id, pair in enumerate(found.pairs.pairs):
        verdict = by_order.get(orders[id])
        measured_pairs.append(
            {
                "md5": pair.md5,
                "ordinal": pair.ordinal,
                "place": pair.place,
                "domain": pair.domain,
                "label": pair.label,
                "premise_tokens": pair.measures.premise_words,
                "hypothesis_tokens": pair.measures.hypothesis_words,
                "overlap": pair.measures.overlap,
                "premise_complete": verdict.premise if verdict else None,
                "hypothesis_complete": verdict.hypothesis if verdict else None,
            }
        )
    loaded = {
        "version": WAREHOUSE_VERSION,
        "corpus": place,
        "run": manifest.run,
        "program": settings.program,
        "language_model": settings.language_model,
        "splitter": settings.splitter,
        "mining": settings.mining,
        "tokenizer": similarity.tokenizer if similarity else None,
        "parser": complete.parser if complete else None,
        "judged": sentences,
        "answers": answers,
    }
    vocabularies = [
        {"domain": domain, "token": token, "count": count}
        for domain, one in found.vocabularies.items()
        for token, count in sorted(one.counts.items())
    ]
    rows = {"loaded": [loaded], "measured_pairs": measured_pairs, "vocabularies": vocabularies}
    return {name: pa.Table.from_pylist(some, schema=FIGURES[name]) for name, some in rows.items()}
