"""Pairs as numbers: tokens, which sentence each belongs to, and batches of pairs of like length."""

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


@dataclass(frozen=True, slots=True)
class Encoded:
    """Pairs, one after the other: those of pair i stand from `ends[i - 1]` to `ends[i]`."""

    tokens: np.ndarray[Any, np.dtype[np.int32]]
    types: np.ndarray[Any, np.dtype[np.int8]]
    sentences: np.ndarray[Any, np.dtype[np.int8]]
    ends: np.ndarray[Any, np.dtype[np.int64]]

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
    """Turns pairs into `Encoded` as a model wants them."""

    def __init__(self, tokenizer: Tokenizer, max_tokens: int, *, hypothesis_only: bool = False) -> None:
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")
        self._hypothesis_only = hypothesis_only
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
        return Encoded(np.concatenate(tokens), np.concatenate(types), np.concatenate(sentences), ends)

    def _text(self, sentence: str) -> str:
        """Without halves of characters, which damaged files hold and no tokenizer takes."""
        return sentence[: self._most_characters].encode("utf-8", "replace").decode("utf-8")


def _sides(encoding: Encoding) -> list[int]:
    return [0 if number is None else number + 1 for number in encoding.sequence_ids] or [0]


def batch_of(encoded: Encoded, indices: Sequence[int], pad: int, device: Device) -> Batch:
    """The pairs of `indices` on the device, padded to the longest of them."""
    ends = encoded.ends[np.asarray(indices)]
    lengths = encoded.lengths[np.asarray(indices)]
    shape = (len(indices), int(lengths.max()))
    places = np.arange(shape[1]) < lengths[:, None]
    sources = np.concatenate([np.arange(end - length, end) for end, length in zip(ends, lengths, strict=True)])
    found = []
    for values, filler in ((encoded.tokens, pad), (encoded.types, 0), (encoded.sentences, 0)):
        padded = np.full(shape, filler, np.int64)
        padded[places] = values[sources]
        found.append(torch.from_numpy(padded).to(device.kind, non_blocking=True))
    tokens, types, sentences = found
    return Batch(tokens, types, sentences, torch.from_numpy(places).to(device.kind))


def by_length(
    lengths: np.ndarray[Any, np.dtype[np.int64]], most_tokens: int, most_pairs: int, among: Sequence[int] | None = None
) -> Iterator[list[int]]:
    """Batches of pairs of like length, the longest first, of so many tokens (padding counted) or pairs at most.

    Of all pairs, or those of `among`.
    """
    batch: list[int] = []
    longest = 0
    chosen = np.arange(len(lengths)) if among is None else np.array(sorted(among), np.int64)
    for index in chosen[np.argsort(-lengths[chosen], kind="stable")].tolist():
        length = int(lengths[index])
        if batch and (len(batch) == most_pairs or (len(batch) + 1) * longest > most_tokens):
            yield batch
            batch = []
        longest = longest if batch else length
        batch.append(index)
    if batch:
        yield batch


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
    """0 to `count` - 1 in an order that the seed tells."""
    luck = random.Random(seed).random
    return sorted(range(count), key=lambda _: luck())


def padding_waste(lengths: np.ndarray[Any, np.dtype[np.int64]], batches: Sequence[Sequence[int]]) -> float:
    """Share of the tokens in these batches that are padding."""
    padded = sum(len(batch) * int(lengths[np.asarray(batch)].max()) for batch in batches)
    return 1 - int(lengths[np.concatenate([np.asarray(batch) for batch in batches])].sum()) / padded if padded else 0.0


def _pad(tokenizer: Tokenizer) -> int:
    for token in ("[PAD]", "<pad>"):
        if (number := tokenizer.token_to_id(token)) is not None:
            return int(number)
    return 0
