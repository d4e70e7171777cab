"""The job that suggests a relation for every pair: a model in a process of its own scores them, batch by batch."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version

from desktop.jobs.models.calibration import FittedTemperature, card_temperature, fit_on_answers, fit_on_suggestions
from desktop.jobs.models.label_noise import estimate_label_noise
from desktop.jobs.models.model_options import SuggestOptions
from desktop.jobs.models.model_process import ModelProcess, require_finite
from desktop.jobs.models.registry import find_model, register_model, require_classifier
from desktop.jobs.models.suggestion_sets import estimate_sets
from desktop.jobs.models.training_exposure import TrainingExposure, exposure_of
from desktop.translation import tr
from miner.classifier.calibration import apply_temperature
from miner.classifier.checkpoints import STARTER_NAME, Checkpoint
from miner.classifier.doubt import doubt, normalized_margin
from miner.classifier.examples import LABELS
from miner.classifier.learned_shares import learned_shares
from miner.classifier.predictor import Pairs, Predictions
from miner.errors import UserError
from miner.libraries import NDArray, np
from miner.mining.linking_phrases import Phrase
from miner.mining.phrase_precision import phrase_precision
from miner.progress import Job, Progress
from miner.records import Label
from storage.changes import Changes
from storage.models.suggestions import NewSuggestion, PairToScore, SuggestionRun
from storage.pairs.current_suggestions import SuggestionRunState
from storage.project import Project

log = logging.getLogger(__name__)

StoredListener = Callable[[int, int], None]
"""Called in the job's thread when a batch is stored: how many pairs have a suggestion, of how many."""

_FIRST_BATCH_SIZE = 128  # short pairs: their suggestions are shown a moment after the start
_WINDOW_SIZE = 4_096  # pairs that are sorted by length, so that the model's batches need little padding
_BATCH_SECONDS = 2.0  # for which the size of the other batches is chosen, between:
_MIN_BATCH_SIZE, _MAX_BATCH_SIZE = 512, 4_096  # pairs
_MAX_PASSES = 10  # over the pairs without a suggestion, as mining may add some in between

_process = ModelProcess(tr("Suggestions made so far are kept."))


@dataclass(frozen=True, slots=True)
class SuggestionResult:
    """How many pairs have a suggestion, and how many of these are new. The fields are the JSON of the command line.

    temperature: the model's own, or fitted on `calibrated_on` answers; then `ece` is the calibration error expected for
    other pairs, 0.0 to 1.0. notes: sentences about the device.
    """

    model: str
    pairs: int
    new: int
    seconds: float
    device: str
    notes: tuple[str, ...]
    temperature: float
    calibrated_on: int
    ece: float | None
    changes: Changes


def suggest(
    project: Project, options: SuggestOptions | None = None, on_stored: StoredListener | None = None
) -> Job[SuggestionResult]:
    """Score all pairs that the model has not scored. Until then, another model's suggestions stay the current ones.

    If the job is cancelled or killed, stored suggestions are kept, and the same call continues. `UserError` if the
    model cannot be used.
    """
    chosen = options or SuggestOptions()

    def work(progress: Progress) -> SuggestionResult:
        with _process.reserved(progress):
            return _Suggester(project, chosen, on_stored or _ignore, progress).run()

    return Job(
        tr("Suggesting relations by {model}", model=chosen.model),
        work,
        tr("Suggestions made so far are kept. Suggest again to continue with the other pairs."),
    )


def load_model(project: Project, model: str = STARTER_NAME, device: str = "auto") -> Job[None]:
    """Load the model into its process, so that the first suggestions come at once; `UserError` if it cannot be used."""

    def work(progress: Progress) -> None:
        with _process.reserved(progress):
            found, _ = find_model(project, model)
            if found.can_suggest:
                _process.load(found, device, lambda: progress.tick(0))

    return Job(tr("Loading the model"), work)


def release_model() -> None:
    """End the model's process, if it is not in use, to free its memory."""
    _process.end_if_idle()


