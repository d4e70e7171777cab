"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from miner import atomic_files
from miner.atomic_files import atomic_file


@pytest.mark.parametrize("shared", [False, True])
def test_a_file_takes_its_place_only_when_it_is_whole(tmp_path: Path, shared: bool) -> None:
    path = tmp_path / "file.txt"
    path.write_text("before")
    with atomic_file(path, shared=shared) as part:
        part.write_text("after")
        assert path.read_text() == "before"
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"file.txt": "after"}


@pytest.mark.parametrize("shared", [False, True])
def test_what_stood_there_stays_when_the_writing_fails(tmp_path: Path, shared: bool) -> None:
    path = tmp_path / "file.txt"
    path.write_text("before")

    def write() -> None:
        with atomic_file(path, shared=shared) as part:
            part.write_text("half")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        write()
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"file.txt": "before"}


def test_two_programs_write_one_file_without_mixing(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    with atomic_file(path, shared=True) as one, atomic_file(path, shared=True) as other:
        one.write_text("one")
        other.write_text("other")
    assert path.read_text() == "one"


def test_what_a_killed_writing_left_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "state.safetensors"
    (tmp_path / "state.safetensors.part").write_text("half of an earlier one")
    with atomic_file(path) as part:
        part.write_text("now")
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"state.safetensors": "now"}


def test_a_link_in_place_of_the_unfinished_file_is_not_followed(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    (tmp_path / "file.txt.part").symlink_to(mine)
    with atomic_file(tmp_path / "file.txt") as part:
        part.write_text("new")
    assert mine.read_text() == "mine"
    assert (tmp_path / "file.txt").read_text() == "new"
    assert not (tmp_path / "file.txt").is_symlink()


def test_the_names_of_new_folders_are_flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[Path] = []
    monkeypatch.setattr(atomic_files, "sync_folder", flushed.append)
    for _ in range(2):
        atomic_files.make_folder(tmp_path / "a" / "b")
    assert {*flushed} == {tmp_path, tmp_path / "a"}
    assert len(flushed) == 2


def test_what_a_killed_program_left_is_deleted_after_a_day(tmp_path: Path) -> None:
    day_ago = time.time() - 25 * 3600
    names = [
        ".pairwright-0123456789abcdef.part",
        ".pairwright-0123456789abcdef.part-wal",
        ".pairwright-other.part",
        "a",
    ]
    for name in names:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (day_ago, day_ago))
    new = tmp_path / ".pairwright-00000000000000ff.part"
    new.touch()
    atomic_files.delete_abandoned(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [new.name, *names[2:]]
    atomic_files.delete_abandoned(tmp_path / "nowhere")
