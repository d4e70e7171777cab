"""Which answers are read as votes, and what is read with them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from miner.errors import UserError
from miner.records import Answer, Label, Strategy
from storage.annotation.annotation_rounds import RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.marks import MarkKind, RejectReason
from storage.annotation.votes import VotedPair
from storage.dataset.gold_rule import GoldRule, GoldRules
from storage.pairs.filters import PairFilter, PairStatus
from storage.pairs.judgement import keys_scope
from storage.project import Project
from storage.settings import GOLD, GOLD_EVERYWHERE
from tests.storage.factories import add, mine, paper, some_pairs

AT = datetime(2026, 1, 2, tzinfo=UTC)
CONTRASTING, REASONING, ENTAILMENT, SHARED, NEUTRAL = (pair.key for pair in some_pairs(paper("a").md5).pairs)


@pytest.fixture
def mined(project: Project) -> Project:
    add(project, ["a"])
    mine(project)
    return project


_INSERT = "INSERT INTO label_events (pair_key, annotator, at, seen, new, via) VALUES (?, ?, '', ?, ?, 'answer')"


def give(
    project: Project,
    who: str,
    key: str,
    answer: Answer | None,
    *,
    source: AnswerSource = AnswerSource.ANSWER,
    seconds: float | None = None,
) -> None:
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(key, who, AT, answer, source, AnswerContext(seconds=seconds))])


def set_role(project: Project, key: str, role: Role) -> None:
    statement = "INSERT INTO annotators (key, name, role) VALUES (?, ?, ?)"
    with project.transaction() as stores:
        stores._connection.exec_driver_sql(statement, (key, key.capitalize(), role.value))


def read(project: Project, filter: PairFilter | None = None) -> dict[str, VotedPair]:
    with project.read_transaction() as stores:
        return {pair.key: pair for pair in stores.votes.answered(filter or PairFilter())}


def votes_of(pair: VotedPair) -> dict[str, Answer]:
    return {given.annotator: given.answer for given in pair.votes}


def test_each_annotators_last_answer_is_a_vote(mined: Project) -> None:
    give(mined, "ben", REASONING, Answer.UNCLEAR)
    give(mined, "anna", REASONING, Answer.NEUTRAL)
    give(mined, "anna", REASONING, Answer.REASONING)
    give(mined, "anna", NEUTRAL, Answer.NEUTRAL)
    give(mined, "anna", NEUTRAL, None)
    found = read(mined)
    assert votes_of(found[REASONING]) == {"anna": Answer.REASONING, "ben": Answer.UNCLEAR}
    assert set(found) == {REASONING}


def test_accepted_suggestions_are_no_votes(mined: Project) -> None:
    give(mined, "anna", REASONING, Answer.REASONING, source=AnswerSource.ACCEPTED)
    give(mined, "anna", ENTAILMENT, Answer.ENTAILMENT, source=AnswerSource.ACCEPTED)
    give(mined, "ben", ENTAILMENT, Answer.NEUTRAL)
    found = read(mined)
    assert {key: votes_of(pair) for key, pair in found.items()} == {ENTAILMENT: {"ben": Answer.NEUTRAL}}


def test_adjudicators_and_references_are_never_counted_and_estimates_stand_apart(mined: Project) -> None:
    for role in (Role.ADJUDICATOR, Role.REFERENCE, Role.EXPERT, Role.LAYPERSON):
        set_role(mined, role.value, role)
        give(mined, role.value, CONTRASTING, Answer.NEUTRAL)
    give(mined, "reference", REASONING, Answer.REASONING)
    give(mined, "anna", CONTRASTING, Answer.CONTRASTING)
    found = read(mined)
    assert set(found) == {CONTRASTING}
    assert votes_of(found[CONTRASTING]) == {"anna": Answer.CONTRASTING}
    assert [given.annotator for given in found[CONTRASTING].estimates] == ["expert", "layperson"]
    assert found[CONTRASTING].gold is Label.CONTRASTING


def test_a_pair_comes_with_its_labels_its_domain_and_its_rounds(mined: Project) -> None:
    give(mined, "anna", REASONING, Answer.NEUTRAL, seconds=7.5)
    give(mined, "ben", REASONING, Answer.NEUTRAL)
    with mined.transaction() as stores:
        for _ in range(2):
            stores.annotation_rounds.add(RoundPlan(), [RoundPair(REASONING, "biology", "reasoning")], [], AT)
    [pair] = read(mined).values()
    assert (pair.distant, pair.majority, pair.gold) == (Label.REASONING, Label.NEUTRAL, Label.NEUTRAL)
    assert (pair.phrase, pair.strategy, pair.domain) == ("However", Strategy.LINKED, "biology")
    assert pair.rounds == (1, 2)
    assert [given.seconds for given in pair.votes] == [7.5, None]


def test_gold_follows_the_projects_rule_and_the_majority_does_not(mined: Project) -> None:
    give(mined, "anna", REASONING, Answer.NEUTRAL)
    with mined.transaction() as stores:
        stores.settings.put(GOLD, GoldRules(GoldRule.AGREEING, votes=1))
        stores.settings.put(GOLD_EVERYWHERE, True)
        stores.annotators.refresh_statuses(lambda done, total: None)
        assert stores.votes.needed() == 1
    [pair] = read(mined).values()
    assert (pair.majority, pair.gold) == (Label.NEUTRAL, None)


def test_the_filter_selects_and_bad_pairs_are_left_out_unless_it_asks_for_them(mined: Project) -> None:
    for key in (CONTRASTING, REASONING, NEUTRAL):
        give(mined, "anna", key, Answer.NEUTRAL)
    with mined.transaction() as stores:
        action = stores.actions.begin("anna", "Bad", AT)
        stores.marks.put(keys_scope([REASONING]), "anna", MarkKind.BAD, next(iter(RejectReason)), AT, action=action)
    assert set(read(mined)) == {CONTRASTING, NEUTRAL}
    assert set(read(mined, PairFilter(strategies=frozenset({Strategy.LINKED})))) == {CONTRASTING}
    assert set(read(mined, PairFilter(domains=frozenset({"physics"})))) == set()
    assert set(read(mined, PairFilter(statuses=frozenset({PairStatus.BAD})))) == {REASONING}


def test_a_duration_that_is_none_is_left_out(mined: Project) -> None:
    for who, seen in enumerate(('{"seconds": "1e9"}', '{"seconds": -1}', '{"seconds": 1e999}', "{}", "[]")):
        with mined.transaction() as stores:
            values = (REASONING, f"annotator {who}", seen, Answer.REASONING.value)
            stores._connection.exec_driver_sql(_INSERT, values)
    [pair] = read(mined).values()
    assert {given.seconds for given in pair.votes} == {None}


def test_an_answer_that_no_version_knows_is_damage_said_in_a_sentence(mined: Project) -> None:
    with mined.transaction() as stores:
        stores._connection.exec_driver_sql(_INSERT, (REASONING, "x", "{}", "maybe"))
    with pytest.raises(UserError, match="damaged"):
        read(mined)


def test_answers_of_a_role_come_with_the_sentences_they_are_about(mined: Project) -> None:
    set_role(mined, "zoe", Role.EXPERT)
    give(mined, "zoe", REASONING, Answer.NEUTRAL)
    give(mined, "anna", REASONING, Answer.REASONING)
    with mined.read_transaction() as stores:
        pair = stores.pairs.get(REASONING)
        assert list(stores.votes.of_role(Role.EXPERT)) == [("zoe", pair.premise, pair.hypothesis, Answer.NEUTRAL)]
