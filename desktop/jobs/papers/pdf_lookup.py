"""Where the PDF of a paper lies: where the project knows it to be, else under the same name in its folders."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from desktop.jobs.papers.evidence import Evidence
from desktop.jobs.papers.pdfs import PdfCache
from miner.errors import Unreadable
from miner.parsing.files import FileKind, Hashes
from miner.paths import is_file, is_folder
from miner.progress import Job, Progress
from storage.papers.evidence import PaperFile
from storage.papers.files import FileSource
from storage.papers.store import PaperSummary
from storage.project import Project
from storage.untrusted import is_safe_to_access

log = logging.getLogger(__name__)

_TEI_ENDINGS = (".gz", ".xml", ".tei", ".grobid")
_SUBFOLDERS = 100  # of the project's folder that are searched at most


class PdfState(StrEnum):
    READY = "ready"
    CHANGED = "changed"  # a file lies there, but not the one that was added
    MOVED = "moved"
    NONE = "none"  # the paper came without one
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Pdf:
    """The PDF of a paper. `found`: it lies where the project does not know of yet; `why` and `hint`: if unreadable."""

    state: PdfState
    path: Path | None = None
    sha256: str = ""
    found: bool = False
    why: str = ""
    hint: str = ""


def remember(project: Project, md5: str, pdf: Pdf) -> Job[None]:
    """Keep where a paper's PDF was found."""

    def work(progress: Progress) -> None:
        assert pdf.path is not None
        with project.transaction() as stores:
            if stores.papers.summary(md5) is not None:
                stores.files.add(FileSource(pdf.path, FileKind.PDF), md5, pdf.sha256)

    return Job("Remembering where the PDF is", work)


def find_pdf(project: Project, cache: PdfCache, evidence: Evidence, progress: Progress) -> Pdf:
    """The paper's PDF: where the project knows it to be, else under the same name where its other papers are."""
    known = [file for file in evidence.files if file.line == 0 and _is_pdf(file, evidence.paper)]
    near = [file for file in known if is_safe_to_access(file.path, project.path)]
    other = Pdf(PdfState.MOVED, known[0].path) if known else Pdf(PdfState.NONE)
    for file in near:
        progress.tick(0, 1)
        try:
            hashes = cache.hashes(file.path)
        except Unreadable as exc:
            if exc.code != "missing":
                other = Pdf(PdfState.UNREADABLE, file.path, why=str(exc), hint=exc.hint)
            continue
        if hashes.sha256 == file.sha256 or is_pdf_of(evidence.paper, hashes):
            return Pdf(PdfState.READY, file.path, hashes.sha256)
        other = Pdf(PdfState.CHANGED, file.path, hashes.sha256)
    for path in _elsewhere(project, evidence, known):
        progress.tick(0, 1)
        try:
            hashes = cache.hashes(path)
        except Unreadable:
            continue
        if is_pdf_of(evidence.paper, hashes):
            return Pdf(PdfState.READY, path, hashes.sha256, found=True)
    return other


def _elsewhere(project: Project, evidence: Evidence, known: Sequence[PaperFile]) -> Iterator[Path]:
    names = {file.path.name: None for file in known}
    for file in evidence.files:
        if file.line == 0 and file not in known:
            names[_stem(file.path) + ".pdf"] = None
    if not names:
        return
    home = project.path.resolve().parent
    with project.reading() as stores:
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
            :_SUBFOLDERS
        ]
    except OSError as exc:
        log.warning("%s cannot be searched for PDFs: %s", folder, exc)
        return []


def _is_pdf(file: PaperFile, paper: PaperSummary) -> bool:
    return file.path.suffix.lower() == ".pdf" or (paper.kind == FileKind.PDF and file.sha256 == paper.sha256)


def is_pdf_of(paper: PaperSummary, hashes: Hashes) -> bool:
    """Whether this is the file that the paper is of. GROBID's TEI names its PDF by the MD5, which is the paper's."""
    return hashes.sha256 == paper.sha256 if paper.kind == FileKind.PDF else hashes.md5 == paper.md5


def _stem(path: Path) -> str:
    name = path.name
    while name.lower().endswith(_TEI_ENDINGS):
        name = name.rpartition(".")[0]
    return name
