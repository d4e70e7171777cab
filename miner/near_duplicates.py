"""Finds sentences that are nearly the same, among millions, by MinHash and locality-sensitive hashing.

Two sentences are near-duplicates if their sets of shingles, runs of five letters or digits, have a Jaccard similarity
of at least `SIMILARITY`: another number, reference, spelling or hyphen, or one other word of twenty. Candidates are
found by MinHash (Broder, 1997) in bands (Leskovec et al., Mining of Massive Datasets, 3.4), and then compared exactly.
So none is found in error, and few are missed: 1 % at a similarity of .8, 1 of 40,000 at .9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from miner.disjoint_sets import DisjointSets
from miner.libraries import NDArray, np

SIMILARITY = 0.8
_SHINGLE = 5  # characters, without spaces
_BANDS, _ROWS = 12, 5  # a pair is a candidate if the rows of a band are equal
_HASHES = 64  # a power of two, which rensa is quickest with
_SEED = 1
_BATCH = 2_000  # texts hashed at once
_MOST_COMPARED = 64  # members of a bucket that the others are compared with: boilerplate fills large ones
_READ_AT_ONCE = 5_000  # texts in memory while candidates are compared
_MULTIPLIER = 0x9E3779B97F4A7C15  # of Fibonacci hashing


def shingles(text: str) -> list[str]:
    """The shingles of a normalised text (`miner.mining.identity.normalise_text`), which may repeat.

    >>> shingles("it rains")
    ['itrai', 'train', 'rains']
    """
    letters = text.replace(" ", "")
    return [letters[start : start + _SHINGLE] for start in range(max(1, len(letters) - _SHINGLE + 1))]


def similarity(one: str, other: str) -> float:
    """The Jaccard similarity of two normalised texts, 0.0 to 1.0.

    >>> similarity("the proof is in part 1", "the proof is in part 2")
    0.8571428571428571
    """
    return _jaccard(frozenset(shingles(one)), frozenset(shingles(other)))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    both = len(one & other)
    return both / (len(one) + len(other) - both)


class NearDuplicateFinder:
    """Takes normalised texts in any number, numbered from 0 in the order in which they are added.

    It keeps 48 bytes of each. The texts are asked for again when candidates are compared.
    """

    def __init__(self) -> None:
        self._keys: list[NDArray[np.uint32]] = []
        self._size = 0

    def add(self, texts: Iterable[str]) -> None:
        """Add texts. The texts should all differ: equal texts would only cost comparisons."""
        from rensa import RMinHash

        remaining = iter(texts)
        while batch := list(islice(remaining, _BATCH)):
            matrix = RMinHash.digest_matrix_from_token_sets(list(map(shingles, batch)), _HASHES, _SEED)
            hashes = np.array(matrix.to_rows(), dtype=np.uint64)[:, : _BANDS * _ROWS].reshape(-1, _BANDS, _ROWS)
            keys = np.zeros(hashes.shape[:2], dtype=np.uint64)
            for row in range(_ROWS):
                keys = (keys ^ hashes[:, :, row]) * np.uint64(_MULTIPLIER)
                keys ^= keys >> np.uint64(29)
            self._keys.append((keys >> np.uint64(32)).astype(np.uint32))
            self._size += len(batch)

    def find_groups(
        self, read: Callable[[Sequence[int]], Mapping[int, str]], *, on_step: Callable[[float], None] = lambda _: None
    ) -> dict[int, int]:
        """For each text that has near-duplicates, the lowest number of its group; groups are connected by these.

        read: gives the texts of some numbers. on_step: called from time to time with the share done, 0.0 to 1.0; an
        exception from it ends the search.
        """
        groups = DisjointSets(self._size)
        for band in range(_BANDS if self._keys else 0):
            for part, buckets in self._buckets(band):
                on_step((band + part) / _BANDS)
                numbers = sorted({number for bucket in buckets if not _is_one(bucket, groups) for number in bucket})
                if not numbers:
                    continue
                sets = {number: frozenset(shingles(text)) for number, text in read(numbers).items()}
                for bucket in buckets:
                    _compare(bucket, sets, groups)
        several = {number: first for number, first in enumerate(groups.lowest()) if first != number}
        return several | {first: first for first in several.values()}

    def _buckets(self, band: int) -> Iterator[tuple[float, list[list[int]]]]:
        """The texts that are candidates of each other by a band, in batches of buckets; and the part of them done."""

        keys = np.concatenate([part[:, band] for part in self._keys])
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        ends = np.append(starts[1:], len(keys))
        several = np.flatnonzero(ends - starts > 1)
        batch: list[list[int]] = []
        size = 0
        for done, place in enumerate(several.tolist(), start=1):
            batch.append(order[starts[place] : ends[place]].tolist())
            size += len(batch[-1])
            if size >= _READ_AT_ONCE:
                yield done / len(several), batch
                batch, size = [], 0
        yield 1.0, batch


def _compare(bucket: Sequence[int], sets: Mapping[int, frozenset[str]], groups: DisjointSets) -> None:
    for place, number in enumerate(bucket):
        for other in bucket[: min(place, _MOST_COMPARED)]:
            if groups.find(number) != groups.find(other) and _jaccard(sets[number], sets[other]) >= SIMILARITY:
                groups.join(number, other)


def _is_one(bucket: Sequence[int], groups: DisjointSets) -> bool:
    return len(set(map(groups.find, bucket))) == 1
