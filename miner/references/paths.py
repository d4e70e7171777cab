"""Compares the paths of papers with those that entries name, as text: no file is looked at."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

_SEPARATOR = re.compile(r"[\\/]+")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_MIN_SPECIFIC = 2  # words that differ from these
_GENERIC = frozenset(("accepted", "article", "articles", "author", "copy", "document", "download", "file", "final")) | {
    *("full", "fulltext", "main", "manuscript", "paper", "pdf", "preprint", "proof", "published", "supplement"),
    *("supplementary", "text", "untitled", "version"),
}
_MAX_FIT = 3


class FileBesideBibliography(NamedTuple):
    """The path of a paper's file, and the folder of the bibliography."""

    path: str
    folder: Path | None


def file_name(path: str) -> str:
    """The last part of a path of any system, in the form that is compared.

    >>> file_name(r"C:\\papers\\A b.PDF")
    'a b.pdf'
    """
    return (_parts(path) or [""])[-1]


def is_specific(name: str) -> bool:
    """Whether a file's name says which paper it is, unlike "main.pdf".

    >>> is_specific("muller - 2019 - sand and wind.pdf"), is_specific("1-s2.0-main.pdf")
    (True, False)
    """
    stem = name.rpartition(".")[0] or name
    return len(set(_WORDS.findall(stem)) - _GENERIC) >= _MIN_SPECIFIC


def link_fit(link: str, file: FileBesideBibliography) -> int:
    """How well a link fits a file: 3 for its very path, 2 for file and folder, 1 for the name, 0 for none."""
    linked, parts = _parts(link), _parts(file.path)
    if not linked or not parts or linked[-1] != parts[-1]:
        return 0
    if _is_absolute(link):
        if linked == parts:
            return _MAX_FIT
    elif file.folder is not None and ".." not in linked and [*_parts(str(file.folder)), *linked] == parts:
        return _MAX_FIT
    return 2 if linked[-2:] == parts[-2:] and len(linked) >= 2 else 1


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\")) or path[1:2] == ":"


def _parts(path: str) -> list[str]:
    plain = unicodedata.normalize("NFC", path).casefold()
    return [part for part in _SEPARATOR.split(plain) if part not in ("", ".")]
