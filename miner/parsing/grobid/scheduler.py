"""Many PDFs through one GROBID: as fast as it can bear, each answer once, and no file blamed for the server."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from queue import Empty

from miner.errors import Unreadable
from miner.parsing.grobid.client import Client
from miner.parsing.grobid.http import HttpLimits, HttpReply, TransportStatus
from miner.parsing.grobid.outcome import Failed, FileState, Outcome, Parsed, PdfTask, StateChange
from miner.parsing.grobid.request_queue import Request, RequestQueue
from miner.parsing.grobid.response import Decision, Response, interpret, odd_answer
from miner.parsing.grobid.server import GrobidPaused, Health, Server, ask_server, not_ready_error
from miner.parsing.grobid.settings import Grobid, parameters, tei_key
from miner.progress import Cancelled, Progress

_POLL = 0.1  # seconds between looks at the wish to stop


def parse_with_grobid(
    tasks: Iterable[PdfTask],
    grobid: Grobid,
    server: Server,
    *,
    progress: Progress,
    on_change: Callable[[StateChange], None] | None = None,
    proven: bool = False,
) -> Generator[Outcome]:
    """An outcome for every task, as they come; each PDF is given once. `server` is what `ready_server` gave.

    Tasks are drawn a few ahead of what is sent. Nothing is remembered here: leave out what has an answer under its
    `tei_key` already. Raises `Cancelled` within half a second of the wish, and `GrobidPaused` when GROBID itself is in
    trouble; the files without an outcome are then as they were, and a later run takes them up. `on_change` is called in
    the consumer's thread. `proven`: GROBID has answered for other files before, so that one odd answer is its file's
    failure.
    """
    run = _Run(grobid, server, proven=proven)
    source = iter(tasks)
    try:
        while run.draws or run.workers:
            stopping = progress.cancelled
            if stopping:
                run.queue.stop()
            elif run.draws and run.queue.has_room():
                run.draw(source)
            idle = not stopping and not (run.draws and run.queue.has_room())
            try:
                event = run.queue.events.get(timeout=_POLL if idle else 0)
            except Empty:
                if stopping:
                    raise Cancelled from None
                continue
            if isinstance(event, StateChange):
                if on_change is not None:
                    on_change(event)
            elif isinstance(event, (Parsed, Failed)):
                run.queue.delivered()
                yield event
            elif isinstance(event, GrobidPaused):
                raise event
            else:
                run.workers -= 1
                if not event.clean:
                    raise RuntimeError("a GROBID worker thread died; its traceback is above")
    finally:
        run.queue.stop()


class _Ended:
    """A worker's last word; `clean` when it ran out of work."""

    clean = False


