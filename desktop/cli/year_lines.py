"""Reads lines given as options, or in files that options name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from miner.errors import UserError
from miner.paths import is_file


def read_lines(texts: Iterable[str]) -> list[str]:
    """The texts, and the lines of those that are the path of a file."""
    lines: list[str] = []
    for text in texts:
        path = Path(text)
        if path.suffix and is_file(path):
            try:
                lines += path.read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError) as exc:
                raise UserError(f"{path} cannot be read.", hint="It should be a text file in UTF-8.") from exc
        else:
            lines.append(text)
    return lines
