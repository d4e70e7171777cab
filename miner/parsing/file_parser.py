"""Parses the content of one file into papers with sentences; runs in worker processes."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, assert_never

from miner.errors import UnreadableFile
from miner.parsing.archives import is_pdf_name
from miner.parsing.embedded import parse_pdf
from miner.parsing.files import FileContent, FileKind
from miner.parsing.formats import TEI_LIMIT
from miner.parsing.jats import parse_jats
from miner.parsing.json_lines import JsonLine, parse_json_line
from miner.parsing.sentences import SentenceSplitter, SplitterParameters, split_paper
from miner.parsing.tei import parse_tei
from miner.records import Paper


class ParsedFile(NamedTuple):
    """The papers of a file and its failures, each with a line number; 0 is the whole file.

    `tei`: the TEI that was parsed; it is stored, because GROBID made it.
    """

    papers: tuple[tuple[int, Paper], ...] = ()
    failed: tuple[tuple[int, UnreadableFile], ...] = ()
    tei: bytes | None = None


def file_parser(parameters: SplitterParameters) -> Callable[[FileContent], ParsedFile]:
    """A function that parses a PDF, TEI or JATS, which is one paper, and splits its sentences by `parameters`."""
    splitter = SentenceSplitter(parameters)

    def parse(file: FileContent) -> ParsedFile:
        tei = None
        try:
            match file.kind:
                case FileKind.PDF:
                    paper = parse_pdf(file.content, file.hashes)
                case FileKind.TEI:
                    tei = unzipped_xml(file.path, file.content)
                    paper = parse_tei(tei, file.hashes if tei is file.content else None)
                case FileKind.ARCHIVE if is_pdf_name(file.member):
                    paper = parse_pdf(file.content, file.hashes)
                case FileKind.JATS | FileKind.ARCHIVE:
                    paper = parse_jats(unzipped_xml(file.path, file.content), file.hashes)
                case FileKind.PAPERS:
                    raise ValueError("JSON lines are many papers")
                case _:
                    assert_never(file.kind)
            return ParsedFile(papers=((file.line, split_paper(paper, splitter)),), tei=tei)
        except UnreadableFile as exc:
            if file.member:
                exc = UnreadableFile(exc.code, f"{file.member}: {exc}", hint=exc.hint)
            return ParsedFile(failed=((file.line, exc),))

    return parse


def parse_json_lines(lines: Sequence[JsonLine]) -> ParsedFile:
    """The papers of JSON lines, without sentences."""
    papers, failed = [], []
    for line in lines:
        try:
            papers.append((line.number, parse_json_line(line)))
        except UnreadableFile as exc:
            failed.append((line.number, exc))
    return ParsedFile(tuple(papers), tuple(failed))


def unzipped_xml(path: Path, content: bytes) -> bytes:
    """The XML in a file's content; `UnreadableFile` if it is damaged or unpacks to more than is read."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            xml = stream.read(TEI_LIMIT + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as exc:
        raise UnreadableFile(
            "damaged", f"{path.name}: the compressed file is damaged.", hint="Fetch it again."
        ) from exc
    if len(xml) > TEI_LIMIT:
        raise UnreadableFile("too_large", f"{path.name} unpacks to more than {TEI_LIMIT // 1_000_000} MB.")
    return xml
