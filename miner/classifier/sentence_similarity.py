"""The similarity of texts by a sentence encoder: the cosine between the means of their tokens' states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch

from miner.classifier.checkpoints import Checkpoint
from miner.classifier.device import Device
from miner.classifier.encoding import Batch, Encoder
from miner.classifier.inference import BatchRunner
from miner.classifier.loading import start_network, token_limit
from miner.classifier.network import token_states
from miner.classifier.recipe import Recipe
from miner.libraries import NDArray, np

_MAX_TOKENS = 256

Array: TypeAlias = "NDArray[np.float32]"
Embed = Callable[[Sequence[str], Callable[[int], None]], Array]
"""From texts, and what hears how many are done, to unit vectors, (texts, width)."""


def load_embeddings(checkpoint: Checkpoint, device: Device) -> Embed:
    """A function that embeds texts; `UserError` as `start_network`.

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

    def embed(texts: Sequence[str], tick: Callable[[int], None]) -> Array:
        return runner.run(means, encoder.encode([("", text) for text in texts]), tick)

    return embed


def load_similarities(
    checkpoint: Checkpoint, device: Device
) -> Callable[[Sequence[str], Sequence[str]], list[list[float]]]:
    """A function that compares each of the first texts with each of the second; `UserError` as `start_network`."""
    embed = load_embeddings(checkpoint, device)

    def similarities(texts: Sequence[str], others: Sequence[str]) -> list[list[float]]:
        rows = embed([*texts, *others], lambda done: None)
        found: list[list[float]] = (rows[: len(texts)] @ rows[len(texts) :].T).tolist()
        return found

    return similarities


class CosinePredictor:
    """Predicts the first of `classes` classes with the similarity of a pair's sentences, 0 to 1, as its probability."""

    def __init__(self, checkpoint: Checkpoint, device: Device, classes: int) -> None:
        self._embed, self._classes = load_embeddings(checkpoint, device), classes

    def predict(self, pairs: Sequence[tuple[str, str]], tick: Callable[[int, int, str], None]) -> NDArray[Any]:
        """Probabilities, (pairs, classes); the other classes share the rest equally."""
        texts = {text: place for place, text in enumerate(dict.fromkeys(text for pair in pairs for text in pair))}
        found = np.zeros((len(pairs), self._classes), np.float32)
        if pairs:
            rows = self._embed(list(texts), lambda done: tick(done, len(texts), "embedding"))
            sides = (rows[[texts[pair[side]] for pair in pairs]] for side in range(2))
            cosines = np.einsum("ij,ij->i", *sides)
            found[:, 0] = np.clip((1 + cosines) / 2, 0, 1)
            found[:, 1:] = ((1 - found[:, 0]) / (self._classes - 1))[:, None]
        return found
