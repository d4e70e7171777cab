"""How similar texts are by an encoder of sentences: the cosine of the means of their tokens' states."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from miner.classifier.checkpoints import Checkpoint
from miner.classifier.device import Device
from miner.classifier.encoding import Batch, Encoder
from miner.classifier.inference import BatchRunner
from miner.classifier.loading import start_network, token_limit
from miner.classifier.network import token_states
from miner.classifier.recipe import Recipe

_MAX_TOKENS = 256


def load_similarities(
    checkpoint: Checkpoint, device: Device
) -> Callable[[Sequence[str], Sequence[str]], list[list[float]]]:
    """A function that compares each of the first texts with each of the second; `UserError` as `start_network`.

    Means of all tokens, as of all-MiniLM-L6-v2 (Reimers and Gurevych, Sentence-BERT, EMNLP 2019, section 3).
    """
    network, tokenizer = start_network(checkpoint, Recipe(layers=0), new_head=True)
    network.to(device.kind).eval()
    encoder = Encoder(tokenizer, token_limit(network, _MAX_TOKENS), alone=True)
    runner = BatchRunner(device, encoder.pad)

    def means(batch: Batch) -> torch.Tensor:
        states = token_states(network.encoder, batch, token_types=network.has_token_types)
        mask = batch.mask[:, :, None].to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1).clamp(min=1)
        unit: torch.Tensor = mean / mean.norm(dim=1, keepdim=True).clamp(min=1e-9)
        return unit

    def similarities(texts: Sequence[str], others: Sequence[str]) -> list[list[float]]:
        rows = runner.run(means, encoder.encode([("", text) for text in (*texts, *others)]))
        found: list[list[float]] = (rows[: len(texts)] @ rows[len(texts) :].T).tolist()
        return found

    return similarities
