"""Encoding pairs: tokens, the sentence of each token, and batches of pairs of similar length. Works without torch."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers import Encoding, Tokenizer

from miner.classifier.checkpoints import TOKENIZER
from miner.classifier.recipe import Cut
from miner.errors import UserError
from miner.libraries import np

if TYPE_CHECKING:
    import torch

    from miner.classifier.device import Device

PREMISE, HYPOTHESIS = 1, 2  # in `Encoded.sentences`; 0: special tokens
# Longer sentences are cut before the tokenizer: it combines all pieces that it cuts off in pairs, which took two
# minutes for two sentences of 5,000 tokens.
_CHARACTERS_PER_TOKEN = 32
_TOKENIZER_BATCH_SIZE = 2_000  # pairs
_LENGTH_MULTIPLE = 8  # a batch's length in tokens is rounded up to a multiple of it
_PANICS = "pyo3_runtime"  # the module of what a panic of the tokenizers' Rust code raises
_VOCABULARIES = ("vocab.txt", "vocab.json")


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of all pairs in one array: pair i has tokens `ends[i - 1]` to `ends[i]`, at most `limit`."""

    tokens: np.ndarray[Any, np.dtype[np.int32]]
    types: np.ndarray[Any, np.dtype[np.int8]]
    sentences: np.ndarray[Any, np.dtype[np.int8]]
    ends: np.ndarray[Any, np.dtype[np.int64]]
    limit: int

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def lengths(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Number of tokens of each pair."""
        return np.diff(self.ends, prepend=0)


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of shape (pairs, tokens). For padding `sentences` and `mask` are 0."""

    tokens: torch.Tensor
    types: torch.Tensor
    sentences: torch.Tensor
    mask: torch.Tensor


class Encoder:
    """Encodes pairs for a model. `cut`, `alone`: as in its `Recipe`."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        max_tokens: int,
        *,
        hypothesis_only: bool = False,
        cut: Cut = Cut.LONGEST_FIRST,
        alone: bool = False,
    ) -> None:
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        # The tokenizer can cut the end of either sentence, but not the end of the pair: that is done here.
        self._cuts_end = cut is Cut.END
        if self._cuts_end:
            self._tokenizer.no_truncation()
        else:
            self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")
        self._hypothesis_only, self._alone = hypothesis_only, alone
        self._limit = max_tokens
        self._max_characters = max_tokens * _CHARACTERS_PER_TOKEN
        self.words = 1 + max(tokenizer.get_vocab(with_added_tokens=False).values(), default=-1)
        self.pad = _pad(tokenizer)

    def encode(self, pairs: Sequence[tuple[str, str]]) -> Encoded:
        tokens = [np.zeros(0, np.int32)]
        types, sentences = [np.zeros(0, np.int8)], [np.zeros(0, np.int8)]
        lengths: list[int] = []
        for start in range(0, len(pairs), _TOKENIZER_BATCH_SIZE):
            batch = [self._input(*pair) for pair in pairs[start : start + _TOKENIZER_BATCH_SIZE]]
            with _translated_errors("The model's tokenizer cannot be used"):
                encodings = self._tokenizer.encode_batch(batch)
            limit = self._limit if self._cuts_end else None
            # A tokenizer without special tokens gives none for two empty sentences; networks need one.
            tokens.append(np.array([n for encoding in encodings for n in encoding.ids[:limit] or [self.pad]], np.int32))
            types.append(np.array([n for encoding in encodings for n in encoding.type_ids[:limit] or [0]], np.int8))
            numbers = (
                _sentence_numbers(encoding, HYPOTHESIS if isinstance(text, str) else PREMISE)[:limit]
                for encoding, text in zip(encodings, batch, strict=True)
            )
            sentences.append(np.array([number for row in numbers for number in row], np.int8))
            lengths += [len(encoding.ids[:limit]) or 1 for encoding in encodings]
        ends = np.array(list(accumulate(lengths)), np.int64)
        return Encoded(np.concatenate(tokens), np.concatenate(types), np.concatenate(sentences), ends, self._limit)

    def _input(self, premise: str, hypothesis: str) -> str | tuple[str, str]:
        first = "" if self._hypothesis_only else self._text(premise)
        return self._text(hypothesis) if self._alone and not first else (first, self._text(hypothesis))

    def _text(self, sentence: str) -> str:
        """The sentence without lone surrogates, which occur in damaged files and which no tokenizer accepts."""
        return sentence[: self._max_characters].encode("utf-8", "replace").decode("utf-8")


def _sentence_numbers(encoding: Encoding, first: int) -> list[int]:
    """The sentence of each token, 0 for special tokens; the first text is the sentence `first`."""
    return [0 if number is None else number + first for number in encoding.sequence_ids] or [0]


def batch_of(
    encoded: Encoded, indices: Sequence[int], pad: int, device: Device, shape: tuple[int, int] | None = None
) -> Batch:
    """The pairs of `indices` as a batch on the device, padded to the longest of them.

    `shape`: (pairs, tokens) to pad to; the last pair is repeated to fill the batch.
    """
    import torch

    rows = np.asarray(indices)
    if shape:
        rows = np.append(rows, np.full(shape[0] - len(rows), rows[-1]))
    ends, lengths = encoded.ends[rows], encoded.lengths[rows]
    shape = shape or (len(rows), int(lengths.max()))
    places = np.arange(shape[1]) < lengths[:, None]
    sources = np.concatenate([np.arange(end - length, end) for end, length in zip(ends, lengths, strict=True)])
    tensors = []
    for values, filler in ((encoded.tokens, pad), (encoded.types, 0), (encoded.sentences, 0)):
        padded = np.full(shape, filler, np.int64)
        padded[places] = values[sources]
        tensors.append(torch.from_numpy(padded).to(device.kind, non_blocking=True))
    tokens, types, sentences = tensors
    return Batch(tokens, types, sentences, torch.from_numpy(places).to(device.kind))


def padded_batches(
    encoded: Encoded, max_tokens: int, max_pairs: int, among: Sequence[int] | None = None
) -> Iterator[tuple[list[int], tuple[int, int]]]:
    """Batches of all pairs, or of those in `among`, the longest pairs first, each with the shape to pad it to.

    The shape, of so many tokens or pairs at most, follows from a pair's length alone. So a pair's result, to the last
    digit, does not depend on its neighbours: in a batch of another shape sums are taken in another order.
    """
    selection = np.arange(len(encoded)) if among is None else np.array(sorted(among), np.int64)
    rounded_lengths = np.minimum(-(-encoded.lengths[selection] // _LENGTH_MULTIPLE) * _LENGTH_MULTIPLE, encoded.limit)
    for length in np.unique(rounded_lengths)[::-1].tolist():
        pairs_of_length = selection[rounded_lengths == length].tolist()
        size = max(1, min(max_pairs, max_tokens // length))
        for start in range(0, len(pairs_of_length), size):
            yield pairs_of_length[start : start + size], (size, length)


def training_batches(
    lengths: np.ndarray[Any, np.dtype[np.int64]],
    order: Sequence[int],
    batch_pairs: int,
    seed: str,
    *,
    by_length: bool = True,
) -> list[list[int]]:
    """Batches for training: the pairs in this order, sorted by length within every 64 batches; the batches shuffled.

    Without `by_length` the pairs stay in their order. Uses Python's `random()` alone, which gives the same numbers in
    later versions.
    """
    random_number = random.Random(seed).random
    window = batch_pairs * 64
    batches = []
    for window_start in range(0, len(order), window):
        pairs = list(order[window_start : window_start + window])
        if by_length:
            pairs.sort(key=lambda index: int(lengths[index]))
        batches += [pairs[start : start + batch_pairs] for start in range(0, len(pairs), batch_pairs)]
    return sorted(batches, key=lambda _: random_number())


def shuffled_order(count: int, seed: str) -> list[int]:
    """0 to `count` - 1 in a random order, which the seed determines."""
    random_number = random.Random(seed).random
    return sorted(range(count), key=lambda _: random_number())


def padding_waste(encoded: Encoded, shapes: Sequence[tuple[int, int]]) -> float:
    """Share of padding among the tokens of batches with these shapes."""
    padded = sum(pairs * tokens for pairs, tokens in shapes)
    return 1 - len(encoded.tokens) / padded if padded else 0.0


def load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer in a checkpoint's folder; `UserError` where it cannot be read."""
    with _translated_errors(f"The tokenizer in {path} cannot be read"):
        if (path / TOKENIZER).is_file():
            return Tokenizer.from_file(str(path / TOKENIZER))
        if not any(file.name in _VOCABULARIES or file.suffix == ".model" for file in path.iterdir()):
            raise ValueError("there is none")  # transformers would make an empty one
        from transformers import AutoTokenizer

        slow = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
        return Tokenizer.from_str(slow.backend_tokenizer.to_str())


@contextmanager
def _translated_errors(what: str) -> Iterator[None]:
    """Around the work of a tokenizer: a `UserError` that begins with `what` for its errors.

    Where a tokenizer.json contradicts itself, such as by a special token without an id, its code panics, and raises
    what is no `Exception`.
    """
    try:
        yield
    except BaseException as exc:
        if not isinstance(exc, Exception) and type(exc).__module__ != _PANICS:
            raise
        raise UserError(f"{what}: {str(exc)[:200]}.", hint="Put the tokenizer.json of the model there.") from exc


def position_limit(config: Any, wanted: int) -> int:
    """The number of tokens wanted, or the maximum of an encoder's configuration if that is smaller."""
    positions = getattr(config, "max_position_embeddings", None)
    # RoBERTa's positions start at 2.
    return min(wanted, positions - 2) if isinstance(positions, int) and positions > 2 else wanted


def _pad(tokenizer: Tokenizer) -> int:
    for token in ("[PAD]", "<pad>"):
        if (number := tokenizer.token_to_id(token)) is not None:
            return int(number)
    return 0
