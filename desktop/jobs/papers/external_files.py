"""Checks of files and folders named in a project, before another program opens them.

A project may come from anybody, and the path it gives for a paper may lead to a program. So a file is opened only if it
has a suffix of papers or pairs and its content is the content that was added.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from desktop.jobs.papers.table import FileLocation, load_details
from desktop.translation import tr
from miner.errors import UnreadableFile, UserError
from miner.parsing.json_lines import parse_json_line, read_json_lines
from miner.progress import Job, Progress
from storage.project import Project

OPENABLE_SUFFIXES = frozenset({".pdf", ".xml", ".nxml", ".tei", ".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".txt"})
_EXECUTABLE_FOLDER_SUFFIXES = frozenset({".app", ".bundle", ".action", ".workflow", ".prefpane", ".service"})  # macOS


def find_file(project: Project, id: int) -> Job[Path]:
    """The file of a row, preferably a PDF; `UserError` if no file is where it was, or none may be opened."""

    def work(progress: Progress) -> Path:
        files = sorted(_existing_files(project, id, progress), key=lambda file: file.path.suffix.lower() != ".pdf")
        with project.read_transaction() as stores:
            hashes = [stores.files.known_sha256(file.path, file.line) for file in files]
        errors: list[UserError] = []
        for file, sha256 in zip(files, hashes, strict=True):
            try:
                return _verify(file.path, sha256, file.line)
            except UserError as exc:
                errors.append(exc)
        raise errors[0]

    return Job(tr("Looking for the file"), work)


def find_shown_file(project: Project, id: int) -> Job[Path]:
    """The file of a row whose folder is to be opened, preferably a PDF; the file itself is not opened.

    `UserError` if no file is where it was, or opening the folder runs a program.
    """

    def work(progress: Progress) -> Path:
        files = [file.path for file in _existing_files(project, id, progress)]
        shown = next((file for file in files if file.suffix.lower() == ".pdf"), files[0])
        folder = shown.parent
        if folder.suffix.lower() in _EXECUTABLE_FOLDER_SUFFIXES:
            raise UserError(
                tr("{folder} is not opened: your system would start it.", folder=folder),
                hint=tr("Look for it by hand."),
            )
        return shown

    return Job(tr("Looking for the file"), work)


def verify_file(path: Path, sha256: str) -> Job[Path]:
    """The file, if it may be opened; `UserError` if its content has another SHA-256."""

    def work(progress: Progress) -> Path:
        return _verify(path, sha256)

    return Job(tr("Looking at {name}", name=path.name), work)


def _existing_files(project: Project, id: int, progress: Progress) -> list[FileLocation]:
    details = load_details(project, id).work(progress)
    files = details.files if details else ()
    existing = [file for file in files if file.is_there]
    if not existing:
        problem = (
            tr("{path} is no longer there.", path=files[0].path)
            if files
            else tr("The project knows of no file of this paper.")
        )
        raise UserError(problem, hint=tr("If it was moved, use Papers > Locate file."))
    return existing


def _verify(path: Path, sha256: str | None, line: int = 0) -> Path:
    hint = tr("Open it yourself, if you trust it. It is in {parent}.", parent=path.parent)
    if Path(path.name.lower().removesuffix(".gz")).suffix not in OPENABLE_SUFFIXES:
        raise UserError(tr("{name} is not opened: papers do not have this ending.", name=path.name), hint=hint)
    if not sha256:
        raise UserError(tr("{name} is not opened: it could not be read when it was added.", name=path.name), hint=hint)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116  opening a pipe would block
            raise UserError(tr("{name} is not a file any more.", name=path.name), hint=tr("Look where it was."))
        with path.open("rb") as file:
            same = hashlib.file_digest(file, "sha256").hexdigest() == sha256
        if not same and line:
            same = any(
                parse_json_line(known).sha256 == sha256 for known in read_json_lines(path) if known.number == line
            )
    except UnreadableFile:
        same = False
    except OSError as exc:
        raise UserError(
            tr("{path} cannot be read: {strerror}.", path=path, strerror=exc.strerror),
            hint=tr("Give yourself permission to read it."),
        ) from exc
    if not same:
        raise UserError(tr("{name} is not opened: it has changed since it was added.", name=path.name), hint=hint)
    return path
