"""What the Suggest page says: its button, the state of the suggestions, and how right they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from desktop.jobs.results import calibration_text
from desktop.text import count
from storage.models.figures import DOUBTED_PERCENT
from storage.pairs.current_suggestions import SuggestionRunState

if TYPE_CHECKING:
    from desktop.jobs.models.registry import ModelChoice
    from desktop.jobs.models.suggest_state import Calibration, SuggestState
    from storage.models.suggestions import SuggestionSummary

FEW = 30  # answers; of fewer no figure is given
NO_PAIRS = "No pairs yet. Add papers, and a model can suggest how the sentences found in them are related."
FIRST = "The model reads every pair and says which relation it sees. Nothing leaves this computer."
ENOUGH = "enough to train a better one"


class Wish(NamedTuple):
    """What the button does: `again` makes all suggestions anew, `main` is what people come for."""

    text: str
    again: bool = False
    main: bool = True


def is_shown(state: SuggestState, choice: ModelChoice) -> bool:
    """Whether the suggestions there are come from this model."""
    if state.shown is None:
        return False
    return choice.digest == state.shown.digest if choice.digest else choice.name == state.shown.model


def wish(state: SuggestState, choice: ModelChoice) -> Wish:
    if not is_shown(state, choice) or state.shown is None:
        return Wish(f"Suggest {count(state.pairs, 'pair')}")
    if not state.missing:
        return Wish("Suggest again", again=True, main=False)
    if state.shown.state is SuggestionRunState.RUNNING:
        return Wish(f"Suggest the other {count(state.missing, 'pair')}")
    return Wish(f"Suggest {count(state.missing, 'new pair')}")


def standing(state: SuggestState) -> str:
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


def doubts(summary: SuggestionSummary, pairs: int, wrong: float) -> str:
    """How many labels are doubted, of so many that could be; `wrong`: the sum of all doubts."""
    expected = (
        f"Taking its doubts together, the model expects about {wrong:,.0f} of {count(pairs, 'label')} to be wrong."
    )
    if not summary.doubted:
        return f"{expected} It doubts none by {DOUBTED_PERCENT} % or more."
    waiting, settled = summary.waiting, summary.doubted - summary.waiting
    rest = f"{waiting:,} {'waits' if waiting == 1 else 'wait'} in Disagreements"
    if settled:
        rest = f"{settled:,} {'is' if settled == 1 else 'are'} answered, {rest}"
    return f"{expected} It doubts {summary.doubted:,} by {DOUBTED_PERCENT} % or more: {rest}."


def calibration(known: Calibration | None) -> str:
    """How right the suggestions are, as far as people's answers tell."""
    if known is None or not known.n:
        return "Nobody has answered these pairs yet, so how right the model is cannot be said."
    if known.n < FEW:
        return f"People have answered {count(known.n, 'pair')}: too few to say how right the model is."
    return calibration_text(known).replace(" %", "\N{NO-BREAK SPACE}%")


def offer(answers: int) -> str:
    return f"{count(answers, 'answer')} since this model was made: {ENOUGH}."
