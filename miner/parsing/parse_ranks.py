"""The parsers of papers: their versions, and which of two parses of a paper is kept."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from miner.records import Paper
from miner.versions import EMBEDDED_VERSION, JATS_VERSION, JSON_LINES_VERSION, TEI_VERSION

_VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}(?=$|\s)", re.ASCII)
EMBEDDED, GROBID, JATS, JSON_LINES = "embedded", "grobid", "jats", "structured"
"""What papers have as their parser."""


class PaperParser(NamedTuple):
    """rank: of its parses; the higher one is kept. version: the present one; for GROBID, of our reader of its TEI.

    stored_as: what stands before the version in the answer to an offer to parse again, which projects store.
    """

    rank: int
    version: str
    stored_as: str


PARSERS = {
    EMBEDDED: PaperParser(0, EMBEDDED_VERSION, "parser"),
    GROBID: PaperParser(2, TEI_VERSION, "TEI"),
    JATS: PaperParser(3, JATS_VERSION, "XML"),
    JSON_LINES: PaperParser(1, JSON_LINES_VERSION, "lines"),
}
_OTHER_RANK = 1  # of what a data set names


def is_better(paper: Paper, digest: str, old: Any) -> bool:  # `old`: a row
    """Whether a parse replaces the stored one: by rank, then if its splitter is another one, then by digest."""
    if digest == old.digest:
        return False
    if (new_rank := rank(paper)) != (old_rank := rank(old)):
        return bool(new_rank > old_rank)
    return bool(paper.splitter != old.splitter or digest > old.digest)


def rank(parse: Any) -> tuple[Any, ...]:  # a Paper, or a row with its columns
    """The higher rank is the better parse: by parser, its version, the version of our reader, and our splitter."""
    version, _, read_by = parse.parser_version.partition(", reader ")
    versions = (version, read_by, parse.splitter)
    return (PARSERS[parse.parser].rank if parse.parser in PARSERS else _OTHER_RANK, *map(_numbers, versions))


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers at the start of a version; (-1,) if there are none, as a server may claim anything."""
    found = _VERSION.match(version)
    return tuple(map(int, found[0].split("."))) if found else (-1,)
