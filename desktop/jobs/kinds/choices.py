"""The models whose errors can be looked at by kind of reasoning."""

from __future__ import annotations

from typing import NamedTuple

from desktop.jobs.kinds.experiment_systems import EXPERIMENT, find_systems
from desktop.jobs.models.registry import read_choices
from desktop.translation import tr
from miner.progress import Job, Progress
from storage.project import Project

COLUMN = "column:"


class KindsModelChoice(NamedTuple):
    """A model to choose.

    reference: as `desktop.jobs.kinds.models.read_predictions` takes it. source: "" for a project's model.
    """

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
            for system in find_systems(stores):
                source = tr("experiment {id}, {name}", id=system.experiment.id, name=system.experiment.name)
                found.append(KindsModelChoice(f"{EXPERIMENT}{system.reference}", system.title, source))
        return tuple(found)

    return Job(tr("Looking for models"), work)
