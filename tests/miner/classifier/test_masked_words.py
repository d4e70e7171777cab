"""Masked words: which are hidden, what is learned of them, and what is carried over."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import BertConfig, BertForMaskedLM, RobertaConfig, RobertaForMaskedLM

from miner.classifier import loading
from miner.classifier.checkpoints import inspect_checkpoint
from miner.classifier.encoding import Encoder, batch_of
from miner.classifier.events import TrainEvent, TrainStep
from miner.classifier.fine_tuning import FineTuningTask, fine_tune
from miner.classifier.masked_word_network import MaskedWordHead, MaskedWordNetwork
from miner.classifier.masked_words import load_stored_head, mask_words, train_masked_words
from miner.classifier.trainer import TrainingStopped
from miner.errors import UserError
from tests.miner.classifier import factories

pytestmark = pytest.mark.usefixtures("one_thread")
RECIPE = replace(factories.QUICK, epochs=2, batch_pairs=8)
EXAMPLES = factories.examples(64)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder whose tokenizer has a token for a hidden word."""
    folder = factories.bert(tmp_path_factory.mktemp("masked") / "bert", vocab_size=6 + len(factories.WORDS))
    tokenizer = factories.bert_tokenizer()
    tokenizer.add_special_tokens(["[MASK]"])
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def trained(start: Path, folder: Path, **options: Any) -> dict[str, torch.Tensor]:
    recipe = options.pop("recipe", RECIPE)
    checkpoint = inspect_checkpoint(start)
    network, tokenizer = loading.start_network(checkpoint, recipe)
    encoder = train_masked_words(
        checkpoint,
        network,
        tokenizer,
        Encoder(tokenizer, recipe.max_tokens),
        options.pop("examples", EXAMPLES),
        recipe,
        factories.cpu(),
        emit=options.pop("emit", lambda event: None),
        should_stop=options.pop("should_stop", lambda: False),
        state_path=folder / "state.safetensors",
    )
    return {name: value.clone() for name, value in encoder.state_dict().items()}


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(value, other[name]) for name, value in one.items())


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 60))
def test_only_words_are_chosen_and_the_others_stay(seed: int, rows: int, columns: int) -> None:
    draw = np.random.default_rng(seed)
    tokens, readable = draw.integers(5, 50, (rows, columns)), draw.random((rows, columns)) < 0.7
    shown, chosen = mask_words(tokens, readable, 1, np.arange(5, 50), np.random.default_rng(seed))
    assert not (chosen & ~readable).any()
    assert (shown == tokens)[~chosen].all()
    assert set(np.unique(shown)) <= {1, *range(5, 50)}
    again, _ = mask_words(tokens, readable, 1, np.arange(5, 50), np.random.default_rng(seed))
    assert (again == shown).all()


def test_fifteen_in_a_hundred_words_are_chosen_and_eight_in_ten_of_them_hidden() -> None:
    tokens = np.full((500, 400), 7)
    shown, chosen = mask_words(tokens, tokens == 7, 1, np.array([8, 9]), np.random.default_rng(3))
    assert chosen.mean() == pytest.approx(0.15, abs=0.003)
    assert [round(float((shown[chosen] == value).mean()), 2) for value in (1, 7, 8, 9)] == [0.8, 0.1, 0.05, 0.05]


def test_words_that_follow_from_others_are_learned(start: Path, tmp_path: Path) -> None:
    heard: list[TrainEvent] = []
    text = "kelp forest shrinks."
    always = [replace(one, premise=text, hypothesis=text, label=0) for one in EXAMPLES]  # one class is enough
    recipe = replace(RECIPE, epochs=30, train_embeddings=True)
    trained(start, tmp_path, examples=always, recipe=recipe, emit=heard.append)
    steps = [event for event in heard if isinstance(event, TrainStep)]
    assert steps[-1].stage == "masked words"
    assert steps[-1].step == 240
    assert steps[-1].loss < 1 < math.log(len(factories.WORDS))


