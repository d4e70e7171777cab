"""Annotators: names, roles, and what a change of role does to the pairs that they answered."""

from __future__ import annotations

import pytest

from miner.errors import UserError
from miner.records import Answer
from storage.annotation.annotators import Annotator, Role
from storage.project import Project
from storage.stores import Stores
from tests.storage.annotation.round_factory import C, R, add_pairs, answer_as


def status_of(stores: Stores, key: str) -> tuple[str, str, int]:
    row = stores._connection.exec_driver_sql(
        "SELECT status, coalesce(gold, ''), votes FROM pairs WHERE key = ?", (key,)
    )
    return tuple(row.one())  # type: ignore[return-value]


def no_tick(done: int, total: int) -> None: ...


def test_a_name_that_is_known_is_not_added_again(project: Project) -> None:
    with project.transaction() as stores:
        anna = stores.annotators.ensure("  Anna  Lind ")
        assert anna == Annotator("Anna Lind", "Anna Lind", Role.ANNOTATOR)
        assert stores.annotators.ensure("anna lind", Role.REFERENCE) == anna
        assert stores.annotators.all() == [anna]


def test_somebody_with_a_former_name_of_another_gets_a_key_of_their_own(project: Project) -> None:
    with project.transaction() as stores:
        first = stores.annotators.ensure("Ann")
        stores.annotators.rename(first.key, "Ann B.")
        second = stores.annotators.ensure("Ann")
        assert second.key != first.key
        assert stores.annotators.names() == {first.key: "Ann B.", second.key: "Ann"}


def test_a_rename_keeps_the_history(project: Project) -> None:
    [key, *_] = [pair.key for pair in add_pairs(project, {"ecology": {C: 1}})["ecology"]]
    with project.transaction() as stores:
        answer_as(stores, "mk", key, R)
        assert stores.annotators.rename("mk", "Mika") == Annotator("mk", "Mika", Role.ANNOTATOR)
        assert stores.annotators.get("mk").name == "Mika"
        assert stores.answers.of_pair(key) == {"mk": Answer.REASONING}
        assert stores.annotators.answer_counts() == {"mk": 1}
        stores.annotators.rename("mk", "MIKA")


def test_two_annotators_cannot_have_one_name(project: Project) -> None:
    with project.transaction() as stores:
        stores.annotators.ensure("Anna")
        ben = stores.annotators.ensure("Ben")
        with pytest.raises(UserError, match="Anna is the name of another annotator"):
            stores.annotators.rename(ben.key, "anna")


@pytest.mark.parametrize("name", ["", "   ", "\u202e\x00", "x" * 81])
def test_a_name_has_to_be_a_name(project: Project, name: str) -> None:
    with project.transaction() as stores, pytest.raises(UserError, match=r"needs a name|at most 80"):
        stores.annotators.ensure(name)


def test_only_the_role_annotator_votes(project: Project) -> None:
    [key] = [pair.key for pair in add_pairs(project, {"ecology": {C: 1}})["ecology"]]
    with project.transaction() as stores:
        answer_as(stores, "anna", key, R)
        answer_as(stores, "zoe", key, C)
        assert status_of(stores, key) == ("unsettled", "", 2)
        assert stores.annotators.set_role("zoe", Role.EXPERT, no_tick) == 1
        assert status_of(stores, key) == ("settled", "reasoning", 1)
        assert stores.annotators.set_role("zoe", Role.EXPERT, no_tick) == 0
        stores.annotators.set_role("zoe", Role.ADJUDICATOR, no_tick)
        stores.annotators.set_role("anna", Role.LAYPERSON, no_tick)
        assert status_of(stores, key) == ("open", "", 0)
        stores.annotators.set_role("zoe", Role.ANNOTATOR, no_tick)
        assert status_of(stores, key) == ("settled", "contrasting", 1)
