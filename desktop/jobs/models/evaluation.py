"""What models are worth: judged on people's answers, on distant labels, or on labelled files."""

from __future__ import annotations

import json
import logging
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop.jobs.models.process import ModelProcess
from desktop.jobs.models.registry import find_model
from desktop.jobs.models.temperature import card_temperature, honest_error
from desktop.jobs.models.training_exposure import TrainingExposure, exposure_of
from miner.classifier.calibration import MIN_HELD_OUT, scale
from miner.classifier.checkpoints import STARTER_NAME, Checkpoint, find
from miner.classifier.evaluation import (
    SEED,
    Comparison,
    Item,
    Point,
    Result,
    Row,
    Subject,
    compare,
    in_rows,
    judged,
    learning_curves,
)
from miner.classifier.examples import LABELS
from miner.classifier.libraries import missing_library
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Label
from storage.exchange.labelled import read_labelled
from storage.exchange.rows import BadRow
from storage.project import Project

log = logging.getLogger(__name__)

_PIECE = 256  # pairs handed over at a time
_LISTED = 100  # bad rows that are listed; the others are counted


class Seen(StrEnum):
    """What to do with pairs that a model has learned from."""

    LEAVE = "leave"
    """Leave them out of that model's figures."""
    FOLDS = "folds"
    """Take what the models of its folds say, which did not learn them; leave out the others."""
    TAKE = "take"
    """Take them like any other: that measures memory, too."""


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """`models`: as `SuggestOptions.model`. `files`: labelled files; none: the project's answers, or `distant` labels.

    `labels`: the order of a foreign classifier's classes where it does not say. `most` pairs are drawn at most, the
    same ones each time; 0: all. `numbers`: what labels of files that are numbers mean, from 0.
    """

    models: tuple[str, ...] = (STARTER_NAME,)
    files: tuple[Path, ...] = ()
    distant: bool = False
    labels: tuple[Label, ...] | None = None
    device: str = "auto"
    seen: Seen = Seen.LEAVE
    most: int = 0
    numbers: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Data:
    """The pairs that models are held to: what they are, their classes, and rows of files that could not be read.

    `of`: so many there were, before a draw.
    """

    name: str
    items: tuple[Item, ...] = field(repr=False)
    of: int
    bad: int = 0
    bad_rows: tuple[tuple[Path, BadRow], ...] = ()

    @property
    def classes(self) -> dict[str, int]:
        counts = Counter(item.label for item in self.items)
        return {label.value: counts[label] for label in LABELS}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Models in rows, each compared with the first, and how they grow with what they learn from.

    `curves`: points by the name of a row.
    """

    data: Data
    seen: Seen
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]
    curves: Mapping[str, Sequence[Point]]
    program: str
    at: datetime

    def to_data(self) -> dict[str, Any]:
        """For JSON; shares 0.0 to 1.0."""
        return {
            "data": {
                "name": self.data.name,
                "pairs": len(self.data.items),
                "of": self.data.of,
                "classes": self.data.classes,
                "bad_rows": self.data.bad,
            },
            "learned_pairs": self.seen.value,
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
        data = _data(project, options, progress)
        results = []
        for place, (reference, model) in enumerate(models):
            with closing(_Judging(reference, model, data, options, (place, len(models)), progress)) as judging:
                results.append(judging.result())
        rows = in_rows(results)
        compared = [compare(data.items, rows[0], row) for row in rows[1:]]
        log.info("evaluated %d models on %d pairs", len(models), len(data.items))
        return Evaluation(
            data,
            options.seen,
            tuple(rows),
            tuple(one for one in compared if one is not None),
            learning_curves(rows),
            f"pairwright {version('pairwright')}",
            datetime.now(UTC),
        )

    return Job("Evaluating models", work)


class _Judging:
    """One model's turn; `turn`: its number from 0, and how many there are."""

    def __init__(
        self,
        reference: str,
        model: Checkpoint,
        data: Data,
        options: EvaluateOptions,
        turn: tuple[int, int],
        progress: Progress,
    ) -> None:
        self._reference, self._model, self._items, self._options = reference, model, data.items, options
        self._turn, self._progress = turn, progress
        self._process = ModelProcess()
        self._done = 0

    def close(self) -> None:
        self._process.end()

    def result(self) -> Result:
        exposure = exposure_of(self._model)
        known = _those(self._items, exposure.learned, exposure)
        folds = [exposure.fold_prediction(one.key, one.premise, one.hypothesis) for one in self._items]
        has_fold = np.array([fold is not None for fold in folds], bool)
        judged_apart = known & has_fold & (self._options.seen is Seen.FOLDS)
        counted = ~known | judged_apart | (self._options.seen is Seen.TAKE)
        if not counted.any():
            hint = "Choose pairs it does not know, or take what it says of them too: --learned take"
            raise UserError(f"The model {self._model.name} has learned all {len(self._items):,} pairs.", hint=hint)
        began = time.monotonic()
        probabilities, device, notes = self._predict(np.flatnonzero(counted & ~judged_apart))
        seconds = time.monotonic() - began
        for place in np.flatnonzero(judged_apart).tolist():
            probabilities[place] = folds[place].probabilities  # type: ignore[union-attr]  # told by `judged_apart`
        return judged(
            _subject(self._reference, self._model, exposure),
            self._items,
            probabilities,
            counted,
            out_of_fold=int(judged_apart.sum()),
            chosen_by=int((_those(self._items, exposure.dev, exposure) & counted & ~judged_apart).sum()),
            temperature=card_temperature(self._model),
            calibrated_ece=self._calibrated(probabilities, counted),
            device=device,
            seconds=seconds,
            notes=notes,
        )

    def _predict(self, places: NDArray[np.int64]) -> tuple[NDArray[np.float32], str, tuple[str, ...]]:
        """Probabilities of the items at these places, as the model's own temperature has them; nought elsewhere."""
        found = np.zeros((len(self._items), len(LABELS)), np.float32)
        lengths = [len(self._items[place].premise) + len(self._items[place].hypothesis) for place in places]
        order = places[np.argsort(-np.array(lengths, np.int64), kind="stable")]
        pieces = [order[low : low + _PIECE] for low in range(0, len(order), _PIECE)]
        device, notes = "", dict[str, None]()
        self._tick()
        with closing(
            self._process.predict(self._model, self._options.device, self._texts(pieces), self._tick)
        ) as answers:
            for piece, answer in zip(pieces, answers, strict=True):
                if not np.isfinite(answer.probabilities).all():
                    hint = "Try the processor (--device cpu), or another model."
                    raise UserError(f"The model {self._model.name} gives no numbers for some pairs.", hint=hint)
                found[piece] = scale(answer.probabilities, card_temperature(self._model))
                device = answer.device
                notes.update(dict.fromkeys(answer.notes))
                self._done += len(piece)
                self._tick()
        return found, device, tuple(notes)

    def _texts(self, pieces: Sequence[NDArray[np.int64]]) -> Iterator[list[tuple[str, str]]]:
        for piece in pieces:
            yield [(self._items[place].premise, self._items[place].hypothesis) for place in piece]

    def _tick(self) -> None:
        number, models = self._turn
        self._progress.tick(number * len(self._items) + self._done, models * len(self._items), self._model.name)

    def _calibrated(self, probabilities: NDArray[np.float32], counted: NDArray[np.bool_]) -> float | None:
        if counted.sum() < MIN_HELD_OUT:
            return None
        there = [self._items[place] for place in np.flatnonzero(counted)]
        gold = np.array([LABELS.index(item.label) for item in there])
        return honest_error(probabilities[counted], gold, [item.paper for item in there])


