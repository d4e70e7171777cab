"""Saving networks: what transformers loads, what an earlier version saved, and what an interrupted save leaves."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModel, AutoTokenizer, BertModel, XLNetConfig, XLNetModel

from miner.classifier import loading, saving
from miner.classifier.checkpoints import HEAD_WEIGHTS, TOKENIZER, WEIGHTS, Checkpoint, ModelCard, inspect_checkpoint
from miner.classifier.inference import BatchRunner
from miner.classifier.network import PairNetwork, Pooler
from miner.classifier.recipe import Head
from miner.errors import UserError
from tests.miner.classifier import factories
from tests.miner.classifier.factories import QUICK

if sys.platform != "win32":
    import resource

pytestmark = pytest.mark.usefixtures("one_thread")
PAIRS = factories.pairs(20)


def load(folder: Path) -> loading.LoadedModel:
    return loading.load_model(inspect_checkpoint(folder), factories.cpu())


def logits(loaded: loading.LoadedModel) -> np.ndarray:
    return BatchRunner(factories.cpu(), loaded.encoder.pad).run(loaded.network, loaded.encoder.encode(PAIRS))


def states(encoder: Any, tokenizer: Any) -> np.ndarray:
    """The first token's last state of each pair, by transformers."""
    with torch.inference_mode():
        values = [encoder(**tokenizer(*pair, return_tensors="pt")).last_hidden_state[0, 0].numpy() for pair in PAIRS]
    return np.stack(values)


def saved_encoders(folder: Path) -> dict[str, Path]:
    """An encoder of each kind, as transformers saves it."""
    torch.manual_seed(0)
    config = XLNetConfig(vocab_size=32, d_model=32, n_layer=2, n_head=2, d_inner=48)
    XLNetModel(config).save_pretrained(folder / "xlnet")
    factories.bert_tokenizer().save(str(folder / "xlnet" / TOKENIZER))
    return {
        "bert": factories.bert(folder / "bert"),
        "roberta": factories.roberta(folder / "roberta"),
        "xlnet": folder / "xlnet",
    }


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlnet"])
@pytest.mark.parametrize("head", list(Head))
def test_transformers_loads_a_saved_encoder_with_nothing_missing_and_nothing_left_over(
    tmp_path: Path, kind: str, head: Head
) -> None:
    start = inspect_checkpoint(saved_encoders(tmp_path)[kind])
    network, tokenizer = loading.start_network(start, replace(QUICK, head=head))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.01)  # as if trained
    saving.save_model(tmp_path / "model", network, tokenizer, ModelCard("a", head, kind, "", max_tokens=32))
    encoder, info = AutoModel.from_pretrained(tmp_path / "model", output_loading_info=True)
    assert not any(info[problem] for problem in ("missing_keys", "unexpected_keys", "mismatched_keys"))
    found = states(encoder.eval(), AutoTokenizer.from_pretrained(tmp_path / "model"))
    ours = load(tmp_path / "model")
    rows = [ours.encoder.encode([pair]) for pair in PAIRS]
    with torch.inference_mode():
        expected = [
            ours.network.encoder(  # type: ignore[operator]
                torch.from_numpy(one.tokens)[None].long(),
                attention_mask=torch.ones(1, len(one.tokens), dtype=torch.long),
                **({"token_type_ids": torch.from_numpy(one.types)[None].long()} if kind != "roberta" else {}),
            )
            .last_hidden_state[0, 0]
            .numpy()
            for one in rows
        ]
    assert np.abs(found - np.stack(expected)).max() < 1e-5


def test_the_pooler_of_the_start_model_is_where_the_head_starts_and_is_kept(bert: Path, tmp_path: Path) -> None:
    theirs = BertModel.from_pretrained(bert).pooler.dense.weight
    network, tokenizer = loading.start_network(inspect_checkpoint(bert), replace(QUICK, head=Head.POOLER))
    assert isinstance(network.head, Pooler)
    assert torch.equal(network.head.dense.weight, theirs)
    plain, _ = loading.start_network(inspect_checkpoint(bert), QUICK)
    saving.save_model(tmp_path / "model", plain, tokenizer, card("plain"))
    assert torch.equal(BertModel.from_pretrained(tmp_path / "model").pooler.dense.weight, theirs)
    again, _ = loading.start_network(
        inspect_checkpoint(tmp_path / "model"), replace(QUICK, head=Head.POOLER), new_head=True
    )
    assert isinstance(again.head, Pooler)
    assert torch.equal(again.head.dense.weight, theirs)


def test_a_model_that_an_earlier_version_saved_in_one_file_says_the_same(ours: Checkpoint, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ours.path, tmp_path / "earlier"))
    encoder = {name: value for name, value in load_file(folder / WEIGHTS).items() if not name.startswith("pooler.")}
    head = load_file(folder / HEAD_WEIGHTS)
    (folder / HEAD_WEIGHTS).unlink()
    together = {f"encoder.{name}": value for name, value in encoder.items()}
    save_file(together | {f"head.{name}": value for name, value in head.items()}, folder / WEIGHTS)
    assert np.array_equal(logits(load(folder)), logits(load(ours.path)))


