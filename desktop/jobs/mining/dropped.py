"""Finds examples of dropped candidates, by mining papers again: the project stores only their numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.mining.preview import draw_sample
from desktop.jobs.mining.run import load_analyzer, mining_settings
from desktop.translation import tr
from miner.mining.pair_builder import DroppedCandidate
from miner.mining.paper_mining import mine_paper
from miner.mining.settings import MiningSettings
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run
from miner.progress import Job, Progress
from miner.records import Strategy
from storage.project import Project

_MAX_EXAMPLES = 20
_MAX_PAPERS = 100  # mined for them
_MAX_EXAMPLES_PER_PAPER = 4  # so that they come from several papers
_LIMITS = ProcessLimits(seconds=120, megabytes=4_000)


class DroppedQuery(NamedTuple):
    """Which dropped candidates to find: by strategies, by `reason` ("": any) and by the papers' `domain` (None: any).

    note: a sentence about the candidates for people; it does not change which are found.
    """

    strategies: tuple[Strategy, ...]
    reason: str = ""
    domain: str | None = None
    note: str = ""


class DroppedExample(NamedTuple):
    """A dropped candidate, with its paper's title."""

    title: str
    reason: str
    premise: str
    hypothesis: str


class DroppedExamples(NamedTuple):
    """Examples, and how many of the project's papers were searched for them."""

    examples: tuple[DroppedExample, ...]
    searched: int
    papers: int


def find_dropped(project: Project, query: DroppedQuery, *, model: str | None = None) -> Job[DroppedExamples]:
    """Some of the candidates that mining with the project's settings drops, from a random sample of its papers.

    A worker process mines the papers until there are enough examples. model: see `SentenceAnalyzer.load`.
    """

    def work(progress: Progress) -> DroppedExamples:
        settings = mining_settings(project)
        with project.read_transaction() as stores:
            papers = stores.papers.md5s()
        sample = draw_sample(papers, _MAX_PAPERS, seed=0)
        setup = partial(_open_finder, project.path, settings, model, query)
        examples: list[DroppedExample] = []
        searched = 0
        look: Callable[[], None] = lambda: progress.tick(searched, len(sample))  # noqa: E731
        with closing(run(setup, sample, workers=1, limits=_LIMITS, on_poll=look)) as answers:
            for _, answer in answers:
                if isinstance(answer, Failure):
                    if answer.refusal is not None:
                        raise answer.refusal
                    answer = []
                examples += answer
                searched += 1
                progress.tick(searched, len(sample))
                if len(examples) >= _MAX_EXAMPLES:
                    break
        return DroppedExamples(tuple(examples[:_MAX_EXAMPLES]), searched, len(papers))

    return Job(tr("Looking for examples"), work)


def _open_finder(
    path: Path, settings: MiningSettings, model: str | None, query: DroppedQuery
) -> Callable[[str], list[DroppedExample]]:
    """A function for the worker process that mines a paper and returns examples of its dropped candidates."""
    analyzer = load_analyzer(model)
    project = Project.open(path, read_only=True)  # until the process ends

    def find(md5: str) -> list[DroppedExample]:
        with project.read_transaction() as stores:
            try:
                paper = stores.papers.get(md5)
            except KeyError:  # it was removed in between
                return []
        if query.domain is not None and (paper.domain or "") != query.domain:
            return []
        dropped: list[DroppedCandidate] = []
        mine_paper(paper, settings, analyzer, dropped.append)
        return [
            DroppedExample(paper.title or tr("Untitled paper"), one.drop.reason, one.premise, one.hypothesis)
            for one in _matching(dropped, query)
        ]

    return find


def _matching(dropped: Sequence[DroppedCandidate], query: DroppedQuery) -> list[DroppedCandidate]:
    matching = [
        one for one in dropped if one.drop.strategy in query.strategies and query.reason in ("", one.drop.reason)
    ]
    return matching[:_MAX_EXAMPLES_PER_PAPER]
