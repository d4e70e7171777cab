"""Calibrating a model: its temperature, fitted on people's answers that it has not learned."""

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

_MOST = 300  # answers, since somebody waits; a later run uses all of them, by their suggestions
_SAME = 0.05  # relative difference of temperatures that makes no difference
_LOWEST = 5e-5  # what a stored 0 may be: probabilities are stored to a ten-thousandth
_COLDEST, _HOTTEST = 0.05, 20.0  # the best temperature of a model that knows nothing is infinite

Predict = Callable[[Sequence[PairToScore]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A temperature fitted on `pairs` answered pairs; `ece`: the calibration error to expect of others, 0.0 to 1.0."""

    temperature: float
    pairs: int
    ece: float

    def differs(self, other: float) -> bool:
        return abs(self.temperature / other - 1) > _SAME


def card_temperature(model: Checkpoint) -> float:
    return model.card.temperature if model.card else 1.0


def fit(answered: Sequence[tuple[PairToScore, Label]], exposure: TrainingExposure, predict: Predict) -> Fitted | None:
    """Fit on answered pairs that the model has not learned, which `predict` scores at temperature 1; None under 200."""
    held_out = [(one, gold) for one, gold in answered if one.key not in exposure.learned]
    if len(held_out) < MIN_HELD_OUT:
        return None
    some = sorted(held_out, key=lambda pair: pair[0].key)[:_MOST]  # keys are hashes: a random sample
    probabilities = predict([one for one, _ in some])
    return _fitted(probabilities, [gold for _, gold in some], [one.paper for one, _ in some], 1.0)


def fit_on_suggestions(stores: Stores, run: SuggestionRun, exposure: TrainingExposure) -> Fitted | None:
    """Fit on the shown suggestions, of `run`, for answered pairs that its model has not learned; None under 200.

    Predictions of folds do not count: they have a temperature of their own.
    """
    others = exposure.learned | exposure.fold_predictions.keys()
    pairs = [pair for pair in stores.suggestions.calibration_pairs() if pair.key not in others]
    if len(pairs) < MIN_HELD_OUT:
        return None
    probabilities = np.array([pair.probabilities for pair in pairs])
    return _fitted(probabilities, [pair.gold for pair in pairs], [pair.paper for pair in pairs], run.temperature)


def expected_error(probabilities: NDArray[Any], gold: NDArray[Any], papers: Sequence[str]) -> float:
    """The calibration error to expect of other papers' pairs; of other pairs where there are fewer than 5 papers."""
    logs = np.log(np.clip(probabilities, _LOWEST, 1))
    groups = papers if len(set(papers)) >= 5 else [str(number) for number in range(len(papers))]
    return cross_fitted_ece(logs, gold, groups)


def _fitted(probabilities: NDArray[Any], labels: Sequence[Label], papers: Sequence[str], temperature: float) -> Fitted:
    rows = np.asarray(probabilities, np.float64)
    gold = np.array([LABELS.index(label) for label in labels], np.int64)
    found = temperature * fit_temperature(np.log(np.clip(rows, _LOWEST, 1)), gold)
    return Fitted(min(max(found, _COLDEST), _HOTTEST), len(gold), expected_error(rows, gold, papers))
