"""The job that evaluates models: predicts labelled pairs with each, in a process of its own, and scores them."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop.jobs.models.calibration import card_temperature, expected_error
from desktop.jobs.models.evaluation_data import EvaluateOptions, EvaluationData, LearnedPairs, read_evaluation_data
from desktop.jobs.models.model_process import ModelProcess, require_finite
from desktop.jobs.models.registry import find_model, require_classifier
from desktop.jobs.models.training_exposure import TrainingExposure, exposure_of
from miner import codec
from miner.classifier.calibration import MIN_HELD_OUT, apply_temperature
from miner.classifier.checkpoints import STARTER_NAME, Checkpoint, find_checkpoint
from miner.classifier.evaluation import (
    SEED,
    EvaluatedModel,
    EvaluatedPair,
    LearningCurvePoint,
    ModelResult,
    ResultComparison,
    ResultRow,
    compare,
    evaluate_predictions,
    group_results,
    learning_curves,
)
from miner.classifier.examples import LABELS
from miner.classifier.libraries import missing_library
from miner.classifier.recipe import Recipe
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Label
from storage.project import Project

log = logging.getLogger(__name__)

_BATCH_SIZE = 256
_DEFAULTS = codec.to_data(Recipe())


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Results in rows, each compared with the first one. curves: the points of learning curves, by name of a row."""

    data: EvaluationData
    learned_pairs: LearnedPairs
    rows: tuple[ResultRow, ...]
    comparisons: tuple[ResultComparison, ...]
    curves: Mapping[str, Sequence[LearningCurvePoint]]
    program: str
    at: datetime

    def to_data(self) -> dict[str, Any]:
        """For JSON; shares 0.0 to 1.0."""
        return {
            "data": {
                "name": self.data.name,
                "pairs": len(self.data.items),
                "of": self.data.total,
                "classes": self.data.classes,
                "bad_rows": self.data.bad,
            },
            "learned_pairs": self.learned_pairs.value,
            "rows": [row.to_data() for row in self.rows],
            "comparisons": [comparison.to_data() for comparison in self.comparisons],
            "learning_curves": {
                name: [{"examples": point.examples, **point.macro_f1._asdict()} for point in points]
                for name, points in self.curves.items()
            },
            "bootstrap_seed": SEED,
            "program": self.program,
            "at": self.at.isoformat(timespec="seconds"),
        }


def evaluate(project: Project | None, options: EvaluateOptions) -> Job[Evaluation]:
    """Predict the pairs with each model in a process of its own, and score them; `project` is for its labels only.

    `UserError` where there are no labels, a model cannot be used, or it has learned all of the pairs.
    """

    def work(progress: Progress) -> Evaluation:
        if problem := missing_library():
            raise problem
        if not options.models:
            raise UserError("No model was named.", hint=f"For example: --model {STARTER_NAME}")
        models = [(name, _find(project, name, options.labels)) for name in dict.fromkeys(options.models)]
        data = read_evaluation_data(project, options, progress)
        results = []
        for place, (reference, model) in enumerate(models):
            with closing(
                _ModelEvaluation(reference, model, data, options, (place, len(models)), progress)
            ) as evaluation:
                results.append(evaluation.result())
        rows = group_results(results)
        compared = [compare(data.items, rows[0], row) for row in rows[1:]]
        log.info("evaluated %d models on %d pairs", len(models), len(data.items))
        return Evaluation(
            data,
            options.learned_pairs,
            tuple(rows),
            tuple(one for one in compared if one is not None),
            learning_curves(rows),
            f"pairwright {version('pairwright')}",
            datetime.now(UTC),
        )

    return Job("Evaluating models", work)


