"""Figures of pairs with kinds of reasoning: counts, correlations, and how models do (TaxiNLI, sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from miner.kinds.factors import (
    CategoryScore,
    FactorAnalysis,
    analyse_factors,
    category_scores,
    correlations,
    count_kinds,
)
from miner.libraries import np

LENGTHS = ("words of the premise", "words of the hypothesis")


class AnnotatedPair(NamedTuple):
    """A pair with its label and kinds.

    words: of premise and hypothesis. predicted: the predicted label by model name.
    """

    label: str
    categories: frozenset[str]
    words: tuple[int, int]
    predicted: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class ModelKinds:
    """How a model does on the pairs that it has predicted."""

    model: str
    pairs: int
    right: int
    scores: tuple[CategoryScore, ...]
    factors: FactorAnalysis


@dataclass(frozen=True, slots=True)
class KindsFigures:
    """counts: by category, the number of pairs of each class. without: pairs without any category, by class.

    correlations: phi of every two categories, None where one has no variance. together: how many pairs have both.
    unused: categories that no pair has.
    """

    pairs: int
    classes: tuple[str, ...]
    class_pairs: tuple[int, ...]
    categories: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...] = ()
    without: tuple[int, ...] = ()
    correlations: tuple[tuple[float | None, ...], ...] = ()
    together: tuple[tuple[int, ...], ...] = ()
    unused: tuple[str, ...] = ()
    models: tuple[ModelKinds, ...] = field(default=())


def kinds_figures(
    pairs: Sequence[AnnotatedPair], categories: Sequence[str], factors: Sequence[str] = ()
) -> KindsFigures:
    """The figures of these pairs. factors: the categories that explain a model's errors; by default all."""

    classes = tuple(sorted({pair.label for pair in pairs}))
    indicators = np.array([[name in pair.categories for name in categories] for pair in pairs], np.int64)
    indicators = indicators.reshape(len(pairs), len(categories))
    truth = np.array([classes.index(pair.label) for pair in pairs], np.int64)
    lengths = np.array([pair.words for pair in pairs], np.int64).reshape(len(pairs), 2)
    chosen = [place for place, name in enumerate(categories) if name in (factors or categories)]
    models = []
    for model in sorted({name for pair in pairs for name in pair.predicted}):
        there = np.array([model in pair.predicted for pair in pairs], bool)
        right = np.array([pair.predicted.get(model) == pair.label for pair in pairs], bool)[there]
        values = np.column_stack([indicators[:, chosen], lengths])[there]
        names = [*(categories[place] for place in chosen), *LENGTHS]
        models.append(
            ModelKinds(
                model,
                int(there.sum()),
                int(right.sum()),
                tuple(category_scores(indicators[there], right, categories)),
                analyse_factors(values, right, names),
            )
        )
    phi = correlations(indicators)
    return KindsFigures(
        len(pairs),
        classes,
        tuple(np.bincount(truth, minlength=len(classes)).tolist()),
        tuple(categories),
        tuple(map(tuple, count_kinds(indicators, truth, len(classes)).tolist())),
        tuple(np.bincount(truth[indicators.sum(1) == 0], minlength=len(classes)).tolist()),
        tuple(tuple(None if value != value else value for value in row) for row in phi.tolist()),
        tuple(map(tuple, (indicators.T @ indicators).tolist())),
        tuple(name for name, total in zip(categories, indicators.sum(0), strict=True) if not total),
        tuple(models),
    )
