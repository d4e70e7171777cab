"""Examples of candidates that were dropped: mined once more, for only their number is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.mining.preview import draw_sample
from desktop.jobs.mining.run import load_analyzer, mining_settings
from miner.mining.pair_builder import DroppedCandidate
from miner.mining.paper_mining import mine_paper
from miner.mining.settings import MiningSettings
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run
from miner.progress import Job, Progress
from miner.records import Strategy
from storage.project import Project

_WANTED = 20  # examples
_PAPERS = 100  # that are looked through for them at most
_OF_A_PAPER = 4  # examples, so that they are of several papers
_LIMITS = ProcessLimits(seconds=120, megabytes=4_000)


class DroppedQuery(NamedTuple):
    """Which candidates: of these strategies, dropped for `reason` ("" for any), of papers of `domain` (None: all)."""

    strategies: tuple[Strategy, ...]
    reason: str = ""
    domain: str | None = None


class DroppedExample(NamedTuple):
    title: str
    reason: str
    premise: str
    hypothesis: str


class Examples(NamedTuple):
    """`papers` were looked through, of `of`."""

    found: tuple[DroppedExample, ...]
    papers: int
    of: int


def examples(project: Project, wanted: DroppedQuery, *, model: str | None = None) -> Job[Examples]:
    """Some of the candidates that mining with the project's settings drops, from papers drawn at random.

    Mined in a process of its own, until there are enough. `model`: see `SentenceAnalyzer.load`.
    """

    def work(progress: Progress) -> Examples:
        settings = mining_settings(project)
        with project.reading() as stores:
            known = stores.papers.md5s()
        drawn = draw_sample(known, _PAPERS, seed=0)
        setup = partial(_open, project.path, settings, model, wanted)
        found: list[DroppedExample] = []
        done = 0
        look: Callable[[], None] = lambda: progress.tick(done, len(drawn))  # noqa: E731
        with closing(run(setup, drawn, workers=1, limits=_LIMITS, on_poll=look)) as answers:
            for _, answer in answers:
                if isinstance(answer, Failure):
                    if answer.refusal is not None:
                        raise answer.refusal
                    answer = []
                found += answer
                done += 1
                progress.tick(done, len(drawn))
                if len(found) >= _WANTED:
                    break
        return Examples(tuple(found[:_WANTED]), done, len(known))

    return Job("Looking for examples", work)


def _open(
    path: Path, settings: MiningSettings, model: str | None, wanted: DroppedQuery
) -> Callable[[str], list[DroppedExample]]:
    """In the process of its own: what mining one paper drops."""
    analyzer = load_analyzer(model)
    project = Project.open(path, read_only=True)  # until the process ends

    def look(md5: str) -> list[DroppedExample]:
        with project.reading() as stores:
            try:
                paper = stores.papers.get(md5)
            except KeyError:  # removed meanwhile
                return []
        if wanted.domain is not None and (paper.domain or "") != wanted.domain:
            return []
        dropped: list[DroppedCandidate] = []
        mine_paper(paper, settings, analyzer, dropped.append)
        return [
            DroppedExample(paper.title or "Untitled paper", one.drop.reason, one.premise, one.hypothesis)
            for one in _meant(dropped, wanted)
        ]

    return look


def _meant(dropped: Sequence[DroppedCandidate], wanted: DroppedQuery) -> list[DroppedCandidate]:
    of_it = [
        one for one in dropped if one.drop.strategy in wanted.strategies and wanted.reason in ("", one.drop.reason)
    ]
    return of_it[:_OF_A_PAPER]
