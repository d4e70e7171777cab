"""Jobs that measure a data set as the papers do: Tables 2, 12 and 13 of MSciNLI, Table 3 of SciNLI.

The pairs are those of the last export or release with splits, else those of an export with default options; a filter
can narrow them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from desktop.translation import tr
from miner.classifier.vocabulary import STARTER_TOKENIZER, load_token_counter, tokenizer_file
from miner.dataset_statistics import (
    CompleteSentences,
    DataSetStatistics,
    DrawnPair,
    JudgedPair,
    VocabularySimilarity,
    cosine_similarities,
)
from miner.errors import UserError
from miner.mining.complete_sentences import SentenceJudge, load_sentence_judge
from miner.processes.child import Failure, ProcessLimits, ProcessStartError
from miner.processes.pool import run, worker_count
from miner.progress import Job, Progress
from miner.splits import SPLITS
from storage.dataset.export_options import ALL_PAIRS, ExportOptions, SplitOptions
from storage.exchange.releases import list_releases
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import LAST_SPLIT_EXPORT, SPLIT, TARGETS
from storage.stores import Stores

JUDGED_PAIRS = 500
"""How many pairs of each split of a domain have their sentences parsed, by default."""
VOCABULARY_PAIRS = 25_000
"""About how many pairs a domain's vocabulary is taken from at most; one of MSciNLI has 25,464 for training."""

_BATCH_PAIRS = 200
_MAX_PAPERS_SHOWN = 20_000
_LIMITS = ProcessLimits(seconds=300)
T = TypeVar("T")
R = TypeVar("R")


class SplitSource(StrEnum):
    """Where the splits of the figures come from.

    PROJECT: the split of its papers. EXPORT: the last export or release with splits. IMPORT: the splits that pairs were
    imported with. NONE: there are no splits.
    """

    PROJECT = "project"
    EXPORT = "export"
    IMPORT = "import"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class CountedDataSet:
    """The figures that are quickly read.

    filter: the counted pairs. options: of the export that they are counted for.
    """

    statistics: DataSetStatistics
    source: SplitSource
    options: ExportOptions
    filter: PairFilter = ALL_PAIRS


@dataclass(frozen=True, slots=True)
class MeasuredDataSet:
    """All figures of the papers' tables; None for figures that were not requested, or that have no pairs."""

    counted: CountedDataSet
    complete: CompleteSentences | None = None
    similarity: VocabularySimilarity | None = None


def load_counted(project: Project, filter: PairFilter = ALL_PAIRS, *, seed: int = 1) -> Job[CountedDataSet]:
    """Count the data set, and measure lengths and overlap."""

    def work(progress: Progress) -> CountedDataSet:
        return count_data_set(project, progress, filter=filter, seed=seed)

    return Job(tr("Counting the data set"), work)


def measure(
    project: Project,
    filter: PairFilter = ALL_PAIRS,
    *,
    options: ExportOptions | None = None,
    sentences: int = JUDGED_PAIRS,
    tokenizer: Path | None = STARTER_TOKENIZER,
    all_splits: bool = False,
    seed: int = 1,
    workers: int | None = None,
) -> Job[MeasuredDataSet]:
    """Measure the data set for all of the papers' tables.

    options: of the export to measure; None: the project's last export with splits. sentences: how many pairs of each
    split of a domain are parsed at most, 0 for none. tokenizer: its file, or the folder of a model; None: no
    vocabularies. all_splits: vocabularies of all pairs, not only of the training pairs. workers: the number of
    processes; None: one for each core.

    Each part is read in a transaction of its own, so that a project may change meanwhile.
    """

    def work(progress: Progress) -> MeasuredDataSet:
        file = None if tokenizer is None else tokenizer_file(tokenizer)
        counted = count_data_set(project, progress, filter=filter, options=options, seed=seed)
        complete = similarity = None
        if sentences and counted.statistics.count():
            read = partial(_read_sentences, project)
            complete = judge_sentences(read, counted.statistics, sentences, progress, workers)
        if file is not None and counted.statistics.count():
            similarity = _compare_vocabularies(
                project, counted, file, progress, workers, all_splits=all_splits, seed=seed
            )
        return MeasuredDataSet(counted, complete, similarity)

    return Job(tr("Measuring sentences"), work)


def count_data_set(
    project: Project,
    progress: Progress,
    *,
    filter: PairFilter = ALL_PAIRS,
    options: ExportOptions | None = None,
    seed: int = 1,
) -> CountedDataSet:
    """The figures that are quickly read.

    options: of the export to count; None: the project's last export with splits.
    """
    progress.tick(0, 1)
    with project.read_transaction() as stores, stores.cancellable(progress):
        options = options or split_options(stores)
        statistics = stores.data_set_statistics.measure(options, filter, seed=seed, progress=progress)
    source = SplitSource.NONE
    if statistics.splits:
        is_own = options.as_imported or not options.in_splits
        source = SplitSource.IMPORT if is_own else SplitSource.PROJECT if options.split else SplitSource.EXPORT
    return CountedDataSet(statistics, source, options, filter)


