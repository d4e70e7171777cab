"""When events of a history happened, where a clock had been set back: their order is the truth, not the clock."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

IS_OWN = "coalesce((SELECT at = e.at FROM actions WHERE id = e.action), 0)"
"""Whether it was done in this project; what was merged keeps the time at which it was done elsewhere."""
_TICK = timedelta(microseconds=1)


def time_behind(at: datetime, before: datetime | None) -> datetime:
    """When something was done that came after what was done at `before`, by the clock `at`: a clock may be set back.

    >>> at = datetime(2026, 3, 14, 15)
    >>> time_behind(at, datetime(2026, 3, 14, 14)) == time_behind(at, None) == at
    True
    >>> time_behind(at, datetime(2026, 3, 14, 16)).isoformat()
    '2026-03-14T16:00:00.000001'
    """
    return at if before is None or at > before else before + _TICK


def event_time(at: datetime, before: Iterable[datetime], *, is_own: bool) -> datetime:
    """When an event of a history counts as done: behind those `before` it, if it was done here (`IS_OWN`)."""
    return time_behind(at, max(before, default=None)) if is_own else at
