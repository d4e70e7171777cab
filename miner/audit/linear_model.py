"""What a cheap linear model guesses of the labels: TF-IDF of words and word pairs, and logistic regression.

Classes are made equally large first, so that chance is one in the number of classes. The model is tested on papers that
it has not seen, by cross-validation; intervals are by drawing papers again, with replacement.

scikit-learn is imported here alone, in the process of an audit.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import log
from typing import Any, NamedTuple

from miner.audit.drawn_pairs import AuditPair
from miner.audit.report import AuditQuestion, AuditRow, Finding, Measure, Verdict
from miner.libraries import np
from miner.records import Label
from miner.statistics import wilson

MAX_PAIRS = 32_000
"""More pairs are not used: it is what the largest reference was measured with."""
MIN_CLASS_PAIRS = 20
"""Pairs that a class must have to be told from others."""

QUESTIONS = (AuditQuestion.HYPOTHESIS_ALONE, AuditQuestion.PREMISE_ALONE, AuditQuestion.BOTH)
# Accuracy in four classes by the number of pairs, of sets mined from agriculture, biomedicine, language and machine
# learning, with this model; by others for the hypothesis alone: .31 to .32 at 712 pairs, .47 at 32,000.
_REFERENCES = {
    AuditQuestion.HYPOTHESIS_ALONE: ((100, 0.26), (712, 0.34), (2_000, 0.385), (5_000, 0.43), (32_000, 0.475)),
    AuditQuestion.PREMISE_ALONE: ((100, 0.26), (712, 0.34), (2_000, 0.38), (5_000, 0.4), (32_000, 0.43)),
    AuditQuestion.BOTH: ((100, 0.28), (712, 0.435), (2_000, 0.465), (5_000, 0.535), (32_000, 0.555)),
}
_REFERENCE_CHANCE = 0.25
_LOOK, _MEND = 0.03, 0.08  # how far the lower bound of the accuracy is above the reference
_FOLDS, _FOLDS_OF_MANY, _MANY = 5, 3, 10_000
_MAX_FEATURES = 50_000  # of each sentence
_BOOTSTRAPS = 1_000
_TEXTS_PER_TICK = 500

Tick = Callable[[], None]
"""Called between steps of less than a few seconds; what it raises ends the work."""


class _Scores(NamedTuple):
    value: float
    low: float
    high: float


def count_ticks(pairs: int) -> int:
    """About how often `model_findings` calls `tick`."""
    used = min(pairs, MAX_PAIRS)
    folds = _FOLDS_OF_MANY if used > _MANY else _FOLDS
    return 2 * (used // _TEXTS_PER_TICK + 1) + len(QUESTIONS) * folds * len(Label)


def model_findings(pairs: Sequence[AuditPair], seed: int, tick: Tick, *, has_papers: bool) -> list[Finding]:
    """The findings on what the model guesses from the hypothesis, the premise, and both with their shared words.

    has_papers: the groups of the pairs are papers.
    """
    totals = Counter(pair.label for pair in pairs)
    labels = [label for label in Label if totals[label] >= MIN_CLASS_PAIRS]
    left_out = tuple(str(label) for label in Label if 0 < totals[label] < MIN_CLASS_PAIRS)
    if len(labels) < 2:
        return [
            Finding(one, Verdict.UNKNOWN, len(pairs), missing=MIN_CLASS_PAIRS, left_out=left_out) for one in QUESTIONS
        ]
    from threadpoolctl import threadpool_limits

    drawn = _balanced(pairs, labels, seed)
    with threadpool_limits(1):  # the sums are small: more threads would only wait for each other
        features = _features(drawn, tick)
        groups, is_grouped = _group_numbers(drawn)
        guesses = {question: _guess(features[question], drawn, labels, groups, seed, tick) for question in QUESTIONS}
    return [
        _finding(question, drawn, labels, groups, guesses[question], seed, left_out, has_papers and is_grouped)
        for question in QUESTIONS
    ]


def reference_accuracy(question: AuditQuestion, pairs: int, classes: int) -> float:
    """What the model reaches on mined sets of other fields with as many pairs.

    For other than four classes it has the same share of the way from chance to 1.

    >>> round(reference_accuracy(AuditQuestion.HYPOTHESIS_ALONE, 32_000, 4), 3)
    0.475
    """
    points = _REFERENCES[question]
    value = points[0][1] if pairs <= points[0][0] else points[-1][1]
    for (size, accuracy), (next_size, next_accuracy) in pairwise(points):
        if size < pairs < next_size:
            value = accuracy + (next_accuracy - accuracy) * log(pairs / size) / log(next_size / size)
            break
        if pairs == size:
            value = accuracy
    chance = 1 / classes
    return chance + (1 - chance) * (value - _REFERENCE_CHANCE) / (1 - _REFERENCE_CHANCE)


def _balanced(pairs: Sequence[AuditPair], labels: Sequence[str], seed: int) -> list[AuditPair]:
    """As many pairs of each class; in the order of `pairs`."""
    by_label = {label: [index for index, pair in enumerate(pairs) if pair.label == label] for label in labels}
    size = min(*(len(of_class) for of_class in by_label.values()), MAX_PAIRS // len(labels))
    draw = random.Random(seed)
    chosen = sorted(index for of_class in by_label.values() for index in draw.sample(of_class, size))
    return [pairs[index] for index in chosen]


def _group_numbers(pairs: Sequence[AuditPair]) -> tuple[Any, bool]:
    """The group of each pair as a number; each pair its own if there are fewer groups than folds."""

    numbers: dict[str, int] = {}
    groups = np.array([numbers.setdefault(pair.group, len(numbers)) for pair in pairs])
    is_grouped = len(numbers) >= _FOLDS
    return (groups if is_grouped else np.arange(len(pairs))), is_grouped


def _features(pairs: Sequence[AuditPair], tick: Tick) -> dict[AuditQuestion, Any]:
    """A sparse matrix of features for each question, a row for each pair.

    Words and their weights are taken from all pairs at once; no label is looked at.
    """
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction.text import TfidfVectorizer

    def weights(texts: Sequence[str]) -> Any:
        vectorizer = TfidfVectorizer(
            ngram_range=(1, 2), sublinear_tf=True, min_df=2, max_features=_MAX_FEATURES,
            token_pattern=r"(?u)\b\w+\b", dtype=np.float64,
        )  # fmt: skip
        try:
            return vectorizer.fit_transform(_ticking(texts, tick))
        except ValueError:  # no word is in two texts
            return csr_matrix((len(texts), 1))

    hypothesis = weights([pair.hypothesis for pair in pairs])
    premise = weights([pair.premise for pair in pairs])
    lengths = np.array([(len(pair.premise.split()), len(pair.hypothesis.split())) for pair in pairs]) / 50
    shared = np.array([pair.overlap for pair in pairs]) / 100
    surface = csr_matrix(np.column_stack((shared, lengths, lengths[:, 0] - lengths[:, 1])))
    return {
        AuditQuestion.HYPOTHESIS_ALONE: hypothesis,
        AuditQuestion.PREMISE_ALONE: premise,
        AuditQuestion.BOTH: hstack([premise, hypothesis, surface]).tocsr(),
    }


def _ticking(texts: Sequence[str], tick: Tick) -> Iterator[str]:
    for index, text in enumerate(texts):
        if index % _TEXTS_PER_TICK == 0:
            tick()
        yield text


def _guess(features: Any, pairs: Sequence[AuditPair], labels: Sequence[str], groups: Any, seed: int, tick: Tick) -> Any:
    """For each pair the index of the label that a model guesses which has not seen the pair's group."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedGroupKFold

    truth = np.array([labels.index(pair.label) for pair in pairs])
    folds = StratifiedGroupKFold(_FOLDS_OF_MANY if len(pairs) > _MANY else _FOLDS, shuffle=True, random_state=seed)
    guesses = np.zeros(len(pairs), dtype=int)
    for learned, tested in folds.split(features, truth, groups):
        scores = np.full((len(tested), len(labels)), -np.inf)
        for index in range(len(labels)):  # each class against all others
            tick()
            is_class = truth[learned] == index
            if 0 < is_class.sum() < len(learned):
                model = LogisticRegression(solver="liblinear", tol=1e-2, random_state=seed)
                scores[:, index] = model.fit(features[learned], is_class).decision_function(features[tested])
        guesses[tested] = scores.argmax(axis=1)
    return guesses


