"""Backups on the command line: what an earlier day left is kept before a command changes it, and can be put back."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.jobs.backups import restore
from miner.errors import UserError
from miner.processes.locks import ProgramLock
from miner.progress import Progress
from storage import backups
from storage.project import Project
from tests.storage.making import add

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mine.pairwright"
    with Project.create(path) as project:
        add(project, ["a"])
    return path


def run(path: Path, *words: str) -> int:
    return main(["--project", str(path), "--quiet", *words])


def papers(path: Path) -> int:
    with Project.open(path) as project, project.reading() as stores:
        return stores.papers.count()


def age(path: Path) -> None:
    then = (datetime.now(UTC) - timedelta(days=2)).timestamp()
    os.utime(path, (then, then))


def test_the_first_command_of_a_day_backs_up_what_there_was_before_it(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(path, "learn") == 0
    assert backups.rolling(path) == []  # it was made today
    for _ in range(2):
        age(path)
        assert run(path, "stats") == 0
        assert backups.rolling(path) == []
    assert run(path, "learn") == run(path, "learn") == 0
    assert len(backups.rolling(path)) == 1
    capsys.readouterr()


def test_a_command_that_cannot_back_up_says_so_and_goes_on(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    age(path)
    backups.folder_of(path).touch()
    assert run(path, "learn") == 0
    assert "could not be backed up" in capsys.readouterr().err


def test_restore_lists_backups_and_puts_one_back(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(path, "restore") == 0
    assert "has no backup yet" in capsys.readouterr().out
    backups.back_up(path, NOW)
    with Project.open(path) as project:
        add(project, ["b"])
    backups.back_up(path, NOW + timedelta(days=1))
    assert run(path, "restore") == 0
    said = capsys.readouterr().out
    assert "2 backups of" in said
    assert "pairwright restore NUMBER" in said
    assert run(path, "restore", "2", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert papers(path) == 1
    assert papers(Path(data["kept"])) == 2
    assert run(path, "restore", data["kept"]) == 0
    assert papers(path) == 2
    capsys.readouterr()


@pytest.mark.parametrize("wrong", ["0", "7", "nowhere.pairwright", "."])
def test_what_is_no_backup_is_refused(path: Path, wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    backups.back_up(path, NOW)
    before = path.read_bytes()
    assert run(path, "restore", wrong) == 1
    assert capsys.readouterr().err.startswith("error: ")
    assert path.read_bytes() == before


def test_a_damaged_project_is_restored(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backups.back_up(path, NOW)
    path.write_bytes(b"not a database" * 5000)
    assert run(path, "stats") == 1
    assert run(path, "restore", "1") == 0
    assert papers(path) == 1
    capsys.readouterr()


def test_a_project_that_a_window_has_open_is_not_restored(path: Path) -> None:
    made = backups.back_up(path, NOW)
    window = ProgramLock(path.with_name(f".{path.name}.lock"))
    assert window.acquire()
    try:
        with pytest.raises(UserError, match="open in a window"):
            restore(path, made.path).work(Progress())
    finally:
        window.release()
