"""What a model must not learn from is what an export keeps for dev and test, and whatever repeats a sentence of it."""

from __future__ import annotations

import pytest

from miner.records import Strategy
from storage.dataset.candidates import select_candidates
from storage.dataset.export_options import ExportOptions
from storage.models.training_parts import assign_parts
from storage.project import Project
from tests.storage.factories import add, as_many, mined, next_papers, pair, start_run

SPLIT = ExportOptions(shares=(("train", 60), ("dev", 20), ("test", 20)))


def parts(project: Project, export_options: ExportOptions | None) -> dict[str, str]:
    with project.read_transaction() as stores:
        assign_parts(stores._connection, export_options)
        query = "SELECT key, coalesce(part, 'train') FROM pairs LEFT JOIN parts ON pair_id = pairs.id"
        return dict(stores._connection.exec_driver_sql(query).all())  # type: ignore[arg-type]


@pytest.mark.parametrize("released", [SPLIT, ExportOptions(shares=SPLIT.shares, strategies=frozenset(Strategy))])
def test_pairs_are_learned_from_as_they_are_exported(project: Project, released: ExportOptions) -> None:
    """Also where papers have only pairs without a label: they are dealt only if they are exported."""
    add(project, [str(number) for number in range(20)])
    for number, pending in enumerate(next_papers(project, start_run(project))):
        kind = Strategy.LINKED if number % 3 else Strategy.IMPLICIT
        mined_pair = pair(pending.md5, f"A premise {number}.", f"However, it ends {number}.", kind)
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, mined([mined_pair]), as_many)
    with project.read_transaction() as stores:
        select_candidates(stores._connection, released)
        query = "SELECT key, split FROM candidates WHERE reason IS NULL"
        exported = dict(stores._connection.exec_driver_sql(query).all())  # type: ignore[arg-type]
    known = parts(project, released)
    assert set(exported.values()) == {"train", "dev", "test"}
    assert {key: known[key] for key in exported} == exported


def test_a_sentence_of_a_test_split_is_not_learned_with_its_phrase_either(project: Project) -> None:
    """As in an export: a row of test says "it ends."; its sentence is the premise of a pair that has no split."""
    add(project, "a")
    [pending] = next_papers(project, start_run(project))
    first, second = (
        pair(pending.md5, "A premise.", "However, it ends."),
        pair(pending.md5, "However, it ends.", "Indeed."),
    )
    with project.transaction() as stores:
        stores.pairs.replace_for(pending, mined([first, second]), as_many)
        stores._connection.exec_driver_sql("UPDATE pairs SET split = 'test' WHERE key = ?", (first.key,))
    assert parts(project, None) == {first.key: "test", second.key: "shared"}
