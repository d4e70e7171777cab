"""Which files of what a user gave are papers, and what each of them is."""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from miner.errors import Unreadable
from miner.paths import is_folder

PDF_LIMIT = 100_000_000  # bytes
TEI_LIMIT = 64_000_000


class Kind(StrEnum):
    PDF = "pdf"
    TEI = "tei"
    PAPERS = "papers"  # JSON lines


_ENDINGS = {".pdf": Kind.PDF, ".xml": Kind.TEI, ".tei": Kind.TEI, ".jsonl": Kind.PAPERS, ".ndjson": Kind.PAPERS}
_TABLES = (".csv", ".tsv", ".txt")
_LIMITS = {Kind.PDF: PDF_LIMIT, Kind.TEI: TEI_LIMIT}
_TOO_LARGE = {
    Kind.PDF: "Save it with smaller pictures, or split it.",
    Kind.TEI: "One paper is not so long: make a TEI file of each, or add their PDFs.",
}


@dataclass(slots=True)
class FoundFiles:
    """The paper files, PDFs first, each kind by path; what was named but cannot be used; how many others there were.

    `tables` are those of the others that may hold labelled pairs, by their endings, and `links` how many of them are
    links that lead out of their folder.
    """

    files: list[tuple[Path, Kind]] = field(default_factory=list)
    failed: list[tuple[Path, Unreadable]] = field(default_factory=list)
    ignored: int = 0
    tables: list[Path] = field(default_factory=list)
    links: int = 0


def find_files(paths: Iterable[Path], look: Callable[[Path], None] = lambda path: None) -> FoundFiles:
    """The paper files among `paths`, folders searched to the bottom. `look` sees each file, and may raise to stop.

    A file named outright is always answered for; inside a folder anything that is no paper (by ending, and for XML by
    content), and any link that leads out of it, is only counted. Hidden files are passed over.
    """
    found = FoundFiles()
    seen: set[str] = set()
    for path in paths:
        in_folder = is_folder(path)
        for file in _walk(path, found.failed) if in_folder else (path,):
            look(file)
            try:
                real = os.path.realpath(file)
                if real in seen:
                    continue
                if in_folder and _leads_out(file, real, path):
                    found.ignored += 1
                    found.links += 1
                    continue
                kind = _found_kind(file) if in_folder else _named_kind(file)
            except Unreadable as exc:
                found.failed.append((file, exc))
            except OSError as exc:
                found.failed.append((file, unreadable(file, exc)))
            else:
                if kind is None:
                    found.ignored += 1
                    if _plain_suffix(file) in _TABLES:
                        found.tables.append(file)
                else:
                    seen.add(real)
                    found.files.append((file, kind))
    order = list(Kind)
    found.files.sort(key=lambda file: (order.index(file[1]), str(file[0])))
    return found


class Hashes(NamedTuple):
    """MD5 and SHA-256 of a file's content, lower-case hex."""

    md5: str
    sha256: str


class FileContent(NamedTuple):
    """A file as it was read, once: `hashes` are of `content`."""

    path: Path
    kind: Kind
    content: bytes
    hashes: Hashes

    def without_content(self) -> FileContent:
        return self._replace(content=b"")


def read_file(path: Path, kind: Kind) -> FileContent:
    """The file, hashed; `Unreadable` as of `read_bytes`."""
    content = read_bytes(path, kind)
    return FileContent(path, kind, content, hashes(content))


def read_bytes(path: Path, kind: Kind) -> bytes:
    """The file's content; `Unreadable` when it is missing, no file, closed to us, empty or too large."""
    try:
        size = _size(path)
        if size > (limit := _LIMITS[kind]):
            raise Unreadable(
                "too_large",
                f"{path.name} has {size / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB.",
                hint=_TOO_LARGE[kind],
            )
        content = path.read_bytes()
    except OSError as exc:
        raise unreadable(path, exc) from exc
    if not content:
        raise Unreadable("empty", f"{path.name} is empty (0 bytes).", hint="Fetch the file again.")
    return content


def hashes(content: bytes) -> Hashes:
    return Hashes(hashlib.md5(content, usedforsecurity=False).hexdigest(), hashlib.sha256(content).hexdigest())


def unreadable(path: Path, exc: OSError) -> Unreadable:
    """What the operating system's error means for this file."""
    if isinstance(exc, FileNotFoundError):
        return Unreadable("missing", f"{path} does not exist.", hint="Check the path.")
    if isinstance(exc, PermissionError):
        return Unreadable(
            "unreadable", f"{path} may not be read.", hint="Allow yourself to read it, then add it again."
        )
    if isinstance(exc, NotADirectoryError):
        return Unreadable("missing", f"{path} does not exist: a part of it is no folder.", hint="Check the path.")
    return Unreadable("unreadable", f"{path} cannot be read: {exc.strerror or exc}.")


def _walk(folder: Path, failed: list[tuple[Path, Unreadable]]) -> Iterator[Path]:
    """The files that are not hidden; folders that may not be looked into go to `failed`, and the walk goes on."""

    def tell(exc: OSError) -> None:
        failed.append((Path(exc.filename), unreadable(Path(exc.filename), exc)))

    for where, folders, names in os.walk(folder, onerror=tell):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__MACOSX")))
        yield from (Path(where) / name for name in sorted(names) if not name.startswith("."))


def _leads_out(file: Path, real: str, folder: Path) -> bool:
    return file.is_symlink() and not Path(real).is_relative_to(os.path.realpath(folder))


def _size(path: Path) -> int:
    """Bytes in the file; `Unreadable` for what only looks like one: reading a pipe or a device may never end."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(
            "not_a_file", f"{path} is no ordinary file (a pipe, socket or device).", hint="Save it as a file first."
        )
    return status.st_size


def _plain_suffix(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _kind(path: Path) -> Kind | None:
    kind = _ENDINGS.get(_plain_suffix(path))
    return None if kind is Kind.PDF and path.name.lower().endswith(".gz") else kind


def _found_kind(path: Path) -> Kind | None:
    """What a file in a folder is, None when it is no paper."""
    kind = _kind(path)
    if kind is not None:
        _size(path)
    return None if kind is Kind.TEI and not _says_tei(path) else kind


def _named_kind(path: Path) -> Kind:
    _size(path)
    if kind := _kind(path):
        return kind
    with path.open("rb") as file:
        if b"%PDF-" in file.read(1024):
            return Kind.PDF
    if path.suffix.lower() in (".csv", ".tsv", ".json"):
        hint = "If it holds labelled sentence pairs, use: pairwright import"
    else:
        hint = "Add PDFs, GROBID's TEI files (.xml) or papers as JSON lines (.jsonl)."
    raise Unreadable("not_a_paper", f"{path.name} is not a kind of file that papers come in.", hint=hint)


def _says_tei(path: Path) -> bool:
    with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as file:
        try:
            return b"tei-c.org" in file.read(4096)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            return True  # let the reader say what is wrong with it
