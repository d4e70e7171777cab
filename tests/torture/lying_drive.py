"""A folder as on a network drive, whose locks lie, and programs on several computers that use it.

A small library, compiled with the system's C compiler and loaded before all others, says of the folder that it is
mounted over NFS, and lies about its locks and shared memory as `Lie` says. All else is as on one disk: what one
computer writes, the others see at once.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import multiprocessing
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from multiprocessing import forkserver
from pathlib import Path
from typing import Any, NamedTuple

from tests.desktop.forkserver import context_of_tests
from tests.torture.two_programs import LIMIT_SECONDS, Ended, act

ROOT = Path(__file__).parents[2]
_SOURCE = Path(__file__).with_name("_lying_locks.c")


class Lie(IntEnum):
    """What is wrong with locks, as in `_lying_locks.c`."""

    TRUE_LOCKS = 0
    ALWAYS = 1
    NEVER = 2
    COMPUTER = 3
    MEMORY = 4
    NO_MEMORY = 5


class Drive(NamedTuple):
    """How a network drive lies. error: of a lock that always fails."""

    name: str
    lie: Lie
    error: int = 0


DRIVES = (
    Drive("true locks", Lie.TRUE_LOCKS),
    Drive("locks of one computer alone", Lie.COMPUTER),
    Drive("memory not shared", Lie.MEMORY),
    Drive("memory that cannot be shared", Lie.NO_MEMORY),
    Drive("locks that lock nothing", Lie.ALWAYS),
    Drive("no locks (ENOLCK)", Lie.NEVER, errno.ENOLCK),
    Drive("no locks (EOPNOTSUPP)", Lie.NEVER, errno.EOPNOTSUPP),
    Drive("no locks (EACCES)", Lie.NEVER, errno.EACCES),
)


class Actor(NamedTuple):
    """A program (`two_programs.act`) on a computer. delay, killed_after: seconds; 0 for one that is not killed."""

    name: str
    computer: int
    delay: float = 0.0
    killed_after: float = 0.0


def reason_to_skip() -> str:
    """Why nothing can be tried on this computer; "" if it can."""
    if not sys.platform.startswith("linux") or shutil.which("cc") is None:
        return "this needs Linux and a C compiler"
    return ""


class Computers:
    """A process that forks for each program, under the library."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, project: Path, drive: Drive, *actors: Actor, first: int = 0) -> list[Ended]:
        """Run the programs at once on a project; its folder is the drive. first: the number of the first program."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"project": str(project), "lie": drive.lie, "error": drive.error, "actors": actors, "first": first}
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        assert answer, "the process under the library has died"
        return [Ended(*end[:3], tuple(end[3])) for end in json.loads(answer)]


@contextmanager
def computers(folder: Path) -> Iterator[Computers]:
    """Inside, programs can be run on drives that lie. folder: for the library."""
    library = folder / "lying_locks.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, _SOURCE, "-ldl"], check=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.torture.lying_drive"],
        cwd=ROOT,
        env=os.environ | {"LD_PRELOAD": str(library)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Computers(process)
    finally:
        process.communicate()


# In the process


class _Lines:
    """Sends messages as lines of JSON, each written at once."""

    def __init__(self, file: int) -> None:
        self._file = file

    def send(self, message: tuple[str, str], /) -> None:
        os.write(self._file, json.dumps(message).encode() + b"\n")


def _serve() -> None:
    multiprocessing.get_context = context_of_tests  # type: ignore[assignment]
    forkserver.set_forkserver_preload(["tests.desktop.warm_parser", "miner.mining.paper_mining"])
    forkserver.ensure_running()  # once, for the workers of all programs
    forkserver.ensure_running = forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(_run_together(json.loads(line))), file=answers, flush=True)


def _run_together(request: dict[str, Any]) -> list[Any]:
    children = []
    for number, actor in enumerate(request["actors"], request["first"]):
        reading, writing = os.pipe()
        if not (child := os.fork()):
            os.close(reading)
            _be(request, number, Actor(*actor), writing)
        os.close(writing)
        children.append((Actor(*actor), child, reading))
    start = time.monotonic()
    ends = [start + (actor.killed_after or LIMIT_SECONDS) for actor, _, _ in children]
    order = sorted(range(len(children)), key=ends.__getitem__)  # who is to be killed is waited for first
    ended = {number: _ended(*children[number], ends[number]) for number in order}
    return [ended[number] for number in range(len(children))]


def _be(request: dict[str, Any], number: int, actor: Actor, writing: int) -> None:
    code: object = -1
    try:
        library = ctypes.CDLL(None)
        project = Path(request["project"])
        library.tell_lies(str(project.parent).encode(), request["lie"], request["error"], actor.computer)
        platform._uname_cache = None  # type: ignore[attr-defined]
        act(actor.name, project, number, actor.delay, _Lines(writing))
    except SystemExit as exc:
        code = exc.code
    finally:
        os._exit(code if isinstance(code, int) else -1)


def _ended(actor: Actor, child: int, reading: int, end: float) -> list[Any]:
    """How a program ended; it is killed if it has not ended by then."""
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.005)
    else:
        os.kill(child, 9)
        status = os.waitpid(child, 0)[1]
    with os.fdopen(reading, "rb") as pipe:
        messages = []
        for line in pipe:
            with contextlib.suppress(ValueError):  # it was killed while it wrote
                messages.append(json.loads(line))
    text = next((message[1] for message in messages if message[0] == "ended"), "Traceback: no message")
    answered = [message[1] for message in messages if message[0] == "answered"]
    return [actor.name, os.waitstatus_to_exitcode(status), text, answered]


if __name__ == "__main__":
    _serve()
