"""Predictions in a worker process: `setup` is for `miner.processes.pool.Pool`."""

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
    """Probabilities of shape (pairs, 4), rows sum to 1, at the temperature asked for, else the model's own.

    `device` for people; `notes`: what they should know, such as why the graphics card is not used.
    """

    probabilities: Array
    device: str
    notes: tuple[str, ...] = ()


Pairs = Sequence[tuple[str, str]]


def setup(
    path: Path, labels: Sequence[Label] | None = None, temperature: float | None = None, device: str = "auto"
) -> Callable[[Pairs], Predictions]:
    """Load the checkpoint in a folder; returns a function that predicts (premise, hypothesis) pairs.

    `UserError` as `load`, and where torch or what comes with it is not installed.
    """
    require()
    from miner.classifier.checkpoints import inspect
    from miner.classifier.device import choose_device, is_out_of_memory, processor, set_threads
    from miner.classifier.inference import Runner, ready, softmax
    from miner.classifier.loading import load

    set_threads()
    chosen = choose_device(device)
    checkpoint = inspect(path, labels=labels)
    try:
        loaded = load(checkpoint, chosen)
    except (RuntimeError, MemoryError) as exc:
        if chosen.kind == "cpu" or not is_out_of_memory(exc):
            raise
        chosen = processor(note=f"{chosen.name} has no room for the model: the processor is used.")
        loaded = load(checkpoint, chosen)
    network = ready(loaded.network, chosen)
    runner = Runner(chosen, loaded.encoder.pad)
    if chosen.note:
        runner.notes.append(chosen.note)

    def predict(pairs: Pairs) -> Predictions:
        logits = runner.run(network, loaded.encoder.encode(pairs))
        found = softmax(logits, loaded.temperature if temperature is None else temperature)
        return Predictions(found, chosen.name, tuple(dict.fromkeys(runner.notes)))

    return predict
