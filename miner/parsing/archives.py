"""Archives of PDFs and publishers' XML, such as PubMed Central's: read one member at a time, never unpacked to a disk.

An XML file of several articles counts as an archive.

Members are numbered from 1, as lines of a file are. Their names are shown, and never used as paths. Archives in
archives, links, devices and files that are no papers by their name are passed over. Limits count the bytes that are
read, whatever headers say.
"""

from __future__ import annotations

import gzip
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from miner.errors import UnreadableFile
from miner.parsing.article_sets import read_articles
from miner.parsing.formats import PDF_LIMIT, XML_KINDS, kind_by_name
from miner.parsing.safe_xml import MAX_BYTES

_SUFFIXES = (".nxml", ".xml")
_BLOCK = tarfile.BLOCKSIZE
_MAX_HEADER = 1_000_000  # bytes of a long name, or of what else is said about a member
_CHUNK = 1 << 20
_FREE_BYTES = 2_000_000_000  # unpacked, before it is asked how far an archive expands
_MAX_EXPANSION = 200  # of text, 10; gzip reaches 1,032
_PEEKED = 300  # members that show whether an archive holds papers
_MAX_NAME = 200  # characters shown
# `zipfile` calls a version that it does not know not implemented.
_DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, tarfile.TarError, NotImplementedError)


class Member(NamedTuple):
    """A PDF or XML file of an archive: its number from 1, its name as text, and its content or why it is not read."""

    number: int
    name: str
    content: bytes
    failed: UnreadableFile | None = None

    @property
    def is_pdf(self) -> bool:
        """Whether it is a PDF, by its name."""
        return is_pdf_name(self.name)


def read_members(path: Path) -> Iterator[Member]:
    """The PDFs and XML files of an archive, or the articles of an XML file, in its order.

    `UnreadableFile` where it is not an archive or breaks off, after the members before that.
    """
    try:
        if kind_by_name(path) in XML_KINDS:
            yield from _read_articles(path)
            return
        with path.open("rb") as raw:
            is_zip = raw.read(4) in (b"PK\x03\x04", b"PK\x05\x06")
        yield from _read_zip(path) if is_zip else _read_tar(path)
    except _DAMAGE as exc:
        raise UnreadableFile(
            "damaged",
            f"{path.name}: the archive breaks off or is damaged.",
            hint="Fetch it again; the papers before the break were read.",
        ) from exc


def holds_papers(path: Path) -> bool:
    """Whether any of an archive's first files may be papers; also true if it is damaged, so that this is reported."""
    try:
        with path.open("rb") as raw:
            if raw.read(4) in (b"PK\x03\x04", b"PK\x05\x06"):
                with zipfile.ZipFile(path) as archive:
                    return any(_limit(info.filename) for info in islice(archive.infolist(), _PEEKED))
        with _opened(path) as stream:
            return any(_limit(name) for _, name, _, _ in islice(_tar_entries(stream, path), _PEEKED))
    except (*_DAMAGE, UnreadableFile):
        return _is_xml_archive_name(path)


def _is_xml_archive_name(path: Path) -> bool:
    return "xml" in path.name.lower() or path.name.upper().startswith("PMC")


def is_pdf_name(name: str) -> bool:
    """Whether a member is a PDF by its name."""
    return name.lower().endswith(".pdf")


def _limit(name: str) -> int:
    """How many bytes a member may have; 0 if by its name it is no paper."""
    base = name.rpartition("/")[2]
    if base.startswith("."):
        return 0
    return PDF_LIMIT if is_pdf_name(base) else MAX_BYTES if base.lower().endswith(_SUFFIXES) else 0


def _shown(name: str) -> str:
    """A name as text of one line."""
    text = "".join(character if character.isprintable() else "�" for character in name)
    return text if len(text) <= _MAX_NAME else f"…{text[-_MAX_NAME:]}"


def _too_large(name: str, limit: int) -> UnreadableFile:
    what = f"{_shown(name)} unpacks to more than {limit >> 20} MB, which no paper does."
    return UnreadableFile("too_large", what, hint="Fetch the archive again from its publisher.")


def _read_articles(path: Path) -> Iterator[Member]:
    for number, content in enumerate(read_articles(path, _Budget(path).spend), 1):
        name = f"article {number}"
        yield Member(number, name, content, None if content else _too_large(name, MAX_BYTES))


