"""People of a project: listed, added, renamed, found by name, and taken back by undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from desktop.jobs.review import answers as review
from desktop.jobs.review.people import add_person, find_person, list_people, rename_person, set_role
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer, Label
from storage.annotation.annotation_rounds import RoundPlan
from storage.annotation.annotators import Role
from storage.project import Project
from tests.storage.annotation.round_factory import (
    C,
    add_pairs,
    answer_as,
    hold_rules_everywhere,
)

T = TypeVar("T")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add_pairs(project, {"ecology": dict.fromkeys(Label, 10), "nlp": dict.fromkeys(Label, 3)})
        hold_rules_everywhere(project)
        yield project


def run(job: Job[T]) -> T:
    return job.work(Progress())


def test_people_are_listed_with_those_who_only_have_answers(project: Project) -> None:
    with project.transaction() as stores:
        [key, other, *_] = [pair.key for pair in stores.round_draws.draw(RoundPlan(size=1)).pairs]
        answer_as(stores, "zoe", key, C)
        answer_as(stores, "zoe", other, C, accepted=True)
    run(add_person(project, "Ada", Role.ADJUDICATOR))
    with pytest.raises(UserError, match="Ada is in this project already"):
        run(add_person(project, "ada"))
    run(rename_person(project, "zoe", "Zoë"))
    assert run(set_role(project, "zoe", Role.LAYPERSON)).refreshed == 2
    found = [(one.name, one.role, one.answers) for one in run(list_people(project))]
    assert found == [("Ada", Role.ADJUDICATOR, 0), ("Zoë", Role.LAYPERSON, 1)]


def undone(project: Project, *, redo: bool = False) -> str:
    found = run((review.redo if redo else review.undo)(project, "anna"))
    assert found is not None
    return found.title


def names(project: Project) -> list[str]:
    return [one.name for one in run(list_people(project))]


def test_people_are_added_and_renamed_by_actions_that_can_be_undone(project: Project) -> None:
    run(add_person(project, "Zoe", Role.ADJUDICATOR))
    run(rename_person(project, "Zoe", "Zoë"))
    assert (undone(project), names(project)) == ("Rename Zoe to Zoë", ["Zoe"])
    assert (undone(project), names(project)) == ("Add Zoe", [])
    assert (undone(project, redo=True), names(project)) == ("Add Zoe", ["Zoe"])
    assert run(list_people(project))[0].role is Role.ADJUDICATOR
    assert (undone(project, redo=True), names(project)) == ("Rename Zoe to Zoë", ["Zoë"])


def test_a_name_that_somebody_else_has_by_now_and_people_with_work_stay(project: Project) -> None:
    run(add_person(project, "Zoe"))
    run(rename_person(project, "Zoe", "Ana"))
    with project.transaction() as stores:
        stores.annotators.ensure("zoe")
        [key, *_] = [pair.key for pair in stores.round_draws.draw(RoundPlan(size=1)).pairs]
        answer_as(stores, "Zoe", key, C)
    assert "zoe is the name of somebody else by now" in undone(project)
    assert "They have answers" in undone(project)
    assert names(project) == ["Ana", "zoe"]


def test_people_all_of_whose_answers_were_undone_go_too(project: Project) -> None:
    run(add_person(project, "Zoe"))
    with project.read_transaction() as stores:
        key = stores.round_draws.draw(RoundPlan(size=1)).pairs[0].key
    run(review.answer(project, [key], "Zoe", Answer.NEUTRAL))
    run(review.undo(project, "Zoe"))
    assert (undone(project), names(project)) == ("Add Zoe", [])
    assert (undone(project, redo=True), names(project)) == ("Add Zoe", ["Zoe"])
    run(review.redo(project, "Zoe"))
    assert run(list_people(project))[0].answers == 1
    assert "They have answers" in undone(project)


def test_a_person_whose_name_is_taken_does_not_come_back_unseen(project: Project) -> None:
    run(add_person(project, "Ann B"))
    assert undone(project) == "Add Ann B"
    with project.transaction() as stores:
        stores.annotators.ensure("ann b")
    assert "ann b is the name of somebody else by now" in undone(project, redo=True)
    assert names(project) == ["ann b"]


def test_a_key_that_is_the_name_of_somebody_else_is_ambiguous(project: Project) -> None:
    run(add_person(project, "anna"))
    run(rename_person(project, "anna", "Anne"))
    run(add_person(project, "Anna"))
    with project.read_transaction() as stores:
        assert find_person(stores, "Anne").key == "anna"
        assert find_person(stores, "ANNA").key == "Anna"
        with pytest.raises(UserError, match="is the name of an annotator, and the key of another one") as refused:
            find_person(stores, "anna")
        assert refused.value.hint == "Say “Anna” or “Anne”."
