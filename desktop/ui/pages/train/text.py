"""The sentences of the Train page: about sources, recipes, progress, and the results of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean, stdev
from typing import TYPE_CHECKING

from desktop.jobs.descriptions.models import scores_text
from desktop.text import count, duration, listed, points
from desktop.ui.pages.train.scores import are_comparable, differ_only_by_seed, run_score, run_scores
from desktop.ui.services.display_names import capitalized
from miner.classifier.events import TrainStep
from storage.models.training_runs import TrainingRun, TrainingRunState

if TYPE_CHECKING:
    from desktop.jobs.models.training_data import TrainingDataCounts

NO_VALUE = "–"
NO_PAIRS_TEXT = "This page trains models on your pairs. There are no pairs yet: add papers first."
STARTER_ORIGIN = "comes with Pairwright"
NO_RUNS_TEXT = "Models trained here are listed with their training data and their scores."
RECIPE_TEXTS = {
    "from the starter": "Adapts a model that knows the task to your pairs. Takes minutes on a laptop.",
    "quick": "Teaches an encoder the task on your pairs: four layers, pairs of similar length together.",
    "papers": "The settings of the SciNLI papers: all layers, at most ten epochs. Needs a graphics card.",
}
SOURCE_NAMES = {
    "distant": ("distant label", "distant labels"),
    "answer": ("answer", "answers"),
    "accepted": ("accepted suggestion", "accepted suggestions"),
    "implicit": ("confident suggestion", "confident suggestions"),
}
STATE_NAMES = {
    TrainingRunState.RUNNING: "training",
    TrainingRunState.PAUSED: "interrupted",
    TrainingRunState.DONE: "done",
    TrainingRunState.FAILED: "failed",
    TrainingRunState.CANCELLED: "stopped",
}
_EVALUATE_HINT = "The command “pairwright evaluate” measures several models on the same pairs."


def sources_text(counts: Mapping[str, int]) -> str:
    """Such as "976 distant labels and 312 answers"."""
    return listed([count(counts[source], *names) for source, names in SOURCE_NAMES.items() if counts.get(source)])


def training_data_text(counts: TrainingDataCounts) -> str:
    if not counts.pairs:
        return "There is nothing to learn from."
    return f"Learns from {sources_text(counts.sources)} of {count(counts.papers, 'paper')}."


def score_text(value: float | None) -> str:
    """A share in percent without the sign, as papers print it: 68.1."""
    return NO_VALUE if value is None else points(value)


def duration_text(run: TrainingRun) -> str:
    seconds = run.metrics.get("seconds")
    return duration(seconds) if seconds is not None else NO_VALUE


def progress_text(step: TrainStep, to_come: int = 0) -> str:
    """Such as "Answers · step 3 of 40 · 5 s left · 120 pairs/s". to_come: runs that will take as long each."""
    parts = [capitalized(step.stage)] if step.stage else []
    parts.append(f"step {step.step:,} of {step.steps:,}")
    left = step.seconds_left + to_come * step.seconds
    of_all = f" for {to_come + 1:,} runs" if to_come else ""
    parts += [f"{duration(left)} left{of_all}"] if left >= 1 else []
    parts.append(f"{step.pairs_per_second:,.0f} pairs/s")
    return capitalized(" · ".join(parts))


def result_text(run: TrainingRun, *, can_train: bool = True) -> str:
    """A sentence about the result of a run."""
    if run.problem:
        return run.problem
    if run.state is TrainingRunState.PAUSED:
        return "Interrupted: it can be resumed where it stopped." if can_train else "Interrupted."
    scores = run_scores(run)
    if scores is None:
        return f"{capitalized(STATE_NAMES[run.state])}. There were no held-out pairs to measure it on."
    figures = capitalized(scores_text(scores["macro_f1"], scores["accuracy"], scores.get("ece")))
    baseline = run.metrics.get("baseline")
    starter = f" The starter model has {score_text(baseline['macro_f1'])} on the same pairs." if baseline else ""
    return f"{figures}, on {count(scores['n'], 'held-out pair')}.{starter}"


def comparison_text(runs: Sequence[TrainingRun]) -> str:
    """A sentence that compares runs by macro F1, or says why they cannot be compared."""
    if differ_only_by_seed(runs):
        values = [value for run in runs if (value := run_score(run, "macro_f1")) is not None]
        return f"{len(runs)} seeds of one recipe: macro F1 {points(mean(values))} ± {points(stdev(values))}."
    measured = [(value, run) for run in runs if (value := run_score(run, "macro_f1")) is not None]
    if len(measured) < len(runs):
        return "Not all of these runs were measured."
    if not are_comparable(runs):
        return f"These runs were measured on different pairs, so their scores cannot be compared. {_EVALUATE_HINT}"
    (high, best), (low, worst) = (extreme(measured, key=lambda pair: pair[0]) for extreme in (max, min))
    scores = run_scores(best)
    pairs = f" on the same {count(scores['n'], 'pair')}" if scores else ""
    stopped = [run.name for run in runs if run.state is TrainingRunState.CANCELLED]
    early = f" {listed(stopped)} {'was' if len(stopped) == 1 else 'were'} stopped early." if stopped else ""
    return f"{best.name} is {points(high - low)} points of macro F1 better than {worst.name}{pairs}.{early}"