def test_a_damaged_head_is_refused(ours: Checkpoint, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ours.path, tmp_path / "model"))
    (folder / HEAD_WEIGHTS).write_bytes((folder / HEAD_WEIGHTS).read_bytes()[:-5])
    with pytest.raises(UserError, match="cut off"):
        inspect_checkpoint(folder)


def test_a_model_of_other_classes_is_saved_and_cannot_suggest(bert: Path, tmp_path: Path) -> None:
    fields = tuple(f"field {n}" for n in range(13))
    network, tokenizer = loading.start_network(inspect_checkpoint(bert), QUICK, fields)
    saving.save_model(tmp_path / "model", network, tokenizer, replace(card("fields"), labels=fields))
    found = inspect_checkpoint(tmp_path / "model")
    assert (found.classes, found.labels, found.can_suggest) == (fields, None, False)
    assert logits(load(tmp_path / "model")).shape == (20, 13)


def test_a_start_model_of_other_classes_gives_its_encoder_alone(ours: Checkpoint) -> None:
    before, _ = loading.start_network(ours, QUICK)
    other, _ = loading.start_network(ours, QUICK, ("entailment", "not entailment"))
    assert other.head.out.weight.shape[0] == 2
    assert all(
        torch.equal(one, two) for one, two in zip(before.encoder.parameters(), other.encoder.parameters(), strict=True)
    )
    assert torch.equal(loading.start_network(ours, QUICK)[0].head.out.weight, before.head.out.weight)
    new, _ = loading.start_network(ours, replace(QUICK, seed=7), new_head=True)
    assert not torch.equal(new.head.out.weight, before.head.out.weight)


def test_half_the_size_says_nearly_the_same(bert: Path, ours: Checkpoint, tmp_path: Path) -> None:
    network, tokenizer = loading.start_network(ours, QUICK)
    saving.save_model(tmp_path / "model", network, tokenizer, ours.card or ModelCard("", "", "", ""), half=True)
    found = load(tmp_path / "model")
    assert next(found.network.parameters()).dtype == torch.float32
    assert np.abs(logits(found) - logits(load(ours.path))).max() < 2e-3
    sizes = [(folder / WEIGHTS).stat().st_size for folder in (tmp_path / "model", ours.path)]
    assert sizes[0] < 0.6 * sizes[1]


def test_saving_leaves_the_tokenizer_that_is_in_use_as_it_is(bert: Path, tmp_path: Path) -> None:
    network, tokenizer = loading.start_network(inspect_checkpoint(bert), QUICK)
    encoder = loading.Encoder(tokenizer, 8)
    saving.save_model(tmp_path / "model", network, tokenizer, ModelCard("a", network.kind, "", ""))
    assert encoder.encode([("kelp " * 20, "thus")]).lengths.tolist() == [8]
    assert (
        "truncation" not in json.loads((tmp_path / "model" / TOKENIZER).read_text())
        or not json.loads((tmp_path / "model" / TOKENIZER).read_text())["truncation"]
    )


def test_a_card_is_changed_in_place(ours: Checkpoint, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ours.path, tmp_path / "model"))
    saving.update_card(folder, temperature=1.5, metrics={"dev": {"n": 3}})
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


@pytest.mark.posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="POSIX")
def test_a_disk_that_is_full_leaves_the_old_checkpoint(ours: Checkpoint, tmp_path: Path) -> None:
    saving.save_model(tmp_path / "model", *network_of(ours), card("old"))
    before = inspect_checkpoint(tmp_path / "model").digest
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))  # a file may not grow beyond, as on a full disk
    try:
        with pytest.raises(UserError, match="cannot be saved") as caught:
            saving.save_model(tmp_path / "model", *network_of(ours), card("new"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handled)
    assert "room" in caught.value.hint
    assert inspect_checkpoint(tmp_path / "model").digest == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]


def test_a_folder_that_takes_no_files_is_a_sentence(ours: Checkpoint, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be saved"):
        saving.save_model(tmp_path / "file" / "model", *network_of(ours), card("new"))


@pytest.mark.parametrize("rename", [1, 2, 3])
def test_killed_at_any_rename_of_a_saving_there_is_a_whole_checkpoint_and_the_next_saving_works(
    ours: Checkpoint, tmp_path: Path, rename: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "model"
    saving.save_model(folder, *network_of(ours), card("old"))
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
        saving.save_model(folder, *network_of(ours), card("new"))
    monkeypatch.setattr(Path, "rename", real)
    assert name_in(folder) == ("old" if rename == 1 else "new")
    saving.save_model(folder, *network_of(ours), card("next"))
    assert name_in(folder) == "next"
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]
