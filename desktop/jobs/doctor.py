"""Checks the installation: libraries, torch, a spaCy model, GROBID, the disk, and a project file."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.mining.sentence_analysis import installed_models
from miner.parsing.grobid import GrobidSettings, ServerHealth, ask_server
from miner.processes.isolated import run_isolated
from miner.progress import Job, Progress
from storage.project import Project

_LIBRARIES = ("pypdfium2", "lxml", "SQLAlchemy", "spacy", "nltk", "grobid-client-python")
_MIN_FREE_BYTES = 2_000_000_000  # with less, a corpus of papers may not fit


class Check(NamedTuple):
    """The result of one check; `sound` is None if the thing is optional and missing."""

    name: str
    sound: bool | None
    finding: str
    hint: str = ""


def doctor(project: Path | None, grobid: GrobidSettings, folder: Path) -> Job[list[Check]]:
    """Check the installation and, if a project is given, all of its file."""

    def work(progress: Progress) -> list[Check]:
        checks = []
        for check in _checks(project, grobid, folder, progress):
            checks.append(check)
            progress.tick(len(checks), None, check.name)
        return checks

    return Job("Checking", work)


def _checks(project: Path | None, grobid: GrobidSettings, folder: Path, progress: Progress) -> Iterator[Check]:
    python = sys.version_info >= (3, 11)
    yield Check("Python", python, platform.python_version(), "" if python else "Pairwright needs 3.11 or newer.")
    for name in ("pairwright", *_LIBRARIES):
        try:
            yield Check(name, True, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Check(name, False, "not installed", "Install Pairwright again: pip install .")
    yield _full_text()
    yield _torch(progress)
    yield _language_model()
    yield _grobid(grobid)
    free = shutil.disk_usage(folder).free
    low = free < _MIN_FREE_BYTES
    yield Check("disk", not low, f"{free / 1e9:,.1f} GB free at {folder}", "Free some space." if low else "")
    if project is not None:
        yield _project(project)


def _full_text() -> Check:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (word)")
    except sqlite3.OperationalError:
        hint = "Use a Python whose SQLite has full-text search, such as python.org's."
        return Check("SQLite", False, f"{sqlite3.sqlite_version}, without full-text search", hint)
    finally:
        connection.close()
    return Check("SQLite", True, f"{sqlite3.sqlite_version}, with full-text search")


def _torch(progress: Progress) -> Check:
    """Whether the classifier can compute, and on which device; tried in a process of its own."""
    from miner.classifier.libraries import describe_device, missing_library  # other commands do not need it

    if problem := missing_library():
        finding = f"{problem} The starter and BERT models trained with Pairwright judge with numpy."
        return Check("torch", None, finding, problem.hint)
    try:
        found = run_isolated(describe_device, None, progress, subject="The trial of torch")
    except UserError as exc:
        return Check("torch", False, str(exc), exc.hint)
    return Check("torch", True, found)


def _language_model() -> Check:
    models = installed_models()
    if models:
        return Check("spaCy model", True, ", ".join(models))
    hint = "Optional: with one, sentences without a verb are found more surely: python -m spacy download en_core_web_sm"
    return Check("spaCy model", None, "none; rules do its work", hint)


def _grobid(grobid: GrobidSettings) -> Check:
    server = ask_server(grobid)
    if server.health is ServerHealth.READY:
        return Check("GROBID", True, f"{server.version} at {grobid.url}", server.notice)
    hint = "Optional: the built-in parser needs no server."
    return Check("GROBID", None, f"{server.health} at {grobid.url}", hint)


def _project(path: Path) -> Check:
    try:
        with Project.open(path) as project:
            problems = project.check()
    except UserError as exc:
        return Check("project", False, str(exc), exc.hint)
    if problems:
        return Check("project", False, f"{path}: {' '.join(problems)}", "Restore a backup.")
    return Check("project", True, f"{path} is intact")
