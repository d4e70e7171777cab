"""Finds the paper files among the paths that a user gave, and reads them."""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from miner.errors import UnreadableFile
from miner.parsing.archives import holds_papers
from miner.parsing.article_sets import holds_articles
from miner.parsing.formats import (
    ACCEPTED,
    XML_KINDS,
    XML_START,
    check_size,
    kind_by_name,
    names_xml_of_papers,
    xml_kind,
)
from miner.parsing.formats import FileKind as FileKind
from miner.paths import composed, is_folder

_BIBLIOGRAPHY_SUFFIXES = (".bib", ".bibtex", ".ris", ".json")
_TABLE_SUFFIXES = (".csv", ".tsv", ".txt", ".parquet")


@dataclass(slots=True)
class FoundFiles:
    """The result of `find_files`.

    `files`: the paper files, by kind (PDFs first) and path. `failed`: files that cannot be used, and why. `ignored`:
    number of other files in folders. `tables`, `bibliographies`: those of the ignored files that by their suffix may
    contain labelled pairs, or be bibliographies. `links`: how many of the ignored files are links to outside of their
    folder.
    """

    files: list[tuple[Path, FileKind]] = field(default_factory=list)
    failed: list[tuple[Path, UnreadableFile]] = field(default_factory=list)
    ignored: int = 0
    tables: list[Path] = field(default_factory=list)
    bibliographies: list[Path] = field(default_factory=list)
    links: int = 0


def find_files(paths: Iterable[Path], on_file: Callable[[Path], None] = lambda path: None) -> FoundFiles:
    """The paper files among `paths`, with all subfolders. `on_file` is called for each file and may raise to stop.

    A file given by its own path is either found or failed. In folders, files that are no papers (by suffix, `.xml` also
    by content) and links to outside of the folder are only counted. Hidden files are skipped.
    """
    result = FoundFiles()
    seen_paths: set[str] = set()
    for path in paths:
        in_folder = is_folder(path)
        for file in map(composed, _walk(path, result.failed) if in_folder else (path,)):
            on_file(file)
            try:
                real_path = os.path.realpath(file)
                if real_path in seen_paths:
                    continue
                if in_folder and _links_outside(file, real_path, path):
                    result.ignored += 1
                    result.links += 1
                    continue
                kind = _kind_in_folder(file) if in_folder else _kind_of_named_file(file)
            except UnreadableFile as exc:
                result.failed.append((file, exc))
            except OSError as exc:
                result.failed.append((file, unreadable_error(file, exc)))
            else:
                if kind is None:
                    result.ignored += 1
                    if _suffix_without_gz(file) in _TABLE_SUFFIXES:
                        result.tables.append(file)
                    elif file.suffix.lower() in _BIBLIOGRAPHY_SUFFIXES:
                        seen_paths.add(real_path)
                        result.bibliographies.append(file)
                else:
                    seen_paths.add(real_path)
                    result.files.append((file, kind))
    order = list(FileKind)
    result.files.sort(key=lambda file: (order.index(file[1]), str(file[0])))
    return result


class Hashes(NamedTuple):
    """MD5 and SHA-256 of a file's content, lower-case hex."""

    md5: str
    sha256: str


class FileContent(NamedTuple):
    """A file that was read, with the hashes of its content; or a member of an archive, by its number and name."""

    path: Path
    kind: FileKind
    content: bytes
    hashes: Hashes
    line: int = 0
    member: str = ""

    def without_content(self) -> FileContent:
        return self._replace(content=b"")


def read_file(path: Path, kind: FileKind) -> FileContent:
    """The file with its hashes; `UnreadableFile` as `read_bytes`."""
    content = read_bytes(path, kind)
    return FileContent(path, kind, content, hash_content(content))


def read_bytes(path: Path, kind: FileKind) -> bytes:
    """The file's content; `UnreadableFile` when it is missing, no regular file, forbidden, empty or too large."""
    try:
        check_size(path.name, _size(path), kind)
        content = path.read_bytes()
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
    if not content:
        raise UnreadableFile("empty", f"{path.name} is empty (0 bytes).", hint="Fetch the file again.")
    return content


def hash_content(content: bytes) -> Hashes:
    return Hashes(hashlib.md5(content, usedforsecurity=False).hexdigest(), hashlib.sha256(content).hexdigest())


def unreadable_error(path: Path, exc: OSError) -> UnreadableFile:
    """The `UnreadableFile` for an error of the operating system with this file."""
    if isinstance(exc, FileNotFoundError):
        return UnreadableFile("missing", f"{path} does not exist.", hint="Check the path.")
    if isinstance(exc, PermissionError):
        return UnreadableFile(
            "unreadable", f"{path} may not be read.", hint="Allow yourself to read it, then add it again."
        )
    if isinstance(exc, NotADirectoryError):
        return UnreadableFile("missing", f"{path} does not exist: part of it is not a folder.", hint="Check the path.")
    return UnreadableFile("unreadable", f"{path} cannot be read: {exc.strerror or exc}.")


def _walk(folder: Path, failed: list[tuple[Path, UnreadableFile]]) -> Iterator[Path]:
    """The files in a folder and its subfolders that are not hidden. Unreadable folders are added to `failed`."""

    def report_error(exc: OSError) -> None:
        failed.append((Path(exc.filename), unreadable_error(Path(exc.filename), exc)))

    for folder_path, folders, names in os.walk(folder, onerror=report_error):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__MACOSX")))
        yield from (Path(folder_path) / name for name in sorted(names) if not name.startswith("."))


def _links_outside(file: Path, real_path: str, folder: Path) -> bool:
    return file.is_symlink() and not Path(real_path).is_relative_to(os.path.realpath(folder))


def _size(path: Path) -> int:
    """Size in bytes; `UnreadableFile` for pipes and devices, because reading them may never end."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile(
            "not_a_file", f"{path} is not an ordinary file (a pipe, socket or device).", hint="Save it as a file first."
        )
    return status.st_size


def _suffix_without_gz(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _kind_in_folder(path: Path) -> FileKind | None:
    """The kind of a file in a folder; None when it is no paper."""
    kind = kind_by_name(path)
    if kind is None:
        return None
    _size(path)
    if kind in XML_KINDS:
        return _xml_kind(path) or (kind if names_xml_of_papers(path) else None)
    return None if kind is FileKind.ARCHIVE and not holds_papers(path) else kind


def _kind_of_named_file(path: Path) -> FileKind:
    _size(path)
    kind = kind_by_name(path)
    if kind in XML_KINDS:
        return _xml_kind(path) or kind  # parsing says what is wrong with it
    if kind:
        return kind
    with path.open("rb") as file:
        if b"%PDF-" in file.read(1024):
            return FileKind.PDF
    if path.suffix.lower() in (".bib", ".bibtex", ".ris"):
        hint = "For references there is: pairwright references"
    elif path.suffix.lower() in (".csv", ".tsv", ".json", ".parquet"):
        hint = "If it holds labelled sentence pairs, use: pairwright import"
    else:
        hint = f"Add {ACCEPTED}."
    raise UnreadableFile("not_a_paper", f"{path.name} is not a kind of file that papers come in.", hint=hint)


def _xml_kind(path: Path) -> FileKind | None:
    with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as file:
        try:
            kind = xml_kind(file.read(XML_START))
            return FileKind.ARCHIVE if kind is FileKind.JATS and holds_articles(path) else kind
        except (EOFError, zlib.error, gzip.BadGzipFile):
            return kind_by_name(path)  # parsing reports what is wrong with it
