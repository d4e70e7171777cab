"""One file, or a few lines of one, in; papers with their sentences out. This is what a worker process runs."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from miner.errors import Unreadable
from miner.parsing.embedded import parse_pdf
from miner.parsing.files import TEI_LIMIT, Kind, read_bytes
from miner.parsing.sentences import Parameters, Splitter, split_paper
from miner.parsing.structured import Line, read_paper
from miner.parsing.tei import read_tei
from miner.records import Paper


class Unit(NamedTuple):
    """What is read in one go: a PDF, a TEI file, or some lines of a file of papers."""

    path: Path
    kind: Kind
    lines: tuple[Line, ...] = ()


class Read(NamedTuple):
    """The papers of a unit, sentences filled in, and what could not become one; by line, 0 for a whole file.

    `output` is the TEI that was read: another parser's answer, worth keeping.
    """

    papers: tuple[tuple[int, Paper], ...] = ()
    failed: tuple[tuple[int, Unreadable], ...] = ()
    output: bytes | None = None


def reader(parameters: Parameters) -> Callable[[Unit], Read]:
    """A function that reads units, splitting sentences by `parameters`."""
    splitter = Splitter(parameters)

    def read(unit: Unit) -> Read:
        if unit.kind is Kind.PAPERS:
            return _read_lines(unit.lines, splitter)
        try:
            content = read_bytes(unit.path, unit.kind)
            if unit.kind is Kind.PDF:
                return Read(papers=((0, split_paper(parse_pdf(content), splitter)),))
            tei = _unzipped(unit.path, content)
            return Read(papers=((0, split_paper(read_tei(tei), splitter)),), output=tei)
        except Unreadable as exc:
            return Read(failed=((0, exc),))

    return read


def _read_lines(lines: tuple[Line, ...], splitter: Splitter) -> Read:
    found = read_unsplit(lines)
    return found._replace(papers=tuple((number, split_paper(paper, splitter)) for number, paper in found.papers))


def read_unsplit(lines: tuple[Line, ...]) -> Read:
    """The papers of these lines, their sentences not filled in."""
    papers, failed = [], []
    for line in lines:
        try:
            papers.append((line.number, read_paper(line)))
        except Unreadable as exc:
            failed.append((line.number, exc))
    return Read(tuple(papers), tuple(failed))


def _unzipped(path: Path, content: bytes) -> bytes:
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            tei = stream.read(TEI_LIMIT + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as exc:
        raise Unreadable("damaged", f"{path.name}: the compressed file is damaged.", hint="Fetch it again.") from exc
    if len(tei) > TEI_LIMIT:
        raise Unreadable("too_large", f"{path.name} unpacks to more than {TEI_LIMIT // 1_000_000} MB.")
    return tei
