"""Input and output of a GROBID run: tasks, states of files, results and failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from miner.records import Paper


@dataclass(slots=True, eq=False)
class PdfTask:
    """One PDF to parse: its hashes in lower-case hex, and `read`, which may raise `UnreadableFile` or `OSError`.

    `content`: if given, it is sent first and then set to None. To send the PDF again it is read again, so that few PDFs
    are in memory.
    """

    sha256: str
    md5: str
    read: Callable[[], bytes]
    content: bytes | None = None


class FileState(StrEnum):
    QUEUED = "queued"
    READING = "reading"
    SENDING = "sending"
    WAITING = "waiting for GROBID"
    BUSY = "GROBID is busy"
    PARSING = "parsing"
    DONE = "done"
    FAILED = "failed"
    AWAY = "looking for GROBID"  # of the whole run, not of a file


@dataclass(frozen=True, slots=True)
class StateChange:
    """The new state of a file, or of the whole run if `task` is None. `seconds`: until the next attempt if it waits."""

    task: PdfTask | None
    state: FileState
    seconds: float


@dataclass(frozen=True, slots=True)
class ParsedPdf:
    """An answer to store under `key`: GROBID's exact bytes, and the paper in them with the hashes of the PDF.

    `paper`: None when GROBID recognised no text. `flags`: contains `split=local` when GROBID could answer only without
    splitting sentences. `waits`: how often the server was too busy for this file.
    """

    task: PdfTask
    key: str
    tei: bytes
    paper: Paper | None
    server: str
    parameters: str
    flags: tuple[str, ...] = ()
    waits: int = 0


@dataclass(frozen=True, slots=True)
class FailedPdf:
    """Why a file has no answer: a stable code, a sentence for the user, and a hint what to do.

    `permanent`: GROBID would fail on this PDF again; store the failure under `key` and skip the file until a retry.
    """

    task: PdfTask
    key: str
    code: str
    text: str
    hint: str
    permanent: bool


Outcome: TypeAlias = ParsedPdf | FailedPdf
