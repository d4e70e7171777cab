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
from tests.storage.factories import add

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


def run(project_file: Path, *words: str) -> int:
    return main(["--project", str(project_file), "--quiet", *words])


def papers(project_file: Path) -> int:
    with Project.open(project_file) as project, project.read_transaction() as stores:
        return stores.papers.count()


def age(project_file: Path) -> None:
    then = (datetime.now(UTC) - timedelta(days=2)).timestamp()
    os.utime(project_file, (then, then))


def test_the_first_command_of_a_day_backs_up_what_there_was_before_it(
    project_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(project_file, "learn") == 0
    assert backups.list_rolling_backups(project_file) == []  # it was made today
    for _ in range(2):
        age(project_file)
        assert run(project_file, "stats") == 0
        assert backups.list_rolling_backups(project_file) == []
    assert run(project_file, "learn") == run(project_file, "learn") == 0
    assert len(backups.list_rolling_backups(project_file)) == 1
    capsys.readouterr()


def test_a_command_that_cannot_back_up_says_so_and_goes_on(
    project_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    age(project_file)
    backups.backup_folder(project_file).touch()
    assert run(project_file, "learn") == 0
    assert "could not be backed up" in capsys.readouterr().err


def test_restore_lists_backups_and_puts_one_back(project_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(project_file, "restore") == 0
    assert "has no backup yet" in capsys.readouterr().out
    backups.back_up(project_file, NOW)
    with Project.open(project_file) as project:
        add(project, ["b"])
    backups.back_up(project_file, NOW + timedelta(days=1))
    assert run(project_file, "restore") == 0
    said = capsys.readouterr().out
    assert "2 backups of" in said
    assert "pairwright restore NUMBER" in said
    assert run(project_file, "restore", "2", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert papers(project_file) == 1
    assert papers(Path(data["kept"])) == 2
    assert run(project_file, "restore", data["kept"]) == 0
    assert papers(project_file) == 2
    capsys.readouterr()


def test_another_project_is_no_backup(project_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "big.pairwright"
    with Project.create(other) as project:
        add(project, ["b", "c"])
    before = project_file.read_bytes()
    assert run(project_file, "restore", str(other)) == 1
    refused = capsys.readouterr().err
    assert f"{other} is not a backup of {project_file}" in refused
    assert "--yes" in refused
    assert project_file.read_bytes() == before
    assert run(project_file, "restore", str(other), "--yes") == 0
    said, kept = capsys.readouterr().out.splitlines()
    assert (said, papers(project_file)) == (f"{project_file.stem} is now a copy of {other}.", 2)
    assert papers(Path(kept.removeprefix("The former file is kept: "))) == 1
    project_file.unlink()
    assert run(project_file, "restore", str(other)) == 0  # it replaces nothing
    assert " is now a copy of " in capsys.readouterr().out


def test_a_backup_is_known_wherever_it_is(
    project_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(project_file, "people", "add", "Ada")
    made = backups.back_up(project_file, NOW)
    moved = tmp_path / "elsewhere" / made.path.name
    moved.parent.mkdir()
    made.path.rename(moved)
    with Project.open(project_file) as project:
        add(project, ["b"])
    os.utime(moved, (0, 0))
    capsys.readouterr()
    assert run(project_file, "restore", str(moved)) == 0
    when = f"{NOW.astimezone():%d %B %Y, %H:%M}"
    assert f"{project_file.stem} is as it was on {when}." in capsys.readouterr().out
    assert papers(project_file) == 1


@pytest.mark.parametrize("wrong", ["0", "7", "nowhere.pairwright", "."])
def test_what_is_no_backup_is_refused(project_file: Path, wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    backups.back_up(project_file, NOW)
    before = project_file.read_bytes()
    assert run(project_file, "restore", wrong) == 1
    assert capsys.readouterr().err.startswith("error: ")
    assert project_file.read_bytes() == before


def test_a_damaged_project_is_restored(project_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backups.back_up(project_file, NOW)
    project_file.write_bytes(b"not a database" * 5000)
    assert run(project_file, "stats") == 1
    assert run(project_file, "restore", "1") == 0
    assert papers(project_file) == 1
    capsys.readouterr()


def test_a_project_that_a_window_has_open_is_not_restored(project_file: Path) -> None:
    made = backups.back_up(project_file, NOW)
    window = ProgramLock(project_file.with_name(f".{project_file.name}.lock"))
    assert window.acquire()
    try:
        with pytest.raises(UserError, match="open in a window"):
            restore(project_file, made.path).work(Progress())
    finally:
        window.release()
