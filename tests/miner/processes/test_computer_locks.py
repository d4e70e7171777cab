"""Locks between computers: other computers are other names here, and other programs other locks or processes."""

from __future__ import annotations

import errno
import fcntl
import importlib.util
import os
import platform
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from miner.processes import computer_locks
from miner.processes.computer_locks import ComputerLock, HeldElsewhere, NoLocks

_HOLD = """
import sys
from pathlib import Path
from miner.processes.computer_locks import ComputerLock
ComputerLock(Path(sys.argv[1])).acquire()
print(flush=True)
sys.stdin.read()
"""


class Elsewhere:
    """Makes a thread a program of the computer that is named."""

    def __init__(self) -> None:
        self._thread = threading.local()

    def __call__(self) -> str:
        return getattr(self._thread, "name", "here")

    def be(self, name: str) -> None:
        self._thread.name = name


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch) -> Elsewhere:
    elsewhere = Elsewhere()
    monkeypatch.setattr(platform, "node", elsewhere)
    monkeypatch.setattr(computer_locks, "_WAIT_SECONDS", 0.1)
    return elsewhere


def test_programs_of_one_computer_share_it_and_the_last_one_deletes_it(tmp_path: Path) -> None:
    path = tmp_path / "p.in-use"
    one, other = ComputerLock(path), ComputerLock(path)
    one.acquire()
    other.acquire()
    one.release()
    assert path.exists()
    assert (one.is_held, other.is_held) == (False, True)
    other.release()
    assert list(tmp_path.iterdir()) == []


def test_another_computer_is_told_who_has_it(tmp_path: Path, computer: Elsewhere) -> None:
    path = tmp_path / "p.in-use"
    one, other = ComputerLock(path), ComputerLock(path)
    one.acquire()
    computer.be("there")
    with pytest.raises(HeldElsewhere) as told:
        other.acquire()
    assert told.value.holder is not None
    assert told.value.holder.computer == "here"
    assert not told.value.holder.is_here
    one.release()
    other.acquire()
    other.release()


def test_the_computer_of_programs_that_were_killed_takes_it_over(tmp_path: Path, computer: Elsewhere) -> None:
    path = tmp_path / "p.in-use"
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    assert process.stdout is not None
    process.stdout.readline()
    lock = ComputerLock(path)
    holder = lock.holder()
    assert holder is not None
    process.kill()
    process.communicate()
    with pytest.raises(HeldElsewhere):
        lock.acquire()
    computer.be(holder.computer)
    lock.acquire()
    assert lock.is_held
    lock.release()
    assert list(tmp_path.iterdir()) == []


def test_who_has_lost_it_knows_and_leaves_it_to_the_other(tmp_path: Path, computer: Elsewhere) -> None:
    path = tmp_path / "p.in-use"
    one, other = ComputerLock(path), ComputerLock(path)
    one.acquire()
    path.unlink()
    assert not one.is_held
    computer.be("there")
    other.acquire()
    one.release()
    assert other.is_held
    other.release()


@pytest.mark.parametrize("content", [b"{", b"[1]", b'{"computer": "here"}'])
def test_a_file_that_names_nobody_is_anothers(tmp_path: Path, computer: Elsewhere, content: bytes) -> None:
    path = tmp_path / "p.in-use"
    path.write_bytes(content)
    with pytest.raises(HeldElsewhere) as told:
        ComputerLock(path).acquire()
    assert told.value.holder is None
    assert path.read_bytes() == content


def test_a_program_that_was_killed_before_it_named_itself_holds_nothing(tmp_path: Path, computer: Elsewhere) -> None:
    path = tmp_path / "p.in-use"
    path.touch()
    lock = ComputerLock(path)
    lock.acquire()
    assert lock.is_held
    lock.release()
    assert list(tmp_path.iterdir()) == []


def _refuse(code: int) -> Callable[[int, int], None]:
    def flock(file: int, operation: int) -> None:
        raise OSError(code, os.strerror(code))

    return flock


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EACCES, 0])
def test_a_drive_that_does_not_lock_is_found_out(
    tmp_path: Path, computer: Elsewhere, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    monkeypatch.setattr(fcntl, "flock", _refuse(code) if code else lambda file, operation: None)
    with pytest.raises(NoLocks):
        ComputerLock(tmp_path / "p.in-use").acquire()
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "p.in-use").symlink_to(other)
    with pytest.raises(OSError, match="symbolic links"):
        ComputerLock(tmp_path / "p.in-use").acquire()
    assert other.read_text() == "mine"


def test_two_computers_never_have_it_at_once(tmp_path: Path, computer: Elsewhere) -> None:
    path = tmp_path / "p.in-use"
    inside: list[str] = []
    seen: list[set[str]] = []
    held = dict.fromkeys(("one", "two"), 0)

    def come_and_go(name: str, seed: int) -> None:
        computer.be(name)
        draw = random.Random(seed)
        end = time.monotonic() + 0.8
        while time.monotonic() < end:
            lock = ComputerLock(path)
            try:
                lock.acquire()
            except HeldElsewhere:
                time.sleep(draw.random() * 0.01)
                continue
            inside.append(name)
            held[name] += 1
            seen.append({*inside})
            time.sleep(draw.random() * 0.003)
            assert lock.is_held
            inside.remove(name)
            lock.release()
            time.sleep(draw.random() * 0.01)

    threads = [threading.Thread(target=come_and_go, args=(name, n)) for n in range(3) for name in held]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(len(names) == 1 for names in seen)
    assert min(held.values()) > 0
    assert list(tmp_path.iterdir()) == []


# Windows, where a file that is open cannot be deleted


@pytest.fixture
def on_windows(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as it is on Windows."""
    spec = importlib.util.spec_from_file_location("computer_locks_on_windows", computer_locks.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as context:
        context.setattr(sys, "platform", "win32")
        spec.loader.exec_module(module)
    unlink = Path.unlink

    def unlink_if_closed(path: Path, missing_ok: bool = False) -> None:
        for file in Path("/proc/self/fd").iterdir():
            if file.exists() and file.samefile(path):
                raise PermissionError(13, "it is being used by another process", str(path))
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink_if_closed)
    return module


def test_on_windows_the_last_one_deletes_it_too(tmp_path: Path, on_windows: ModuleType, computer: Elsewhere) -> None:
    path = tmp_path / "p.in-use"
    one, other = on_windows.ComputerLock(path), on_windows.ComputerLock(path)
    one.acquire()
    other.acquire()
    one.release()
    assert other.is_held
    computer.be("there")
    with pytest.raises(on_windows.HeldElsewhere):
        on_windows.ComputerLock(path).acquire()
    assert path.exists()
    other.release()
    assert list(tmp_path.iterdir()) == []


def test_on_windows_the_file_of_killed_programs_is_taken_over(
    tmp_path: Path, on_windows: ModuleType, computer: Elsewhere
) -> None:
    path = tmp_path / "p.in-use"
    killed, lock = on_windows.ComputerLock(path), on_windows.ComputerLock(path)
    killed.acquire()
    os.close(killed._file)
    computer.be("there")
    with pytest.raises(on_windows.HeldElsewhere):
        lock.acquire()
    computer.be("here")
    lock.acquire()
    assert lock.is_held
    lock.release()
    assert list(tmp_path.iterdir()) == []
