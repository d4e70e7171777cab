"""Explains to users why a worker process could not parse a file."""

from __future__ import annotations

import logging
from typing import assert_never

from miner.errors import UnreadableFile
from miner.processes.child import Failure, ProcessLimits

log = logging.getLogger(__name__)


def parser_failure(failure: Failure, name: str, limits: ProcessLimits) -> UnreadableFile:
    """Why the worker did not finish the file; not for refusals, which concern all files and are raised."""
    match failure.kind:
        case "timeout":
            what, hint = f"took longer than {limits.seconds:,.0f} s", "Print it to a new PDF, or try GROBID."
        case "memory":
            what, hint = f"needed more than {limits.megabytes:,} MB of memory", "Split it, or try GROBID."
        case "crash":
            what, hint = "ended the parser", "The file is damaged: print it to a new PDF, or try GROBID."
        case "error":
            log.error("parsing %s failed:\n%s", name, failure.detail)
            what, hint = "met a bug of Pairwright", "Please report it with the text above; the other papers are done."
        case "refused":
            raise ValueError("a refusal is not one file's failure")
        case _:
            assert_never(failure.kind)
    return UnreadableFile(failure.kind, f"{name} {what}.", hint=hint)
