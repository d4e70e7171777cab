"""Which models a project can be judged by: the starter, those it trained, and those that were chosen before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from miner.progress import Job
from storage.project import Project


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model to choose. `reference` is what `SuggestOptions.model` takes; `what` is a line for people; `problem` says
    why it cannot be used (its folder is gone, say), "" where it can.

    `kind`: "starter", "project" (trained here), "folder" or "hub".
    """

    reference: str
    name: str
    kind: str
    what: str
    problem: str = ""
    digest: str = ""


def models_folder(project: Project) -> Path:
    """Where the project's own models lie: beside its file, under its name."""
    return project.path.with_name(f"{project.path.stem}.models")


def choices(project: Project) -> Job[tuple[ModelChoice, ...]]:
    """The starter first, then those the project trained, the latest first, then others it knows."""
    raise NotImplementedError