def _find(project: Project | None, reference: str, labels: tuple[Label, ...] | None) -> Checkpoint:
    model = find(reference, labels=labels) if project is None else find_model(project, reference, labels)[0]
    if not model.can_suggest:
        hint = f"Train it first: pairwright train --start {reference}"
        raise UserError(f"{model.name} is an encoder that knows no relations yet.", hint=hint)
    return model


def _subject(reference: str, model: Checkpoint, exposure: TrainingExposure) -> Subject:
    if model.card is None:
        return Subject(reference, model.name, model.digest)
    card, recipe = model.card, dict(model.card.recipe)
    seed, _ = recipe.pop("seed", None), recipe.pop("name", None)
    examples = sum(key in exposure.learned for key in exposure.text_hashes)
    kinds = re.sub(r"[\d,]+", "#", card.trained_on)  # of how many, differs by seed: by what was kept to choose by
    settings = json.dumps([recipe, card.base, card.hypothesis_only, kinds], sort_keys=True) if recipe else ""
    return Subject(reference, card.name, model.digest, card.hypothesis_only, settings, seed, examples)


def _those(items: Sequence[Item], keys: Set[str], exposure: TrainingExposure) -> NDArray[np.bool_]:
    """Which items are among the pairs of these keys, by key or by their sentences."""
    texts = {text for key, text in exposure.text_hashes.items() if key in keys}
    return np.array([one.key in keys or hash((one.premise, one.hypothesis)) in texts for one in items], bool)


