"""Many PDFs through one GROBID: as fast as it can bear, each answer once, and no file blamed for the server."""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace

from miner.errors import Unreadable
from miner.parsing.grobid.board import Board, Job
from miner.parsing.grobid.client import Client
from miner.parsing.grobid.outcome import Change, Failed, Outcome, Parsed, PdfTask, State
from miner.parsing.grobid.server import GrobidPaused, Health, Server, ask_server, trouble_with
from miner.parsing.grobid.settings import Grobid, parameters, tei_key
from miner.parsing.grobid.verdict import Do, Verdict, judge, odd_answer
from miner.parsing.grobid.wire import Limits, Reply, Trouble
from miner.progress import Cancelled, Progress

_POLL = 0.1  # seconds between looks at the wish to stop


def parse_with_grobid(
    tasks: Iterable[PdfTask],
    grobid: Grobid,
    server: Server,
    *,
    progress: Progress,
    on_change: Callable[[Change], None] | None = None,
    proven: bool = False,
) -> Generator[Outcome]:
    """An outcome for every task, as they come; a PDF given twice is sent once. `server` is what `ready_server` gave.

    Nothing is remembered here: leave out what has an answer under its `tei_key` already. Raises `Cancelled` within half
    a second of the wish, and `GrobidPaused` when GROBID itself is in trouble; the files without an outcome are then as
    they were, and a later run takes them up. `on_change` is called in the consumer's thread.
    `proven`: GROBID has answered for other files before, so that one odd answer is its file's failure.
    """
    run = _Run(list(tasks), grobid, server, proven=proven)
    working = run.start()
    try:
        while working:
            stopping = progress.cancelled
            if stopping:
                run.board.stop()
            try:
                event = run.board.events.get(timeout=0 if stopping else _POLL)
            except queue.Empty:
                if stopping:
                    run.board.cancel(on_change)
                    raise Cancelled from None
                continue
            if isinstance(event, Change):
                if on_change is not None:
                    on_change(event)
            elif isinstance(event, (Parsed, Failed)):
                run.board.delivered()
                yield event
            elif isinstance(event, GrobidPaused):
                raise event
            else:
                working -= 1
                if not event.clean:
                    raise RuntimeError("a GROBID worker thread died; its traceback is above")
    finally:
        run.board.stop()


class _Ended:
    """A worker's last word; `clean` when it ran out of work."""

    clean = False


