"""Parses PDFs by a GROBID server, sends no PDF twice and stores every answer; also checks the health of a server."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from desktop.jobs.papers.import_session import FileProgress, ImportSession
from desktop.translation import tr
from miner.errors import UnreadableFile
from miner.parsing.file_parser import ParsedFile
from miner.parsing.files import FileContent, FileKind, Hashes, read_bytes
from miner.parsing.grobid import (
    FailedPdf,
    FileState,
    GrobidServer,
    GrobidSettings,
    Outcome,
    PdfTask,
    StateChange,
    ask_server,
    parse_with_grobid,
    ready_server,
    request_parameters,
    tei_key,
)
from miner.parsing.sentences import split_paper
from miner.parsing.tei import parse_tei
from miner.progress import Cancelled, Job, Progress
from miner.records import Paper
from miner.references.same_paper import XML_PARSER

log = logging.getLogger(__name__)

_REPORTED_STATES = (FileState.SENDING, FileState.WAITING, FileState.BUSY, FileState.PARSING)


def check_server(url: str) -> Job[GrobidServer]:
    """Version and health of the GROBID server at this address, within a few seconds; `UserError` for a bad address."""

    def work(progress: Progress) -> GrobidServer:
        return ask_server(GrobidSettings(url))

    return Job(tr("Checking the GROBID server"), work)


def parse_with_server(session: ImportSession, files: Iterator[FileContent], grobid: GrobidSettings) -> None:
    """Parse the PDFs by GROBID; those with a stored answer are read from it, without a request.

    Raises `GrobidPaused` if the server fails: finished files are stored, and running the same import again continues.
    """
    if grobid.warning:
        log.warning(grobid.warning)
    server = ready_server(grobid, session.progress)
    if server.notice:
        log.warning(server.notice)
    _ServerImport(session, grobid, server).run(files)


class _ServerImport:
    """One import by a GROBID server."""

    def __init__(self, session: ImportSession, grobid: GrobidSettings, server: GrobidServer) -> None:
        self._session = session
        self._grobid = grobid
        self._server = server
        self._sent: dict[str, list[Path]] = {}  # paths of each PDF that is being parsed, by SHA-256
        self._failed: dict[str, FailedPdf] = {}

    def run(self, files: Iterator[FileContent]) -> None:
        session = self._session
        with session.project.read_transaction() as stores:
            proven = stores.papers.has_papers_by("grobid")
        outcomes = parse_with_grobid(
            self._tasks(files),
            self._grobid,
            self._server,
            progress=session.progress,
            on_change=self._on_change,
            proven=proven,
        )
        with closing(outcomes):
            for outcome in outcomes:
                self._on_outcome(outcome)
        session.tick()

    def _tasks(self, files: Iterable[FileContent]) -> Iterator[PdfTask]:
        """A task for each PDF without a stored answer; the others are stored from their answers."""
        for file in files:
            sha256 = file.hashes.sha256
            if sha256 in self._sent:
                self._sent[sha256].append(file.path)
            elif sha256 in self._failed:
                self._fail(file.path, self._failed[sha256])
            elif not self._use_stored_answer(file):
                self._sent[sha256] = [file.path]
                read = partial(read_bytes, file.path, FileKind.PDF)
                yield PdfTask(sha256, file.hashes.md5, read, content=file.content)

    def _use_stored_answer(self, file: FileContent) -> bool:
        """Finish the file by the project's stored answer; False if there is none."""
        session = self._session
        sha256 = file.hashes.sha256
        key = tei_key(sha256, request_parameters(self._grobid), self._server.version_key)
        paper = session.known_paper(sha256)
        with session.project.read_transaction() as stores:
            tei = None if session.options.retry and paper is None else stores.parser_cache.get(key)
            refusal = None if session.options.retry else stores.parser_cache.failure(key)
        by_xml = paper is not None and paper.parser == XML_PARSER and not session.options.reparse
        if paper and (by_xml or (paper.parser == "grobid" and (tei is None or session.is_current(paper)))):
            session.count_known(file, paper)
        elif tei is not None:
            self._store(file.path, file.hashes, tei, None)
        elif refusal is not None:
            session.fail(file.path, refusal, file.hashes)
        else:
            return False
        session.finish_file(file.path)
        return True

    def _on_outcome(self, outcome: Outcome) -> None:
        task = outcome.task
        if isinstance(outcome, FailedPdf):
            self._failed[task.sha256] = outcome
        for path in self._sent.pop(task.sha256):
            with suppress(Cancelled):  # `parse_with_grobid` raises it too, after all finished papers
                if isinstance(outcome, FailedPdf):
                    self._fail(path, outcome)
                else:
                    hashes = Hashes(task.md5, task.sha256)
                    self._store(path, hashes, outcome.tei, outcome.paper, outcome.key)
                    self._session.finish_file(path)

    def _fail(self, path: Path, outcome: FailedPdf) -> None:
        error = UnreadableFile(outcome.code, f"{path.name}: {outcome.text}", hint=outcome.hint)
        cache_key = outcome.key if outcome.permanent else ""
        self._session.fail(path, error, Hashes(outcome.task.md5, outcome.task.sha256), cache_key)
        self._session.finish_file(path)

    def _store(self, path: Path, hashes: Hashes, tei: bytes, paper: Paper | None, cache_key: str = "") -> None:
        """Store a TEI and its paper, which is read from the TEI if it is None."""
        try:
            paper = paper or replace(parse_tei(tei), md5=hashes.md5, sha256=hashes.sha256)
            parsed = ParsedFile(papers=((0, split_paper(paper, self._session.splitter)),), tei=tei)
        except UnreadableFile as exc:  # the TEI has no text: it is stored, so that the PDF is not sent again
            parsed = ParsedFile(failed=((0, exc),), tei=tei)
        self._session.store(path, FileKind.PDF, parsed, hashes, cache_key)

    def _on_change(self, change: StateChange) -> None:
        if change.task is not None and change.state in _REPORTED_STATES:
            for path in self._sent.get(change.task.sha256, ()):
                self._session.on_file(FileProgress(path, change.state.value))
        if change.task is None or change.state is FileState.BUSY:
            wait = f", {change.seconds:.0f} s" if change.seconds else ""
            with suppress(Cancelled):
                self._session.tick(f"{change.state}{wait}")
