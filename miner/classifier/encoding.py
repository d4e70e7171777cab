"""Encoding pairs: tokens, the sentence of each token, and batches of pairs of similar length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from tokenizers import Encoding, Tokenizer

from miner.classifier.device import Device

PREMISE, HYPOTHESIS = 1, 2  # in `Encoded.sentences`; 0: the model's own marks
# Characters of a sentence for each token of the limit: the rest is beyond it. The tokenizer also makes whatever it cuts
# off into pairs, each piece with each: of two sentences of 5,000 tokens that took it two minutes.
_LONGEST = 32
_TOGETHER = 2_000  # pairs handed to the tokenizer at a time
_ROUND = 8  # tokens to which a batch's length is rounded up


@dataclass(frozen=True, slots=True)
class Encoded:
    """Tokens of all pairs in one array: pair i has those from `ends[i - 1]` to `ends[i]`, at most `limit`."""

    tokens: np.ndarray[Any, np.dtype[np.int32]]
    types: np.ndarray[Any, np.dtype[np.int8]]
    sentences: np.ndarray[Any, np.dtype[np.int8]]
    ends: np.ndarray[Any, np.dtype[np.int64]]
    limit: int

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def lengths(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Tokens of each pair."""
        return np.diff(self.ends, prepend=0)


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of shape (pairs, tokens); `sentences` is 0 where there is padding, `mask` too."""

    tokens: torch.Tensor
    types: torch.Tensor
    sentences: torch.Tensor
    mask: torch.Tensor


class Encoder:
    """Encodes pairs for a model."""

    def __init__(self, tokenizer: Tokenizer, max_tokens: int, *, hypothesis_only: bool = False) -> None:
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")
        self._hypothesis_only = hypothesis_only
        self._limit = max_tokens
        self._most_characters = max_tokens * _LONGEST
        self.words = tokenizer.get_vocab_size(with_added_tokens=False)
        self.pad = _pad(tokenizer)

    def encode(self, pairs: Sequence[tuple[str, str]]) -> Encoded:
        tokens = [np.zeros(0, np.int32)]
        types, sentences = [np.zeros(0, np.int8)], [np.zeros(0, np.int8)]
        lengths: list[int] = []
        for low in range(0, len(pairs), _TOGETHER):
            piece = [
                ("" if self._hypothesis_only else self._text(premise), self._text(hypothesis))
                for premise, hypothesis in pairs[low : low + _TOGETHER]
            ]
            found = self._tokenizer.encode_batch(piece)
            # A tokenizer without marks of its own makes nothing of two empty sentences: networks want one token.
            tokens.append(np.array([n for one in found for n in one.ids or [self.pad]], np.int32))
            types.append(np.array([n for one in found for n in one.type_ids or [0]], np.int8))
            sentences.append(np.array([side for one in found for side in _sides(one)], np.int8))
            lengths += [len(one.ids) or 1 for one in found]
        ends = np.array(list(accumulate(lengths)), np.int64)
        return Encoded(np.concatenate(tokens), np.concatenate(types), np.concatenate(sentences), ends, self._limit)

    def _text(self, sentence: str) -> str:
        """Without lone surrogates, which come from damaged files and which no tokenizer accepts."""
        return sentence[: self._most_characters].encode("utf-8", "replace").decode("utf-8")


def _sides(encoding: Encoding) -> list[int]:
    return [0 if number is None else number + 1 for number in encoding.sequence_ids] or [0]


def batch_of(
    encoded: Encoded, indices: Sequence[int], pad: int, device: Device, shape: tuple[int, int] | None = None
) -> Batch:
    """The pairs of `indices` on the device, padded to the longest of them.

    With a `shape` (pairs, tokens) padded to that, and the last pair as often as it takes.
    """
    rows = np.asarray(indices)
    if shape:
        rows = np.append(rows, np.full(shape[0] - len(rows), rows[-1]))
    ends, lengths = encoded.ends[rows], encoded.lengths[rows]
    shape = shape or (len(rows), int(lengths.max()))
    places = np.arange(shape[1]) < lengths[:, None]
    sources = np.concatenate([np.arange(end - length, end) for end, length in zip(ends, lengths, strict=True)])
    found = []
    for values, filler in ((encoded.tokens, pad), (encoded.types, 0), (encoded.sentences, 0)):
        padded = np.full(shape, filler, np.int64)
        padded[places] = values[sources]
        found.append(torch.from_numpy(padded).to(device.kind, non_blocking=True))
    tokens, types, sentences = found
    return Batch(tokens, types, sentences, torch.from_numpy(places).to(device.kind))


def in_shapes(
    encoded: Encoded, most_tokens: int, most_pairs: int, among: Sequence[int] | None = None
) -> Iterator[tuple[list[int], tuple[int, int]]]:
    """Batches of all pairs, or those of `among`, the longest first, each with the shape it is to be filled up to.

    The shape, of so many tokens or pairs at most, follows from a pair's length alone. So a pair's result, to the last
    digit, does not hang on those beside it: in a batch of another shape sums are taken in another order.
    """
    chosen = np.arange(len(encoded)) if among is None else np.array(sorted(among), np.int64)
    longs = np.minimum(-(-encoded.lengths[chosen] // _ROUND) * _ROUND, encoded.limit)
    for long in np.unique(longs)[::-1].tolist():
        alike = chosen[longs == long].tolist()
        size = max(1, min(most_pairs, most_tokens // long))
        for low in range(0, len(alike), size):
            yield alike[low : low + size], (size, long)


def bucketed(
    lengths: np.ndarray[Any, np.dtype[np.int64]], order: Sequence[int], batch_pairs: int, seed: str
) -> list[list[int]]:
    """Batches to learn from: those of `order` in turn, within some dozens of batches by length, the batches mixed.

    The luck is that of Python's `random()`, which stays the same in later versions.
    """
    luck = random.Random(seed).random
    window = batch_pairs * 64
    batches = []
    for low in range(0, len(order), window):
        piece = sorted(order[low : low + window], key=lambda index: int(lengths[index]))
        batches += [piece[start : start + batch_pairs] for start in range(0, len(piece), batch_pairs)]
    return sorted(batches, key=lambda _: luck())


def shuffled(count: int, seed: str) -> list[int]:
    """0 to `count` - 1 in an order that the seed determines."""
    luck = random.Random(seed).random
    return sorted(range(count), key=lambda _: luck())


def padding_waste(encoded: Encoded, shapes: Sequence[tuple[int, int]]) -> float:
    """Share of the tokens in batches of these shapes that are padding."""
    padded = sum(pairs * tokens for pairs, tokens in shapes)
    return 1 - len(encoded.tokens) / padded if padded else 0.0


def _pad(tokenizer: Tokenizer) -> int:
    for token in ("[PAD]", "<pad>"):
        if (number := tokenizer.token_to_id(token)) is not None:
            return int(number)
    return 0