def test_frozen_embeddings_stay_and_the_rest_learns(start: Path, tmp_path: Path) -> None:
    before, _ = loading.start_network(inspect_checkpoint(start), RECIPE)
    untouched = {name: value.clone() for name, value in before.encoder.state_dict().items()}
    (tmp_path / "a").mkdir()
    frozen = trained(start, tmp_path / "a", recipe=replace(RECIPE, train_embeddings=False))
    kept = {name for name, value in frozen.items() if torch.equal(value, untouched[name])}
    assert {name for name in frozen if name.startswith("embeddings.")} == kept
    free = trained(start, tmp_path)
    assert not torch.equal(free["embeddings.word_embeddings.weight"], untouched["embeddings.word_embeddings.weight"])


def test_the_seed_decides_and_a_stopped_training_goes_on_with_the_same_result(start: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two", "other", "stopped")]
    for folder in folders:
        folder.mkdir()
    whole = trained(start, folders[0])
    assert same(whole, trained(start, folders[1]))
    assert not same(whole, trained(start, folders[2], recipe=replace(RECIPE, seed=5)))
    asked = itertools.count(1)
    with pytest.raises(TrainingStopped):
        trained(start, folders[3], should_stop=lambda: next(asked) > 11)
    heard: list[TrainEvent] = []
    assert same(whole, trained(start, folders[3], emit=heard.append))
    assert [event.step for event in heard if isinstance(event, TrainStep)] == [16]


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_the_head_of_a_checkpoint_is_taken_and_gives_its_logits(kind: str, tmp_path: Path) -> None:
    sizes: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    sizes |= {"intermediate_size": 48, "vocab_size": 5 + len(factories.WORDS), "max_position_embeddings": 34}
    torch.manual_seed(0)
    if kind == "bert":
        theirs: Any = BertForMaskedLM(BertConfig(**sizes))
        factories.bert_tokenizer().save(str(tmp_path / "tokenizer.json"))
    else:
        theirs = RobertaForMaskedLM(RobertaConfig(**sizes, type_vocab_size=1, pad_token_id=1))
        factories.roberta_tokenizer().save(str(tmp_path / "tokenizer.json"))
    for parameter in theirs.parameters():
        torch.nn.init.normal_(parameter, std=0.2)  # biases too
    theirs.eval().save_pretrained(tmp_path)
    network, tokenizer = loading.start_network(inspect_checkpoint(tmp_path), RECIPE)
    head = MaskedWordHead(32, sizes["vocab_size"], 32, theirs.config.layer_norm_eps)
    assert load_stored_head(tmp_path, head)
    ours = MaskedWordNetwork(network.encoder, head, token_types=network.has_token_types).eval()
    encoder = Encoder(tokenizer, 16)
    batch = batch_of(encoder.encode(factories.pairs(4)), [0, 1, 2, 3], encoder.pad, factories.cpu())
    types = {"token_type_ids": batch.types} if network.has_token_types else {}
    with torch.inference_mode():
        expected = theirs(batch.tokens, attention_mask=batch.mask, **types).logits[batch.mask]
        assert torch.allclose(ours(batch, batch.mask), expected, atol=1e-4)
    assert not load_stored_head(tmp_path, MaskedWordHead(16, 7, 16, 1e-12))


def test_an_encoder_without_a_mask_is_refused_in_words(bert: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no token for a masked word") as caught:
        trained(bert, tmp_path)
    assert "labels" in str(caught.value.hint)


def test_only_the_encoder_is_carried_over(start: Path, tmp_path: Path) -> None:
    checkpoint = inspect_checkpoint(start)
    classes = ("a", "b")
    pairs = factories.pairs(20, seed=9)
    found = []
    for name, masked in (("none", None), ("labels", False), ("words", True)):
        folder = tmp_path / name
        folder.mkdir()
        before = None
        if masked is not None:
            before = FineTuningTask(checkpoint, RECIPE, ("x", "y", "z", "w"), EXAMPLES, folder, masked_words=masked)
        two = [replace(one, label=one.label % 2) for one in EXAMPLES]
        task = FineTuningTask(checkpoint, RECIPE, classes, two, folder, intermediate=before)
        found.append(fine_tune(task, factories.cpu()).predict(pairs, lambda done: None))
    assert all(one.shape == (20, 2) for one in found)
    assert not any(np.allclose(one, other) for one, other in itertools.combinations(found, 2))
