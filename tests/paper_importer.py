"""Imports papers without worker processes, which take seconds to start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop.jobs.papers.import_session import ImportOptions, ImportSession
from desktop.jobs.papers.imports import import_lines
from miner.parsing.file_parser import file_parser
from miner.parsing.files import FileKind, read_file
from miner.progress import Progress
from storage.project import Project


def import_files(project: Project, files: Sequence[tuple[Path, FileKind]], domain: str | None) -> None:
    session = ImportSession(project, ImportOptions(domain=domain), Progress())
    parse = file_parser(session.parameters)
    for path, kind in files:
        if kind is FileKind.PAPERS:
            import_lines(session, path)
        else:
            file = read_file(path, kind)
            session.store(path, kind, parse(file), file.hashes)
