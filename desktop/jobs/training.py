"""Training a model on the project's labels, in a process of its own; every run is kept, and can be gone on with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from miner.classifier.recipe import FROM_STARTER, Recipe
from miner.progress import Job
from miner.records import Label
from storage.changes import Changes
from storage.project import Project

if TYPE_CHECKING:
    from storage.training_runs import TrainingRun

Watch = Callable[[Any], None]  # Step, Epoch or Note of the training, from the job's thread


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """`start`: the model to start from, as `SuggestOptions.model`; `implicit_above`: also unlabelled neighbours whose
    suggestion is at least so sure (0 to 1), None: without them. `name` "": one is made up.
    """

    start: str = "starter"
    recipe: Recipe = FROM_STARTER
    distant: bool = True
    answers: bool = True
    implicit_above: float | None = None
    name: str = ""
    device: str = "auto"
    labels: tuple[Label, ...] | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to learn from: pairs by source ("distant", "answer", "accepted", "implicit") and by class.

    `problem` and `hint` say why that is not enough, "" where it is; `warnings` what will limit the model.
    """

    pairs: int
    papers: int
    sources: Mapping[str, int]
    classes: Mapping[str, int]
    problem: str = ""
    hint: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished run and its model (`model` is what `SuggestOptions.model` takes).

    `gone` and `changed`: examples whose pair was removed, or relabelled, while it trained.
    """

    run: int
    name: str
    model: str
    metrics: Mapping[str, Any]
    seconds: float
    notes: tuple[str, ...]
    gone: int
    changed: int
    changes: Changes


def material(project: Project, options: TrainOptions) -> Job[Material]:
    """What a run of these options would learn from, counted; fit for showing while one chooses."""
    raise NotImplementedError


def train(project: Project, options: TrainOptions | None = None, watch: Watch | None = None) -> Job[Trained]:
    """Train and keep the model. Pausing waits; cancelling keeps the best so far as the run's model.

    `UserError` where there is too little to learn from, the model to start from cannot be used, or another program is
    training for this project.
    """
    raise NotImplementedError


def resume(project: Project, run: int, watch: Watch | None = None) -> Job[Trained]:
    """Go on with a run that was interrupted, from its last checkpoint, on the examples it began with."""
    raise NotImplementedError


def runs(project: Project) -> Job[list[TrainingRun]]:
    """All runs, the newest first; one that says "running" without a program that runs it is told as "interrupted"."""
    raise NotImplementedError


def forget(project: Project, run: int) -> Job[Changes]:
    """Delete a run and its files. Suggestions of its model stay. `UserError` while it is running."""
    raise NotImplementedError