def _finding(
    question: AuditQuestion,
    pairs: Sequence[AuditPair],
    labels: Sequence[str],
    groups: Any,
    guesses: Any,
    seed: int,
    left_out: tuple[str, ...],
    has_papers: bool,
) -> Finding:

    truth = np.array([labels.index(pair.label) for pair in pairs])
    accuracy, macro_f1 = _intervals(truth, guesses, groups, len(labels), seed)
    right = truth == guesses
    total = len(pairs)
    rows = [
        AuditRow(Measure.ACCURACY, "", total, *accuracy, hits=int(right.sum())),
        AuditRow(Measure.MACRO_F1, "", total, *macro_f1),
    ]
    strategies = sorted({pair.strategy for pair in pairs if pair.label == Label.NEUTRAL})
    parts = [(label, "") for label in labels]
    parts += [(str(Label.NEUTRAL), strategy) for strategy in strategies if len(strategies) > 1]
    for label, strategy in parts:
        is_part = np.array([pair.label == label and strategy in ("", pair.strategy) for pair in pairs])
        number, hits = int(is_part.sum()), int(right[is_part].sum())
        low, high = wilson(hits, number)
        rows.append(AuditRow(Measure.RECALL, label, number, hits / number, low, high, strategy, hits))
    reference = reference_accuracy(question, total, len(labels))
    above = accuracy.low - reference
    verdict = Verdict.MEND if above > _MEND else Verdict.LOOK if above > _LOOK else Verdict.FINE
    chance = 1 / len(labels)
    recalls = [row for row in rows if row.measure is Measure.RECALL and not row.strategy]
    top = max(recalls, key=lambda row: row.value).label if above > _LOOK else ""
    return Finding(
        question,
        verdict,
        total,
        max(0.0, accuracy.value - chance),
        top,
        tuple(rows),
        chance=chance,
        reference=reference,
        without_papers=not has_papers,
        left_out=left_out,
    )


def _intervals(truth: Any, guesses: Any, groups: Any, classes: int, seed: int) -> tuple[_Scores, _Scores]:
    """Accuracy and macro F1, with 95 % intervals: the percentiles of draws of whole groups, with replacement."""

    from miner.classifier.metrics import macro_f1

    cells = truth * classes + guesses
    by_group = np.zeros((groups.max() + 1, classes * classes))
    np.add.at(by_group, (groups, cells), 1)
    draw = np.random.default_rng(seed)
    drawn = [by_group.sum(axis=0)]
    for _ in range(_BOOTSTRAPS):
        times = np.bincount(draw.integers(0, len(by_group), len(by_group)), minlength=len(by_group))
        drawn.append(times @ by_group)
    confusions = np.array(drawn).reshape(-1, classes, classes)
    accuracy = np.trace(confusions, axis1=1, axis2=2) / confusions.sum(axis=(1, 2))
    return _with_interval(accuracy), _with_interval(macro_f1(confusions))


def _with_interval(values: Any) -> _Scores:
    """The first value, with the percentiles of the others."""

    low, high = np.percentile(values[1:], (2.5, 97.5))
    return _Scores(float(values[0]), float(low), float(high))
