"""Runs a program of the user's with limits of time and memory; the processes that it starts end with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from miner.errors import UserError
from miner.processes.child import POLL_SECONDS, Failure, ProcessLimits

_MAX_OUTPUT = 10_000  # bytes that are kept of what it says, from the end
_WITHOUT_CONSOLE = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows: none opens, and Ctrl-C does not reach it


class ProgramResult(NamedTuple):
    """How a program ended: its exit code, and the end of what it wrote."""

    code: int
    output: str


def run_program(
    command: Sequence[str | Path],
    *,
    folder: Path,
    limits: ProcessLimits,
    on_poll: Callable[[], None] = lambda: None,
    environment: Mapping[str, str] | None = None,
) -> ProgramResult | Failure:
    """Run a program until it ends; a `Failure` of kind "timeout" or "memory" where it passes a limit, and is killed.

    folder: where it works, and where its output is kept meanwhile. on_poll is called ten times a second; where it
    raises, the program and all that it started are killed. `UserError` where the program cannot be started.
    """
    output = folder / "output.txt"
    with output.open("wb") as written:
        try:
            program = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env={**os.environ, **(environment or {})},
                start_new_session=os.name == "posix",
                creationflags=_WITHOUT_CONSOLE,
            )
        except OSError as exc:
            raise UserError(f"{command[0]} cannot be started: {exc.strerror or exc}.", hint="Install it anew.") from exc
    deadline = time.monotonic() + limits.seconds
    try:
        while program.poll() is None:
            on_poll()
            if time.monotonic() > deadline:
                return Failure("timeout")
            if _megabytes(program.pid) > limits.megabytes:
                return Failure("memory")
            with suppress(subprocess.TimeoutExpired):
                program.wait(POLL_SECONDS)
    finally:
        _kill(program)
    with output.open("rb") as said:
        said.seek(max(0, output.stat().st_size - _MAX_OUTPUT))
        return ProgramResult(program.returncode, said.read().decode("utf-8", "replace"))


def _family(pid: int) -> list[psutil.Process]:
    with suppress(psutil.Error):
        parent = psutil.Process(pid)
        return [parent, *parent.children(recursive=True)]
    return []


def _megabytes(pid: int) -> float:
    total = 0
    for process in _family(pid):
        with suppress(psutil.Error):
            total += process.memory_info().rss
    return total / 1e6


def _kill(program: subprocess.Popen[bytes]) -> None:
    """End the program and all that it started, where they still run."""
    family = _family(program.pid) if program.poll() is None else []
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(program.pid, signal.SIGKILL)  # also what has lost its parent
    for process in family:
        with suppress(psutil.Error):
            process.kill()
    program.wait()
