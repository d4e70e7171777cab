"""Runs commands that kill themselves with SIGKILL at their N-th step.

A step is visible from outside: before and after a transaction is committed, and before and after a file is renamed.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import forkserver
from pathlib import Path
from typing import Any, Self

from tests.desktop.forkserver import context_of_tests


class CommandKiller:
    """Runs commands in processes forked from a server that has imported their modules, which saves time.

    workers_import: what the commands' own workers have imported.
    """

    def __init__(self, *workers_import: str) -> None:
        self._workers_import = workers_import

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", __name__, *self._workers_import]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.communicate()

    def run(self, step: int, words: Sequence[str | Path]) -> bool:
        """Run a command that kills itself at this step; whether it ended before that step."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        print(json.dumps([step, [str(word) for word in words]]), file=self._server.stdin, flush=True)
        code = int(self._server.stdout.readline())
        assert code in (0, -signal.SIGKILL), f"it ended with {code}; see its output above"
        return code == 0


class Steps:
    def __init__(self, last: int) -> None:
        self.left = last

    def step(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    for name in ("desktop.cli.mining", "desktop.cli.exchange", "desktop.cli.experiments", "desktop.cli.models"):
        import_module(name)
    multiprocessing.set_forkserver_preload(sys.argv[1:])
    multiprocessing.get_context = context_of_tests  # type: ignore[assignment]
    forkserver.ensure_running()  # once, for the workers of all commands
    forkserver.ensure_running = forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]
    for line in sys.stdin:
        step, words = json.loads(line)
        child = os.fork()
        if not child:
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # standard output is for the codes
            os._exit(_run(step, words))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _run(last: int, words: Sequence[str]) -> int:
    from desktop.cli.main import main as run_command
    from storage.project import Project, Stores

    steps = Steps(last)
    transaction, rename = Project.transaction, os.replace

    @contextmanager
    def killing_transaction(self: Project, **options: Any) -> Iterator[Stores]:
        with transaction(self, **options) as stores:
            yield stores
            steps.step()
        steps.step()

    def killing_rename(source: Path, target: Path) -> None:
        steps.step()
        rename(source, target)
        steps.step()

    Project.transaction = killing_transaction  # type: ignore[method-assign]
    os.replace = killing_rename
    return run_command(words)


if __name__ == "__main__":
    main()
