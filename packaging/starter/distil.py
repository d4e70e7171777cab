"""Trains a starter further on the labels and on its own probabilities, half and half: what a label says that the model
thinks impossible counts for less. Takes the mean of the weights over the last steps.

    python packaging/starter/distil.py START PAPERS OUT [--pairs 72000]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from make import RECIPE, mined
from torch.nn import functional

from miner.classifier import loading, saving
from miner.classifier.checkpoints import inspect_checkpoint
from miner.classifier.device import choose_device, set_threads
from miner.classifier.encoding import Encoder, batch_of
from miner.classifier.examples import LABELS
from miner.classifier.inference import BatchRunner
from miner.classifier.network import embeddings

PAIRS_PER_CLASS = 23_000
RATE, HEAD_FACTOR, SMOOTHING, WARMUP = 1.5e-4, 2.0, 0.03, 0.06
KEPT_PER_STEP = 0.9985  # of the mean weights
SEED = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("start", type=Path)
    parser.add_argument("papers", type=Path, help="folder of JSON lines")
    parser.add_argument("out", type=Path)
    parser.add_argument("--pairs", type=int, default=72_000)
    parser.add_argument("--work", type=Path, default=Path("build/starter"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    set_threads()
    random = np.random.default_rng(SEED)
    examples, _ = mined(options.papers, options.work)
    labels = np.array([example.label for example in examples])
    classes = [random.permutation(np.flatnonzero(labels == label))[:PAIRS_PER_CLASS] for label in range(len(LABELS))]

    checkpoint, device = inspect_checkpoint(options.start), choose_device()
    assert checkpoint.card is not None, "it starts from a starter"
    network, tokenizer = loading.start_network(checkpoint, RECIPE)
    encoder = Encoder(tokenizer, RECIPE.max_tokens)
    encoded = encoder.encode([(one.premise, one.hypothesis) for one in examples])
    network.eval()
    own = torch.from_numpy(BatchRunner(device, encoder.pad).run(network, encoded)).softmax(-1)

    for parameter in embeddings(network.encoder):
        parameter.requires_grad_(False)
    head = list(network.head.parameters())
    body = [one for one in network.encoder.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": body}, {"params": head}], lr=RATE, weight_decay=RECIPE.weight_decay, fused=True
    )
    mean = {name: value.clone() for name, value in network.state_dict().items()}
    steps = options.pairs // RECIPE.batch_pairs
    network.train()
    for step, batch in enumerate(draw_batches(classes, encoded.lengths, steps, random)):
        done = (step + 1) / steps
        rate = RATE * (done / WARMUP if done < WARMUP else (1 - done) / (1 - WARMUP))
        for group, factor in zip(optimizer.param_groups, (1.0, HEAD_FACTOR), strict=True):
            group["lr"] = rate * factor
        optimizer.zero_grad(set_to_none=True)
        with device.autocast():
            logits = network(batch_of(encoded, batch, encoder.pad, device)).float()
        by_label = functional.cross_entropy(logits, torch.from_numpy(labels[batch]), label_smoothing=SMOOTHING)
        ((by_label + functional.cross_entropy(logits, own[batch])) / 2).backward()
        torch.nn.utils.clip_grad_norm_([*body, *head], 1.0)
        optimizer.step()
        kept = min(KEPT_PER_STEP, (step + 1) / (step + 10))
        for name, value in network.state_dict().items():
            mean[name].mul_(kept).add_(value, alpha=1 - kept)
        if step % 100 == 99:
            print(f"{step + 1:,} of {steps:,} steps", flush=True)
    network.load_state_dict(mean)
    saving.save_model(options.out, network, tokenizer, checkpoint.card, half=True)


def draw_batches(classes, lengths, steps, random):  # type: ignore[no-untyped-def]
    """Batches with as many pairs of each class on average, of similar length, without end of a class."""
    waiting: list[list[int]] = [[] for _ in classes]
    for _ in range(0, steps, 50):
        drawn: list[int] = []
        for label, pairs in enumerate(classes):
            while len(waiting[label]) < 50 * RECIPE.batch_pairs // len(classes):
                waiting[label] += random.permutation(pairs).tolist()
            taken = 50 * RECIPE.batch_pairs // len(classes)
            drawn += waiting[label][:taken]
            del waiting[label][:taken]
        order = np.array(drawn)[np.argsort(lengths[drawn] + random.uniform(0, 4, len(drawn)), kind="stable")]
        for batch in random.permutation(order.reshape(50, -1)):
            yield batch.tolist()


if __name__ == "__main__":
    main()
