"""The state of a GROBID server: running, starting, its version."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum

from miner.errors import UserError
from miner.http import HttpLimits, HttpReply, TransportStatus, send_request
from miner.parsing.grobid.settings import GrobidSettings
from miner.progress import Cancelled, Progress

_START = "Start it (docker run --rm --init -p 127.0.0.1:8070:8070 grobid/grobid:0.9.1-crf), or correct the address."


class GrobidPaused(UserError):
    """The job must pause, because GROBID does not work; no file has failed.

    `code` is a stable word: `not_running`, `starting`, `not_grobid`, `address`, `install`, `busy`, `failing`.
    """

    def __init__(self, code: str, what: str, *, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.code = code


class ServerHealth(StrEnum):
    READY = "ready"
    STARTING = "starting"
    UNREACHABLE = "not reachable"
    NOT_GROBID = "not GROBID"


@dataclass(frozen=True, slots=True)
class GrobidServer:
    """What a server reports. `engines`: how many papers it processes at once; None where it does not say."""

    health: ServerHealth
    version: str = ""
    revision: str = ""
    engines: int | None = None
    detail: str = ""

    @property
    def version_key(self) -> str:
        return "+".join(filter(None, (self.version, self.revision)))

    @property
    def notice(self) -> str:
        """A sentence about a version that is known to split sentences wrongly; "" for others."""
        number = re.match(r"(\d+)\.(\d+)\.(\d+)", self.version)
        if number and tuple(map(int, number.groups())) < (0, 9, 1):
            return f"GROBID {self.version} cuts some sentences in the wrong place; version 0.9.1 or newer is better."
        return ""


def ask_server(grobid: GrobidSettings) -> GrobidServer:
    """The server's state; takes a few seconds at most."""
    alive = _get(grobid, "isalive")
    if alive.status in (TransportStatus.UNREACHABLE, TransportStatus.LOST, TransportStatus.TIMED_OUT):
        return GrobidServer(ServerHealth.UNREACHABLE, detail=alive.text)
    if alive.status == 503 or (alive.status == 200 and alive.text.strip().lower() == "false"):
        return GrobidServer(ServerHealth.STARTING)
    if alive.status != 200 or alive.text.strip().lower() != "true":
        return GrobidServer(ServerHealth.NOT_GROBID, detail=f"it answered {alive.status} to /api/isalive")
    version, revision = _version(_get(grobid, "version"))
    report = _json(_get(grobid, "health"))  # before 0.9 an empty body
    pool = report.get("pool")
    engines = pool.get("maxActive") if isinstance(pool, dict) else None
    return GrobidServer(
        ServerHealth.STARTING if report.get("ready") is False else ServerHealth.READY,
        version,
        revision,
        engines if isinstance(engines, int) and engines > 0 else None,
    )


def ready_server(grobid: GrobidSettings, progress: Progress) -> GrobidServer:
    """Wait until the server has started; `GrobidPaused` when it is not reachable or not GROBID."""
    waited, step = 0.0, grobid.probe_delay
    while (server := ask_server(grobid)).health is ServerHealth.STARTING and waited < grobid.unreachable_timeout:
        if progress.wait(step):
            raise Cancelled
        waited, step = waited + step, min(2 * step, grobid.max_probe_delay)
    if server.health is not ServerHealth.READY:
        raise not_ready_error(grobid, server)
    return server


def not_ready_error(grobid: GrobidSettings, server: GrobidServer) -> GrobidPaused:
    """The error for a server that is not ready."""
    if server.health is ServerHealth.UNREACHABLE:
        return GrobidPaused("not_running", f"GROBID does not answer at {grobid.url}.", hint=_START)
    if server.health is ServerHealth.STARTING:
        return GrobidPaused("starting", f"GROBID at {grobid.url} is still starting.", hint="Try again in a minute.")
    return GrobidPaused("not_grobid", f"What answers at {grobid.url} is not GROBID: {server.detail}.", hint=_START)


def _get(grobid: GrobidSettings, what: str) -> HttpReply:
    limits = HttpLimits(grobid.health_timeout, grobid.health_timeout, 2 * grobid.health_timeout, 1 << 20)
    return send_request("GET", f"{grobid.url}/api/{what}", limits, headers={"Accept": "*/*"})


def _version(reply: HttpReply) -> tuple[str, str]:
    content = _json(reply)
    version, revision = content.get("version"), content.get("revision")
    return (version if isinstance(version, str) else "unknown", revision if isinstance(revision, str) else "")


def _json(reply: HttpReply) -> dict[str, object]:
    if reply.status not in (200, 503):
        return {}
    try:
        content = json.loads(reply.body)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
