"""How far a training is, as a file: the next process goes on from it as if nothing had happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from miner.writing import whole_file

Tensors = dict[str, torch.Tensor]


@dataclass(slots=True)
class State:
    """`elapsed` in seconds, pauses left out; `best` macro F1, and epochs `since` then; the loss of late is `loss` by
    `weight`.
    """

    step: int = 0
    elapsed: float = 0.0
    best: float = -1.0
    since: int = 0
    loss: float = 0.0
    weight: float = 0.0


def write(path: Path, state: State, tensors: Mapping[str, torch.Tensor], mark: str) -> None:
    """What was there before stays until the new file is whole. `OSError` or `SafetensorError` where it cannot be."""
    numbers = torch.tensor(astuple(state), dtype=torch.float64)
    copied = {name: value.detach().cpu().contiguous() for name, value in {**tensors, "state": numbers}.items()}
    with whole_file(path) as part:
        save_file(copied, part, metadata={"training": mark})


def read(path: Path, mark: str) -> tuple[State, Tensors] | None:
    """What `write` wrote; None where it is damaged, or of a training with another mark."""
    try:
        with safe_open(path, "pt") as file:
            if (file.metadata() or {}).get("training") != mark:
                return None
            tensors = {name: file.get_tensor(name).clone() for name in list(file.keys())}
    except (OSError, SafetensorError):
        return None
    step, elapsed, best, since, loss, weight = tensors.pop("state").tolist()
    return State(int(step), elapsed, best, int(since), loss, weight), tensors


def named(tensors: Mapping[str, torch.Tensor], prefix: str) -> Tensors:
    """Those whose name begins so, by the rest of their name."""
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
