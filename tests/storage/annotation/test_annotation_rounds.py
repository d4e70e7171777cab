"""Annotation rounds and assignments as they are stored."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from miner import codec
from storage.annotation import annotation_rounds, annotators
from storage.annotation.annotation_rounds import (
    AnnotationRound,
    Assignment,
    AssignmentState,
    RoundKind,
    RoundPair,
    RoundPlan,
)
from storage.annotation.answers import NewAnswer
from storage.annotation.marks import MarkKind
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import keys_scope
from storage.project import Project
from tests.storage.annotation.round_factory import C, R, add_pairs, answer_as, keys

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLAN = RoundPlan(RoundKind.PILOT, PairFilter(text="kelp"), ("ecology",), dev=0, test=40, size=5, seed=9)
PAIRS = [RoundPair("b", "ecology", "neutral"), RoundPair("a", "ecology", None)]


def add_round(project: Project, *annotators: str, plan: RoundPlan = PLAN) -> AnnotationRound:
    with project.transaction() as stores:
        return stores.annotation_rounds.add(plan, PAIRS, annotators, AT)


def test_a_round_is_read_as_it_was_added(project: Project) -> None:
    added = add_round(project, "anna", "ben")
    with project.read_transaction() as stores:
        assert stores.annotation_rounds.all() == [added]
        assert stores.annotation_rounds.get(1) == stores.annotation_rounds.find(added.uid) == added
        assert stores.annotation_rounds.get(2) is stores.annotation_rounds.find("other") is None
        assert stores.annotation_rounds.pairs(1) == PAIRS
        assert stores.annotation_rounds.keys(1) == ("b", "a")
    assert (added.number, added.plan, added.size, added.is_open) == (1, PLAN, 2, True)


def test_rounds_are_numbered_and_each_has_its_own_uid(project: Project) -> None:
    first, second = add_round(project), add_round(project)
    assert (first.number, second.number) == (1, 2)
    assert first.uid != second.uid


def test_each_annotator_has_one_assignment(project: Project) -> None:
    add_round(project, "ben", "anna", "ben")
    with project.transaction() as stores:
        anna, ben = stores.annotation_rounds.assignments(1)
        assert (anna.annotator, ben.annotator) == ("anna", "ben")
        assert anna == Assignment(anna.uid, 1, "anna", AssignmentState.OPEN, 2)
        assert stores.annotation_rounds.assign(1, "anna") == anna
        assert stores.annotation_rounds.assignment(anna.uid) == anna
        assert stores.annotation_rounds.assignment("other") is None
        assert len(stores.annotation_rounds.assignments()) == 2


def test_a_round_can_be_closed_and_opened_again(project: Project) -> None:
    add_round(project)
    for is_open in (False, True):
        with project.transaction() as stores:
            stores.annotation_rounds.set_open(1, is_open)
            [round] = stores.annotation_rounds.all()
            assert round.is_open is is_open


@pytest.mark.parametrize("bad", [{"size": 0}, {"test": -1}, {"seed": -1}, {"size": 100_001}])
def test_a_plan_out_of_range_is_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be from"):
        RoundPlan(**bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be from"):
        codec.from_data(RoundPlan, bad)


def test_what_is_answered_follows_answers_that_were_changed_withdrawn_or_accepted(project: Project) -> None:
    pairs = add_pairs(project, {"ecology": {C: 6}})["ecology"]
    first, second, third, fourth, fifth, sixth = keys(pairs)
    with project.transaction() as stores:
        drawn = [RoundPair(key, "ecology", C) for key in (*keys(pairs), "0" * 32)]
        round = stores.annotation_rounds.add(PLAN, drawn, ["ada", "ben"], AT)
        answer_as(stores, "ada", first, C)
        answer_as(stores, "ada", second, C)
        answer_as(stores, "ada", second, R)
        answer_as(stores, "ada", third, C)
        stores.answers.append([NewAnswer(third, "ada", AT, None)])
        answer_as(stores, "ada", fourth, C, accepted=True)
        answer_as(stores, "ada", "0" * 32, C)
        action = stores.actions.begin("ben", "Mark as bad", AT)
        stores.marks.put(keys_scope([first, fifth]), "ben", MarkKind.BAD, "broken", AT, action=action)
        progress = stores.annotation_rounds.progress()
        uids = {one.annotator: one.uid for one in stores.annotation_rounds.assignments(round.number)}
        assert progress == {uids["ada"]: (2, 3), uids["ben"]: (4, 0)}
        assert stores.annotators.answer_counts() == {"ada": 2}
        assert sixth in stores.annotation_rounds.keys(round.number)


def test_what_is_answered_is_told_by_indices_alone(project: Project) -> None:
    with project.read_transaction() as stores:
        for sql in (annotation_rounds._LEFT, annotators._ANSWER_COUNTS):
            plan = [row[3] for row in stores._connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}")]
            assert "SEARCH pairs USING COVERING INDEX sqlite_autoindex_pairs_1 (key=?)" in plan
            assert any("USING COVERING INDEX label_events_by_pair" in step for step in plan)
