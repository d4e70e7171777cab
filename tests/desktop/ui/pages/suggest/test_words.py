"""What the Suggest page says in each state."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from desktop.jobs.models.registry import ModelChoice
from desktop.jobs.models.suggest_state import Calibration, SuggestState
from desktop.ui.pages.suggest import words
from miner.records import Label
from storage.models.registry import ModelKind
from storage.models.suggestions import SuggestionRun, SuggestionSummary
from storage.pairs.current_suggestions import SuggestionRunState

STARTER = ModelChoice("starter", "starter", ModelKind.STARTER, "", digest="a")
OTHER = ModelChoice("1-mine", "mine", ModelKind.PROJECT, "", digest="b")
RUN = SuggestionRun(
    1, 1, "a", "starter", 1.0, SuggestionRunState.COMPLETE, "processor", "", datetime.now(UTC), None, 900, True
)
SUMMARY = SuggestionSummary(900, 76, dict.fromkeys(Label, 225), (0,) * 20, 1, 1)
STATE = SuggestState((STARTER, OTHER), RUN, False, 976, 76, SUMMARY, None, (), (), (), 0, False)


def test_the_button_says_what_it_does() -> None:
    assert words.wish(STATE, STARTER) == words.Wish("Suggest 76 new pairs")
    assert words.wish(replace(STATE, missing=1), STARTER) == words.Wish("Suggest 1 new pair")
    assert words.wish(replace(STATE, missing=0), STARTER) == words.Wish("Suggest again", again=True, main=False)
    assert words.wish(STATE, OTHER) == words.Wish("Suggest 976 pairs")
    assert words.wish(replace(STATE, shown=None), STARTER) == words.Wish("Suggest 976 pairs")
    interrupted = replace(STATE, shown=replace(RUN, state=SuggestionRunState.RUNNING))
    assert words.wish(interrupted, STARTER) == words.Wish("Suggest the other 76 pairs")


def test_the_line_below_the_title_counts() -> None:
    assert (
        words.standing(STATE)
        == "900 of 976 pairs with a suggestion by starter · 76 new since · 1 doubtful label to settle"
    )
    assert words.standing(replace(STATE, shown=None)) == "976 pairs, none with a suggestion yet"


def test_one_sentence_tells_what_is_doubted_from_what_is_expected_and_what_waits() -> None:
    expected = "Taking its doubts together, the model expects about 138 of 909 labels to be wrong."
    some = words.doubts(replace(SUMMARY, doubted=54, waiting=51), 909, 138.2)
    assert some == f"{expected} It doubts 54 by 80 % or more: 3 are answered, 51 wait in Disagreements."
    assert words.doubts(SUMMARY, 909, 138.2) == f"{expected} It doubts 1 by 80 % or more: 1 waits in Disagreements."
    none = words.doubts(replace(SUMMARY, doubted=0, waiting=0), 909, 138.2)
    assert none == f"{expected} It doubts none by 80 % or more."


def test_few_answers_are_no_figure() -> None:
    assert words.calibration(None).startswith("Nobody has answered")
    assert "too few" in words.calibration(Calibration(words.FEW - 1, 1.0, 1.0, 0.0))
    known = words.calibration(Calibration(312, 0.702, 0.681, 0.018))
    assert (
        known
        == "On 312 answers: macro F1 68.1, right 70.2\N{NO-BREAK SPACE}%, calibration error 1.8\N{NO-BREAK SPACE}%."
    )
