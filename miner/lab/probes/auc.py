"""The normalized area under the precision-recall curve (Directional inference, section 3; its released code).

Random scores have as precision the share of positives, xi. The area is taken where precision is above xi, and divided
by what is possible there, so that random scores have 0 and perfect ones 100, whatever the share of positives is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from miner.libraries import NDArray, np

if TYPE_CHECKING:
    Numbers = NDArray[np.float64]

_NUMBERS_AT_ONCE = 2_000_000
_DIGITS = 9  # scores that differ by less are one threshold


class PrecisionRecall(NamedTuple):
    """Precision and recall, each (thresholds,), by rising recall. It begins at recall 0 with the first precision."""

    precision: Numbers
    recall: Numbers


def precision_recall(scores: NDArray[Any], positive: NDArray[Any]) -> PrecisionRecall:
    """The curve of scores, (n,), of which `positive`, (n,), should be high. `ValueError` unless there are both classes.

    Equal scores are one threshold. Unlike scikit-learn's it does not end at precision 1: a model that scores all alike
    would have half of the area.
    """

    truth = np.asarray(positive, bool)
    if not truth.any() or truth.all() or not np.isfinite(scores).all():
        raise ValueError("there must be positives and negatives, and scores must be numbers")
    order, last = _ranked(scores)
    found = np.cumsum(truth[order])[last]
    precision, recall = found / (last + 1), found / found[-1]
    return PrecisionRecall(np.insert(precision, 0, precision[0]), np.insert(recall, 0, 0.0))


def normalized_auc(scores: NDArray[Any], positive: NDArray[Any]) -> float:
    """AUC_norm in percent: 0 for random or reversed scores, 100 for perfect ones."""

    share = float(np.asarray(positive, bool).mean())
    return 100 * _area_above(precision_recall(scores, positive), share) / (1 - share)


def auc_above_half(scores: NDArray[Any], positive: NDArray[Any]) -> float:
    """AUC_50 in percent: the area where precision is at least a half, not normalized."""

    curve = precision_recall(scores, positive)
    kept = np.where(curve.precision >= 0.5, curve.precision, 0.0)
    return 100 * float(np.trapezoid(kept, curve.recall))


def resampled_areas(
    scores: Sequence[NDArray[Any]], positive: NDArray[Any], groups: NDArray[Any], *, draws: int, seed: int = 1
) -> Numbers:
    """AUC_norm in percent of each of the scores, (n,), in each of `draws` bootstrap samples: (scores, draws).

    groups: (n,) from 0; pairs of a group, such as a pair and its converse, are drawn together. All scores are of the
    same samples, so that differences between them can be taken. NaN for a sample without one of the classes.
    """

    truth, number = np.asarray(positive, bool), int(groups.max()) + 1
    found = np.empty((len(scores), draws))
    ranked = [_ranked(one) for one in scores]
    random = np.random.default_rng(seed)
    step = max(1, _NUMBERS_AT_ONCE // len(truth))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        drawn = random.integers(0, number, (size, number)) + number * np.arange(size)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=size * number).reshape(size, number)[:, groups]
        for row, (order, last) in enumerate(ranked):
            there = weights[:, order]
            found[row, start : start + size] = _weighted_areas(there, truth[order], last)
    return found


def _ranked(scores: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order of the scores, the highest first, and the last place of each threshold in it."""

    values = np.round(np.asarray(scores, np.float64), _DIGITS)
    order = np.argsort(-values, kind="stable")
    return order, np.append(np.flatnonzero(np.diff(values[order])), len(values) - 1)


def _weighted_areas(weights: NDArray[Any], truth: NDArray[np.bool_], last: NDArray[np.int64]) -> Numbers:
    """AUC_norm in percent by samples, (samples, n): how often each pair, in the order of its score, was drawn."""

    found = np.cumsum(weights * truth, axis=1)[:, last]
    seen = np.cumsum(weights, axis=1)[:, last]
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = found / seen, found / found[:, -1:]
        first = precision[np.arange(len(seen)), (seen > 0).argmax(axis=1)]
        precision = np.where(seen > 0, precision, first[:, None])
        share = (found[:, -1] / seen[:, -1])[:, None]
        above = np.maximum(precision - share, 0.0)
        area = np.trapezoid(above, recall, axis=1) + above[:, 0] * recall[:, 0]
        return np.where((share[:, 0] > 0) & (share[:, 0] < 1), 100 * area / (1 - share[:, 0]), np.nan)


def _area_above(curve: PrecisionRecall, level: float) -> float:
    """The area between the curve and the level, where the curve is above it: by trapezoids between the points."""

    return float(np.trapezoid(np.maximum(curve.precision - level, 0.0), curve.recall))
