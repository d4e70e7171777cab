"""The state of a training as a file, from which another process resumes with the same result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from miner.atomic_files import atomic_file

Tensors = dict[str, torch.Tensor]


@dataclass(slots=True)
class TrainState:
    """`elapsed`: seconds without pauses. `best`: best macro F1. `loss / weight`: running mean of the loss."""

    step: int = 0
    elapsed: float = 0.0
    best: float = -1.0
    epochs_without_gain: int = 0
    loss: float = 0.0
    weight: float = 0.0


def write(path: Path, state: TrainState, tensors: Mapping[str, torch.Tensor], training_id: str) -> None:
    """Write the state, atomically. `OSError` or `SafetensorError` where it cannot be written."""
    numbers = torch.tensor(astuple(state), dtype=torch.float64)
    copied = {name: value.detach().cpu().contiguous() for name, value in {**tensors, "state": numbers}.items()}
    with atomic_file(path) as part:
        save_file(copied, part, metadata={"training": training_id})


def read(path: Path, training_id: str) -> tuple[TrainState, Tensors] | None:
    """The state that `write` wrote; None if it is damaged or has another `training_id`."""
    try:
        with safe_open(path, "pt") as file:
            if (file.metadata() or {}).get("training") != training_id:
                return None
            tensors = {name: file.get_tensor(name).clone() for name in list(file.keys())}
    except (OSError, SafetensorError):
        return None
    step, elapsed, best, epochs_without_gain, loss, weight = tensors.pop("state").tolist()
    return TrainState(int(step), elapsed, best, int(epochs_without_gain), loss, weight), tensors


def with_prefix(tensors: Mapping[str, torch.Tensor], prefix: str) -> Tensors:
    """The tensors with names that begin with the prefix, by their names without it."""
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
