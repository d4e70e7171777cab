"""One HTTP exchange with a server of the user: limited in time and size, cancellable; network failures are results."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import requests
import requests.adapters
import urllib3.exceptions

_CHUNK_BYTES = 64 * 1024


class TransportStatus(IntEnum):
    """Statuses for exchanges without a complete answer; no server sends these numbers."""

    UNREACHABLE = 594  # connection refused, unknown host or no connection in time: nothing was sent
    TOO_LARGE = 595
    CANCELLED = 596
    LOST = 597  # the connection was reset or closed too early
    TIMED_OUT = 598


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A reply: an HTTP status with its body, or a `TransportStatus` with its reason as the body."""

    status: int
    body: bytes = b""
    retry_after: float | None = None

    @property
    def text(self) -> str:
        return self.body[:4096].decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """Limits of an exchange: seconds to connect, seconds without data, seconds in all, bytes of the answer.

    `stopped`: whether to stop the exchange. `sent`: is called once the request has been sent.
    """

    connect: float
    silence: float
    total: float
    size: int
    stopped: Callable[[], bool] = lambda: False
    sent: Callable[[], None] = lambda: None


class _Cancelled(Exception):
    pass


class _Upload:
    """The body of a request; calls `limits.sent` at its end, and stops when `limits.stopped`."""

    def __init__(self, body: bytes, limits: HttpLimits) -> None:
        self._body, self._position, self._limits = memoryview(body), 0, limits

    def __len__(self) -> int:
        return len(self._body)

    def read(self, size: int = -1) -> bytes:
        if self._limits.stopped():
            raise _Cancelled
        end = len(self._body) if size < 0 else self._position + size
        piece = bytes(self._body[self._position : end])
        self._position += len(piece)
        if not piece:
            self._limits.sent()
        return piece


class _Adapter(requests.adapters.HTTPAdapter):
    """Uses the timeout of reading for sending too; urllib3 uses the timeout of connecting."""

    def __init__(self, silence: float) -> None:
        super().__init__()
        self._silence = silence
        self._sockets: list[socket.socket] = []

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*args, **kwargs)
        silence, sockets = self._silence, self._sockets

        class Connection(pool.ConnectionCls):  # type: ignore[misc]  # HTTP's or HTTPS's
            def connect(self) -> None:
                super().connect()
                self.sock.settimeout(silence)
                sockets.append(self.sock)

        pool.ConnectionCls = Connection
        return pool

    def hang_up(self) -> None:
        for connected in self._sockets:
            with contextlib.suppress(OSError):  # already closed
                socket.socket.shutdown(connected, socket.SHUT_RDWR)  # without the closing handshake of TLS


def send_request(method: str, url: str, limits: HttpLimits, *, headers: Mapping[str, str], **content: Any) -> HttpReply:
    """Send one request and read its complete answer; proxies, .netrc and redirects are ignored.

    `content`: arguments of `requests.Request`: `data`, `files`, `params`.
    """
    deadline = time.monotonic() + limits.total
    adapter = _Adapter(limits.silence)
    timer = threading.Timer(limits.total, adapter.hang_up)  # ends exchanges that send slowly before the body
    timer.daemon = True
    timer.start()
    try:
        with requests.Session() as session:
            session.trust_env = False
            session.mount("http://", adapter)
            session.mount("https://", adapter)
            request = session.prepare_request(requests.Request(method, url, headers=dict(headers), **content))
            if isinstance(request.body, bytes):
                request.body = _Upload(request.body, limits)  # type: ignore[assignment]  # requests streams any reader
            with session.send(
                request, timeout=(limits.connect, limits.silence), stream=True, allow_redirects=False
            ) as response:
                return _read(response, limits, deadline)
    except _Cancelled:
        return HttpReply(TransportStatus.CANCELLED)
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as exc:
        if time.monotonic() > deadline:
            return _timed_out(limits)
        return HttpReply(_transport_status(exc), str(exc).encode())
    finally:
        timer.cancel()


def _read(response: requests.Response, limits: HttpLimits, deadline: float) -> HttpReply:
    body = bytearray()
    # read1 returns what has arrived, so that slow answers reach the check of the deadline.
    while piece := response.raw.read1(_CHUNK_BYTES, decode_content=True):
        body += piece
        if limits.stopped():
            return HttpReply(TransportStatus.CANCELLED)
        if len(body) > limits.size:
            return HttpReply(TransportStatus.TOO_LARGE, f"more than {limits.size >> 20} MB".encode())
        if time.monotonic() > deadline:
            return _timed_out(limits)
    if time.monotonic() > deadline:  # an answer without a length ends like one that is cut off
        return _timed_out(limits)
    return HttpReply(response.status_code, bytes(body), _retry_after_seconds(response.headers.get("Retry-After")))


def _timed_out(limits: HttpLimits) -> HttpReply:
    return HttpReply(TransportStatus.TIMED_OUT, f"not complete after {limits.total:.0f} s".encode())


def _retry_after_seconds(value: str | None) -> float | None:
    """The seconds of a Retry-After header; dates are ignored, because clocks may differ."""
    return float(value) if value is not None and value.strip().isdecimal() else None


def _transport_status(exc: Exception) -> TransportStatus:
    """The status for an exception, by its innermost cause: requests wraps urllib3's errors, which wrap the system's."""
    cause: BaseException | None = exc
    seen: set[int] = set()
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(
            cause, (requests.ConnectTimeout, urllib3.exceptions.NewConnectionError, requests.exceptions.SSLError)
        ):
            return TransportStatus.UNREACHABLE
        if isinstance(cause, (requests.ReadTimeout, urllib3.exceptions.ReadTimeoutError, TimeoutError)):
            return TransportStatus.TIMED_OUT
        wrapped = [arg for arg in cause.args if isinstance(arg, BaseException)]
        cause = getattr(cause, "reason", None) or (wrapped[0] if wrapped else None) or cause.__cause__
        if not isinstance(cause, BaseException):
            break
    return TransportStatus.LOST
