"""The job that counts what a project holds: its papers, pairs and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from desktop.jobs.mining.run import mining_settings
from desktop.jobs.papers.outdated import COMMAND_LINE, OutdatedPapers, count_outdated
from desktop.translation import tr
from miner.mining.settings import MiningSettings
from miner.progress import Job, Progress
from miner.records import Funnel
from storage.mining.runs import MiningRun
from storage.pairs.filters import NOT_BAD, PairFilter, PairStatus
from storage.papers.files import FailedFile
from storage.project import Project
from storage.stores import Stores

_MAX_ANNOTATORS = 20  # an imported data set may have one for every row


class AnswerCounts(NamedTuple):
    """How many pairs are judged, by result.

    settled: with a label by people. unsettled: with all votes and no majority. waiting: for votes. discarded: by the
    rule of gold. bad: marked as bad. accepted: pairs whose answers are all accepted suggestions. gone: pairs that are
    no longer mined, and count nowhere else. annotators: how many pairs each of the first twenty annotators has
    answered, with pilots, without accepted suggestions. kinds: pairs with answers about kinds of reasoning.
    """

    settled: int
    unsettled: int
    waiting: int
    discarded: int
    bad: int
    accepted: int
    gone: int
    annotators: dict[str, int]
    kinds: int


@dataclass(frozen=True, slots=True)
class Overview:
    """What a project holds.

    data_sets: how many were imported; they do not count as papers, but their pairs count in `pairs`. hidden: how many
    words were left out because they are invisible on the page, and how many papers have such words. outdated: papers
    that an earlier version parsed. counts: pairs by (domain, strategy, distant label), "" for none. run: the mining run
    of the pairs; None before the first. unmined: how many papers it has still to mine. earlier_run: the one that these
    have their pairs from, if it is another.
    """

    papers: int
    data_sets: int
    sentences: int
    hidden: tuple[int, int]
    outdated: OutdatedPapers
    domains: dict[str, int]
    failures: list[FailedFile]
    pairs: int
    counts: dict[tuple[str, str, str], int]
    phrases: list[tuple[str, str, int]]
    run: MiningRun | None
    unmined: int
    earlier_run: MiningRun | None
    funnel: Funnel
    settings: MiningSettings
    answers: AnswerCounts


def overview(project: Project) -> Job[Overview]:
    """Count what the project holds."""

    def work(progress: Progress) -> Overview:
        with project.read_transaction() as stores:
            run = stores.mining_runs.current()
            return Overview(
                papers=stores.papers.count(),
                data_sets=stores.paper_table.totals().data_sets,
                sentences=stores.papers.count_sentences(),
                hidden=stores.papers.count_hidden_words(),
                outdated=count_outdated(stores, COMMAND_LINE),
                domains=stores.papers.domain_counts(),
                failures=stores.files.failures(),
                pairs=stores.pairs.count(),
                counts=stores.pairs.counts(),
                phrases=stores.pairs.phrase_counts(),
                run=run,
                unmined=stores.mining_runs.count_pending(run.number) if run else 0,
                earlier_run=stores.mining_runs.earlier(run) if run else None,
                funnel=stores.mining_runs.funnel(run.number) if run else Funnel(),
                settings=mining_settings(project),
                answers=_answers(stores),
            )

    return Job(tr("Looking at {name}", name=project.path.name), work)


def _answers(stores: Stores) -> AnswerCounts:
    names = stores.annotators.names()
    answers = sorted(stores.annotators.answer_counts().items(), key=lambda one: (-one[1], one[0]))
    by_status = {count.value: count.pairs for count in stores.pair_table.facet_counts(PairFilter(), "statuses")}
    waiting = stores.gold.count_waiting()
    return AnswerCounts(
        by_status.get(PairStatus.SETTLED, 0),
        by_status.get(PairStatus.UNSETTLED, 0) - waiting,
        waiting,
        by_status.get(PairStatus.DISCARDED, 0),
        by_status.get(PairStatus.BAD, 0),
        stores.pair_table.count(PairFilter(accepted=True)),
        stores.pair_table.count_gone(),
        {names.get(key, key): number for key, number in answers[:_MAX_ANNOTATORS]},
        stores.pair_table.count(PairFilter(kinds_answered=True, statuses=NOT_BAD)),
    )
