"""Locks between programs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from miner.processes.locks import ProgramLock

_TAKE = """
import os, sys
from pathlib import Path
from miner.processes.locks import ProgramLock
lock = ProgramLock(Path(sys.argv[1]))
print(lock.acquire("mine"), flush=True)
sys.stdin.read()
os._exit(0)
"""


def test_one_has_it_others_read_the_note_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    one, other = ProgramLock(path), ProgramLock(path)
    assert one.acquire("one")
    assert not other.acquire("other")
    assert other.note() == "one"
    one.release()
    assert list(tmp_path.iterdir()) == []
    assert other.acquire()
    assert other.note() == ""
    other.release()


def test_the_lock_of_a_program_that_died_can_be_taken(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, "-c", _TAKE, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "True\n"
        ours = ProgramLock(path)
        assert not ours.acquire()
        program.kill()
        program.wait()
        assert ours.acquire("ours")
        assert ours.note() == "ours"
        ours.release()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["lock", "lock-note"])
def test_a_link_that_came_with_the_folder_is_not_written_through(tmp_path: Path, name: str) -> None:
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / name).symlink_to(other)
    lock = ProgramLock(tmp_path / "lock")
    assert lock.acquire("ours")
    lock.release()
    assert other.read_text() == "mine"
