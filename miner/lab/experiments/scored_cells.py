"""The predictions of finished cells, and their scores by groups of pairs, each computed once for all tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from miner.classifier.metrics import class_f1, class_precision, class_recall, macro_f1, macro_mean
from miner.lab.experiments.experiment import TableAxis
from miner.lab.experiments.plan import ExperimentCell
from miner.lab.probes.auc import auc_above_half, normalized_auc
from miner.libraries import NDArray, np

UNREADABLE = -1
"""The class of a pair for which a system gave no answer; it is wrong for every label."""
NOT_ASKED = -2
"""The class of a pair that a person has not answered; it is in none of their scores."""
_LENGTH_BOUNDS = (0, 20, 30, 40, 50, 60, 80)  # words of both sentences; the last group has no upper bound
_LAST_LENGTH = f"more than {_LENGTH_BOUNDS[-1]}"
LENGTH_GROUPS = (*(f"{low + 1}-{high}" for low, high in pairwise(_LENGTH_BOUNDS)), _LAST_LENGTH)
"""The groups of pairs by length, in order."""


@dataclass(frozen=True, slots=True)
class TestPart:
    """The pairs of a test part. classes: (n,) their classes. groups: by axis, the name of each pair's group.

    A group "" is unknown, and in no column. By `TableAxis.KIND` a pair is in several, see `groups_of_pair`.
    keys: of the pairs, () if they are not needed; in a probe, a pair and its converse have the same.
    gold: how many of the labels are gold labels; None for pairs of files.
    """

    __test__ = False  # no test of pytest's

    classes: NDArray[np.int64]
    groups: Mapping[TableAxis, Sequence[str]] = field(default_factory=dict)
    keys: Sequence[str] = ()
    gold: int | None = None


class ScoredCell(NamedTuple):
    """A finished cell. predicted: (n,) the class of each pair of its test part, or `UNREADABLE`, or `NOT_ASKED`.

    first: (n,) the probability of the first class, for areas under curves.
    """

    cell: ExperimentCell
    predicted: NDArray[np.int64]
    first: NDArray[np.float32] | None = None


class ScoreName(StrEnum):
    """What is measured: CLASS_F1 of one class; PRECISION and RECALL of one, or the mean over those that occur."""

    MACRO_F1 = "macro F1"
    ACCURACY = "accuracy"
    CLASS_F1 = "F1"
    PRECISION = "precision"
    RECALL = "recall"
    UNREADABLE = "unreadable"
    AUC_NORM = "AUC_norm"
    AUC_50 = "AUC_50"


_AREAS = {ScoreName.AUC_NORM: normalized_auc, ScoreName.AUC_50: auc_above_half}  # of probabilities, in percent


class Score(NamedTuple):
    """A score of cells: of all their pairs, or of those in a group of an axis. number: of the class, if any."""

    name: ScoreName
    axis: TableAxis | None = None
    group: str = ""
    number: int | None = None


def score_counts(score: Score, counts: NDArray[Any]) -> NDArray[np.float64]:
    """The score of confusions (..., classes, classes + 1), 0.0 to 1.0."""
    match score.name:
        case ScoreName.MACRO_F1:
            return macro_f1(counts)
        case ScoreName.CLASS_F1:
            return np.asarray(class_f1(counts)[..., score.number])
        case ScoreName.PRECISION | ScoreName.RECALL:
            shares = class_precision(counts) if score.name is ScoreName.PRECISION else class_recall(counts)
            return macro_mean(shares, counts) if score.number is None else np.asarray(shares[..., score.number])
        case ScoreName.ACCURACY:
            right = np.trace(counts, axis1=-2, axis2=-1)
            return np.asarray(right / np.maximum(1, counts.sum((-2, -1))))
        case ScoreName.UNREADABLE:
            return np.asarray(counts[..., -1].sum(-1) / np.maximum(1, counts.sum((-2, -1))))
        case area:
            raise ValueError(f"{area} is not made of confusions")


def class_counts(classes: NDArray[np.int64], predicted: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """How many pairs have each class (rows) and each prediction (columns), the last column for `UNREADABLE`.

    Without those that are `NOT_ASKED`.
    """
    found: NDArray[np.int64] = _grouped_counts(np.zeros(len(classes), np.int64), 1, classes, predicted, count)[0]
    return found


def length_group(words: int) -> str:
    """The group of a pair by the number of words of both sentences, such as "21-30"."""
    for low, high in pairwise(_LENGTH_BOUNDS):
        if low < words <= high or (not low and not words):
            return f"{low + 1}-{high}"
    return _LAST_LENGTH


def groups_of_pair(axis: TableAxis, name: str) -> Sequence[str]:
    """The groups that a pair is in: by its kinds of reasoning several, with spaces between them; else one, or none."""
    if axis is TableAxis.KIND:
        return name.split()
    return [name] if name else []


class _Groups(NamedTuple):
    """The groups of a part by an axis. rows: which pair each entry is of, as an index of the part's pairs.

    codes: of each entry, its group's place in `places`; one more for no group.
    """

    rows: NDArray[np.int64] | slice
    codes: NDArray[np.int64]
    places: Mapping[str, int]


class CellScores:
    """Scores of cells. parts: by the name of their set."""

    def __init__(self, parts: Mapping[str, TestPart], classes: int) -> None:
        self._parts, self._classes = parts, classes
        self._groups: dict[tuple[str, TableAxis | None], _Groups] = {}
        self._counts: dict[tuple[str, TableAxis | None], NDArray[np.int64]] = {}
        self._scores: dict[tuple[str, TableAxis | None, ScoreName, int | None], NDArray[np.float64]] = {}

    def groups(self, test: str, axis: TableAxis) -> tuple[str, ...]:
        """The names of the groups that a test part has by this axis, sorted."""
        return tuple(self._groups_of(test, axis).places)

    def members(self, test: str, score: Score) -> NDArray[np.bool_]:
        """Which pairs of a test part the score is of."""
        groups = self._groups_of(test, score.axis)
        pairs = np.arange(len(self._parts[test].classes))[groups.rows]
        found = np.zeros(len(self._parts[test].classes), np.bool_)
        found[pairs[groups.codes == groups.places.get(score.group, -1)]] = True
        return found

    def pairs(self, one: ScoredCell, score: Score) -> int:
        """How many pairs the score of a cell is of."""
        place = self._groups_of(one.cell.test, score.axis).places.get(score.group)
        return 0 if place is None else int(self._counts_of(one, score.axis)[place].sum())

    def of(self, one: ScoredCell, score: Score) -> float | None:
        """The score of a cell, 0.0 to 1.0; None where it has no pairs for it."""
        place = self._groups_of(one.cell.test, score.axis).places.get(score.group)
        if place is None or not self._counts_of(one, score.axis)[place].any():
            return None
        if score.name in _AREAS:
            return self._area(one, score)
        known = one.cell.key, score.axis, score.name, score.number
        if known not in self._scores:
            self._scores[known] = score_counts(score, self._counts_of(one, score.axis))
        return float(self._scores[known][place])

    def _area(self, one: ScoredCell, score: Score) -> float | None:
        """An area under the curve of the first class; None without pairs of both classes."""
        there = self.members(one.cell.test, score) & (one.predicted != NOT_ASKED)
        positive = self._parts[one.cell.test].classes[there] == 0
        if one.first is None or positive.all() or not positive.any():
            return None
        return _AREAS[score.name](one.first[there], positive) / 100

    def _groups_of(self, test: str, axis: TableAxis | None) -> _Groups:
        if (test, axis) not in self._groups:
            part = self._parts[test]
            if axis is None or axis not in part.groups:
                groups = _Groups(slice(None), np.zeros(len(part.classes), np.int64), {"": 0})
            elif axis is TableAxis.KIND:
                groups = _several_groups(axis, part.groups[axis])
            else:
                names = part.groups[axis]
                places = {name: place for place, name in enumerate(sorted({*names} - {""}))}
                codes = np.fromiter((places.get(name, len(places)) for name in names), np.int64, len(names))
                groups = _Groups(slice(None), codes, places)
            self._groups[test, axis] = groups
        return self._groups[test, axis]

    def _counts_of(self, one: ScoredCell, axis: TableAxis | None) -> NDArray[np.int64]:
        known = one.cell.key, axis
        if known not in self._counts:
            groups = self._groups_of(one.cell.test, axis)
            classes = self._parts[one.cell.test].classes[groups.rows]
            number = len(groups.places) + 1
            predicted = one.predicted[groups.rows]
            self._counts[known] = _grouped_counts(groups.codes, number, classes, predicted, self._classes)
        return self._counts[known]


def _several_groups(axis: TableAxis, names: Sequence[str]) -> _Groups:
    """An entry for each group of each pair."""
    entries = [(row, group) for row, name in enumerate(names) for group in groups_of_pair(axis, name)]
    places = {name: place for place, name in enumerate(sorted({group for _, group in entries}))}
    return _Groups(
        np.array([row for row, _ in entries], np.int64),
        np.array([places[group] for _, group in entries], np.int64),
        places,
    )


def _grouped_counts(
    codes: NDArray[np.int64], groups: int, classes: NDArray[np.int64], predicted: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """Confusions (groups, classes, classes + 1) of the pairs of each group."""
    asked = predicted != NOT_ASKED
    columns = np.where(predicted < 0, count, predicted)
    cells = (codes * count + classes) * (count + 1) + columns
    found = np.bincount(cells[asked], minlength=groups * count * (count + 1)).astype(np.int64)
    return found.reshape(groups, count, count + 1)
