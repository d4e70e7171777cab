"""Labels that are probably wrong, by the predictions of a model that has not learned them (confident learning).

All probabilities are out of sample: by a model that has learned neither the pair nor others of its paper. Source:
Northcutt, Jiang and Chuang, Confident Learning: Estimating Uncertainty in Dataset Labels (JAIR 70, 2021). Pairs are
ranked by the probability of their label alone. Thresholds by class are used only for the noise matrix: they would
invert the ranking where one class is often mistaken for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from miner.classifier.examples import LABELS
from miner.libraries import NDArray, np
from miner.records import Label

Floats: TypeAlias = "NDArray[np.float64]"

_CLASSES = len(LABELS)
_SURE_PROBABILITY, _TORN_MARGIN = (
    0.8,
    0.15,
)  # least probability of a certain model; largest difference of an undecided one
_COMMON_CONFUSION_SHARE = 0.1  # of a class's distant labels that are another class by the noise matrix


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

    Confidently: the class reaches its threshold and is the most probable of those that do. Pairs without such a class
    are not counted. Source: Northcutt et al., equation 1.
    """
    probabilities = np.asarray(probabilities, np.float64)
    eligible = probabilities >= class_thresholds(probabilities, labels) - 1e-6  # equal probabilities reach their mean
    guess = np.where(eligible, probabilities, -1.0).argmax(1)
    cells = np.asarray(labels, np.int64) * _CLASSES + guess
    return np.bincount(cells[eligible.any(1)], minlength=_CLASSES**2).reshape(_CLASSES, _CLASSES)


def noise_matrix(probabilities: NDArray[Any], labels: NDArray[Any]) -> Floats:
    """An estimate of how many pairs with distant label i (rows) are truly of class j (columns), (4, 4).

    Rows sum to the labels' counts. Source: Northcutt et al., equation 3, before its division by the number of pairs.
    """
    joint = confident_joint(probabilities, labels).astype(np.float64)
    counts = np.bincount(np.asarray(labels, np.int64), minlength=_CLASSES)
    # Each class with pairs has confident ones, since some reach the mean.
    return np.asarray(joint / np.maximum(1, joint.sum(1, keepdims=True)) * counts[:, None])


class DoubtKind(StrEnum):
    """Why a label is doubted."""

    SURE = "sure"
    """The model is sure of another class."""
    CONFUSED = "confused"
    """The model prefers another class, and this label is often wrong for that class."""
    PREFERS = "prefers"
    """The model prefers another class."""
    TORN = "torn"
    """The model can hardly decide between the label and another class."""
    WEAK = "weak"
    """The label is the most probable class, but the model is not sure of it."""
    NONE = "none"
    """The label is not doubted: the model is sure of it."""


class DoubtReason(NamedTuple):
    """Why a label is doubted. `suggested`: the most probable class other than the label.

    `often`: share of the pairs with this label that are of that class by the noise matrix; None if not known.
    """

    kind: DoubtKind
    label: Label
    suggested: Label
    label_probability: float
    suggested_probability: float
    often: float | None = None


def find_doubt_reason(probabilities: Sequence[float], label: Label, noise: NDArray[Any] | None = None) -> DoubtReason:
    """Why the label is doubted, by the pair's probabilities (4,) and the `noise_matrix` if there is one."""
    label_index = LABELS.index(label)
    suggested_index = max((n for n in range(_CLASSES) if n != label_index), key=lambda n: probabilities[n])
    label_probability, suggested_probability = float(probabilities[label_index]), float(probabilities[suggested_index])
    often = None
    if noise is not None and (total := float(noise[label_index].sum())):
        often = float(noise[label_index, suggested_index]) / total
    if abs(suggested_probability - label_probability) < _TORN_MARGIN:
        kind = DoubtKind.TORN
    elif suggested_probability < label_probability:
        kind = DoubtKind.NONE if label_probability >= _SURE_PROBABILITY else DoubtKind.WEAK
    elif suggested_probability >= _SURE_PROBABILITY:
        kind = DoubtKind.SURE
    else:
        is_common = often is not None and often >= _COMMON_CONFUSION_SHARE
        kind = DoubtKind.CONFUSED if is_common else DoubtKind.PREFERS
    return DoubtReason(kind, label, LABELS[suggested_index], label_probability, suggested_probability, often)
