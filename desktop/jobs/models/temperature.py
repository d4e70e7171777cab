"""How sure a model is when it says so: its temperature, fitted on people's answers it has not learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop.jobs.models.training_exposure import TrainingExposure
from miner.classifier.calibration import MIN_HELD_OUT, cross_fitted_ece, fit_temperature
from miner.classifier.checkpoints import Checkpoint
from miner.classifier.examples import LABELS
from miner.records import Label
from storage.models.suggestions import PairToScore, SuggestionRun
from storage.project import Stores

_MOST = 300  # answers are judged first, while somebody waits; the next run counts all, by what it has suggested
_SAME = 0.05  # temperatures that differ by this share mean the same
_LOWEST = 5e-5  # what a stored 0 may be: probabilities are kept to a ten-thousandth
_COLDEST, _HOTTEST = 0.05, 20.0  # a model that knows nothing would be heated for ever

Predict = Callable[[Sequence[PairToScore]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A temperature by so many answered `pairs`; `ece`: the calibration error to expect of others, 0 to 1."""

    temperature: float
    pairs: int
    ece: float

    def differs(self, other: float) -> bool:
        return abs(self.temperature / other - 1) > _SAME


def card_temperature(model: Checkpoint) -> float:
    return model.card.temperature if model.card else 1.0


def fit(answered: Sequence[tuple[PairToScore, Label]], exposure: TrainingExposure, predict: Predict) -> Fitted | None:
    """By the answers a model has not learned, which it judges (at temperature 1) first; None for fewer than 200."""
    held_out = [(one, gold) for one, gold in answered if one.key not in exposure.learned]
    if len(held_out) < MIN_HELD_OUT:
        return None
    some = sorted(held_out, key=lambda pair: pair[0].key)[:_MOST]  # keys are digests: a fair draw
    probabilities = predict([one for one, _ in some])
    return _fitted(probabilities, [gold for _, gold in some], [one.paper for one, _ in some], 1.0)


def fit_anew(stores: Stores, run: SuggestionRun, exposure: TrainingExposure) -> Fitted | None:
    """By the suggestions of `run`, which are shown, on answers its model has not learned.

    Not by what folds say of pairs: that stands at another temperature, which this one does not change.
    """
    others = exposure.learned | exposure.fold_predictions.keys()
    pairs = [pair for pair in stores.suggestions.calibration_pairs() if pair.key not in others]
    if len(pairs) < MIN_HELD_OUT:
        return None
    probabilities = np.array([pair.probabilities for pair in pairs])
    return _fitted(probabilities, [pair.gold for pair in pairs], [pair.paper for pair in pairs], run.temperature)


def honest_error(probabilities: NDArray[Any], gold: NDArray[Any], papers: Sequence[str]) -> float:
    """The calibration error to expect of other papers' pairs; where papers are few, of other pairs."""
    logs = np.log(np.clip(probabilities, _LOWEST, 1))
    groups = papers if len(set(papers)) >= 5 else [str(number) for number in range(len(papers))]
    return cross_fitted_ece(logs, gold, groups)


def _fitted(probabilities: NDArray[Any], labels: Sequence[Label], papers: Sequence[str], temperature: float) -> Fitted:
    rows = np.asarray(probabilities, np.float64)
    gold = np.array([LABELS.index(label) for label in labels], np.int64)
    found = temperature * fit_temperature(np.log(np.clip(rows, _LOWEST, 1)), gold)
    return Fitted(min(max(found, _COLDEST), _HOTTEST), len(gold), honest_error(rows, gold, papers))
