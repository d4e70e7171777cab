"""One HTTP exchange with GROBID: bounded in time and size, cancellable, and no exception for what the net does."""

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

_PIECE = 64 * 1024


class TransportStatus(IntEnum):
    """Statuses no server sends, for exchanges that came to no end."""

    UNREACHABLE = 594  # refused, no such name, no connection in time: nothing was sent
    TOO_LARGE = 595
    CANCELLED = 596
    LOST = 597  # reset, dropped or cut short
    TIMED_OUT = 598


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What came back: an HTTP status with its body, or a `TransportStatus` with its reason as the body."""

    status: int
    body: bytes = b""
    retry_after: float | None = None

    @property
    def text(self) -> str:
        return self.body[:4096].decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """Seconds to connect, seconds of silence, seconds in all, bytes of answer; and who may stop it."""

    connect: float
    silence: float
    total: float
    size: int
    stopped: Callable[[], bool] = lambda: False
    sent: Callable[[], None] = lambda: None


class _Cancelled(Exception):
    pass


class _Upload:
    """A request's body that notices its end, and stops when the job does."""

    def __init__(self, body: bytes, limits: HttpLimits) -> None:
        self._body, self._at, self._limits = memoryview(body), 0, limits

    def __len__(self) -> int:
        return len(self._body)

    def read(self, size: int = -1) -> bytes:
        if self._limits.stopped():
            raise _Cancelled
        end = len(self._body) if size < 0 else self._at + size
        piece = bytes(self._body[self._at : end])
        self._at += len(piece)
        if not piece:
            self._limits.sent()
        return piece


class _Adapter(requests.adapters.HTTPAdapter):
    """Its connections are as patient in sending as in reading, where urllib3 leaves sending to the time to connect."""

    def __init__(self, silence: float) -> None:
        super().__init__()
        self._silence = silence
        self._sockets: list[socket.socket] = []

    def get_connection_with_tls_context(self, *given: Any, **named: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*given, **named)
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
            with contextlib.suppress(OSError):  # closed already
                socket.socket.shutdown(connected, socket.SHUT_RDWR)  # TLS would take its own leave first


def send_request(method: str, url: str, limits: HttpLimits, *, headers: Mapping[str, str], **content: Any) -> HttpReply:
    """Send one request and read its answer whole; proxies, .netrc and redirects are not followed.

    `content` is what requests takes: `data`, `files`, `params`.
    """
    deadline = time.monotonic() + limits.total
    adapter = _Adapter(limits.silence)
    clock = threading.Timer(limits.total, adapter.hang_up)  # for what trickles before the body
    clock.daemon = True
    clock.start()
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
            return _too_slow(limits)
        return HttpReply(_transport_status(exc), str(exc).encode())
    finally:
        clock.cancel()


def _read(response: requests.Response, limits: HttpLimits, deadline: float) -> HttpReply:
    body = bytearray()
    # read1 returns what has come, so that a trickling answer meets the deadline.
    while piece := response.raw.read1(_PIECE, decode_content=True):
        body += piece
        if limits.stopped():
            return HttpReply(TransportStatus.CANCELLED)
        if len(body) > limits.size:
            return HttpReply(TransportStatus.TOO_LARGE, f"more than {limits.size >> 20} MB".encode())
        if time.monotonic() > deadline:
            return _too_slow(limits)
    if time.monotonic() > deadline:  # an answer without a length ends like one that was cut off
        return _too_slow(limits)
    return HttpReply(response.status_code, bytes(body), _seconds(response.headers.get("Retry-After")))


def _too_slow(limits: HttpLimits) -> HttpReply:
    return HttpReply(TransportStatus.TIMED_OUT, f"not complete after {limits.total:.0f} s".encode())


def _seconds(value: str | None) -> float | None:
    """A Retry-After in seconds; its other form, a date, depends on two clocks agreeing and is left alone."""
    return float(value) if value is not None and value.strip().isdecimal() else None


def _transport_status(exc: Exception) -> TransportStatus:
    """The innermost cause decides: requests wraps urllib3's errors, and both wrap the system's."""
    inner: BaseException | None = exc
    seen: set[int] = set()
    while inner is not None and id(inner) not in seen:
        seen.add(id(inner))
        if isinstance(
            inner, (requests.ConnectTimeout, urllib3.exceptions.NewConnectionError, requests.exceptions.SSLError)
        ):
            return TransportStatus.UNREACHABLE
        if isinstance(inner, (requests.ReadTimeout, urllib3.exceptions.ReadTimeoutError, TimeoutError)):
            return TransportStatus.TIMED_OUT
        wrapped = [arg for arg in inner.args if isinstance(arg, BaseException)]
        inner = getattr(inner, "reason", None) or (wrapped[0] if wrapped else None) or inner.__cause__
        if not isinstance(inner, BaseException):
            break
    return TransportStatus.LOST
