"""The options of text recognition, and what is possible on this computer: read before the job is started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from desktop.translation import tr
from miner.parsing.recognition import ENGLISH, LIMITS, find_ocrmypdf, recognition_languages
from miner.processes.child import ProcessLimits
from miner.progress import Job, Progress
from storage.project import Project

SCAN = "scan"  # the code of the failures that are tried


@dataclass(frozen=True, slots=True)
class RecognitionOptions:
    """How text is recognised. languages: as Tesseract names them. folder: for the PDFs; None: beside the scans."""

    languages: tuple[str, ...] = (ENGLISH,)
    folder: Path | None = None
    limits: ProcessLimits = field(default=LIMITS)


@dataclass(frozen=True, slots=True)
class RecognitionState:
    """The languages that Tesseract knows here, and how many scans the project could not read."""

    languages: tuple[str, ...]
    scans: int


def load_recognition(project: Project, ids: Sequence[int] | None) -> Job[RecognitionState]:
    """The languages and the scans among these rows (None: all); `UserError` where ocrmypdf is not installed."""

    def work(progress: Progress) -> RecognitionState:
        find_ocrmypdf()
        return RecognitionState(tuple(recognition_languages()), len(scans_among(project, ids)))

    return Job(tr("Looking for ocrmypdf"), work)


def scans_among(project: Project, ids: Sequence[int] | None) -> list[Path]:
    """The scans among these failed files (None: all), sorted."""
    with project.read_transaction() as stores:
        return stores.files.failed_paths(None if ids is None else [-one for one in ids if one < 0], code=SCAN)
