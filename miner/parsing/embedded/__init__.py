"""Reads a paper from its PDF without a server: PDFium's characters and a layout pass of our own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from miner.errors import Unreadable
from miner.parsing.embedded.furniture import drop_furniture, tidy
from miner.parsing.embedded.ligatures import ligature_table
from miner.parsing.embedded.sections import read_sections
from miner.parsing.embedded.pdfium import open_pdf, read_pages
from miner.records import Paper

VERSION = "1"


@dataclass(frozen=True, slots=True)
class Limits:
    megabytes: int = 100
    pages: int = 2000


def parse_pdf(pdf: bytes, *, limits: Limits = Limits()) -> Paper:  # noqa: B008
    document = open_pdf(pdf)
    try:
        raw = [page.lines for page in read_pages(document)]
    finally:
        document.close()
    table = ligature_table(line.text for lines in raw for line in lines)
    pages = [tidy(lines, table) for lines in raw]
    lines = drop_furniture(pages)
    sections = read_sections(lines)
    if not sections:
        raise Unreadable("no_text", "No prose found.")
    return Paper(
        hashlib.md5(pdf).hexdigest(),
        hashlib.sha256(pdf).hexdigest(),
        pages=len(pages),
        parser="embedded",
        parser_version=VERSION,
        sections=tuple(sections),
    )
