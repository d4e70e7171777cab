"""The job that evaluates models: predicts labelled pairs with each in a separate process, and scores the results."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from desktop.jobs.models.calibration import card_temperature, expected_error
from desktop.jobs.models.column_evaluation import PREFIX, evaluate_column
from desktop.jobs.models.evaluation_data import EvaluateOptions, EvaluationData, LearnedPairs, read_evaluation_data
from desktop.jobs.models.kept_predictions import (
    KeptPredictions,
    PredictingModel,
    keep_predictions,
    predictor_info,
    read_kept,
)
from desktop.jobs.models.model_process import ModelProcess, require_finite
from desktop.jobs.models.registry import find_model, require_classifier
from desktop.jobs.models.training_exposure import TrainingExposure, exposure_of
from desktop.translation import tr
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
from miner.classifier.recipe import Recipe
from miner.errors import UserError
from miner.libraries import NDArray, np
from miner.mining.identity import text_hash
from miner.progress import Job, Progress
from miner.records import Label
from storage.project import Project

log = logging.getLogger(__name__)

_BATCH_SIZE = 256
_DEFAULTS = codec.to_data(Recipe())


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results as rows, each compared with the first. curves: the points of learning curves, by the row's name."""

    data: EvaluationData
    learned_pairs: LearnedPairs
    rows: tuple[ResultRow, ...]
    comparisons: tuple[ResultComparison, ...]
    curves: Mapping[str, Sequence[LearningCurvePoint]]
    program: str
    at: datetime

    def to_data(self) -> dict[str, Any]:
        """Data for JSON; shares from 0.0 to 1.0."""
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
    """Predict the pairs with each model in a separate process, and score the predictions.

    project: gives the labels, unless files are named, and kept predictions; only missing predictions are computed, and
    are then kept too. `UserError` where there are no labels, a model cannot be used, or it has learned all of the
    pairs.
    """

    def work(progress: Progress) -> Evaluation:
        if not options.models:
            raise UserError(
                tr("No model was named."), hint=tr("For example: --model {starter_name}", starter_name=STARTER_NAME)
            )
        models = [(name, _find(project, name, options.labels)) for name in dict.fromkeys(options.models)]
        data = read_evaluation_data(project, options, progress)
        results = [
            _measure(project, *model, data.items, options, (place, len(models)), progress)
            for place, model in enumerate(models)
        ]
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

    return Job(tr("Evaluating models"), work)


def measure_model(
    project: Project, reference: str, items: Sequence[EvaluatedPair], options: EvaluateOptions, progress: Progress
) -> ModelResult:
    """The scores of a model, or of a column of predictions, measured as by `evaluate`, without pairs it has learned.

    `UserError` where it cannot be used, or says nothing of them.
    """
    return _measure(project, reference, _find(project, reference, options.labels), items, options, (0, 1), progress)


def _measure(
    project: Project | None,
    reference: str,
    model: Checkpoint | None,
    items: Sequence[EvaluatedPair],
    options: EvaluateOptions,
    position: tuple[int, int],
    progress: Progress,
) -> ModelResult:
    """The scores of a model. model: the result of `_find`. position: the model's index, and the number of models."""
    if model is None:
        return evaluate_column(project, reference, items)
    with closing(_ModelEvaluation(project, reference, model, items, options, position, progress)) as evaluation:
        return evaluation.result()


@dataclass(frozen=True, slots=True)
class _Predicted:
    """Probabilities, (items, 4); 0 for items that were not predicted. reused: how many items had kept predictions."""

    probabilities: NDArray[np.float32]
    device: str
    arithmetic: str = ""
    notes: tuple[str, ...] = ()
    reused: int = 0


