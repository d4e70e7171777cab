"""Answers about kinds of reasoning, and rounds that ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from miner.kinds.questionnaire import Answers, PairKinds
from miner.kinds.taxonomy import RELATION, Direction
from storage.annotation.kinds import StoredTaxonomy
from storage.stores import Stores
from tests.storage.annotation.round_factory import AT

CAUSAL: Answers = {
    RELATION: frozenset({"reasoning"}),
    "outside": frozenset("e"),
    "way": frozenset("r"),
    "reasoning": frozenset("c"),
    "connectives": frozenset(),
    "direction": frozenset("f"),
}
TEMPORAL: Answers = {**CAUSAL, "reasoning": frozenset("ct"), "direction": frozenset("b")}
UNCLEAR: Answers = {RELATION: frozenset({"unclear"})}  # the shortest way through the questions
BEGUN: Answers = {RELATION: frozenset({"reasoning"})}
CAUSAL_KINDS = PairKinds("reasoning", frozenset({"causal"}), Direction.FORWARD, complete=True)
UNCLEAR_KINDS = PairKinds("unclear", frozenset(), None, complete=True)


def answer_round(stores: Stores, who: str, given: Mapping[str, Answers], at: datetime = AT) -> None:
    """Answer pairs of the project's last round that asks for kinds, as one action."""
    digest = [one.taxonomy for one in stores.annotation_rounds.all() if one.taxonomy][-1]
    taxonomy = StoredTaxonomy(digest, stores.kinds.taxonomy(digest))
    action = stores.actions.begin(who, "Answer about kinds", at)
    for key, answers in given.items():
        stores.kinds.answer(taxonomy, key, who, answers, at, action=action)
