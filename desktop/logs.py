"""Sets up logging; no other module sets handlers or levels."""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

from desktop.text import visible

_MAX_LOG_BYTES = 2_000_000


class _EscapingFormatter(logging.Formatter):
    """Escapes control characters."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def start(*, verbose: bool, file: Path | None = None) -> None:
    """Log warnings to stderr; if `verbose`, everything of our packages. Also log to `file`, if it can be written."""
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    if verbose:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_EscapingFormatter("%(levelname)s %(name)s: %(message)s"))
        root.handlers = [handler]
    else:
        assert logging.lastResort is not None
        logging.lastResort.setFormatter(_EscapingFormatter())
        root.handlers = [logging.lastResort]  # plain warnings; without a handler a library could add its own
    for name in ("desktop", "storage", "miner"):
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
    if file is not None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file_handler = RotatingFileHandler(
                file,
                maxBytes=_MAX_LOG_BYTES,
                backupCount=1,
                encoding="utf-8",
                delay=True,
                errors="backslashreplace",  # names of files need not be UTF-8
            )
        except OSError as exc:
            logging.getLogger(__name__).warning("no log at %s: %s", file, exc)
            return
        file_handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        root.addHandler(file_handler)
