"""One connection to the replay server: the REST contract of GROBID, status by status."""

from __future__ import annotations

import hashlib
import json
import select
import socket
import struct
import time
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from replay import faults
from replay.faults import Cut, Fault
from replay.log import Entry
from replay.multipart import Form, parse_form
from replay.recordings import MissingRecording

if TYPE_CHECKING:
    from replay.server import ReplayServer

XML = "application/xml; charset=UTF-8"
FULLTEXT = "/api/processFulltextDocument"
CHECKS = ("/api/isalive", "/api/version", "/api/health")
UNKNOWN_PDF = faults.error("BAD_INPUT_DATA")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "ReplayServer", ""

    @property
    def replay(self) -> ReplayServer:
        return self.server.replay  # type: ignore[attr-defined]

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.replay.log.got(self.path)
        if self.path not in CHECKS:
            self._reply(405 if self.path == FULLTEXT else 404)
        elif self.path == "/api/version":
            self._json(200, {"version": self.replay.version, "revision": self.replay.revision})
        elif self.replay.profile == "0.8":
            self._reply(200, self.replay.alive.encode() if self.path == "/api/isalive" else b"", "text/plain")
        elif self.path == "/api/isalive":
            ready = self.replay.ready
            self._reply(200 if ready else 503, (self.replay.alive if ready else "false").encode(), "text/plain")
        else:
            self._health()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path in CHECKS:
            self._reply(405)
        elif self.path != FULLTEXT:
            self._reply(404)
        elif not self.headers.get("Content-Type", "").startswith("multipart/form-data"):
            self._reply(415)
        elif not any(kind in self.headers.get("Accept", "*/*") for kind in ("*/*", "application/xml", "application/*")):
            self._reply(406)
        else:
            entry = self.replay.log.arrive(time.monotonic(), self.headers)
            try:
                self._fulltext(entry, parse_form(self.headers["Content-Type"], body))
            except (BrokenPipeError, ConnectionResetError):
                entry.client_gone = True
                self.close_connection = True
            finally:
                self.replay.log.leave(entry)

    do_PUT = do_POST

    def do_DELETE(self) -> None:
        self._reply(405 if self.path in (*CHECKS, FULLTEXT) else 404)

    do_PATCH = do_DELETE

    def _health(self) -> None:
        pool, ready = self.replay.pool, self.replay.ready
        report = {
            "initialized": ready,
            "ready": ready,
            "pool": {
                "initialized": ready,
                "active": pool.active,
                "idle": pool.size - pool.active,
                "maxActive": pool.size,
            },
            "models": {"loaded": ["segmentation"], "failed": [], "totalLoaded": 1, "totalFailed": 0},
            "grobidHomeConfigured": True,
            "initializationError": None,
        }
        self._json(200 if ready else 503, report)

    def _fulltext(self, entry: Entry, form: Form) -> None:
        replay = self.replay
        entry.fields = form.fields
        if "input" not in form.files:
            self._reply(500, entry=entry)  # a NullPointerException there
            return
        entry.file_name, pdf = form.files["input"]
        replay.log.identify(entry, hashlib.sha256(pdf).hexdigest())
        for name, wanted in replay.expected.items():
            if form.all(name) != wanted:
                replay.log.problems.append(f"{name} is {form.all(name)}, expected {wanted}")
        segmented = form.on("segmentSentences")
        fault = replay.script.fault_for(entry.sha256, entry.number, segmented=segmented) or Fault("")
        entry.fault = fault.name
        if fault.refuse:
            self._reply(fault.status or 503, entry=entry, extra=fault.headers)
            return
        began = time.monotonic()
        borrowed = replay.pool.borrow()
        entry.waited = time.monotonic() - began
        if not borrowed:
            self._reply(503, entry=entry)
            return
        try:
            entry.engine_from = time.monotonic()
            # Whether the client is still there makes no difference to the engine.
            replay.closing.wait(replay.latency + replay.script.draw(fault))
        finally:
            entry.engine_to = time.monotonic()
            replay.pool.give_back()
        entry.client_gone = self._client_gone()
        if fault.crash is not None or fault.cut is not None:
            replay.log.leave(entry)
        if fault.crash is not None:
            replay.crash(fault.crash)
            self.close_connection = True
        else:
            self._answer(entry, fault, pdf, segmented=segmented)

    def _answer(self, entry: Entry, fault: Fault, pdf: bytes, *, segmented: bool) -> None:
        try:
            tei = self.replay.recordings.find(pdf, segmented=segmented) if fault.body is None else fault.body
        except MissingRecording as exc:
            self.replay.log.problems.append(str(exc))
            self._reply(500, f"[GENERAL] {exc}".encode(), "application/xml", entry=entry)
            return
        if tei is None:
            self._reply(500, UNKNOWN_PDF.body or b"", "application/xml", entry=entry)
            return
        body = fault.change(tei) if fault.change is not None else tei
        status = fault.status or 200
        kind = fault.content_type or (XML if body else None)
        if fault.cut is None:
            self._reply(status, body, kind, entry=entry, extra=fault.headers)
        else:
            self._misbehave(fault.cut, status, body)

    def _misbehave(self, cut: Cut, status: int, body: bytes) -> None:
        self.close_connection = True
        if cut is Cut.NEVER:
            self.replay.closing.wait()
        elif cut is Cut.RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        elif cut is not Cut.BEFORE_HEADERS:
            self.send_response(status)
            self.send_header("Content-Type", XML)
            if cut is Cut.MID_CHUNK:
                self.send_header("Transfer-Encoding", "chunked")
            else:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if cut is Cut.MID_CHUNK:
                self.wfile.write(b"%x\r\n" % len(body) + body[: len(body) // 2])
            elif cut is Cut.MID_BODY:
                self.wfile.write(body[: len(body) // 2])
            elif cut is Cut.TRICKLE:
                for byte in body:
                    if self.replay.closing.wait(0.02):
                        break
                    self.wfile.write(bytes([byte]))

    def _client_gone(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and self.connection.recv(1, socket.MSG_PEEK) == b""

    def _json(self, status: int, value: object) -> None:
        self._reply(status, json.dumps(value).encode(), "application/json")

    def _reply(
        self,
        status: int,
        body: bytes = b"",
        kind: str | None = None,
        *,
        entry: Entry | None = None,
        extra: tuple[tuple[str, str], ...] = (),
    ) -> None:
        if entry is not None:
            entry.status = status
            self.replay.log.leave(entry)
        self.send_response(status)
        if kind is not None:
            self.send_header("Content-Type", kind)
        for name, value in extra:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
