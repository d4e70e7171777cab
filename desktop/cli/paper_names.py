"""Finds the papers that a name on the command line means."""

from __future__ import annotations

from pathlib import Path

from miner.errors import UserError
from miner.paths import composed
from storage.papers.files import as_text
from storage.papers.table import PaperTableRow

_MIN_MD5_LENGTH = 4  # characters that may name a paper


def find_paper(lines: list[PaperTableRow], name: str) -> list[PaperTableRow]:
    """The papers that a file name or the start of an MD5 stands for; several only for a file with several papers."""
    by_file = [line for line in lines if line.path == as_text(composed(Path(name).absolute()))]
    by_md5 = [line for line in lines if line.md5 and line.md5.startswith(name.lower())]
    if by_file:
        return by_file
    if len(name) < _MIN_MD5_LENGTH or not by_md5:
        hint = f"Name it by its file, or by {_MIN_MD5_LENGTH} or more characters of its id in the list."
        raise UserError(f"No paper here is called {name}.", hint=hint)
    if len(by_md5) > 1:
        raise UserError(f"The ids of {len(by_md5):,} papers start with {name}.", hint="Give more characters.")
    return by_md5
