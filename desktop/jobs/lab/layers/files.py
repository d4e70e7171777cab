"""The files of kept embeddings, beside the models: one for each model, source of pairs and settings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from desktop.jobs.array_files import read_arrays, texts_array, texts_of, write_arrays
from desktop.jobs.lab.layers.embedding import EmbeddedPairs, KindsEmbedding
from desktop.jobs.models.registry import models_folder
from miner.lab.layers.layer_embedding import GroupedBy, LayerPoints, PairGroup
from miner.libraries import NDArray, np
from storage.project import Project

_KEY = re.compile(r"[0-9a-f]{32}")
_MAX_PAIRS, _MAX_LAYERS, _MAX_GROUPS = 1_000_000, 200, 1_000
_KINDS = {
    "points": "f",
    "purity": "f",
    "silhouette": "f",
    "chance": "f",
    "seconds": "f",
    "members": "b",
    "keys": "S",
    "groups": "S",
    "numbers": "i",
    "about": "S",
}  # of NumPy's types, by array


def embedding_path(project: Project, key: str) -> Path:
    """The path of a kept embedding; `ValueError` for a text that cannot be its key."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"not the key of an embedding: {key}")
    return models_folder(project) / "embeddings" / f"{key}.npz"


def write_embedding(path: Path, found: KindsEmbedding, digest: str) -> None:
    """Keep an embedding of the pairs with this digest. `UserError` where it cannot be written."""

    pairs, layers = found.pairs, found.layers
    arrays: dict[str, NDArray[Any]] = {
        "points": layers.points.astype(np.float32),
        "purity": layers.purity.astype(np.float32),
        "silhouette": layers.silhouette.astype(np.float32),
        "chance": layers.chance.astype(np.float32),
        "seconds": np.array(layers.seconds, np.float64),
        "members": pairs.members,
        "keys": texts_array(pairs.keys),
        "groups": texts_array(f"{kind}:{name}" for kind, name in pairs.groups),
        "numbers": np.array([found.seed, pairs.left_out, pairs.of], np.int64),
        "about": texts_array([found.model, digest]),
    }
    write_arrays(path, arrays)


def read_embedding(path: Path) -> tuple[KindsEmbedding, str]:
    """The embedding of a file, which may be untrusted, and the digest of its pairs.

    `FileNotFoundError` where there is no file, `ValueError` where it is incomplete or not an embedding, any other
    `OSError` as the system raises it.
    """

    arrays = read_arrays(path, _KINDS)
    points, members = arrays["points"], arrays["members"]
    if points.ndim != 3 or points.shape[2] != 2 or members.ndim != 2:
        raise ValueError("the arrays have no shape of an embedding")
    layers, pairs, groups = len(points), points.shape[1], len(members)
    if not (1 <= layers <= _MAX_LAYERS and 1 <= pairs <= _MAX_PAIRS and groups <= _MAX_GROUPS):
        raise ValueError("the arrays have no size of an embedding")
    shapes = {
        "purity": (layers, groups),
        "silhouette": (layers, groups),
        "chance": (groups,),
        "seconds": (2,),
        "members": (groups, pairs),
        "keys": (pairs,),
        "groups": (groups,),
        "numbers": (3,),
        "about": (2,),
    }
    if wrong := [name for name, shape in shapes.items() if arrays[name].shape != shape]:
        raise ValueError(f"{wrong[0]} has another shape than the points")
    if not np.isfinite(points).all() or not np.isfinite(arrays["seconds"]).all():
        raise ValueError("a point is no number")
    for name, least in (("purity", 0), ("chance", 0), ("silhouette", -1)):
        if ((arrays[name] < least) | (arrays[name] > 1)).any():  # NaN is neither
            raise ValueError(f"{name} is out of range")
    if (arrays["numbers"] < 0).any():
        raise ValueError("a number is negative")
    seed, left_out, of = arrays["numbers"].tolist()
    model, digest = texts_of(arrays["about"])
    embedded = EmbeddedPairs(
        texts_of(arrays["keys"]), tuple(map(_group, texts_of(arrays["groups"]))), members, left_out, of
    )
    read, placed = arrays["seconds"].tolist()
    figures = {name: arrays[name].astype(np.float32) for name in ("points", "purity", "silhouette", "chance")}
    return KindsEmbedding(model, seed, embedded, LayerPoints(**figures, seconds=(read, placed))), digest


def _group(text: str) -> PairGroup:
    kind, _, name = text.partition(":")
    return PairGroup(GroupedBy(kind), name)
