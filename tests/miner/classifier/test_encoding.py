"""Pairs as tokens, batches of like length, and prediction in whatever batches memory allows."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from miner.classifier.calibration import softmax
from miner.classifier.checkpoints import STARTER, TOKENIZER
from miner.classifier.encoding import (
    Encoded,
    Encoder,
    batch_of,
    load_tokenizer,
    padded_batches,
    padding_waste,
    shuffled_order,
    training_batches,
)
from miner.classifier.inference import BatchRunner
from miner.classifier.recipe import Cut
from miner.errors import UserError
from tests.miner.classifier import factories

pytestmark = pytest.mark.usefixtures("one_thread")
lengths = st.lists(st.integers(1, 60), min_size=1, max_size=200).map(np.array)


def encoder(most: int = 16, **options: Any) -> Encoder:
    return Encoder(factories.bert_tokenizer(), most, **options)


def test_a_pair_is_tokens_with_the_sentence_each_is_of() -> None:
    found = encoder().encode([("Kelp grows.", "Thus")])
    words = factories.bert_tokenizer()
    assert [words.id_to_token(int(n)) for n in found.tokens] == "[CLS] kelp grows . [SEP] thus [SEP]".split()  # noqa: SIM905
    assert found.sentences.tolist() == [0, 1, 1, 1, 0, 2, 0]
    assert found.types.tolist() == [0, 0, 0, 0, 0, 1, 1]


def test_sentences_of_five_thousand_tokens_lose_their_end_the_longer_one_first() -> None:
    [found] = [
        encoder(12).encode([("kelp " * 5_000, "thus"), ("", "kelp " * 5_000), ("kelp " * 9_000, "fish " * 9_000)])
    ]
    assert found.lengths.tolist() == [12, 12, 12]
    assert found.sentences[:12].tolist() == [0, *[1] * 8, 0, 2, 0]


def test_the_end_of_a_pair_is_cut_where_the_recipe_says_so() -> None:
    found = encoder(6, cut=Cut.END).encode([("Kelp grows.", "Thus fish"), ("kelp " * 9, "fish"), ("", "fish")])
    assert found.lengths.tolist() == [6, 6, 4]
    assert found.sentences.tolist() == [0, 1, 1, 1, 0, 2, 0, *[1] * 5, 0, 0, 2, 0]


def test_a_hypothesis_without_a_premise_can_be_a_text_of_its_own() -> None:
    found = encoder(alone=True).encode([("", "Kelp grows."), ("Kelp", "fish")])
    assert found.sentences.tolist() == [0, 2, 2, 2, 0, 0, 1, 0, 2, 0]
    hidden = encoder(alone=True, hypothesis_only=True).encode([("Kelp", "fish")])
    assert hidden.sentences.tolist() == [0, 2, 0]


def test_pairs_stay_in_their_order_where_batches_are_not_by_length() -> None:
    lengths = np.array([9, 1, 8, 2])
    assert sorted(training_batches(lengths, [3, 0, 2, 1], 2, "seed", by_length=False)) == [[2, 1], [3, 0]]
    assert sorted(training_batches(lengths, [3, 0, 2, 1], 2, "seed")) == [[1, 3], [2, 0]]


def test_empty_sentences_and_halves_of_characters_are_encoded() -> None:
    found = encoder().encode([("", ""), ("\ud800 kelp", "\0"), (" ", "\n")])
    assert found.lengths.tolist()[0] == 3
    assert len(found) == 3


def test_a_tokenizer_without_marks_gives_a_token_for_nothing_at_all() -> None:
    bare = Tokenizer(models.WordLevel({"[UNK]": 0, "[PAD]": 1}, unk_token="[UNK]"))
    bare.pre_tokenizer = pre_tokenizers.Whitespace()
    found = Encoder(bare, 8).encode([("", ""), ("a", "b")])
    assert (found.tokens.tolist(), found.sentences.tolist()) == ([1, 0, 0], [0, 1, 2])


def test_nothing_is_encoded_as_nothing() -> None:
    assert (len(encoder().encode([])), encoder().encode([]).lengths.tolist()) == (0, [])


def test_a_model_of_the_hypothesis_alone_sees_no_premise() -> None:
    seen = encoder(hypothesis_only=True).encode([("kelp grows", "thus warm")])
    assert seen.tokens.tolist() == encoder().encode([("", "thus warm")]).tokens.tolist()
    assert 1 not in seen.sentences


def test_pairs_are_the_same_alone_and_among_thousands() -> None:
    many = factories.pairs(2_500)
    together, last = encoder().encode(many), encoder().encode(many[-1:])
    assert together.tokens[-len(last.tokens) :].tolist() == last.tokens.tolist()
    assert together.ends[-1] == len(together.tokens) == len(together.types) == len(together.sentences)


def test_a_batch_is_padded_to_its_longest_pair() -> None:
    encoded = encoder().encode([("kelp", "fish"), ("kelp grows warm", "fish"), ("", "")])
    batch = batch_of(encoded, [2, 1], 0, factories.cpu())
    assert batch.tokens.shape == (2, 7)
    assert batch.mask.tolist() == [[True] * 3 + [False] * 4, [True] * 7]
    assert batch.sentences[0].tolist() == [0] * 7


def of_lengths(given: np.ndarray, limit: int) -> Encoded:
    zeros = np.zeros(int(given.sum()), np.int32)
    return Encoded(zeros, zeros.astype(np.int8), zeros.astype(np.int8), np.cumsum(given), limit)


@given(lengths, st.integers(1, 300), st.integers(1, 20))
def test_batches_in_shapes_hold_every_pair_once_and_not_too_much(
    given: np.ndarray, most_tokens: int, most_pairs: int
) -> None:
    found = list(padded_batches(of_lengths(given, int(given.max(initial=1))), most_tokens, most_pairs))
    assert sorted(n for batch, _ in found for n in batch) == list(range(len(given)))
    for batch, (pairs, tokens) in found:
        assert len(batch) <= pairs <= most_pairs
        assert pairs == 1 or pairs * tokens <= most_tokens
        assert given[batch].max() <= tokens <= given.max()
    assert all(one[1] >= other[1] for (_, one), (_, other) in pairwise(found))


@given(lengths, st.data())
def test_a_pairs_shape_does_not_depend_on_the_others(given: np.ndarray, data: st.DataObject) -> None:
    encoded = of_lengths(given, 500)
    some = data.draw(st.lists(st.sampled_from(range(len(given))), unique=True)) if len(given) else []
    whole, part = (
        {n: shape for batch, shape in padded_batches(encoded, 300, 20, among) for n in batch} for among in (None, some)
    )
    assert part == {n: whole[n] for n in some}


@given(lengths, st.integers(1, 9), st.integers(0, 3))
def test_batches_to_learn_from_hold_every_pair_once(given: np.ndarray, size: int, seed: int) -> None:
    order = shuffled_order(len(given), f"{seed}")
    batches = training_batches(given, order, size, f"{seed}")
    assert sorted(n for batch in batches for n in batch) == list(range(len(given)))
    assert batches == training_batches(given, order, size, f"{seed}")
    assert all(len(batch) <= size for batch in batches)


def test_batches_of_like_length_waste_little_padding() -> None:
    found = encoder(64).encode(factories.pairs(2_000))
    assert (
        padding_waste(found, [shape for _, shape in padded_batches(found, 512, 128)]) < 0.25
    )  # of some 14 tokens each


def tokens_of(batch: object) -> torch.Tensor:
    """The number of a pair's tokens, as if a network had found it."""
    return batch.mask.sum(1, keepdim=True).float()  # type: ignore[attr-defined]


