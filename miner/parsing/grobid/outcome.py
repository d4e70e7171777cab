"""What goes into a GROBID run and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from miner.records import Paper


@dataclass(frozen=True, slots=True)
class PdfTask:
    """One PDF to parse: its hashes, lower-case hex, and how to read it (`Unreadable` or `OSError` is its failure).

    It is read when its turn comes and as often as it is sent, so that few PDFs are in memory at once.
    """

    sha256: str
    md5: str
    read: Callable[[], bytes]


class FileState(StrEnum):
    QUEUED = "queued"
    HASHING = "hashing"
    SENDING = "sending"
    WAITING = "waiting for GROBID"
    BUSY = "GROBID is busy"
    PARSING = "parsing"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    AWAY = "looking for GROBID"  # of the whole run, not of a file


@dataclass(frozen=True, slots=True)
class StateChange:
    """A file has come into a state, or with no `task` the whole run; `seconds` until the next try when it waits.

    `counts` has all files of the run by state, so they sum to its total.
    """

    task: PdfTask | None
    state: FileState
    seconds: float
    counts: Mapping[FileState, int]


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
