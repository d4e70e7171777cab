"""Runs a network on batches of pairs. The result of a pair does not depend on the other pairs of its batch."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TypeAlias

import torch
from torch import nn

from miner.classifier.device import Device, is_out_of_memory
from miner.classifier.encoding import Batch, Encoded, batch_of, padded_batches
from miner.classifier.recipe import Precision
from miner.errors import UserError
from miner.libraries import NDArray, np

Array: TypeAlias = "NDArray[np.float32]"

# With padding. Larger batches are hardly faster on a processor, and more of the last ones is padding.
_MAX_TOKENS_PER_BATCH = {"cpu": 512, "cuda": 8_192, "mps": 4_096}
_MAX_PAIRS_PER_BATCH = 128
_SMALLER_BATCHES_NOTE = "Memory ran out: smaller batches were used."


class BatchRunner:
    """Runs batches, and smaller ones after memory ran out; until then the results are the same in every run."""

    def __init__(self, device: Device, pad: int, tokens: int | None = None) -> None:
        self.device = device
        self.notes: list[str] = []
        self._pad = pad
        self._tokens = tokens or _MAX_TOKENS_PER_BATCH[device.kind]

    def run(
        self,
        function: Callable[[Batch], torch.Tensor],
        encoded: Encoded,
        tick: Callable[[int], None] = lambda done: None,
        *,
        into: Array | None = None,
    ) -> Array:
        """The results of `function` for all pairs, in order: (pairs, n). `tick` receives the number of pairs done.

        into: where to put the results, such as a file that is mapped into memory.
        """
        result = into
        batches = self._batches(encoded, range(len(encoded)))
        done = 0
        with torch.inference_mode(), self.device.autocast():
            while batches:
                batch, shape = batches.pop()
                try:
                    rows = function(batch_of(encoded, batch, self._pad, self.device, shape)).float().cpu().numpy()
                except (RuntimeError, MemoryError) as exc:
                    self._use_smaller_batches(*shape, exc)
                    batches = self._batches(
                        encoded, [*batch, *itertools.chain.from_iterable(rest for rest, _ in batches)]
                    )
                    continue
                if result is None:
                    result = np.zeros((len(encoded), rows.shape[1]), np.float32)
                result[batch] = rows[: len(batch)]
                done += len(batch)
                tick(done)
        return np.zeros((0, 0), np.float32) if result is None else result

    def _batches(self, encoded: Encoded, among: Sequence[int]) -> list[tuple[list[int], tuple[int, int]]]:
        """Batches in reverse order: the longest is last and is run first, so that a lack of memory shows at once."""
        return list(padded_batches(encoded, self._tokens, _MAX_PAIRS_PER_BATCH, among))[::-1]

    def _use_smaller_batches(self, pairs: int, longest: int, exc: Exception) -> None:
        """From now on use batches of half this size."""
        if not is_out_of_memory(exc):
            raise exc
        if pairs == 1:
            hint = "Close other programs, choose a smaller model, or the processor as its device."
            raise UserError("There is not enough memory for a single pair.", hint=hint) from exc
        if self.device.kind == "cuda":
            torch.cuda.empty_cache()
        self._tokens = pairs // 2 * longest
        if _SMALLER_BATCHES_NOTE not in self.notes:
            self.notes.append(_SMALLER_BATCHES_NOTE)


def prepare_network(network: nn.Module, device: Device) -> nn.Module:
    """Prepare the network for prediction. Weights are converted once; autocast would convert them for every batch."""
    network.eval().requires_grad_(False)
    if device.precision is not Precision.FP32:
        for module in network.modules():
            if isinstance(module, nn.Linear):
                module.to(device.dtype)
    return network
