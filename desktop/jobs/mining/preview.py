"""Previews other mining settings: mines a sample of the project's papers with the old and the new; stores nothing."""

from __future__ import annotations

import heapq
import logging
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from desktop.jobs.mining.run import load_analyzer
from desktop.translation import tr
from miner.mining.linking_phrases import Phrase, phrase_key, phrase_matcher
from miner.mining.neutral_quota import with_annotated
from miner.mining.paper_mining import mine_paper
from miner.mining.settings import MiningSettings
from miner.mining.spare_phrases import count_spare_pairs
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import Pool
from miner.progress import Job, Progress
from miner.records import (
    NEUTRAL_STRATEGIES,
    AnnotatedNeutral,
    DropReason,
    Funnel,
    Label,
    MinedPaper,
    Pair,
    Paper,
    Strategy,
)
from storage.project import Project

log = logging.getLogger(__name__)

SAMPLE_SIZE = 40  # papers: shares are right within a few percent, and mining takes about a second
_MAX_EXAMPLES = 40  # of each `Difference`
_PARTIAL_AT = (5, 15)  # papers after which a partial effect is reported
_LIMITS = ProcessLimits(seconds=60, megabytes=2_000)


class Difference(StrEnum):
    """What other settings would do to a pair."""

    GAINED = "gained"
    LOST = "lost"
    CHANGED = "changed"


class NeutralMoves(NamedTuple):
    """How many neutral pairs of a sample other settings keep, add and remove.

    annotated: how many annotated pairs the present settings have; annotated_go: how many of them are removed, by
    reason, a key of `miner.mining.annotated_neutrals.REFUSALS`.
    """

    stay: int = 0
    come: int = 0
    go: int = 0
    annotated: int = 0
    annotated_go: Mapping[str, int] = MappingProxyType({})


class PreviewExample(NamedTuple):
    """A pair that other settings would add, remove or change; `before`: the pair as it was, if they change it."""

    difference: Difference
    pair: Pair
    before: Pair | None = None


@dataclass(frozen=True, slots=True)
class SettingsEffect:
    """What a change of settings does to the pairs of a sample of papers.

    papers: how many the project has; sample: how many were drawn; done: how many are mined so far; failed: how many of
    these could not be mined. before, after: the candidates with the old and the new settings. counts: pairs by
    difference; examples: the first of each. answered: how many lost pairs have an answer. neutral: the changes of
    neutral pairs. phrase_starts: how many of the `sentences` begin with a phrase, by `phrase_key`. classes_before,
    classes_after: the pairs by distant label. spare_pairs: how many linked pairs each switched-off phrase of the
    extended lexicon would add to `after`, by `phrase_key`.
    """

    papers: int
    sample: int
    done: int
    sentences: int
    before: Funnel
    after: Funnel
    counts: dict[Difference, int]
    examples: tuple[PreviewExample, ...]
    answered: int
    phrase_starts: dict[str, int]
    failed: int
    classes_before: dict[Label, int] = field(default_factory=dict)
    classes_after: dict[Label, int] = field(default_factory=dict)
    spare_pairs: dict[str, int] = field(default_factory=dict)
    neutral: NeutralMoves = field(default_factory=lambda: NeutralMoves())


class _SampleRequest(NamedTuple):
    """A paper to mine, the two settings, and its annotated neutral pairs."""

    md5: str
    before: MiningSettings
    after: MiningSettings
    annotated: tuple[AnnotatedNeutral, ...]


class _SampledPaper(NamedTuple):
    """A paper mined with both settings; the other fields are as in `SettingsEffect`."""

    before: MinedPaper
    after: MinedPaper
    sentences: int
    phrase_starts: Counter[str]
    spare_pairs: Counter[str]


