"""The job that says which corpora a project's papers were pulled from."""

from __future__ import annotations

from desktop.translation import tr
from miner.progress import Job, Progress
from storage.project import Project
from storage.settings import CORPUS


def load_origins(project: Project) -> Job[str]:
    """A sentence for each pull, "" for none."""

    def work(progress: Progress) -> str:
        with project.read_transaction() as stores:
            origins = stores.settings.get(CORPUS)
        return " ".join(
            tr(
                "Pulled from the corpus {place} ({which}).",
                place=origin.place,
                which=" ".join(origin.arguments) or tr("all papers"),
            )
            for origin in origins
        )

    return Job(tr("Reading where the papers come from"), work)
