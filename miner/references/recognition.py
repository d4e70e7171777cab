"""Which files are bibliographies. No parser is loaded for that."""

from __future__ import annotations

import re
import stat
from pathlib import Path

SUFFIXES = (".bib", ".bibtex", ".ris", ".json")
_CHECKED_BYTES = 100_000  # at the start of a JSON file
_JSON_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{")
_JSON_TITLE = re.compile(rb'"title"\s*:')
_JSON_TYPE = re.compile(
    rb'"(?:itemType|type)"\s*:\s*"(?:article|journalArticle|paper|chapter|book|thesis|report|conferencePaper|preprint|'
    rb'webpage|document|manuscript|dataset)[\w-]{0,20}"'
)


def is_bibliography(path: Path) -> bool:
    """Whether the file is a bibliography by its name; JSON, which may be anything, also by its beginning."""
    suffix = path.suffix.lower()
    if suffix != ".json":
        return suffix in SUFFIXES
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        with path.open("rb") as file:
            start = file.read(_CHECKED_BYTES)
    except OSError:
        return False
    return bool(_JSON_START.match(start) and _JSON_TITLE.search(start) and _JSON_TYPE.search(start))
