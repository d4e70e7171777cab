"""Experiment files on disk."""

from __future__ import annotations

from pathlib import Path

from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.paths import write_hint
from miner.progress import Job, Progress

_MAX_BYTES = 1_000_000


def read_experiment_file(path: Path) -> str:
    """The text of a file; `UserError` where it cannot be read, or is too long for an experiment."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise UserError(f"{path} is too long for an experiment.")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "it is not UTF-8 text"
        raise UserError(f"{path} cannot be read: {why}.", hint="Name a ready experiment or a TOML file.") from exc


def load_experiment_file(path: Path) -> Job[tuple[Path, str]]:
    """The path and its text."""
    return Job(f"Opening {path.name}", lambda _: (path, read_experiment_file(path)))


def save_experiment_file(path: Path, text: str) -> Job[Path]:
    """Write a text to a file, in place of what is there; gives the path. `UserError` where it cannot be written."""

    def work(progress: Progress) -> Path:
        try:
            with atomic_file(path) as part:
                part.write_text(text, encoding="utf-8")
        except OSError as exc:
            raise UserError(f"{path} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc
        return path

    return Job(f"Saving {path.name}", work)
