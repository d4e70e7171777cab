"""Fits what a starter's card says of its confidence to pairs that people labelled, and that it has not learned.

    python packaging/starter/calibrate.py MODEL SCINLI [--mined WORK/mined.npz]

SCINLI holds the 2,000 pairs of SciNLI's train set (train_1.tsv, train_2.tsv); its dev set is what is reported, by
`python -m tests.bench classifier doubt conformal`. With `--mined`, a set that `read_papers.py` made of papers that it
has not learned from, the card gets its scores on their distant labels. Only the card changes: temperature and entropy
power, the power of each class's doubts, and when a suggestion names two classes or none.

Of these, class biases, vector scaling and Dirichlet calibration with off-diagonal regularisation were tried too. They
had a better likelihood in cross-validation on SciNLI, and a worse one on pairs of another field (papers of NLP whose
licence is not free, by their distant labels): the bias of a class is another one there.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from finish import MAX_TOKENS

from miner.classifier import loading, saving
from miner.classifier.calibration import fit_entropy_power, fit_temperature, sharpen, softmax
from miner.classifier.checkpoints import inspect_checkpoint
from miner.classifier.conformal import least_probabilities
from miner.classifier.device import choose_device, set_threads
from miner.classifier.doubt import fit_evidence
from miner.classifier.encoding import Encoded
from miner.classifier.examples import LABELS
from miner.classifier.inference import BatchRunner, prepare_network
from miner.classifier.metrics import score_predictions
from miner.label_precision import PUBLISHED_PRECISION

MISSED_PERCENTS = (5, 10, 20, 30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("scinli", type=Path)
    parser.add_argument("--mined", type=Path, help="file of pairs to measure on")
    options = parser.parse_args()
    set_threads()
    pairs, gold = read_pairs(options.scinli)
    device = choose_device("cpu")
    loaded = loading.load_model(inspect_checkpoint(options.model), device)
    loaded.network.entropy_power = 0.0  # type: ignore[assignment]
    network = prepare_network(loaded.network, device)
    runner = BatchRunner(device, loaded.encoder.pad)
    if options.mined:
        data = np.load(options.mined)
        encoded = Encoded(*(data[name] for name in ("tokens", "types", "sentences", "ends")), limit=MAX_TOKENS)
        scores = score_predictions(data["labels"].astype(np.int64), runner.run(network, encoded).argmax(1))
        saving.update_card(options.model, metrics={"distant": scores.to_data()})
    logits = runner.run(network, loaded.encoder.encode(pairs))
    power = fit_entropy_power(logits, gold)
    temperature = round(fit_temperature(sharpen(logits, power), gold), 4)
    exact = softmax(sharpen(logits, power), temperature)
    evidence = fit_evidence(exact, gold, [PUBLISHED_PRECISION[label] for label in LABELS])
    saving.update_card(
        options.model,
        temperature=temperature,
        entropy_power=power,
        evidence=tuple(round(one, 3) for one in evidence),
        least_probabilities={
            str(percent): tuple(round(share, 4) for share in least_probabilities(exact, gold, percent / 100))
            for percent in MISSED_PERCENTS
        },
    )


def read_pairs(folder: Path) -> tuple[list[tuple[str, str]], np.ndarray]:
    """The pairs, and their labels as indices of `LABELS`."""
    names = [label.value for label in LABELS]
    rows = []
    for name in ("train_1.tsv", "train_2.tsv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            rows += list(csv.DictReader(file, delimiter="\t"))
    pairs = [(row["sentence1"], row["sentence2"]) for row in rows]
    return pairs, np.array([names.index(row["label"]) for row in rows])


if __name__ == "__main__":
    main()
