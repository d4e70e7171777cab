"""Where GROBID is, what it is asked for and how patient we are with it."""

from __future__ import annotations

import hashlib
import ipaddress
import json
from dataclasses import dataclass
from urllib.parse import urlsplit

from miner.errors import UserError


@dataclass(frozen=True, slots=True)
class Grobid:
    """A GROBID server and our manners towards it; times in seconds.

    A file is waited for `read_timeout` seconds of silence and `spare_time` more in all. A busy server is asked again
    after up to `busy_step`, then twice that, up to `busy_cap`; a vanished one is looked for after `probe_step`, then
    twice that, up to `probe_cap`. When it stays busy or away for `busy_patience` or `away_patience`, the job is paused.
    """

    url: str
    concurrency: int = 10
    segment_sentences: bool = True
    connect_timeout: float = 5
    health_timeout: float = 3
    read_timeout: float = 240
    spare_time: float = 60
    busy_step: float = 5
    busy_cap: float = 60
    retry_after_cap: float = 120
    busy_patience: float = 15 * 60
    probe_step: float = 2
    probe_cap: float = 30
    away_patience: float = 5 * 60
    fault_delay: float = 10
    max_pdf: int = 100_000_000
    max_answer: int = 64 * 1024 * 1024

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", _address(self.url))
        if self.concurrency < 1:
            raise UserError(f"{self.concurrency} papers at a time is too few for GROBID.", hint="Choose 1 or more.")

    @property
    def warning(self) -> str:
        """One line for whoever is about to send papers to another machine; "" for this one."""
        host = urlsplit(self.url).hostname or ""
        if host == "localhost" or host.endswith(".localhost"):
            return ""
        try:
            if ipaddress.ip_address(host).is_loopback:
                return ""
        except ValueError:
            pass  # a name, of which only localhost is surely this machine
        return f"Papers are sent to {host}, which is not this computer."


def fields(*, segment: bool) -> dict[str, str | list[str]]:
    """Every field of a full-text request, so that no server's default decides: no consolidation, no random ids."""
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


def parameters(grobid: Grobid) -> str:
    """What is asked of GROBID, as canonical JSON."""
    return json.dumps(fields(segment=grobid.segment_sentences), sort_keys=True, separators=(",", ":"))


def tei_key(pdf_sha256: str, parameters: str, server: str) -> str:
    """The identity of an answer, hex: the PDF, what was asked and the GROBID that was asked (`Server.version_key`).

    What has an answer under this key, be it a TEI or a permanent failure, is never sent again.
    """
    return hashlib.sha256("\n".join((pdf_sha256.lower(), parameters, server)).encode()).hexdigest()


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
