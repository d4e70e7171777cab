"""What people say of the kinds of a pair stands beside it, and follows every answer, undo, role and pilot round."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest

from miner.kinds.taxonomy import RELATION
from storage.annotation.annotation_rounds import RoundAsks, RoundKind, RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.bench import synthetic
from tests.storage.factories import answer_about_kinds, reasoned

NOW = datetime(2026, 7, 1, tzinfo=UTC)
TEXT = files("miner.kinds").joinpath("taxonomy.toml").read_text(encoding="utf-8")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "p.pairwright"
    synthetic.build(path, pairs=240, papers=9, seed=1)
    return path


def _row(project: Project, key: str) -> tuple[tuple[str, ...], tuple[str, ...], int, str]:
    with project.read_transaction() as stores:
        [line] = stores.pair_table.rows(stores.pair_table.ids_of([key]))
    return line.kinds, line.differing_kinds, line.kind_annotators, line.answered_direction


def test_a_category_needs_half_of_the_annotators_and_a_direction_most_of_them(path: Path) -> None:
    with Project.open(path) as project:
        with project.read_transaction() as stores:
            [key] = stores.pair_table.keys(stores.pair_table.ids(PairFilter(), limit=1))
        assert _row(project, key) == ((), (), 0, "")
        answer_about_kinds(project, key, "anna", reasoned("ct", "f"))
        answer_about_kinds(project, key, "ben", reasoned("c", "b"))
        assert _row(project, key) == (("causal", "temporal"), ("temporal",), 2, "")
        answer_about_kinds(project, key, "cleo", reasoned("cs", "b"))
        assert _row(project, key) == (("causal",), ("spatial", "temporal"), 3, "backward")
        answer_about_kinds(project, key, "dan", {RELATION: frozenset(["unclear"])})
        answer_about_kinds(project, key, "eva", {RELATION: frozenset(["reasoning"])})  # who has not finished
        assert _row(project, key)[2] == 3
        with project.transaction() as stores:
            stores.actions.undo("cleo", NOW)
    with Project.open(path) as project:
        assert _row(project, key) == (("causal", "temporal"), ("temporal",), 2, "")
        with project.transaction() as stores:
            stores.actions.redo("cleo", NOW)
        assert _row(project, key)[3] == "backward"


def test_only_votes_count_as_for_gold(path: Path) -> None:
    with Project.open(path) as project:
        with project.read_transaction() as stores:
            first, second = stores.pair_table.keys(stores.pair_table.ids(PairFilter(), limit=2))
        for key in (first, second):
            answer_about_kinds(project, key, "anna", reasoned("c", "f"))
            answer_about_kinds(project, key, "ben", reasoned("t", "b"))
        with project.transaction() as stores:
            stores.annotators.set_role("ben", Role.EXPERT, lambda done, total: None)
        assert _row(project, first) == _row(project, second) == (("causal",), (), 1, "forward")
        with project.transaction() as stores:
            digest = stores.kinds.put_taxonomy(TEXT).digest
            plan = RoundPlan(RoundKind.PILOT, asks=RoundAsks.KINDS)
            stores.annotation_rounds.add(plan, [RoundPair(first, "", None)], ["anna"], NOW, digest)
        assert _row(project, first) == ((), (), 0, "")
        assert _row(project, second)[2] == 1


def test_answers_come_back_with_a_pair_that_was_away(path: Path) -> None:
    with Project.open(path) as project:
        answer_about_kinds(project, "k", "anna", reasoned("c", "f"))
        with project.read_transaction() as stores:
            [key] = stores.pair_table.keys(stores.pair_table.ids(PairFilter(), limit=1))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE pairs SET key = 'k' WHERE key = ?", (key,))
    with Project.open(path) as project:
        assert _row(project, "k") == (("causal",), (), 1, "forward")
        with project.read_transaction() as stores:
            assert stores.pair_table.count(PairFilter(kinds=frozenset(["causal"]))) == 1
