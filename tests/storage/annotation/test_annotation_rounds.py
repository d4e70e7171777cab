"""Annotation rounds and assignments as they are stored."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from miner import codec
from storage.annotation.annotation_rounds import (
    AnnotationRound,
    Assignment,
    AssignmentState,
    RoundKind,
    RoundPair,
    RoundPlan,
)
from storage.pairs.filters import PairFilter
from storage.project import Project

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
