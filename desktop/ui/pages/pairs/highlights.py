"""Where the words of a search stand in a sentence."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from storage.pairs.filters import full_text_query

_TERM = re.compile(r'"([^"]*)"(\*?)')


class Highlights:
    """The words of one search, as the full-text index takes them: whatever their case and accents."""

    def __init__(self, text: str = "") -> None:
        terms = []
        for phrase, begun in _TERM.findall(full_text_query(text)):
            words = re.findall(r"[^\W_]+", bare(phrase))
            if words:
                terms.append(r"[\W_]+".join(map(re.escape, words)) + (r"[^\W_]*" if begun else ""))
        alternatives = "|".join(sorted(terms, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])") if terms else None

    def __bool__(self) -> bool:
        return self._pattern is not None

    def spans(self, sentence: str) -> list[tuple[int, int]]:
        """Start and end of each place, in order."""
        if self._pattern is None:
            return []
        return [found.span() for found in self._pattern.finditer(bare(sentence))]


@lru_cache(maxsize=512)
def bare(text: str) -> str:
    """Lower case without accents, character for character."""
    if text.isascii():
        return text.lower()
    return "".join(_bare(character) for character in text)


def _bare(character: str) -> str:
    lower = unicodedata.normalize("NFD", character.lower())
    return lower[0] if lower else character
