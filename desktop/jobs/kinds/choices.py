"""The models whose errors can be looked at by kind of reasoning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from desktop.jobs.models.registry import read_choices
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.experiment import FOUR_CLASSES, Experiment
from miner.lab.experiments.experiment_file import experiment_of
from miner.progress import Job, Progress
from storage.project import Project

COLUMN, EXPERIMENT = "column:", "experiment:"


class KindsModelChoice(NamedTuple):
    """reference: as `desktop.jobs.kinds.models.read_predictions` takes it. source: "" for a model of the project."""

    reference: str
    name: str
    source: str


def load_model_choices(project: Project) -> Job[tuple[KindsModelChoice, ...]]:
    """The project's models, the columns of predictions in imported files, and the systems of experiments."""

    def work(progress: Progress) -> tuple[KindsModelChoice, ...]:
        found = []
        with project.read_transaction() as stores:
            for model in read_choices(project, stores):
                if not model.problem:
                    found.append(KindsModelChoice(model.reference, model.name, ""))
            for column in stores.predictions.columns():
                found.append(KindsModelChoice(f"{COLUMN}{column}", column, tr("imported predictions")))
            for stored in stores.experiments.all():
                experiment = _four_classes(stored.recipe)
                if experiment is None or not stored.finished:
                    continue
                for number, system in enumerate(experiment.systems, 1):
                    source = tr("experiment {id}, {name}", id=stored.id, name=stored.name)
                    found.append(KindsModelChoice(f"{EXPERIMENT}{stored.id}:{number}", system.title, source))
        return tuple(found)

    return Job(tr("Looking for models"), work)


def _four_classes(recipe: Mapping[str, Any]) -> Experiment | None:
    """The experiment, if its classes are the four relations; None also for one of a version that had other systems."""
    try:
        experiment = experiment_of(recipe)
    except UserError:
        return None
    return experiment if dict(experiment.classes) == FOUR_CLASSES else None
