"""The files of data maps: training dynamics with the pairs' keys, one file for each run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.jobs.array_files import read_arrays, texts_array, write_arrays
from desktop.jobs.models.registry import models_folder
from miner.libraries import NDArray, np
from storage.project import Project

_RUN_KEY = re.compile(r"[0-9a-f]{32}")
_MAX_PAIRS, _MAX_EPOCHS = 10_000_000, 100
_KINDS = {"probabilities": "f", "correct": "b", "keys": "S", "classes": "i"}  # of NumPy's types, by array


@dataclass(frozen=True, slots=True, eq=False)
class TrainingDynamics:
    """The probability of the label of n training pairs after every epoch, and whether it was predicted, (epochs, n).

    keys: the pairs' keys in UTF-8, (n,). classes: the indices of their labels' classes, (n,).
    """

    probabilities: NDArray[Any]
    correct: NDArray[np.bool_]
    keys: NDArray[np.bytes_]
    classes: NDArray[np.int64]


def map_path(project: Project, run: str) -> Path:
    """The path of the map of a run; `ValueError` for a text that cannot be a run's key."""
    if not _RUN_KEY.fullmatch(run):
        raise ValueError(f"not the key of a run: {run}")
    return models_folder(project) / "experiments" / "maps" / f"{run}.npz"


def write_map(
    path: Path,
    probabilities: NDArray[Any],
    correct: NDArray[np.bool_],
    keys: Sequence[str],
    classes: Sequence[int],
) -> None:
    """Store a map, completely or not at all. `UserError` where it cannot be written."""

    arrays = {
        "probabilities": np.asarray(probabilities, np.float32),
        "correct": np.asarray(correct, np.bool_),
        "keys": texts_array(keys),
        "classes": np.array(classes, np.int64),
    }
    write_arrays(path, arrays)


def read_map(path: Path) -> TrainingDynamics:
    """The training dynamics of a file, which may be untrusted: no code in it is run.

    `FileNotFoundError` where there is no file, `ValueError` where it is incomplete or not a map, any other `OSError` as
    the system raises it.
    """

    arrays = read_arrays(path, _KINDS)
    probabilities = arrays["probabilities"]
    epochs, pairs = probabilities.shape if probabilities.ndim == 2 else (0, 0)
    if not 1 <= epochs <= _MAX_EPOCHS or not 1 <= pairs <= _MAX_PAIRS or arrays["correct"].shape != (epochs, pairs):
        raise ValueError("the arrays have no shape of a map")
    if arrays["keys"].shape != (pairs,) or arrays["classes"].shape != (pairs,):
        raise ValueError("the pairs are not as many as the probabilities")
    if not ((probabilities >= 0) & (probabilities <= 1)).all() or (arrays["classes"] < 0).any():  # NaN is neither
        raise ValueError("a probability or class is out of range")
    return TrainingDynamics(
        probabilities, arrays["correct"], arrays["keys"], arrays["classes"].astype(np.int64, copy=False)
    )


def is_map(path: Path) -> bool:
    """Whether there is a map that can be read."""
    try:
        read_map(path)
    except (OSError, ValueError):
        return False
    return True
