"""Where a project stands with its mining: the settings, the run, and what came of each phrase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from desktop.jobs.mining.run import mining_settings
from miner.mining.linking_phrases import phrase_key
from miner.mining.settings import MiningSettings, read_settings
from miner.progress import Job, Progress
from miner.records import Funnel
from storage.mining.runs import MiningRunState
from storage.project import Project


class PhraseFigures(NamedTuple):
    """A phrase made `pairs`; people settled `answered` of them, and `agreed` have the relation it announces."""

    pairs: int = 0
    answered: int = 0
    agreed: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """`settings` are the project's, `mined` those its pairs are of (None: not mined yet). `pending`: papers that are
    not mined yet. `funnel`: what became of the candidates of all others.
    """

    settings: MiningSettings
    mined: MiningSettings | None
    papers: int
    pending: int
    funnel: Funnel

    def has_mined(self, settings: MiningSettings) -> bool:
        """Whether the pairs are what these settings make of all papers."""
        return self.mined is not None and not self.pending and settings == self.mined


def standing(project: Project) -> Job[Standing]:
    def work(progress: Progress) -> Standing:
        settings = mining_settings(project)
        with project.reading() as stores:
            run = stores.mining_runs.current()
            papers = stores.papers.count()
            pending = stores.mining_runs.count_pending(run.number) if run else papers
            if run and run.state is not MiningRunState.DONE and papers:
                pending = max(pending, 1)
            funnel = stores.mining_runs.funnel(run.number) if run else Funnel()
        mined = read_settings(run.settings) if run else None
        return Standing(settings, mined, papers, pending, funnel)

    return Job("Reading the mining settings", work)


def phrase_figures(project: Project) -> Job[dict[str, PhraseFigures]]:
    """What came of each phrase, by `phrase_key`."""

    def work(progress: Progress) -> dict[str, PhraseFigures]:
        with project.reading() as stores:
            counted = stores.statistics.counts()
        figures: dict[str, PhraseFigures] = {}
        for row in counted:
            if row.phrase:
                key = phrase_key(row.phrase)
                pairs, answered, agreed = figures.get(key, PhraseFigures())
                settled = row.pairs if row.status == "settled" and not row.accepted else 0
                same = settled if row.gold == row.distant else 0
                figures[key] = PhraseFigures(pairs + row.pairs, answered + settled, agreed + same)
        return figures

    return Job("Counting pairs by phrase", work)