def find_split_pairs(project: Project, filter: PairFilter, split: str) -> Job[PairFilter]:
    """The filter for the papers that have pairs in a split of the last export; some balanced away may be among them.

    `UserError` if they are too many to filter by.
    """

    def work(progress: Progress) -> PairFilter:
        progress.tick(0, 1)
        with project.read_transaction() as stores, stores.cancellable(progress):
            papers = stores.data_set_statistics.papers_in(split_options(stores), split, _MAX_PAPERS_SHOWN + 1)
        if len(papers) > _MAX_PAPERS_SHOWN:
            what = tr(
                "The {split} split has more than {max_papers_shown:,} papers, too many to filter by.",
                split=split,
                max_papers_shown=_MAX_PAPERS_SHOWN,
            )
            raise UserError(what, hint=tr("Look at the pairs of one domain, or of fewer papers."))
        return replace(filter, papers=filter.papers & papers if filter.papers else papers)

    return Job(tr("Looking for the papers of {split}", split=split), work)


def split_options(stores: Stores) -> ExportOptions:
    """The options of a release by the project's split; without a split, of the last export or release with splits.

    The search for near-duplicates is turned off, as it would take minutes and changes the figures little.
    """
    if stores.settings.get(SPLIT) is not None:
        targets = stores.settings.get(TARGETS)
        return ExportOptions(split=SplitOptions(dev=targets.dev, test=targets.test))
    options = stores.settings.get(LAST_SPLIT_EXPORT)
    if options is None:
        released = (release.options for release in list_releases(stores))
        options = next((one for one in released if one is not None and one.in_splits), ExportOptions())
    return replace(options, drop_near_duplicates=False)


SentenceReader = Callable[[Sequence[int]], Sequence[tuple[int, str, str]]]
"""Gives (id, premise, hypothesis) of pairs, by their ids."""


def _read_sentences(project: Project, ids: Sequence[int]) -> Sequence[tuple[int, str, str]]:
    with project.read_transaction() as stores:
        return list(stores.data_set_statistics.sentences(ids))


def judge_sentences(
    read: SentenceReader, statistics: DataSetStatistics, size: int, progress: Progress, workers: int | None
) -> CompleteSentences:
    """How many sentences are complete, among at most `size` drawn pairs of each part."""
    drawn = {part: pairs[:size] for part, pairs in statistics.drawn.items()}
    total = sum(map(len, drawn.values()))
    judged: dict[tuple[str, str], list[JudgedPair]] = {part: [] for part in drawn}
    name, is_parser = "", False
    progress.tick(0, total, tr("Parsing sentences"))
    batches = ((batch, len(batch.pairs)) for batch in _drawn_batches(read, drawn))
    for batch, answer in _in_workers(_open_judge, batches, total, workers, progress):
        name, is_parser, verdicts = answer
        for pair, premise, hypothesis in zip(batch.pairs, verdicts[::2], verdicts[1::2], strict=True):
            judged[batch.part].append(JudgedPair(pair.order, premise, hypothesis))
    return CompleteSentences({part: tuple(sorted(pairs)) for part, pairs in judged.items()}, size, name, is_parser)


class _DrawnBatch(NamedTuple):
    """Drawn pairs of a part. texts: premise and hypothesis of each in turn."""

    part: tuple[str, str]
    pairs: Sequence[DrawnPair]
    texts: Sequence[str]


def _drawn_batches(read: SentenceReader, drawn: Mapping[tuple[str, str], Sequence[DrawnPair]]) -> Iterator[_DrawnBatch]:
    for part, pairs in drawn.items():
        by_id = {pair.id: pair for pair in pairs}
        ids = sorted(by_id)
        for start in range(0, len(ids), _BATCH_PAIRS):
            rows = read(ids[start : start + _BATCH_PAIRS])
            texts = [text for _, premise, hypothesis in rows for text in (premise, hypothesis)]
            yield _DrawnBatch(part, [by_id[id] for id, _, _ in rows], texts)


def _open_judge() -> Callable[[_DrawnBatch], tuple[str, bool, list[bool]]]:
    """A function for a worker process: the judge's name, whether it parses, and its verdict on each sentence."""
    judge: SentenceJudge = load_sentence_judge()
    return lambda batch: (judge.name, judge.is_parser, judge.judge(batch.texts))


