"""Settings of GROBID: address, request parameters, timeouts and retries."""

from __future__ import annotations

import hashlib
import ipaddress
import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from miner.errors import UserError


@dataclass(frozen=True, slots=True)
class GrobidSettings:
    """A GROBID server and how to use it; times in seconds, sizes in bytes.

    A request may take `read_timeout` without data, and `extra_time` more in all. A busy server is asked again after up
    to `busy_delay`, then after twice that, up to `max_busy_delay`. An unreachable server is tried again after
    `probe_delay`, then after twice that, up to `max_probe_delay`. The job is paused when the server stays busy for
    `busy_timeout`, or unreachable for `unreachable_timeout`.
    """

    url: str
    concurrency: int = 10
    segment_sentences: bool = True
    connect_timeout: float = 5
    health_timeout: float = 3
    read_timeout: float = 240
    extra_time: float = 60
    busy_delay: float = 5
    max_busy_delay: float = 60
    max_retry_after: float = 120
    busy_timeout: float = 15 * 60
    probe_delay: float = 2
    max_probe_delay: float = 30
    unreachable_timeout: float = 5 * 60
    retry_delay: float = 10
    max_pdf_bytes: int = 100_000_000
    max_answer_bytes: int = 64 * 1024 * 1024

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", _address(self.url))
        if self.concurrency < 1:
            raise UserError(f"{self.concurrency} papers at a time is too few for GROBID.", hint="Choose 1 or more.")

    @property
    def warning(self) -> str:
        """A warning that papers are sent to another computer; "" if the server runs on this computer."""
        host = urlsplit(self.url).hostname or ""
        if host == "localhost" or host.endswith(".localhost"):
            return ""
        try:
            if ipaddress.ip_address(host).is_loopback:
                return ""
        except ValueError:
            pass  # a host name; only localhost is certainly this computer
        return f"Papers are sent to {host}, which is not this computer."


def request_fields(*, segment: bool) -> dict[str, str | list[str]]:
    """Every field of a full-text request, so that no default of the server is used: no consolidation, no random ids."""
    return {
        "consolidateHeader": "0",
        "consolidateCitations": "0",
        "consolidateFunders": "0",
        "includeRawAffiliations": "0",
        "includeRawCitations": "0",
        "includeRawCopyrights": "0",
        "includeDiscardedText": "0",
        "generateIDs": "0",
        "segmentSentences": "1" if segment else "0",
        "teiCoordinates": ["s", "p", "head"],
        "start": "-1",
        "end": "-1",
    }


def request_parameters(grobid: GrobidSettings) -> str:
    """The fields of a request as canonical JSON."""
    return _as_json(request_fields(segment=grobid.segment_sentences))


def _as_json(fields: Mapping[str, str | list[str]]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def tei_key(pdf_sha256: str, request_parameters: str, server: str) -> str:
    """The key of an answer, hex: a hash of PDF, request parameters and GROBID version (`GrobidServer.version_key`).

    A PDF with a stored answer under its key, a TEI or a permanent failure, is not sent again.
    """
    return hashlib.sha256("\n".join((pdf_sha256.lower(), request_parameters, server)).encode()).hexdigest()


def kept_answer_keys(pdf_sha256: str, grobid: str) -> list[str]:
    """The keys under which an answer for a PDF may be kept; `grobid`: version and revision, as in its TEI."""
    server = grobid.replace(" ", "+")
    ways = (_as_json(request_fields(segment=segment)) for segment in (True, False))
    return [tei_key(pdf_sha256, parameters, server) for parameters in ways]


def _address(typed: str) -> str:
    text = typed.strip()
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or parts.query or parts.fragment or parts.username or " " in text:
        raise UserError(
            f"{typed!r} is not an address of GROBID.", hint="Give one like http://localhost:8070, without a password."
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/api')}"
