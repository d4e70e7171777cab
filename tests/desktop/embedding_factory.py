"""Makes embeddings by layer, as a computation would have left them."""

from __future__ import annotations

import numpy as np

from desktop.jobs.lab.layers.embedding import EmbeddedPairs, KindsEmbedding
from miner.lab.layers.layer_embedding import GroupedBy, LayerPoints, PairGroup


def synthetic_embedding(pairs: int, layers: int = 7) -> KindsEmbedding:
    """Made-up pairs of four clouds, seeded."""
    random = np.random.default_rng(1)
    cloud = random.integers(0, 4, pairs)
    names = ("lexical", "causal", "world", "negation")
    groups = tuple(PairGroup(GroupedBy.CATEGORY, name) for name in names)
    members = np.stack([cloud == place for place in range(4)])
    points = random.normal(0, 1, (layers, pairs, 2)) + np.array([(0, 0), (3, 0), (0, 3), (3, 3)])[cloud]
    figures = np.full((layers, 4), 0.5, np.float32)
    found = LayerPoints(points.astype(np.float32), figures, figures, np.full(4, 0.25, np.float32))
    embedded = EmbeddedPairs(tuple(f"made up {n}" for n in range(pairs)), groups, members, 0, pairs)
    return KindsEmbedding("made up", 1, embedded, found)
