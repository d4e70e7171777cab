"""Finds texts that share their wording: the sentences of a text stand word for word in the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from zlib import crc32

from miner.references.likeness import normal_title

_SHINGLE = 5  # words
_MIN_SHARED = 0.2  # of the shingles of the shorter text; of PDFs and their XML .45 and more, of other papers under .02
_MAX_SHINGLES = 5_000
_SAMPLED = 8  # one shingle in so many of a text with more than
_FEW = 200
_MAX_NAMES = 64  # a shingle of more texts, such as of a licence, tells none of them


def shingles(texts: Sequence[str]) -> frozenset[int]:
    """Each run of a few words that the first part of the text has, as a number."""
    words = normal_title(" ".join(texts)).split()[:_MAX_SHINGLES]
    return frozenset(crc32(" ".join(words[at : at + _SHINGLE]).encode()) for at in range(len(words) - _SHINGLE + 1))


def wording_shared(one: frozenset[int], two: frozenset[int]) -> float:
    """The share of the shorter text's shingles that the other has too, 0.0 to 1.0; 0.0 if a text has none."""
    return len(one & two) / (min(len(one), len(two)) or 1)


def share_wording(one: frozenset[int], two: frozenset[int]) -> bool:
    """Whether the texts with these shingles are forms of the same text."""
    return len(one & two) >= max(1, _MIN_SHARED * min(len(one), len(two)))


class WordingIndex:
    """Finds the most alike of many texts, without comparing each with each."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._having: defaultdict[int, set[str]] = defaultdict(set)  # names by shingle

    def put(self, name: str, of_text: frozenset[int]) -> None:
        """Enter a text under a name, in place of an earlier one."""
        self.names.add(name)
        for shingle in _sample(of_text):
            if len(having := self._having[shingle]) < _MAX_NAMES:
                having.add(name)

    def most_alike(self, of_text: frozenset[int], number: int) -> set[str]:
        """The names of the texts with the most shingles in common with this text; a long text is sampled."""
        shared = Counter(name for shingle in _sample(of_text) for name in self._having.get(shingle, ()))
        return set(sorted(shared, key=lambda name: (-shared[name], name))[:number])


def _sample(of_text: frozenset[int]) -> frozenset[int]:
    """Of a long text a part, which is the same for a shingle in any text."""
    return of_text if len(of_text) <= _FEW else frozenset(shingle for shingle in of_text if shingle % _SAMPLED == 0)
