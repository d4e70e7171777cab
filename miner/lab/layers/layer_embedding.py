"""The pairs at every layer of a model: points of a plot, and how well kinds of reasoning are separated."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from miner.classifier.checkpoints import Checkpoint
from miner.errors import UserError
from miner.lab.layers.embedding import project, separations
from miner.libraries import NDArray, np
from miner.progress import Progress

_STATES = "states.npy"
_SEPARATION_SHARE = 0.1  # of a layer's time


class GroupedBy(StrEnum):
    """What pairs are grouped by."""

    CATEGORY = "category"
    LABEL = "label"
    RELATION = "relation"


class PairGroup(NamedTuple):
    """The pairs with a category, label or relation (what annotators say that the label is)."""

    kind: GroupedBy
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class LayerTask:
    """What to compute. members: of each group, (groups, pairs). folder: for the states, which are large."""

    checkpoint: Checkpoint
    pairs: tuple[tuple[str, str], ...]
    members: NDArray[np.bool_]
    seed: int
    device: str
    folder: Path


@dataclass(frozen=True, slots=True, eq=False)
class LayerPoints:
    """points: of the pairs by layer, (layers, pairs, 2); layer 0 is the word embeddings.

    purity, silhouette: (layers, groups), and chance, (groups,): see `Separation`; NaN where there is none. seconds: of
    reading the pairs, and of the rest.
    """

    points: NDArray[np.float32]
    purity: NDArray[np.float32]
    silhouette: NDArray[np.float32]
    chance: NDArray[np.float32]
    seconds: tuple[float, float] = (0.0, 0.0)


class LayerStep(NamedTuple):
    """The progress: how many of all pairs, or how many hundredths of all layers, are done."""

    done: int
    total: int
    note: str


def embed_layers(task: LayerTask, emit: Callable[[LayerStep], None], progress: Progress) -> LayerPoints:
    """Read the pairs with the model, and place them layer by layer; to be run in a process of its own.

    `UserError` where a library is missing, the model cannot be loaded, or gives what is no number.
    """

    from miner.classifier.libraries import import_libraries

    import_libraries()
    from miner.classifier.layers import write_layer_states

    def tick(done: int, total: int, note: str) -> None:
        progress.tick(done, total)
        emit(LayerStep(done, total, note))

    def on_read(done: int) -> None:
        tick(done, len(task.pairs), "reading the pairs")

    started = time.monotonic()
    path = task.folder / _STATES
    states = write_layer_states(task.checkpoint, task.pairs, path, task.device, on_read)
    read = time.monotonic()
    layers = states.shape[1]
    points, rows = [], []
    for layer in range(layers):
        values = np.ascontiguousarray(states[:, layer])
        if not np.isfinite(values).all():
            hint = "Try the processor (--device cpu), or another model."
            raise UserError(f"The model {task.checkpoint.name} gives no numbers for some pairs.", hint=hint)
        note = f"placing the pairs by layer {layer} of {layers - 1}"

        def on_share(share: float, layer: int = layer, note: str = note) -> None:
            tick(round(100 * (layer + _SEPARATION_SHARE * share)), 100 * layers, note)

        rows.append(separations(values, task.members, on_share))
        points.append(project(values, task.seed))
    del states
    path.unlink(missing_ok=True)
    table = _table(rows)
    chance = np.array([_number(one.chance) for one in rows[0]], np.float32)
    seconds = read - started, time.monotonic() - read
    return LayerPoints(np.stack(points), table("purity"), table("silhouette"), chance, seconds)


def _table(rows: list[Any]) -> Callable[[str], NDArray[np.float32]]:

    return lambda name: np.array([[_number(getattr(one, name)) for one in row] for row in rows], np.float32)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
