"""Averages the weights of starters that were trained from the same encoder, and calibrates the result.

    python packaging/starter/average.py OUT PAPERS MODEL MODEL...

The average of models that began at the same weights and learned different pairs is better than each of them, and as
fast (Wortsman et al., 2022, "Model soups"). PAPERS: JSON lines of papers that no model has learned from; their mined
pairs give temperature, entropy power and the scores of the card, which is otherwise the first model's.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from make import RECIPE, mined

from miner.classifier import loading, saving
from miner.classifier.calibration import fit_entropy_power, fit_temperature, sharpen
from miner.classifier.checkpoints import ModelCard, inspect_checkpoint
from miner.classifier.device import choose_device, set_threads
from miner.classifier.encoding import Encoder
from miner.classifier.inference import BatchRunner
from miner.classifier.metrics import score_predictions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("papers", type=Path, help="folder of JSON lines")
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--trained-on", default="", help="what the card says of the pairs that were learned")
    parser.add_argument("--work", type=Path, default=Path("build/average"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    set_threads()
    card = inspect_checkpoint(options.models[0]).card
    assert card is not None, "the first model has a card"
    trained_on = options.trained_on or card.trained_on
    average(options.models, replace(card, entropy_power=0.0, trained_on=trained_on), options.out)
    calibrate(options.out, options.papers, options.work)


def average(models: list[Path], card: ModelCard, out: Path) -> None:
    """Save the mean of the models' weights, with the first model's tokenizer."""
    loaded = [loading.start_network(inspect_checkpoint(model), RECIPE) for model in models]
    weights = [network.state_dict() for network, _ in loaded]
    network, tokenizer = loaded[0]
    network.load_state_dict({name: torch.stack([one[name] for one in weights]).mean(0) for name in weights[0]})
    saving.save_model(out, network, tokenizer, card, half=True)


def calibrate(folder: Path, papers: Path, work: Path) -> None:
    """Fit the confidence of a saved model to the distant labels of papers that it has not learned from."""
    examples, _ = mined(papers, work)
    checkpoint = inspect_checkpoint(folder)
    assert checkpoint.card is not None
    network, tokenizer = loading.start_network(checkpoint, RECIPE)
    network.eval()
    device, encoder = choose_device(), Encoder(tokenizer, RECIPE.max_tokens)
    encoded = encoder.encode([(one.premise, one.hypothesis) for one in examples])
    logits = BatchRunner(device, encoder.pad).run(network, encoded)
    gold = np.array([one.label for one in examples])
    power = fit_entropy_power(logits, gold)
    scores = score_predictions(gold, logits.argmax(1))
    print(f"{len(examples):,} pairs: macro F1 {scores.macro_f1:.3f}")
    card = replace(
        checkpoint.card,
        temperature=round(fit_temperature(sharpen(logits, power), gold), 4),
        entropy_power=power,
        metrics={"distant": scores.to_data()},
    )
    saving.save_model(folder, network, tokenizer, card, half=True)


if __name__ == "__main__":
    main()
