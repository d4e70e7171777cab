"""The only place where log handlers and levels are set."""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

from desktop.text import visible

_LOG_BYTES = 2_000_000


class _Visible(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def start(*, verbose: bool, file: Path | None = None) -> None:
    """Log to stderr: warnings, or everything of our own when `verbose`. To `file` too, where it can be written."""
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    if verbose:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_Visible("%(levelname)s %(name)s: %(message)s"))
        root.handlers = [handler]
    else:
        assert logging.lastResort is not None
        logging.lastResort.setFormatter(_Visible())
        root.handlers = [logging.lastResort]  # warnings, plain; none at all would let a library set up its own
    for name in ("desktop", "storage", "miner"):
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
    if file is not None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            kept = RotatingFileHandler(file, maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8", delay=True)
        except OSError as exc:
            logging.getLogger(__name__).warning("no log at %s: %s", file, exc)
            return
        kept.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        root.addHandler(kept)
