"""Which share each class has in what a model has learned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from miner.classifier.checkpoints import ModelCard
from miner.classifier.examples import LABELS
from miner.classifier.recipe import Balance
from miner.libraries import NDArray, np


def learned_shares(card: ModelCard | None) -> NDArray[np.float64]:
    """The share of each class in what a model has learned, (4,), which its probabilities have in them.

    Equal, unless its training did not balance the classes: then as among the pairs that its card's scores are of.
    """
    equal = np.full(len(LABELS), 1 / len(LABELS))
    if card is None or card.recipe.get("balance") != Balance.NONE:
        return equal
    found = (_supports(card.metrics.get(name)) for name in ("held_out", "dev"))
    counts = next((counts for counts in found if counts is not None), None)
    return equal if counts is None else counts / counts.sum()


def _supports(scores: Any) -> NDArray[np.float64] | None:
    """How many pairs of each class some scores of a card are of, at least one; None if the card does not say."""
    per_class = scores.get("per_class") if isinstance(scores, Mapping) else None
    if not isinstance(per_class, Mapping):
        return None
    rows = [per_class.get(label.value) for label in LABELS]
    counts = [row.get("support") for row in rows if isinstance(row, Mapping)]
    if len(counts) < len(LABELS) or not all(isinstance(one, int) and 0 <= one < 1e12 for one in counts):
        return None
    return np.maximum(1.0, np.array(counts, np.float64))
