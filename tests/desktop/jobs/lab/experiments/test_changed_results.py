"""Results of experiments that changed on the disk are neither shown nor reported."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.lab.experiments.details import load_details
from desktop.jobs.lab.experiments.grid import load_headlines
from desktop.jobs.lab.experiments.report import save_report
from desktop.jobs.lab.experiments.results import load_tables
from miner.progress import Progress
from storage import backups
from storage.errors import DamagedProject
from storage.project import Project
from storage.verification import Subject, find_changed_rows
from tests.desktop.experiment_factory import store_experiment
from tests.storage.factories import add, mine

AT = datetime(2026, 7, 1, tzinfo=UTC)


def _change(path: Path, statement: str) -> None:
    """Change the file as a flipped bit would: no trigger runs."""
    with closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute(statement).rowcount
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE predictions SET probabilities = (SELECT p.probabilities FROM predictions p WHERE p.class <> 0) "
        "WHERE class = 0",
        "UPDATE predictors SET title = title || '!' WHERE id = 1",
        "UPDATE predictors SET seconds = seconds + 1 WHERE id = 1",
        "UPDATE test_items SET class = 1 - class WHERE position = 0 AND class < 2",
        "UPDATE test_items SET domain = 'biology' WHERE position = 0",
        "UPDATE experiments SET text = text || ' '",
        "UPDATE experiment_cells SET failure = 'The disk is full.'",
        "UPDATE test_texts SET premise = premise || '!'",
    ],
)
def test_changed_results_are_neither_shown_nor_reported(statement: str, tmp_path: Path) -> None:
    path = tmp_path / "project.pairwright"
    with Project.create(path) as project:
        add(project, "ab")
        mine(project)
        id = store_experiment(project).id
        assert load_details(project, id).work(Progress()).tables == load_tables(project, id).work(Progress())
        assert save_report(project, id, tmp_path / "before").work(Progress())
        assert find_changed_rows(project) == []
    backups.back_up(path, AT)
    _change(path, statement)
    with Project.open(path) as damaged:
        assert [rows.subject for rows in find_changed_rows(damaged)] == [Subject.EXPERIMENTS]
        for job in (load_tables(damaged, id), load_details(damaged, id), save_report(damaged, id, tmp_path / "report")):
            with pytest.raises(DamagedProject, match=str(Subject.EXPERIMENTS)) as raised:
                job.work(Progress())
            assert "The backup of 2026-07-01 00:00 UTC has them as they were." in raised.value.hint
        assert not (tmp_path / "report").exists()


def test_a_result_of_another_cell_than_any_is_noticed_by_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "project.pairwright"
    with Project.create(path) as project:
        add(project, "ab")
        mine(project)
        id = store_experiment(project).id
    _change(path, "UPDATE cell_results SET key = 'x' || key WHERE key = (SELECT min(key) FROM cell_results)")
    with Project.open(path) as damaged:
        for job in (load_tables(damaged, id), load_details(damaged, id), load_headlines(damaged, (id,))):
            with pytest.raises(DamagedProject, match="result of cell x"):
                job.work(Progress())
