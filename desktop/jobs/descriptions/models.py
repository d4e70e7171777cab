"""The results of suggestions and trainings, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.jobs.descriptions.result_text import ResultProblem, ResultText, joined
from desktop.text import count, points
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without these modules
    from desktop.jobs.models.calibration import Calibration
    from desktop.jobs.models.suggestions import SuggestionResult
    from desktop.jobs.models.training import TrainedModel

MEASURED_ON = {"held_out": tr("judged by cross-validation"), "dev": tr("held out for validation")}
"""What the pairs are that a run was measured on, by the key of its `metrics`; the figures of a run are of the first."""


def describe_suggestions(suggested: SuggestionResult) -> ResultText:
    parts = [
        tr("{pairs} with a suggestion by {model}", pairs=count(suggested.pairs, "pair"), model=suggested.model),
        tr("{new:,} of them new", new=suggested.new),
    ]
    parts += (
        [tr("in {seconds:,.1f} s ({device})", seconds=suggested.seconds, device=suggested.device)]
        if suggested.new
        else []
    )
    notes = []
    if suggested.ece is not None:
        fitted = tr(
            "on {answers}: expected calibration error {ece} %",
            answers=count(suggested.calibrated_on, "answer"),
            ece=points(suggested.ece),
        )
        notes = [
            tr(
                "Confidence was adjusted (temperature {temperature:.2f}) {fitted}.",
                temperature=suggested.temperature,
                fitted=fitted,
            )
        ]
    return ResultText(joined(parts), tuple(notes), tuple(map(ResultProblem, suggested.notes)))


def describe_training(trained: TrainedModel) -> ResultText:
    best = trained.metrics.get("held_out") or trained.metrics.get("dev")
    learned = tr(
        "“{name}” (run {run}) learned from {pairs}",
        name=trained.name,
        run=trained.run,
        pairs=count(trained.examples, "pair"),
    )
    parts = [
        tr("{learned} in {seconds:,.0f} s ({device})", learned=learned, seconds=trained.seconds, device=trained.device)
    ]
    parts += [tr("macro F1 {best}", best=points(best["macro_f1"]))] if best else []
    parts += [tr("stopped early; the best so far is kept")] if trained.stopped else []
    notes = []
    for name, pairs in reversed(MEASURED_ON.items()):
        if scores := trained.metrics.get(name):
            figures = scores_text(scores["macro_f1"], scores["accuracy"], scores.get("ece"))
            notes.append(
                tr("On {pairs} {pairs_2}: {figures}.", pairs=count(scores["n"], "pair"), pairs_2=pairs, figures=figures)
            )
    notes += [str(trained.kept)] if str(trained.kept) else []
    problems = [ResultProblem(note) for note in trained.notes]
    if others := trained.gone + trained.changed:
        now = tr("{gone:,} removed, {changed:,} with another label or text", gone=trained.gone, changed=trained.changed)
        text = tr(
            "During training, {examples} changed in the project: {now}.", examples=count(others, "example"), now=now
        )
        problems.append(ResultProblem(text, tr("Train again to learn from the current labels.")))
    return ResultText(joined(parts), tuple(notes), tuple(problems))


def scores_text(macro_f1: float, accuracy: float, calibration_error: float | None = None) -> str:
    """ "macro F1 68.1, accuracy 70.4 %, calibration error 3.0 %"; shares in, the last only where it is known."""
    text = tr("macro F1 {macro_f1}, accuracy {accuracy} %", macro_f1=points(macro_f1), accuracy=points(accuracy))
    return (
        text
        if calibration_error is None
        else tr(
            "{text}, calibration error {calibration_error} %", text=text, calibration_error=points(calibration_error)
        )
    )


def calibration_text(known: Calibration) -> str:
    """How often the suggestions are right, measured on people's answers, in words."""
    return tr(
        "On {answers}: {scores_text}.",
        answers=count(known.n, "answer"),
        scores_text=scores_text(known.macro_f1, known.accuracy, known.ece),
    )
