"""The job that writes a trained model as an ordinary folder of transformers, for programs other than this one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.jobs.models.registry import find_model
from desktop.jobs.models.training_exposure import exposure_json, exposure_of
from desktop.jobs.writing import writing
from desktop.translation import tr
from miner.classifier.checkpoints import Checkpoint
from miner.classifier.libraries import missing_library
from miner.errors import UserError
from miner.paths import is_folder
from miner.processes.isolated import run_isolated
from miner.progress import Job, Progress
from storage.project import Project


@dataclass(frozen=True, slots=True)
class ExportedModel:
    """A model's folder, which `AutoModel.from_pretrained` loads. The fields are the JSON of the command line."""

    name: str
    folder: str


@dataclass(frozen=True, slots=True)
class _Copy:
    source: Path
    name: str
    target: Path
    learned: str


def export_model(project: Project, reference: str, folder: Path) -> Job[ExportedModel]:
    """Write the model to a new or empty folder: its encoder as transformers has it, its head, card and README.

    What it has learned goes with it, by keys and hashes, so that it is judged as it is in this project.
    reference: as `SuggestOptions.model`. `UserError` where Pairwright did not train the model, or the folder has files.
    """

    def work(progress: Progress) -> ExportedModel:
        if problem := missing_library(tr("Exporting a model")):
            raise problem
        model, _ = find_model(project, reference)
        _require_exportable(model, folder)
        copy = _Copy(model.path, model.name, folder, exposure_json(exposure_of(model)))
        run_isolated(_save, copy, progress, subject=tr("Saving the model"))
        return ExportedModel(model.name, str(folder))

    return Job(tr("Exporting the model {reference}", reference=reference), work)


def _require_exportable(model: Checkpoint, folder: Path) -> None:
    if model.card is None:
        hint = tr("Its files are in {path}.", path=model.path)
        raise UserError(
            tr("{name} is not a model of Pairwright, so there is nothing to export.", name=model.name), hint=hint
        )
    require_empty(folder)
    with writing(folder):
        if is_folder(folder):
            folder.rmdir()  # saving makes it anew, whole or not at all


def require_empty(folder: Path) -> None:
    """Raise `UserError` unless the folder is empty or missing."""
    try:
        if is_folder(folder) and any(folder.iterdir()):
            raise UserError(
                tr("{folder} has files already.", folder=folder), hint=tr("Choose a new or an empty folder.")
            )
    except OSError as exc:
        raise UserError(
            tr("{folder} cannot be read: {strerror}.", folder=folder, strerror=exc.strerror),
            hint=tr("Choose another folder."),
        ) from exc


def _save(copy: _Copy, emit: Callable[[Any], None], progress: Progress) -> None:
    from miner.classifier.saving import export_model

    export_model(copy.source, copy.target, copy.name, copy.learned)
