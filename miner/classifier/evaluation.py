"""Evaluates models on labelled pairs, summarizes runs that differ by their seed, and compares models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from miner.classifier.calibration import ReliabilityBin, fit_temperature, reliability
from miner.classifier.examples import LABELS
from miner.classifier.metrics import (
    Scores,
    ScoreSummaries,
    ScoreSummary,
    TTest,
    bootstrap,
    bootstrap_difference,
    confusion,
    macro_f1,
    paired_t_test,
    score_predictions,
    summarize,
    summarize_values,
)
from miner.libraries import NDArray, np
from miner.records import NEUTRAL_STRATEGIES, Label, Strategy
from miner.statistics import Interval

SEED = 1
"""Seed of the bootstrap."""
_MAX_EXAMPLES_DIFFERENCE = 0.1  # relative; with a larger one runs are not grouped


@dataclass(frozen=True, slots=True)
class EvaluatedPair:
    """A pair with its true label; `paper`, `domain` and `strategy` if they are known."""

    key: str
    premise: str
    hypothesis: str
    label: Label
    paper: str = ""
    domain: str = ""
    strategy: Strategy | None = None


@dataclass(frozen=True, slots=True)
class EvaluatedModel:
    """A model to evaluate. `settings`: its training settings except for the seed, "" if not known.

    `seed`: None if not known. `examples`: number of training examples, 0 if not known.
    """

    reference: str
    name: str
    digest: str
    hypothesis_only: bool = False
    settings: str = ""
    seed: int | None = None
    examples: int = 0


class GroupScores(NamedTuple):
    """Scores, 0.0 to 1.0, of a group of `n` pairs."""

    n: int
    accuracy: float
    macro_f1: float


@dataclass(frozen=True, slots=True)
class ModelResult:
    """The scores of one model.

    interval: of macro F1, by bootstrap. left_out: number of pairs that are not counted, because the model has learned
    them. out_of_fold: number of learned pairs that are counted by the predictions of its folds. chosen_by: number of
    dev pairs, which are counted though they selected the best epoch and the temperature. reused: number of pairs whose
    predictions were kept from before; seconds: for the others. by_strategy: neutral pairs, by their strategy.
    own_temperature: the model's. best_temperature: the best one for these pairs, as a factor of that; calibrated_ece:
    the calibration error to expect with it. predicted: (items,) class of each pair, -1 if not counted.
    """

    subject: EvaluatedModel
    scores: Scores
    interval: Interval
    left_out: int
    out_of_fold: int
    chosen_by: int
    by_domain: dict[str, GroupScores]
    by_strategy: dict[str, GroupScores]
    reliability: tuple[ReliabilityBin, ...]
    own_temperature: float
    best_temperature: float
    calibrated_ece: float | None
    device: str
    seconds: float
    reused: int
    notes: tuple[str, ...]
    predicted: NDArray[np.int64]

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "model": self.subject.reference,
            "name": self.subject.name,
            "digest": self.subject.digest,
            "hypothesis_only": self.subject.hypothesis_only,
            "seed": self.subject.seed,
            "examples": self.subject.examples,
            **self.scores.to_data(),
            "absent": [str(label) for label in self.scores.absent],
            "macro_f1_interval": list(self.interval),
            "left_out": self.left_out,
            "out_of_fold": self.out_of_fold,
            "chosen_by": self.chosen_by,
            "by_domain": {name: part._asdict() for name, part in self.by_domain.items()},
            "by_strategy": {name: part._asdict() for name, part in self.by_strategy.items()},
            "reliability": [list(bin) for bin in self.reliability],
            "temperature": self.own_temperature,
            "best_temperature": self.best_temperature,
            "calibrated_ece": self.calibrated_ece,
            "device": self.device,
            "seconds": round(self.seconds, 3),
            "reused": self.reused,
            "notes": list(self.notes),
        }


def evaluate_predictions(
    subject: EvaluatedModel,
    items: Sequence[EvaluatedPair],
    probabilities: NDArray[Any],
    counted: NDArray[np.bool_],
    *,
    out_of_fold: int = 0,
    chosen_by: int = 0,
    temperature: float = 1.0,
    calibrated_ece: float | None = None,
    device: str = "",
    seconds: float = 0.0,
    reused: int = 0,
    notes: Iterable[str] = (),
) -> ModelResult:
    """The scores of probabilities (items, 4) on those pairs that are `counted` (items,), at least one."""
    true_labels = np.array([LABELS.index(item.label) for item in items])
    predicted = np.where(counted, probabilities.argmax(1), -1)
    rows, labels = probabilities[counted], true_labels[counted]

    def parts(name: Callable[[EvaluatedPair], str]) -> dict[str, GroupScores]:
        groups: dict[str, list[int]] = {}
        for n in np.flatnonzero(counted).tolist():
            groups.setdefault(name(items[n]), []).append(n)
        scores_by_group = {
            group: _part(true_labels[places], predicted[places]) for group, places in sorted(groups.items())
        }
        return {group: part for group, part in scores_by_group.items() if group}

    def neutral(item: EvaluatedPair) -> str:
        drawn = item.label is Label.NEUTRAL and item.strategy in NEUTRAL_STRATEGIES
        return item.strategy.value if drawn and item.strategy else ""

    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(rows, np.float64))
    return ModelResult(
        subject=subject,
        scores=score_predictions(labels, rows),
        interval=bootstrap(labels, rows.argmax(1), seed=SEED),
        left_out=int((~counted).sum()),
        out_of_fold=out_of_fold,
        chosen_by=chosen_by,
        by_domain=parts(lambda item: item.domain),
        by_strategy=parts(neutral),
        reliability=tuple(reliability(rows, labels)),
        own_temperature=temperature,
        best_temperature=fit_temperature(logs, labels),
        calibrated_ece=calibrated_ece,
        device=device,
        seconds=seconds,
        reused=reused,
        notes=tuple(notes),
        predicted=predicted,
    )


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A model, or runs of one training that differ by their seed."""

    name: str
    results: tuple[ModelResult, ...]
    summary: ScoreSummaries

    @property
    def subject(self) -> EvaluatedModel:
        return self.results[0].subject

    @property
    def pairs(self) -> float:
        """Mean number of pairs per run."""
        return float(np.mean([result.scores.n for result in self.results]))

    @property
    def adjusted(self) -> ScoreSummary | None:
        """The calibration error to expect with the best temperature; None with too few pairs."""
        errors = [result.calibrated_ece for result in self.results if result.calibrated_ece is not None]
        return summarize_values(errors) if len(errors) == len(self.results) else None

    def by_domain(self) -> dict[str, tuple[float, ScoreSummary]]:
        """Mean number of pairs per run, and macro F1, by domain."""
        return _spread_parts([result.by_domain for result in self.results], "macro_f1")

    def by_strategy(self) -> dict[str, tuple[float, ScoreSummary]]:
        """Mean number of neutral pairs per run, and accuracy, by strategy."""
        return _spread_parts([result.by_strategy for result in self.results], "accuracy")

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "hypothesis_only": self.subject.hypothesis_only,
            "examples": self.subject.examples,
            "seeds": [result.subject.seed for result in self.results],
            "pairs": self.pairs,
            **self.summary.to_data(),
            "calibrated_ece": self.adjusted and self.adjusted._asdict(),
            "by_domain": {name: {"n": n, **f1._asdict()} for name, (n, f1) in self.by_domain().items()},
            "by_strategy": {name: {"n": n, **right._asdict()} for name, (n, right) in self.by_strategy().items()},
            "models": [result.to_data() for result in self.results],
        }


