"""XML files that hold several articles, as PubMed Central gives them out: read one article after the other.

Each article is cut out unchanged, within the tag of the root, whose namespaces it may use. Of the document type only
its presence is kept, so that none of its declarations apply.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO

from miner.parsing.formats import PROLOG, WRAPPING_ROOTS, XML_START
from miner.parsing.safe_xml import MAX_BYTES

_CHUNK = 1 << 20
_LONGEST_TAG = 100  # bytes of a tag that may be cut in two
_DECLARATION = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*(<\?xml\s[^?>]{0,200}\?>)")
_TAG = re.compile(rb"<((?:[\w.-]+:)?([\w.-]+))(?:\s[^<>]*)?>")
_ARTICLE = re.compile(rb"<((?:[\w.-]+:)?article)(?=[\s>])")


def holds_articles(path: Path) -> bool:
    """Whether an XML file holds several articles, or breaks off in the second, in a root that is known to wrap them."""
    left = 2 * MAX_BYTES
    found = 0

    def spend(unpacked: int, read: int) -> None:
        nonlocal left
        left -= unpacked
        if left < 0:
            raise EOFError

    try:
        for _ in islice(read_articles(path, spend), 2):
            found += 1
    except EOFError:
        return found > 0
    return found > 1


def read_articles(path: Path, spend: Callable[[int, int], None]) -> Iterator[bytes]:
    """Each article as a document of its own; b"" for one that is longer than any paper. None in other XML.

    spend: called with the number of bytes unpacked, and of bytes read; it may raise. EOFError where the file breaks
    off.
    """
    with _opened(path) as (stream, raw):
        start = stream.read(XML_START)
        tag = _TAG.match(start, PROLOG.match(start).end())  # type: ignore[union-attr]  # it matches nothing, too
        if tag is None or tag[2] not in WRAPPING_ROOTS:
            return
        declaration = _DECLARATION.match(start)
        has_type = b"<!DOCTYPE" in start[: tag.start()]
        before = (declaration[1] if declaration else b"") + b'<!DOCTYPE %b SYSTEM "">' % tag[1] * has_type + tag[0]

        def more() -> bytes:
            content = stream.read(_CHUNK)
            spend(len(content), raw.tell())
            return content

        for content in _cut_out(bytearray(start[tag.end() :]), more):
            yield before + content + b"</%b>" % tag[1] if content else b""


def _cut_out(buffer: bytearray, more: Callable[[], bytes]) -> Iterator[bytes]:
    while True:
        while (tag := _ARTICLE.search(buffer)) is None:
            if not (content := more()):
                return
            buffer = buffer[-_LONGEST_TAG:] + content
        ending = re.compile(rb"</%b\s*>" % re.escape(tag[1]))
        del buffer[: tag.start()]
        searched, is_too_long = 0, False
        while (end := ending.search(buffer, searched)) is None:
            if not (content := more()):
                raise EOFError
            if len(buffer) > MAX_BYTES:
                is_too_long = True
                del buffer[:-_LONGEST_TAG]
            searched = max(0, len(buffer) - _LONGEST_TAG)
            buffer += content
        yield b"" if is_too_long else bytes(buffer[: end.end()])
        del buffer[: end.end()]


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes] | gzip.GzipFile, IO[bytes]]]:
    with path.open("rb") as raw:
        is_zipped = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        with gzip.open(raw) if is_zipped else raw as stream:
            yield stream, raw
