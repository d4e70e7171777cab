"""Why a pair comes now, in sentences; blind, they give away nothing that is hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop.ui.judging.why_this_pair import PairSource, why_this_pair
from miner.records import Answer, Label, Suggestion
from storage.annotation.annotation_rounds import RoundKind, RoundPlan
from storage.annotation.rounds import ReviewItem, RoundOrder
from storage.pairs.filters import PairFilter
from tests.storage.factories import pair

PAIR = pair("0" * 32, "Sand is old.", "However, wind is new.")
ITEM = ReviewItem(PAIR, "0" * 32, "On dunes", 2019, "biology", True, "open", None, 0, False, None, None)
SUGGESTED = Suggestion(Label.REASONING, 0.41, (0.03, 0.41, 0.30, 0.26), 0.97, 0.11, "small")
REVEALING = PairFilter(
    domains=frozenset({"biology"}), distant=frozenset({"contrasting"}), phrases=frozenset({"However"})
)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (RoundOrder.DISAGREEMENTS, "The model gives the distant label, contrasting, 3 %."),
        (RoundOrder.LEAST_CERTAIN, "The model gives its best label, reasoning, 41 %."),
        (RoundOrder.ACTIVE, "The model gives its best label, reasoning, 41 %."),
        (RoundOrder.RANDOM, ""),
    ],
)
def test_nothing_hidden_is_told_before_the_answer(order: RoundOrder, said: str) -> None:
    item = replace(ITEM, suggestion=SUGGESTED)
    source = PairSource("your queue", 2, 12, order, REVEALING)
    shown = why_this_pair(source, item, hides=False)
    assert shown[0] == "This is pair 2 of 12 in your queue."
    assert any("However" in sentence and "biology" in sentence for sentence in shown)
    assert said in ("", shown[-1])
    blind = " ".join(why_this_pair(source, item, hides=True))
    assert "biology" in blind
    assert "other conditions are hidden" in blind
    model_is_named = "What the model says of this pair is hidden" in blind
    assert model_is_named is bool(said)
    assert not any(word in blind for word in ("However", "contrasting", "reasoning,", "41 %", "3 %"))


def test_a_round_says_how_its_pairs_were_drawn() -> None:
    plan = RoundPlan(RoundKind.PILOT, PairFilter(years=(2015, None)), ("psychology", "nlp"), size=20)
    sentences = why_this_pair(PairSource("round 1", 3, 40, RoundOrder.ASSIGNED, plan=plan), ITEM, hides=True)
    assert sentences == (
        "This is pair 3 of 40 in round 1.",
        "The pairs of this pilot round were drawn at random from nlp and psychology, up to 20 of each class and "
        "domain. Only pairs that match the filter come here (Year: from 2015).",
    )
    assert Answer.UNCLEAR.value not in " ".join(sentences)
