"""Finds the PDF of a paper: at its stored paths, else under the same name in other folders of the project."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from desktop.jobs.papers.evidence import Evidence
from desktop.jobs.papers.pdfs import PdfCache
from desktop.translation import tr
from miner.errors import UnreadableFile
from miner.parsing.files import FileKind, Hashes
from miner.paths import is_file, is_folder
from miner.progress import Job, Progress
from storage.papers.evidence import PaperFile
from storage.papers.files import FileSource
from storage.papers.metadata import PaperSummary
from storage.project import Project
from storage.untrusted import is_safe_to_access

log = logging.getLogger(__name__)

_TEI_ENDINGS = (".gz", ".xml", ".tei", ".grobid", ".nxml", ".jats")
_MAX_SUBFOLDERS = 100  # of the project's folder that are searched


class PdfState(StrEnum):
    """Whether a paper's PDF can be shown."""

    READY = "ready"
    CHANGED = "changed"  # the file has other content than when it was added
    MOVED = "moved"  # it is not at its stored paths, and was not found elsewhere
    NONE = "none"  # the paper came without a PDF
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Pdf:
    """The PDF of a paper. `is_newly_found`: its path is not stored yet. `problem` and `hint`: if it is unreadable."""

    state: PdfState
    path: Path | None = None
    sha256: str = ""
    is_newly_found: bool = False
    problem: str = ""
    hint: str = ""


def save_pdf_location(project: Project, md5: str, pdf: Pdf) -> Job[None]:
    """Store where a paper's PDF was found."""

    def work(progress: Progress) -> None:
        assert pdf.path is not None
        with project.transaction() as stores:
            if stores.papers.summary(md5) is not None:
                stores.files.add(FileSource(pdf.path, FileKind.PDF), md5, pdf.sha256)

    return Job(tr("Remembering where the PDF is"), work)


def find_pdf(project: Project, cache: PdfCache, evidence: Evidence, progress: Progress) -> Pdf:
    """The PDF of the evidence's paper: at its stored paths, else under the same name in the folders of other papers."""
    known = [file for file in evidence.files if file.line == 0 and _is_pdf(file, evidence.paper)]
    local = [file for file in known if is_safe_to_access(file.path, project.path)]
    fallback = Pdf(PdfState.MOVED, known[0].path) if known else Pdf(PdfState.NONE)
    for file in local:
        progress.tick(0, 1)
        try:
            hashes = cache.hashes(file.path)
        except UnreadableFile as exc:
            if exc.code != "missing":
                fallback = Pdf(PdfState.UNREADABLE, file.path, problem=str(exc), hint=exc.hint)
            continue
        if hashes.sha256 == file.sha256 or is_pdf_of(evidence.paper, hashes):
            return Pdf(PdfState.READY, file.path, hashes.sha256)
        fallback = Pdf(PdfState.CHANGED, file.path, hashes.sha256)
    for path in _candidate_paths(project, evidence, known):
        progress.tick(0, 1)
        try:
            hashes = cache.hashes(path)
        except UnreadableFile:
            continue
        if is_pdf_of(evidence.paper, hashes):
            return Pdf(PdfState.READY, path, hashes.sha256, is_newly_found=True)
    return fallback


def _candidate_paths(project: Project, evidence: Evidence, known: Sequence[PaperFile]) -> Iterator[Path]:
    """Other existing files with the name that the PDF has or, for a TEI file, would have."""
    names = {file.path.name: None for file in known}
    for file in evidence.files:
        if file.line == 0 and file not in known:
            names[_stem(file.path) + ".pdf"] = None
    if not names:
        return
    home = project.path.resolve().parent
    with project.read_transaction() as stores:
        folders = [*(file.path.parent for file in evidence.files), home, *_subfolders(home), *stores.evidence.folders()]
    tried = {file.path for file in known}
    for folder in dict.fromkeys(folders):
        if not is_safe_to_access(folder, project.path):
            continue
        for path in (folder / name for name in names):
            if path not in tried and is_file(path):
                tried.add(path)
                yield path


def _subfolders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if is_folder(path) and not path.name.startswith("."))[
            :_MAX_SUBFOLDERS
        ]
    except OSError as exc:
        log.warning("%s cannot be searched for PDFs: %s", folder, exc)
        return []


def _is_pdf(file: PaperFile, paper: PaperSummary) -> bool:
    return file.path.suffix.lower() == ".pdf" or (paper.kind == FileKind.PDF and file.sha256 == paper.sha256)


def is_pdf_of(paper: PaperSummary, hashes: Hashes) -> bool:
    """Whether a PDF with these hashes is the paper's. A paper from GROBID's TEI has the MD5 of its PDF."""
    return hashes.sha256 == paper.sha256 if paper.kind == FileKind.PDF else hashes.md5 == paper.md5


def _stem(path: Path) -> str:
    """The file name without all its TEI suffixes."""
    name = path.name
    while name.lower().endswith(_TEI_ENDINGS):
        name = name.rpartition(".")[0]
    return name
