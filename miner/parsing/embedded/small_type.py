"""Finds sections that are set in another size than the body of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from miner.parsing.embedded.document_parts import NUMBER_PREFIX, DocumentPart, document_part, is_common_heading
from miner.parsing.embedded.layout import prose_in_size
from miner.parsing.embedded.line_kinds import LineKind
from miner.parsing.embedded.lines import SAME_SIZE, TextLine, most_frequent

_MIN_CHARACTERS, _MIN_SHARE = 600, 0.6  # characters in paragraphs of a small section; share of all (±20 %: same)


def restore_small_sections(lines: Sequence[TextLine], kinds: list[LineKind]) -> None:
    """Make small lines prose where they are all the text of a section; notes and addresses have prose around them."""
    starts = [at for at, kind in enumerate(kinds) if kind in (LineKind.HEADING, LineKind.REFERENCE)]
    past_references = False
    for start, end in pairwise([*starts, len(lines)]):
        if kinds[start] is LineKind.REFERENCE:
            past_references = True
        elif LineKind.SMALL in kinds[start:end] and _has_prose(lines[start].text, past_references=past_references):
            _restore(start + 1, end, lines, kinds)


def _has_prose(title: str, *, past_references: bool) -> bool:
    """Whether this is the heading of a section of the body, or of an appendix."""
    part = document_part(title)
    if part is DocumentPart.BODY and not past_references:
        return is_common_heading(title) or NUMBER_PREFIX.match(title) is not None
    return part is DocumentPart.ANNEX


def _restore(start: int, end: int, lines: Sequence[TextLine], kinds: list[LineKind]) -> None:
    section = lines[start:end]
    if LineKind.PROSE in kinds[start:end]:
        return
    size = most_frequent((line.size, len(line.text)) for line in section)
    prose = prose_in_size(section, size)
    if prose < max(_MIN_CHARACTERS, _MIN_SHARE * sum(len(line.text) for line in section)):
        return
    for at in range(start, end):
        if kinds[at] is LineKind.SMALL and abs(lines[at].size - size) <= SAME_SIZE:
            kinds[at] = LineKind.PROSE
