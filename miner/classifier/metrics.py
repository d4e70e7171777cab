"""Scores of predictions, their mean and deviation over seeds, and tests of differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from miner.classifier.calibration import expected_calibration_error
from miner.classifier.examples import LABELS
from miner.libraries import NDArray, np
from miner.statistics import Interval

_BOOTSTRAP_SAMPLES = 2_000  # the bounds of a 95 % interval are then accurate to a tenth of its width
_SAMPLES_PER_BATCH = 200  # limits the memory


class ClassScores(NamedTuple):
    """One class: shares 0.0 to 1.0, 0.0 where there is nothing to divide by; `support` pairs have it as their label."""

    precision: float
    recall: float
    f1: float
    support: int


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of predictions for `n` pairs, 0.0 to 1.0.

    `macro_f1`: the mean of the classes' F1, classes in `absent` left out. `confusion`: rows are labels, columns
    predictions. `ece`: expected calibration error, None where only labels were predicted.
    """

    n: int
    accuracy: float
    macro_f1: float
    per_class: Mapping[str, ClassScores]
    confusion: tuple[tuple[int, ...], ...]
    ece: float | None = None

    @property
    def absent(self) -> tuple[str, ...]:
        """Classes that no pair has as label or prediction."""
        return tuple(
            label
            for n, label in enumerate(self.per_class)
            if not sum(self.confusion[n]) + sum(row[n] for row in self.confusion)
        )

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "n": self.n,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "per_class": {str(label): scores._asdict() for label, scores in self.per_class.items()},
            "confusion": [list(row) for row in self.confusion],
            "ece": self.ece,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Scores:
        """What `to_data` gave."""
        per_class = {name: ClassScores(**values) for name, values in data["per_class"].items()}
        confusion = tuple(tuple(row) for row in data["confusion"])
        return cls(data["n"], data["accuracy"], data["macro_f1"], per_class, confusion, data["ece"])


def confusion(gold: NDArray[Any], predicted: NDArray[Any], classes: int = len(LABELS)) -> NDArray[np.int64]:
    """How many pairs have each label (rows) and each prediction (columns), both indices of classes: square."""
    cells = np.asarray(gold, np.int64) * classes + np.asarray(predicted, np.int64)
    return np.bincount(cells, minlength=classes**2).reshape(classes, classes)


def score_predictions(gold: NDArray[Any], values: NDArray[Any], classes: Sequence[str] = LABELS) -> Scores:
    """Scores of predictions: labels (n,), or probabilities (n, classes), for which calibration is measured too."""
    gold, values = np.asarray(gold), np.asarray(values)
    predicted = values.argmax(1) if values.ndim == 2 else values
    counts = confusion(gold, predicted, len(classes))
    correct, labels, predictions = np.diag(counts), counts.sum(1), counts.sum(0)
    precision, recall = _share(correct, predictions), _share(correct, labels)
    f1 = class_f1(counts)
    per_class = {
        label: ClassScores(float(precision[n]), float(recall[n]), float(f1[n]), int(labels[n]))
        for n, label in enumerate(classes)
    }
    return Scores(
        n=len(gold),
        accuracy=float(correct.sum() / max(1, len(gold))),
        macro_f1=float(macro_f1(counts)),
        per_class=per_class,
        confusion=tuple(tuple(row) for row in counts.tolist()),
        ece=expected_calibration_error(values, gold) if values.ndim == 2 else None,
    )


def macro_f1(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Mean F1 of the classes that occur, for confusions of shape (..., classes, classes); 0.0 where none does.

    More columns than rows count pairs that were given no class, which is wrong for every label.
    """
    return macro_mean(class_f1(counts), counts)


def macro_mean(shares: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.float64]:
    """Mean of the classes' shares (..., classes) over the classes that occur in the confusions."""
    occurs = counts.sum(-1) + _predicted(counts) > 0
    return np.asarray(shares.sum(-1) / np.maximum(1, occurs.sum(-1)))


class ScoreSummary(NamedTuple):
    """Mean and sample standard deviation of a score over `n` runs; `sd` is None for a single run."""

    mean: float
    sd: float | None
    n: int


@dataclass(frozen=True, slots=True)
class ScoreSummaries:
    """Scores of runs that differ by their seed. `confusion`: the mean over the runs."""

    macro_f1: ScoreSummary
    accuracy: ScoreSummary
    ece: ScoreSummary | None
    per_class: Mapping[str, Mapping[str, ScoreSummary]]
    confusion: tuple[tuple[float, ...], ...]

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "macro_f1": self.macro_f1._asdict(),
            "accuracy": self.accuracy._asdict(),
            "ece": self.ece and self.ece._asdict(),
            "per_class": {
                str(label): {name: summary._asdict() for name, summary in summaries.items()}
                for label, summaries in self.per_class.items()
            },
            "confusion": [list(row) for row in self.confusion],
        }


def summarize_values(values: Sequence[float]) -> ScoreSummary:
    """Mean and sample standard deviation."""
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return ScoreSummary(float(np.mean(values)), sd, len(values))


