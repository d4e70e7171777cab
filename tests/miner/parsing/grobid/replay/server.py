"""The replay server: starting, stopping, crashing, and what a test can set while it runs."""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
import threading
from http.server import ThreadingHTTPServer
from typing import Any

from replay.faults import Script
from replay.handler import Handler
from replay.log import Log
from replay.pool import EnginePool
from replay.recordings import Recordings

# What a client that asks for what we ask for sends; strict mode notes every deviation.
EXPECTED = {
    **{f"consolidate{what}": ["0"] for what in ("Header", "Citations", "Funders")},
    **{f"includeRaw{what}": ["0"] for what in ("Affiliations", "Citations", "Copyrights")},
    "generateIDs": ["0"],
    "teiCoordinates": ["s", "p", "head"],
    "start": ["-1"],
    "end": ["-1"],
    "flavor": [],
}


class ReplayServer:
    """A GROBID-like server on 127.0.0.1 in threads of this process.

    `profile` "0.8" knows no health report; "0.9" has one, and answers 503 while it is not ready. `latency` is the
    seconds an engine spends on a file. Set `version`, `revision`, `ready` and `alive` (what isalive says) at any time.
    """

    def __init__(
        self,
        recordings: Recordings,
        *,
        port: int = 0,
        profile: str = "0.8",
        concurrency: int = 10,
        pool_max_wait: float = 1.0,
        latency: float = 0.0,
        strict: bool = False,
        seed: int = 0,
    ) -> None:
        self.recordings = recordings
        self.profile = profile
        self.latency = latency
        self.expected = EXPECTED if strict else {}
        self.script = Script(seed)
        self.log = Log()
        self.pool = EnginePool(concurrency, pool_max_wait)
        self.version, self.revision = ("0.8.2", "a91ee48") if profile == "0.8" else ("0.9.1", "b0c1d2e")
        self.ready = True
        self.alive = "true"
        self.closing = threading.Event()
        self._port = port
        self._http: _Http | None = None
        self._lock = threading.Lock()
        self._timers: list[threading.Timer] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> ReplayServer:
        self.listen()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def listen(self) -> None:
        """Accept connections; on the same port as before if it ever did."""
        with self._lock:
            if self._http is None and not self.closing.is_set():
                self._http = _Http(("127.0.0.1", self._port), self)
                self._port = self._http.server_address[1]
                threading.Thread(target=self._http.serve_forever, args=(0.005,), daemon=True).start()

    def crash(self, back_after: float | None = None) -> None:
        """Break every connection at once and refuse new ones; listen again after so many seconds."""
        with self._lock:
            http, self._http = self._http, None
        if http is not None:
            http.stop()
        if back_after is not None:
            timer = threading.Timer(back_after, self._come_back)
            timer.daemon = True
            self._timers.append(timer)
            timer.start()

    def _come_back(self) -> None:
        # Somebody's outgoing connection may hold the port for a moment after a crash.
        while self._http is None and not self.closing.wait(0.01):
            with contextlib.suppress(OSError):
                self.listen()

    def start_slowly(self, refused: float, starting: float) -> None:
        """As a server coming up: refuses for a while, then says 503 for a while, then is ready."""
        self.ready = False
        self.crash(refused)
        timer = threading.Timer(refused + starting, setattr, (self, "ready", True))
        timer.daemon = True
        self._timers.append(timer)
        timer.start()

    def close(self) -> None:
        self.closing.set()
        for timer in self._timers:
            timer.cancel()
        self.crash()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], replay: ReplayServer) -> None:
        self.replay = replay
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()
        super().__init__(address, Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._guard:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._guard:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away, or our own crash, is no news; anything else is a fault of this server."""
        exc = sys.exc_info()[1]
        if not isinstance(exc, OSError | ValueError):
            self.replay.log.problems.append(f"replay server: {exc!r}")

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
        with self._guard:
            for connection in self._open:
                reset(connection)


def reset(connection: socket.socket) -> None:
    """Break the connection as a dying process does."""
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # already gone
