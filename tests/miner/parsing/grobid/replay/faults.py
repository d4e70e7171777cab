"""What can go wrong with a GROBID server, and when: a fault for every kind, and the script that deals them out."""

from __future__ import annotations

import gzip
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto


class Cut(Enum):
    """How the wire misbehaves while an answer goes out."""

    BEFORE_HEADERS = auto()
    AFTER_HEADERS = auto()
    MID_BODY = auto()  # of a Content-Length
    MID_CHUNK = auto()
    RESET = auto()
    NEVER = auto()  # accepts, and never answers
    TRICKLE = auto()  # a byte now and then


@dataclass(frozen=True)
class Fault:
    """A deviation from the recorded answer; fields left at their default leave that part alone."""

    name: str
    status: int | None = None
    body: bytes | None = None
    content_type: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    change: Callable[[bytes], bytes] | None = None  # to the body that would have gone out
    cut: Cut | None = None
    delay: tuple[float, float] = (0.0, 0.0)  # seconds on an engine, drawn between
    refuse: bool = False  # without an engine, as a full pool does
    crash: float | None = None  # the server dies instead of answering and is back after so many seconds
    only_segmented: bool = False


def latency(low: float, high: float | None = None) -> Fault:
    return Fault("latency", delay=(low, low if high is None else high))


def busy(retry_after: str | None = None) -> Fault:
    headers = (("Retry-After", retry_after),) if retry_after is not None else ()
    return Fault("busy", status=503, body=b"", headers=headers, refuse=True)


def status(code: int, **headers: str) -> Fault:
    return Fault(f"status {code}", status=code, body=b"", headers=tuple(headers.items()))


# GrobidExceptionStatus.java; the wording of each message as GROBID has it.
MESSAGES = {
    "BAD_INPUT_DATA": "PDF to XML conversion failed with error code: 1",
    "NO_BLOCKS": "PDF parsing resulted in empty content",
    "TOO_MANY_BLOCKS": "Postprocessed document is too big, contains: 212000",
    "TOO_MANY_TOKENS": "The document has 1200000 tokens, but the limit is 1000000",
    "TIMEOUT": "PDF to XML conversion timed out",
    "PDFALTO_CONVERSION_FAILURE": "PDF to XML conversion failed on pdf file /opt/grobid/grobid-home/tmp/origin123.pdf",
    "TAGGING_ERROR": "Wapiti tagging failed (null data returned)",
    "PARSING_ERROR": "Cannot parse file: /opt/grobid/grobid-home/tmp/origin123.pdf",
    "GENERAL": "An exception occurred while running Grobid.",
}


def error(code: str, message: str | None = None, *, only_segmented: bool = False) -> Fault:
    """A 500 in GROBID's way: plain text that calls itself XML."""
    text = f"[{code}] {MESSAGES[code] if message is None else message}"
    return Fault(code, status=500, body=text.encode(), content_type="application/xml", only_segmented=only_segmented)


def cut(how: Cut) -> Fault:
    return Fault(f"cut {how.name}", cut=how)


def crash(back_after: float) -> Fault:
    return Fault("crash", crash=back_after)


def changed(name: str, change: Callable[[bytes], bytes]) -> Fault:
    return Fault(name, change=change)


_DOCTYPE = b'<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
_BOMB = b'<!DOCTYPE TEI [<!ENTITY a "%s">%s]>' % (
    b"a" * 100,
    b"".join(b'<!ENTITY %c "%s">' % (c, b"&%c;" % (c - 1) * 10) for c in range(ord("b"), ord("k"))),
)
_PROLOG = b'<?xml version="1.0" encoding="UTF-8"?>'

