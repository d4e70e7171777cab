"""What the project holds, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.jobs.mining import mining_settings
from miner.mining.settings import MiningSettings
from miner.progress import Job, Progress
from miner.records import Funnel
from storage.files import FailedFile
from storage.project import Project
from storage.runs import Run


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts of papers and pairs; `counts` are pairs by (domain, strategy, distant label), "" for none.

    `hidden` are words that were left out, because they cannot be seen on the pages, and the papers they are in.
    `run` is the mining run the pairs are of (None before the first), `unmined` how many papers it has not come to.
    """

    papers: int
    sentences: int
    hidden: tuple[int, int]
    domains: dict[str, int]
    failures: list[FailedFile]
    pairs: int
    counts: dict[tuple[str, str, str], int]
    phrases: list[tuple[str, str, int]]
    run: Run | None
    unmined: int
    funnel: Funnel
    settings: MiningSettings


def overview(project: Project) -> Job[Overview]:
    def work(progress: Progress) -> Overview:
        with project.reading() as stores:
            run = stores.runs.current()
            return Overview(
                papers=stores.papers.count(),
                sentences=stores.papers.sentence_count(),
                hidden=stores.papers.hidden_words(),
                domains=stores.papers.domains(),
                failures=stores.files.failures(),
                pairs=stores.pairs.count(),
                counts=stores.pairs.counts(),
                phrases=stores.pairs.phrase_counts(),
                run=run,
                unmined=stores.runs.pending(run.number) if run else 0,
                funnel=stores.runs.funnel(run.number) if run else Funnel(),
                settings=mining_settings(project),
            )

    return Job(f"Looking at {project.path.name}", work)
