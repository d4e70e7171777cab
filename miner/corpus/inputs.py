"""The papers that a corpus is made of: finds their files and reads them.

A pattern such as `s3://bucket/*.xml.gz` names files; a folder stands for all papers in it; an http(s) address for the
file, or for the files that its page links to.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from fnmatch import translate
from hashlib import md5
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urljoin

from miner.corpus.locations import AGAIN, Location
from miner.corpus.mapping import Item
from miner.errors import UnreadableFile, UserError
from miner.http import HttpLimits, TransportStatus, send_request
from miner.parsing.archives import read_members
from miner.parsing.article_sets import holds_articles
from miner.parsing.file_parser import unzipped_xml
from miner.parsing.files import read_bytes, unreadable_error
from miner.parsing.formats import ACCEPTED, XML_KINDS, XML_START, FileKind, kind_by_name, xml_kind
from miner.parsing.json_lines import read_json_lines
from miner.paths import check_ordinary

_ON_WINDOWS = os.name == "nt"
_MANY = (FileKind.PAPERS, FileKind.ARCHIVE)
_WEB = ("http://", "https://")
_PAGE_BYTES = 50_000_000
_FILE_BYTES = 20_000_000_000
_COPIED = 1 << 20
_LARGE = 64_000_000  # bytes
_BLOCK = 64  # papers that follow one another are in one share
_PAUSES = (1.0, 4.0)  # seconds before a server is asked again
_NO_SERVER = (429, 502, 503, 504, TransportStatus.UNREACHABLE, TransportStatus.TIMED_OUT)
_TRIED_AGAIN = (*_NO_SERVER, 500, TransportStatus.LOST)
_LONGEST_NAME = 100  # of a copy


@dataclass(frozen=True, slots=True)
class PaperSource:
    """A file with one paper or many. `stamp` changes with its content, as far as its place tells.

    share: which share of its papers, from 1, of how many; see `split_source`.
    """

    path: str
    size: int
    stamp: str
    kind: FileKind
    share: tuple[int, int] = (1, 1)

    @property
    def is_of_many(self) -> bool:
        """Whether files of its kind hold many papers, or it is an XML file too large for one paper."""
        return self.kind in _MANY or self.is_large

    @property
    def is_large(self) -> bool:
        """Whether it has more bytes than a file with one paper can have."""
        return self.size >= _LARGE and self.kind is not FileKind.PDF

    def own_ranges(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Which of the papers with the numbers `first` to `last` are in the share, as first and last numbers."""
        own, count = self.share
        if first > last:
            return
        if count == 1:
            yield first, last
            return
        for block in range(first // _BLOCK, last // _BLOCK + 1):
            if block % count == own - 1:
                yield max(first, block * _BLOCK), min(last, block * _BLOCK + _BLOCK - 1)

    def has(self, number: int) -> bool:
        """Whether the paper with this number is in the share; an item about the whole file (0) is in every share."""
        return number == 0 or (number // _BLOCK) % self.share[1] == self.share[0] - 1


def find_sources(addresses: Iterable[str]) -> list[PaperSource]:
    """The files of papers at these addresses, each once, by path. `UserError` where there are none."""
    given = list(addresses)
    found = {source.path: source for address in given for source in _sources_at(address)}
    if not found:
        raise UserError(f"There are no papers at {', '.join(given)}.", hint=f"Papers are {ACCEPTED}.")
    return [found[path] for path in sorted(found)]


def split_source(source: PaperSource, count: int) -> list[PaperSource]:
    """The shares of a large file with many papers; for other sources the source alone.

    To map a share, the whole file is read, as compressed files require, and only the papers of the share are parsed.
    """
    if not source.is_large:
        return [source]
    own, of = source.share
    return [replace(source, share=(own + of * number, of * count)) for number in range(count)]


def in_shard(sources: Iterable[PaperSource], number: int, count: int) -> list[PaperSource]:
    """The sources that shard `number` (from 1) of `count` reads: a share of each large file, and some of the others."""
    found = []
    for source in sources:
        shares = split_source(source, count)
        digest = md5(source.path.encode(), usedforsecurity=False).digest()
        if len(shares) == count:
            found.append(shares[number - 1])
        elif int.from_bytes(digest[:8]) % count == number - 1:
            found.append(source)
    return found


def read_items(source: PaperSource) -> Iterator[Item]:
    """The papers of a source, in its order. A file or member that is not a paper is an item with the reason.

    A file that is missing or incomplete ends with an item of number 0 that says so. `UserError` where its place cannot
    be reached, which is not a fault of the source.
    """
    try:
        with _local(source) as path:
            yield from _items(source, path)
    except UnreadableFile as exc:
        if exc.code == "missing" and not _is_web(source.path):
            Location.of(source.path).check_above()
        yield Item(source.path, 0, "", source.kind, b"", exc)
    except OSError as exc:
        yield Item(source.path, 0, "", source.kind, b"", unreadable_error(Path(source.path), exc))


def _items(source: PaperSource, path: Path) -> Iterator[Item]:
    kind = source.kind
    if kind in XML_KINDS:
        content = read_bytes(path, FileKind.JATS)
        found = xml_kind(unzipped_xml(path, content)[:XML_START])
        if found is FileKind.JATS and holds_articles(path):
            kind = FileKind.ARCHIVE
        else:
            yield Item(source.path, 0, "", found or kind, content)
            return
    if kind is FileKind.PDF:
        yield Item(source.path, 0, "", kind, read_bytes(path, kind))
    elif kind is FileKind.PAPERS:
        for line in read_json_lines(path):
            yield Item(source.path, line.number, "", kind, line.content)
    else:
        for member in read_members(path):
            is_paper = member.failed or member.is_pdf or xml_kind(member.content[:XML_START]) is FileKind.JATS
            if is_paper:
                yield Item(source.path, member.number, member.name, kind, member.content, member.failed)


def _is_web(address: str) -> bool:
    return address.startswith(_WEB)


def _sources_at(address: str) -> Iterator[PaperSource]:
    if _is_web(address):
        yield from _web_sources(address)
        return
    base, pattern = _split_pattern(address)
    location = Location.of(base)
    location.check_exists()
    if location.is_local:
        try:
            check_ordinary(Path(location.path))
        except OSError as exc:
            raise unreadable_error(Path(location.shown), exc) from exc
    file = None if pattern else location.found()
    if file is not None:
        yield from _source(location.shown, file.size, file.stamp)
        return
    wanted = re.compile(translate(pattern)) if pattern else None
    for file in location.files():
        is_hidden = any(part.startswith((".", "__MACOSX")) for part in file.path.split("/"))
        if wanted is not None and not (wanted.match(file.path) and file.path.count("/") == pattern.count("/")):
            continue
        if wanted is None and is_hidden:
            continue
        yield from _source(location.child(file.path).shown, file.size, file.stamp)


def _source(path: str, size: int, stamp: str) -> Iterator[PaperSource]:
    kind = kind_by_name(PurePosixPath(path))  # type: ignore[arg-type]  # its name alone is read
    if kind is not None:
        yield PaperSource(path, size, stamp, kind)


def _split_pattern(address: str) -> tuple[str, str]:
    """The part of an address before the first wildcard's folder, and the pattern below it; "" without one."""
    if _ON_WINDOWS and "://" not in address:  # no shell has expanded it there
        address = address.replace("\\", "/")
    found = re.search(r"[*?\[]", address)
    if found is None:
        return address, ""
    cut = address.rfind("/", 0, found.start())
    if cut < 0:
        return ".", address
    base = address[:cut]
    return f"{base}/" if not base or base.endswith(":") else base, address[cut + 1 :]


@contextmanager
def _local(source: PaperSource) -> Iterator[Path]:
    """The source as a file on this computer."""
    if "://" not in source.path:
        yield Path(source.path)
        return
    name = re.sub(r"[^\w.+ -]", "_", unquote(source.path).rpartition("/")[2])  # as all systems take it
    with _temporary_file(name[-_LONGEST_NAME:]) as file:
        try:
            if _is_web(source.path):
                _write(file, _get(source.path, _FILE_BYTES))
            else:
                with Location.of(source.path).opened() as stream:
                    while content := stream.read(_COPIED):
                        _write(file, content)
        except FileNotFoundError as exc:
            raise UnreadableFile("missing", f"{source.path} does not exist.", hint="Check the address.") from exc
        yield Path(file.name)


@contextmanager
def _temporary_file(name: str) -> Iterator[Any]:
    """A file of this name to write to, which is deleted in the end."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pairwright-"))
            file = stack.enter_context((Path(folder) / name).open("wb", buffering=0))
        except OSError as exc:
            raise _no_copy(exc) from exc
        yield file


def _write(file: Any, content: bytes) -> None:
    try:
        file.write(content)
    except OSError as exc:
        raise _no_copy(exc) from exc


def _no_copy(exc: OSError) -> UserError:
    what = f"No copy of a paper can be written to the temporary folder: {os.strerror(exc.errno or 0)}."
    return UserError(what, hint=f"Free some space there, or set TMPDIR to a folder on a larger disk. {AGAIN}")


class _Links(HTMLParser):
    """Collects what a page links to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += (value for name, value in attrs if tag == "a" and name == "href" and value)


def _web_sources(address: str) -> Iterator[PaperSource]:
    if kind_by_name(PurePosixPath(address)):  # type: ignore[arg-type]  # its name alone is read
        yield from _source(address, 0, "")
        return
    folder = address if address.endswith("/") else f"{address}/"
    links = _Links()
    links.feed(_get(folder, _PAGE_BYTES).decode("utf-8", "replace"))
    for link in dict.fromkeys(urljoin(folder, link).partition("#")[0] for link in links.found):
        name = unquote(link.removeprefix(folder))
        if link.startswith(folder) and name.isprintable() and not set(name) & set("/\\"):
            yield from _source(link, 0, "")


def _get(url: str, size: int) -> bytes:
    """What the server sends, if need be at the third try. `UnreadableFile` where it has nothing there, or answers with
    an error; `UserError` where it cannot be reached, or has no time."""
    limits: Any = HttpLimits(connect=20, silence=60, total=3600, size=size)
    for pause in (*_PAUSES, None):
        reply = send_request("GET", url, limits, headers={"Accept-Encoding": "identity"})
        if reply.status == 200:
            return reply.body
        if pause is None or reply.status not in _TRIED_AGAIN:
            break
        time.sleep(pause)
    if reply.status == 404:
        raise UnreadableFile("missing", f"{url} is not there.", hint="Check the address.")
    is_own = reply.status in tuple(TransportStatus)
    said = " ".join(reply.text.split())[:200].rstrip(".") if is_own else f"the server answers {reply.status}"
    what = f"{url} cannot be read: {said}."
    if reply.status in _NO_SERVER:
        raise UserError(what, hint=f"Check the address and the connection. {AGAIN}")
    hint = "Give the address that it sends to." if 300 <= reply.status < 400 else "Mine again later: it is tried again."
    raise UnreadableFile("unreadable", what, hint=hint)
