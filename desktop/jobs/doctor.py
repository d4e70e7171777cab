"""Checks the installation and what it needs: libraries, torch, a display, GROBID, the disk, and a project file."""

from __future__ import annotations

import importlib.metadata
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from desktop.display import QT_HINT, has_display, has_fonts
from desktop.jobs.installation import Check, installation_checks
from desktop.text import listed
from desktop.translation import tr
from miner.errors import UserError
from miner.installation import how_installed, missing_extra
from miner.parsing.grobid import GrobidSettings, ServerHealth, ask_server
from miner.paths import exists
from miner.processes.isolated import run_isolated
from miner.processes.sandbox import what_holds
from miner.progress import Cancelled, Job, Progress
from storage.file_checks import can_write
from storage.project import Project
from storage.verification import find_changed_rows

_LIBRARIES = ("pypdfium2", "lxml", "SQLAlchemy", "spacy", "nltk", "grobid-client-python")
_MIN_FREE_BYTES = 2_000_000_000  # with less, a corpus of papers may not fit


def doctor(project: Path | None, grobid: GrobidSettings, folder: Path) -> Job[list[Check]]:
    """Check the installation and, if a project is given, all of its file."""

    def work(progress: Progress) -> list[Check]:
        checks = []
        for check in _checks(project, grobid, folder, progress):
            checks.append(check)
            progress.tick(len(checks), None, check.name)
        return checks

    return Job(tr("Checking"), work)


def _checks(project: Path | None, grobid: GrobidSettings, folder: Path, progress: Progress) -> Iterator[Check]:
    yield from installation_checks()
    for name in _LIBRARIES:
        try:
            yield Check(name, True, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Check(name, False, tr("not installed"), how_installed().package_remedy(name))
    yield _full_text()
    yield _sandbox()
    if missing_extra("models") is None:
        yield _torch(progress)
    yield from _window(progress)
    yield _grobid(grobid)
    yield _disk(folder if project is None else project.absolute().parent)
    if project is not None:
        yield _project(project, progress)


def _disk(folder: Path) -> Check:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as exc:
        return Check("disk", False, tr("{folder} cannot be read: {why}.", folder=folder, why=exc.strerror or exc))
    low = free < _MIN_FREE_BYTES
    text = tr("{free:,.1f} GB free at {folder}", free=free / 1_000_000_000, folder=folder)
    return Check("disk", not low, text, tr("Free some space.") if low else "")


def _full_text() -> Check:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (word)")
    except sqlite3.OperationalError:
        hint = tr("Use a Python whose SQLite has full-text search, such as python.org's.")
        return Check(
            "SQLite",
            False,
            tr("{sqlite_version}, without full-text search", sqlite_version=sqlite3.sqlite_version),
            hint,
        )
    finally:
        connection.close()
    return Check("SQLite", True, tr("{sqlite_version}, with full-text search", sqlite_version=sqlite3.sqlite_version))


def _sandbox() -> Check:
    """What the system enforces on the processes that parse files of others."""
    holds = what_holds()
    kept = [
        tr("read only the program"),
        tr("write nothing"),
        tr("connect to nothing"),
    ]
    held = [text for text, holds_it in zip(kept, holds[:3], strict=True) if holds_it]
    if not held:
        return Check("parsers", None, tr("in processes of their own, which this system does not confine further"))
    return Check("parsers", True if all(holds) else None, tr("in processes that {held}", held=listed(held)))


def _torch(progress: Progress) -> Check:
    """Whether torch can compute, and on which device. This is tried in a separate process."""
    from miner.classifier.libraries import describe_device  # other commands do not need it

    try:
        found = run_isolated(describe_device, None, progress, subject=tr("The trial of torch"))
    except UserError as exc:
        return Check("torch", False, str(exc), exc.hint)
    except Cancelled:
        raise
    except Exception as exc:  # noqa: BLE001 - what is left of a torch that was removed may fail anyhow
        return Check("torch", False, tr("It does not start: {exc}.", exc=exc), how_installed().package_remedy("torch"))
    if "+cpu" in found and shutil.which("nvidia-smi"):
        hint = tr("This torch cannot use the NVIDIA card that is here. {remedy}", remedy=how_installed().remedy("gpu"))
        return Check("torch", True, found, hint)
    return Check("torch", True, found)


def _window(progress: Progress) -> Iterator[Check]:
    """The checks that only the window needs; their failures are not errors, since commands need no window."""
    if has_display():
        yield _display(progress)
    else:
        yield Check(
            "display", None, tr("none, so no window can open here"), tr("The commands need none: pairwright --help")
        )
    if has_fonts():
        yield Check("fonts", True, tr("there are some"))
    else:
        hint = tr("Install one, such as the package fonts-dejavu-core of Debian and Ubuntu, for the window.")
        yield Check("fonts", None, tr("none found"), hint)


def _display(progress: Progress) -> Check:
    """Whether Qt can open a window. This is tried in a separate process, since Qt ends the process where it cannot."""
    if missing_extra("window") is not None:
        return Check("display", True, tr("there is one"))
    try:
        run_isolated(_connect_to_display, None, progress, subject=tr("Qt"))
    except (UserError, ImportError) as exc:
        return Check("display", False, tr("No window can open on it: {exc}", exc=exc), QT_HINT)
    return Check("display", True, tr("windows can open"))


def _connect_to_display(_: None, emit: Callable[[object], None], progress: Progress) -> None:
    import_module("PySide6.QtGui").QGuiApplication([])


def _grobid(grobid: GrobidSettings) -> Check:
    server = ask_server(grobid)
    if server.health is ServerHealth.READY:
        return Check("GROBID", True, tr("{version} at {url}", version=server.version, url=grobid.url), server.notice)
    hint = tr("Optional: the built-in parser needs no server.")
    return Check("GROBID", None, tr("{health} at {url}", health=server.health, url=grobid.url), hint)


def _project(path: Path, progress: Progress) -> Check:
    can_be_written = can_write(path)
    try:
        with Project.open(path, read_only=exists(path) and not can_be_written) as project:
            changed = find_changed_rows(project, lambda: progress.tick(0, may_wait=False))
            problems = [*project.check(), *map(str, changed)]
    except UserError as exc:
        return Check("project", False, str(exc), exc.hint)
    if problems:
        return Check("project", False, f"{path}: {' '.join(problems)}", tr("Restore a backup."))
    if not can_be_written:
        return Check("project", True, tr("{path} is intact, and can only be read", path=path))
    return Check("project", True, tr("{path} is intact", path=path))