class _ModelEvaluation:
    """The evaluation of one model. position: its index, and the number of models."""

    def __init__(
        self,
        project: Project | None,
        reference: str,
        model: Checkpoint,
        items: Sequence[EvaluatedPair],
        options: EvaluateOptions,
        position: tuple[int, int],
        progress: Progress,
    ) -> None:
        self._reference, self._model, self._items, self._options = reference, model, items, options
        self._project, self._position, self._progress = project, position, progress
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
            hint = tr("Choose pairs it does not know, or take what it says of them too: --learned take")
            raise UserError(
                tr("The model {name} has learned all {items:,} pairs.", name=self._model.name, items=len(self._items)),
                hint=hint,
            )
        began = time.monotonic()
        predicted = self._predict(np.flatnonzero(counted & ~use_fold))
        probabilities = predicted.probabilities
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
            device=predicted.device,
            seconds=seconds,
            reused=predicted.reused,
            notes=predicted.notes,
        )

    def _predict(self, places: NDArray[np.int64]) -> _Predicted:
        """The probabilities of the items at these places: those kept in the project, and the others computed."""
        if self._project is None:
            return self._compute(places)
        hashes = [text_hash(item.premise, item.hypothesis) for item in self._items]
        model = PredictingModel(self._model.digest, self._model.name, "both", tuple(map(str, LABELS)))
        kept = self._read_kept(model, [hashes[place] for place in places])
        missing = _without(places, hashes, kept)
        if not len(missing):
            return _with_kept(_Predicted(self._no_probabilities(), kept.device), places, hashes, kept)
        began = time.monotonic()
        found = self._compute(missing)
        if kept.arithmetic not in ("", found.arithmetic):  # what is kept does not go with it
            kept = self._read_kept(model, [hashes[place] for place in places], found.arithmetic)
            more = self._compute(np.setdiff1d(_without(places, hashes, kept), missing))
            missing = _without(places, hashes, kept)
            found = replace(found, probabilities=found.probabilities + more.probabilities)
        packed = {hashes[place]: found.probabilities[place].astype("<f4").tobytes() for place in missing}
        info = predictor_info(model, found.arithmetic, found.device, time.monotonic() - began, found.notes)
        keep_predictions(self._project, info, packed)
        return _with_kept(found, places, hashes, kept)

    def _read_kept(self, model: PredictingModel, hashes: Sequence[bytes], arithmetic: str = "") -> KeptPredictions:
        assert self._project is not None
        return read_kept(self._project, model, hashes, self._options.device, arithmetic)

    def _no_probabilities(self) -> NDArray[np.float32]:
        return np.zeros((len(self._items), len(LABELS)), np.float32)

    def _compute(self, places: NDArray[np.int64]) -> _Predicted:
        """The probabilities of the items at these places, at the model's own temperature; 0 elsewhere."""
        found = self._no_probabilities()
        lengths = [len(self._items[place].premise) + len(self._items[place].hypothesis) for place in places]
        order = places[np.argsort(-np.array(lengths, np.int64), kind="stable")]
        pieces = [order[low : low + _BATCH_SIZE] for low in range(0, len(order), _BATCH_SIZE)]
        device, arithmetic, notes = "", "", dict[str, None]()
        self._tick()
        with closing(
            self._process.predict(self._model, self._options.device, self._texts(pieces), self._tick)
        ) as answers:
            for piece, answer in zip(pieces, answers, strict=True):
                probabilities = require_finite(answer, self._model.name)
                found[piece] = apply_temperature(probabilities, card_temperature(self._model))
                device, arithmetic = answer.device, answer.arithmetic
                notes.update(dict.fromkeys(answer.notes))
                self._done += len(piece)
                self._tick()
        return _Predicted(found, device, arithmetic, tuple(notes))

    def _texts(self, pieces: Sequence[NDArray[np.int64]]) -> Iterator[list[tuple[str, str]]]:
        for piece in pieces:
            yield [(self._items[place].premise, self._items[place].hypothesis) for place in piece]

    def _tick(self) -> None:
        number, models = self._position
        self._progress.tick(number * len(self._items) + self._done, models * len(self._items), self._model.name)

    def _calibrated(self, probabilities: NDArray[np.float32], counted: NDArray[np.bool_]) -> float | None:
        if counted.sum() < MIN_HELD_OUT:
            return None
        there = [self._items[place] for place in np.flatnonzero(counted).tolist()]
        gold = np.array([LABELS.index(item.label) for item in there])
        return expected_error(probabilities[counted], gold, [item.paper for item in there])


def _without(places: NDArray[np.int64], hashes: Sequence[bytes], kept: KeptPredictions) -> NDArray[np.int64]:
    """The places of the items for which no prediction is kept."""
    return np.array([place for place in places if hashes[place] not in kept.by_text], np.int64)


def _with_kept(
    found: _Predicted, places: NDArray[np.int64], hashes: Sequence[bytes], kept: KeptPredictions
) -> _Predicted:
    probabilities = found.probabilities.copy()
    there = [place for place in places if hashes[place] in kept.by_text]
    for place in there:
        probabilities[place] = np.frombuffer(kept.by_text[hashes[place]], "<f4")
    return replace(found, probabilities=probabilities, reused=len(there))


def _find(project: Project | None, reference: str, labels: tuple[Label, ...] | None) -> Checkpoint | None:
    """The model with this reference; None for a column."""
    if reference.startswith(PREFIX):
        return None
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
    return np.array([one.key in keys or text_hash(one.premise, one.hypothesis) in texts for one in items], bool)
