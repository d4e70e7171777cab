"""What the Train page says of runs, recipes and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

from desktop.jobs.results import scores_text
from desktop.text import count, duration, listed, points
from miner.classifier.checkpoints import STARTER_NAME
from miner.classifier.events import TrainStep
from storage.models.training_runs import TrainingRun

if TYPE_CHECKING:
    from desktop.jobs.models.training_data import TrainingDataCounts

NO_PAIRS = "No pairs yet. Add papers, and a model can be trained on the pairs found in them."
COMES_WITH = "comes with Pairwright"
NO_RUNS = "Models trained here are kept, with what they learned from and how well they did."
RECIPES = {
    "from the starter": "For a model that knows the task and is shown these pairs. Minutes on a laptop.",
    "quick": "For an encoder that learns the task here: four layers, pairs of like length together.",
    "papers": "As the papers do it: all layers, ten epochs at most. Wants a graphics card.",
}
SOURCES = {
    "distant": ("distant label", "distant labels"),
    "answer": ("answer", "answers"),
    "accepted": ("accepted suggestion", "accepted suggestions"),
    "implicit": ("sure suggestion", "sure suggestions"),
}
STATES = {
    "running": "training",
    "paused": "interrupted",
    "done": "done",
    "failed": "failed",
    "cancelled": "stopped",
}
BASELINE = 0  # in place of a run's id
_SCORED = ("held_out", "dev")  # those on most pairs first


def learns_from(sources: Mapping[str, int]) -> str:
    """ "976 distant labels and 312 answers"."""
    return listed([count(sources[name], *words) for name, words in SOURCES.items() if sources.get(name)])


def counts(known: TrainingDataCounts) -> str:
    if not known.pairs:
        return "There is nothing to learn from."
    return f"Learns from {learns_from(known.sources)} of {count(known.papers, 'paper')}."


def sources(run: TrainingRun) -> dict[str, int]:
    """How many pairs of each source a run learned from."""
    return {source: sum(classes.values()) for source, classes in run.data.get("pairs", {}).items()}


def scores(run: TrainingRun) -> Mapping[str, Any] | None:
    """A run's scores on pairs it did not learn from; None where there are none."""
    return next((run.metrics[name] for name in _SCORED if run.metrics.get(name)), None)


def share(run: TrainingRun, name: str) -> float | None:
    found = scores(run)
    return None if found is None else found.get(name)


def shown(value: float | None) -> str:
    """A share as the papers print it: 68.1."""
    return "–" if value is None else points(value)


def took(run: TrainingRun) -> str:
    seconds = run.metrics.get("seconds")
    return duration(seconds) if seconds is not None else "–"


def how_far(step: TrainStep) -> str:
    """A line on a training in hand."""
    parts = [step.stage[:1].upper() + step.stage[1:]] if step.stage else []
    parts.append(f"step {step.step:,} of {step.steps:,}")
    parts += [f"{duration(step.seconds_left)} left"] if step.seconds_left >= 1 else []
    parts.append(f"{step.pairs_per_second:,.0f} pairs/s")
    text = " · ".join(parts)
    return text[:1].upper() + text[1:]


def result(run: TrainingRun) -> str:
    """A line on what came of a run."""
    found = scores(run)
    state = STATES[run.state]
    if run.problem:
        return run.problem
    if run.state == "paused":
        return "Interrupted: it can be resumed from where it was."
    if found is None:
        return f"{state[:1].upper()}{state[1:]}. No pairs were kept to measure it on."
    figures = scores_text(found["macro_f1"], found["accuracy"], found.get("ece"))
    beside = run.metrics.get("baseline")
    starter = f" The starter has {shown(beside['macro_f1'])} on them." if beside else ""
    return f"{figures[:1].upper()}{figures[1:]}, on {count(found['n'], 'pair')} it did not learn from.{starter}"


def measured_on(run: TrainingRun) -> object:
    """Tells the pairs that a run was measured on from all others; None where it was not."""
    for name in _SCORED:
        if found := run.metrics.get(name):
            return found.get("measured_on") or (run.fingerprint or run.id, name, found["n"])
    return None


def are_comparable(runs: Sequence[TrainingRun]) -> bool:
    """Whether there are several, all measured on the same pairs."""
    found = {measured_on(run) for run in runs}
    return len(runs) > 1 and len(found) == 1 and None not in found


def seeds(runs: Sequence[TrainingRun]) -> str:
    """Mean and spread of finished runs that differ by their seed alone, measured on the same pairs; "" of others."""
    different = {run.settings.get("recipe", {}).get("seed") for run in runs}
    alike = len({_but_seed(run) for run in runs}) == 1 and all(run.state == "done" for run in runs)
    if not (alike and len(different) == len(runs) and are_comparable(runs)):
        return ""
    values = [value for run in runs if (value := share(run, "macro_f1")) is not None]
    return f"{len(runs)} seeds of one recipe: macro F1 {points(mean(values))} ± {points(stdev(values))}."


def baselines(runs: Sequence[TrainingRun]) -> list[TrainingRun]:
    """The starter as if it were a run, measured on the pairs of the newest run that was measured beside it."""
    measured = [run for run in runs if run.metrics.get("baseline") and run.state == "done"]
    if not measured:
        return []
    newest = max(measured, key=lambda run: run.id)
    return [
        replace(
            newest,
            id=BASELINE,
            name=STARTER_NAME,
            settings={},
            data={},
            metrics={"dev": newest.metrics["baseline"]},
            history={},
            folder=STARTER_NAME,
            started_at=datetime.min.replace(tzinfo=UTC),
        )
    ]


def _but_seed(run: TrainingRun) -> str:
    recipe = {name: value for name, value in run.settings.get("recipe", {}).items() if name != "seed"}
    rest = {name: value for name, value in run.settings.items() if name != "recipe"}
    return repr((sorted(recipe.items()), sorted(rest.items(), key=str), sorted(sources(run).items())))
