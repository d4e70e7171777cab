"""Values that another program has stored in a project: what fails because of them is damage, and told as such."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.annotation.annotation_rounds import RoundAsks, RoundPair, RoundPlan
from storage.connections import connect
from storage.errors import DamagedProject, find_foreign_value
from storage.project import Project
from storage.stores import Stores
from tests.kinds_factory import TEXT
from tests.storage.factories import add, mine, paper, remove
from tests.torture.full_project import make_full_project

NOW = datetime(2026, 7, 1, tzinfo=UTC)
BROKEN: dict[str, tuple[str, Callable[[Stores], object]]] = {
    "a run that is gone": ("DELETE FROM mining_runs", lambda stores: stores.actions.undo("", NOW)),
    "an index of words with other pages": (
        "WITH RECURSIVE ids (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM ids WHERE id < 99) "
        "INSERT OR IGNORE INTO pairs_text_idx SELECT id, x'', 2 FROM ids",
        lambda stores: stores.actions.undo("", NOW),
    ),
    "bytes in place of a text": (
        "UPDATE papers SET journal = x'FF00'",
        lambda stores: stores._connection.exec_driver_sql("SELECT json_object('journal', journal) FROM papers").all(),
    ),
    "a text in place of a number": (
        "UPDATE papers SET year = 'soon'",
        lambda stores: [one.year + 1 for one in stores.papers.summaries() if one.year],
    ),
    "a round that asks for kinds of no taxonomy": (
        "UPDATE annotation_rounds SET taxonomy = NULL WHERE taxonomy IS NOT NULL",
        lambda stores: stores.annotation_rounds.all(),
    ),
    "a text in place of a count": ("UPDATE papers SET words = 'many'", lambda stores: stores.papers.summaries()),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_fails_because_of_foreign_values_is_damage(project: Project, path: Path, name: str) -> None:
    add(project, ["a", "b"])
    mine(project)
    with project.transaction() as stores:
        digest = stores.kinds.put_taxonomy(TEXT).digest
        plan = RoundPlan(asks=RoundAsks.KINDS, pairs=1)
        stores.annotation_rounds.add(plan, [RoundPair("a", "", None)], ["eva"], NOW, digest)
        remove(stores, paper("b").md5)
    project.close()
    change, use = BROKEN[name]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(change)
    with (
        pytest.raises(DamagedProject, match="is damaged"),
        Project.open(path) as again,
        again.transaction() as stores,
    ):
        use(stores)


def test_what_the_program_stores_is_not_foreign(tmp_path: Path) -> None:
    path = tmp_path / "full.pairwright"
    make_full_project(path)
    with closing(connect(path, mode="ro")) as connection:
        assert find_foreign_value(connection) == ""