class _Suggester:
    """One run of `suggest`."""

    def __init__(
        self, project: Project, options: SuggestOptions, on_stored: StoredListener, progress: Progress
    ) -> None:
        self._project, self._options, self._on_stored, self._progress = project, options, on_stored, progress
        self._model, self._kind = find_model(project, options.model, options.labels)
        require_classifier(self._model, options.model)
        self._exposure = exposure_of(self._model)
        self._began = time.monotonic()
        self._device, self._notes = "", dict[str, None]()
        self._arithmetic, self._anew = "", False  # of the run: see `_run_to_continue`
        self._new = self._done = self._total = 0
        self._scored: list[tuple[Sequence[PairToScore], NDArray[np.float32]]] = []  # before the temperature is known

    def run(self) -> SuggestionResult:
        self._progress.tick(0)
        with self._project.read_transaction() as stores:
            if not stores.suggestion_statistics.count_to_score():
                raise UserError(
                    tr("There are no pairs to make suggestions for yet."), hint=tr("Add papers and mine them first.")
                )
        model, temperature, fitted, before = self._begin()
        with self._project.transaction() as stores:
            run = stores.suggestions.begin(
                model,
                temperature,
                arithmetic=self._arithmetic,
                program=f"pairwright {version('pairwright')}",
                at=_now(),
                held_out=bool(self._exposure.fold_predictions) or not self._exposure.learned,
                again=self._anew,
            )
        self._count(run)
        if before is not None:
            self._rescale(run, before, temperature)
        for pairs, rows in self._scored:
            self._new += self._store(run, pairs, apply_temperature(rows, temperature))
        for _ in range(_MAX_PASSES):
            if not self._score_missing(run, temperature):
                break
        self._finish(run)
        self._clear()
        seconds = time.monotonic() - self._began
        log.info("suggested %d pairs by %s in %.1f s on %s", self._new, self._model.name, seconds, self._device)
        return SuggestionResult(
            self._model.name,
            self._done,
            self._new,
            seconds,
            self._device,
            tuple(self._notes),
            temperature,
            fitted.pairs if fitted else 0,
            fitted.ece if fitted else None,
            Changes(suggestions=True),
        )

    def _begin(self) -> tuple[int, float, FittedTemperature | None, SuggestionRun | None]:
        """The model's id, the temperature, what it was fitted on, and the run whose suggestions are to be rescaled."""
        with self._project.transaction() as stores:
            model = register_model(stores, self._model, self._kind, self._options.model)
            running, shown = stores.suggestions.unfinished_run(), stores.suggestions.current_run()
        rescore = self._options.rescore
        running = running if running is not None and running.model_id == model else None
        shown = shown if shown is not None and shown.model_id == model and not rescore else None
        continued = self._run_to_continue([run for run in (running, shown) if run is not None])
        if continued is None:
            with self._project.read_transaction() as stores:
                answered = stores.suggestions.answered_pairs()
            fitted = fit_on_answers(answered, self._exposure, self._predict)
            return model, fitted.temperature if fitted else card_temperature(self._model), fitted, None
        if continued is running:  # it was interrupted
            can_rescale = shown is not None and shown.id != running.id and shown.arithmetic == self._arithmetic
            return model, running.temperature, None, shown if can_rescale else None
        with self._project.read_transaction() as stores:
            fitted = fit_on_suggestions(stores, continued, self._exposure)
        if fitted is None or not fitted.differs(continued.temperature):
            return model, continued.temperature, fitted, None
        return model, fitted.temperature, fitted, continued

    def _run_to_continue(self, runs: Sequence[SuggestionRun]) -> SuggestionRun | None:
        """The first of these runs of the model that lacks nothing, or whose arithmetic is the present one; else None.

        The probabilities of two arithmetics differ, so they are not mixed; all pairs are then scored anew.
        """
        with self._project.read_transaction() as stores:
            if runs and not stores.suggestions.missing(runs[0].id, limit=1):
                self._arithmetic = runs[0].arithmetic
                return runs[0]
        self._arithmetic = _process.load(self._model, self._options.device, self._tick)  # first, as it may fail
        found = next((run for run in runs if run.arithmetic == self._arithmetic), None)
        self._anew = found is None
        if found is None and runs:
            before = runs[0].arithmetic
            by = (
                tr("{before}, which gives slightly different numbers", before=before)
                if " " in before
                else tr("an earlier version")
            )
            note = tr(
                "All pairs were scored again on {device}: their suggestions were by {by}.",
                device=self._arithmetic,
                by=by,
            )
            self._notes[note] = None
        return found

    def _count(self, run: int) -> None:
        """Count the pairs with and without a suggestion, for the progress."""
        with self._project.read_transaction() as stores:
            missing = stores.suggestions.count_missing(run)
            runs = (stores.suggestions.unfinished_run(), stores.suggestions.current_run())
        self._done = next((one.pairs for one in runs if one and one.id == run), 0)
        self._total = self._done + missing

    def _rescale(self, run: int, before: SuggestionRun, temperature: float) -> None:
        """Store the suggestions of an earlier run at another temperature, without scoring the pairs again."""
        for window in self._windows(run):
            with self._project.read_transaction() as stores:
                known = stores.suggestions.of_pairs([one.id for one in window])
            there = [one for one in window if one.id in known]
            if there:
                rows = np.array([known[one.id].probabilities for one in there])
                self._store(run, there, apply_temperature(rows, temperature / before.temperature))

    def _score_missing(self, run: int, temperature: float) -> int:
        """Score the pairs without a suggestion in the run; returns how many pairs have a suggestion now."""
        before = self._done
        in_progress: deque[list[PairToScore]] = deque()
        sizer = _BatchSizer()

        def batches() -> Iterator[Pairs]:
            for batch in self._batches(run, sizer):
                in_progress.append(batch)
                yield [(one.premise, one.hypothesis) for one in batch]

        with self._project.read_transaction() as stores:
            if not stores.suggestions.missing(run, limit=1):
                return 0
        with closing(_process.predict(self._model, self._options.device, batches(), self._tick)) as answers:
            for found in answers:
                batch = in_progress.popleft()
                sizer.add(len(batch))
                self._note(found)
                self._new += self._store(
                    run, batch, apply_temperature(require_finite(found, self._model.name), temperature)
                )
        return self._done - before

    def _batches(self, run: int, sizer: _BatchSizer) -> Iterator[list[PairToScore]]:
        """The missing pairs in batches: a small one first, then pairs of similar length.

        The sizes depend on the clock; the suggestions do not.
        """
        size = _FIRST_BATCH_SIZE
        for window in self._windows(run):
            window.sort(key=lambda one: len(one.premise) + len(one.hypothesis))
            while window:
                yield window[:size]
                del window[:size]
                size = sizer.size

    def _windows(self, run: int) -> Iterator[list[PairToScore]]:
        """The pairs without a suggestion in the run, in lists that the caller may change."""
        last = 0
        while True:
            with self._project.read_transaction() as stores:
                window = stores.suggestions.missing(run, after=last, limit=_WINDOW_SIZE)
            if not window:
                return
            last = window[-1].id
            yield window

    def _predict(self, pairs: Sequence[PairToScore]) -> NDArray[np.float32]:
        """Probabilities, (n, 4), at temperature 1; the pairs are kept to be stored without scoring them again."""
        texts = [(one.premise, one.hypothesis) for one in pairs]
        pieces = [texts[low : low + _MIN_BATCH_SIZE] for low in range(0, len(texts), _MIN_BATCH_SIZE)]
        rows = []
        for found in _process.predict(self._model, self._options.device, pieces, self._tick):
            self._note(found)
            rows.append(require_finite(found, self._model.name))
        probabilities = np.concatenate(rows)
        self._scored.append((pairs, probabilities))
        return probabilities

    def _store(self, run: int, pairs: Sequence[PairToScore], probabilities: NDArray[np.float32]) -> int:
        """Store suggestions; returns how many of the pairs still exist."""
        suggestions = new_suggestions(pairs, probabilities, self._exposure, self._model)
        with self._project.transaction(bulk=True) as stores:
            stored = stores.suggestions.put(run, suggestions)
        self._done += stored
        self._total = max(self._total, self._done)
        self._tick()
        self._on_stored(self._done, self._total)
        return stored

    def _finish(self, run: int) -> None:
        with self._project.transaction() as stores:
            shown = stores.suggestions.current_run()
            if shown is None or shown.id != run or shown.state is not SuggestionRunState.COMPLETE:
                stores.suggestions.complete(run, _now())
        with self._project.read_transaction() as stores:
            shown = stores.suggestions.current_run()
        if shown is not None:
            estimate_label_noise(self._project, shown)
            estimate_sets(self._project, shown, self._model)

    def _clear(self) -> None:
        """Delete the suggestions of replaced runs; if this is cancelled, the next run deletes the rest."""
        cleared = 1
        while cleared and not self._progress.cancelled:
            with self._project.transaction(bulk=True) as stores:
                cleared = stores.suggestions.clear_replaced()

    def _note(self, found: Predictions) -> None:
        if found.arithmetic != self._arithmetic:  # another process than the one that was asked, on another device
            raise UserError(
                tr(
                    "The suggestions so far are by {arithmetic}, the next ones would be by {arithmetic_2}.",
                    arithmetic=self._arithmetic,
                    arithmetic_2=found.arithmetic,
                ),
                hint=tr("Suggest again to have all suggestions from one of them."),
            )
        self._device = found.device
        self._notes.update(dict.fromkeys(found.notes))

    def _tick(self) -> None:
        self._progress.tick(self._done, self._total or None, self._device)


