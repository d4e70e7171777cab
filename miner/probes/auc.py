"""The normalized area under the precision-recall curve (Directional inference, section 3; its released code).

Random scores have as precision the share of positives, xi. The area is taken where precision is above xi, and divided
by what is possible there, so that random scores have 0 and perfect ones 100, whatever the share of positives is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

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
    import numpy as np

    values = np.round(np.asarray(scores, np.float64), _DIGITS)
    truth = np.asarray(positive, bool)
    if not truth.any() or truth.all() or not np.isfinite(values).all():
        raise ValueError("there must be positives and negatives, and scores must be numbers")
    order = np.argsort(-values, kind="stable")
    values, truth = values[order], truth[order]
    last = np.append(np.flatnonzero(np.diff(values)), len(values) - 1)
    found = np.cumsum(truth)[last]
    precision, recall = found / (last + 1), found / found[-1]
    return PrecisionRecall(np.insert(precision, 0, precision[0]), np.insert(recall, 0, 0.0))


def normalized_auc(scores: NDArray[Any], positive: NDArray[Any]) -> float:
    """AUC_norm in percent: 0 for random or reversed scores, 100 for perfect ones."""
    import numpy as np

    share = float(np.asarray(positive, bool).mean())
    return 100 * _area_above(precision_recall(scores, positive), share) / (1 - share)


def auc_above_half(scores: NDArray[Any], positive: NDArray[Any]) -> float:
    """AUC_50 in percent: the area where precision is at least a half, not normalized."""
    import numpy as np

    curve = precision_recall(scores, positive)
    kept = np.where(curve.precision >= 0.5, curve.precision, 0.0)
    return 100 * float(np.trapezoid(kept, curve.recall))


def _area_above(curve: PrecisionRecall, level: float) -> float:
    """The area between the curve and the level, where the curve is above it: by trapezoids between the points."""
    import numpy as np

    return float(np.trapezoid(np.maximum(curve.precision - level, 0.0), curve.recall))
