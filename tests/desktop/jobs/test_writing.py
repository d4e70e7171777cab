"""Files of jobs: written whole or not at all, and the error where they cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.writing import write_lines, writing
from miner.errors import UserError


def test_lines_are_written_with_the_folders_above(tmp_path: Path) -> None:
    write_lines(tmp_path / "a" / "b.txt", ["é", "2"])
    assert (tmp_path / "a" / "b.txt").read_bytes() == "é\n2\n".encode()


def test_a_file_stays_as_it_was_if_its_lines_fail(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        yield "new"
        raise ValueError("torn")

    path = tmp_path / "a.txt"
    write_lines(path, ["old"])
    with pytest.raises(ValueError, match="torn"):
        write_lines(path, lines())
    assert path.read_text(encoding="utf-8") == "old\n"


def test_people_are_told_which_file_cannot_be_written_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"file.*cannot be written: .+\.") as caught:
        write_lines(tmp_path / "file" / "a.txt", [])
    assert caught.value.hint
    with pytest.raises(UserError, match="cannot be written: gone"), writing(tmp_path):
        raise OSError("gone")
