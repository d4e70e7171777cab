"""A GROBID job in small: tasks, quick settings, and a run to its end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from replay import ReplayServer, tiny_pdf

from miner.parsing.grobid import (
    FailedPdf,
    FileState,
    GrobidPaused,
    GrobidServer,
    GrobidSettings,
    Outcome,
    ParsedPdf,
    PdfTask,
    StateChange,
    parse_with_grobid,
    ready_server,
)
from miner.progress import Progress

QUICK: dict[str, Any] = {
    "read_timeout": 20,
    "extra_time": 10,
    "busy_delay": 0.01,
    "max_busy_delay": 0.05,
    "max_retry_after": 0.2,
    "probe_delay": 0.05,
    "max_probe_delay": 0.1,
    "retry_delay": 0.02,
}


def quick(replay: ReplayServer, **settings: Any) -> GrobidSettings:
    return GrobidSettings(replay.url, **{**QUICK, **settings})


def task(pdf: bytes, read: Callable[[], bytes] | None = None) -> PdfTask:
    return PdfTask(hashlib.sha256(pdf).hexdigest(), hashlib.md5(pdf).hexdigest(), read or (lambda: pdf))


def tasks(count: int) -> list[PdfTask]:
    return [task(tiny_pdf(f"Paper {number}")) for number in range(count)]


@dataclass
class JobResult:
    """What a run gave: outcomes in order, every change of state, and why it paused if it did."""

    outcomes: list[Outcome] = field(default_factory=list)
    changes: list[StateChange] = field(default_factory=list)
    paused: GrobidPaused | None = None

    @property
    def parsed(self) -> list[ParsedPdf]:
        return [outcome for outcome in self.outcomes if isinstance(outcome, ParsedPdf)]

    @property
    def failed(self) -> list[FailedPdf]:
        return [outcome for outcome in self.outcomes if isinstance(outcome, FailedPdf)]

    def states(self, task: PdfTask) -> list[FileState]:
        return [change.state for change in self.changes if change.task is task]


def run_job(
    replay: ReplayServer,
    given: list[PdfTask],
    *,
    known: GrobidServer | None = None,
    proven: bool = False,
    **settings: Any,
) -> JobResult:
    """A whole job against a replay server, to its end or its pause."""
    grobid, ran, progress = quick(replay, **settings), JobResult(), Progress()
    try:
        server = known or ready_server(grobid, progress)
        found = parse_with_grobid(given, grobid, server, progress=progress, on_change=ran.changes.append, proven=proven)
        for outcome in found:
            ran.outcomes.append(outcome)
    except GrobidPaused as reason:
        ran.paused = reason
    return ran
