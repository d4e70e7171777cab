"""Mining a project: its settings, the state of its pairs, and the job that mines its papers.

The papers are mined in order of their MD5, with the same result for any number of processes.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from desktop.translation import tr
from miner import codec
from miner.errors import UserError
from miner.mining.identity import mining_run_id
from miner.mining.neutral_quota import max_neutrals
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import NO_MODEL as NO_MODEL
from miner.mining.sentence_analysis import load_analyzer as load_analyzer
from miner.mining.sentence_analysis import name_of_analyzer
from miner.mining.settings import MiningSettings, filters_since, read_settings, with_new_filters
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run, worker_count
from miner.progress import Job, Progress
from miner.records import AnnotatedNeutral, Funnel, Label, MinedPaper
from miner.versions import RULES_VERSION, is_older, mining_program
from storage.mining.runs import MiningRunState, PendingPaper
from storage.project import Project
from storage.settings import MINING

log = logging.getLogger(__name__)

_BATCH_SIZE = 64  # papers stored in one transaction, unless they take longer than:
_MAX_BATCH_SECONDS = 1.0
_LIMITS = ProcessLimits(seconds=600, megabytes=4_000)

AnnotatedByPaper = Mapping[str, Sequence[AnnotatedNeutral]]
"""Annotated neutral pairs by the MD5 of their paper."""


@dataclass(frozen=True, slots=True)
class MiningResult:
    """A finished run.

    mined: how many papers this job mined; papers: how many the run has. funnel: how many candidates of all its papers
    were kept and dropped. failed: MD5s of papers that gave no pairs, because mining them took too much time or memory
    or met a bug. new_filters: filters that are on and did not exist in the rules of the previous run. other_languages:
    how many papers gave no pairs because they are in other languages than English, by language.
    """

    run: str
    mined: int
    papers: int
    funnel: Funnel
    language_model: str
    failed: tuple[str, ...] = ()
    new_filters: tuple[str, ...] = ()
    other_languages: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MiningState:
    """Whether a project's pairs are up to date.

    settings: the project's settings. mined: the settings that its pairs were mined with; None before the first run.
    pending: how many papers are not mined yet. funnel: how many candidates of the mined papers were kept and dropped.
    has_older_rules: the pairs were mined by the rules of an earlier version. is_mixed: the run with `settings` is not
    finished, and the pairs of the pending papers are of an earlier run, whose settings are `mined`.
    """

    settings: MiningSettings
    mined: MiningSettings | None
    papers: int
    pending: int
    funnel: Funnel
    has_older_rules: bool = False
    is_mixed: bool = False

    @property
    def settings_before(self) -> MiningSettings:
        """The settings before any change that is not mined: of the pairs where a run is not finished."""
        return self.mined if self.is_mixed and self.mined is not None else self.settings

    def has_mined(self, settings: MiningSettings) -> bool:
        """Whether mining all papers with these settings would change nothing."""
        return self.mined is not None and not self.pending and settings == self.mined and not self.has_older_rules


def mining_settings(project: Project) -> MiningSettings:
    """The project's settings, with the filters introduced since they were stored; the defaults if none are stored."""
    with project.read_transaction() as stores:
        stored = stores.settings.get(MINING)
        run = stores.mining_runs.current()  # it stored them
    return with_new_filters(stored, run.rules_version if run else "") if stored else MiningSettings()


def load_mining_state(project: Project) -> Job[MiningState]:
    """Whether the project's pairs are up to date."""

    def work(progress: Progress) -> MiningState:
        settings = mining_settings(project)
        with project.read_transaction() as stores:
            run = stores.mining_runs.current()
            papers = stores.papers.count()
            pending = stores.mining_runs.count_pending(run.number) if run else papers
            if run and run.state is not MiningRunState.DONE and papers:
                pending = max(pending, 1)
            funnel = stores.mining_runs.funnel(run.number) if run else Funnel()
            earlier = stores.mining_runs.earlier(run) if run else None
        of_pairs = earlier or run
        mined = read_settings(of_pairs.settings) if of_pairs else None
        has_older_rules = of_pairs is not None and is_older(of_pairs.rules_version, RULES_VERSION)
        return MiningState(settings, mined, papers, pending, funnel, has_older_rules, earlier is not None)

    return Job(tr("Reading the mining settings"), work)