def group_results(results: Sequence[ModelResult]) -> list[ResultRow]:
    """Results grouped in rows, in the order of the first result of each row.

    Runs share a row if their settings are known and equal, their seeds differ, and they have learned from about the
    same number of examples.
    """
    rows: list[list[ModelResult]] = []
    for result in results:
        row = next((row for row in rows if _belongs(result.subject, [member.subject for member in row])), None)
        if row is None:
            rows.append([result])
        else:
            row.append(result)
    names = [_name([member.subject for member in row]) for row in rows]
    names = [
        f"{name} ({row[0].subject.reference})" if names.count(name) > 1 else name
        for name, row in zip(names, rows, strict=True)
    ]
    return [
        ResultRow(name, tuple(row), summarize([member.scores for member in row]))
        for name, row in zip(names, rows, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class ResultComparison:
    """The macro F1 of `second` minus that of `first`, on the `pairs` that are counted for all their runs.

    `interval`: by bootstrap over pairs. `test`: paired by seed; None with fewer than two common seeds.
    """

    first: str
    second: str
    pairs: int
    difference: float
    interval: Interval
    test: TTest | None

    def to_data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "pairs": self.pairs,
            "difference": self.difference,
            "interval": list(self.interval),
            "t_test": self.test and self.test._asdict(),
        }


def compare(items: Sequence[EvaluatedPair], first: ResultRow, second: ResultRow) -> ResultComparison | None:
    """Compare two rows; None where no pair is counted for all their runs."""
    true_labels = np.array([LABELS.index(item.label) for item in items])
    predicted = [np.stack([result.predicted for result in row.results]) for row in (first, second)]
    common = (np.vstack(predicted) >= 0).all(0)
    if not common.any():
        return None
    true_labels, (one, other) = true_labels[common], (rows[:, common] for rows in predicted)
    scores = [[float(macro_f1(confusion(true_labels, run))) for run in rows] for rows in (one, other)]
    seeds = [
        {result.subject.seed: f1 for result, f1 in zip(row.results, found, strict=True)}
        for row, found in zip((first, second), scores, strict=True)
    ]
    shared = [seed for seed in seeds[0] if seed is not None and seed in seeds[1]]
    return ResultComparison(
        first.name,
        second.name,
        int(common.sum()),
        float(np.mean(scores[1]) - np.mean(scores[0])),
        bootstrap_difference(true_labels, one, other, seed=SEED),
        paired_t_test([seeds[0][seed] for seed in shared], [seeds[1][seed] for seed in shared]),
    )


class LearningCurvePoint(NamedTuple):
    """A point of a learning curve: examples learned from, and the macro F1."""

    examples: int
    macro_f1: ScoreSummary


def learning_curves(rows: Sequence[ResultRow]) -> dict[str, list[LearningCurvePoint]]:
    """Curves of rows with equal settings, by the name of the first row; each has at least two points."""
    curves: dict[str, list[ResultRow]] = {}
    for row in rows:
        if row.subject.settings and row.subject.examples:
            curves.setdefault(row.subject.settings, []).append(row)
    return {
        alike[0].name: sorted(LearningCurvePoint(row.subject.examples, row.summary.macro_f1) for row in alike)
        for alike in curves.values()
        if len(alike) > 1
    }


def _part(true_labels: NDArray[Any], predicted: NDArray[Any]) -> GroupScores:
    counts = confusion(true_labels, predicted)
    return GroupScores(len(true_labels), float(np.trace(counts) / len(true_labels)), float(macro_f1(counts)))


def _belongs(subject: EvaluatedModel, row: Sequence[EvaluatedModel]) -> bool:
    first = row[0]
    return (
        bool(subject.settings)
        and subject.settings == first.settings
        and subject.seed is not None
        and subject.seed not in {member.seed for member in row}
        and abs(subject.examples - first.examples) <= _MAX_EXAMPLES_DIFFERENCE * max(subject.examples, first.examples)
    )


def _name(row: Sequence[EvaluatedModel]) -> str:
    """The common beginning of the runs' names."""
    if len(row) == 1:
        return row[0].name
    shared = row[0].name
    for subject in row[1:]:
        while not subject.name.startswith(shared):
            shared = shared[:-1]
    return re.sub(r"[\s,;:_-]*(seed)?[\s,;:_-]*$", "", shared) or row[0].name


def _spread_parts(runs: Sequence[dict[str, GroupScores]], field: str) -> dict[str, tuple[float, ScoreSummary]]:
    names = sorted({name for run in runs for name in run})
    parts = {name: [run[name] for run in runs if name in run] for name in names}
    return {
        name: (float(np.mean([part.n for part in there])), summarize_values([getattr(part, field) for part in there]))
        for name, there in parts.items()
    }