def summarize(runs: Sequence[Scores]) -> ScoreSummaries:
    """Summarize one or more runs."""
    errors = [run.ece for run in runs if run.ece is not None]
    per_class = {
        label: {
            name: summarize_values([getattr(run.per_class[label], name) for run in runs])
            for name in ("precision", "recall", "f1")
        }
        for label in runs[0].per_class
    }
    mean = np.mean([run.confusion for run in runs], axis=0)
    return ScoreSummaries(
        macro_f1=summarize_values([run.macro_f1 for run in runs]),
        accuracy=summarize_values([run.accuracy for run in runs]),
        ece=summarize_values(errors) if len(errors) == len(runs) else None,
        per_class=per_class,
        confusion=tuple(tuple(row) for row in mean.tolist()),
    )


def bootstrap(
    gold: NDArray[Any],
    predicted: NDArray[Any],
    *,
    seed: int,
    samples: int = _BOOTSTRAP_SAMPLES,
    classes: int = len(LABELS),
) -> Interval:
    """The 95 % interval of the macro F1, by bootstrap over the pairs.

    Percentiles over resampled sets. The score depends only on the counts of the confusion matrix, so these counts are
    drawn, from the same distribution. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993),
    section 13.3.
    """
    counts = confusion(gold, predicted, classes).ravel()
    drawn = np.random.default_rng(seed).multinomial(len(gold), counts / len(gold), size=samples)
    return _interval(macro_f1(drawn.reshape(samples, classes, classes)))


def bootstrap_difference(
    gold: NDArray[Any],
    first: NDArray[Any],
    second: NDArray[Any],
    *,
    seed: int,
    samples: int = _BOOTSTRAP_SAMPLES,
    classes: int = len(LABELS),
) -> Interval:
    """The 95 % interval of the second's macro F1 minus the first's, on the same pairs.

    Both are predictions (n,), or those of several runs (runs, n), whose mean macro F1 is compared.
    """
    return bootstrap_differences(gold, first, second, [macro_f1], seed=seed, samples=samples, classes=classes)[0]


def bootstrap_differences(
    gold: NDArray[Any],
    first: NDArray[Any],
    second: NDArray[Any],
    scores: Sequence[Callable[[NDArray[Any]], NDArray[Any]]],
    *,
    seed: int,
    samples: int = _BOOTSTRAP_SAMPLES,
    classes: int = len(LABELS),
) -> list[Interval]:
    """As `bootstrap_difference`, for any scores of confusions (..., classes, classes), from the same draws."""
    rows = np.vstack([gold, first, second])
    runs = len(np.atleast_2d(first))
    cells, counts = np.unique(rows, axis=1, return_counts=True)  # pairs with equal predictions are drawn together
    cell_columns = cells[0] * classes + cells[1:]
    generator = np.random.default_rng(seed)
    differences: list[list[NDArray[np.float64]]] = [[] for _ in scores]
    for _ in range(0, samples, _SAMPLES_PER_BATCH):
        drawn = generator.multinomial(rows.shape[1], counts / rows.shape[1], size=_SAMPLES_PER_BATCH).astype(np.float64)
        confusions = [
            (drawn @ np.eye(classes**2)[run]).reshape(_SAMPLES_PER_BATCH, classes, classes) for run in cell_columns
        ]
        for score, found in zip(scores, differences, strict=True):
            values = [score(counts) for counts in confusions]
            found.append(np.mean(values[runs:], axis=0) - np.mean(values[:runs], axis=0))
    return [_interval(np.concatenate(found)[:samples]) for found in differences]


class TTest(NamedTuple):
    """A paired t-test: the mean difference, t, degrees of freedom, and the two-sided p."""

    difference: float
    t: float
    freedom: int
    p: float


def paired_t_test(first: Sequence[float], second: Sequence[float]) -> TTest | None:
    """A paired t-test of the second runs against the first; None for fewer than two runs.

    If all differences are equal, t is infinite (p 0), or 0 if they are 0 (p 1).
    """
    differences = np.subtract(second, first)
    freedom = len(differences) - 1
    if freedom < 1:
        return None
    mean, sd = float(differences.mean()), float(differences.std(ddof=1))
    if sd < 1e-12:  # differences are equal except for rounding
        return TTest(mean, 0.0, freedom, 1.0) if abs(mean) < 1e-12 else TTest(mean, float("inf"), freedom, 0.0)
    t = mean / (sd / sqrt(len(differences)))
    from scipy.special import stdtr  # Student's t; scipy.stats takes seconds to import

    return TTest(mean, t, freedom, 2 * float(stdtr(freedom, -abs(t))))


def _interval(values: NDArray[np.float64]) -> Interval:
    low, high = np.quantile(values, (0.025, 0.975))
    return Interval(float(low), float(high))


def class_f1(counts: NDArray[Any]) -> NDArray[np.float64]:
    """F1 = 2 right / (labels + predictions), which is the harmonic mean of precision and recall."""
    correct = np.diagonal(counts, axis1=-2, axis2=-1)
    return _share(2 * correct, counts.sum(-1) + _predicted(counts))


def class_precision(counts: NDArray[Any]) -> NDArray[np.float64]:
    """The share of right predictions, by the class that is predicted."""
    return _share(np.diagonal(counts, axis1=-2, axis2=-1), _predicted(counts))


def class_recall(counts: NDArray[Any]) -> NDArray[np.float64]:
    """The share of right predictions, by the pairs' class."""
    return _share(np.diagonal(counts, axis1=-2, axis2=-1), counts.sum(-1))


def _predicted(counts: NDArray[Any]) -> NDArray[Any]:
    """How many pairs have each class as their prediction."""
    return np.asarray(counts.sum(-2)[..., : counts.shape[-2]])


def _share(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(part / np.maximum(whole, 1), np.float64)