class SettingsPreview:
    """Mines samples in a worker process, which is kept until `close`."""

    def __init__(self, project: Project, *, model: str | None = None) -> None:
        self._project = project
        self._pool: Pool[_SampleRequest, _SampledPaper | None] = Pool(
            partial(_open_miner, project.path, model), limits=_LIMITS
        )
        self._lock = threading.Lock()
        weakref.finalize(self, self._pool.close)

    def effect(
        self,
        before: MiningSettings,
        after: MiningSettings,
        *,
        papers: int = SAMPLE_SIZE,
        seed: int = 0,
        on_partial: Callable[[SettingsEffect], None] | None = None,
    ) -> Job[SettingsEffect]:
        """What mining with `after` instead of `before` changes in a sample. papers: its size. seed: of the draw.

        on_partial: called in the job's thread with the effect on the first 5 and 15 papers.
        """

        def work(progress: Progress) -> SettingsEffect:
            with self._project.read_transaction() as stores:
                md5s = stores.papers.md5s()
                sample = draw_sample(md5s, papers, seed)
                annotated = stores.pairs.annotated_neutrals(sample)
            requests = [_SampleRequest(md5, before, after, annotated.get(md5, ())) for md5 in sample]
            counter = _EffectCounter(len(md5s), len(sample))
            with (
                self._lock,
                closing(self._pool.run(requests, on_poll=lambda: progress.tick(counter.done, len(sample)))) as answers,
            ):
                for request, answer in answers:
                    counter.add(request.md5, answer)
                    progress.tick(counter.done, len(sample))
                    if on_partial is not None and counter.done in _PARTIAL_AT and counter.done < len(sample):
                        on_partial(counter.effect(0))
            with self._project.read_transaction() as stores:
                return counter.effect(stores.pairs.count_annotated(counter.lost))

        return Job(tr("Trying the mining settings on a sample"), work)

    def close(self) -> Job[None]:
        """End the process; the next sample starts a new process."""

        def work(_: Progress) -> None:
            with self._lock:
                self._pool.close()

        return Job(tr("Ending the sample"), work)


def draw_sample(md5s: Iterable[str], size: int, seed: int) -> list[str]:
    """At most `size` of the papers, in pseudo-random order; the same each time, unless papers are added or removed."""

    def rank(md5: str) -> bytes:
        return blake2b(f"{seed}\0{md5}".encode(), digest_size=8).digest()

    return heapq.nsmallest(size, md5s, key=rank)


@dataclass
class _EffectCounter:
    """Sums the results of papers into a `SettingsEffect`."""

    papers: int
    sample: int
    done: int = 0
    sentences: int = 0
    failed: int = 0
    lost: list[str] = field(default_factory=list)
    _before: list[Funnel] = field(default_factory=list)
    _after: list[Funnel] = field(default_factory=list)
    _counts: Counter[Difference] = field(default_factory=Counter)
    _examples: dict[Difference, list[PreviewExample]] = field(default_factory=lambda: {kind: [] for kind in Difference})
    _phrase_starts: Counter[str] = field(default_factory=Counter)
    _classes_before: Counter[Label] = field(default_factory=Counter)
    _classes_after: Counter[Label] = field(default_factory=Counter)
    _spare_pairs: Counter[str] = field(default_factory=Counter)
    _moves: Counter[str] = field(default_factory=Counter)  # the numbers of `NeutralMoves`
    _annotated_go: Counter[str] = field(default_factory=Counter)

    def add(self, md5: str, result: _SampledPaper | Failure | None) -> None:
        self.done += 1
        if isinstance(result, Failure):
            log.warning("sampling paper %s failed (%s)\n%s", md5, result.kind, result.detail)
            self.failed += 1
        elif result is not None:
            self.sentences += result.sentences
            self._phrase_starts += result.phrase_starts
            self._classes_before += _count_classes(result.before.pairs)
            self._classes_after += _count_classes(result.after.pairs)
            self._spare_pairs += result.spare_pairs
            self._before.append(result.before.funnel)
            self._after.append(result.after.funnel)
            self._compare(result.before.pairs, result.after.pairs)
            self._count_moves(result.before, result.after)

    def effect(self, answered: int) -> SettingsEffect:
        return SettingsEffect(
            papers=self.papers,
            sample=self.sample,
            done=self.done,
            sentences=self.sentences,
            before=_sum(self._before),
            after=_sum(self._after),
            counts={kind: self._counts[kind] for kind in Difference},
            examples=tuple(example for kind in Difference for example in self._examples[kind]),
            answered=answered,
            phrase_starts=dict(self._phrase_starts),
            failed=self.failed,
            classes_before=dict(self._classes_before),
            classes_after=dict(self._classes_after),
            spare_pairs=dict(self._spare_pairs),
            neutral=NeutralMoves(**self._moves, annotated_go=dict(self._annotated_go)),
        )

    def _compare(self, before: Sequence[Pair], after: Sequence[Pair]) -> None:
        old, new = ({pair.key: pair for pair in pairs} for pairs in (before, after))
        for key, pair in new.items():
            if key not in old:
                self._add_example(PreviewExample(Difference.GAINED, pair))
            elif pair != old[key]:
                self._add_example(PreviewExample(Difference.CHANGED, pair, old[key]))
        for key, pair in old.items():
            if key not in new:
                self._add_example(PreviewExample(Difference.LOST, pair))
                self.lost.append(key)

    def _count_moves(self, before: MinedPaper, after: MinedPaper) -> None:
        old, new = (
            {pair.key for pair in mined.pairs if pair.strategy in NEUTRAL_STRATEGIES} for mined in (before, after)
        )
        annotated = old & before.annotated
        self._moves.update(stay=len(old & new), come=len(new - old), go=len(old - new), annotated=len(annotated))
        self._annotated_go.update(after.refused[key] for key in annotated - new)

    def _add_example(self, example: PreviewExample) -> None:
        self._counts[example.difference] += 1
        if len(self._examples[example.difference]) < _MAX_EXAMPLES:
            self._examples[example.difference].append(example)


