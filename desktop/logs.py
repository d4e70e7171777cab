"""The only place where log handlers and levels are set."""

from __future__ import annotations

import logging
import sys


def start(*, verbose: bool) -> None:
    """Log to stderr: warnings, or everything of our own when `verbose`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for name in ("desktop", "storage", "miner"):
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
