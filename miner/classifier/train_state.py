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
    """elapsed: seconds without pauses. best: macro F1, 0.0 to 1.0, and epochs `since`. loss / weight: running mean."""

    step: int = 0
    elapsed: float = 0.0
    best: float = -1.0
    since: int = 0
    loss: float = 0.0
    weight: float = 0.0


def write(path: Path, state: TrainState, tensors: Mapping[str, torch.Tensor], mark: str) -> None:
    """Atomic; `mark` identifies the training. `OSError` or `SafetensorError` where it cannot be written."""
    numbers = torch.tensor(astuple(state), dtype=torch.float64)
    copied = {name: value.detach().cpu().contiguous() for name, value in {**tensors, "state": numbers}.items()}
    with atomic_file(path) as part:
        save_file(copied, part, metadata={"training": mark})


def read(path: Path, mark: str) -> tuple[TrainState, Tensors] | None:
    """What `write` wrote; None where it is damaged, or of a training with another mark."""
    try:
        with safe_open(path, "pt") as file:
            if (file.metadata() or {}).get("training") != mark:
                return None
            tensors = {name: file.get_tensor(name).clone() for name in list(file.keys())}
    except (OSError, SafetensorError):
        return None
    step, elapsed, best, since, loss, weight = tensors.pop("state").tolist()
    return TrainState(int(step), elapsed, best, int(since), loss, weight), tensors


def named(tensors: Mapping[str, torch.Tensor], prefix: str) -> Tensors:
    """The tensors whose name begins with the prefix, by their name without it."""
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
