"""Predictions in a worker process; `load_predictor` is the `setup` of a `miner.processes.pool.Pool`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from miner.classifier.libraries import import_libraries
from miner.records import Label

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class Predictions:
    """Probabilities of shape (pairs, 4); rows sum to 1.

    `device`: its name for users. `notes`: sentences for users, such as why the graphics card is not used.
    `arithmetic`: as `Device.arithmetic`.
    """

    probabilities: Array
    device: str
    notes: tuple[str, ...] = ()
    arithmetic: str = ""


Pairs = Sequence[tuple[str, str]]


def load_predictor(
    path: Path, labels: Sequence[Label] | None = None, temperature: float | None = None, device: str = "auto"
) -> Callable[[Pairs], Predictions]:
    """Load the checkpoint in a folder; return a function that predicts (premise, hypothesis) pairs.

    `temperature`: by default the model's own. `UserError` as `load_model`, and where a library is not installed.
    """
    import_libraries()
    from miner.classifier.checkpoints import inspect_checkpoint
    from miner.classifier.device import choose_device, is_out_of_memory, processor, set_threads
    from miner.classifier.inference import BatchRunner, prepare_network, softmax
    from miner.classifier.loading import load_model

    set_threads()
    selected_device = choose_device(device)
    checkpoint = inspect_checkpoint(path, labels=labels)
    try:
        loaded = load_model(checkpoint, selected_device)
    except (RuntimeError, MemoryError) as exc:
        if selected_device.kind == "cpu" or not is_out_of_memory(exc):
            raise
        selected_device = processor(note=f"{selected_device.name} has too little memory: the processor is used.")
        loaded = load_model(checkpoint, selected_device)
    network = prepare_network(loaded.network, selected_device)
    runner = BatchRunner(selected_device, loaded.encoder.pad)
    if selected_device.note:
        runner.notes.append(selected_device.note)

    def predict(pairs: Pairs) -> Predictions:
        logits = runner.run(network, loaded.encoder.encode(pairs))
        probabilities = softmax(logits, loaded.temperature if temperature is None else temperature)
        notes = tuple(dict.fromkeys(runner.notes))
        return Predictions(probabilities, selected_device.name, notes, selected_device.arithmetic)

    return predict
