"""Lists what a person should check of a parsed paper: fields of which the parser is unsure, or which it missed."""

from __future__ import annotations

from miner.parsing.unknown_words import is_doubtful
from miner.records import Paper

TEXT = "text"
"""Stands beside the names of fields for a text with more unknown words than its length explains."""
_JSON_LINES = "structured"  # S2ORC's and peS2o's say where they are from, but not all of what they are
_EXPECTED = ("title", "authors", "year")


def fields_to_check(paper: Paper) -> list[str]:
    """The names of unsure fields, of missing fields if the parser gives sources of others, and `TEXT`; sorted."""
    found = {source.field for source in paper.sources if not source.is_sure}
    if paper.sources and paper.parser != _JSON_LINES:
        found.update(field for field in _EXPECTED if not getattr(paper, field))
    if is_doubtful(paper.words, paper.unknown_words):
        found.add(TEXT)
    return sorted(found)
