"""Models of ours without torch: their files are read as they are, and pairs are predicted in threads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import NamedTuple, TypeAlias

from safetensors import SafetensorError
from safetensors.numpy import load_file
from threadpoolctl import threadpool_limits

from miner.classifier.calibration import sharpen
from miner.classifier.checkpoints import (
    CONFIG,
    HEAD_WEIGHTS,
    POOLER_TENSORS,
    TRIAL_PAIRS,
    WEIGHTS,
    Checkpoint,
    ModelCard,
    is_plain_bert,
    load_error,
    require_own_classes,
)
from miner.classifier.encoding import Encoder, load_tokenizer, position_limit
from miner.classifier.numpy_network import Array, NumpyNetwork, Weights
from miner.classifier.recipe import Head
from miner.installation import extra_error
from miner.libraries import NDArray, np

ARITHMETIC = "cpu fp32 numpy"
"""As `Device.arithmetic`."""

_TOKENS_PER_BATCH = 512
_LOAD_ERRORS = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    ArithmeticError,
    SafetensorError,
)

Indices: TypeAlias = "NDArray[np.int64]"


class NumpyModel(NamedTuple):
    """A network, the encoder of its input, and of its card the temperature and the power for `sharpen`."""

    network: NumpyNetwork
    encoder: Encoder
    temperature: float
    entropy_power: float

    def logits(self, pairs: Sequence[tuple[str, str]], threads: int) -> Array:
        """Logits, (pairs, classes). A pair's logits are the same to the last digit whatever other pairs are given."""
        encoded = self.encoder.encode(pairs)
        result = np.zeros((len(pairs), self.network.classes), np.float32)

        def run(batch: Indices) -> None:
            places = encoded.ends[batch, None] - np.arange(encoded.lengths[batch[0]], 0, -1)
            result[batch] = self.network.logits(
                encoded.tokens[places], encoded.types[places], encoded.sentences[places]
            )

        with threadpool_limits(1, "blas"), ThreadPoolExecutor(threads) as pool:
            for _ in pool.map(run, _batches(encoded.lengths)):
                pass  # what a batch raises is raised here
        return sharpen(result, self.entropy_power).astype(np.float32) if self.entropy_power and len(result) else result


def load_numpy_model(checkpoint: Checkpoint) -> NumpyModel:
    """Load a model of ours with a plain BERT; `UserError` for other models, which need torch, and for damaged ones."""
    card = checkpoint.card
    try:
        config = json.loads((checkpoint.path / CONFIG).read_text(encoding="utf-8"))
        if card is None or not is_plain_bert(config):
            raise extra_error("models", "torch", f"The model {checkpoint.name}")
        network = _network(checkpoint, card, config)
    except _LOAD_ERRORS as exc:
        raise load_error(checkpoint, exc) from exc
    require_own_classes(checkpoint)
    limit = position_limit(SimpleNamespace(**config), card.max_tokens)
    tokenizer = load_tokenizer(checkpoint.path)
    encoder = Encoder(tokenizer, limit, hypothesis_only=card.hypothesis_only, cut=card.cut, alone=card.alone)
    if encoder.words > network.words:
        what = f"its tokenizer knows {encoder.words:,} tokens, its network {network.words:,}"
        raise load_error(checkpoint, ValueError(what))
    model = NumpyModel(network, encoder, card.temperature, card.entropy_power)
    try:
        model.logits(TRIAL_PAIRS, threads=1)
    except _LOAD_ERRORS as exc:
        raise load_error(checkpoint, exc) from exc
    return model


def _network(checkpoint: Checkpoint, card: ModelCard, config: dict[str, object]) -> NumpyNetwork:
    encoder = load_file(checkpoint.path / WEIGHTS)
    if (checkpoint.path / HEAD_WEIGHTS).is_file():
        head = load_file(checkpoint.path / HEAD_WEIGHTS)
        for name in POOLER_TENSORS:  # kept for transformers alone
            encoder.pop(name, None)
    else:  # a model of an earlier version: one file
        head = {name.removeprefix("head."): encoder.pop(name) for name in [*encoder] if name.startswith("head.")}
        encoder = {name.removeprefix("encoder."): tensor for name, tensor in encoder.items()}
    return NumpyNetwork(
        config, Weights(encoder), Weights(head), Head(card.head), len(card.labels), token_types=card.token_types
    )


def _batches(lengths: Indices) -> Iterator[Indices]:
    """Batches of pairs with the same number of tokens, the longest first."""
    for length in np.unique(lengths)[::-1].tolist():
        same = np.flatnonzero(lengths == length)
        size = max(1, _TOKENS_PER_BATCH // length)
        yield from (same[start : start + size] for start in range(0, len(same), size))
