"""What the project holds, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from desktop.jobs.mining.run import mining_settings
from miner.mining.settings import MiningSettings
from miner.progress import Job, Progress
from miner.records import Funnel
from storage.mining.runs import MiningRun
from storage.pairs.filters import PairFilter, PairStatus
from storage.papers.files import FailedFile
from storage.project import Project, Stores

_NAMED = 20  # annotators; there may be one for every row of an imported data set


class Answers(NamedTuple):
    """Pairs that people judged: with a majority, without one, marked bad. `accepted`: by accepting suggestions alone.

    `gone`: judged, but no longer mined, so that nothing counts them. `annotators`: how many of the others
    each of the first twenty has answered.
    """

    settled: int
    unsettled: int
    bad: int
    accepted: int
    gone: int
    annotators: dict[str, int]


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts of papers and pairs; `counts` are pairs by (domain, strategy, distant label), "" for none.

    `hidden` are words that were left out, because they cannot be seen on the pages, and the papers they are in.
    `data_sets` are imported ones, which stand beside the papers; their pairs are among `pairs`.
    `run` is the mining run the pairs are of (None before the first), `unmined` how many papers it has not come to.
    """

    papers: int
    data_sets: int
    sentences: int
    hidden: tuple[int, int]
    domains: dict[str, int]
    failures: list[FailedFile]
    pairs: int
    counts: dict[tuple[str, str, str], int]
    phrases: list[tuple[str, str, int]]
    run: MiningRun | None
    unmined: int
    funnel: Funnel
    settings: MiningSettings
    answers: Answers


def overview(project: Project) -> Job[Overview]:
    def work(progress: Progress) -> Overview:
        with project.reading() as stores:
            run = stores.mining_runs.current()
            return Overview(
                papers=stores.papers.count(),
                data_sets=stores.paper_table.totals().data_sets,
                sentences=stores.papers.count_sentences(),
                hidden=stores.papers.count_hidden_words(),
                domains=stores.papers.domain_counts(),
                failures=stores.files.failures(),
                pairs=stores.pairs.count(),
                counts=stores.pairs.counts(),
                phrases=stores.pairs.phrase_counts(),
                run=run,
                unmined=stores.mining_runs.count_pending(run.number) if run else 0,
                funnel=stores.mining_runs.funnel(run.number) if run else Funnel(),
                settings=mining_settings(project),
                answers=_answers(stores),
            )

    return Job(f"Looking at {project.path.name}", work)


def _answers(stores: Stores) -> Answers:
    names = [
        str(count.value) for count in stores.pair_table.facet_counts(PairFilter(), "annotators")
    ]  # also of what was undone
    by_name = {name: stores.pair_table.count(PairFilter(annotators=frozenset({name}))) for name in names[:_NAMED]}
    by_status = {count.value: count.pairs for count in stores.pair_table.facet_counts(PairFilter(), "statuses")}
    return Answers(
        by_status.get(PairStatus.SETTLED, 0),
        by_status.get(PairStatus.UNSETTLED, 0),
        by_status.get(PairStatus.BAD, 0),
        stores.pair_table.count(PairFilter(accepted=True)),
        stores.pair_table.count(PairFilter(statuses=frozenset({PairStatus.GONE}))),
        {name: number for name, number in by_name.items() if number},
    )
