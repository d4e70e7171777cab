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
NO_PAIRS_TEXT = "No pairs yet. Add papers, and a model can suggest how the sentences found in them are related."
NO_SUGGESTIONS_TEXT = "The model reads every pair and says which relation it sees. Nothing leaves this computer."


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
        return ButtonState(f"Suggest {count(state.pairs, 'pair')}")
    if not state.missing:
        return ButtonState("Suggest again", again=True, is_primary=False)
    if state.shown.state is SuggestionRunState.RUNNING:
        return ButtonState(f"Suggest the other {count(state.missing, 'pair')}")
    return ButtonState(f"Suggest {count(state.missing, 'new pair')}")


def subtitle_text(state: SuggestState) -> str:
    """The line below the title."""
    if state.shown is None or state.summary is None:
        return f"{count(state.pairs, 'pair')}, none with a suggestion yet"
    suggested = state.summary.suggested
    parts = [f"{suggested:,} of {count(state.pairs, 'pair')} with a suggestion by {state.shown.model}"]
    if state.missing and state.shown.state is not SuggestionRunState.RUNNING:
        parts.append(f"{state.missing:,} new since")
    if state.summary.waiting:
        parts.append(f"{count(state.summary.waiting, 'doubtful label')} to settle")
    return " · ".join(parts)


def progress_text(run: JobRun) -> str:
    """Such as "Paused at 300 of 976 pairs"."""
    if run.progress.cancelled:
        return "Stopping…"
    if run.state is JobState.WAITING:
        return "Waiting for the job before it"
    if run.last_tick is None or not run.last_tick.total:
        return "Loading the model…"
    text = f"{run.last_tick.done:,} of {count(run.last_tick.total, 'pair')}"
    return f"Paused at {text}" if run.state is JobState.PAUSED else text


def doubts_text(summary: SuggestionSummary, labels: int, expected_wrong: float) -> str:
    """How many of so many labels the model doubts. expected_wrong: the sum of all doubts."""
    expected = (
        f"Taking its doubts together, the model expects about {expected_wrong:,.0f} of {count(labels, 'label')} "
        "to be wrong."
    )
    if not summary.doubted:
        return f"{expected} It doubts none by {DOUBTED_PERCENT} % or more."
    waiting, settled = summary.waiting, summary.doubted - summary.waiting
    rest = f"{waiting:,} {'waits' if waiting == 1 else 'wait'} under Doubted labels"
    if settled:
        rest = f"{settled:,} {'is' if settled == 1 else 'are'} answered, {rest}"
    return f"{expected} It doubts {summary.doubted:,} by {DOUBTED_PERCENT} % or more: {rest}."


def calibration_text(calibration: Calibration | None) -> str:
    """How often the suggestions are right, measured on people's answers."""
    if calibration is None or not calibration.n:
        return "Nobody has answered these pairs yet, so how right the model is cannot be said."
    if calibration.n < MIN_ANSWERS:
        return f"People have answered {count(calibration.n, 'pair')}: too few to say how right the model is."
    return calibration_figures(calibration).replace(" %", "\N{NO-BREAK SPACE}%")


def retrain_text(answers: int) -> str:
    """The offer to train again."""
    return f"{count(answers, 'answer')} since this model was made: enough to train a better one."
