"""The sentences of the Train page: about sources, recipes, progress, and the results of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean, stdev
from typing import TYPE_CHECKING

from desktop.jobs.descriptions.models import MEASURED_ON, scores_text
from desktop.text import count, duration, listed, points
from desktop.translation import tr
from desktop.ui.pages.train.scores import are_comparable, differ_only_by_seed, run_measurement, run_score, run_scores
from desktop.ui.services.display_names import capitalized
from miner.classifier.events import TrainStep
from storage.models.training_runs import TrainingRun, TrainingRunState

if TYPE_CHECKING:
    from desktop.jobs.models.training_data import TrainingDataCounts

NO_VALUE = "–"
NO_PAIRS_TEXT = tr("This page trains models on your pairs. There are no pairs yet: add papers first.")
STARTER_ORIGIN = tr("comes with Pairwright")
NO_RUNS_TEXT = tr("Models trained here are listed with their training data and their scores.")
RECIPE_TEXTS = {
    "starter": tr("Adapts a model that knows the task to your pairs. Takes minutes on a laptop."),
    "quick": tr("Teaches an encoder the task on your pairs: four layers, pairs of similar length together."),
    "base": tr(
        "For SciBERT, RoBERTa and other encoders of that size: all layers, distant labels first, then answers. Needs a "
        "graphics card."
    ),
    "papers": tr("The settings of the SciNLI papers: all layers, at most ten epochs. Needs a graphics card."),
    "scinli": tr("The code of SciNLI’s authors: all layers, at most five epochs. Needs a graphics card."),
    "mscinli": tr("As for SciNLI, but at most ten epochs, as for MSciNLI. Needs a graphics card."),
}
SOURCE_NAMES = {
    "distant": (tr("distant label"), tr("distant labels")),
    "answer": ("answer", "answers"),
    "accepted": (tr("accepted suggestion"), tr("accepted suggestions")),
    "implicit": (tr("confident suggestion"), tr("confident suggestions")),
}
STATE_NAMES = {
    TrainingRunState.RUNNING: "training",
    TrainingRunState.PAUSED: "interrupted",
    TrainingRunState.DONE: "done",
    TrainingRunState.FAILED: "failed",
    TrainingRunState.CANCELLED: "stopped",
}
_EVALUATE_HINT = tr("The command “pairwright evaluate” measures several models on the same pairs.")


def sources_text(counts: Mapping[str, int]) -> str:
    """The sources in words, such as "976 distant labels and 312 answers"."""
    return listed([count(counts[source], *names) for source, names in SOURCE_NAMES.items() if counts.get(source)])


def training_data_text(counts: TrainingDataCounts) -> str:
    if not counts.pairs:
        return tr("There is nothing to learn from.")
    return tr(
        "Learns from {sources_text} of {papers}.",
        sources_text=sources_text(counts.sources),
        papers=count(counts.papers, "paper"),
    )


def score_text(value: float | None) -> str:
    """A share in percent without the sign, as papers print it: 68.1."""
    return NO_VALUE if value is None else points(value)


def duration_text(run: TrainingRun) -> str:
    seconds = run.metrics.get("seconds")
    return duration(seconds) if seconds is not None else NO_VALUE


def progress_text(step: TrainStep, to_come: int = 0) -> str:
    """ "Answers · step 3 of 40 · 5 s left · 120 pairs/s". to_come: how many further runs take as long."""
    parts = [capitalized(step.stage)] if step.stage else []
    parts.append(tr("step {step:,} of {steps:,}", step=step.step, steps=step.steps))
    left = step.seconds_left + to_come * step.seconds
    of_all = tr(" for {to_come:,} runs", to_come=to_come + 1) if to_come else ""
    parts += [tr("{left} left{of_all}", left=duration(left), of_all=of_all)] if left >= 1 else []
    parts.append(tr("{pairs_per_second:,.0f} pairs/s", pairs_per_second=step.pairs_per_second))
    return capitalized(" · ".join(parts))


def result_text(run: TrainingRun, *, can_train: bool = True) -> str:
    """A sentence about the result of a run."""
    if run.problem:
        return run.problem
    if run.state is TrainingRunState.PAUSED:
        return tr("Interrupted: it can be resumed where it stopped.") if can_train else tr("Interrupted.")
    scores, measured_on = run_scores(run), measured_text(run)
    if scores is None:
        return tr(
            "{state_name}. There were no held-out pairs to measure it on.",
            state_name=capitalized(STATE_NAMES[run.state]),
        )
    figures = capitalized(scores_text(scores["macro_f1"], scores["accuracy"], scores.get("ece")))
    baseline = run.metrics.get("baseline")
    starter = (
        tr(" The starter model has {score_text} on the same pairs.", score_text=score_text(baseline["macro_f1"]))
        if baseline
        else ""
    )
    return tr("{figures}, on {pairs}.{starter}", figures=figures, pairs=measured_on, starter=starter)


def measured_text(run: TrainingRun) -> str:
    """The pairs that a run was measured on, such as "52 pairs held out for validation"; `NO_VALUE` without any."""
    name = run_measurement(run)
    return NO_VALUE if name is None else f"{count(run.metrics[name]['n'], 'pair')} {MEASURED_ON[name]}"


def comparison_text(runs: Sequence[TrainingRun]) -> str:
    """A sentence that compares runs by macro F1, or says why they cannot be compared."""
    if differ_only_by_seed(runs):
        values = [value for run in runs if (value := run_score(run, "macro_f1")) is not None]
        return tr(
            "{runs} seeds of one recipe: macro F1 {mean} ± {stdev}.",
            runs=len(runs),
            mean=points(mean(values)),
            stdev=points(stdev(values)),
        )
    measured = [(value, run) for run in runs if (value := run_score(run, "macro_f1")) is not None]
    if len(measured) < len(runs):
        return tr("Not all of these runs were measured.")
    if not are_comparable(runs):
        return tr(
            "These runs were measured on different pairs, so their scores cannot be compared. {evaluate_hint}",
            evaluate_hint=_EVALUATE_HINT,
        )
    (high, best), (low, worst) = (extreme(measured, key=lambda pair: pair[0]) for extreme in (max, min))
    scores = run_scores(best)
    pairs = tr(" on the same {pairs}", pairs=count(scores["n"], "pair")) if scores else ""
    stopped = [run.name for run in runs if run.state is TrainingRunState.CANCELLED]
    early = (
        tr(
            " {stopped} {was} stopped early.",
            stopped=listed(stopped),
            was=tr("was") if len(stopped) == 1 else tr("were"),
        )
        if stopped
        else ""
    )
    return tr(
        "{name} is {high} points of macro F1 better than {name_2}{pairs}.{early}",
        name=best.name,
        high=points(high - low),
        name_2=worst.name,
        pairs=pairs,
        early=early,
    )
