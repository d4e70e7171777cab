"""Why mining drops candidates, in the language of the window."""

from __future__ import annotations

from desktop.translation import tr
from miner.mining.drop_reasons import DROP_TEXTS


def drop_reason_meaning(reason: str) -> str:
    """What a reason means, in a sentence; "" for a reason that only another version of the program knows."""
    return tr(DROP_TEXTS[reason].meaning) if reason in DROP_TEXTS else ""
