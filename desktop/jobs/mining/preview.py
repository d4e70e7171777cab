"""What other mining settings would change: a sample of the project's papers mined with both, and nothing stored."""

from __future__ import annotations

import heapq
import logging
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.mining.run import load_analyzer
from miner.mining.linking_phrases import Phrase, phrase_key, phrase_matcher
from miner.mining.paper_mining import mine_paper
from miner.mining.settings import MiningSettings
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import Pool
from miner.progress import Job, Progress
from miner.records import DropReason, Funnel, MinedPaper, Pair, Paper, Strategy
from storage.project import Project

log = logging.getLogger(__name__)

PAPERS = 40  # of a sample: enough for shares within a few percent, few enough to be mined in a second
_EXAMPLES = 40  # of each kind
_LIMITS = ProcessLimits(seconds=60, megabytes=2_000)


class Difference(StrEnum):
    GAINED = "gained"
    LOST = "lost"
    CHANGED = "changed"


class PreviewExample(NamedTuple):
    """A pair that other settings would add, take away or write otherwise than `before`."""

    difference: Difference
    pair: Pair
    before: Pair | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """What became of a sample's candidates, `before` and `after` a change of settings.

    `done` of the `sample` papers drawn from the project's `papers` are in it. `counts` say how many pairs were gained,
    lost or changed, `examples` are the first of each, `answered`: how many of those lost people have judged; `starts`:
    of the `sentences`, how many begin with a phrase, by `phrase_key`. `failed` papers gave nothing.
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
    starts: dict[str, int]
    failed: int


class _Ask(NamedTuple):
    md5: str
    before: MiningSettings
    after: MiningSettings


class _SampledPaper(NamedTuple):
    """A paper as both settings mine it; `sentences` and `starts` as in `Effect`."""

    before: MinedPaper
    after: MinedPaper
    sentences: int
    starts: Counter[str]


class Sampler:
    """Mines samples in a process of its own, which stays until `close`: only the first sample waits for it to start."""

    def __init__(self, project: Project, *, model: str | None = None) -> None:
        self._project = project
        self._pool: Pool[_Ask, _SampledPaper | None] = Pool(partial(_open_sampler, project.path, model), limits=_LIMITS)
        self._turn = threading.Lock()
        weakref.finalize(self, self._pool.close)

    def effect(
        self,
        before: MiningSettings,
        after: MiningSettings,
        *,
        papers: int = PAPERS,
        seed: int = 0,
        listen: Callable[[Effect], None] | None = None,
    ) -> Job[Effect]:
        """What mining with `after` instead of `before` does to `papers` of the project, drawn by `seed`.

        `listen` hears of the papers mined so far, a few times; from the job's thread.
        """

        def work(progress: Progress) -> Effect:
            with self._project.reading() as stores:
                known = stores.papers.md5s()
            drawn = draw_sample(known, papers, seed)
            asks = [_Ask(md5, before, after) for md5 in drawn]
            tally = _Tally(len(known), len(drawn))
            with (
                self._turn,
                closing(self._pool.run(asks, on_poll=lambda: progress.tick(tally.done, len(drawn)))) as seen,
            ):
                for ask, answer in seen:
                    tally.add(ask.md5, answer)
                    progress.tick(tally.done, len(drawn))
                    if listen is not None and tally.done in (5, 15) and tally.done < len(drawn):
                        listen(tally.effect(0))
            with self._project.reading() as stores:
                return tally.effect(stores.pairs.count_annotated(tally.lost))

        return Job("Trying the mining settings on a sample", work)

    def close(self) -> Job[None]:
        """End the process; the next sample starts another."""

        def work(_: Progress) -> None:
            with self._turn:
                self._pool.close()

        return Job("Ending the sample", work)


def draw_sample(md5s: Iterable[str], size: int, seed: int) -> list[str]:
    """`size` of the papers, the same ones as long as they are there."""

    def luck(md5: str) -> bytes:
        return blake2b(f"{seed}\0{md5}".encode(), digest_size=8).digest()

    return heapq.nsmallest(size, md5s, key=luck)


@dataclass
class _Tally:
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
    _starts: Counter[str] = field(default_factory=Counter)

    def add(self, md5: str, seen: _SampledPaper | Failure | None) -> None:
        self.done += 1
        if isinstance(seen, Failure):
            log.warning("sampling paper %s failed (%s)\n%s", md5, seen.kind, seen.detail)
            self.failed += 1
        elif seen is not None:
            self.sentences += seen.sentences
            self._starts += seen.starts
            self._before.append(seen.before.funnel)
            self._after.append(seen.after.funnel)
            self._compare(seen.before.pairs, seen.after.pairs)

    def effect(self, answered: int) -> Effect:
        return Effect(
            papers=self.papers,
            sample=self.sample,
            done=self.done,
            sentences=self.sentences,
            before=_sum(self._before),
            after=_sum(self._after),
            counts={kind: self._counts[kind] for kind in Difference},
            examples=tuple(example for kind in Difference for example in self._examples[kind]),
            answered=answered,
            starts=dict(self._starts),
            failed=self.failed,
        )

    def _compare(self, before: Sequence[Pair], after: Sequence[Pair]) -> None:
        old, new = ({pair.key: pair for pair in pairs} for pairs in (before, after))
        for key, pair in new.items():
            if key not in old:
                self._note(PreviewExample(Difference.GAINED, pair))
            elif pair != old[key]:
                self._note(PreviewExample(Difference.CHANGED, pair, old[key]))
        for key, pair in old.items():
            if key not in new:
                self._note(PreviewExample(Difference.LOST, pair))
                self.lost.append(key)

    def _note(self, example: PreviewExample) -> None:
        self._counts[example.difference] += 1
        if len(self._examples[example.difference]) < _EXAMPLES:
            self._examples[example.difference].append(example)


def _sum(funnels: Sequence[Funnel]) -> Funnel:
    candidates, kept, dropped = Counter[Strategy](), Counter[Strategy](), Counter[DropReason]()
    for funnel in funnels:
        candidates.update(funnel.candidates)
        kept.update(funnel.kept)
        dropped.update(funnel.dropped)
    return Funnel(dict(candidates), dict(kept), dict(dropped))


def _open_sampler(path: Path, model: str | None) -> Callable[[_Ask], _SampledPaper | None]:
    """In the process of its own: remembers the papers of the sample, and what the settings before made of each."""
    analyzer = load_analyzer(model)
    papers: dict[str, Paper] = {}
    known: dict[str, tuple[MiningSettings, MinedPaper]] = {}

    def look(ask: _Ask) -> _SampledPaper | None:
        if ask.md5 not in papers:
            if len(papers) > PAPERS * 2:
                papers.clear()
                known.clear()
            # Looking through the file for every paper would take longer than mining.
            with Project.open(path, read_only=True, is_checked=True) as project, project.reading() as stores:
                try:
                    papers[ask.md5] = stores.papers.get(ask.md5)
                except KeyError:  # removed meanwhile
                    return None
        paper = papers[ask.md5]
        if ask.md5 not in known or known[ask.md5][0] != ask.before:
            known[ask.md5] = (ask.before, mine_paper(paper, ask.before, analyzer))
        before = known[ask.md5][1]
        mined = before if ask.before == ask.after else mine_paper(paper, ask.after, analyzer)
        return _SampledPaper(before, mined, *_count_starts(paper, ask.after.phrases))

    return look


def _count_starts(paper: Paper, phrases: tuple[Phrase, ...]) -> tuple[int, Counter[str]]:
    """How many sentences the paper has, and how many begin with each phrase, linking or not."""
    matcher = phrase_matcher(phrases)
    sentences, starts = 0, Counter[str]()
    for section in paper.sections:
        for paragraph in section.paragraphs:
            sentences += len(paragraph.sentences)
            for sentence in paragraph.sentences:
                if matcher.starts(paragraph.text, sentence.start):
                    link = matcher.find(paragraph.text, sentence.start)
                    assert link is not None
                    starts[phrase_key(link.phrase.text)] += 1
    return sentences, starts
