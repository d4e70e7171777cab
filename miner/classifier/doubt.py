"""Labels that are probably wrong, by the predictions of a model that has not learned them (confident learning).

Probabilities are out of sample throughout: of a model that saw neither the pair's label nor its paper. Source:
Northcutt, Jiang and Chuang, Confident Learning: Estimating Uncertainty in Dataset Labels (JAIR 70, 2021). Pairs are
ranked by the probability of their label alone; thresholds by class serve the noise matrix, not the ranking, which they
turn upside down where two classes are confused one way.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from miner.classifier.examples import LABELS
from miner.records import Label

Floats = NDArray[np.float64]

_CLASSES = len(LABELS)
_SURE, _CLOSE = 0.8, 0.15  # when a model is called sure of a class, and when it is called torn between two
_COMMON = 0.1  # share of a class's distant labels that is another class by the noise matrix, to be worth a word


def self_confidence(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """The probability of each pair's label (Northcutt et al., section 3.2)."""
    probabilities = np.asarray(probabilities, np.float64)
    return np.asarray(probabilities[np.arange(len(probabilities)), np.asarray(labels, np.int64)], np.float64)


def doubt(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """The doubt of each label, (n,): 1 - its probability."""
    return 1 - self_confidence(probabilities, labels)


def normalized_margin(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """The label's probability less the largest of the others, -1.0 to 1.0 (Northcutt et al., section 3.2)."""
    others = np.array(probabilities, np.float64)
    others[np.arange(len(others)), np.asarray(labels, np.int64)] = -1.0
    return np.asarray(self_confidence(probabilities, labels) - others.max(1, initial=-1.0))


def class_thresholds(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """The mean probability of each class among the pairs with that label, (4,); infinite without any.

    Source: Northcutt et al., equation 2.
    """
    counts = np.bincount(np.asarray(labels, np.int64), minlength=_CLASSES)
    sums = np.bincount(np.asarray(labels, np.int64), self_confidence(probabilities, labels), _CLASSES)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.inf)


def confident_joint(probabilities: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.int64]:
    """How many pairs with label i (rows) are confidently of class j (columns), (4, 4).

    Confidently: as probable as that class's threshold, and the most probable of the classes that are. Pairs without
    such a class count nowhere. Source: Northcutt et al., equation 1.
    """
    probabilities = np.asarray(probabilities, np.float64)
    eligible = probabilities >= class_thresholds(probabilities, labels) - 1e-6  # all pairs of a class alike meet it
    guess = np.where(eligible, probabilities, -1.0).argmax(1)
    cells = np.asarray(labels, np.int64) * _CLASSES + guess
    return np.bincount(cells[eligible.any(1)], minlength=_CLASSES**2).reshape(_CLASSES, _CLASSES)


def noise_matrix(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """An estimate of how many pairs with distant label i (rows) are truly of class j (columns), (4, 4).

    Rows sum to the labels' counts. Source: Northcutt et al., equation 3, before its division by the number of pairs.
    """
    joint = confident_joint(probabilities, labels).astype(np.float64)
    counts = np.bincount(np.asarray(labels, np.int64), minlength=_CLASSES)
    # A class that has pairs has confident ones: some reach their own mean.
    return np.asarray(joint / np.maximum(1, joint.sum(1, keepdims=True)) * counts[:, None])


class DoubtKind(StrEnum):
    """Why a label is doubted."""

    SURE = "sure"
    """The model is sure of another class."""
    CONFUSED = "confused"
    """The model takes it for another class, and this label often stands for that one."""
    PREFERS = "prefers"
    """The model takes it for another class."""
    TORN = "torn"
    """The model can hardly decide between the label and another class."""
    WEAK = "weak"
    """The label is the most probable class, but not by far enough to be sure."""
    NONE = "none"
    """The label is not doubted: the model is sure of it."""


class Reason(NamedTuple):
    """Why a label is doubted, in numbers: `suggested` is the most probable class other than the label.

    `often`: share of this label's pairs that are of that class by the noise matrix, None where it is not known.
    """

    kind: DoubtKind
    label: Label
    suggested: Label
    label_probability: float
    suggested_probability: float
    often: float | None = None


def reason(probabilities: Sequence[float], label: Label, noise: NDArray[Any] | None = None) -> Reason:
    """Why the label is doubted, by its pair's probabilities (4,) and the `noise_matrix`, where there is one."""
    place = LABELS.index(label)
    other = max((n for n in range(_CLASSES) if n != place), key=lambda n: probabilities[n])
    own, its = float(probabilities[place]), float(probabilities[other])
    often = None
    if noise is not None and (total := float(noise[place].sum())):
        often = float(noise[place, other]) / total
    if abs(its - own) < _CLOSE:
        kind = DoubtKind.TORN
    elif its > own:
        common = often is not None and often >= _COMMON
        kind = DoubtKind.SURE if its >= _SURE else DoubtKind.CONFUSED if common else DoubtKind.PREFERS
    else:
        kind = DoubtKind.NONE if own >= _SURE else DoubtKind.WEAK
    return Reason(kind, label, LABELS[other], own, its, often)
