"""The sentences of the Model page: its button, the state of the suggestions, and how good they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from desktop.jobs.descriptions.doubts import doubts_text
from desktop.jobs.descriptions.models import calibration_text as calibration_figures
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.runner import JobRun, JobState
from storage.pairs.current_suggestions import SuggestionRunState

if TYPE_CHECKING:
    from desktop.jobs.models.calibration import Calibration
    from desktop.jobs.models.registry import ModelChoice
    from desktop.jobs.models.suggest_state import SuggestState
    from storage.models.suggestion_statistics import SuggestionSummary

MIN_ANSWERS = 30  # for figures about the model
NO_PAIRS_TEXT = tr("A model suggests the label of every pair. There are no pairs yet: add papers first.")
NO_SUGGESTIONS_TEXT = tr(
    "The model reads every pair and suggests a label, with a confidence. Nothing leaves this computer."
)


class ButtonState(NamedTuple):
    """The Suggest button. again: it makes all suggestions anew. is_primary: it is the main action of the page."""

    text: str
    again: bool = False
    is_primary: bool = True


def is_current_model(state: SuggestState, choice: ModelChoice) -> bool:
    """Whether the current suggestions are by this model."""
    if state.shown is None:
        return False
    return choice.digest == state.shown.digest if choice.digest else choice.name == state.shown.model


def button_state(state: SuggestState, choice: ModelChoice) -> ButtonState:
    if not is_current_model(state, choice) or state.shown is None:
        return ButtonState(tr("Suggest labels for {pairs}", pairs=count(state.pairs, "pair")))
    if not state.missing:
        return ButtonState(tr("Suggest again"), again=True, is_primary=False)
    if state.shown.state is SuggestionRunState.RUNNING:
        return ButtonState(tr("Suggest labels for the other {pairs}", pairs=count(state.missing, "pair")))
    return ButtonState(tr("Suggest labels for {pairs}", pairs=count(state.missing, "pair")))


def subtitle_text(state: SuggestState) -> str:
    """The line below the title."""
    if state.shown is None or state.summary is None:
        return tr("{pairs}, none with a suggestion yet", pairs=count(state.pairs, "pair"))
    suggested = state.summary.suggested
    parts = [
        tr(
            "{suggested:,} of {pairs} with a suggestion by {model}",
            suggested=suggested,
            pairs=count(state.pairs, "pair"),
            model=state.shown.model,
        )
    ]
    if state.missing and state.shown.state is not SuggestionRunState.RUNNING:
        parts.append(tr("{pairs} without one", pairs=count(state.missing, "pair")))
    if state.summary.waiting:
        parts.append(tr("{labels} to check", labels=count(state.summary.waiting, "doubted label")))
    return " · ".join(parts)


def progress_text(run: JobRun) -> str:
    """The progress in words, such as "Paused at 300 of 976 pairs"."""
    if run.progress.cancelled:
        return tr("Stopping…")
    if run.state is JobState.WAITING:
        return tr("Waiting for the previous job")
    if run.last_tick is None or not run.last_tick.total:
        return tr("Loading the model…")
    text = tr("{done:,} of {pairs}", done=run.last_tick.done, pairs=count(run.last_tick.total, "pair"))
    return tr("Paused at {text}", text=text) if run.state is JobState.PAUSED else text


def doubted_text(state: SuggestState, labels: int, expected_wrong: float) -> str:
    """How many of the labels the model doubts, and how far it can be trusted, in words.

    labels: their number. expected_wrong: the sum of all doubts.
    """
    summary, record = state.summary, doubts_text(state.doubts)
    assert summary is not None
    expected = tr(
        "According to the phrases’ precision and the model, about {expected_wrong:,.0f} of {labels} are wrong.",
        expected_wrong=expected_wrong,
        labels=count(labels, "label"),
    )
    return f"{_counts_text(summary, expected)} {record}".rstrip()


def _counts_text(summary: SuggestionSummary, expected: str) -> str:
    if not summary.doubted:
        return tr("{expected} No label is more likely wrong than right.", expected=expected)
    waiting, settled = summary.waiting, summary.doubted - summary.waiting
    rest = tr("{waiting:,} to check on the page Doubted labels", waiting=waiting)
    if settled:
        rest = tr(
            "{settled:,} {is_} answered, {rest}",
            settled=settled,
            is_=tr("is") if settled == 1 else tr("are"),
            rest=rest,
        )
    return tr(
        "{expected} More likely wrong than right: {doubted:,}, {rest}.",
        expected=expected,
        doubted=summary.doubted,
        rest=rest,
    )


def calibration_text(calibration: Calibration | None) -> str:
    """How often the suggestions are right, measured on people's answers."""
    if calibration is None or not calibration.n:
        return tr("The accuracy of the model is not known, because none of these pairs is annotated yet.")
    if calibration.n < MIN_ANSWERS:
        return tr(
            "Only {pairs} annotated: too few to measure the accuracy of the model.", pairs=count(calibration.n, "pair")
        )
    return calibration_figures(calibration).replace(" %", "\N{NO-BREAK SPACE}%")


def retrain_text(answers: int) -> str:
    """The offer to train again."""
    return tr("{answers} since this model was made: enough to train a better one.", answers=count(answers, "answer"))