def long_ones() -> Encoded:
    return encoder(64).encode([("kelp " * (n % 40), "thus") for n in range(200)])


def test_where_memory_ends_batches_halve_with_the_same_result() -> None:
    sizes: list[int] = []

    def function(batch: object) -> torch.Tensor:
        size = batch.tokens.numel()  # type: ignore[attr-defined]
        sizes.append(size)
        if size > 500:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
        return tokens_of(batch)

    runner = BatchRunner(factories.cpu(), 0)
    encoded = long_ones()
    done: list[int] = []
    assert runner.run(function, encoded, done.append)[:, 0].tolist() == encoded.lengths.tolist()
    assert sum(size > 500 for size in sizes) <= 5  # each failure halves all that is left, not its own batch alone
    assert (done[-1], runner.notes) == (200, ["Memory ran out: smaller batches were used."])
    sizes.clear()
    runner.run(function, encoded)
    assert max(sizes) <= 500  # it remembers
    assert max(sizes) > 200  # and has not halved for each batch that was planned before


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes")]
)
def test_where_not_even_one_pair_fits_it_says_so(error: Exception) -> None:
    def function(batch: object) -> torch.Tensor:
        raise error

    with pytest.raises(UserError, match="single pair"):
        BatchRunner(factories.cpu(), 0).run(function, long_ones())


def test_other_errors_of_a_network_are_not_taken_for_a_lack_of_memory() -> None:
    def function(batch: object) -> torch.Tensor:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    with pytest.raises(RuntimeError, match="shapes"):
        BatchRunner(factories.cpu(), 0).run(function, long_ones())


def test_a_real_lack_of_memory_is_known_as_such() -> None:
    runner = BatchRunner(factories.cpu(), 0)

    def function(batch: object) -> torch.Tensor:
        if len(batch.tokens) > 8:  # type: ignore[attr-defined]
            torch.empty(10**15)
        return tokens_of(batch)

    assert len(runner.run(function, replace(long_ones()))) == 200


def test_probabilities_sum_to_one_however_large_the_logits() -> None:
    logits = np.array([[1e4, -1e4, 0, 0], [0, 0, 0, 0], [88, 89, 90, 91]], np.float32)
    for temperature in (0.05, 1.0, 20.0):
        assert softmax(logits, temperature).sum(1).tolist() == pytest.approx([1, 1, 1])
    assert softmax(logits)[1].tolist() == [0.25] * 4
    assert softmax(np.zeros((0, 0), np.float32)).shape == (0, 4)


def test_a_tokenizer_that_contradicts_itself_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its code panics, which is no `Exception`."""
    data = json.loads((STARTER / TOKENIZER).read_text(encoding="utf-8"))
    data["post_processor"]["special_tokens"] = {}
    (tmp_path / TOKENIZER).write_text(json.dumps(data), encoding="utf-8")
    encoder = Encoder(load_tokenizer(tmp_path), 20)
    with pytest.raises(UserError, match="tokenizer cannot be used"):
        encoder.encode([("It is.", "It is not.")])
    capfd.readouterr()  # the library prints the panic itself
