"""What SQLite does not tell apart is told from what is around it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from miner.errors import UserError
from storage.connections import connect
from storage.errors import translate_errors
from storage.project import Project


@contextmanager
def files_left(number: int) -> Iterator[None]:
    """Inside, this process can open only so many more files."""
    assert sys.platform != "win32"
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    next_handle = os.open(os.devnull, os.O_RDONLY)
    os.close(next_handle)
    handles: list[int] = []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (next_handle + 32, limits[1]))
        with suppress(OSError):
            while True:
                handles.append(os.open(os.devnull, os.O_RDONLY))
        for _ in range(number):
            os.close(handles.pop())
        yield
    finally:
        for handle in handles:
            os.close(handle)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def count_papers(path: Path) -> None:
    with translate_errors(path), closing(connect(path, mode="rw")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("SELECT count(*) FROM papers").fetchone()


@pytest.mark.posix
@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_project_that_no_more_files_can_be_opened_for_is_not_called_read_only(tmp_path: Path, left: int) -> None:
    path = tmp_path / "a.pairwright"
    Project.create(path).close()
    with pytest.raises(UserError) as refused, files_left(left):
        count_papers(path)
    assert str(refused.value) == f"{path} could not be read or written: Too many open files."
    assert refused.value.hint == "Close other programs, then try again."
