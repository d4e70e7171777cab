"""Backups: what is copied, what is kept of them, and how one is put back."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.progress import Cancelled
from storage import backups, connections, errors
from storage.errors import DamagedProject
from storage.project import Project
from tests.storage.factories import add, paper

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


def titles(path: Path) -> list[str]:
    with Project.open(path) as project, project.read_transaction() as stores:
        return sorted(paper.title for paper in stores.papers.summaries())


@pytest.fixture
def closed(project: Project, path: Path) -> Path:
    add(project, ["a"])
    project.close()
    return path


def test_a_backup_is_a_whole_project_made_while_another_has_it_open(project: Project, path: Path) -> None:
    add(project, ["a", "b"])
    made = backups.back_up(path, NOW)
    add(project, ["c"])
    assert made.path.name == "2026-03-14T15-09-26Z.pairwright"
    assert made.path.parent == path.with_name("test.backups")
    assert made.at == NOW
    assert made.size == made.path.stat().st_size
    assert [file.name for file in made.path.parent.iterdir()] == [made.path.name]
    assert titles(made.path) == ["On a", "On b"]


def test_a_backup_is_due_when_the_project_was_changed_since_the_last(closed: Path) -> None:
    assert backups.is_due(closed)
    backups.back_up(closed, NOW)
    assert not backups.is_due(closed)
    with Project.open(closed) as project:
        assert not backups.is_due(closed)
        add(project, ["b"])
        assert backups.is_due(closed)
        backups.back_up(closed, NOW + timedelta(seconds=1))
        assert not backups.is_due(closed)


def test_a_daily_backup_is_due_once_a_day(closed: Path) -> None:
    os.utime(closed, (NOW.timestamp(),) * 2)
    assert not backups.is_due_today(closed, NOW + timedelta(hours=1))
    assert backups.is_due_today(closed, NOW + timedelta(hours=10))
    backups.back_up(closed, NOW + timedelta(hours=10))
    assert not backups.is_due_today(closed, NOW + timedelta(hours=11))


def test_the_last_ten_stay_and_the_newest_of_each_month(closed: Path) -> None:
    days = [NOW + timedelta(days=4 * number) for number in range(30)]
    for day in days:
        backups.back_up(closed, day)
    left = [backup.at for backup in backups.list_rolling_backups(closed)]
    assert left[:10] == days[:-11:-1]
    assert [(at.month, at.day) for at in left[10:]] == [(5, 29), (4, 27), (3, 30)]


def test_a_clock_that_was_a_year_ahead_stops_no_later_backup_and_takes_none_away(closed: Path) -> None:
    ahead = NOW + timedelta(days=365)
    for number in range(12):
        os.utime(closed, ((ahead + timedelta(minutes=number)).timestamp(),) * 2)
        backups.back_up(closed, ahead + timedelta(minutes=number))
    days = [NOW + timedelta(days=day) for day in range(1, 13)]
    for day in days:
        os.utime(closed, ((day - timedelta(hours=20)).timestamp(),) * 2)
        assert backups.is_due(closed)
        assert backups.is_due_today(closed, day)
        assert backups.back_up(closed, day).path.exists()
        assert not backups.is_due(closed)
    left = [backup.at for backup in backups.list_rolling_backups(closed)]
    assert left == [ahead + timedelta(minutes=11), *days[:1:-1]]


def test_other_files_in_the_folder_are_not_backups_and_stay(closed: Path) -> None:
    folder = backups.backup_folder(closed)
    folder.mkdir()
    others = ["notes.txt", "2026-01-01T00-00-00Z.txt", "2026-99-99T00-00-00Z.pairwright", "holiday.pairwright"]
    for name in others:
        (folder / name).touch()
    for number in range(15):
        backups.back_up(closed, NOW + timedelta(minutes=number))
    assert len(backups.list_rolling_backups(closed)) == 10
    assert {path.name for path in folder.iterdir()} >= set(others)


def test_a_backup_that_is_stopped_leaves_nothing(closed: Path) -> None:
    def stop() -> None:
        raise InterruptedError

    with pytest.raises(UserError):
        backups.back_up(closed, NOW, stop)
    assert list(backups.backup_folder(closed).iterdir()) == []
    assert backups.is_due(closed)


def test_a_backup_can_be_stopped_while_it_is_checked(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checking = []

    def find_damage(connection: sqlite3.Connection) -> str:
        checking.append(connection)
        return errors.find_damage(connection)

    def stop() -> None:
        if checking:
            raise Cancelled

    monkeypatch.setattr(backups, "find_damage", find_damage)
    monkeypatch.setattr(connections, "_INSTRUCTIONS_PER_CALL", 1)
    with pytest.raises(Cancelled):
        backups.back_up(closed, NOW, stop)
    assert list(backups.backup_folder(closed).iterdir()) == []


def test_a_backup_of_a_damaged_project_deletes_no_good_backup(project: Project, path: Path) -> None:
    add(project, [str(number) for number in range(30)])
    project.close()
    for number in range(10):
        backups.back_up(path, NOW + timedelta(minutes=number))
    before = backups.list_rolling_backups(path)
    with path.open("r+b") as file:
        file.seek(4096 * 8)
        file.write(bytes(4096 * 4))
    with pytest.raises(DamagedProject):
        backups.back_up(path, NOW + timedelta(days=1))
    assert backups.list_rolling_backups(path) == before


def test_a_restored_backup_takes_the_projects_place_and_what_was_there_is_kept(closed: Path) -> None:
    made = backups.back_up(closed, NOW)
    with Project.open(closed) as project:
        add(project, ["b"])
    kept = backups.restore(closed, made.path, NOW)
    assert titles(closed) == ["On a"]
    assert kept is not None
    assert titles(kept) == ["On a", "On b"]
    assert kept not in [backup.path for backup in backups.list_rolling_backups(closed)]
    assert titles(made.path) == ["On a"]


def test_the_wal_of_the_replaced_file_is_not_applied_to_the_restored_one(project: Project, path: Path) -> None:
    add(project, ["a"])
    made = backups.back_up(path, NOW)
    add(project, ["b"])
    wal = path.with_name(path.name + "-wal").read_bytes()
    content = path.read_bytes()
    project.close()
    path.write_bytes(content)  # as a killed program leaves it
    path.with_name(path.name + "-wal").write_bytes(wal)
    kept = backups.restore(path, made.path, NOW)
    assert titles(path) == ["On a"]
    assert kept is not None
    assert titles(kept) == ["On a", "On b"]


@pytest.mark.parametrize("how", ["damaged", "gone"])
def test_a_project_that_is_damaged_or_gone_can_be_restored(closed: Path, how: str) -> None:
    made = backups.back_up(closed, NOW)
    if how == "gone":
        closed.unlink()
    else:
        closed.write_bytes(b"overwritten" * 1000)
    assert [backup.path for backup in backups.list_backups(closed)] == [made.path]
    kept = backups.restore(closed, made.path, NOW)
    assert titles(closed) == ["On a"]
    assert (kept is None) == (how == "gone")


def test_a_project_that_another_program_has_open_is_not_replaced(closed: Path) -> None:
    made = backups.back_up(closed, NOW)
    with Project.open(closed) as project:
        add(project, ["b"])
        with pytest.raises(UserError, match="open in another program"):
            backups.restore(closed, made.path, NOW)
        with project.read_transaction() as stores:
            assert stores.papers.count() == 2
    assert titles(closed) == ["On a", "On b"]


def test_a_file_that_is_not_a_backup_replaces_nothing(closed: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE papers (id)")
    made = backups.back_up(closed, NOW)
    with made.path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(os.urandom(4096 * 4))
    before = closed.read_bytes()
    for backup in (other, made.path, tmp_path / "nowhere.pairwright", tmp_path):
        with pytest.raises(UserError):
            backups.restore(closed, backup, NOW)
    assert closed.read_bytes() == before
    assert {path.name for path in backups.backup_folder(closed).iterdir()} == {made.path.name}


def test_a_backup_that_cannot_be_written_raises_a_user_error(closed: Path) -> None:
    backups.backup_folder(closed).touch()
    with pytest.raises(UserError, match="could not be backed up"):
        backups.back_up(closed, NOW)


def test_copies_kept_by_an_update_can_be_restored(closed: Path) -> None:
    copy = closed.with_name("test.before-0004.pairwright")
    copy.write_bytes(closed.read_bytes())
    [found] = backups.list_backups(closed)
    assert (found.path, found.note) == (copy, "before an update of Pairwright")
    assert paper("a").title in titles(copy)


def test_a_restore_that_fails_leaves_the_project_as_it_was(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = backups.back_up(closed, NOW)
    with Project.open(closed) as project:
        add(project, ["b"])

    def fail(_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("miner.atomic_files.sync_file", fail)
    with pytest.raises(UserError, match="could not be replaced"):
        backups.restore(closed, made.path, NOW)
    assert titles(closed) == ["On a", "On b"]
    assert [path.name for path in backups.backup_folder(closed).iterdir()] == [made.path.name]


def test_a_backup_that_was_killed_is_deleted_by_a_later_one(closed: Path) -> None:
    folder = backups.backup_folder(closed)
    folder.mkdir()
    for hours, name in ((30, "2026-03-01T10-00-00Z.pairwright.part"), (1, "2026-03-02T10-00-00Z.pairwright.part")):
        (folder / name).touch()
        os.utime(folder / name, (time.time() - hours * 3600,) * 2)
    made = backups.back_up(closed, NOW)
    left = sorted(path.name for path in folder.iterdir())
    assert left == ["2026-03-02T10-00-00Z.pairwright.part", made.path.name]


def test_a_restore_that_is_killed_leaves_the_project_in_its_place(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = backups.back_up(closed, NOW)
    with Project.open(closed) as project:
        add(project, ["b"])

    def die(part: Path, path: Path) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", die)
        with pytest.raises(SystemExit):
            backups.restore(closed, made.path, NOW)
    assert titles(closed) == ["On a", "On b"]
    assert [backup.path for backup in backups.list_backups(closed)] == [made.path]
    kept = backups.restore(closed, made.path, NOW)
    assert kept is not None
    assert titles(kept) == ["On a", "On b"]
    assert titles(closed) == ["On a"]
    assert sorted(path.name for path in kept.parent.iterdir()) == [made.path.name, kept.name]


def test_a_restore_works_without_hard_links(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = backups.back_up(closed, NOW)
    with Project.open(closed) as project:
        add(project, ["b"])

    def refuse(path: Path, other: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    kept = backups.restore(closed, made.path, NOW)
    assert kept is not None
    assert (titles(closed), titles(kept)) == (["On a"], ["On a", "On b"])
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(UserError, match="could not be replaced"):
        backups.restore(closed, made.path, NOW)
    assert titles(closed) == ["On a"]


def test_the_wal_of_a_missing_project_is_not_applied_to_the_backup(project: Project, path: Path) -> None:
    add(project, ["a"])
    made = backups.back_up(path, NOW)
    add(project, ["b"])
    beside = path.with_name(path.name + "-wal")
    content = beside.read_bytes()
    project.close()
    path.unlink()
    beside.write_bytes(content)
    assert backups.restore(path, made.path, NOW) is None
    assert titles(path) == ["On a"]


def test_a_project_behind_a_link_is_backed_up_beside_its_file(project: Project, path: Path, tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "other.pairwright"
    link.symlink_to(path)
    made = backups.back_up(link, NOW)
    assert made.path.parent == backups.backup_folder(path) == backups.backup_folder(link)
    assert not backups.is_due(link)
    add(project, ["a"])
    assert backups.is_due(link)
