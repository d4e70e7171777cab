"""Finds words that a stray space cuts in two, such as "inf luenza"."""

from __future__ import annotations

import re
from collections import Counter

from miner.parsing.words import known_words

_PAIR = re.compile(r"(?<![^\s(\[“\"‘/-])([A-Z]?[a-z]{1,15}) (?=([a-z]{2,15})(?![^\W_]))")
_MIN_LENGTH = 6  # of the whole word
_MIN_SHARE = 0.6  # of a part's occurrences that are cut words; else it is a word, or a name


def cut_words(text: str) -> dict[str, str]:
    """The words of a text that a space cuts in two, and what they are whole.

    The whole is a known word, and a part is none. What else that part stands beside must be cut words too.

    >>> cut_words("The inf luenza of the flu season")
    {'inf luenza': 'influenza'}
    """
    known = known_words()
    cut: dict[str, str] = {}
    parts, cut_parts = Counter[str](), Counter[str]()
    for left, right in _PAIR.findall(text):
        first = left.casefold()
        unknown = [part for part in (first, right) if part not in known]
        if unknown and len(left) > 1:
            is_cut = len(first) + len(right) >= _MIN_LENGTH and first + right in known
            parts.update(unknown)
            if is_cut:
                cut_parts.update(unknown)
                cut[f"{left} {right}"] = left + right
    return {
        pair: whole
        for pair, whole in cut.items()
        if any(
            cut_parts[part] >= _MIN_SHARE * parts[part]
            for part in pair.casefold().split(" ")
            if part not in known
        )
    }
