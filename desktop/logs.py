"""The only place where log handlers and levels are set."""

from __future__ import annotations

import logging
import sys


def start(*, verbose: bool) -> None:
    """Log to stderr: warnings, or everything of our own when `verbose`."""
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    if verbose:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        root.handlers = [handler]
    else:
        assert logging.lastResort is not None
        root.handlers = [logging.lastResort]  # warnings, plain; none at all would let a library set up its own
    for name in ("desktop", "storage", "miner"):
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
