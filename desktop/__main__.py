"""What `pairwright` starts: the window when nothing is asked of it, or a project file alone; else the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

SUFFIX = ".pairwright"
_OF_THE_WINDOW = ("--data-dir", "--sample", "--quit-when-ready")


def asks_for_window(arguments: Sequence[str]) -> bool:
    first = arguments[0] if arguments else ""
    return not first or first in _OF_THE_WINDOW or (first.endswith(SUFFIX) and not first.startswith("-"))


def main() -> int:
    arguments = sys.argv[1:]
    if asks_for_window(arguments):
        from desktop.app import main as window

        return window(arguments)
    from desktop.cli import main as command

    return command(arguments)


if __name__ == "__main__":
    sys.exit(main())