def _compare_vocabularies(
    project: Project,
    counted: CountedDataSet,
    tokenizer: Path,
    progress: Progress,
    workers: int | None,
    *,
    all_splits: bool,
    seed: int,
) -> VocabularySimilarity:
    """The similarity of vocabularies in the training pairs; in all pairs if there are none, or with `all_splits`."""
    statistics = counted.statistics
    split = SPLITS[0] if SPLITS[0] in statistics.splits and not all_splits else None
    sizes = {domain: statistics.count(domain, split) for domain in statistics.domains}
    limits = vocabulary_limits(sizes)
    with project.read_transaction() as stores, stores.cancellable(progress):
        texts = stores.data_set_statistics.texts(counted.options, counted.filter, split=split, limits=limits, seed=seed)
        found = count_tokens(texts, limits, tokenizer, progress, workers)
    return vocabulary_similarity(found, tokenizer, split or "")


class DomainVocabulary(NamedTuple):
    """How often each token, given by its id, occurs in a number of pairs of a domain."""

    pairs: int
    counts: Mapping[int, int]


def vocabulary_limits(sizes: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """For each domain with pairs, about how many to draw for its vocabulary, and how many it has."""
    return {domain: (VOCABULARY_PAIRS, size) for domain, size in sizes.items() if size}


def count_tokens(
    texts: Iterable[tuple[str, str, str]],
    limits: Mapping[str, tuple[int, int]],
    tokenizer: Path,
    progress: Progress,
    workers: int | None,
) -> dict[str, DomainVocabulary]:
    """The vocabulary of each domain of which there are texts: (domain, premise, hypothesis)."""
    vocabularies: dict[str, Counter[int]] = {domain: Counter() for domain in limits}
    pairs: Counter[str] = Counter()
    total = sum(min(limit) for limit in limits.values())
    progress.tick(0, total, tr("Counting tokens"))
    batches = ((batch, batch.pairs) for batch in _text_batches(texts))
    for batch, counts in _in_workers(partial(_open_counter, tokenizer), batches, total, workers, progress):
        vocabularies[batch.domain].update(counts)
        pairs[batch.domain] += batch.pairs
    return {name: DomainVocabulary(pairs[name], vocabularies[name]) for name in vocabularies if pairs[name]}


def vocabulary_similarity(
    found: Mapping[str, DomainVocabulary], tokenizer: Path, split: str = ""
) -> VocabularySimilarity:
    """The similarity of the domains' vocabularies, which were counted with this tokenizer."""
    vocabularies = [one.counts for one in found.values()]
    return VocabularySimilarity(
        tuple(found),
        tuple(one.pairs for one in found.values()),
        tuple(sum(counts.values()) for counts in vocabularies),
        tuple(map(tuple, cosine_similarities(vocabularies))),
        "starter" if tokenizer == STARTER_TOKENIZER else str(tokenizer),
        split,
    )


class _TextBatch(NamedTuple):
    """The sentences of a number of pairs of one domain."""

    domain: str
    pairs: int
    texts: Sequence[str]


def _text_batches(texts: Iterable[tuple[str, str, str]]) -> Iterator[_TextBatch]:
    """Batches of one domain each; the texts may come in any order."""
    waiting: dict[str, list[str]] = {}
    for domain, premise, hypothesis in texts:
        batch = waiting.setdefault(domain, [])
        batch += (premise, hypothesis)
        if len(batch) == 2 * _BATCH_PAIRS:
            yield _TextBatch(domain, _BATCH_PAIRS, waiting.pop(domain))
    for domain, batch in waiting.items():
        yield _TextBatch(domain, len(batch) // 2, batch)


def _open_counter(tokenizer: Path) -> Callable[[_TextBatch], dict[int, int]]:
    """For a worker process."""
    count = load_token_counter(tokenizer)
    return lambda batch: count(batch.texts)


def _in_workers(
    setup: Callable[[], Callable[[T], R]],
    batches: Iterable[tuple[T, int]],
    total: int,
    workers: int | None,
    progress: Progress,
) -> Generator[tuple[T, R]]:
    """Each batch, which comes with its number of pairs, with its result, in order; total: of all their pairs.

    Few pairs get only one process, since starting another takes longer than processing them.
    """
    sizes: deque[int] = deque()  # of the batches in work

    def items() -> Iterator[T]:
        for batch, size in batches:
            sizes.append(size)
            yield batch

    done = 0

    def report() -> None:
        progress.tick(min(done, total), total)

    needed = max(1, min(worker_count(workers), total // (5 * _BATCH_PAIRS)))
    try:
        with closing(run(setup, items(), workers=needed, limits=_LIMITS, on_poll=report)) as results:
            for batch, result in results:
                if isinstance(result, Failure):
                    hint = tr("Close other programs and try again.")
                    raise result.refusal or UserError(
                        tr("Sentences could not be measured ({kind}).", kind=result.kind), hint=hint
                    )
                yield batch, result
                done += sizes.popleft()
                report()
    except ProcessStartError as exc:
        raise exc.failure.refusal or exc from exc
