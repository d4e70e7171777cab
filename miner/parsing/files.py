"""Which files of what a user gave are papers, and what each of them is."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from miner.errors import Unreadable

PDF_LIMIT = 100_000_000  # bytes
TEI_LIMIT = 64_000_000


class Kind(StrEnum):
    PDF = "pdf"
    TEI = "tei"
    PAPERS = "papers"  # JSON lines


_ENDINGS = {".pdf": Kind.PDF, ".xml": Kind.TEI, ".tei": Kind.TEI, ".jsonl": Kind.PAPERS, ".ndjson": Kind.PAPERS}
_LIMITS = {Kind.PDF: PDF_LIMIT, Kind.TEI: TEI_LIMIT}


@dataclass(slots=True)
class Collected:
    """The paper files, PDFs first, each kind by path; what was named but cannot be used; how many others there were."""

    files: list[tuple[Path, Kind]] = field(default_factory=list)
    failed: list[tuple[Path, Unreadable]] = field(default_factory=list)
    ignored: int = 0


def collect(paths: Iterable[Path]) -> Collected:
    """The paper files among `paths`, folders searched to the bottom.

    A file named outright is always answered for; inside a folder anything that is no paper (by ending, and for XML by
    content) is only counted. Hidden files, and links that lead out of the folder, are passed over.
    """
    found = Collected()
    seen: set[Path] = set()
    for path in paths:
        try:
            if path.is_dir():
                for file in _walk(path):
                    if (kind := _kind(file)) is None or (kind is Kind.TEI and not _says_tei(file)):
                        found.ignored += 1
                    elif (real := file.resolve()) not in seen:
                        seen.add(real)
                        found.files.append((file, kind))
            elif path.resolve() not in seen:
                seen.add(path.resolve())
                found.files.append((path, _named_kind(path)))
        except Unreadable as exc:
            found.failed.append((path, exc))
        except OSError as exc:
            found.failed.append((path, unreadable(path, exc)))
    order = list(Kind)
    found.files.sort(key=lambda file: (order.index(file[1]), str(file[0])))
    return found


def read_bytes(path: Path, kind: Kind) -> bytes:
    """The file's content; `Unreadable` when it is missing, closed to us, empty or larger than its kind may be."""
    try:
        size = path.stat().st_size
        if size > (limit := _LIMITS[kind]):
            raise Unreadable(
                "too_large",
                f"{path.name} has {size / 1e6:,.0f} MB; the limit is {limit / 1e6:,.0f} MB.",
                hint="Save it with smaller pictures, or split it.",
            )
        content = path.read_bytes()
    except OSError as exc:
        raise unreadable(path, exc) from exc
    if not content:
        raise Unreadable("empty", f"{path.name} is empty (0 bytes).", hint="Fetch the file again.")
    return content


def hashes(content: bytes) -> tuple[str, str]:
    """MD5 and SHA-256 of the content, lower-case hex."""
    return hashlib.md5(content, usedforsecurity=False).hexdigest(), hashlib.sha256(content).hexdigest()


def unreadable(path: Path, exc: OSError) -> Unreadable:
    """What the operating system's error means for this file."""
    if isinstance(exc, FileNotFoundError):
        return Unreadable("missing", f"{path} does not exist.", hint="Check the path.")
    if isinstance(exc, PermissionError):
        return Unreadable(
            "unreadable", f"{path} may not be read.", hint="Allow yourself to read it, then add it again."
        )
    return Unreadable("unreadable", f"{path} cannot be read: {exc.strerror or exc}.")


def _walk(folder: Path) -> Iterator[Path]:
    root = folder.resolve()
    for where, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__MACOSX")))
        for name in sorted(names):
            file = Path(where) / name
            if not name.startswith(".") and (not file.is_symlink() or file.resolve().is_relative_to(root)):
                yield file


def _raise(exc: OSError) -> None:
    raise exc


def _kind(path: Path) -> Kind | None:
    name = path.name.lower().removesuffix(".gz")
    kind = _ENDINGS.get(Path(name).suffix)
    return None if kind is Kind.PDF and path.name.lower().endswith(".gz") else kind


def _named_kind(path: Path) -> Kind:
    if not path.exists():
        raise unreadable(path, FileNotFoundError())
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
        except (EOFError, gzip.BadGzipFile):
            return True  # let the reader say what is wrong with it
