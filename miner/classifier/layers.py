"""The embedding of a pair at each layer of a model (TaxiNLI, section 5).

A pair's embedding at a layer is the maximum of the hidden states over all of its tokens, beside the state of the token
for the whole pair ([CLS]). Layer 0 is the word embeddings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from miner.classifier.checkpoints import Checkpoint
from miner.errors import UserError
from miner.libraries import np

if TYPE_CHECKING:
    import torch

    from miner.classifier.encoding import Batch
    from miner.classifier.loading import LoadedEncoder

    Array = np.ndarray[Any, np.dtype[np.float32]]


def write_layer_states(
    checkpoint: Checkpoint,
    pairs: Sequence[tuple[str, str]],
    path: Path,
    device: str = "auto",
    tick: Callable[[int], None] = lambda done: None,
) -> Array:
    """Write the states of all pairs to a file: float32 of shape (pairs, layers + 1, 2 * width), mapped into memory.

    The first half of a state is the maximum, the second the [CLS] token's. They are computed in float32, batch by
    batch, and do not depend on the other pairs. `tick` receives the number of pairs done. There must be a pair.

    `UserError` where the model cannot be loaded.
    """

    from miner.classifier.device import choose_device, set_threads
    from miner.classifier.encoding import batch_of
    from miner.classifier.inference import BatchRunner, prepare_network
    from miner.classifier.loading import load_encoder
    from miner.classifier.recipe import Precision

    set_threads()
    chosen = choose_device(device, Precision.FP32)
    loaded = load_encoder(checkpoint, chosen)
    prepare_network(loaded.network, chosen)
    runner = BatchRunner(chosen, loaded.encoder.pad)
    encoded = loaded.encoder.encode(pairs)

    def states(batch: Batch) -> torch.Tensor:
        return pooled_states(loaded, batch).flatten(1)

    layers, size = _shape(checkpoint, loaded, batch_of(encoded, [0], loaded.encoder.pad, chosen))
    found = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(len(pairs), layers, size))
    runner.run(states, encoded, tick, into=found.reshape(len(pairs), layers * size))
    return found


def pooled_states(loaded: LoadedEncoder, batch: Batch) -> torch.Tensor:
    """Each layer's maximum over a pair's tokens, and its [CLS] state: shape (pairs, layers + 1, 2 * width)."""
    import torch

    types: dict[str, Any] = {"token_type_ids": batch.types} if loaded.token_types else {}
    given = loaded.network(batch.tokens, attention_mask=batch.mask.long(), output_hidden_states=True, **types)
    padding = ~batch.mask.bool().unsqueeze(-1)
    first = batch.mask.sum(1) - 1 if loaded.first_is_last else torch.zeros_like(batch.mask.sum(1))
    rows = torch.arange(len(first), device=first.device)
    pooled = [
        torch.cat([states.masked_fill(padding, -torch.inf).amax(1), states[rows, first]], -1)
        for states in given.hidden_states
    ]
    return torch.stack(pooled, 1).float()


def _shape(checkpoint: Checkpoint, loaded: LoadedEncoder, batch: Batch) -> tuple[int, int]:
    """How many layers there are, with the word embeddings, and how wide a pair's state is."""
    import torch

    try:
        with torch.inference_mode():
            _, layers, size = pooled_states(loaded, batch).shape
    except (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError) as exc:
        what = f"The layers of {checkpoint.name} cannot be read: {' '.join(str(exc).split())[:200]}."
        raise UserError(what, hint="Choose an encoder for text, such as BERT or RoBERTa.") from exc
    return layers, size