def _read_zip(path: Path) -> Iterator[Member]:
    budget = _Budget(path)
    with zipfile.ZipFile(path) as archive:
        for number, info in enumerate(archive.infolist(), 1):
            if not (limit := _limit(info.filename)):
                continue
            name = _shown(info.filename)
            try:
                with archive.open(info) as stream:
                    content = stream.read(limit + 1)
            except (RuntimeError, NotImplementedError) as exc:  # it wants a password, or is packed in another way
                hint = "Unpack the archive yourself, and add the folder."
                yield Member(
                    number, name, b"", UnreadableFile("encrypted", f"{name} cannot be unpacked: {exc}.", hint=hint)
                )
                continue
            except (zlib.error, zipfile.BadZipFile, EOFError):
                hint = "Fetch the archive again."
                yield Member(number, name, b"", UnreadableFile("damaged", f"{name} is damaged.", hint=hint))
                continue
            budget.spend(len(content), archive.fp.tell() if archive.fp else 0)
            is_large = len(content) > limit
            yield Member(number, name, b"" if is_large else content, _too_large(name, limit) if is_large else None)


def _read_tar(path: Path) -> Iterator[Member]:
    with _opened(path) as stream:
        for number, name, size, is_file in _tar_entries(stream, path):
            if not is_file or not (limit := _limit(name)):
                continue
            if size > limit:
                yield Member(number, _shown(name), b"", _too_large(name, limit))
                continue
            content = stream.take(size)
            yield Member(number, _shown(name), content)


@contextmanager
def _opened(path: Path) -> Iterator[_TarStream]:
    with path.open("rb") as raw:
        is_zipped = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        with gzip.open(raw) if is_zipped else raw as stream:
            yield _TarStream(stream, raw, _Budget(path))


class _Budget:
    """How much of an archive may be unpacked, by how much of the file was read for it."""

    def __init__(self, path: Path) -> None:
        self._name = path.name
        self._unpacked = 0

    def spend(self, unpacked: int, read: int) -> None:
        self._unpacked += unpacked
        if self._unpacked > max(_FREE_BYTES, _MAX_EXPANSION * read):
            what = (
                f"{self._name} unpacks to more than {_MAX_EXPANSION} times its size, which no archive of papers does."
            )
            raise UnreadableFile(
                "too_large", what, hint="The papers before were read. Fetch it again from its publisher."
            )


class _TarStream:
    """The bytes of a tar archive, unpacked as they are read; what a caller leaves of a member is skipped."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, raw: IO[bytes], budget: _Budget) -> None:
        self._stream, self._raw, self._budget = stream, raw, budget
        self._left = 0  # of the member, with its padding

    def block(self) -> bytes:
        """The next header; raises EOFError where the archive breaks off."""
        while self._left:
            self._left -= len(self._read(min(self._left, _CHUNK)))
        return self._read(_BLOCK)

    def begin(self, size: int) -> None:
        self._left = -(-size // _BLOCK) * _BLOCK

    def take(self, size: int) -> bytes:
        """The next bytes of the member that has begun."""
        self._left -= size
        return self._read(size)

    def _read(self, size: int) -> bytes:
        content = self._stream.read(size)
        self._budget.spend(len(content), self._raw.tell())
        if len(content) < size:
            raise EOFError
        return content


def _tar_entries(stream: _TarStream, path: Path) -> Iterator[tuple[int, str, int, bool]]:
    """Number, name and size of each entry, and whether it is an ordinary file whose content can be taken."""
    number, said = 0, dict[str, str]()
    while True:
        block = stream.block()
        if not block.strip(b"\0"):
            return
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.HeaderError as exc:
            if not number:
                what = f"{path.name} is not a .tar archive, whatever its name says."
                raise UnreadableFile("not_a_paper", what, hint="Fetch the file again.") from exc
            raise
        if header.type in (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE):
            if header.size > _MAX_HEADER or header.size < 0:
                raise tarfile.HeaderError
            stream.begin(header.size)
            content = stream.take(header.size)
            if header.type == tarfile.GNUTYPE_LONGNAME:
                said["path"] = content.rstrip(b"\0").decode("utf-8", "replace")
            elif header.type == tarfile.XHDTYPE:
                said |= _pax_values(content)
            continue
        number += 1
        size = int(said["size"]) if said.get("size", "").isdecimal() else header.size
        has_content = header.type not in (
            tarfile.LNKTYPE,
            tarfile.SYMTYPE,
            tarfile.CHRTYPE,
            tarfile.BLKTYPE,
            tarfile.DIRTYPE,
        )
        stream.begin(max(0, size) if has_content else 0)
        is_file = header.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and "GNU.sparse.major" not in said
        yield number, said.get("path", header.name), size, is_file
        said = {}


def _pax_values(content: bytes) -> dict[str, str]:
    """The values of an extended header, records of "LENGTH KEY=VALUE"."""
    values, at = dict[str, str](), 0
    while at < len(content):
        length, _, _ = content[at : at + 20].partition(b" ")
        if not length.isdigit() or int(length) <= len(length):
            break
        key, _, value = content[at + len(length) + 1 : at + int(length) - 1].partition(b"=")
        values[key.decode("utf-8", "replace")] = value.decode("utf-8", "replace")
        at += int(length)
    return values