def _data(project: Project | None, options: EvaluateOptions, progress: Progress) -> Data:
    data = (
        _of_files(options.files, options.numbers, progress)
        if options.files
        else _of_project(project, options, progress)
    )
    if options.most and len(data.items) > options.most:
        drawn = sorted(data.items, key=lambda item: blake2b(item.key.encode(), digest_size=8).digest())
        return Data(data.name, tuple(drawn[: options.most]), data.of, data.bad, data.bad_rows)
    return data


def _of_project(project: Project | None, options: EvaluateOptions, progress: Progress) -> Data:
    if project is None:
        raise UserError("There is no project to take labels from.", hint="Name one, or a labelled file: --data FILE")
    with project.reading() as stores:
        found = stores.evaluation.distant() if options.distant else stores.evaluation.answered()
        items = []
        for number, one in enumerate(found):
            if number % _PIECE == 0:
                progress.tick(0, None, "reading labels")
            items.append(Item(one.key, one.premise, one.hypothesis, one.label, one.paper, one.domain, one.strategy))
    if not items and options.distant:
        raise UserError("There are no distant labels.", hint="Mine the papers first: pairwright mine")
    if not items:
        hint = "Answer some pairs first, or take other labels: --data FILE, or --distant"
        raise UserError("Nobody has answered a pair yet, so nothing is known to be right.", hint=hint)
    return Data("distant labels" if options.distant else "people's answers", tuple(items), len(items))


def _of_files(files: Sequence[Path], numbers: Sequence[Label], progress: Progress) -> Data:
    items: list[Item] = []
    bad: list[tuple[Path, BadRow]] = []
    count = 0
    for path in files:
        for line, row in read_labelled(path, numbers=numbers):
            label = None if isinstance(row, BadRow) else row.settled
            if isinstance(row, BadRow) or label is None:
                count += 1
                why = row if isinstance(row, BadRow) else BadRow(line, "no label")
                bad += [(path, why)] if len(bad) < _LISTED else []
                continue
            if len(items) % _PIECE == 0:
                progress.tick(0, None, path.name)
            items.append(Item(f"{path.name}:{line}", row.premise, row.hypothesis, label, domain=row.domain))
    names = ", ".join(path.name for path in files)
    if not items:
        hint = f"Line {bad[0][1].line}: {bad[0][1].reason}." if bad else "It has no rows."
        raise UserError(f"There is no labelled pair in {names}.", hint=hint)
    return Data(names, tuple(items), len(items), count, tuple(bad))
