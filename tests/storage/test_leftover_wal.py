"""A WAL beside a project is applied if it continues the file, and refused if it would take answers away."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from miner.errors import UserError
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.storage.factories import add, mine

AT = datetime(2026, 3, 14, tzinfo=UTC)


@pytest.fixture
def closed(project: Project, path: Path) -> Path:
    """A project with an answer."""
    add(project, ["a", "b"])
    mine(project)
    answer(project, "anna", 0)
    project.close()
    return path


def answer(project: Project, who: str, number: int) -> None:
    with project.transaction() as stores:
        [key] = stores.pair_table.keys(stores.pair_table.ids(PairFilter())[number : number + 1])
        action = stores.actions.begin(who, "Answer", AT)
        stores.answers.append([NewAnswer(key, who, AT, Answer.NEUTRAL)], action=action)


def answered(path: Path) -> int:
    with Project.open(path) as project, project.read_transaction() as stores:
        return sum(
            len(stores.answers.of_pair(key)) for key in stores.pair_table.keys(stores.pair_table.ids(PairFilter()))
        )


def killed_copy(path: Path, folder: Path, *, from_number: int, count: int) -> Path:
    """A copy of a project with more answers, which are only in its WAL, as a killed program leaves it."""
    folder.mkdir()
    with Project.open(Path(shutil.copy(path, folder / "other.pairwright"))) as project:
        for number in range(from_number, from_number + count):
            answer(project, "ben", number)
        left = folder / path.name
        for end in ("", "-wal"):
            shutil.copy(f"{project.path}{end}", f"{left}{end}")
    return left


def test_what_a_killed_program_has_saved_is_there(closed: Path, tmp_path: Path) -> None:
    assert answered(killed_copy(closed, tmp_path / "there", from_number=1, count=2)) == 3


@pytest.mark.parametrize("count", [1, 3])
def test_the_wal_of_another_computer_takes_no_answers_away(closed: Path, tmp_path: Path, count: int) -> None:
    other = killed_copy(closed, tmp_path / "there", from_number=1, count=count)
    with Project.open(closed) as project:
        answer(project, "anna", 3)
        answer(project, "anna", 4)
    before = closed.read_bytes()
    wal = shutil.copy(f"{other}-wal", f"{closed}-wal")
    for read_only in (False, True):
        with pytest.raises(UserError, match="is of another copy") as raised:
            Project.open(closed, read_only=read_only)
        assert "move that file" in raised.value.hint
    assert closed.read_bytes() == before
    Path(wal).rename(tmp_path / "elsewhere")
    assert answered(closed) == 3


def test_the_project_of_another_computer_beside_the_wal_of_this_one_loses_nothing(closed: Path, tmp_path: Path) -> None:
    here = killed_copy(closed, tmp_path / "here", from_number=1, count=2)
    with Project.open(closed) as project:
        answer(project, "anna", 3)
    shutil.copy(closed, here)
    with pytest.raises(UserError, match="is of another copy"):
        Project.open(here)


def files_beside(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in (path, Path(f"{path}-wal"))}


def wal_of_mining(path: Path, folder: Path) -> Path:
    """The WAL of a copy of a project in which another paper was mined, and nobody did anything else."""
    folder.mkdir()
    with Project.open(Path(shutil.copy(path, folder / "other.pairwright"))) as project:
        add(project, ["c"])
        mine(project)
        return Path(shutil.copy(f"{project.path}-wal", folder / "wal"))


def test_a_wal_in_which_nobody_answered_takes_no_papers_away(project: Project, path: Path, tmp_path: Path) -> None:
    add(project, ["a", "b"])
    mine(project)
    project.close()
    wal = wal_of_mining(path, tmp_path / "there")
    with Project.open(path) as opened:
        add(opened, ["d", "e"])
        mine(opened)
    shutil.copy(wal, f"{path}-wal")
    before = files_beside(path)
    with pytest.raises(UserError, match="is of another copy"):
        Project.open(path)
    assert files_beside(path) == before


def test_the_wal_of_another_project_is_not_moved_into_a_file_by_looking_at_it(closed: Path, tmp_path: Path) -> None:
    other = tmp_path / "new.pairwright"
    Project.create(other).close()
    shutil.copy(wal_of_mining(other, tmp_path / "there"), f"{closed}-wal")
    before = files_beside(closed)
    with pytest.raises(UserError, match="is of another copy"):
        Project.open(closed)
    assert files_beside(closed) == before


def test_a_wal_that_was_moved_into_the_file_in_part_continues_it(closed: Path, tmp_path: Path) -> None:
    left = killed_copy(closed, tmp_path / "there", from_number=1, count=2)
    with closing(sqlite3.connect(shutil.copy(left, tmp_path / "whole.pairwright"))) as whole:
        shutil.copy(f"{left}-wal", tmp_path / "whole.pairwright-wal")
        [size] = whole.execute("PRAGMA page_size").fetchone()
        whole.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content, moved = left.read_bytes(), (tmp_path / "whole.pairwright").read_bytes()
    for pages in range(0, len(moved) // size, 7):
        left.write_bytes(moved[: pages * size] + content[pages * size :])
        assert answered(Path(shutil.copytree(left.parent, tmp_path / f"{pages}") / left.name)) == 3


def test_a_project_that_another_program_has_open_opens(closed: Path) -> None:
    with Project.open(closed) as first:
        answer(first, "anna", 1)
        with Project.open(closed) as second:
            answer(second, "anna", 2)
        answer(first, "anna", 3)
        assert answered(closed) == 4


@pytest.mark.parametrize(("names_commits", "said"), [(True, "is damaged"), (False, "is of another copy")])
def test_a_wal_whose_pages_do_not_fit_those_of_the_file_is_not_moved_into_it(
    closed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names_commits: bool, said: str
) -> None:
    if not names_commits:  # as projects of older schemas
        monkeypatch.setattr("storage.integrity.leftover_wal.last_commit", lambda connection: None)
    left = killed_copy(closed, tmp_path / "there", from_number=1, count=1)
    with closing(sqlite3.connect(left, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'history_seals'")
        shutil.copy(f"{left}-wal", f"{closed}-wal")
    before = files_beside(closed)
    with pytest.raises(UserError, match=said):
        Project.open(closed)
    assert files_beside(closed) == before
    Path(f"{closed}-wal").unlink()
    assert answered(closed) == 1
