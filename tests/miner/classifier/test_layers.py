"""Hidden states by layer: what transformers gives, pooled by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel

from miner.classifier.checkpoints import STARTER, Checkpoint, inspect_checkpoint
from miner.classifier.layers import write_layer_states
from miner.errors import UserError
from tests.miner.classifier import factories

PAIRS = [
    ("Kelp shrinks.", "However, urchin spreads."),
    ("The forest grows warm.", "Thus otter and fish and reef spreads and grows."),
    ("Data", "model"),
    ("", ""),
]


def _by_hand(folder: Path, premise: str, hypothesis: str, *, types: bool) -> np.ndarray:
    """One pair alone, without padding, by transformers' own model."""
    model = AutoModel.from_pretrained(folder).eval()
    tokenizer = factories.bert_tokenizer() if types else factories.roberta_tokenizer()
    encoding = tokenizer.encode(premise, hypothesis)
    given = {"input_ids": torch.tensor([encoding.ids]), "attention_mask": torch.ones(1, len(encoding.ids))}
    if types:
        given["token_type_ids"] = torch.tensor([encoding.type_ids])
    with torch.inference_mode():
        states = model(**given, output_hidden_states=True).hidden_states
    return np.stack([np.concatenate([one[0].numpy().max(0), one[0, 0].numpy()]) for one in states])


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("kind", ["bert", "classifier", "roberta"])
def test_states_are_the_maximum_over_tokens_and_the_first_token_of_every_layer(
    kind: str, bert: Path, classifier: Path, tmp_path: Path
) -> None:
    folder = {"bert": bert, "classifier": classifier}.get(kind) or factories.roberta(tmp_path / "roberta")
    found = write_layer_states(inspect_checkpoint(folder), PAIRS, tmp_path / "states.npy", "cpu")
    assert found.dtype == np.float32
    assert found.shape == (4, 3, 64)
    for place, pair in enumerate(PAIRS):
        expected = _by_hand(folder, *pair, types=kind != "roberta")
        assert np.allclose(found[place], expected, atol=1e-5), pair


@pytest.mark.usefixtures("one_thread")
def test_a_model_of_ours_is_read_without_its_head_and_the_same_every_time(ours: Checkpoint, tmp_path: Path) -> None:
    done: list[int] = []
    first = write_layer_states(ours, PAIRS * 20, tmp_path / "first.npy", "cpu", done.append)
    assert done[-1] == 80
    alone = write_layer_states(ours, PAIRS[1:2], tmp_path / "alone.npy", "cpu")
    assert np.allclose(first[1::4], alone, atol=1e-6)  # neighbours and padding change nothing
    write_layer_states(ours, PAIRS * 20, tmp_path / "again.npy", "cpu")
    assert (tmp_path / "first.npy").read_bytes() == (tmp_path / "again.npy").read_bytes()


@pytest.mark.usefixtures("one_thread")
def test_the_starter_has_its_word_embeddings_and_four_layers(tmp_path: Path) -> None:
    found = write_layer_states(inspect_checkpoint(STARTER), PAIRS, tmp_path / "states.npy", "cpu")
    assert found.shape[:2] == (4, 5)
    assert np.isfinite(found).all()


def test_a_folder_whose_weights_do_not_fit_is_an_error(bert: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in bert.iterdir():
        (broken / file.name).write_bytes(file.read_bytes())
    config = (broken / "config.json").read_text()
    (broken / "config.json").write_text(config.replace('"hidden_size": 32', '"hidden_size": 64'))
    with pytest.raises(UserError, match="cannot be loaded"):
        write_layer_states(inspect_checkpoint(broken), PAIRS, tmp_path / "states.npy", "cpu")
