"""Files and folders that a project names, looked at before another program is asked to open them.

A project file comes from anybody: what it calls the place of a paper may be a program. So a file is opened only with
the ending of something that holds papers or pairs, and the very content that was added.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from desktop.jobs.papers.table import Place, details
from miner.errors import Unreadable, UserError
from miner.parsing.json_lines import parse_json_line, read_json_lines
from miner.progress import Job, Progress
from storage.project import Project

ENDINGS = frozenset({".pdf", ".xml", ".tei", ".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".txt"})
_FOLDERS_THAT_RUN = frozenset({".app", ".bundle", ".action", ".workflow", ".prefpane", ".service"})  # macOS


def file_of(project: Project, id: int) -> Job[Path]:
    """A row's file, a PDF if there is one; `UserError` when none is where it was, or none may be opened."""

    def work(progress: Progress) -> Path:
        places = sorted(_there(project, id, progress), key=lambda place: place.path.suffix.lower() != ".pdf")
        with project.reading() as stores:
            sums = [stores.files.known_sha256(place.path, place.line) for place in places]
        refused: list[UserError] = []
        for place, sha256 in zip(places, sums, strict=True):
            try:
                return _unchanged(place.path, sha256, place.line)
            except UserError as exc:
                refused.append(exc)
        raise refused[0]

    return Job("Looking for the file", work)


def folder_of(project: Project, id: int) -> Job[Path]:
    """The folder of a row's file; `UserError` when the file is not where it was."""

    def work(progress: Progress) -> Path:
        folder = _there(project, id, progress)[0].path.parent
        if folder.suffix.lower() in _FOLDERS_THAT_RUN:
            raise UserError(f"{folder} is not opened: your system would start it.", hint="Look for it by hand.")
        return folder

    return Job("Looking for the folder", work)


def unchanged(path: Path, sha256: str) -> Job[Path]:
    """The file, if it may be opened: `UserError` where its content is not that."""

    def work(progress: Progress) -> Path:
        return _unchanged(path, sha256)

    return Job(f"Looking at {path.name}", work)


def _there(project: Project, id: int, progress: Progress) -> list[Place]:
    seen = details(project, id).work(progress)
    places = seen.places if seen else ()
    there = [place for place in places if place.is_there]
    if not there:
        where = f"{places[0].path} is no longer there." if places else "The project knows of no file of this paper."
        raise UserError(where, hint="If it was moved, use Papers > Locate file.")
    return there


def _unchanged(path: Path, sha256: str | None, line: int = 0) -> Path:
    by_hand = f"Open it yourself, if you trust it. It lies in {path.parent}."
    if Path(path.name.lower().removesuffix(".gz")).suffix not in ENDINGS:
        raise UserError(f"{path.name} is not opened: its ending is none that papers have.", hint=by_hand)
    if not sha256:
        raise UserError(f"{path.name} is not opened: it could not be read when it was added.", hint=by_hand)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116  a pipe would be waited for
            raise UserError(f"{path.name} is not a file any more.", hint="Look where it was.")
        with path.open("rb") as file:
            same = hashlib.file_digest(file, "sha256").hexdigest() == sha256
        if not same and line:
            same = any(
                parse_json_line(known).sha256 == sha256 for known in read_json_lines(path) if known.number == line
            )
    except Unreadable:
        same = False
    except OSError as exc:
        raise UserError(f"{path} cannot be read: {exc.strerror}.", hint="Allow yourself to read it.") from exc
    if not same:
        raise UserError(f"{path.name} is not opened: it has changed since it was added.", hint=by_hand)
    return path
