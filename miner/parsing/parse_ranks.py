"""Which of two parses of a paper is kept."""

from __future__ import annotations

import re
from typing import Any

from miner.records import Paper

_VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){0,3}(?=$|\s)", re.ASCII)
EMBEDDED = "embedded"
_PARSER_RANKS = {"jats": 3, "grobid": 2, EMBEDDED: 0}  # the higher one is kept; 1 for any other


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
    return (_PARSER_RANKS.get(parse.parser, 1), *map(_numbers, versions))


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers at the start of a version; (-1,) if there are none, as a server may claim anything."""
    found = _VERSION.match(version)
    return tuple(map(int, found[0].split("."))) if found else (-1,)
