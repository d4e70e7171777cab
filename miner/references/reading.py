"""Reads bibliographies."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

from miner.errors import UnreadableFile
from miner.parsing.files import unreadable_error
from miner.references.bibtex import read_bibtex
from miner.references.csl_json import read_csl_json
from miner.references.encoding import decode_text
from miner.references.reference import References
from miner.references.ris import read_ris

SIZE_LIMIT = 250_000_000  # bytes; 50,000 entries with abstracts have 85 MB
_READERS = {".bib": read_bibtex, ".bibtex": read_bibtex, ".ris": read_ris, ".json": read_csl_json}


def read_references(path: Path, on_part: Callable[[int, int], None] = lambda done, total: None) -> References:
    """The entries of a bibliography, in the order of the file, with those that could not be read.

    `on_part` is called with how much is read, and of how much, and may raise to stop. `UnreadableFile` where the file
    is missing, too large, in an unknown encoding, or holds no entries.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        hint = "Export the references as BibTeX (.bib), RIS (.ris) or CSL-JSON (.json)."
        raise UnreadableFile("not_references", f"{path.name} is not a kind of file that references come in.", hint=hint)
    text = decode_text(_read_bytes(path), path.name)
    found = reader(text.replace("\r\n", "\n").replace("\r", "\n"), on_part)
    if not found.entries and not found.failed:
        raise UnreadableFile(
            "no_references", f"{path.name} has no {found.format} references.", hint="Export them again."
        )
    return found


def _read_bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableFile("not_a_file", f"{path} is not an ordinary file.", hint="Save it as a file first.")
        if status.st_size > SIZE_LIMIT:
            what = f"{path.name} has {status.st_size / 1e6:,.0f} MB; the limit is {SIZE_LIMIT / 1e6:,.0f} MB."
            raise UnreadableFile("too_large", what, hint="Export it without notes and abstracts, or in parts.")
        return path.read_bytes()
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