class _Run:
    """The workers: daemon threads, so that a hanging request holds up neither a cancel nor the end of the program."""

    def __init__(self, grobid: Grobid, server: Server, *, proven: bool) -> None:
        self._grobid = grobid
        self._server = server
        self._seen_versions = {server.version}
        self._parameters = parameters(grobid)
        self._client = Client(grobid)
        self.queue = RequestQueue(grobid, server.engines, proven=proven)
        self.draws = True  # there may be more tasks
        self.workers = 0

    def draw(self, source: Iterator[PdfTask]) -> None:
        """Add the next task, with a worker while there are fewer than may work."""
        with suppress(Cancelled):  # the run itself ends by the wish, once it has handed over all it has
            if (task := next(source, None)) is not None:
                self.queue.add(task)
                if self.workers < self.queue.ceiling:
                    threading.Thread(target=self._work, name=f"grobid-{self.workers}", daemon=True).start()
                    self.workers += 1
                return
        self.draws = False
        self.queue.close()

    def _work(self) -> None:
        ended = _Ended()
        try:
            while (request := self.queue.take()) is not None:
                self._attempt(request)
            ended.clean = True
        finally:
            self.queue.events.put(ended)

    def _attempt(self, request: Request) -> None:
        try:
            reply, waited = self._send(request)
        except Unreadable as exc:
            response = Response(Decision.FAIL, exc.code, str(exc), exc.hint, lasting=False)
            self.queue.fail(request, self._failure(request, response))
            return
        if not self.queue.stopped.is_set():
            self.queue.set_state(request, FileState.PARSING)
            self._settle(
                request, reply, interpret(reply, pdf_md5=request.task.md5, segment=request.segment, waited=waited)
            )

    def _send(self, request: Request) -> tuple[HttpReply, float]:
        """GROBID's reply, and how long a silence we bore; the PDF is in memory only here."""
        queue, grobid = self.queue, self._grobid
        queue.set_state(request, FileState.READING)
        pdf = _read(request.task, grobid.max_pdf)
        queue.set_state(request, FileState.SENDING)
        silence = grobid.read_timeout * (2 if request.alone else 1)
        limits = HttpLimits(
            grobid.connect_timeout,
            silence,
            silence + grobid.spare_time,
            grobid.max_answer,
            queue.stopped.is_set,
            lambda: queue.set_state(request, FileState.WAITING),
        )
        return self._client.fulltext(pdf, f"{request.task.sha256[:16]}.pdf", limits, segment=request.segment), silence

    def _settle(self, request: Request, reply: HttpReply, response: Response) -> None:
        queue = self.queue
        match response.decision:
            case Decision.KEEP:
                self._follow_version(response.version)
                queue.succeed(request, self._answer(request, reply, response))
            case Decision.WAIT:
                queue.wait_while_busy(request, reply.retry_after)
            case Decision.PAUSE:
                queue.pause(GrobidPaused(response.code, f"{response.text.rstrip('.')}.", hint=response.hint))
            case Decision.CHECK_ADDRESS:
                queue.question_address(request, response, self._failure(request, odd_answer(response)))
            case Decision.CHECK_SERVER if reply.status == TransportStatus.UNREACHABLE:
                first = queue.suspend()
                queue.put_back(request)
                if first:
                    self._find_server()
            case Decision.CHECK_SERVER:
                gone = ask_server(self._grobid).health is not Health.READY
                if gone:
                    text = "GROBID stopped twice while it worked on this file alone"
                    response = replace(response, code="stops_grobid", text=text, lasting=True)
                first = gone and queue.suspend()
                queue.retry_alone(request, self._failure(request, response))
                if first:
                    self._find_server()
            case Decision.FAIL:
                self._fail(request, response)

    def _fail(self, request: Request, response: Response) -> None:
        queue = self.queue
        if queue.retry(request, response):
            return
        if response.code == "grobid_general" and request.segment:
            queue.retry_unsegmented(request)  # the sentence splitter is the commonest cause; ours does that work anyway
        else:
            queue.fail(request, self._failure(request, response), suspect=response.suspect)

    def _find_server(self) -> None:
        """Look for a server that has gone, at growing distances; one worker does it for all, and nothing is sent."""
        step = self._grobid.probe_step
        while not self.queue.wait_suspended(step):
            server = ask_server(self._grobid)
            if server.health is Health.READY:
                self._server = server
                self.queue.resume()
                return
            if server.health is Health.NOT_GROBID or self.queue.suspended_too_long():
                self.queue.pause(not_ready_error(self._grobid, server))
                return
            step = min(2 * step, self._grobid.probe_cap)

    def _follow_version(self, version: str) -> None:
        """Ask again when a TEI names another version than the server did: it may have been exchanged under us."""
        if version and version not in self._seen_versions:
            self._seen_versions.add(version)
            server = ask_server(self._grobid)
            if server.health is Health.READY:
                self._server = server

    def _answer(self, request: Request, reply: HttpReply, response: Response) -> Parsed:
        task, server = request.task, self._server.version_key
        flags = () if request.segment == self._grobid.segment_sentences else ("split=local",)
        paper = response.paper and replace(response.paper, md5=task.md5, sha256=task.sha256)
        key = tei_key(task.sha256, self._parameters, server)
        return Parsed(task, key, reply.body, paper, server, self._parameters, flags, request.waits)

    def _failure(self, request: Request, response: Response) -> Failed:
        key = tei_key(request.task.sha256, self._parameters, self._server.version_key)
        return Failed(request.task, key, response.code, f"{response.text}.", response.hint, response.lasting)


def _read(task: PdfTask, limit: int) -> bytes:
    """The PDF's content; what is read again must still be what the task says."""
    pdf, task.content = task.content, None
    if pdf is None:
        pdf = _read_again(task)
    if len(pdf) > limit:
        raise Unreadable("too_large", f"The file has {len(pdf) / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB")
    if b"%PDF-" not in pdf[:1024]:
        raise Unreadable("not_pdf", "This is not a PDF")
    return pdf


def _read_again(task: PdfTask) -> bytes:
    try:
        pdf = task.read()
    except FileNotFoundError as exc:
        raise Unreadable("missing", "The file is no longer there") from exc
    except OSError as exc:
        raise Unreadable("unreadable", f"The file cannot be read: {exc.strerror}") from exc
    if hashlib.sha256(pdf).hexdigest() != task.sha256:
        raise Unreadable("changed", "The file has changed since it was added", hint="Add it again.")
    return pdf
