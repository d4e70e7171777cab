"""The training runs of a project: their rows and folders, and the lock of the run in training."""

from __future__ import annotations

import platform
import re
import shutil
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from desktop.jobs.models.model_options import TrainOptions
from desktop.jobs.models.registry import models_folder
from desktop.jobs.models.training_data import ReservedPairs, counts_by_source
from desktop.jobs.models.training_exposure import LEARNED_BEFORE, exposure_of, write_learned_before
from desktop.jobs.writing import unwritable, writing
from desktop.translation import tr
from miner.classifier.checkpoints import Checkpoint
from miner.classifier.examples import TrainingExample, write_examples
from miner.classifier.training import EXAMPLES
from miner.errors import UserError
from miner.paths import is_file, is_folder
from miner.processes.locks import ProgramLock
from miner.progress import Job, Progress
from storage.changes import Changes
from storage.models.training_runs import TrainingRun, TrainingRunState
from storage.project import Project

_LOCK = "training.lock"
_LOCK_TIMEOUT_S = 1.0  # `live_run` of another program holds the lock for a moment


@contextmanager
def training_lock(models: Path) -> Iterator[Callable[[int], None]]:
    """Lock the models folder for one training. Gives a function that stores the number of the run.

    `UserError` if another program is training, or the folder cannot be written.
    """
    lock = ProgramLock(models / _LOCK)
    with writing(models):
        models.mkdir(parents=True, exist_ok=True)
        is_ours = lock.acquire(seconds=_LOCK_TIMEOUT_S)
    if not is_ours:
        hint = tr("Wait until it is done, or stop it: two at a time would only slow each other down.")
        raise UserError(tr("A model is being trained for this project already."), hint=hint)

    def note_run(run: int) -> None:
        with writing(models):
            lock.write_note(str(run))

    try:
        yield note_run
    finally:
        lock.release()


def live_run(models: Path) -> int | None:
    """The id of the run that any program is training now; None if there is none."""
    lock = ProgramLock(models / _LOCK)
    if not lock.note():
        return None
    try:
        if lock.acquire():
            lock.release()
            return None
    except OSError:  # the folder cannot be written, so no training can run
        return None
    with suppress(ValueError):  # it has just ended
        return int(lock.note())
    return None


def load_runs(project: Project) -> Job[list[TrainingRun]]:
    """All runs, the newest first. A run interrupted by the end of its program is given as PAUSED: it can be resumed.

    `history`: see `TrainingHistory`. `settings`: as `TrainOptions.to_data`. `data`: as `counts_by_source`.
    """

    def work(progress: Progress) -> list[TrainingRun]:
        live = live_run(models_folder(project))
        with project.read_transaction() as stores:
            found = stores.training_runs.all()
        return [
            replace(run, state=TrainingRunState.PAUSED)
            if run.state is TrainingRunState.RUNNING and run.id != live
            else run
            for run in found
        ]

    return Job(tr("Reading the training runs"), work)


def delete_run(project: Project, run: int) -> Job[Changes]:
    """Delete a run and its files; the suggestions of its model stay. `UserError` while the run is being trained."""

    def work(progress: Progress) -> Changes:
        known = get_run(project, run)
        if live_run(models_folder(project)) == run:
            raise UserError(tr("The run {name} is training.", name=known.name), hint=tr("Stop it first."))
        with project.transaction() as stores:
            stores.training_runs.delete(run)
        folder = models_folder(project) / known.folder
        if known.folder and is_file(folder / EXAMPLES):  # a run's folder, and not any other that the project names
            shutil.rmtree(folder, ignore_errors=True)
        return Changes(suggestions=True)

    return Job(tr("Deleting a training run"), work)


def get_run(project: Project, run: int) -> TrainingRun:
    """The run with this id; `UserError` if there is none."""
    with project.read_transaction() as stores:
        try:
            return stores.training_runs.get(run)
        except KeyError as exc:
            raise UserError(
                tr("There is no training run {run}.", run=run), hint=tr("See: pairwright train --list")
            ) from exc


def create_run(
    project: Project,
    options: TrainOptions,
    start: Checkpoint,
    examples: Sequence[TrainingExample],
    reserved: ReservedPairs,
) -> TrainingRun:
    """Create a run. Its folder, with the examples, is complete before its row is stored in the project."""
    with project.read_transaction() as stores:
        number = max((run.id for run in stores.training_runs.all()), default=0) + 1
        used = {model.folder for model in stores.models.all()}  # also of runs that were deleted
    name = options.name.strip() or f"{options.recipe.name} {number}"
    folder = _create_folder(models_folder(project), f"{number}-{_folder_name(name)}", used)
    try:
        fingerprint = write_examples(folder / EXAMPLES, examples)
        write_learned_before(folder, exposure_of(start).learned)
    except OSError as exc:
        shutil.rmtree(folder, ignore_errors=True)
        raise unwritable(folder, exc) from exc
    with project.transaction() as stores:
        id = stores.training_runs.start(
            name,
            settings={**options.to_data(), "start_digest": start.digest},
            fingerprint=fingerprint,
            data={**counts_by_source(examples), "kept": asdict(reserved)},
            versions=_versions(),
            folder=folder.name,
            at=datetime.now(UTC),
        )
        return stores.training_runs.get(id)


def delete_orphaned_folders(project: Project) -> None:
    """Delete folders of runs that were killed before they were stored in the project."""
    with project.read_transaction() as stores:
        known = {run.folder for run in stores.training_runs.all()}
    own = {name + suffix for name in (EXAMPLES, LEARNED_BEFORE) for suffix in ("", ".part")}
    for path in models_folder(project).iterdir():
        if is_folder(path) and path.name not in known and {file.name for file in path.iterdir()} <= own:
            shutil.rmtree(path, ignore_errors=True)


def _create_folder(models: Path, name: str, used: Set[str]) -> Path:
    for number in range(1, 10_000):
        folder = models / (name if number == 1 else f"{name}-{number}")
        if folder.name in used:
            continue
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as exc:
            raise unwritable(models, exc) from exc
        return folder
    raise UserError(
        tr("{models} has too many folders called {name}.", models=models, name=name),
        hint=tr("Give the run another name."),
    )


def _folder_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "model"


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("pairwright", "torch", "transformers", "tokenizers", "numpy"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
