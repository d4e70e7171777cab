"""A project file that is moved or replaced while it is open: what was saved is in the file, wherever that is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from miner.errors import UserError
from storage.project import Project
from storage.settings import GUIDELINES

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")


@pytest.fixture
def elsewhere(path: Path) -> Path:
    (path.parent / "elsewhere").mkdir()
    return path.parent / "elsewhere" / path.name


def _save(project: Project, *names: str) -> None:
    for name in names:
        with project.transaction() as stores:
            stores.settings.put(GUIDELINES.of(name), "saved")


def _saved(project: Project) -> list[str]:
    with project.read_transaction() as stores:
        return [name for name in ("one", "two", "three") if stores.settings.get(GUIDELINES.of(name)) == "saved"]


def test_saved_data_moves_with_the_file(project: Project, path: Path, elsewhere: Path) -> None:
    _save(project, "one", "two")
    path.rename(elsewhere)
    project.close()
    with Project.open(elsewhere) as moved:
        assert _saved(moved) == ["one", "two"]
        assert moved.check() == []


def test_a_moved_file_is_no_longer_written_and_opens_at_its_new_path(
    project: Project, path: Path, elsewhere: Path
) -> None:
    _save(project, "one")
    path.rename(elsewhere)
    assert project.stamp() == ()
    with pytest.raises(UserError, match="moved or deleted"):
        _save(project, "two")
    with Project.open(elsewhere) as moved:  # while the other is open
        _save(moved, "three")
        project.close()
        assert _saved(moved) == ["one", "three"]
        assert moved.check() == []


def test_a_file_that_replaces_the_project_is_not_changed(project: Project, path: Path, elsewhere: Path) -> None:
    other = path.with_name("other.pairwright")
    Project.create(other).close()
    _save(project, "one")
    path.rename(elsewhere)
    other.rename(path)
    with pytest.raises(UserError, match="replaced by another file"):
        _save(project, "two")
    project.close()
    with Project.open(path) as taken, Project.open(elsewhere) as moved:
        assert _saved(taken) == []
        assert _saved(moved) == ["one"]
        assert taken.check() == moved.check() == []
