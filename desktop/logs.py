"""The only place where log handlers and levels are set."""

from __future__ import annotations

import logging
import sys


def start(*, verbose: bool) -> None:
    """Log to stderr: warnings, or everything of our own when `verbose`."""
    root = logging.getLogger()
    root.handlers = []  # then Python's last resort prints warnings, plain, to whatever stderr is
    root.setLevel(logging.WARNING)
    if verbose:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        root.handlers = [handler]
    for name in ("desktop", "storage", "miner"):
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
