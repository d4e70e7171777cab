"""Runs a command and kills itself, with SIGKILL, at its N-th step: `python dying.py N COMMAND ...`.

A step is what the outside world could see: a transaction about to be committed, one just committed, a file about to get
its final name, one that has just got it. Exit code 0 means the command ended before its N-th step.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop import cli
from storage.project import Project, Stores


class Steps:
    def __init__(self, last: int) -> None:
        self.left = last

    def step(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> int:
    steps = Steps(int(sys.argv[1]))
    transaction, rename = Project.transaction, os.replace

    @contextmanager
    def dying_transaction(self: Project, **options: Any) -> Iterator[Stores]:
        with transaction(self, **options) as stores:
            yield stores
            steps.step()
        steps.step()

    def dying_rename(source: Path, target: Path) -> None:
        steps.step()
        rename(source, target)
        steps.step()

    Project.transaction = dying_transaction  # type: ignore[method-assign]
    os.replace = dying_rename
    return cli.main(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
