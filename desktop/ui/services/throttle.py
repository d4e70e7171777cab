"""Passes reports of a job on less often than they arrive."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_INTERVAL_S = 0.1  # at least, between two reports that are passed on


def throttled(emit: Callable[[T], None], *often: type) -> Callable[[T], None]:
    """A function that calls `emit`, but drops reports of the types `often` that follow too soon after another.

    It must always be called in the same thread.
    """
    last_at = 0.0

    def listen(report: T) -> None:
        nonlocal last_at
        now = time.monotonic()
        if not isinstance(report, often) or now - last_at >= _INTERVAL_S:
            last_at = now
            emit(report)

    return listen
