"""Predictions in a worker process; `setup` is the `setup` of a `miner.processes.pool.Pool`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from miner.classifier.libraries import require
from miner.records import Label

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class Predictions:
    """Probabilities of shape (pairs, 4); rows sum to 1.

    `device`: its name for users. `notes`: sentences for users, such as why the graphics card is not used.
    """

    probabilities: Array
    device: str
    notes: tuple[str, ...] = ()


Pairs = Sequence[tuple[str, str]]


def setup(
    path: Path, labels: Sequence[Label] | None = None, temperature: float | None = None, device: str = "auto"
) -> Callable[[Pairs], Predictions]:
    """Load the checkpoint in a folder; return a function that predicts (premise, hypothesis) pairs.

    `temperature`: by default the model's own. `UserError` as `load`, and where a library is not installed.
    """
    require()
    from miner.classifier.checkpoints import inspect
    from miner.classifier.device import choose_device, is_out_of_memory, processor, set_threads
    from miner.classifier.inference import Runner, ready, softmax
    from miner.classifier.loading import load

    set_threads()
    selected_device = choose_device(device)
    checkpoint = inspect(path, labels=labels)
    try:
        loaded = load(checkpoint, selected_device)
    except (RuntimeError, MemoryError) as exc:
        if selected_device.kind == "cpu" or not is_out_of_memory(exc):
            raise
        selected_device = processor(note=f"{selected_device.name} has no room for the model: the processor is used.")
        loaded = load(checkpoint, selected_device)
    network = ready(loaded.network, selected_device)
    runner = Runner(selected_device, loaded.encoder.pad)
    if selected_device.note:
        runner.notes.append(selected_device.note)

    def predict(pairs: Pairs) -> Predictions:
        logits = runner.run(network, loaded.encoder.encode(pairs))
        probabilities = softmax(logits, loaded.temperature if temperature is None else temperature)
        return Predictions(probabilities, selected_device.name, tuple(dict.fromkeys(runner.notes)))

    return predict
