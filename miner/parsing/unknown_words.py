"""Counts the unknown words of a paper, which tell whether its text must be checked."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from miner.parsing.words import unknown_words, words_to_look_up
from miner.records import UNREADABLE, Paragraph, Section

_CLEAN_RATE = 0.001  # of the words; of 114 PDFs with sound fonts all but one have less
_DEVIATIONS = 3.0
_SPARE = 2
_MAX_LINES, _MAX_LINE = 5, 200
_UNREADABLE_WORD = re.compile(rf"\S*{UNREADABLE}\S*")


class WordCount(NamedTuple):
    """How many words could be looked up, how many are unknown, and the lines with most of the unknown ones."""

    words: int
    unknown: int
    lines: tuple[str, ...]


def count_words(sections: Sequence[Section]) -> WordCount:
    """The words of the sections' paragraphs. Each line is at most 200 characters long."""
    texts = [paragraph.text for section in sections for paragraph in section.paragraphs]
    words, unknown = unknown_words(texts)
    total = sum(len(_UNREADABLE_WORD.findall(text)) for text in texts if UNREADABLE in text)
    if not unknown and not total:
        return WordCount(words, 0, ())

    def wrong(line: str) -> int:
        return len(_UNREADABLE_WORD.findall(line)) + sum(word in unknown for word in words_to_look_up(line))

    words_of_none = [UNREADABLE, *unknown]
    lines = {
        line: wrong(line)
        for section in sections
        for paragraph in section.paragraphs
        if any(map(paragraph.text.__contains__, words_of_none))
        for line in _lines(paragraph)
    }
    worst = sorted(filter(lines.__getitem__, lines), key=lambda line: -lines[line])
    return WordCount(words + total, unknown.total() + total, tuple(line[:_MAX_LINE] for line in worst[:_MAX_LINES]))


def _lines(paragraph: Paragraph) -> list[str]:
    """The paragraph's lines as printed, or where these are not known all of it."""
    return [paragraph.text[start:end] for start, end, _ in paragraph.spans] or [paragraph.text]


def is_doubtful(words: int, unknown_words: int) -> bool:
    """Whether a paper has more unknown words than its length explains, so that its text is to be checked.

    Three standard deviations above what a paper with sound fonts has at most.

    >>> is_doubtful(4000, 5), is_doubtful(4000, 40)
    (False, True)
    """
    expected = _CLEAN_RATE * words
    return unknown_words > expected + _DEVIATIONS * math.sqrt(expected) + _SPARE
