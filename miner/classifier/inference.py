"""Running a network over batches of pairs; a pair's result does not depend on the others of its batch."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from miner.classifier.device import Device, is_out_of_memory
from miner.classifier.encoding import Batch, Encoded, batch_of, in_shapes
from miner.classifier.examples import LABELS
from miner.classifier.recipe import Precision
from miner.errors import UserError

Array = np.ndarray[Any, np.dtype[np.float32]]

# Of a batch, filled up: larger ones are hardly faster on a processor, and more of the last ones is for nothing.
_TOKENS = {"cpu": 512, "cuda": 8_192, "mps": 4_096}
_PAIRS = 128
_LESS = "Memory ran out: smaller batches were taken."


class Runner:
    """Runs batches, smaller ones once memory ran out; until then results are identical in every run."""

    def __init__(self, device: Device, pad: int, tokens: int | None = None) -> None:
        self.device = device
        self.notes: list[str] = []
        self._pad = pad
        self._tokens = tokens or _TOKENS[device.kind]

    def run(
        self,
        function: Callable[[Batch], torch.Tensor],
        encoded: Encoded,
        tick: Callable[[int], None] = lambda done: None,
    ) -> Array:
        """What `function` makes of every pair, in their order: shape (pairs, whatever it gives). `tick`: pairs done."""
        found: Array | None = None
        todo = self._batches(encoded, range(len(encoded)))
        done = 0
        with torch.inference_mode(), self.device.autocast():
            while todo:
                batch, shape = todo.pop()
                try:
                    rows = function(batch_of(encoded, batch, self._pad, self.device, shape)).float().cpu().numpy()
                except (RuntimeError, MemoryError) as exc:
                    self._take_less(*shape, exc)
                    todo = self._batches(encoded, [*batch, *itertools.chain.from_iterable(rest for rest, _ in todo)])
                    continue
                if found is None:
                    found = np.zeros((len(encoded), rows.shape[1]), np.float32)
                found[batch] = rows[: len(batch)]
                done += len(batch)
                tick(done)
        return np.zeros((0, 0), np.float32) if found is None else found

    def _batches(self, encoded: Encoded, among: Sequence[int]) -> list[tuple[list[int], tuple[int, int]]]:
        """Batches, to be taken from the end: the longest comes first, so that a lack of memory shows at once."""
        return list(in_shapes(encoded, self._tokens, _PAIRS, among))[::-1]

    def _take_less(self, pairs: int, longest: int, exc: Exception) -> None:
        """Use batches of half this one's size from now on."""
        if not is_out_of_memory(exc):
            raise exc
        if pairs == 1:
            hint = "Close other programs, choose a smaller model, or the processor as its device."
            raise UserError("The memory does not suffice for a single pair.", hint=hint) from exc
        if self.device.kind == "cuda":
            torch.cuda.empty_cache()
        self._tokens = pairs // 2 * longest
        if _LESS not in self.notes:
            self.notes.append(_LESS)


def ready(network: nn.Module, device: Device) -> nn.Module:
    """The network for prediction: its matrices are converted once, which autocast would do for every batch."""
    network.eval().requires_grad_(False)
    if device.precision is not Precision.FP32:
        for module in network.modules():
            if isinstance(module, nn.Linear):
                module.to(device.dtype)
    return network


def softmax(logits: Array, temperature: float = 1.0) -> Array:
    """Probabilities; rows sum to 1. As many rows as there are: (0, 4) of none."""
    if not len(logits):
        return np.zeros((0, len(LABELS)), np.float32)
    scaled = logits.astype(np.float64) / temperature
    powers = np.exp(scaled - scaled.max(1, keepdims=True))
    found: Array = (powers / powers.sum(1, keepdims=True)).astype(np.float32)
    return found
