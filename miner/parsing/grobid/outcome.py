"""What goes into a GROBID run and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from miner.records import Paper


@dataclass(slots=True, eq=False)
class PdfTask:
    """One PDF to parse: its hashes, lower-case hex, and how to read it (`Unreadable` or `OSError` is its failure).

    `content`, where it is given, is sent the first time, and then let go. When the PDF has to be sent again it is read
    again, so that few PDFs are in memory at once.
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
    """A file has come into a state, or with no `task` the whole run; `seconds` until the next try when it waits."""

    task: PdfTask | None
    state: FileState
    seconds: float


@dataclass(frozen=True, slots=True)
class Parsed:
    """An answer worth keeping under `key`: GROBID's exact bytes, and the paper in them, with the PDF's identity.

    `paper` is None when GROBID recognised no text. `flags` has `split=local` when GROBID could answer only without
    cutting the text into sentences. `waits` is how often the server was too busy for this file.
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
class Failed:
    """Why a file has no answer: a stable code, a sentence for people and what they can do.

    A `permanent` failure is GROBID's word on this PDF: remember it under `key` and skip the file until asked to retry.
    """

    task: PdfTask
    key: str
    code: str
    text: str
    hint: str
    permanent: bool


Outcome: TypeAlias = Parsed | Failed