class _ModelEvaluation:
    """The evaluation of one model. position: its index, and how many models there are."""

    def __init__(
        self,
        reference: str,
        model: Checkpoint,
        data: EvaluationData,
        options: EvaluateOptions,
        position: tuple[int, int],
        progress: Progress,
    ) -> None:
        self._reference, self._model, self._items, self._options = reference, model, data.items, options
        self._position, self._progress = position, progress
        self._process = ModelProcess()
        self._done = 0

    def close(self) -> None:
        self._process.end()

    def result(self) -> ModelResult:
        exposure = exposure_of(self._model)
        known = _have_keys(self._items, exposure.learned, exposure)
        folds = [exposure.fold_prediction(one.key, one.premise, one.hypothesis) for one in self._items]
        has_fold = np.array([fold is not None for fold in folds], bool)
        use_fold = known & has_fold & (self._options.learned_pairs is LearnedPairs.FOLDS)
        counted = ~known | use_fold | (self._options.learned_pairs is LearnedPairs.TAKE)
        if not counted.any():
            hint = "Choose pairs it does not know, or take what it says of them too: --learned take"
            raise UserError(f"The model {self._model.name} has learned all {len(self._items):,} pairs.", hint=hint)
        began = time.monotonic()
        probabilities, device, notes = self._predict(np.flatnonzero(counted & ~use_fold))
        seconds = time.monotonic() - began
        for place in np.flatnonzero(use_fold).tolist():
            probabilities[place] = folds[place].probabilities  # type: ignore[union-attr]  # not None, by `use_fold`
        return evaluate_predictions(
            _subject(self._reference, self._model, exposure),
            self._items,
            probabilities,
            counted,
            out_of_fold=int(use_fold.sum()),
            chosen_by=int((_have_keys(self._items, exposure.dev, exposure) & counted & ~use_fold).sum()),
            temperature=card_temperature(self._model),
            calibrated_ece=self._calibrated(probabilities, counted),
            device=device,
            seconds=seconds,
            notes=notes,
        )

    def _predict(self, places: NDArray[np.int64]) -> tuple[NDArray[np.float32], str, tuple[str, ...]]:
        """Probabilities, (items, 4), at the model's own temperature, of the items at these places; 0 elsewhere."""
        found = np.zeros((len(self._items), len(LABELS)), np.float32)
        lengths = [len(self._items[place].premise) + len(self._items[place].hypothesis) for place in places]
        order = places[np.argsort(-np.array(lengths, np.int64), kind="stable")]
        pieces = [order[low : low + _BATCH_SIZE] for low in range(0, len(order), _BATCH_SIZE)]
        device, notes = "", dict[str, None]()
        self._tick()
        with closing(
            self._process.predict(self._model, self._options.device, self._texts(pieces), self._tick)
        ) as answers:
            for piece, answer in zip(pieces, answers, strict=True):
                probabilities = require_finite(answer, self._model.name)
                found[piece] = apply_temperature(probabilities, card_temperature(self._model))
                device = answer.device
                notes.update(dict.fromkeys(answer.notes))
                self._done += len(piece)
                self._tick()
        return found, device, tuple(notes)

    def _texts(self, pieces: Sequence[NDArray[np.int64]]) -> Iterator[list[tuple[str, str]]]:
        for piece in pieces:
            yield [(self._items[place].premise, self._items[place].hypothesis) for place in piece]

    def _tick(self) -> None:
        number, models = self._position
        self._progress.tick(number * len(self._items) + self._done, models * len(self._items), self._model.name)

    def _calibrated(self, probabilities: NDArray[np.float32], counted: NDArray[np.bool_]) -> float | None:
        if counted.sum() < MIN_HELD_OUT:
            return None
        there = [self._items[place] for place in np.flatnonzero(counted)]
        gold = np.array([LABELS.index(item.label) for item in there])
        return expected_error(probabilities[counted], gold, [item.paper for item in there])


def _find(project: Project | None, reference: str, labels: tuple[Label, ...] | None) -> Checkpoint:
    model = find_checkpoint(reference, labels=labels) if project is None else find_model(project, reference, labels)[0]
    require_classifier(model, reference)
    return model


def _subject(reference: str, model: Checkpoint, exposure: TrainingExposure) -> EvaluatedModel:
    if model.card is None:
        return EvaluatedModel(reference, model.name, model.digest)
    card = model.card
    recipe = {**_DEFAULTS, **card.recipe} if card.recipe else {}  # the card may be older than a field
    seed, _ = recipe.pop("seed", None), recipe.pop("name", None)
    examples = sum(key in exposure.learned for key in exposure.text_hashes)
    kinds = re.sub(r"[\d,]+", "#", card.trained_on)  # of how many, differs by seed: by what was kept to choose by
    settings = json.dumps([recipe, card.base, card.hypothesis_only, kinds], sort_keys=True) if recipe else ""
    return EvaluatedModel(reference, card.name, model.digest, card.hypothesis_only, settings, seed, examples)


def _have_keys(items: Sequence[EvaluatedPair], keys: Set[str], exposure: TrainingExposure) -> NDArray[np.bool_]:
    """Which items, (items,), have one of these keys, or the sentences of a pair with one."""
    texts = {text for key, text in exposure.text_hashes.items() if key in keys}
    return np.array([one.key in keys or hash((one.premise, one.hypothesis)) in texts for one in items], bool)
