"""The jobs that forget experiments, which can be undone, and that delete forgotten experiments, which cannot."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from desktop.jobs.lab.experiments.running import running_id
from desktop.jobs.models.registry import models_folder
from desktop.translation import tr
from miner.errors import UserError
from miner.paths import is_folder
from miner.progress import Job, Progress
from storage.changes import Changes
from storage.lab.forgotten_experiments import DeletedResults
from storage.project import Project


@dataclass(frozen=True, slots=True)
class DeletedExperiments:
    """What was deleted for good. files: how many training dynamics, replies and folders of runs."""

    results: DeletedResults
    files: int

    @property
    def changes(self) -> Changes:
        return Changes(experiments=True)


def forget_experiment(project: Project, id: int) -> Job[Changes]:
    """Leave an experiment out of all lists and filters, as an action that can be undone; its results are kept.

    `UserError` if no experiment has this number, or if it is running.
    """

    def work(progress: Progress) -> Changes:
        with project.transaction() as stores:
            try:
                stored = stores.experiments.get(id)
            except KeyError as exc:
                hint = tr("See: pairwright experiment --list")
                raise UserError(tr("There is no experiment {id}.", id=id), hint=hint) from exc
            if running_id(project, stores.experiments.all()) == id:
                raise UserError(
                    tr("Experiment {id} is running.", id=id), hint=tr("Stop it first; what is computed is kept.")
                )
            with stores.actions.deciding(tr("Forget the experiment “{name}”", name=stored.name), datetime.now(UTC)):
                stores.forgotten_experiments.forget(id)
        return Changes(experiments=True)

    return Job(tr("Forgetting an experiment"), work)


def delete_forgotten(project: Project) -> Job[DeletedExperiments]:
    """Delete the forgotten experiments for good, with the results and files that no other experiment needs."""

    def work(progress: Progress) -> DeletedExperiments:
        with project.transaction() as stores:
            deleted = stores.forgotten_experiments.delete()
        return DeletedExperiments(deleted, sum(_delete_files(project, run) for run in sorted(deleted.runs)))

    return Job(tr("Deleting forgotten experiments"), work)


def _delete_files(project: Project, run: str) -> int:
    """Delete the folder of a run, its training dynamics and a chat model's replies; returns how many existed."""
    deleted = 0
    folder = models_folder(project) / "experiments"
    if not run.isalnum():  # in a project of somebody else it could lead anywhere
        return 0
    if is_folder(folder / run):
        shutil.rmtree(folder / run, ignore_errors=True)
        deleted += 1
    for path in (path for name in ("maps", "replies") for path in (folder / name).glob(f"{run}.*")):
        with suppress(OSError):
            path.unlink()
            deleted += 1
    return deleted
