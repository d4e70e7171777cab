"""Draws of sentences that depend only on a key and the sentences' texts, so that no draw changes another.

A sentence that is added, removed or changed affects only the draws that it is part of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from zlib import crc32

from miner.libraries import NDArray, np
from miner.mining.prose import Prose


def sentence_numbers(prose: Prose) -> list[int]:
    """A number for each sentence of a paper, which follows from its text."""
    return [
        crc32(placed.paragraph.text[start:end].encode())
        for placed in prose.paragraphs
        for start, end in placed.paragraph.sentences
    ]


def draw_number(key: str, below: int) -> int:
    """A pseudo-random number from 0, below `below`."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big") % below


def draw_partners(key: str, anchors: Sequence[int], sentences: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Every anchor with every sentence, as their indices, in pseudo-random order: first one sentence for each anchor.

    The numbers of both follow from their texts (`sentence_numbers`). Adding or removing an anchor or a sentence leaves
    the order of the others unchanged.

    >>> [anchor for anchor, _ in draw_partners("a key", [7, 8], [5, 6, 9])]
    [1, 0, 1, 0, 1, 0]
    """
    numbers = _array(sentences)
    by_anchor: dict[int, list[int]] = {}
    order = _order(key, _array(anchors))
    for turn in range(len(sentences)):
        for anchor in order:
            key_of_anchor = f"{key}\0{anchors[anchor]}"
            if not turn:  # the first of an order is found sooner than the order
                yield anchor, int(_ranks(key_of_anchor, numbers).argmin())
                continue
            if anchor not in by_anchor:
                by_anchor[anchor] = _order(key_of_anchor, numbers)
            yield anchor, by_anchor[anchor][turn]


def _array(numbers: Sequence[int]) -> NDArray[np.uint64]:

    return np.array(numbers, dtype=np.uint64)


def _order(key: str, numbers: NDArray[np.uint64]) -> list[int]:
    """The numbers' indices in an order that the key decides."""
    found: list[int] = _ranks(key, numbers).argsort(kind="stable").tolist()
    return found


def _ranks(key: str, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A pseudo-random rank for each number, by universal hashing modulo 2**64 (Dietzfelbinger et al., 1997)."""
    digest = blake2b(key.encode(), digest_size=16).digest()
    factor, summand = int.from_bytes(digest[:8], "big") | 1, int.from_bytes(digest[8:], "big")
    return numbers * numbers.dtype.type(factor) + numbers.dtype.type(summand)
