"""The results of suggestions and trainings, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.text import count, points

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.models.calibration import Calibration
    from desktop.jobs.models.suggestions import SuggestionResult
    from desktop.jobs.models.training import TrainedModel


def describe_suggestions(suggested: SuggestionResult) -> ResultText:
    parts = [
        f"{count(suggested.pairs, 'pair')} with a suggestion by {suggested.model}",
        f"{suggested.new:,} of them new",
    ]
    parts += [f"in {suggested.seconds:,.1f} s ({suggested.device})"] if suggested.new else []
    notes = []
    if suggested.ece is not None:
        fitted = f"on {count(suggested.calibrated_on, 'answer')}: expected calibration error {points(suggested.ece)} %"
        notes = [f"Confidence was adjusted (temperature {suggested.temperature:.2f}) {fitted}."]
    return ResultText(joined(parts), tuple(notes), tuple(map(ResultProblem, suggested.notes)))


def describe_training(trained: TrainedModel) -> ResultText:
    best = trained.metrics.get("held_out") or trained.metrics.get("dev")
    learned = f"“{trained.name}” (run {trained.run}) learned from {count(trained.examples, 'pair')}"
    parts = [f"{learned} in {trained.seconds:,.0f} s ({trained.device})"]
    parts += [f"macro F1 {points(best['macro_f1'])}"] if best else []
    parts += ["stopped early; the best so far is kept"] if trained.stopped else []
    notes = []
    for name, pairs in (("dev", "held out for validation"), ("held_out", "judged by cross-validation")):
        if scores := trained.metrics.get(name):
            figures = scores_text(scores["macro_f1"], scores["accuracy"], scores.get("ece"))
            notes.append(f"On {count(scores['n'], 'pair')} {pairs}: {figures}.")
    notes += [str(trained.kept)] if str(trained.kept) else []
    problems = [ResultProblem(note) for note in trained.notes]
    if others := trained.gone + trained.changed:
        now = f"{trained.gone:,} removed, {trained.changed:,} with another label or text"
        text = f"During training, {count(others, 'example')} changed in the project: {now}."
        problems.append(ResultProblem(text, "Train again to learn from the current labels."))
    return ResultText(joined(parts), tuple(notes), tuple(problems))


def scores_text(macro_f1: float, accuracy: float, calibration_error: float | None = None) -> str:
    """ "macro F1 68.1, accuracy 70.4 %, calibration error 3.0 %"; shares in, the last only where it is known."""
    text = f"macro F1 {points(macro_f1)}, accuracy {points(accuracy)} %"
    return text if calibration_error is None else f"{text}, calibration error {points(calibration_error)} %"


def calibration_text(known: Calibration) -> str:
    """How right the suggestions are, by people's answers."""
    return f"On {count(known.n, 'answer')}: {scores_text(known.macro_f1, known.accuracy, known.ece)}."
