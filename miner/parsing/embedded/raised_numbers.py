"""Tells raised citations behind a number from powers by the other citations of the paper: "Python 3.7¹⁹", not "10⁶"."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter

from miner.parsing.embedded.lines import TextLine

_RAISED = re.compile(r"(?<!\S)(?P<base>[^\s^]*\d)\^(?P<number>\d{1,3})(?:[,–-]\s?\d{1,3})*(?![\w.^]*[\d^])")
_USUAL_BASE = re.compile(r"\D*(?:10|2)")
_NAME = re.compile(
    r"(?:^|\s)(?!(?:of|to|by|than|about|around|approximately|as|at|is|was|between|and|from)\s)[^\W\d_]{3,}\s$"
)
_SENTENCE_GOES_ON = re.compile(r"[.,;:)]|$")
_MIN_CITATIONS = 8  # of the paper, raised (±20 %: same)
_NEIGHBOURS, _MAX_DISTANCE = 4, 2  # on either side, of their numbers
_SQUARE_AND_CUBE = (2, 3)  # of units: never taken for citations
_NAME_LENGTH = 40  # characters before a number in which the name stands that it is the version of (±20 %: same)


def remove_raised_citations(lines: Sequence[TextLine]) -> None:
    """Remove from the lines, in place, citations that were taken for powers.

    A paper that numbers its citations cites in order: around one stand raised numbers close to its own.
    """
    powers = [index for index, line in enumerate(lines) if "^" in line.text]
    if not powers:
        return
    citations = list(_citations(lines))
    if len(citations) < _MIN_CITATIONS:
        return
    for index in powers:
        at = bisect(citations, index, key=itemgetter(0))
        near = {number for _, number in citations[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]}
        lines[index].text = _RAISED.sub(partial(_settled, near), lines[index].text)


def _citations(lines: Sequence[TextLine]) -> Iterator[tuple[int, int]]:
    """The raised numbers that were found to be citations, with the index of their line."""
    for index, line in enumerate(lines):
        for note in line.notes:
            yield from ((index, int(number)) for number in re.findall(r"\d{1,3}", note))


def _settled(near: set[int], found: re.Match[str]) -> str:
    """What is printed: the power as it is, or its base alone where the number is a citation near these."""
    number = int(found["number"])
    if number in _SQUARE_AND_CUBE or not any(abs(number - other) <= _MAX_DISTANCE for other in near):
        return found[0]
    if _USUAL_BASE.fullmatch(found["base"]):
        behind_name = _NAME.search(found.string[max(0, found.start() - _NAME_LENGTH) : found.start()]) is not None
        if not behind_name or not _SENTENCE_GOES_ON.match(found.string, found.end()):
            return found[0]
    return found["base"]
