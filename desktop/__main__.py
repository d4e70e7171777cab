"""The program `pairwright`: the window if it is started without a command, else the command line."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_VALUE_OPTIONS = ("--data-dir", "--language", "--translations")
_WINDOW_OPTIONS = (*_VALUE_OPTIONS, "--sample", "--quit-when-ready")


def starts_window(arguments: Sequence[str]) -> bool:
    """Whether the arguments hold only window options and at most a project file; with another word, it is a command.

    A file given by its full path counts as a project whatever its name, since desktops recognise projects by content.
    """
    from miner.paths import PROJECT_SUFFIX, is_file  # not above: `main` says so if `miner` is another package's

    first, *rest = arguments or ("",)
    if not first or first in _WINDOW_OPTIONS:
        return True
    values = {rest[number + 1] for number, word in enumerate(rest[:-1]) if word in _VALUE_OPTIONS}
    words = [word for word in rest if not word.startswith("-") and word not in values]
    if first.startswith("-") or words:
        return False
    return first.endswith(PROJECT_SUFFIX) or (Path(first).is_absolute() and is_file(Path(first)))


def main() -> int:
    """Run the window or a command; the exit code."""
    try:
        with _interruptible():
            return _run(sys.argv[1:])
    except ImportError as exc:
        name = (exc.name or "").partition(".")[0]
        places = list(getattr(sys.modules.get(name), "__path__", ()))
        if name not in ("miner", "storage") or str(Path(__file__).parents[1] / name) in places:
            raise
        sys.exit(
            f"error: Another package is called {name}, as one of Pairwright's is: {', '.join(places)}\n"
            "Uninstall it, or give Pairwright an environment of its own, as pipx does."
        )


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C ends the program until the command or the window handles it, which takes the time of their imports."""
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:
        signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        if is_usual and signal.getsignal(signal.SIGINT) is _end:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(number: int, _: object) -> None:
    with suppress(OSError):  # stderr is closed
        os.write(2, b"Cancelled.\n")
    os._exit(128 + number)  # an exception would fly through libraries that are imported, and some end by the signal


def _run(arguments: Sequence[str]) -> int:
    if starts_window(arguments):
        from desktop.app import main as window

        return window(arguments)
    from desktop.cli.main import main as command

    return command(arguments)


if __name__ == "__main__":
    sys.exit(main())
