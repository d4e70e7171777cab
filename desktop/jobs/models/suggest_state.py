"""The state of the Suggest page: the shown suggestions, their model, and how far people and phrases agree."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from desktop.jobs.models.label_noise import known_label_noise
from desktop.jobs.models.registry import ModelChoice, models_folder, read_choices
from desktop.jobs.models.temperature import expected_error
from desktop.jobs.models.training_exposure import TrainingExposure, has_exposure, read_exposure
from miner.classifier.calibration import MIN_HELD_OUT
from miner.classifier.examples import LABELS
from miner.classifier.metrics import score_predictions
from miner.progress import Job, Progress
from storage.models.registry import KnownModel, ModelKind
from storage.models.suggestions import GroupDoubt, MatrixCell, SuggestionRun, SuggestionSummary
from storage.pairs.filters import PairFilter, PairStatus
from storage.project import Project, Stores

RETRAIN_AFTER = 200  # answers since the model was trained, from which on training again is offered

_JUDGED = PairFilter(statuses=frozenset(PairStatus) - {PairStatus.BAD, PairStatus.GONE})
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scores, 0.0 to 1.0, of the shown suggestions on `n` pairs that people answered and the model had not learned.

    Accepted suggestions do not count. `ece`: from 200 answers on, the calibration error to expect of other pairs.
    """

    n: int
    accuracy: float
    macro_f1: float
    ece: float


@dataclass(frozen=True, slots=True)
class SuggestState:
    """What the Suggest page shows.

    shown: the run whose suggestions are shown; None, and figures empty, while there is none. running: a run is not
    complete, since it is at work or was interrupted. new_answers: people's answers since the shown model was trained.
    retrain: they are enough to train again. noise: rows of `known_label_noise`; () while it is not known.
    """

    choices: tuple[ModelChoice, ...]
    shown: SuggestionRun | None
    running: bool
    pairs: int
    missing: int
    summary: SuggestionSummary | None
    calibration: Calibration | None
    matrix: tuple[MatrixCell, ...]
    phrases: tuple[GroupDoubt, ...]
    domains: tuple[GroupDoubt, ...]
    new_answers: int
    retrain: bool
    noise: tuple[tuple[float, ...], ...] = ()


def suggest_state(project: Project) -> Job[SuggestState]:
    """All that the Suggest page shows."""

    def work(progress: Progress) -> SuggestState:
        with project.reading() as stores:
            choices = read_choices(project, stores)
            shown = stores.suggestions.current_run()
            if shown is None:
                pairs = stores.pair_table.count(_JUDGED)
                return SuggestState(choices, None, False, pairs, pairs, None, None, (), (), (), 0, False)
            summary = stores.suggestions.summary()
            noise = known_label_noise(stores)
            answers = stores.suggestions.new_answers(_made_at(stores, shown))
            return SuggestState(
                choices,
                shown,
                stores.suggestions.unfinished_run() is not None,
                summary.suggested + summary.missing,
                summary.missing,
                summary,
                _calibration(project, stores, shown),
                tuple(stores.suggestions.matrix(PairFilter())),
                tuple(stores.suggestions.by_group("phrase")),
                tuple(stores.suggestions.by_group("domain")),
                answers,
                answers >= RETRAIN_AFTER,
                () if noise is None else tuple(tuple(row) for row in noise.tolist()),
            )

    return Job("Looking at the suggestions", work)


def _made_at(stores: Stores, shown: SuggestionRun) -> datetime:
    """When the labels were read that the model learned; long ago for models from elsewhere, which learned none."""
    started = [run.started_at for run in stores.training_runs.all() if run.model_id == shown.model_id]
    return max(started, default=_EVER)


def _calibration(project: Project, stores: Stores, shown: SuggestionRun) -> Calibration | None:
    exposure = _exposure(project, stores.models.get(shown.model_id))
    if exposure is None:
        return None
    pairs = [pair for pair in stores.suggestions.calibration_pairs() if pair.key not in exposure.learned]
    if not pairs:
        return None
    probabilities = np.array([pair.probabilities for pair in pairs])
    gold = np.array([LABELS.index(pair.gold) for pair in pairs])
    scores = score_predictions(gold, probabilities)
    error = scores.ece or 0.0
    if len(pairs) >= MIN_HELD_OUT:
        error = expected_error(probabilities, gold, [pair.paper for pair in pairs])
    return Calibration(len(pairs), scores.accuracy, scores.macro_f1, error)


def _exposure(project: Project, model: KnownModel) -> TrainingExposure | None:
    """None for a model of the project whose files are gone: it may have learned these answers."""
    if model.kind is ModelKind.PROJECT:
        folder = models_folder(project) / model.folder
        return read_exposure(folder) if has_exposure(folder) else None
    return (
        read_exposure(Path(model.folder).parent)
        if model.kind is ModelKind.FOLDER and model.folder
        else TrainingExposure()
    )
