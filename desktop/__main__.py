"""What `pairwright` starts: the window when nothing is asked of it, or a project file alone; else the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from miner.paths import PROJECT_SUFFIX

_OF_THE_WINDOW = ("--data-dir", "--sample", "--quit-when-ready")


def asks_for_window(arguments: Sequence[str]) -> bool:
    """Nothing, or a project alone, but for the window's own options; a project and a word is a command on it."""
    first, *rest = arguments or ("",)
    if not first or first in _OF_THE_WINDOW:
        return True
    values = {rest[number + 1] for number, word in enumerate(rest[:-1]) if word == "--data-dir"}
    words = [word for word in rest if not word.startswith("-") and word not in values]
    return first.endswith(PROJECT_SUFFIX) and not first.startswith("-") and not words


def main() -> int:
    arguments = sys.argv[1:]
    if asks_for_window(arguments):
        from desktop.app import main as window

        return window(arguments)
    from desktop.cli.main import main as command

    return command(arguments)


if __name__ == "__main__":
    sys.exit(main())
