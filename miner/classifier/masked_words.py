"""Masked words: what an encoder learns from sentences without labels, in intermediate epochs (MSciNLI, section 5).

Source: Devlin et al., BERT (NAACL 2019), section 3.1; drawn anew in every epoch as RoBERTa's (Liu et al., 2019).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import torch
from safetensors import safe_open
from tokenizers import Tokenizer
from torch import nn
from torch.nn.functional import cross_entropy

from miner.classifier.checkpoints import Checkpoint
from miner.classifier.device import Device
from miner.classifier.encoding import Batch, Encoder, batch_of
from miner.classifier.events import TrainEvent
from miner.classifier.examples import TrainingExample
from miner.classifier.masked_word_network import MaskedWordHead, MaskedWordNetwork
from miner.classifier.network import PairNetwork
from miner.classifier.recipe import Balance, Recipe
from miner.classifier.trainer import Trainer
from miner.errors import UserError
from miner.libraries import NDArray, np

Tokens: TypeAlias = "NDArray[np.int64]"
Flags: TypeAlias = "NDArray[np.bool_]"

MASKED_SHARE, AS_MASK, AS_RANDOM = 0.15, 0.8, 0.1
"""Share of the words to predict; of these, shares that are hidden and replaced. The others stay as they are."""
_MASK_TOKENS = ("[MASK]", "<mask>")
_HEAD_TENSORS = {
    "dense.weight": ("predictions.transform.dense.weight", "lm_head.dense.weight", "vocab_transform.weight"),
    "dense.bias": ("predictions.transform.dense.bias", "lm_head.dense.bias", "vocab_transform.bias"),
    "norm.weight": ("predictions.transform.LayerNorm.weight", "lm_head.layer_norm.weight", "vocab_layer_norm.weight"),
    "norm.bias": ("predictions.transform.LayerNorm.bias", "lm_head.layer_norm.bias", "vocab_layer_norm.bias"),
    "bias": ("predictions.bias", "lm_head.bias", "vocab_projector.bias"),
}
"""The head's parameters, and how those of BERT, RoBERTa and DistilBERT end in files of transformers."""


class MaskedWordTrainer(Trainer):
    """Trains a `MaskedWordNetwork` on the words of examples, whatever their labels."""

    def __init__(self, network: MaskedWordNetwork, encoder: Encoder, tokenizer: Tokenizer, *args: Any, **options: Any):
        super().__init__(network, encoder, *args, **options)
        special = {number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special}
        self._ordinary = np.array([n for n in range(encoder.words) if n not in special], np.int64)
        mask = _mask_number(tokenizer)
        assert mask is not None
        self._mask = mask

    def _gradients(self, batch: list[int]) -> float:
        whole = batch_of(self._encoded, batch, self.encoder.pad, self._device)
        draw = np.random.default_rng((self._recipe.seed, self._state.step))
        numbers, readable = whole.tokens.cpu().numpy(), whole.sentences.cpu().numpy() > 0
        shown, chosen = mask_words(numbers, readable, self._mask, self._ordinary, draw)
        tokens, places = (torch.from_numpy(values).to(self._device.kind) for values in (shown, chosen))
        count = max(1, int(chosen.sum()))
        total = 0.0
        part_size = math.ceil(len(batch) / self._batch_parts)
        for low in range(0, len(batch), part_size):
            rows = slice(low, low + part_size)
            part = Batch(tokens[rows], whole.types[rows], whole.sentences[rows], whole.mask[rows])
            with self._device.autocast():
                logits = self._network(part, places[rows])
            loss = cross_entropy(logits, whole.tokens[rows][places[rows]], reduction="sum") / count
            self._scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        return total


def train_masked_words(
    start: Checkpoint,
    network: PairNetwork,
    tokenizer: Tokenizer,
    encoder: Encoder,
    examples: Sequence[TrainingExample],
    recipe: Recipe,
    device: Device,
    *,
    emit: Callable[[TrainEvent], None],
    should_stop: Callable[[], bool],
    state_path: Path,
) -> nn.Module:
    """Train the encoder of `network` on the words of the examples; return it. `TrainingStopped` as a `Trainer`.

    The head is the checkpoint's own where it has one, else a new one. A recipe that freezes the embeddings freezes the
    decoder with them, since it is the same matrix: the layers between, the head's dense layer and its bias learn.
    `UserError` where the model has no token for a hidden word.
    """
    if _mask_number(tokenizer) is None:
        hint = 'Choose another encoder, or objective = "labels".'
        raise UserError(f"The model {start.name} has no token for a masked word.", hint=hint)
    torch.manual_seed(recipe.seed)
    words = network.encoder.get_input_embeddings().weight  # type: ignore[operator]
    epsilon = getattr(network.config, "layer_norm_eps", 1e-12)
    head = MaskedWordHead(network.config.hidden_size, len(words), words.shape[1], epsilon)
    load_stored_head(start.path, head)
    trainer = MaskedWordTrainer(
        MaskedWordNetwork(network.encoder, head, token_types=network.has_token_types),
        encoder,
        tokenizer,
        [replace(example, dev=False) for example in examples],
        replace(recipe, balance=Balance.NONE, two_stage=False, patience=0),
        device,
        emit=emit,
        should_stop=should_stop,
        state_path=state_path,
        stage="masked words",
    )
    trainer.run()
    return network.encoder


def mask_words(
    tokens: Tokens, readable: Flags, mask: int, ordinary: Tokens, draw: np.random.Generator
) -> tuple[Tokens, Flags]:
    """The tokens with some of them hidden or replaced, and which tokens are to be predicted; both of the given shape.

    readable: which tokens are words of a sentence; only these are chosen. ordinary: the tokens that replace words.
    """
    chosen = readable & (draw.random(tokens.shape) < MASKED_SHARE)
    fate = draw.random(tokens.shape)
    others = ordinary[draw.integers(0, len(ordinary), tokens.shape)]
    hidden = np.where(fate < AS_MASK, mask, np.where(fate < AS_MASK + AS_RANDOM, others, tokens))
    return np.where(chosen, hidden, tokens), chosen


def _mask_number(tokenizer: Tokenizer) -> int | None:
    return next((number for token in _MASK_TOKENS if (number := tokenizer.token_to_id(token)) is not None), None)


def load_stored_head(folder: Path, head: MaskedWordHead) -> bool:
    """Load the head's parameters from a checkpoint of transformers; False if it has no head that fits."""
    found: dict[str, torch.Tensor] = {}
    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, "pt") as tensors:
            for name in tensors.keys():  # noqa: SIM118  it is no dictionary
                if short := next((ours for ours, theirs in _HEAD_TENSORS.items() if name.endswith(theirs)), None):
                    found[short] = tensors.get_tensor(name).float()
    shapes = {name: value.shape for name, value in head.state_dict().items()}
    if {name: value.shape for name, value in found.items()} != shapes:
        return False
    head.load_state_dict(found)
    return True
