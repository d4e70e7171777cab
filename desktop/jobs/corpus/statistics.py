"""The job that measures a corpus as the papers measure their data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.jobs.pairs.data_set_statistics import (
    CountedDataSet,
    DomainVocabulary,
    MeasuredDataSet,
    SplitSource,
    count_tokens,
    judge_sentences,
    vocabulary_limits,
    vocabulary_similarity,
)
from desktop.translation import tr
from miner.classifier.vocabulary import tokenizer_file
from miner.corpus.database import opened_shards
from miner.corpus.locations import Location
from miner.corpus.shards import check_whole, read_manifest
from miner.corpus.statistics import CorpusStatistics, drawn_texts, measure_corpus
from miner.progress import Job, Progress
from storage.dataset.options import ExportOptions


@dataclass(frozen=True, slots=True)
class MeasuredCorpus:
    """The measures of a corpus.

    figures: for the papers' tables. pairs, vocabularies: the data that these were taken from.
    """

    figures: MeasuredDataSet
    pairs: CorpusStatistics
    vocabularies: Mapping[str, DomainVocabulary]


def measure_shards(
    place: str,
    *,
    sentences: int = 0,
    tokenizer: Path | None = None,
    seed: int = 1,
    workers: int | None = None,
    memory_mb: int = 1_000,
) -> Job[MeasuredCorpus]:
    """The figures of a settled corpus; the options are those of `desktop.jobs.pairs.data_set_statistics.measure`."""

    def work(progress: Progress) -> MeasuredCorpus:
        out = Location.of(place)
        manifest = read_manifest(out)
        assert manifest is not None
        check_whole(out, manifest)
        with opened_shards(out, manifest, memory_mb=memory_mb) as database:
            return measured(database, progress, sentences=sentences, tokenizer=tokenizer, seed=seed, workers=workers)

    return Job(tr("Counting the pairs of {place}", place=place), work)


def measured(
    database: Any,
    progress: Progress,
    *,
    sentences: int,
    tokenizer: Path | None,
    seed: int = 1,
    workers: int | None = None,
) -> MeasuredCorpus:
    """The measures of the shards that a database has as views."""
    file = None if tokenizer is None else tokenizer_file(tokenizer)
    found = measure_corpus(database, progress, seed=seed)
    counted = CountedDataSet(found.statistics, SplitSource.NONE, ExportOptions())
    complete = similarity = None
    vocabularies: Mapping[str, DomainVocabulary] = {}
    if sentences and found.pairs:
        complete = judge_sentences(found.sentences, found.statistics, sentences, progress, workers)
    if file is not None and found.pairs:
        limits = vocabulary_limits({domain: found.statistics.count(domain) for domain in found.statistics.domains})
        vocabularies = count_tokens(drawn_texts(database, limits, seed=seed), limits, file, progress, workers)
        similarity = vocabulary_similarity(vocabularies, file)
    return MeasuredCorpus(MeasuredDataSet(counted, complete, similarity), found, vocabularies)
