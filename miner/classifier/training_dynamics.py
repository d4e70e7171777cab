"""Training dynamics: a classifier's predictions of its training pairs after every epoch (MSciNLI, appendix E)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from miner.libraries import NDArray, np

_FILE = "dynamics-{epoch}.npy"


def write_dynamics(folder: Path, epoch: int, probabilities: NDArray[Any], classes: NDArray[np.int64]) -> None:
    """Store an epoch: the probabilities of all classes, (n, classes), and the pairs' labels, (n,)."""
    of_label = probabilities[np.arange(len(classes)), classes]
    rows = np.stack([of_label, probabilities.argmax(1) == classes])
    np.save(folder / _FILE.format(epoch=epoch), rows.astype(np.float32))


def read_dynamics(folder: Path) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The probability of each training pair's label, and whether it was predicted, after every epoch: (epochs, n)."""
    epochs = sorted(folder.glob(_FILE.format(epoch="*")), key=lambda path: int(path.stem.rpartition("-")[2]))
    stored = [np.load(path, allow_pickle=False) for path in epochs]
    return np.stack([epoch[0] for epoch in stored]), np.stack([epoch[1] for epoch in stored]) > 0
