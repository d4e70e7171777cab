"""From a checkpoint to a network and back: what fits, what does not, and what an interrupted save leaves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import XLNetConfig, XLNetModel

from miner.classifier import loading, saving
from miner.classifier.checkpoints import CARD, CONFIG, TOKENIZER, WEIGHTS, Checkpoint, ModelCard, inspect_checkpoint
from miner.classifier.inference import BatchRunner
from miner.classifier.recipe import Head
from miner.errors import UserError
from tests.miner.classifier import factories
from tests.miner.classifier.factories import QUICK, edit_json

pytestmark = pytest.mark.usefixtures("one_thread")
PAIRS = factories.pairs(20)


def logits(loaded: loading.LoadedModel, pairs: list[tuple[str, str]] = PAIRS) -> np.ndarray:
    return BatchRunner(factories.cpu(), loaded.encoder.pad).run(loaded.network, loaded.encoder.encode(pairs))


def load(folder: Path, **options: Any) -> loading.LoadedModel:
    return loading.load_model(inspect_checkpoint(folder, **options), factories.cpu())


def copied(checkpoint: Path, folder: Path) -> Path:
    return Path(shutil.copytree(checkpoint, folder))


@pytest.mark.parametrize("head", list(Head))
@pytest.mark.parametrize("layers", [0, 1, 2, 9])
def test_a_saved_network_is_loaded_as_it_was(bert: Path, tmp_path: Path, head: Head, layers: int) -> None:
    network, tokenizer = loading.start_network(inspect_checkpoint(bert), replace(QUICK, head=head, layers=layers))
    saving.save_model(tmp_path / "model", network, tokenizer, ModelCard("a", head, "bert", "nothing", max_tokens=16))
    before = loading.LoadedModel(network.eval(), loading.Encoder(tokenizer, 16), 1.0)
    assert network.config.num_hidden_layers == (1 if layers == 1 else 2)
    assert np.array_equal(logits(load(tmp_path / "model")), logits(before))


def test_a_new_head_follows_from_the_seed(bert: Path) -> None:
    heads = [
        loading.start_network(inspect_checkpoint(bert), replace(QUICK, seed=seed))[0].head.out.weight
        for seed in (1, 1, 2)
    ]
    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])


def test_a_classifier_with_permuted_names_gives_our_order(classifier: Path, tmp_path: Path) -> None:
    plain = logits(load(classifier))
    folder = copied(classifier, tmp_path / "permuted")
    edit_json(folder / CONFIG, id2label={"0": "neutral", "1": "entailment", "2": "contrasting", "3": "reasoning"})
    assert np.array_equal(logits(load(folder)), plain[:, [2, 3, 1, 0]])
    edit_json(folder / CONFIG, id2label={str(n): f"LABEL_{n}" for n in range(4)})
    asked = factories.order("neutral", "entailment", "contrasting", "reasoning")
    assert np.array_equal(logits(load(folder, labels=asked)), plain[:, [2, 3, 1, 0]])


@pytest.mark.parametrize("classifies", [False, True])
def test_a_roberta_is_not_asked_for_more_tokens_than_it_has_places(tmp_path: Path, classifies: bool) -> None:
    checkpoint = inspect_checkpoint(factories.roberta(tmp_path / "roberta", classifies=classifies))
    long = [("kelp " * 500, "fish " * 500), ("", "")]
    if classifies:
        assert logits(loading.load_model(checkpoint, factories.cpu()), long).shape == (2, 4)
    network, tokenizer = loading.start_network(checkpoint, replace(QUICK, max_tokens=256))
    most = loading.token_limit(network, 256)
    assert most == 32
    saving.save_model(tmp_path / "model", network, tokenizer, ModelCard("a", network.kind, "", "", max_tokens=256))
    assert logits(load(tmp_path / "model"), long).shape == (2, 4)


def test_an_encoder_whose_mark_is_its_last_token_is_read_there(tmp_path: Path) -> None:
    torch.manual_seed(0)
    sizes = {"d_model": 32, "n_layer": 2, "n_head": 2, "d_inner": 48}
    XLNetModel(XLNetConfig(vocab_size=32, **sizes)).save_pretrained(tmp_path / "xlnet")
    factories.bert_tokenizer().save(str(tmp_path / "xlnet" / TOKENIZER))
    network, tokenizer = loading.start_network(
        inspect_checkpoint(tmp_path / "xlnet"), replace(QUICK, head=Head.FIRST_TOKEN, layers=1)
    )
    saving.save_model(tmp_path / "model", network, tokenizer, ModelCard("a", network.kind, "", "", max_tokens=16))
    found = load(tmp_path / "model")
    together = logits(found)
    alone = np.concatenate([logits(found, [pair]) for pair in PAIRS])
    assert np.abs(together - alone).max() < 1e-3  # padding does not move the mark


def test_an_encoder_cannot_suggest(bert: Path) -> None:
    with pytest.raises(UserError, match="knows no classes yet"):
        load(bert)


def test_weights_of_another_architecture_are_refused_not_filled_up_at_random(classifier: Path, tmp_path: Path) -> None:
    folder = copied(classifier, tmp_path / "model")
    weights = load_file(folder / WEIGHTS)
    save_file({name.replace("bert.", "distilbert."): value for name, value in weights.items()}, folder / WEIGHTS)
    with pytest.raises(UserError, match="its weights lack bert"):
        load(folder)
    with pytest.raises(UserError, match="its weights lack"):
        loading.start_network(inspect_checkpoint(folder), QUICK)


def test_a_classifier_that_lacks_its_last_layer_is_refused(classifier: Path, tmp_path: Path) -> None:
    folder = copied(classifier, tmp_path / "model")
    weights = load_file(folder / WEIGHTS)
    del weights["classifier.weight"]
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
    with pytest.raises(UserError, match=r"lack classifier\.weight"):
        load(folder)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model_type": "no-such-thing"}, "no-such-thing"),
        ({"hidden_size": 64}, "cannot be loaded"),
        ({"vocab_size": 7}, "cannot be loaded"),
        ({"hidden_size": "wide"}, "cannot be loaded"),
        ({"model_type": "vit"}, "cannot be loaded"),
        ({"model_type": "t5"}, "cannot be loaded"),
    ],
)
@pytest.mark.parametrize("kind", ["bert", "classifier", "ours"])
def test_an_architecture_that_does_not_fit_is_a_sentence(
    kind: str, changes: dict[str, Any], words: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source = request.getfixturevalue(kind)
    folder = copied(source.path if kind == "ours" else source, tmp_path / "model")
    edit_json(folder / CONFIG, **changes)
    with pytest.raises(UserError, match=words) as caught:
        loading.start_network(inspect_checkpoint(folder), QUICK) if kind == "bert" else load(folder)
    assert "\n" not in str(caught.value)


def test_a_tokenizer_that_knows_more_words_than_the_network_is_refused(bert: Path, tmp_path: Path) -> None:
    folder = copied(bert, tmp_path / "model")
    tokenizer = json.loads((folder / TOKENIZER).read_text())
    tokenizer["model"]["vocab"]["extra"] = len(tokenizer["model"]["vocab"])
    (folder / TOKENIZER).write_text(json.dumps(tokenizer))
    with pytest.raises(UserError, match="tokenizer knows 23 tokens, its network 22"):
        loading.start_network(inspect_checkpoint(folder), QUICK)


@pytest.mark.parametrize("content", [None, "", "{}", "[1, 2"])
def test_a_tokenizer_that_is_missing_or_damaged_is_a_sentence(bert: Path, tmp_path: Path, content: str | None) -> None:
    folder = copied(bert, tmp_path / "model")
    for file in folder.glob("tokenizer*"):
        file.unlink()
    if content is not None:
        (folder / TOKENIZER).write_text(content)
    with pytest.raises(UserError, match="tokenizer"):
        loading.start_network(inspect_checkpoint(folder), QUICK)


def test_a_card_with_another_head_or_order_than_the_weights_is_refused(ours: Checkpoint, tmp_path: Path) -> None:
    folder = copied(ours.path, tmp_path / "model")
    edit_json(folder / CARD, head="first_token")
    with pytest.raises(UserError, match="cannot be loaded"):
        load(folder)
    edit_json(folder / CARD, head="both_sentences", labels=["neutral", "entailment", "reasoning", "contrasting"])
    with pytest.raises(UserError, match="another order"):
        load(folder)


def test_a_run_of_prediction_does_not_call_the_hub(ours: Checkpoint) -> None:
    code = f"""
import socket
def refuse(*_): raise AssertionError("the network was asked for")
socket.socket.connect = refuse
from pathlib import Path
from miner.classifier.predictor import load_predictor
print(load_predictor(Path({str(ours.path)!r}))([("a", "b")]).probabilities.shape)
"""
    env = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=env)
    assert done.stdout.strip() == "(1, 4)"
