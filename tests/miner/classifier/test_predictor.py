"""Predictions in a process of their own, on whatever device works."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from miner.classifier.checkpoints import Checkpoint
from miner.classifier.device import choose_device
from miner.classifier.encoding import shuffled_order
from miner.classifier.inference import BatchRunner, prepare_network
from miner.classifier.loading import load_model
from miner.classifier.predictor import Predictions, load_predictor
from miner.classifier.recipe import Precision
from miner.errors import UserError
from miner.processes.child import ProcessStartError
from miner.processes.pool import Pool
from tests.miner.classifier import factories

pytestmark = pytest.mark.usefixtures("one_thread")
HOSTILE = [("", ""), ("kelp " * 5_000, "fish " * 5_000), ("\ud800", "\0\n"), ("海藻" * 3_000, "🌊")]


@pytest.mark.parametrize("precision", [Precision.FP32, Precision.BF16])
def test_a_pairs_probabilities_are_the_same_to_the_last_bit_whatever_stands_beside_it(
    ours: Checkpoint, precision: Precision
) -> None:
    device = choose_device("cpu", precision)
    loaded = load_model(ours, device)
    network = prepare_network(loaded.network, device)
    pairs = [*factories.pairs(80), *HOSTILE]

    def judged(some: Sequence[int]) -> np.ndarray:
        return BatchRunner(device, loaded.encoder.pad).run(network, loaded.encoder.encode([pairs[n] for n in some]))

    together = judged(range(len(pairs)))
    assert together.shape == (84, 4)
    for size in (1, 7, 40):
        order = shuffled_order(len(pairs), f"{size}")
        for low in range(0, len(order), size):
            some = order[low : low + size]
            assert np.array_equal(judged(some), together[some])


def test_nothing_is_judged_as_nothing(ours: Checkpoint) -> None:
    assert load_predictor(ours.path, device="cpu")([]).probabilities.shape == (0, 4)


def test_the_temperature_is_the_cards_unless_another_is_asked_for(ours: Checkpoint) -> None:
    pairs = factories.pairs(5)
    own, one, two = (load_predictor(ours.path, None, t, "cpu")(pairs).probabilities for t in (None, 1.0, 2.0))
    assert np.array_equal(own, two)
    assert (one.max(1) > two.max(1)).all()


def test_a_classifier_without_names_is_read_in_the_order_asked_for(tmp_path: Path) -> None:
    folder = factories.bert_classifier(tmp_path / "model", None)
    plain = load_predictor(folder, factories.order("contrasting", "reasoning", "entailment", "neutral"), device="cpu")
    turned = load_predictor(folder, factories.order("neutral", "entailment", "reasoning", "contrasting"), device="cpu")
    pairs = factories.pairs(5)
    assert np.allclose(plain(pairs).probabilities[:, ::-1], turned(pairs).probabilities)
    with pytest.raises(UserError, match="does not say which"):
        load_predictor(folder, device="cpu")


def test_a_process_of_its_own_predicts_and_says_what_it_refuses(ours: Checkpoint, tmp_path: Path) -> None:
    with closing(Pool(partial(load_predictor, ours.path, device="cpu"))) as predicting:
        [(_, found), (_, again)] = list(predicting.run([factories.pairs(3), HOSTILE]))
    assert isinstance(found, Predictions)
    assert isinstance(again, Predictions)
    assert np.isfinite(again.probabilities).all()


def test_a_process_of_its_own_says_what_it_refuses(tmp_path: Path) -> None:
    with (
        closing(Pool(partial(load_predictor, tmp_path / "gone"))) as predicting,
        pytest.raises(ProcessStartError, match="There is no folder") as refused,
    ):
        list(predicting.run([factories.pairs(1)]))
    assert refused.value.failure.kind == "refused"
    assert "model.safetensors" in refused.value.hint


def test_a_driver_that_fails_is_told_and_the_processor_taken(ours: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bool:
        raise RuntimeError("CUDA driver initialization failed, you might not have a CUDA gpu.")

    monkeypatch.setattr("torch.cuda.is_available", fail)
    found = load_predictor(ours.path, device="auto")(factories.pairs(2))
    assert found.device.startswith("processor")
    [note] = found.notes
    assert "CUDA driver initialization failed" in note
    assert "the processor is used" in note


def test_a_driver_that_is_only_warned_of_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def warn() -> bool:
        warnings.warn("CUDA initialization: The NVIDIA driver on your system is too old", stacklevel=1)
        return False

    monkeypatch.setattr("torch.cuda.is_available", warn)
    assert "driver on your system is too old" in choose_device("auto").note


def test_a_card_that_cannot_compute_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one that can")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    found = choose_device("cuda")
    assert (found.kind, "cannot be used" in found.note) == ("cpu", True)


def test_a_card_that_is_not_there_is_told_only_if_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    assert choose_device("auto").note == ""
    assert "no such graphics card" in choose_device("cuda").note
    assert choose_device("cpu") == replace(choose_device("auto"))
    with pytest.raises(UserError, match="no device cuda:7"):
        choose_device("cuda:7")