def mine(
    project: Project,
    settings: MiningSettings | None = None,
    *,
    workers: int | None = None,
    model: str | None = None,
    annotated: AnnotatedByPaper | None = None,
) -> Job[MiningResult]:
    """Mine the project's papers with `settings` (None: the project's own), and replace its pairs by the result.

    The settings become the project's. An interrupted run continues: its mined papers are not mined again. model: a
    language model, see `SentenceAnalyzer.load`, or `NO_MODEL`. workers: processes; None: one for each processor.
    annotated: the neutral pairs to keep where possible, by the papers' MD5s; None: the pairs that people annotated
    here.
    """

    def work(progress: Progress) -> MiningResult:
        chosen = mining_settings(project) if settings is None else settings
        name = name_of_analyzer(model)
        program = mining_program()
        mined, failed = 0, set[str]()
        with project.read_transaction() as stores:
            before = stores.mining_runs.current()
        since = filters_since(before.rules_version) if before else ()
        new_filters = tuple(name for name in since if name in chosen.filters)
        while True:
            with project.transaction() as stores:
                total = stores.papers.count()
                if not total:
                    raise UserError(
                        tr("The project has no papers yet."), hint=tr("Add some first: pairwright add FOLDER")
                    )
                stores.settings.put(MINING, chosen)
                text = codec.encode(chosen)
                splitters = stores.papers.splitters()
                run_id = mining_run_id(text, program, name, splitters)
                number = stores.mining_runs.start(run_id, text, program=program, language_model=name)
            miner = _Miner(project.path, chosen, model, annotated)
            mined += _mine_papers(project, number, miner, worker_count(workers), progress, failed)
            with project.transaction() as stores:  # continues if papers were added or removed meanwhile
                if stores.papers.splitters() == splitters and stores.mining_runs.finish(number):
                    funnel = stores.mining_runs.funnel(number)
                    counts = (run_id, min(mined, total), total, funnel, name)
                    other_languages = stores.stock.other_languages()
                    return MiningResult(*counts, tuple(sorted(failed)), new_filters, other_languages)

    return Job(
        tr("Mining {name}", name=project.path.name),
        work,
        tr("The pairs mined so far are kept. Mine again to go on with the other papers."),
        tr("Papers are being mined. The pairs found in them come here when that is done."),
        replaces_pairs=True,
    )


def _mine_papers(
    project: Project,
    number: int,
    miner: _Miner,
    workers: int,
    progress: Progress,
    failed: set[str],
) -> int:
    """Mine until no paper is pending, or papers were added or removed; returns how many were mined.

    A paper that ends its process or exceeds its limits gives no pairs, and its MD5 is added to `failed`.
    """
    with project.read_transaction() as stores:
        papers = stores.papers.count()
        done = papers - stores.mining_runs.count_pending(number)
    papers_to_mine = _pending_papers(project, number)
    if workers == 1:
        mine_one = miner.open(project)
        results: Generator[tuple[PendingPaper, MinedPaper | Failure | None]] = (
            (pending, mine_one(pending)) for pending in papers_to_mine
        )
    else:
        results = run(
            miner.open, papers_to_mine, workers=workers, limits=_LIMITS, on_poll=lambda: progress.tick(done, papers)
        )
    start, ready, stored = done, [], time.monotonic()
    progress.tick(done, papers)
    with closing(results):
        for pending, mined in results:
            if isinstance(mined, Failure):
                if mined.refusal is not None:  # it concerns all papers, e.g. a missing language model
                    raise mined.refusal
                log.error("mining paper %s failed (%s)\n%s", pending.md5, mined.kind, mined.detail)
                failed.add(pending.md5)
                mined = MinedPaper((), Funnel())
            if mined is None:
                break
            ready.append((pending, mined))
            if len(ready) == _BATCH_SIZE or time.monotonic() > stored + _MAX_BATCH_SECONDS:
                if not _store(project, ready, miner.settings, failed):
                    return done - start
                done, ready, stored = done + len(ready), [], time.monotonic()
            progress.tick(done, papers)
    done += len(ready) if _store(project, ready, miner.settings, failed) else 0
    progress.tick(done, papers)
    return done - start


def _pending_papers(project: Project, number: int) -> Iterator[PendingPaper]:
    after: str | None = None
    while True:
        with project.read_transaction() as stores:
            papers_to_mine = stores.mining_runs.next_papers(number, after=after)
        if not papers_to_mine:
            return
        yield from papers_to_mine
        after = papers_to_mine[-1].md5


@dataclass(frozen=True, slots=True)
class _Miner:
    """What a process needs to mine papers; the fields are as in `mine`."""

    path: Path
    settings: MiningSettings
    model: str | None
    annotated: AnnotatedByPaper | None

    def open(self, project: Project | None = None) -> Callable[[PendingPaper], MinedPaper | None]:
        """A function that reads a pending paper and mines it; it gives None if the paper was removed.

        project: None in a worker process, where the project is closed when the process ends.
        """
        read = project or Project.open(self.path, read_only=True)
        analyzer = load_analyzer(self.model)

        def mine_one(pending: PendingPaper) -> MinedPaper | None:
            try:
                with read.read_transaction() as stores:
                    paper = stores.papers.get(pending.md5)
                    by_paper = self.annotated
                    if by_paper is None:
                        by_paper = stores.pairs.annotated_neutrals([pending.md5])
            except KeyError:
                return None
            return mine_paper(paper, self.settings, analyzer, annotated=by_paper.get(pending.md5, ()))

        return mine_one


def _store(
    project: Project, ready: list[tuple[PendingPaper, MinedPaper]], settings: MiningSettings, failed: Collection[str]
) -> bool:
    """Store the pairs of papers in one transaction, up to the first outdated paper; False if a paper is outdated.

    A paper is out of date as well if a neutral pair of it was annotated while it was mined.
    """

    def quota(linked: Mapping[Label, int]) -> int:
        return max_neutrals(sum(linked.values()), settings)

    with project.transaction(bulk=True) as stores:
        duplicates = "duplicate" not in settings.filters
        annotated = stores.pairs.annotated_neutrals(pending.md5 for pending, _ in ready)
        for pending, mined in ready:
            now = {pair.key for pair in annotated.get(pending.md5, ())}
            if not now <= mined.annotated and pending.md5 not in failed:
                return False
            if stores.pairs.replace_for(pending, mined, quota, duplicates=duplicates) is None:
                return False
    return True
