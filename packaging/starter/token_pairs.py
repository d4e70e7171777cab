"""Pairs of texts as places in one array of tokens, so that a million of them fit on a card, which makes the batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from miner.classifier.encoding import HYPOTHESIS, PREMISE, Batch

CLS, SEP = 101, 102  # BERT's
MOST = 109  # tokens of both texts: 112 with the three special ones

Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class TokenPairs:
    """For each pair, where its texts begin in `tokens` and how many tokens they have; the tokens are on the device."""

    tokens: torch.Tensor
    places: Numbers  # of shape (pairs, 4): start and length of the premise, then of the hypothesis

    @classmethod
    def of(cls, tokens: torch.Tensor, start: Numbers, length: Numbers, start2: Numbers, length2: Numbers) -> TokenPairs:
        """Pairs that are too long are cut, the longer text first."""
        second = np.minimum(length2, np.maximum(MOST - length, MOST // 2))
        first = np.minimum(length, MOST - second)
        return cls(tokens, np.stack([start, first, start2, second], 1).astype(np.int64))

    def __len__(self) -> int:
        return len(self.places)

    @property
    def lengths(self) -> Numbers:
        """Tokens of each pair, with the special ones."""
        return self.places[:, 1] + self.places[:, 3] + 3

    def take(self, rows: Numbers) -> TokenPairs:
        return replace(self, places=self.places[rows])

    def batch(self, rows: Numbers) -> Batch:
        device = self.tokens.device
        start, first, start2, second = torch.from_numpy(self.places[rows]).to(device)[:, :, None].unbind(1)
        width = -(-int(self.lengths[rows].max()) // 8) * 8
        at = torch.arange(width, device=device)[None]
        in_first = (at >= 1) & (at <= first)
        in_second = (at >= first + 2) & (at <= first + 1 + second)
        source = torch.where(in_first, start + at - 1, torch.where(in_second, start2 + at - first - 2, 0))
        tokens = torch.where(in_first | in_second, self.tokens[source].long(), 0)
        tokens = torch.where(at == 0, CLS, torch.where((at == first + 1) | (at == first + second + 2), SEP, tokens))
        mask = at <= first + second + 2
        types = ((at >= first + 2) & mask).long()
        return Batch(tokens, types, PREMISE * in_first.long() + HYPOTHESIS * in_second.long(), mask)


def join(sets: Sequence[TokenPairs]) -> TokenPairs:
    """All pairs of these sets; sets of the same array share it."""
    starts: dict[int, int] = {}
    arrays: list[torch.Tensor] = []
    places = []
    for one in sets:
        if id(one.tokens) not in starts:
            starts[id(one.tokens)] = sum(map(len, arrays))
            arrays.append(one.tokens)
        places.append(one.places + np.array([1, 0, 1, 0]) * starts[id(one.tokens)])
    return TokenPairs(torch.cat(arrays) if len(arrays) > 1 else arrays[0], np.concatenate(places))


def read_encoded(path: Path, device: str) -> tuple[TokenPairs, Numbers]:
    """The pairs of a file with `tokens`, `sentences` and `ends`, as `Encoded` has them, and their labels."""
    data = np.load(path)
    ends, sentences = data["ends"], data["sentences"]
    starts = np.r_[0, ends[:-1]]
    first, second = (np.r_[0, np.cumsum(sentences == one)] for one in (PREMISE, HYPOTHESIS))
    length, length2 = first[ends] - first[starts], second[ends] - second[starts]
    tokens = torch.from_numpy(data["tokens"].astype(np.int32)).to(device)
    return TokenPairs.of(tokens, starts + 1, length, starts + length + 2, length2), data["labels"].astype(np.int64)


class Sentences:
    """All sentences of the papers: pairs of neighbours, of neighbours in the wrong order, and of others of a paper."""

    def __init__(self, path: Path, device: str) -> None:
        data = np.load(path)
        self._length = data["lengths"].astype(np.int64)
        self._start = np.cumsum(self._length) - self._length
        self._skip = data["skip"].astype(np.int64)
        self.connective = data["connective"].astype(np.int64)
        self.later = np.flatnonzero(data["follows"])
        self._tokens = torch.from_numpy(data["tokens"].astype(np.int32)).to(device)
        is_first = np.r_[True, np.diff(data["paper"]) != 0]
        starts = np.flatnonzero(is_first)
        paper = np.cumsum(is_first) - 1
        self._first, self._end = starts[paper], np.r_[starts[1:], len(paper)][paper]

    def neighbours(self, rows: Numbers) -> TokenPairs:
        """Each sentence after the one before it, without its opener."""
        return self._pairs(rows - 1, rows)

    def reversed(self, rows: Numbers) -> TokenPairs:
        """Each sentence before the one that it follows; both without openers, which would tell."""
        return self._pairs(rows, rows - 1, skip_both=True)

    def strangers(self, rows: Numbers, random: np.random.Generator) -> TokenPairs:
        """Each sentence after any one of its paper."""
        span = self._end[rows] - self._first[rows]
        return self._pairs(self._first[rows] + (random.random(len(rows)) * span).astype(np.int64), rows)

    def _pairs(self, first: Numbers, second: Numbers, *, skip_both: bool = False) -> TokenPairs:
        skipped, skipped2 = self._skip[first] * skip_both, self._skip[second]
        return TokenPairs.of(
            self._tokens,
            self._start[first] + skipped,
            self._length[first] - skipped,
            self._start[second] + skipped2,
            self._length[second] - skipped2,
        )


def batches(rows: Numbers, lengths: Numbers, size: int, random: np.random.Generator) -> list[Numbers]:
    """Batches of pairs of similar length, in random order; those that fill no batch are left out."""
    made: list[Numbers] = []
    for start in range(0, len(rows), 50 * size):
        window = rows[start : start + 50 * size]
        window = window[np.argsort(lengths[window] + random.uniform(0, 4, len(window)), kind="stable")]
        made += [window[at : at + size] for at in range(0, len(window) - size + 1, size)]
    return [made[index] for index in random.permutation(len(made))]