@dataclass
class _BatchSizer:
    """The size of batches that take about `_BATCH_SECONDS` each."""

    size: int = field(default_factory=lambda: _FIRST_BATCH_SIZE)
    _last: float = field(default_factory=time.monotonic)

    def add(self, pairs: int) -> None:
        """Adapt the size after a batch of this many pairs."""
        now = time.monotonic()
        fitting = int(pairs / max(now - self._last, 1e-3) * _BATCH_SECONDS)
        self.size = max(_MIN_BATCH_SIZE, min(_MAX_BATCH_SIZE, fitting, 4 * self.size))
        self._last = now


def new_suggestions(
    pairs: Sequence[PairToScore], probabilities: NDArray[np.float32], exposure: TrainingExposure, model: Checkpoint
) -> list[NewSuggestion]:
    """Suggestions from probabilities, (n, 4). Pairs the model has learned get their fold's prediction, or no doubt."""
    rows = np.array(probabilities, np.float64)
    folds: list[int | None] = [None] * len(pairs)
    for place, one in enumerate(pairs):
        if prediction := exposure.fold_prediction(one.key, one.premise, one.hypothesis):
            rows[place], folds[place] = prediction.probabilities, prediction.fold
    labels = np.array([LABELS.index(one.distant) if one.distant else 0 for one in pairs], np.int64)
    priors = np.array([_label_prior(one.phrase or "", one.distant) for one in pairs], np.float64)
    evidence = model.card.evidence if model.card else ()
    doubts = doubt(rows, labels, priors, learned_shares(model.card), evidence)
    margins = normalized_margin(rows, labels)
    suggestions = []
    for place, one in enumerate(pairs):
        can_doubt = one.distant is not None and (folds[place] is not None or one.key not in exposure.learned)
        own, margin = (float(doubts[place]), float(margins[place])) if can_doubt else (None, None)
        suggestions.append(NewSuggestion(one, tuple(rows[place].tolist()), own, margin, folds[place]))
    return suggestions


def _ignore(done: int, total: int) -> None:
    """The default listener."""


def _now() -> datetime:
    return datetime.now(UTC)


@lru_cache(maxsize=4_096)
def _label_prior(phrase: str, label: Label | None) -> float:
    """The probability that such a distant label is right, before a model reads the pair; 1.0 without a label."""
    return 1.0 if label is None else phrase_precision(Phrase(phrase, label))
