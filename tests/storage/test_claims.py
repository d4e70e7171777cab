"""Projects on a network drive, for which the tests' folder is taken: one computer at a time, and the other is told."""

from __future__ import annotations

import errno
import fcntl
import os
import platform
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.jobs.open_project import open_project
from miner.errors import UserError
from miner.processes import computer_locks
from miner.progress import Progress
from storage import backups, claims
from storage.claims import UnlockableDrive
from storage.exchange import export_files
from storage.exchange.answer_files import assignment_in, read_answer_file
from storage.exchange.export_files import locked_export_folder
from storage.exchange.other_project import opened_project
from storage.project import Project
from tests.answer_file_factory import owner_project, send
from tests.storage.factories import add

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    path = tmp_path / "p.pairwright"
    with Project.create(path) as project:
        add(project, ["a"])
    return path


@pytest.fixture
def on_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer_locks, "_WAIT_SECONDS", 0.1)
    for module in (claims, export_files):
        monkeypatch.setattr(module, "is_on_network", lambda folder: folder.is_relative_to(tmp_path))


@pytest.fixture
def elsewhere(on_network: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Project]:
    """Opens a project on another computer, while the test is on this one."""

    def open_there(path: Path) -> Project:
        with monkeypatch.context() as there:
            there.setattr(platform, "node", lambda: "lab-7")
            return Project.open(path)

    return open_there


