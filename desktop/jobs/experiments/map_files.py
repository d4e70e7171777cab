"""The files that data maps are kept in: training dynamics with the pairs' keys, one file a run."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.jobs.models.registry import models_folder
from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.paths import write_hint
from storage.project import Project

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RUN_KEY = re.compile(r"[0-9a-f]{32}")
_MAX_PAIRS, _MAX_EPOCHS = 10_000_000, 100
_MAX_KEY_BYTES = 400
_MAX_HEADER_BYTES = 10_000
_KINDS = {"probabilities": "f", "correct": "b", "keys": "S", "classes": "i"}  # of NumPy's types, by array


@dataclass(frozen=True, slots=True, eq=False)
class TrainingDynamics:
    """Of n training pairs after every epoch: the probability of the label, and whether it was predicted, (epochs, n).

    keys: of the pairs, UTF-8, (n,). classes: the indices of their labels' classes, (n,).
    """

    probabilities: NDArray[Any]
    correct: NDArray[np.bool_]
    keys: NDArray[np.bytes_]
    classes: NDArray[np.int64]


def map_path(project: Project, run: str) -> Path:
    """Where the map of a run is kept; `ValueError` for what cannot be a run's key."""
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
    import numpy as np

    encoded = np.array([key.encode("utf-8", "surrogatepass") for key in keys], np.bytes_)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as part, part.open("wb") as file:
            np.savez(
                file,
                probabilities=np.asarray(probabilities, np.float32),
                correct=np.asarray(correct, np.bool_),
                keys=encoded,
                classes=np.array(classes, np.int64),
            )
    except OSError as exc:
        raise UserError(f"{path} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc


def read_map(path: Path) -> TrainingDynamics:
    """The training dynamics of a file, which may come from anywhere: nothing in it is run.

    `FileNotFoundError` where there is none, `ValueError` where it is torn or no map, `OSError` as the system raises it.
    """
    import numpy as np

    try:
        with zipfile.ZipFile(path) as archive:
            arrays = {name: _array(archive, name) for name in _KINDS}
    except (zipfile.BadZipFile, KeyError, EOFError, NotImplementedError, RuntimeError) as exc:
        raise ValueError(f"not a map: {exc}") from exc
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


def _array(archive: zipfile.ZipFile, name: str) -> Any:
    """An array whose header agrees with the room it takes; nothing is reserved for it before that is known."""
    import numpy as np

    entry = archive.getinfo(f"{name}.npy")
    if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
        raise ValueError("the arrays are packed")
    with archive.open(entry) as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("an array of another format")
        shape, _, dtype = np.lib.format.read_array_header_1_0(file, max_header_size=_MAX_HEADER_BYTES)
        if dtype.kind != _KINDS[name] or dtype.itemsize > _MAX_KEY_BYTES or dtype.hasobject:
            raise ValueError(f"{name} has no type of a map")
        size = dtype.itemsize
        for length in shape:
            size *= length
        if file.tell() + size != entry.file_size:
            raise ValueError(f"{name} is not as long as it says")
    with archive.open(entry) as file:
        return np.lib.format.read_array(file, allow_pickle=False, max_header_size=_MAX_HEADER_BYTES)
