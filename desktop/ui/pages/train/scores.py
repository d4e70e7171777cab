"""The scores of training runs, and which runs can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from desktop.jobs.descriptions.models import MEASURED_ON
from miner.classifier.checkpoints import STARTER_NAME
from storage.models.training_runs import TrainingRun, TrainingRunState

BASELINE_ID = 0  # in place of the id of a run


def run_measurement(run: TrainingRun) -> str | None:
    """The key of `metrics` under which a run's scores are, as in `MEASURED_ON`; None if it was not measured."""
    return next((name for name in MEASURED_ON if run.metrics.get(name)), None)


def run_scores(run: TrainingRun) -> Mapping[str, Any] | None:
    """A run's scores on pairs it did not learn from; None if it was not measured."""
    name = run_measurement(run)
    return None if name is None else run.metrics[name]


def run_score(run: TrainingRun, name: str) -> float | None:
    scores = run_scores(run)
    return None if scores is None else scores.get(name)


def source_counts(run: TrainingRun) -> dict[str, int]:
    """How many pairs of each source a run learned from; of a run of an earlier version, with its dev pairs."""
    if "learned" in run.data:
        return dict(run.data["learned"])
    return _all_source_counts(run)


def _all_source_counts(run: TrainingRun) -> dict[str, int]:
    """How many pairs of each source a run has; which of them are dev pairs can depend on its seed."""
    return {source: sum(classes.values()) for source, classes in run.data.get("pairs", {}).items()}


def evaluation_id(run: TrainingRun) -> object:
    """A value that is equal for runs measured on the same pairs; None if the run was not measured."""
    if (name := run_measurement(run)) is None:
        return None
    scores = run.metrics[name]
    return scores.get("measured_on") or (run.fingerprint or run.id, name, scores["n"])


def are_comparable(runs: Sequence[TrainingRun]) -> bool:
    """Whether these are several runs, all measured on the same pairs."""
    ids = {evaluation_id(run) for run in runs}
    return len(runs) > 1 and len(ids) == 1 and None not in ids


def differ_only_by_seed(runs: Sequence[TrainingRun]) -> bool:
    """Whether these are comparable, finished runs with the same settings and data but different seeds."""
    seeds = {run.settings.get("recipe", {}).get("seed") for run in runs}
    is_same = len({_settings_without_seed(run) for run in runs}) == 1
    is_done = all(run.state is TrainingRunState.DONE for run in runs)
    return is_same and is_done and len(seeds) == len(runs) and are_comparable(runs)


def baseline_runs(runs: Sequence[TrainingRun]) -> list[TrainingRun]:
    """The starter in the form of a run, with its scores on the pairs of the newest run that measured it; else []."""
    measured = [run for run in runs if run.metrics.get("baseline") and run.state is TrainingRunState.DONE]
    if not measured:
        return []
    newest = max(measured, key=lambda run: run.id)
    return [
        replace(
            newest,
            id=BASELINE_ID,
            name=STARTER_NAME,
            settings={},
            data={},
            metrics={run_measurement(newest) or "dev": newest.metrics["baseline"]},
            history={},
            folder=STARTER_NAME,
            started_at=datetime.min.replace(tzinfo=UTC),
        )
    ]


def _settings_without_seed(run: TrainingRun) -> str:
    recipe = {name: value for name, value in run.settings.get("recipe", {}).items() if name != "seed"}
    rest = {name: value for name, value in run.settings.items() if name != "recipe"}
    return repr((sorted(recipe.items()), sorted(rest.items(), key=str), sorted(_all_source_counts(run).items())))
