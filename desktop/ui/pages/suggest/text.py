"""The sentences of the Model page: its button, the state of the suggestions, and how good they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from desktop.jobs.descriptions.models import calibration_text as calibration_figures
from desktop.text import count
from desktop.ui.services.runner import JobRun, JobState
from storage.models.suggestion_statistics import DOUBTED_PERCENT
from storage.pairs.current_suggestions import SuggestionRunState

if TYPE_CHECKING:
    from desktop.jobs.models.calibration import Calibration
    from desktop.jobs.models.registry import ModelChoice
    from desktop.jobs.models.suggest_state import SuggestState
    from storage.models.suggestion_statistics import SuggestionSummary

MIN_ANSWERS = 30  # for figures about the model
NO_PAIRS_TEXT = "A model suggests the label of every pair. There are no pairs yet: add papers first."
NO_SUGGESTIONS_TEXT = (
    "The model reads every pair and suggests a label, with a confidence. Nothing leaves this computer."
)


class ButtonState(NamedTuple):
    """The Suggest button. again: it makes all suggestions again. is_primary: it is the main action of the page."""

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
        return ButtonState(f"Suggest labels for {count(state.pairs, 'pair')}")
    if not state.missing:
        return ButtonState("Suggest again", again=True, is_primary=False)
    if state.shown.state is SuggestionRunState.RUNNING:
        return ButtonState(f"Suggest labels for the other {count(state.missing, 'pair')}")
    return ButtonState(f"Suggest labels for {count(state.missing, 'new pair')}")


def subtitle_text(state: SuggestState) -> str:
    """The line below the title."""
    if state.shown is None or state.summary is None:
        return f"{count(state.pairs, 'pair')}, none with a suggestion yet"
    suggested = state.summary.suggested
    parts = [f"{suggested:,} of {count(state.pairs, 'pair')} with a suggestion by {state.shown.model}"]
    if state.missing and state.shown.state is not SuggestionRunState.RUNNING:
        parts.append(f"{count(state.missing, 'new pair')} without one")
    if state.summary.waiting:
        parts.append(f"{count(state.summary.waiting, 'doubted label')} to check")
    return " · ".join(parts)


def progress_text(run: JobRun) -> str:
    """Such as "Paused at 300 of 976 pairs"."""
    if run.progress.cancelled:
        return "Stopping…"
    if run.state is JobState.WAITING:
        return "Waiting for the previous job"
    if run.last_tick is None or not run.last_tick.total:
        return "Loading the model…"
    text = f"{run.last_tick.done:,} of {count(run.last_tick.total, 'pair')}"
    return f"Paused at {text}" if run.state is JobState.PAUSED else text


def doubts_text(summary: SuggestionSummary, labels: int, expected_wrong: float) -> str:
    """How many of so many labels the model doubts. expected_wrong: the sum of all doubts."""
    expected = f"According to the model, about {expected_wrong:,.0f} of {count(labels, 'label')} are wrong."
    if not summary.doubted:
        return f"{expected} For no label is the doubt {DOUBTED_PERCENT} % or more."
    waiting, settled = summary.waiting, summary.doubted - summary.waiting
    rest = f"{waiting:,} to check on the page Doubted labels"
    if settled:
        rest = f"{settled:,} {'is' if settled == 1 else 'are'} answered, {rest}"
    return f"{expected} For {summary.doubted:,} the doubt is {DOUBTED_PERCENT} % or more: {rest}."


def calibration_text(calibration: Calibration | None) -> str:
    """How often the suggestions are right, measured on people's answers."""
    if calibration is None or not calibration.n:
        return "The accuracy of the model is not known, because none of these pairs is annotated yet."
    if calibration.n < MIN_ANSWERS:
        return f"Only {count(calibration.n, 'pair')} annotated: too few to measure the accuracy of the model."
    return calibration_figures(calibration).replace(" %", "\N{NO-BREAK SPACE}%")


def retrain_text(answers: int) -> str:
    """The offer to train again."""
    return f"{count(answers, 'answer')} since this model was made: enough to train a better one."
