"""The model that comes with the program."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from miner.classifier import loading
from miner.classifier.calibration import apply_temperature, fit_entropy_power, fit_temperature, sharpen, softmax
from miner.classifier.checkpoints import (
    CARD,
    CONFIG,
    HEAD_WEIGHTS,
    STARTER,
    TOKENIZER,
    TOKENIZER_CONFIG,
    WEIGHTS,
    find_checkpoint,
    inspect_checkpoint,
)
from miner.classifier.device import processor
from miner.classifier.encoding import batch_of
from miner.classifier.examples import LABELS
from miner.classifier.predictor import load_predictor
from miner.records import Label

FILES = {"LICENSE", WEIGHTS, HEAD_WEIGHTS, CONFIG, TOKENIZER, TOKENIZER_CONFIG, CARD, "README.md"}
PAIRS = (
    (Label.CONTRASTING, "The old gauges are cheap and sturdy.", "they drift by several centimetres in a year."),
    (Label.CONTRASTING, "Most birds left the island in autumn.", "the gulls stayed through the whole winter."),
    (Label.REASONING, "The samples were stored without cooling for a week.", "we left them out of the analysis."),
    (Label.REASONING, "No wave gauge survived the storm.", "the heights of the largest waves are not known."),
    (Label.ENTAILMENT, "We varied the slope of the beach.", "we used slopes of 2, 4 and 8 degrees."),
    (Label.ENTAILMENT, "Readers profit from wider margins.", "their reading speed rose by five words a minute."),
    (
        Label.NEUTRAL,
        "The valley was settled by farmers in the tenth century.",
        "the loss falls with the learning rate.",
    ),
    (Label.NEUTRAL, "All scripts run on a single processor.", "nesting birds avoid the western cliffs."),
)


def test_it_is_small_whole_and_says_what_it_is() -> None:
    starter = find_checkpoint("starter")
    assert sum(path.stat().st_size for path in STARTER.iterdir()) <= 41_000_000
    assert (STARTER / WEIGHTS).stat().st_size <= 40_000_000
    assert {path.name for path in STARTER.iterdir()} == FILES
    assert starter.labels == LABELS
    assert starter.card is not None
    assert "CC BY" in starter.card.trained_on
    assert starter.card.licence == "Apache-2.0"
    assert str(round(100 * starter.card.metrics["distant"]["macro_f1"])) in (STARTER / "README.md").read_text()


def test_it_tells_most_relations_of_plain_sentences() -> None:
    found = load_predictor(STARTER, device="cpu")(
        [(premise, hypothesis) for _, premise, hypothesis in PAIRS]
    ).probabilities
    predicted = [LABELS[number] for number in found.argmax(1)]
    right = sum(label is mine for (label, _, _), mine in zip(PAIRS, predicted, strict=True))
    assert right >= 5, predicted
    assert np.allclose(found.sum(1), 1, atol=1e-5)


def test_its_confidence_is_sharpened_only_when_it_predicts() -> None:
    starter = inspect_checkpoint(STARTER)
    device = processor()
    loaded = loading.load_model(starter, device)
    network = loaded.network
    encoded = loaded.encoder.encode([(premise, hypothesis) for _, premise, hypothesis in PAIRS])
    batch = batch_of(encoded, range(len(PAIRS)), loaded.encoder.pad, device)
    with torch.inference_mode():
        sharpened = network(batch).numpy()
        network.entropy_power = 0.0
        plain = network(batch).numpy()
    assert starter.card is not None
    assert np.allclose(softmax(sharpened), softmax(sharpen(plain, starter.card.entropy_power)), atol=1e-5)


def test_sharpening_undoes_what_smoothed_labels_did() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 3, (4_000, 4))
    truth = softmax(logits)
    labels = np.array([rng.choice(4, p=row / row.sum()) for row in truth.astype(float)])
    smoothed = np.log(0.9 * truth + 0.1 / 4)
    power = fit_entropy_power(smoothed, labels)
    assert power > 0.05
    sharpened = sharpen(smoothed, power)
    assert (sharpened.argmax(1) == smoothed.argmax(1)).all()

    def loss(scaled: np.ndarray) -> float:
        return -float(np.log(scaled[np.arange(len(labels)), labels]).mean())

    plainly = apply_temperature(softmax(smoothed), fit_temperature(smoothed, labels))
    assert loss(apply_temperature(softmax(sharpened), fit_temperature(sharpened, labels))) < loss(plainly)


@pytest.mark.parametrize("power", [0.0, 0.3])
def test_sharpening_bears_certainty_and_ignorance(power: float) -> None:
    assert np.isfinite(sharpen(np.array([[0.0, -1e9, -1e9, -1e9], [1.0, 1.0, 1.0, 1.0]]), power)).all()
