"""The job that adds another project's papers, and what people did there, to the open one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from desktop.translation import tr
from miner.errors import UserError
from miner.paths import exists
from miner.progress import Job, Progress
from storage.exchange import project_addition
from storage.exchange.added_project import AddedProject
from storage.project import Project
from storage.settings import ASSIGNMENT


def add_project(project: Project, path: Path) -> Job[AddedProject]:
    """Add the project at `path`, as one action; its papers are not mined yet. See `storage.exchange.project_addition`.

    `UserError` for this project itself, for a file that cannot be taken, and if the open project is an answer file.
    """

    def work(progress: Progress) -> AddedProject:
        with project.read_transaction() as stores:
            if (own := stores.settings.get(ASSIGNMENT)) is not None:
                raise UserError(
                    tr(
                        "{name} is an answer file: the answers of {name_2} to round {round:,}.",
                        name=project.path.name,
                        name_2=own.name,
                        round=own.round,
                    ),
                    hint=tr("Open the project that it was sent from, and add the other one there."),
                )
        if exists(path) and path.samefile(project.path):
            raise UserError(tr("{path} is this project itself.", path=path), hint=tr("Choose another project."))
        return project_addition.add_project(project, path, datetime.now(UTC), progress)

    return Job(
        tr("Adding {stem} to {stem_2}", stem=path.stem, stem_2=project.path.stem),
        work,
        tr("What was added so far is kept, and one undo takes it back. Add the project again for the rest."),
    )
