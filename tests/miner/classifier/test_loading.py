"""From a checkpoint to a network and back: what fits, what does not, and what an interrupted save leaves."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
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

from miner.classifier import loading
from miner.classifier.checkpoints import CARD, CONFIG, TOKENIZER, WEIGHTS, Checkpoint, ModelCard, inspect_checkpoint
from miner.classifier.inference import BatchRunner
from miner.classifier.network import PairNetwork
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
    loading.save_model(tmp_path / "model", network, tokenizer, ModelCard("a", head, "bert", "nothing", max_tokens=16))
    before = loading.LoadedModel(network.eval(), loading.Encoder(tokenizer, 16), 1.0)
    assert network.config.num_hidden_layers == (1 if layers == 1 else 2)
    assert np.array_equal(logits(load(tmp_path / "model")), logits(before))


def test_half_the_size_says_nearly_the_same(bert: Path, ours: Checkpoint, tmp_path: Path) -> None:
    network, tokenizer = loading.start_network(ours, QUICK)
    loading.save_model(tmp_path / "model", network, tokenizer, ours.card or ModelCard("", "", "", ""), half=True)
    found = load(tmp_path / "model")
    assert next(found.network.parameters()).dtype == torch.float32
    assert np.abs(logits(found) - logits(load(ours.path))).max() < 2e-3
    sizes = [(folder / WEIGHTS).stat().st_size for folder in (tmp_path / "model", ours.path)]
    assert sizes[0] < 0.6 * sizes[1]


def test_a_new_head_follows_from_the_seed(bert: Path) -> None:
    heads = [
        loading.start_network(inspect_checkpoint(bert), replace(QUICK, seed=seed))[0].head.out.weight
        for seed in (1, 1, 2)
    ]
    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])


def test_saving_leaves_the_tokenizer_that_is_in_use_as_it_is(bert: Path, tmp_path: Path) -> None:
    network, tokenizer = loading.start_network(inspect_checkpoint(bert), QUICK)
    encoder = loading.Encoder(tokenizer, 8)
    loading.save_model(tmp_path / "model", network, tokenizer, ModelCard("a", network.kind, "", ""))
    assert encoder.encode([("kelp " * 20, "thus")]).lengths.tolist() == [8]
    assert (
        "truncation" not in json.loads((tmp_path / "model" / TOKENIZER).read_text())
        or not json.loads((tmp_path / "model" / TOKENIZER).read_text())["truncation"]
    )


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
    loading.save_model(tmp_path / "model", network, tokenizer, ModelCard("a", network.kind, "", "", max_tokens=256))
    assert logits(load(tmp_path / "model"), long).shape == (2, 4)


def test_an_encoder_whose_mark_is_its_last_token_is_read_there(tmp_path: Path) -> None:
    torch.manual_seed(0)
    sizes = {"d_model": 32, "n_layer": 2, "n_head": 2, "d_inner": 48}
    XLNetModel(XLNetConfig(vocab_size=32, **sizes)).save_pretrained(tmp_path / "xlnet")
    factories.bert_tokenizer().save(str(tmp_path / "xlnet" / TOKENIZER))
    network, tokenizer = loading.start_network(
        inspect_checkpoint(tmp_path / "xlnet"), replace(QUICK, head=Head.FIRST_TOKEN, layers=1)
    )
    loading.save_model(tmp_path / "model", network, tokenizer, ModelCard("a", network.kind, "", "", max_tokens=16))
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


def test_a_card_is_changed_in_place(ours: Checkpoint, tmp_path: Path) -> None:
    folder = copied(ours.path, tmp_path / "model")
    loading.update_card(folder, temperature=1.5, metrics={"dev": {"n": 3}})
    card = inspect_checkpoint(folder).card
    assert card is not None
    assert (card.temperature, card.metrics, card.max_tokens) == (1.5, {"dev": {"n": 3}}, 16)


def network_of(checkpoint: Checkpoint) -> tuple[PairNetwork, Any]:
    return loading.start_network(checkpoint, QUICK)


def card(name: str) -> ModelCard:
    return ModelCard(name, Head.BOTH_SENTENCES, "", "", max_tokens=16)


def name_in(folder: Path) -> str:
    found = inspect_checkpoint(folder).card
    assert found is not None
    return found.name


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="POSIX")
def test_a_disk_that_is_full_leaves_the_old_checkpoint(ours: Checkpoint, tmp_path: Path) -> None:
    loading.save_model(tmp_path / "model", *network_of(ours), card("old"))
    before = inspect_checkpoint(tmp_path / "model").digest
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))  # a file may not grow beyond, as on a full disk
    try:
        with pytest.raises(UserError, match="cannot be saved") as caught:
            loading.save_model(tmp_path / "model", *network_of(ours), card("new"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handled)
    assert "room" in caught.value.hint
    assert inspect_checkpoint(tmp_path / "model").digest == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]


def test_a_folder_that_takes_no_files_is_a_sentence(ours: Checkpoint, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be saved"):
        loading.save_model(tmp_path / "file" / "model", *network_of(ours), card("new"))


@pytest.mark.parametrize("rename", [1, 2, 3])
def test_killed_at_any_rename_of_a_saving_there_is_a_whole_checkpoint_and_the_next_saving_works(
    ours: Checkpoint, tmp_path: Path, rename: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "model"
    loading.save_model(folder, *network_of(ours), card("old"))
    done = 0
    real = Path.rename

    class Killed(BaseException):
        """As if the process had ended here: nothing that follows is run."""

    def renamed(path: Path, target: Path) -> Path:
        nonlocal done
        done += 1
        if done == rename:
            raise Killed
        return real(path, target)

    monkeypatch.setattr(Path, "rename", renamed)
    with contextlib.suppress(Killed):
        loading.save_model(folder, *network_of(ours), card("new"))
    monkeypatch.setattr(Path, "rename", real)
    assert name_in(folder) == ("old" if rename == 1 else "new")
    loading.save_model(folder, *network_of(ours), card("next"))
    assert name_in(folder) == "next"
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]


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
