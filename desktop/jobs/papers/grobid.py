"""PDFs through a GROBID server: nothing is sent twice, and every answer is kept."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from desktop.jobs.papers.import_session import FileProgress, ImportSession
from miner.errors import Unreadable
from miner.parsing.files import Kind, hashes, read_bytes
from miner.parsing.grobid import (
    FileState,
    Grobid,
    Outcome,
    Parsed,
    PdfTask,
    Server,
    StateChange,
    parameters,
    parse_with_grobid,
    ready_server,
    tei_key,
)
from miner.parsing.reading import Read
from miner.parsing.sentences import split_paper
from miner.parsing.tei import read_tei
from miner.progress import Cancelled

log = logging.getLogger(__name__)

_TOLD = (FileState.SENDING, FileState.WAITING, FileState.BUSY, FileState.PARSING)


def parse_with_server(intake: ImportSession, paths: Sequence[Path], grobid: Grobid) -> None:
    """Parse the PDFs by GROBID; those it has answered for before are read from its kept answer, with no request.

    Raises `GrobidPaused` when the server is in trouble: what is done is kept, and the same command goes on from there.
    """
    if not paths:
        return
    if grobid.warning:
        log.warning(grobid.warning)
    server = ready_server(grobid, intake.progress)
    if server.notice:
        log.warning(server.notice)
    _Parsing(intake, grobid, server).work(paths)


class _Parsing:
    def __init__(self, intake: ImportSession, grobid: Grobid, server: Server) -> None:
        self._intake = intake
        self._grobid = grobid
        self._server = server
        self._paths: dict[str, list[Path]] = {}

    def work(self, paths: Sequence[Path]) -> None:
        tasks = list(self._tasks(paths))
        with self._intake.project.reading() as stores:
            proven = stores.papers.any_by("grobid")
        outcomes = parse_with_grobid(
            tasks, self._grobid, self._server, progress=self._intake.progress, on_change=self._show, proven=proven
        )
        with closing(outcomes):
            for outcome in outcomes:
                self._settle(outcome)
        self._intake.look()

    def _tasks(self, paths: Sequence[Path]) -> Iterator[PdfTask]:
        """A task for each PDF that GROBID has not yet answered for."""
        for path in paths:
            self._intake.look(f"hashing {path.name}")
            try:
                md5, sha256 = hashes(read_bytes(path, Kind.PDF))
            except Unreadable as exc:
                self._intake.fail(path, exc)
                self._intake.file_done(path)
                continue
            if sha256 in self._paths:
                self._paths[sha256].append(path)
            elif not self._answered_before(path, md5, sha256):
                self._paths[sha256] = [path]
                yield PdfTask(sha256, md5, partial(read_bytes, path, Kind.PDF))

    def _answered_before(self, path: Path, md5: str, sha256: str) -> bool:
        """Whether the project has an answer; if so the file is settled by it."""
        intake = self._intake
        key = tei_key(sha256, parameters(self._grobid), self._server.version_key)
        paper = intake.known(sha256)
        with intake.project.reading() as stores:
            tei = None if intake.options.retry and paper is None else stores.outputs.get(key)
            refused = None if intake.options.retry else stores.outputs.failure(key)
        if paper and paper.parser == "grobid" and (tei is None or intake.is_current(paper)):
            intake.count_known(path, Kind.PDF, paper, sha256)
        elif tei is not None:
            intake.take(path, Kind.PDF, self._read(tei, md5, sha256), md5=md5, sha256=sha256)
        elif refused is not None:
            intake.fail(path, refused, md5=md5, sha256=sha256)
        else:
            return False
        intake.file_done(path)
        return True

    def _settle(self, outcome: Outcome) -> None:
        task = outcome.task
        for path in self._paths.pop(task.sha256):
            if isinstance(outcome, Parsed):
                found = self._read(outcome.tei, task.md5, task.sha256)
                self._intake.take(path, Kind.PDF, found, md5=task.md5, sha256=task.sha256, output=outcome.key)
            else:
                why = Unreadable(outcome.code, f"{path.name}: {outcome.text}", hint=outcome.hint)
                refused = outcome.key if outcome.permanent else None
                self._intake.fail(path, why, md5=task.md5, sha256=task.sha256, refused=refused)
            with suppress(Cancelled):  # the run itself ends by the wish, once it has handed over all it has
                self._intake.file_done(path)

    def _read(self, tei: bytes, md5: str, sha256: str) -> Read:
        try:
            paper = replace(read_tei(tei), md5=md5, sha256=sha256)
        except Unreadable as exc:  # no text: GROBID's answer all the same, and kept as one
            return Read(failed=((0, exc),), output=tei)
        return Read(papers=((0, split_paper(paper, self._intake.splitter)),), output=tei)

    def _show(self, change: StateChange) -> None:
        if change.task is not None and change.state in _TOLD:
            for path in self._paths.get(change.task.sha256, ()):
                self._intake.watch(FileProgress(path, change.state.value))
        if change.task is None or change.state is FileState.BUSY:
            wait = f", {change.seconds:.0f} s" if change.seconds else ""
            with suppress(Cancelled):
                self._intake.look(f"{change.state}{wait}")