class _Run:
    """The workers: daemon threads, so that a hanging request holds up neither a cancel nor the end of the program."""

    def __init__(self, tasks: list[PdfTask], grobid: Grobid, server: Server, *, proven: bool) -> None:
        self._grobid = grobid
        self._server = server
        self._seen_versions = {server.version}
        self._parameters = parameters(grobid)
        self._client = Client(grobid)
        self.board = Board(tasks, grobid, server.engines, proven=proven)

    def start(self) -> int:
        workers = min(self.board.ceiling, self.board.jobs)
        for number in range(workers):
            threading.Thread(target=self._work, name=f"grobid-{number}", daemon=True).start()
        return workers

    def _work(self) -> None:
        ended = _Ended()
        try:
            while (job := self.board.take()) is not None:
                self._attempt(job)
            ended.clean = True
        finally:
            self.board.events.put(ended)

    def _attempt(self, job: Job) -> None:
        try:
            reply, waited = self._send(job)
        except Unreadable as exc:
            verdict = Verdict(Do.FAIL, exc.code, str(exc), exc.hint, lasting=False)
            self.board.fail(job, self._failures(job, verdict))
            return
        if not self.board.stopped.is_set():
            self.board.enter(job, State.PARSING)
            self._settle(job, reply, judge(reply, pdf_md5=job.tasks[0].md5, segment=job.segment, waited=waited))

    def _send(self, job: Job) -> tuple[Reply, float]:
        """GROBID's reply, and how long a silence we bore; the PDF is in memory only here."""
        board, grobid = self.board, self._grobid
        board.enter(job, State.HASHING)
        pdf = _read(job.tasks[0], grobid.max_pdf)
        board.enter(job, State.SENDING)
        silence = grobid.read_timeout * (2 if job.alone else 1)
        limits = Limits(
            grobid.connect_timeout,
            silence,
            silence + grobid.spare_time,
            grobid.max_answer,
            board.stopped.is_set,
            lambda: board.enter(job, State.WAITING),
        )
        return self._client.fulltext(pdf, f"{job.sha256[:16]}.pdf", limits, segment=job.segment), silence

    def _settle(self, job: Job, reply: Reply, verdict: Verdict) -> None:
        board = self.board
        match verdict.do:
            case Do.KEEP:
                self._follow_version(verdict.version)
                board.keep(job, self._answers(job, reply, verdict))
            case Do.WAIT:
                board.wait_while_busy(job, reply.retry_after)
            case Do.PAUSE:
                board.pause(GrobidPaused(verdict.code, f"{verdict.text.rstrip('.')}.", hint=verdict.hint))
            case Do.DOUBT:
                board.doubt(job, verdict, self._failures(job, odd_answer(verdict)))
            case Do.LOOK if reply.status == Trouble.UNREACHABLE:
                first = board.go_away()
                board.put_back(job)
                if first:
                    self._find_server()
            case Do.LOOK:
                gone = ask_server(self._grobid).health is not Health.READY
                if gone:
                    text = "GROBID stopped twice while it worked on this file alone"
                    verdict = replace(verdict, code="stops_grobid", text=text, lasting=True)
                first = gone and board.go_away()
                board.lose(job, self._failures(job, verdict))
                if first:
                    self._find_server()
            case Do.FAIL:
                self._fail(job, verdict)

    def _fail(self, job: Job, verdict: Verdict) -> None:
        board = self.board
        if board.retry(job, verdict):
            return
        if verdict.code == "grobid_general" and job.segment:
            board.retry_unsegmented(job)  # the sentence splitter is the commonest cause; ours does that work anyway
        else:
            board.fail(job, self._failures(job, verdict), suspect=verdict.suspect)

    def _find_server(self) -> None:
        """Look for a server that has gone, at growing distances; one worker does it for all, and nothing is sent."""
        step = self._grobid.probe_step
        while not self.board.wait_away(step):
            server = ask_server(self._grobid)
            if server.health is Health.READY:
                self._server = server
                self.board.come_back()
                return
            if server.health is Health.NOT_GROBID or self.board.away_too_long():
                self.board.pause(trouble_with(self._grobid, server))
                return
            step = min(2 * step, self._grobid.probe_cap)

    def _follow_version(self, version: str) -> None:
        """Ask again when a TEI names another version than the server did: it may have been exchanged under us."""
        if version and version not in self._seen_versions:
            self._seen_versions.add(version)
            server = ask_server(self._grobid)
            if server.health is Health.READY:
                self._server = server

    def _answers(self, job: Job, reply: Reply, verdict: Verdict) -> list[Outcome]:
        flags = () if job.segment == self._grobid.segment_sentences else ("split=local",)
        server = self._server.version_key
        found: list[Outcome] = []
        for task in job.tasks:
            paper = verdict.paper and replace(verdict.paper, md5=task.md5, sha256=task.sha256)
            key = tei_key(task.sha256, self._parameters, server)
            found.append(Parsed(task, key, reply.body, paper, server, self._parameters, flags, job.waits))
        return found

    def _failures(self, job: Job, verdict: Verdict) -> list[Outcome]:
        key = tei_key(job.sha256, self._parameters, self._server.version_key)
        return [
            Failed(task, key, verdict.code, f"{verdict.text}.", verdict.hint, verdict.lasting) for task in job.tasks
        ]


def _read(task: PdfTask, limit: int) -> bytes:
    try:
        pdf = task.read()
    except FileNotFoundError as exc:
        raise Unreadable("missing", "The file is no longer there") from exc
    except OSError as exc:
        raise Unreadable("unreadable", f"The file cannot be read: {exc.strerror}") from exc
    if len(pdf) > limit:
        raise Unreadable("too_large", f"The file has {len(pdf) / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB")
    if b"%PDF-" not in pdf[:1024]:
        raise Unreadable("not_pdf", "This is not a PDF")
    if hashlib.sha256(pdf).hexdigest() != task.sha256:
        raise Unreadable("changed", "The file has changed since it was added", hint="Add it again.")
    return pdf
