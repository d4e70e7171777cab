"""Ties: which pairs wait for an adjudicator."""

from __future__ import annotations

from datetime import timedelta

import pytest

from miner.records import Answer
from storage.annotation.annotators import Role
from storage.annotation.answers import NewAnswer
from storage.project import Project
from tests.storage.annotation.round_factory import (
    AT,
    C,
    E,
    R,
    add_pairs,
    add_people,
    answer,
    answer_as,
    keys,
    set_rules,
)

UNCLEAR = Answer.UNCLEAR


def test_a_tie_has_all_its_votes_and_no_majority(project: Project) -> None:
    tie, waiting, majority, unclear, mixed, undecided = keys(add_pairs(project, {"x": {C: 6}})["x"])
    set_rules(project, votes=3)
    with project.transaction() as stores:
        answer(stores, tie, C, R, E)
        answer(stores, waiting, C, R)
        answer(stores, majority, C, R, C)
        answer(stores, unclear, UNCLEAR, UNCLEAR, UNCLEAR)
        answer(stores, mixed, UNCLEAR, C, UNCLEAR)
        answer(stores, undecided, UNCLEAR, C, R)
        assert stores.adjudication.ties() == sorted([tie, undecided])


def test_a_tie_that_an_adjudicator_has_answered_waits_for_nobody(project: Project) -> None:
    first, second = keys(add_pairs(project, {"x": {C: 2}})["x"])
    set_rules(project, votes=2)
    add_people(project, {"ada": Role.ADJUDICATOR, "bea": Role.ADJUDICATOR, "eve": Role.EXPERT})
    with project.transaction() as stores:
        for key in (first, second):
            answer(stores, key, C, R)
        answer_as(stores, "eve", second, C)
        assert stores.adjudication.ties("ada") == sorted([first, second])
        answer_as(stores, "ada", first, UNCLEAR)
        assert stores.adjudication.ties() == [second] == stores.adjudication.ties("ada")
        assert stores.adjudication.ties("bea") == sorted([first, second])
        answer_as(stores, "ada", second, E)
        assert stores.adjudication.ties() == []


@pytest.mark.parametrize("order", [("ada", "bea"), ("bea", "ada")])
def test_of_two_adjudicators_the_later_answer_decides_in_whatever_order_they_are_merged(
    project: Project, order: tuple[str, str]
) -> None:
    [key] = keys(add_pairs(project, {"x": {C: 1}})["x"])
    set_rules(project, votes=2)
    add_people(project, {"ada": Role.ADJUDICATOR, "bea": Role.ADJUDICATOR})
    said = {"ada": (AT, Answer.REASONING), "bea": (AT + timedelta(seconds=1.5), Answer.ENTAILMENT)}
    with project.transaction() as stores:
        answer(stores, key, C, R)
        for who in order:
            stores.answers.append([NewAnswer(key, who, *said[who])])
        [gold] = stores._connection.exec_driver_sql("SELECT gold FROM pairs").scalars()
    assert gold == "entailment"


def test_a_lone_vote_is_never_a_tie(project: Project) -> None:
    [key] = keys(add_pairs(project, {"x": {C: 1}})["x"])
    with project.transaction() as stores:
        answer(stores, key, UNCLEAR)
        assert stores.adjudication.ties() == []
