"""Pairs that are mined and pairs that a data set brought do not get into each other's way."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from miner.progress import Progress
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_export import export_pairs
from storage.exchange.pair_import import import_pairs
from storage.project import Project
from tests.storage.factories import add, mine, paper, some_pairs

NOW = datetime(2026, 7, 1, tzinfo=UTC)
FIRST = some_pairs(paper("a").md5).pairs[0].key


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """The pairs of papers a and b, one of them answered, in every preset."""
    with Project.create(tmp_path / "other.pairwright") as project:
        add(project, "ab")
        mine(project)
        with project.transaction() as stores:
            stores.answers.append([NewAnswer(FIRST, "anna", NOW, Answer.NEUTRAL)])
        for preset in Preset:
            export_pairs(project, tmp_path / preset, ExportOptions(preset), Progress())
    return tmp_path


def rows(project: Project, query: str) -> list[Any]:
    with project.read_transaction() as stores:
        return [tuple(row) for row in stores._connection.exec_driver_sql(query)]


def take(project: Project, exported: Path, preset: Preset) -> None:
    import_pairs(project, exported / preset / "pairs.jsonl", domain="", progress=Progress(), at=NOW)


def test_an_imported_pair_becomes_a_mined_one_when_its_paper_is_added(project: Project, exported: Path) -> None:
    take(project, exported, Preset.FULL)
    before = rows(project, "SELECT key FROM pairs ORDER BY key")
    add(project, "ab")
    mine(project)
    assert rows(project, "SELECT key FROM pairs ORDER BY key") == before
    query = "SELECT DISTINCT kind, run IS NULL FROM pairs JOIN papers ON papers.id = paper_id"
    assert rows(project, query) == [("pdf", 0)]
    assert rows(project, f"SELECT status, gold FROM pairs WHERE key = '{FIRST}'") == [("settled", "neutral")]
    assert project.check() == []


def test_an_imported_pair_is_not_mined_again(project: Project, exported: Path) -> None:
    take(project, exported, Preset.SCINLI)
    [(count,)] = rows(project, "SELECT count(*) FROM pairs")
    add(project, "ab")
    mine(project)
    assert rows(project, "SELECT count(*), sum(run IS NULL) FROM pairs") == [(count, count)]
    [(dropped,)] = rows(project, "SELECT sum(count) FROM funnel WHERE reason = 'duplicate'")
    assert dropped == count + 1  # and what the two papers share
    with project.transaction() as stores:
        sets = stores._connection.exec_driver_sql("SELECT md5 FROM papers WHERE kind = 'dataset'").scalars().all()
        stores.paper_removals.remove(stores.actions.begin("anna", "x", NOW), sets)
    mine(project)
    assert rows(project, "SELECT count(*), sum(run IS NULL) FROM pairs") == [(count, 0)]


def test_a_removed_data_set_is_restored_beside_pairs_mined_meanwhile(project: Project, exported: Path) -> None:
    take(project, exported, Preset.FULL)
    before = rows(project, "SELECT key FROM pairs ORDER BY key")
    with project.transaction() as stores:
        sets = stores._connection.exec_driver_sql("SELECT md5 FROM papers").scalars().all()
        stores.paper_removals.remove(stores.actions.begin("anna", "x", NOW), sets)
    add(project, "a")
    mine(project)
    with project.transaction() as stores:
        assert stores.actions.undo("anna", NOW) is not None
    assert rows(project, "SELECT key FROM pairs ORDER BY key") == before
    assert project.check() == []
