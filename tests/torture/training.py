"""Trainings that are killed with everything that they run: what was kept goes on to the same model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop.cli.main import main
from desktop.jobs.models import training
from desktop.jobs.models.registry import models_folder
from desktop.jobs.models.training_runs import load_runs
from miner.progress import Progress
from storage.models.training_runs import TrainingRunState
from storage.project import Project

WORDS = ("--recipe", "quick", "--epochs", "2", "--folds", "2", "--device", "cpu")


def train_or_resume(project: str, start: str) -> int:
    """Train, go on with an interrupted run, or do nothing where one is done.

    The training runs in this process, so that it is killed at its own steps too, as by a power cut.
    """
    training.run_isolated = _run_here  # type: ignore[assignment]
    training._BASELINE = Path(start)  # the starter model takes longer than the training
    with Project.open(Path(project)) as opened:
        runs = load_runs(opened).work(Progress())
    if any(run.state is TrainingRunState.DONE for run in runs):
        return 0
    paused = [run.id for run in runs if run.state is TrainingRunState.PAUSED]
    words = ["--resume", str(paused[0])] if paused else ["--start", start, *WORDS]
    return main(["--project", project, "--quiet", "train", *words])


def _run_here(
    function: Callable[[Any, Callable[[Any], None], Progress], Any],
    argument: Any,
    progress: Progress,
    on_event: Callable[[Any], None] = lambda event: None,
    **_: object,
) -> Any:
    return function(argument, on_event, progress)


def trained(project: Path) -> object:
    """The runs, how they are, and what is in their folders, but for what says when they were."""
    with Project.open(project) as opened:
        runs = load_runs(opened).work(Progress())
        folders = models_folder(opened)
    return [(run.name, run.state, _scores(run.metrics), _digests(folders / run.folder)) for run in runs]


def _scores(metrics: Any) -> str:
    return json.dumps({name: value for name, value in metrics.items() if name != "seconds"}, sort_keys=True)


def _digests(folder: Path) -> dict[str, str]:
    """Of the model's weights, and of what models of folds say of pairs that they have not learned."""
    files = sorted(folder.rglob("*"))
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.is_file() and path.name != "result.json"
    }
