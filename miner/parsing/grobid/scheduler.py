"""Sends many PDFs to one GROBID server: as fast as it can process them, and without failing files for its faults."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from queue import Empty
from typing import Any, assert_never

from miner.errors import UnreadableFile
from miner.http import HttpLimits, HttpReply, TransportStatus
from miner.parsing.grobid.client import GrobidHttpClient
from miner.parsing.grobid.outcome import FailedPdf, FileState, Outcome, ParsedPdf, PdfTask, StateChange
from miner.parsing.grobid.request_queue import Request, RequestQueue
from miner.parsing.grobid.response import Decision, Response, interpret, odd_answer
from miner.parsing.grobid.server import GrobidPaused, GrobidServer, ServerHealth, ask_server, not_ready_error
from miner.parsing.grobid.settings import GrobidSettings, request_parameters, tei_key
from miner.progress import Cancelled, Progress

_POLL_SECONDS = 0.1  # between checks whether to stop


def parse_with_grobid(
    tasks: Iterable[PdfTask],
    grobid: GrobidSettings,
    server: GrobidServer,
    *,
    progress: Progress,
    on_change: Callable[[StateChange], None] | None = None,
    proven: bool = False,
) -> Generator[Outcome]:
    """Yield an outcome for every task, in the order of completion. `server`: the result of `ready_server`.

    Tasks are drawn a few ahead of what is sent. Answers are not cached here: leave out tasks with a stored answer under
    their `tei_key`. Raises `Cancelled` within half a second after `progress` is cancelled, and `GrobidPaused` when
    GROBID itself does not work; files without an outcome can be sent in a later run. `on_change` is called in the
    caller's thread. `proven`: GROBID has answered at this address before, so that an odd answer fails only its file.
    """
    run = _GrobidRun(grobid, server, proven=proven)
    source = iter(tasks)
    try:
        while run.has_more_tasks or run.workers:
            stopping = progress.cancelled
            if stopping:
                run.queue.stop()
            elif run.can_add_task():
                run.add_next_task(source)
            event = run.next_event(_POLL_SECONDS if not stopping and not run.can_add_task() else 0)
            if event is None:
                if stopping:
                    raise Cancelled
                continue
            if isinstance(event, StateChange):
                if on_change is not None:
                    on_change(event)
            elif isinstance(event, (ParsedPdf, FailedPdf)):
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


class _WorkerEnd:
    """The last event of a worker; `clean`: it ended because there was no more work."""

    clean = False


class _GrobidRun:
    """The workers: daemon threads, so that a hanging request delays neither cancelling nor the end of the program."""

    def __init__(self, grobid: GrobidSettings, server: GrobidServer, *, proven: bool) -> None:
        self._grobid = grobid
        self._server = server
        self._seen_versions = {server.version}
        self._parameters = request_parameters(grobid)
        self._client = GrobidHttpClient(grobid)
        self.queue = RequestQueue(grobid, server.engines, proven=proven)
        self.has_more_tasks = True  # in the source
        self.workers = 0

    def can_add_task(self) -> bool:
        return self.has_more_tasks and self.queue.has_room()

    def next_event(self, seconds: float) -> Any:
        """The next event of the queue; None when none comes within so many seconds."""
        try:
            return self.queue.events.get(timeout=seconds)
        except Empty:
            return None

    def add_next_task(self, source: Iterator[PdfTask]) -> None:
        """Add the next task to the queue, and a worker while there are fewer than allowed."""
        with suppress(Cancelled):  # the run ends by itself once it has yielded its outcomes
            if (task := next(source, None)) is not None:
                self.queue.add(task)
                if self.workers < self.queue.ceiling:
                    threading.Thread(target=self._work, name=f"grobid-{self.workers}", daemon=True).start()
                    self.workers += 1
                return
        self.has_more_tasks = False
        self.queue.close()

    def _work(self) -> None:
        end = _WorkerEnd()
        try:
            while (request := self.queue.next_request()) is not None:
                self._attempt(request)
            end.clean = True
        finally:
            self.queue.events.put(end)

    def _attempt(self, request: Request) -> None:
        try:
            reply, waited = self._send(request)
        except UnreadableFile as exc:
            response = Response(Decision.FAIL, exc.code, str(exc), exc.hint, lasting=False)
            self.queue.fail(request, self._failure(request, response))
            return
        if not self.queue.stopped.is_set():
            self.queue.set_state(request, FileState.PARSING)
            self._handle_response(
                request, reply, interpret(reply, pdf_md5=request.task.md5, segment=request.segment, waited=waited)
            )

    def _send(self, request: Request) -> tuple[HttpReply, float]:
        """GROBID's reply, and the read timeout in seconds. The PDF is in memory only here."""
        queue, grobid = self.queue, self._grobid
        queue.set_state(request, FileState.READING)
        pdf = _read(request.task, grobid.max_pdf_bytes)
        queue.set_state(request, FileState.SENDING)
        read_timeout = grobid.read_timeout * (2 if request.alone else 1)
        limits = HttpLimits(
            grobid.connect_timeout,
            read_timeout,
            read_timeout + grobid.extra_time,
            grobid.max_answer_bytes,
            queue.stopped.is_set,
            lambda: queue.set_state(request, FileState.WAITING),
        )
        return self._client.fulltext(
            pdf, f"{request.task.sha256[:16]}.pdf", limits, segment=request.segment
        ), read_timeout

    def _handle_response(self, request: Request, reply: HttpReply, response: Response) -> None:
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
                queue.requeue(request)
                if first:
                    self._find_server()
            case Decision.CHECK_SERVER:
                is_down = ask_server(self._grobid).health is not ServerHealth.READY
                if is_down:
                    text = "GROBID stopped twice while it worked on this file alone"
                    response = replace(response, code="stops_grobid", text=text, lasting=True)
                first = is_down and queue.suspend()
                queue.retry_alone(request, self._failure(request, response))
                if first:
                    self._find_server()
            case Decision.FAIL:
                self._fail(request, response)
            case _:
                assert_never(response.decision)

    def _fail(self, request: Request, response: Response) -> None:
        queue = self.queue
        if queue.retry(request, response):
            return
        if response.code == "grobid_general" and request.segment:
            queue.retry_unsegmented(request)  # its sentence splitter is the most frequent cause, and ours can do that
        else:
            queue.fail(request, self._failure(request, response), suspect=response.suspect)

    def _find_server(self) -> None:
        """Wait for a server that is down, at growing intervals. One worker does this; the others send nothing."""
        step = self._grobid.probe_delay
        while not self.queue.wait_suspended(step):
            server = ask_server(self._grobid)
            if server.health is ServerHealth.READY:
                self._server = server
                self.queue.resume()
                return
            if server.health is ServerHealth.NOT_GROBID or self.queue.suspended_too_long():
                self.queue.pause(not_ready_error(self._grobid, server))
                return
            step = min(2 * step, self._grobid.max_probe_delay)

    def _follow_version(self, version: str) -> None:
        """Ask the server for its version again when a TEI names another one: it may have been updated meanwhile."""
        if version and version not in self._seen_versions:
            self._seen_versions.add(version)
            server = ask_server(self._grobid)
            if server.health is ServerHealth.READY:
                self._server = server

    def _answer(self, request: Request, reply: HttpReply, response: Response) -> ParsedPdf:
        task, server = request.task, self._server.version_key
        flags = () if request.segment == self._grobid.segment_sentences else ("split=local",)
        paper = response.paper and replace(response.paper, md5=task.md5, sha256=task.sha256)
        key = tei_key(task.sha256, self._parameters, server)
        return ParsedPdf(task, key, reply.body, paper, server, self._parameters, flags, request.waits)

    def _failure(self, request: Request, response: Response) -> FailedPdf:
        key = tei_key(request.task.sha256, self._parameters, self._server.version_key)
        return FailedPdf(request.task, key, response.code, f"{response.text}.", response.hint, response.lasting)


def _read(task: PdfTask, limit: int) -> bytes:
    """The PDF's content; `UnreadableFile` when the file has changed."""
    pdf, task.content = task.content, None
    if pdf is None:
        pdf = _read_again(task)
    if len(pdf) > limit:
        raise UnreadableFile("too_large", f"The file has {len(pdf) / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB")
    if b"%PDF-" not in pdf[:1024]:
        raise UnreadableFile("not_pdf", "This is not a PDF")
    return pdf


def _read_again(task: PdfTask) -> bytes:
    try:
        pdf = task.read()
    except FileNotFoundError as exc:
        raise UnreadableFile("missing", "The file is no longer there") from exc
    except OSError as exc:
        raise UnreadableFile("unreadable", f"The file cannot be read: {exc.strerror}") from exc
    if hashlib.sha256(pdf).hexdigest() != task.sha256:
        raise UnreadableFile("changed", "The file has changed since it was added", hint="Add it again.")
    return pdf