def _count_classes(pairs: Iterable[Pair]) -> Counter[Label]:
    return Counter(pair.distant_label for pair in pairs if pair.distant_label is not None)


def _sum(funnels: Sequence[Funnel]) -> Funnel:
    candidates, kept, dropped = Counter[Strategy](), Counter[Strategy](), Counter[DropReason]()
    for funnel in funnels:
        candidates.update(funnel.candidates)
        kept.update(funnel.kept)
        dropped.update(funnel.dropped)
    return Funnel(dict(candidates), dict(kept), dict(dropped))


def _open_miner(path: Path, model: str | None) -> Callable[[_SampleRequest], _SampledPaper | None]:
    """A function for the worker process that mines a paper; it caches papers and their results with `before`."""
    analyzer = load_analyzer(model)
    papers: dict[str, Paper] = {}
    mined_before: dict[str, tuple[_SampleRequest, MinedPaper]] = {}

    def mine_with(request: _SampleRequest, settings: MiningSettings) -> MinedPaper:
        mined = mine_paper(papers[request.md5], settings, analyzer, annotated=request.annotated)
        return with_annotated(mined, settings)

    def mine(request: _SampleRequest) -> _SampledPaper | None:
        if request.md5 not in papers:
            if len(papers) > SAMPLE_SIZE * 2:
                papers.clear()
                mined_before.clear()
            # `is_checked`: checking the file for every paper would take longer than mining it.
            with Project.open(path, read_only=True, is_checked=True) as project, project.read_transaction() as stores:
                try:
                    papers[request.md5] = stores.papers.get(request.md5)
                except KeyError:  # it was removed in between
                    return None
        paper = papers[request.md5]
        same = request._replace(after=request.before)
        if request.md5 not in mined_before or mined_before[request.md5][0] != same:
            mined_before[request.md5] = (same, mine_with(request, request.before))
        before = mined_before[request.md5][1]
        after = before if request == same else mine_with(request, request.after)
        spare_pairs = count_spare_pairs(paper, request.after, analyzer)
        return _SampledPaper(before, after, *_count_starts(paper, request.after.phrases), spare_pairs)

    return mine


def _count_starts(paper: Paper, phrases: tuple[Phrase, ...]) -> tuple[int, Counter[str]]:
    """How many sentences the paper has, and how many of them begin with each phrase, whether or not it links."""
    matcher = phrase_matcher(phrases)
    sentences, phrase_starts = 0, Counter[str]()
    for section in paper.sections:
        for paragraph in section.paragraphs:
            sentences += len(paragraph.sentences)
            for sentence in paragraph.sentences:
                if matcher.starts(paragraph.text, sentence.start):
                    link = matcher.find(paragraph.text, sentence.start)
                    assert link is not None
                    phrase_starts[phrase_key(link.phrase.text)] += 1
    return sentences, phrase_starts
