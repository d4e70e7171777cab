"""The sentences of the Suggest page."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from desktop.jobs.models.calibration import Calibration
from desktop.jobs.models.registry import ModelChoice
from desktop.jobs.models.suggest_state import SuggestState
from desktop.ui.pages.suggest.text import (
    MIN_ANSWERS,
    ButtonState,
    button_state,
    calibration_text,
    doubted_text,
    subtitle_text,
)
from miner.records import Label
from storage.models.registry import ModelKind
from storage.models.suggestion_statistics import SuggestionSummary
from storage.models.suggestions import SuggestionRun
from storage.pairs.current_suggestions import SuggestionRunState

STARTER = ModelChoice("starter", "starter", ModelKind.STARTER, "", digest="a")
OTHER = ModelChoice("1-mine", "mine", ModelKind.PROJECT, "", digest="b")
RUN = SuggestionRun(
    1, 1, "a", "starter", 1.0, SuggestionRunState.COMPLETE, "processor", "", datetime.now(UTC), None, 900, True
)
SUMMARY = SuggestionSummary(900, 76, dict.fromkeys(Label, 225), (0,) * 20, 1, 1)
STATE = SuggestState((STARTER, OTHER), RUN, False, 976, 76, SUMMARY, None, (), (), (), 0, False)


def test_the_button_says_what_it_does() -> None:
    assert button_state(STATE, STARTER) == ButtonState("Suggest labels for 76 pairs")
    assert button_state(replace(STATE, missing=1), STARTER) == ButtonState("Suggest labels for 1 pair")
    assert button_state(replace(STATE, missing=0), STARTER) == ButtonState(
        "Suggest again", again=True, is_primary=False
    )
    assert button_state(STATE, OTHER) == ButtonState("Suggest labels for 976 pairs")
    assert button_state(replace(STATE, shown=None), STARTER) == ButtonState("Suggest labels for 976 pairs")
    interrupted = replace(STATE, shown=replace(RUN, state=SuggestionRunState.RUNNING))
    assert button_state(interrupted, STARTER) == ButtonState("Suggest labels for the other 76 pairs")


def test_the_line_below_the_title_counts() -> None:
    assert (
        subtitle_text(STATE)
        == "900 of 976 pairs with a suggestion by starter · 76 pairs without one · 1 doubted label to check"
    )
    assert subtitle_text(replace(STATE, shown=None)) == "976 pairs, none with a suggestion yet"


def test_expected_errors_doubted_labels_and_waiting_ones_are_told_apart() -> None:
    expected = "According to the phrases’ precision and the model, about 138 of 909 labels are wrong."

    def said(doubted: int, waiting: int) -> str:
        return doubted_text(replace(STATE, summary=replace(SUMMARY, doubted=doubted, waiting=waiting)), 909, 138.2)

    rest = "3 are answered, 51 to check on the page Doubted labels."
    assert said(54, 51) == f"{expected} More likely wrong than right: 54, {rest}"
    assert said(1, 1) == f"{expected} More likely wrong than right: 1, 1 to check on the page Doubted labels."
    assert said(0, 0) == f"{expected} No label is more likely wrong than right."


def test_there_are_no_figures_of_few_answers() -> None:
    assert calibration_text(None).startswith("The accuracy of the model is not known")
    assert "too few" in calibration_text(Calibration(MIN_ANSWERS - 1, 1.0, 1.0, 0.0))
    known = calibration_text(Calibration(312, 0.702, 0.681, 0.018))
    assert (
        known
        == "On 312 answers: macro F1 68.1, accuracy 70.2\N{NO-BREAK SPACE}%, calibration error 1.8\N{NO-BREAK SPACE}%."
    )
