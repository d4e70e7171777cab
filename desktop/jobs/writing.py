"""Writes the files of jobs, with a `UserError` for a file or folder that cannot be written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop.translation import tr
from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.paths import write_hint


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """A context that turns the `OSError` of a write into a `UserError` about the file or folder."""
    try:
        yield
    except OSError as exc:
        raise unwritable(path, exc) from exc


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a text and the folders above it, completely or not at all. `UserError` where it cannot be written."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)


def unwritable(path: Path, exc: OSError) -> UserError:
    """The error for a file or folder that cannot be written."""
    return UserError(
        tr("{path} cannot be written: {strerror}.", path=path, strerror=exc.strerror or exc), hint=write_hint(exc)
    )
