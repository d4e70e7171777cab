"""The probabilities of a model's own classes as those of an experiment's classes, which may be unions of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from miner.lab.experiments.experiment import OTHERS
from miner.libraries import NDArray, np

Weights: TypeAlias = "NDArray[np.float32]"


def class_weights(own: Sequence[str], classes: Mapping[str, Sequence[str]]) -> Weights | None:
    """1 where a class of the model, in the rows, belongs to a class of the experiment, in the columns; else 0.

    A model with the experiment's own classes is taken as it is; else its classes are labels. None where a class of the
    experiment has none of the model's.
    """
    names = list(classes)
    weights = np.zeros((len(own), len(names)), np.float32)
    listed = {label: number for number, labels in enumerate(classes.values()) for label in labels}
    if set(own) == set(names):
        listed = {name: number for number, name in enumerate(names)}
    for place, label in enumerate(own):
        number = listed.get(label, listed.get(OTHERS))
        if number is not None:
            weights[place, number] = 1
    return weights if weights.any(0).all() else None


def in_classes(found: NDArray[Any], weights: Weights) -> Weights:
    """Probabilities, (pairs, own classes), as those of the experiment's classes, which sum to 1."""
    summed = found @ weights
    if not weights.any(1).all():  # some of the model's classes belong to none
        summed = summed / np.maximum(summed.sum(1, keepdims=True), 1e-9)
    return np.asarray(summed, np.float32)
