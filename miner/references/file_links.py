"""The files that an entry names, as plain paths. They are compared with the paths of papers, and never opened.

Each program writes its own form in BibTeX's field `file`: Zotero "Full Text:files/12/a.pdf:application/pdf", JabRef
":a.pdf:PDF", Mendeley ":C$\\backslash$:/papers/a.pdf:pdf", Better BibTeX the path alone. Several files are separated by
";"; a backslash escapes characters that are not separators.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

MAX_LINKS = 20  # of an entry
_MAX_LENGTH = 4_000  # characters: as long as a path may be
_SEMICOLON = re.compile(r"(?<!\\);")
_COLON = re.compile(r"(?<!\\):")
_ESCAPED = re.compile(r"\\([\\:;,_&#%{}$ ])")
_DRIVE = re.compile(r"[A-Za-z]")
_TYPE = re.compile(r"[\w.+-]{0,40}/[\w.+-]{1,80}|[A-Za-z]{0,12}", re.ASCII)  # "application/pdf", "PDF"
_ADDRESS = re.compile(r"(?:https?|ftp|doi):", re.I)


def split_files(value: str) -> tuple[str, ...]:
    """The paths in a field `file` of BibTeX.

    >>> split_files(r"Full Text:files/12/a.pdf:application/pdf;:C\\:\\\\papers\\\\b.pdf:PDF")
    ('files/12/a.pdf', 'C:\\\\papers\\\\b.pdf')
    """
    value = value[: MAX_LINKS * _MAX_LENGTH].replace("{$\\backslash$}", "\\").replace("$\\backslash$", "\\")
    return plain_links([_path(link) for link in _SEMICOLON.split(value)])


def _path(link: str) -> str:
    parts = [part.strip() for part in _COLON.split(link)]
    if len(parts) >= 2 and _TYPE.fullmatch(parts[-1]):
        parts = parts[:-1]
        if len(parts) >= 2 and not (len(parts) == 2 and _DRIVE.fullmatch(parts[0])):
            parts = parts[1:]  # the description
    return _ESCAPED.sub(r"\1", ":".join(parts))


def plain_links(links: list[str]) -> tuple[str, ...]:
    """The links that are paths, without `file://`, each once."""
    return tuple(dict.fromkeys(filter(None, map(_plain_link, links[:MAX_LINKS]))))


def _plain_link(link: str) -> str:
    link = link.strip()
    if len(link) > _MAX_LENGTH or _ADDRESS.match(link) or "\0" in link:
        return ""
    for scheme in ("file://localhost", "file://", "internal-pdf://"):  # the last of EndNote
        if link.lower().startswith(scheme):
            path = unquote(link[len(scheme) :])
            return path[1:] if re.match(r"/[A-Za-z]:", path) else path
    return link
