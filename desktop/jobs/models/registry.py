"""The models of a project: the starter, models trained in it, and models used from folders or the hub."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from desktop.translation import tr
from miner.classifier.checkpoints import STARTER, STARTER_NAME, WEIGHTS, Checkpoint, find_checkpoint
from miner.classifier.training import CHECKPOINT
from miner.errors import UserError
from miner.paths import expand_home, is_file, is_folder
from miner.progress import Job, Progress
from miner.records import Label
from storage.models.registry import KnownModel, ModelKind
from storage.project import Project
from storage.stores import Stores

_STARTER_DESCRIPTION = tr("comes with Pairwright; a small model trained on pairs mined from openly licensed papers")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model to choose. reference: as `SuggestOptions.model`. problem: why it cannot be used, e.g. a missing folder;
    "" if it can. digest: of its files; "" if it was never used.
    """

    reference: str
    name: str
    kind: ModelKind
    description: str
    problem: str = ""
    digest: str = ""


def models_folder(project: Project) -> Path:
    """The folder of the project's own models: NAME.models beside the project file."""
    return project.path.absolute().with_name(f"{project.path.stem}.models")


def load_choices(project: Project) -> Job[tuple[ModelChoice, ...]]:
    """The models to choose from: the starter, the models trained in the project, the newest first, then the others."""

    def work(progress: Progress) -> tuple[ModelChoice, ...]:
        with project.read_transaction() as stores:
            return read_choices(project, stores)

    return Job(tr("Looking for models"), work)


def read_choices(project: Project, stores: Stores) -> tuple[ModelChoice, ...]:
    """The same as `load_choices`, within an open transaction."""
    known = stores.models.all()
    starter = next((model for model in reversed(known) if model.kind is ModelKind.STARTER), None)
    there = is_file(STARTER / WEIGHTS)
    problem = "" if there else tr("It is missing from this installation.")
    digest = starter.digest if starter else ""
    found = [ModelChoice(STARTER_NAME, STARTER_NAME, ModelKind.STARTER, _STARTER_DESCRIPTION, problem, digest)]
    for kind in (ModelKind.PROJECT, ModelKind.FOLDER, ModelKind.HUB):
        latest: dict[str, KnownModel] = {}
        for model in known:
            if model.kind is kind:
                latest.pop(model.folder, None)
                latest[model.folder] = model
        found += (_choice(project, model) for model in reversed(latest.values()))
    return tuple(found)


def find_model(project: Project, reference: str, labels: Sequence[Label] | None = None) -> tuple[Checkpoint, ModelKind]:
    """The checkpoint of a reference, and where it comes from; `UserError` in the same cases as `find_checkpoint`.

    Without `labels`, a foreign classifier has the order of classes that it was last used with.
    """
    folder = models_folder(project)
    reference = _folder_of_run(project, reference)
    known = None if labels else _known(project, reference)
    checkpoint = find_checkpoint(reference, models=folder, labels=known.labels if known else labels)
    if known and known.digest != checkpoint.digest:  # the files have changed since
        checkpoint = find_checkpoint(reference, models=folder)
    if reference == STARTER_NAME:
        return checkpoint, ModelKind.STARTER
    if checkpoint.path.parent.parent == folder:
        return replace(checkpoint, name=checkpoint.card.name if checkpoint.card else reference), ModelKind.PROJECT
    return checkpoint, ModelKind.FOLDER if is_folder(expand_home(reference)) else ModelKind.HUB


def require_classifier(model: Checkpoint, reference: str) -> None:
    """Raise `UserError` if the model is an encoder that has not been trained to classify pairs."""
    if not model.can_suggest:
        hint = tr("Train it first: pairwright train --start {reference}", reference=reference)
        raise UserError(tr("{name} is an encoder that knows no relations yet.", name=model.name), hint=hint)


def _folder_of_run(project: Project, reference: str) -> str:
    """The folder of the training run, if the reference is a run's number; else the reference."""
    if not reference.isascii() or not reference.isdigit():
        return reference
    with project.read_transaction() as stores:
        return next((run.folder for run in stores.training_runs.all() if str(run.id) == reference), reference)


def register_model(stores: Stores, checkpoint: Checkpoint, kind: ModelKind, reference: str) -> int:
    """Add the model to the project, unless it is there already; returns its id."""
    match kind:
        case ModelKind.PROJECT:
            folder = checkpoint.path.parent.name
        case ModelKind.FOLDER:
            folder = str(checkpoint.path)
        case _:
            folder = reference
    card: Mapping[str, Any] = asdict(checkpoint.card) if checkpoint.card else {}
    return stores.models.enter(checkpoint.digest, checkpoint.name, kind, folder, card, checkpoint.labels)


def _known(project: Project, reference: str) -> KnownModel | None:
    """The foreign classifier that was last used with this reference; None if there is none."""
    with project.read_transaction() as stores:
        models = stores.models.all()
    places = {(ModelKind.HUB, reference), (ModelKind.FOLDER, str(expand_home(reference).absolute()))}
    return next((one for one in reversed(models) if one.labels and (one.kind, one.folder) in places), None)


def _choice(project: Project, model: KnownModel) -> ModelChoice:
    if not model.folder:
        return ModelChoice(
            "", model.name, model.kind, "", tr("Its folder on this computer is not known: choose it again.")
        )
    path = models_folder(project) / model.folder / CHECKPOINT if model.kind is ModelKind.PROJECT else Path(model.folder)
    is_missing = model.kind is not ModelKind.HUB and not is_folder(path)
    description = str(model.card.get("trained_on") or model.folder)
    problem = tr("Its folder {path} is missing.", path=path) if is_missing else ""
    return ModelChoice(model.folder, model.name, model.kind, description, problem, model.digest)