LOGIN_PAGE = Fault("login page", body=b"<html><body><form>Sign in</form></body>", content_type="text/html")
JSON = Fault("json", body=b'{"error": "no"}', content_type="application/json")
PLAIN_TEXT = Fault("text/plain", content_type="text/plain")
NO_CHARSET = Fault("no charset", content_type="application/xml")
TEXT_XML = Fault("text/xml", content_type="text/xml")
EMPTY_500 = Fault("empty 500", status=500, body=b"")
HTML_500 = Fault("html 500", status=500, body=b"<html><body>HTTP ERROR 500</body></html>", content_type="text/html")
TRUNCATED = changed("truncated", lambda tei: tei[: len(tei) * 2 // 3])
NOT_UTF8 = changed("not utf-8", lambda tei: tei.replace(b"<body>", b"<body>\xb0\xff", 1))
BOM = changed("bom", lambda tei: b"\xef\xbb\xbf" + tei)
GZIP = Fault("gzip", change=gzip.compress, headers=(("Content-Encoding", "gzip"),))
XXE = changed("xxe", lambda tei: tei.replace(_PROLOG, _PROLOG + _DOCTYPE, 1).replace(b"<p>", b"<p>&x;", 1))
BOMB = changed("bomb", lambda tei: tei.replace(_PROLOG, _PROLOG + _BOMB, 1).replace(b"<p>", b"<p>&j;", 1))
DEEP = changed("deep", lambda tei: tei.replace(b"<body>", b"<body>" + b"<div>" * 300 + b"</div>" * 300, 1))
HUGE = changed("huge", lambda tei: tei.replace(b"</TEI>", b" " * 80_000_000 + b"</TEI>"))
EMPTY_BODY = changed(
    "empty body",
    lambda tei: re.sub(rb"<(body|abstract)>.*</\1>|<div type=.annex.>.*</div>", rb"<body/>", tei, flags=re.DOTALL),
)
OTHER_PDF = changed("other pdf", lambda tei: re.sub(rb'(<idno type="MD5">)\w+', rb"\g<1>" + b"F" * 32, tei))
FOUR_FIELDS = changed("four fields", lambda tei: re.sub(rb'coords="[^"]*"', b'coords="1,90.00,100.00,400.00"', tei))
GLUED = changed("glued sentences", lambda tei: re.sub(rb"</s>\s*<s\b", b"</s><s", tei))
FOOT = changed("foot_0 ref", lambda tei: tei.replace(b"</s>", b'<ref type="foot" target="#foot_0">foot_0</ref></s>'))
NINE_FIELDS = changed("nine fields", lambda tei: re.sub(rb'coords="[^"]*"', b'coords="1,90,00,10,00,40,00,9,00"', tei))


@dataclass
class _Rule:
    fault: Fault
    sha256: str | None
    nth: frozenset[int] | None
    times: int | None
    until: float | None
    probability: float
    dealt: int = 0


@dataclass
class Script:
    """Rules in order; the first that applies to a request decides."""

    seed: int = 0
    _rules: list[_Rule] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._lock = threading.Lock()

    def add(
        self,
        fault: Fault,
        *,
        sha256: str | None = None,
        nth: int | range | None = None,
        times: int | None = None,
        seconds: float | None = None,
        probability: float = 1.0,
    ) -> None:
        """Deal `fault` to requests for this PDF, to the n-th one of all (from 1), `times` times, for `seconds`."""
        numbers = None if nth is None else frozenset([nth] if isinstance(nth, int) else nth)
        until = None if seconds is None else time.monotonic() + seconds
        self._rules.append(_Rule(fault, sha256, numbers, times, until, probability))

    def clear(self) -> None:
        with self._lock:
            self._rules.clear()

    def draw(self, fault: Fault) -> float:
        """Seconds this fault spends on an engine."""
        with self._lock:
            return self._random.uniform(*fault.delay)

    def fault_for(self, sha256: str, number: int, *, segmented: bool) -> Fault | None:
        with self._lock:
            for rule in self._rules:
                if (
                    rule.sha256 in (None, sha256)
                    and (rule.nth is None or number in rule.nth)
                    and (rule.times is None or rule.dealt < rule.times)
                    and (rule.until is None or time.monotonic() < rule.until)
                    and (segmented or not rule.fault.only_segmented)
                    and self._random.random() < rule.probability
                ):
                    rule.dealt += 1
                    return rule.fault
            return None
