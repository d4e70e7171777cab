"""The noise matrix: how many distant labels of a class are truly of which, estimated from the shown suggestions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from miner.classifier.doubt import noise_matrix
from miner.classifier.examples import LABELS
from storage.models.suggestions import SuggestionRun
from storage.project import Project, Stores
from storage.settings import LABEL_NOISE, LabelNoise


def estimate_label_noise(project: Project, run: SuggestionRun) -> None:
    """Estimate the noise matrix from the suggestions of `run`, the shown one, and store it with the project."""
    labels: list[NDArray[np.int8]] = []
    shares: list[NDArray[np.uint16]] = []
    with project.reading() as stores:
        for piece in stores.suggestions.doubted():
            labels.append(np.array([LABELS.index(row[0]) for row in piece], np.int8))
            shares.append(np.array([row[1:] for row in piece], np.uint16))
    if labels:
        matrix = noise_matrix(np.concatenate(shares) / 10_000, np.concatenate(labels))
        with project.transaction(bulk=True) as stores:
            stores.settings.put(LABEL_NOISE, LabelNoise(run.id, tuple(map(tuple, matrix.round(2).tolist()))))


def known_label_noise(stores: Stores) -> NDArray[Any] | None:
    """Estimated pairs with distant label i (rows) that are truly of class j (columns), (4, 4); None if not known."""
    kept, shown = stores.settings.get(LABEL_NOISE), stores.suggestions.current_run()
    return np.array(kept.matrix) if kept and shown and kept.run == shown.id else None
