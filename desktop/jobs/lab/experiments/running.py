"""The lock that distinguishes a running experiment from one whose program was killed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from desktop.jobs.models.registry import models_folder
from desktop.jobs.writing import writing
from desktop.translation import tr
from miner.errors import UserError
from miner.processes.locks import ProgramLock
from storage.lab.experiments import ExperimentState, StoredExperiment
from storage.project import Project

_LOCK = "experiment.lock"


@contextmanager
def experiment_lock(project: Project) -> Iterator[None]:
    """Lock the project's models folder for one experiment; `UserError` if another program is running one."""
    lock = ProgramLock(models_folder(project) / _LOCK)
    with writing(models_folder(project)):
        models_folder(project).mkdir(parents=True, exist_ok=True)
        is_ours = lock.acquire("running")
    if not is_ours:
        hint = tr("Wait until it is done, or stop it: two at a time would only slow each other down.")
        raise UserError(tr("An experiment of this project is running already."), hint=hint)
    try:
        yield
    finally:
        lock.release()


def running_id(project: Project, experiments: Iterable[StoredExperiment]) -> int | None:
    """The id of the experiment that a program is running now: among those marked as RUNNING, the last to begin.

    Only one runs at a time, so the programs of the others were killed. None while no program runs an experiment.
    """
    begun = [one for one in experiments if one.state is ExperimentState.RUNNING]
    if not begun or not is_running(project):
        return None
    return max(begun, key=lambda one: (one.started_at, one.id)).id


def is_running(project: Project) -> bool:
    """Whether any program is running an experiment of this project now."""
    lock = ProgramLock(models_folder(project) / _LOCK)
    if not lock.note():
        return False
    try:
        if lock.acquire():
            lock.release()
            return False
    except OSError:  # the folder cannot be written, so nothing can run
        return False
    return True