@pytest.fixture
def no_locks(on_network: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(file: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", flock)


def titles(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return sorted(paper.title for paper in stores.papers.summaries())


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_nothing_is_beside_a_project_on_a_disk_of_this_computer(closed: Path) -> None:
    with Project.open(closed):
        assert "p.pairwright.in-use" not in names(closed.parent)


@pytest.mark.usefixtures("on_network")
def test_programs_of_one_computer_use_it_at_once_and_leave_nothing(closed: Path) -> None:
    with Project.open(closed) as one, Project.open(closed) as other, Project.open(closed, read_only=True) as reader:
        add(one, ["b"])
        add(other, ["c"])
        assert titles(reader) == ["On a", "On b", "On c"]
        assert "p.pairwright.in-use" in names(closed.parent)
        backups.back_up(closed, NOW)
    assert names(closed.parent) == {"p.pairwright", "p.backups"}


@pytest.mark.usefixtures("on_network")
def test_what_cannot_be_opened_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "p.pairwright"
    path.write_text("no project")
    with pytest.raises(UserError, match="not a Pairwright project"):
        Project.open(path)
    assert names(tmp_path) == {"p.pairwright"}


def test_another_computer_is_told_who_has_it_and_what_to_do(closed: Path, elsewhere: Callable[[Path], Project]) -> None:
    with elsewhere(closed) as project:
        for read_only in (False, True):
            with pytest.raises(UserError, match=r"in use by .+ on lab-7 since 2") as told:
                Project.open(closed, read_only=read_only)
            assert told.value.hint.endswith(f"delete {closed}.in-use, and open it again.")
        add(project, ["b"])
    with Project.open(closed) as project:
        assert titles(project) == ["On a", "On b"]


def test_nor_does_it_read_copy_or_replace_the_project(closed: Path, elsewhere: Callable[[Path], Project]) -> None:
    backup = backups.back_up(closed, NOW).path
    before = names(closed.parent)
    with elsewhere(closed):
        with pytest.raises(UserError, match="on lab-7"):
            backups.back_up(closed, NOW)
        with pytest.raises(UserError, match="on lab-7"):
            backups.restore(closed, backup, NOW)
        with pytest.raises(UserError, match="on lab-7"), opened_project(closed, Progress()):
            pass
        with pytest.raises(UserError, match="on lab-7"):
            open_project(closed).work(Progress())
    assert names(closed.parent) == before


def test_an_answer_file_that_is_open_elsewhere_is_not_read(
    tmp_path: Path, elsewhere: Callable[[Path], Project]
) -> None:
    with owner_project(tmp_path / "p.pairwright") as project:
        [file, _] = send(project, tmp_path)
    with elsewhere(file):
        for read in (assignment_in, read_answer_file):
            with pytest.raises(UserError, match="on lab-7"):
                read(file)
    assert read_answer_file(file).assignment == assignment_in(file)


def test_who_opens_it_anyway_ends_what_the_other_may_store(closed: Path, elsewhere: Callable[[Path], Project]) -> None:
    with elsewhere(closed) as there:
        closed.with_name("p.pairwright.in-use").unlink()
        with Project.open(closed) as here:
            with pytest.raises(UserError, match=r"was deleted while p\.pairwright was open here"):
                add(there, ["b"])
            add(here, ["c"])
            assert titles(here) == ["On a", "On c"]


@pytest.mark.usefixtures("closed", "no_locks")
def test_without_locks_a_project_is_read_and_not_written(closed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnlockableDrive, match="cannot lock or share files") as told:
        Project.open(closed)
    assert told.value.hint.startswith("Copy it to a disk of this computer")
    with Project.open(closed, read_only=True) as project:
        assert titles(project) == ["On a"]
    with opened_project(closed, Progress()) as other:
        assert other.path == closed
    opened = open_project(closed).work(Progress())
    opened.close()
    assert (
        opened.read_only_reason
        == f"{closed} is on a network drive that cannot lock or share files, so it is read-only."
    )
    assert main(["--project", str(closed), "stats"]) == 0
    assert main(["--project", str(closed), "undo"]) == 1
    assert "cannot lock or share files" in capsys.readouterr().err
    assert "p.pairwright.in-use" not in names(closed.parent)


@pytest.mark.usefixtures("closed", "no_locks")
def test_without_locks_a_wal_is_copied_too(closed: Path) -> None:
    closed.with_name("p.pairwright-wal").write_bytes(b"")
    with pytest.raises(UnlockableDrive) as told:
        Project.open(closed, read_only=True)
    assert "with p.pairwright-wal if that is there" in told.value.hint


@pytest.mark.usefixtures("no_locks")
def test_without_locks_no_project_is_made(tmp_path: Path) -> None:
    for make in (Project.create, lambda path: Project.building(path).__enter__()):
        with pytest.raises(UserError, match="cannot be created: it would be on a network drive"):
            make(tmp_path / "p.pairwright")
    assert names(tmp_path) == set()


@pytest.mark.usefixtures("on_network")
def test_a_project_in_a_folder_that_cannot_be_written_is_read(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object, flags: int, mode: int = 0o777) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    with monkeypatch.context() as context:
        context.setattr(computer_locks.os, "open", refuse)
        with Project.open(closed, read_only=True) as project:
            assert titles(project) == ["On a"]


@pytest.mark.usefixtures("on_network")
def test_a_full_drive_is_said_to_be_full(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(file: int, note: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(computer_locks, "_write", fill)
    with pytest.raises(UserError, match="in-use cannot be written: No space left"):
        Project.open(closed)
    assert names(closed.parent) == {"p.pairwright"}


@pytest.mark.usefixtures("on_network")
def test_two_computers_do_not_export_into_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    with locked_export_folder(out):
        (out / "whole").touch()
        with monkeypatch.context() as there:
            there.setattr(platform, "node", lambda: "lab-7")
            with pytest.raises(UserError, match="An export is being written to") as told, locked_export_folder(out):
                pass
        assert f"delete {out}" in told.value.hint
        with pytest.raises(UserError, match="Another export is being written"), locked_export_folder(out):
            pass
    assert names(out) == {"whole"}


def test_a_copy_of_a_project_in_use_elsewhere_can_be_used(
    closed: Path, tmp_path: Path, elsewhere: Callable[[Path], Project]
) -> None:
    with elsewhere(closed):
        copy = Path(shutil.copy(closed, tmp_path / "copy.pairwright"))
        with Project.open(copy) as project:
            assert titles(project) == ["On a"]
