"""Experiment files on disk."""

from __future__ import annotations

from pathlib import Path

from desktop.jobs.writing import writing
from desktop.translation import tr
from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.paths import check_ordinary
from miner.progress import Job, Progress

_MAX_BYTES = 1_000_000


def read_experiment_file(path: Path) -> str:
    """The text of a file; `UserError` where it cannot be read, or is too long for an experiment."""
    try:
        check_ordinary(path, _MAX_BYTES)
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else tr("it is not UTF-8 text")
        raise UserError(
            tr("{path} cannot be read: {why}.", path=path, why=why), hint=tr("Name a ready experiment or a TOML file.")
        ) from exc


def load_experiment_file(path: Path) -> Job[tuple[Path, str]]:
    """The path and its text."""
    return Job(tr("Opening {name}", name=path.name), lambda _: (path, read_experiment_file(path)))


def save_experiment_file(path: Path, text: str) -> Job[Path]:
    """Write a text to a file, replacing its contents; the job's result is the path. `UserError` where that fails."""

    def work(progress: Progress) -> Path:
        with writing(path), atomic_file(path) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
        return path

    return Job(tr("Saving {name}", name=path.name), work)
