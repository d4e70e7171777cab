"""Calibrates models by people's answers that they have not learned: fits temperatures, and measures the scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from desktop.jobs.models.registry import models_folder
from desktop.jobs.models.training_exposure import TrainingExposure, exposure_in, has_exposure, read_exposure
from miner.classifier.calibration import MIN_HELD_OUT, cross_fitted_ece, fit_temperature
from miner.classifier.checkpoints import Checkpoint
from miner.classifier.examples import LABELS
from miner.classifier.metrics import score_predictions
from miner.libraries import NDArray, np
from miner.records import Label
from storage.models.registry import KnownModel, ModelKind
from storage.models.suggestion_statistics import CalibrationPair
from storage.models.suggestions import PairToScore, SuggestionRun
from storage.project import Project
from storage.stores import Stores

_MAX_ANSWERS = 300  # scored to fit a temperature, which takes seconds; a later run has suggestions for all
_TOLERANCE = 0.05  # relative difference of temperatures that does not matter
_MIN_PROBABILITY = 5e-5  # in place of a stored 0: probabilities are stored to four decimals
_MIN_TEMPERATURE, _MAX_TEMPERATURE = 0.05, 20.0  # a model that knows nothing would have an infinite temperature

PredictFunction: TypeAlias = "Callable[[Sequence[PairToScore]], NDArray[np.float32]]"
"""Gives probabilities at temperature 1, (n, 4)."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scores, 0.0 to 1.0, of the current suggestions on `n` answered pairs that the model has not learned.

    Accepted suggestions do not count as answers. ece: the calibration error; from 200 answers on, the error expected
    for other pairs.
    """

    n: int
    accuracy: float
    macro_f1: float
    ece: float


@dataclass(frozen=True, slots=True)
class FittedTemperature:
    """A temperature fitted on `pairs` answered pairs; `ece`: the calibration error expected for others, 0.0 to 1.0."""

    temperature: float
    pairs: int
    ece: float

    def differs(self, other: float) -> bool:
        return abs(self.temperature / other - 1) > _TOLERANCE


def card_temperature(model: Checkpoint) -> float:
    """The temperature in the model's card; 1.0 if it has none."""
    return model.card.temperature if model.card else 1.0


def fit_on_answers(
    answered: Sequence[tuple[PairToScore, Label]], exposure: TrainingExposure, predict: PredictFunction
) -> FittedTemperature | None:
    """Fit on answered pairs that the model has not learned, scored by `predict`; None if there are fewer than 200."""
    held_out = [(one, gold) for one, gold in answered if one.key not in exposure.learned]
    if len(held_out) < MIN_HELD_OUT:
        return None
    sample = sorted(held_out, key=lambda pair: pair[0].key)[:_MAX_ANSWERS]  # keys are hashes: a random sample
    probabilities = predict([pair for pair, _ in sample])
    return _fit(probabilities, [gold for _, gold in sample], [pair.paper for pair, _ in sample], 1.0)


def fit_on_suggestions(stores: Stores, run: SuggestionRun, exposure: TrainingExposure) -> FittedTemperature | None:
    """Fit on the suggestions of `run`, the current run, for answered pairs not learned by its model; None below 200.

    Predictions of folds are left out, as they are calibrated already.
    """
    others = exposure.learned | exposure.fold_predictions.keys()
    pairs = [pair for pair in stores.suggestion_statistics.calibration_pairs() if pair.key not in others]
    if len(pairs) < MIN_HELD_OUT:
        return None
    probabilities = np.array([pair.probabilities for pair in pairs])
    return _fit(probabilities, [pair.gold for pair in pairs], [pair.paper for pair in pairs], run.temperature)


def expected_error(probabilities: NDArray[Any], gold: NDArray[Any], papers: Sequence[str]) -> float:
    """The calibration error to expect for pairs of other papers; with fewer than 5 papers, for other pairs."""
    logs = np.log(np.clip(probabilities, _MIN_PROBABILITY, 1))
    groups = papers if len(set(papers)) >= 5 else [str(number) for number in range(len(papers))]
    return cross_fitted_ece(logs, gold, groups)


def _fit(
    probabilities: NDArray[Any], labels: Sequence[Label], papers: Sequence[str], temperature: float
) -> FittedTemperature:
    rows = np.asarray(probabilities, np.float64)
    gold = np.array([LABELS.index(label) for label in labels], np.int64)
    found = temperature * fit_temperature(np.log(np.clip(rows, _MIN_PROBABILITY, 1)), gold)
    return FittedTemperature(
        min(max(found, _MIN_TEMPERATURE), _MAX_TEMPERATURE), len(gold), expected_error(rows, gold, papers)
    )


def measure_calibration(project: Project, stores: Stores, run: SuggestionRun) -> Calibration | None:
    """How often the suggestions of this run are right on answered pairs; None if there are no such pairs."""
    pairs = held_out_answers(project, stores, run)
    if not pairs:
        return None
    probabilities = np.array([pair.probabilities for pair in pairs])
    gold = np.array([LABELS.index(pair.gold) for pair in pairs])
    scores = score_predictions(gold, probabilities)
    error = scores.ece or 0.0
    if len(pairs) >= MIN_HELD_OUT:
        error = expected_error(probabilities, gold, [pair.paper for pair in pairs])
    return Calibration(len(pairs), scores.accuracy, scores.macro_f1, error)


def held_out_answers(project: Project, stores: Stores, run: SuggestionRun) -> list[CalibrationPair]:
    """The answered pairs that the model of this run, the current one, has not learned, with its suggestions.

    None where it is not known what the model has learned.
    """
    exposure = _exposure(project, stores.models.get(run.model_id))
    if exposure is None:
        return []
    return [pair for pair in stores.suggestion_statistics.calibration_pairs() if pair.key not in exposure.learned]


def _exposure(project: Project, model: KnownModel) -> TrainingExposure | None:
    """What a model has learned; None for a project's model whose files are missing: it may have learned the answers."""
    if model.kind is ModelKind.PROJECT:
        folder = models_folder(project) / model.folder
        return read_exposure(folder) if has_exposure(folder) else None
    return exposure_in(Path(model.folder)) if model.kind is ModelKind.FOLDER and model.folder else TrainingExposure()
