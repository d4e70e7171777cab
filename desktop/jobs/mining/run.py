"""Mining the project: every paper in order of identity, by one process or several, with the same result."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from miner import codec
from miner.errors import UserError
from miner.mining.paper_mining import RULES, max_neutrals, mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run, worker_count
from miner.progress import Job, Progress
from miner.records import Funnel, Label, MinedPaper
from storage.mining.runs import PendingPaper
from storage.project import Project
from storage.settings import MINING

log = logging.getLogger(__name__)

NO_MODEL = "none"  # as the name of a model: rules alone, whatever is installed
_TOGETHER = 64  # papers that are stored in one transaction
_KEPT_WITHIN = 1.0  # seconds; and no later than this
_LIMITS = ProcessLimits(seconds=600, megabytes=4_000)


@dataclass(frozen=True, slots=True)
class MinedProject:
    """A finished run: how many papers it mined this time, of how many, and what became of all candidates.

    `failed` are MD5s of papers that gave no pairs because mining them took too much or met a bug.
    """

    run: str
    mined: int
    papers: int
    funnel: Funnel
    language_model: str
    failed: tuple[str, ...] = ()


def mining_settings(project: Project) -> MiningSettings:
    """The project's settings; the defaults where nobody chose any."""
    with project.reading() as stores:
        chosen = stores.settings.get(MINING)
    return chosen or MiningSettings()


def mine(
    project: Project, settings: MiningSettings | None = None, *, workers: int | None = None, model: str | None = None
) -> Job[MinedProject]:
    """Make the project's pairs what `settings` (None: the project's own) make of its papers.

    The settings become the project's. Papers that this very run has mined already are not mined again. `model`: see
    `SentenceAnalyzer.load`, or `NO_MODEL`; `workers` None: one for each processor.
    """

    def work(progress: Progress) -> MinedProject:
        chosen = mining_settings(project) if settings is None else settings
        name = SentenceAnalyzer.name_of_rules() if model == NO_MODEL else SentenceAnalyzer.name_of(model)
        program = f"pairwright {version('pairwright')}, rules {RULES}"
        mined, failed = 0, set[str]()
        while True:
            with project.transaction() as stores:
                total = stores.papers.count()
                if not total:
                    raise UserError("The project has no papers yet.", hint="Add some first: pairwright add FOLDER")
                stores.settings.put(MINING, chosen)
                text = codec.encode(chosen)
                splitters = stores.papers.splitters()
                identity = "\n".join((text, program, name, *splitters))
                run_id = blake2b(identity.encode(), digest_size=8).hexdigest()
                number = stores.mining_runs.start(run_id, text, program=program, language_model=name)
            mined += _mine_papers(project, number, chosen, model, worker_count(workers), progress, failed)
            with project.transaction() as stores:  # unless papers came or went meanwhile
                if stores.papers.splitters() == splitters and stores.mining_runs.finish(number):
                    funnel = stores.mining_runs.funnel(number)
                    return MinedProject(run_id, min(mined, total), total, funnel, name, tuple(sorted(failed)))

    return Job(
        f"Mining {project.path.name}",
        work,
        "Papers that are mined keep their pairs. Mine once more, and it goes on with the others.",
    )


def _mine_papers(
    project: Project,
    number: int,
    settings: MiningSettings,
    model: str | None,
    workers: int,
    progress: Progress,
    failed: set[str],
) -> int:
    """Mine until no paper is left or the papers have changed under us; how many were mined.

    A paper that ends its process or takes too much gives no pairs, and its MD5 goes into `failed`.
    """
    with project.reading() as stores:
        papers = stores.papers.count()
        done = papers - stores.mining_runs.count_pending(number)
    papers_to_mine = _pending_papers(project, number)
    if workers == 1:
        mine_one = _miner(project, settings, model)
        results: Generator[tuple[PendingPaper, MinedPaper | Failure | None]] = (
            (pending, mine_one(pending)) for pending in papers_to_mine
        )
    else:
        setup = partial(_open_miner, project.path, settings, model)
        results = run(
            setup, papers_to_mine, workers=workers, limits=_LIMITS, on_poll=lambda: progress.tick(done, papers)
        )
    start, ready, stored = done, [], time.monotonic()
    progress.tick(done, papers)
    with closing(results):
        for pending, mined in results:
            if isinstance(mined, Failure):
                if mined.refusal is not None:  # of the project or the language model, not of this paper
                    raise mined.refusal
                log.error("mining paper %s failed (%s)\n%s", pending.md5, mined.kind, mined.detail)
                failed.add(pending.md5)
                mined = MinedPaper((), Funnel())
            if mined is None:
                break
            ready.append((pending, mined))
            if len(ready) == _TOGETHER or time.monotonic() > stored + _KEPT_WITHIN:
                if not _store(project, ready, settings):
                    return done - start
                done, ready, stored = done + len(ready), [], time.monotonic()
            progress.tick(done, papers)
    done += len(ready) if _store(project, ready, settings) else 0
    progress.tick(done, papers)
    return done - start


def _pending_papers(project: Project, number: int) -> Iterator[PendingPaper]:
    after: str | None = None
    while True:
        with project.reading() as stores:
            papers_to_mine = stores.mining_runs.next_papers(number, after=after)
        if not papers_to_mine:
            return
        yield from papers_to_mine
        after = papers_to_mine[-1].md5


def _open_miner(path: Path, settings: MiningSettings, model: str | None) -> Callable[[PendingPaper], MinedPaper | None]:
    """`_miner` in a process of its own, which ends with the process."""
    return _miner(Project.open(path, read_only=True), settings, model)


def _miner(
    project: Project, settings: MiningSettings, model: str | None
) -> Callable[[PendingPaper], MinedPaper | None]:
    """A function that reads a pending paper and mines it; None when the paper is gone."""
    analyzer = load_analyzer(model)

    def mine_one(pending: PendingPaper) -> MinedPaper | None:
        try:
            with project.reading() as stores:
                paper = stores.papers.get(pending.md5)
        except KeyError:
            return None
        return mine_paper(paper, settings, analyzer)

    return mine_one


def load_analyzer(model: str | None) -> SentenceAnalyzer:
    """What reads sentences: see `SentenceAnalyzer.load`; with `NO_MODEL`, rules alone."""
    return SentenceAnalyzer.rules() if model == NO_MODEL else SentenceAnalyzer.load(model)


def _store(project: Project, ready: list[tuple[PendingPaper, MinedPaper]], settings: MiningSettings) -> bool:
    """Keep what papers gave, in one transaction; False, and nothing kept of the rest, when the papers have changed."""

    def quota(linked: Mapping[Label, int]) -> int:
        return max_neutrals(sum(linked.values()), settings)

    with project.transaction(bulk=True) as stores:
        stays = "duplicate" not in settings.filters
        return all(
            stores.pairs.replace_for(pending, mined, quota, duplicates=stays) is not None for pending, mined in ready
        )
