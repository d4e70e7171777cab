"""Models of ours with numpy give what they give with torch."""

from __future__ import annotations

import itertools
import json
import math
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file
from tokenizers import processors

from miner.classifier import loading, saving
from miner.classifier.calibration import softmax
from miner.classifier.checkpoints import (
    CONFIG,
    HEAD_WEIGHTS,
    STARTER,
    TOKENIZER,
    WEIGHTS,
    Checkpoint,
    ModelCard,
    inspect_checkpoint,
)
from miner.classifier.encoding import shuffled_order
from miner.classifier.inference import BatchRunner, prepare_network
from miner.classifier.numpy_model import load_numpy_model
from miner.classifier.numpy_network import gelu
from miner.classifier.predictor import load_numpy_predictor, load_predictor
from miner.classifier.recipe import Head
from miner.errors import UserError
from tests.miner.classifier import factories
from tests.miner.classifier.test_predictor import HOSTILE

pytestmark = pytest.mark.usefixtures("one_thread")
SAMPLES = Path(__file__).parents[3] / "packaging" / "samples" / "text"


def by_torch(checkpoint: Checkpoint, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    loaded = loading.load_model(checkpoint, factories.cpu())
    network = prepare_network(loaded.network, factories.cpu())
    logits = BatchRunner(factories.cpu(), loaded.encoder.pad).run(network, loaded.encoder.encode(pairs))
    return softmax(logits, loaded.temperature)


def test_the_starter_says_what_it_says_with_torch() -> None:
    lines = [
        line for path in sorted(SAMPLES.rglob("*.txt")) for line in path.read_text().splitlines() if len(line) > 40
    ]
    pairs = [*itertools.pairwise(lines)][:60] + HOSTILE
    assert len(pairs) == 64
    expected = by_torch(inspect_checkpoint(STARTER), pairs)
    found = load_numpy_predictor(STARTER)(pairs)
    assert np.array_equal(found.probabilities.argmax(1), expected.argmax(1))
    assert np.abs(found.probabilities - expected).max() < 1e-4
    assert (found.arithmetic, found.device) == ("cpu fp32 numpy", "processor, 1 threads, numpy")


@pytest.mark.parametrize("head", Head)
@pytest.mark.parametrize("changes", [{}, {"type_vocab_size": 1}, {"num_attention_heads": 8, "layer_norm_eps": 1e-3}])
def test_every_head_says_what_it_says_with_torch(head: Head, changes: dict[str, float], tmp_path: Path) -> None:
    encoder = inspect_checkpoint(factories.bert(tmp_path / "bert", **changes))
    network, tokenizer = loading.start_network(encoder, factories.QUICK)
    torch.manual_seed(1)
    network = loading.PairNetwork(network.encoder, network.config, head)
    network.pooler = {"pooler.dense.weight": torch.zeros(32, 32), "pooler.dense.bias": torch.zeros(32)}
    card = ModelCard("tiny", head, "bert", "nothing", temperature=0.5, entropy_power=0.2, max_tokens=16)
    saving.save_model(tmp_path / "ours", network, tokenizer, card, half=not changes)
    checkpoint, pairs = inspect_checkpoint(tmp_path / "ours"), [*factories.pairs(20), *HOSTILE]
    found = load_numpy_predictor(checkpoint.path)(pairs).probabilities
    assert np.abs(found - by_torch(checkpoint, pairs)).max() < 1e-5


def test_a_pairs_logits_are_the_same_to_the_last_bit_whatever_stands_beside_it() -> None:
    model = load_numpy_model(inspect_checkpoint(STARTER))
    pairs = [*factories.pairs(60), *HOSTILE]
    together = model.logits(pairs, threads=2)
    for size in (1, 9, 40):
        order = shuffled_order(len(pairs), f"{size}")[:40]
        for low in range(0, len(order), size):
            some = order[low : low + size]
            assert np.array_equal(model.logits([pairs[n] for n in some], threads=1), together[some])
    assert model.logits([], threads=1).shape == (0, 4)


def test_gelu_is_that_of_torch() -> None:
    numbers = np.concatenate([np.linspace(-9, 9, 40_001), [1e-30, 1e30, -1e30]]).astype(np.float32)
    expected = torch.nn.functional.gelu(torch.from_numpy(numbers).double()).numpy()
    with np.errstate(over="ignore"):
        found = gelu(numbers.copy())
    assert np.abs(found - expected)[:-3].max() < 6e-7
    assert np.array_equal(found[-2:], numbers[-2:].clip(min=0))


def test_models_that_need_torch_are_named(bert: Path, classifier: Path) -> None:
    for folder in (bert, classifier):
        with pytest.raises(UserError, match=f"The model {folder.name} needs torch") as refused:
            load_numpy_model(inspect_checkpoint(folder))
        assert "models" in refused.value.hint


@pytest.mark.parametrize(
    ("file", "tensor", "shape", "text"),
    [
        (WEIGHTS, "encoder.layer.1.output.dense.weight", None, "lack encoder.layer.1.output.dense.weight"),
        (WEIGHTS, "encoder.layer.1.output.dense.weight", (3,), r"has the shape \(3,\), not \(32, 48\)"),
        (WEIGHTS, "encoder.layer.9.more", (3,), "have encoder.layer.9.more, which"),
        (HEAD_WEIGHTS, "out.bias", (7,), r"out.bias has the shape \(7,\)"),
    ],
)
def test_weights_that_do_not_fit_are_refused(
    file: str, tensor: str, shape: tuple[int, ...] | None, text: str, ours: Checkpoint, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(ours.path, tmp_path / "damaged"))
    tensors = load_file(folder / file)
    tensors.pop(tensor, None)
    save_file(tensors | ({tensor: np.zeros(shape, np.float32)} if shape else {}), folder / file)
    with pytest.raises(UserError, match=f"cannot be loaded: .*{text}"):
        load_numpy_model(inspect_checkpoint(folder))


def numbered(sentence: int) -> Callable[[dict[str, Any]], None]:
    """Changes a tokenizer such that it gives the hypothesis this number."""
    pair, marks = f"[CLS] $A [SEP] $B:{sentence}", [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer = factories.bert_tokenizer()
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", pair, marks)
    return lambda values: values.update(json.loads(tokenizer.to_str()))


@pytest.mark.parametrize(
    ("file", "change", "text"),
    [
        *((CONFIG, lambda values, key=key: values.pop(key), key) for key in ("layer_norm_eps", "type_vocab_size")),
        (CONFIG, lambda values: values.pop("num_attention_heads"), "num_attention_heads"),
        (CONFIG, lambda values: values.update(num_attention_heads=0), "cannot be loaded"),
        (CONFIG, lambda values: values.update(hidden_size=math.inf), "cannot be loaded"),
        (CONFIG, lambda values: values.update(num_hidden_layers=math.inf), "inf layers"),
        (CONFIG, lambda values: values.update(num_hidden_layers=10**9), "1,000,000,000 layers"),
        (TOKENIZER, numbered(5), "cannot be loaded"),
        (TOKENIZER, numbered(300), "cannot be loaded"),
        (TOKENIZER, lambda values: values["model"]["vocab"].update(kelp=10**6), "tokenizer knows 1,000,001 tokens"),
    ],
)
def test_numbers_that_do_not_fit_are_a_sentence_with_torch_and_without(
    file: str, change: Callable[[dict[str, Any]], None], text: str, ours: Checkpoint, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(ours.path, tmp_path / "damaged"))
    values = json.loads((folder / file).read_text())
    change(values)
    (folder / file).write_text(json.dumps(values))
    for load in (load_numpy_predictor, load_predictor):
        with pytest.raises(UserError, match=text):
            load(folder, device="cpu")
