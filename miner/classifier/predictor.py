"""Predictions in a worker process; `load_predictor` is the `setup` of a `miner.processes.pool.Pool`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from miner.classifier.libraries import import_libraries, missing_library
from miner.libraries import np
from miner.processes.pool import worker_count
from miner.records import Label

if TYPE_CHECKING:
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

    `temperature`: by default the model's own. Without torch, numpy computes, which only models of ours allow.
    `UserError` as from `load_model`, and where a library is not installed.
    """
    if missing_library() is not None:
        return load_numpy_predictor(path, labels, temperature, device)
    import_libraries()
    from miner.classifier.calibration import softmax
    from miner.classifier.checkpoints import inspect_checkpoint
    from miner.classifier.device import choose_device, is_out_of_memory, processor, set_threads
    from miner.classifier.inference import BatchRunner, prepare_network
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


def load_numpy_predictor(
    path: Path, labels: Sequence[Label] | None = None, temperature: float | None = None, device: str = "auto"
) -> Callable[[Pairs], Predictions]:
    """`load_predictor` without torch: on the processor, with numpy."""
    from miner.classifier.calibration import softmax
    from miner.classifier.checkpoints import inspect_checkpoint
    from miner.classifier.numpy_model import ARITHMETIC, load_numpy_model

    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    model = load_numpy_model(inspect_checkpoint(path, labels=labels))
    threads = worker_count()
    name = f"processor, {threads} threads, numpy"
    missing = None if device in ("auto", "cpu") else missing_library("A graphics card")
    notes = () if missing is None else (f"{missing} The processor is used.",)

    def predict(pairs: Pairs) -> Predictions:
        logits = model.logits(pairs, threads)
        probabilities = softmax(logits, model.temperature if temperature is None else temperature)
        return Predictions(probabilities, name, notes, ARITHMETIC)

    return predict
