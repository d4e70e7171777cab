"""A complete training: from examples in a folder to a checkpoint and held-out probabilities in that folder."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from miner import codec
from miner.classifier.dev_split import GIVEN_SOURCES, MIN_TRAINING_EXAMPLES, require_learnable, select_unlearned_papers
from miner.classifier.examples import LABELS, LabelSource, TrainingExample, missing_classes, read_examples, write_lines
from miner.classifier.folds import folds_by_paper, group_of, has_few_papers
from miner.classifier.held_out import (
    HeldOutLogits,
    can_calibrate,
    fitted_temperature,
    has_only_answers,
    read_held_out,
    scores,
    write_held_out,
)
from miner.classifier.libraries import import_libraries
from miner.classifier.recipe import Recipe
from miner.classifier.training_time import TrainingTime, time_of_parts
from miner.errors import UserError
from miner.libraries import NDArray, np
from miner.progress import Cancelled, Progress
from miner.records import Label

if TYPE_CHECKING:
    from miner.classifier.checkpoints import ModelCard
    from miner.classifier.trainer import Trainer

EXAMPLES, CHECKPOINT, HELD_OUT = "examples.jsonl", "checkpoint", "held_out.jsonl"
_STATE_PREFIX = "kept-"
_STAGES_FILE, _DEV_FILE = "stages.json", "dev.jsonl"
_MEASURING_TIMEOUT_S = 20.0  # to measure the dev pairs after the training was cancelled


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What to train. `folder`: contains `EXAMPLES` and receives all results.

    `start`: folder of the checkpoint to start from; `base`: its name. `baseline`: folder of a checkpoint that is
    measured on the same pairs.
    """

    folder: Path
    start: Path
    base: str
    name: str
    recipe: Recipe
    labels: tuple[Label, ...] | None = None
    device: str = "auto"
    baseline: Path | None = None


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The result of a training. `metrics`: `scores` of "dev" and "held_out" pairs, if there are any, and "baseline".

    The baseline is measured on the held-out pairs, otherwise on the dev pairs. `calibrated_on`: number of pairs that
    the temperature was fitted on, 0 if there were too few. `stopped`: the training was cancelled.
    """

    metrics: dict[str, Any]
    temperature: float
    calibrated_on: int
    device: str
    seconds: float
    stopped: bool
    notes: tuple[str, ...]


def _fold_examples(examples: Sequence[TrainingExample]) -> list[TrainingExample]:
    """The examples that models of folds learn and predict."""
    return [example for example in examples if not example.dev_split]


def _unlearned_examples(examples: Sequence[TrainingExample]) -> list[TrainingExample]:
    """Examples of folds with given labels, from papers that the start model has not learned."""
    given = [example for example in _fold_examples(examples) if example.source in GIVEN_SOURCES]
    return select_unlearned_papers(given, examples, has_few_papers(examples))


def _answers_if_enough(examples: list[TrainingExample]) -> list[TrainingExample]:
    """The answers of annotators among the examples, if they are enough to calibrate by; otherwise all."""
    answers = [example for example in examples if example.source is LabelSource.ANSWER]
    return answers if can_calibrate(answers) else examples


def train(plan: TrainingPlan, emit: Callable[[Any], None], progress: Progress) -> TrainingResult:
    """Train, save the best model by the dev pairs, calibrate it, and predict examples by models of folds.

    For `run_isolated`. When cancelled, it returns the best model so far, or raises `Cancelled` if there is none. Called
    again with the same plan, it continues. `UserError` where torch is not installed, there are too few examples, the
    start model cannot be used, or memory or disk space is not enough.
    """
    import_libraries()
    from miner.classifier.device import is_out_of_memory

    try:
        return _Training(plan, emit, progress).run()
    except (RuntimeError, MemoryError) as exc:
        if not is_out_of_memory(exc):
            raise
        hint = "Close other programs, start from a smaller model, or train on the processor."
        raise UserError("There is not enough memory to train this model.", hint=hint) from exc


class _Training:
    def __init__(self, plan: TrainingPlan, emit: Callable[[Any], None], progress: Progress) -> None:
        from miner.classifier.checkpoints import inspect_checkpoint
        from miner.classifier.device import choose_device, set_threads

        set_threads()
        self._plan, self._recipe, self._emit, self._progress = plan, plan.recipe, emit, progress
        self._target = plan.folder / CHECKPOINT
        self._tokens = plan.recipe.max_tokens
        self._device = choose_device(plan.device, plan.recipe.precision)
        self._start = inspect_checkpoint(plan.start, name=plan.base, labels=plan.labels)
        self._notes: list[str] = []
        self._part_seconds = plan.recipe.seconds  # of each stage and fold
        self._time = TrainingTime([])
        if self._device.note:
            self._note(self._device.note)
        self._started = time.monotonic()

    def run(self) -> TrainingResult:
        from miner.classifier import saving

        examples = list(read_examples(self._plan.folder / EXAMPLES))
        require_learnable(examples)
        folds = self._folds(examples)  # first, because it fails with too few papers
        stages = [stage_examples for _, stage_examples, _ in self._stages(examples)]
        self._part_seconds = ceil(self._recipe.seconds / (len(stages) + self._recipe.folds))
        self._time = time_of_parts(stages, folds, self._recipe, self._part_seconds)
        dev = [example for example in examples if example.dev]
        if not dev and any(example.known for example in examples):
            self._note("The model it starts from has learned of too many of these papers to measure this one by them.")
        logits, stopped = self._learn(examples, dev)
        held_out = None if stopped else self._predict_folds(examples, folds)
        stopped = stopped or (bool(folds) and held_out is None)
        result = self._measure(dev, logits, examples, held_out, stopped)
        saving.update_card(self._target, temperature=round(result.temperature, 4), metrics=result.metrics)
        if not stopped:
            for path in self._plan.folder.glob(f"{_STATE_PREFIX}*"):  # of a part that was killed when it was done
                path.unlink(missing_ok=True)
        return result

    def _learn(
        self, examples: Sequence[TrainingExample], dev: Sequence[TrainingExample]
    ) -> tuple[NDArray[np.float32] | None, bool]:
        """Train all stages and save the model; return the dev pairs' logits and whether the training was stopped.

        A file stores how many stages are done, so that a resumed training continues with the next one.
        """
        from miner.classifier import loading, saving
        from miner.classifier.checkpoints import inspect_checkpoint
        from miner.classifier.trainer import TrainingStopped

        stages, done = self._stages(examples), self._stages_done()
        if done == len(stages):
            return self._read_dev(dev), False
        network, tokenizer = loading.start_network(
            inspect_checkpoint(self._target) if done else self._start, self._recipe
        )
        while True:
            stage, stage_examples, recipe = stages[done]
            trainer, state_path = self._trainer(network, tokenizer, stage_examples, recipe, stage, done)
            stopped = False
            try:
                trainer.run()
            except TrainingStopped:
                stopped = True
                if not trainer.steps and not done:
                    raise Cancelled from None
            saving.save_model(self._target, network, tokenizer, self._card(examples))
            if stopped:
                return self._logits_in_time(trainer) if dev else None, True
            done += 1
            if done == len(stages):
                self._write_dev(dev, trainer.logits() if dev else None)
            write_lines(self._plan.folder / _STAGES_FILE, [json.dumps({"done": done})])
            state_path.unlink(missing_ok=True)
            if done == len(stages):
                return self._read_dev(dev), False

    def _stages(self, examples: Sequence[TrainingExample]) -> list[tuple[str, list[TrainingExample], Recipe]]:
        answers = [example for example in examples if example.dev or example.source is LabelSource.ANSWER]
        other_examples = [example for example in examples if example.dev or example.source is not LabelSource.ANSWER]
        enough = all(
            not missing_classes(part) and len(part) >= MIN_TRAINING_EXAMPLES for part in (answers, other_examples)
        )
        if not (self._recipe.two_stage and enough):
            return [("", list(examples), self._recipe)]
        half = replace(self._recipe, learning_rate=self._recipe.learning_rate / 2)
        return [("distant labels", other_examples, self._recipe), ("answers", answers, half)]

    def _trainer(
        self, network: Any, tokenizer: Any, examples: Sequence[TrainingExample], recipe: Recipe, stage: str, part: int
    ) -> tuple[Trainer, Path]:
        """The trainer of the network, and the file of its state. part: stages and then folds, from 0."""
        from miner.classifier.encoding import Encoder
        from miner.classifier.loading import token_limit
        from miner.classifier.trainer import Trainer

        recipe = replace(recipe, seconds=self._part_seconds)
        state_path = self._plan.folder / f"{_STATE_PREFIX}{stage or 'main'}.safetensors".replace(" ", "-")
        self._tokens = token_limit(network, recipe.max_tokens)
        encoder = Encoder(
            tokenizer, self._tokens, hypothesis_only=recipe.hypothesis_only, cut=recipe.cut, alone=recipe.alone
        )
        trainer = Trainer(
            network,
            encoder,
            examples,
            recipe,
            self._device,
            emit=self._emit,
            should_stop=self._should_stop,
            state_path=state_path,
            stage=stage,
            whole=self._time,
            part=part,
        )
        return trainer, state_path

    def _should_stop(self) -> bool:
        """Whether the training was cancelled; waits while it is paused."""
        try:
            self._progress.tick(0)
        except Cancelled:
            return True
        return False

    def _logits_in_time(self, trainer: Trainer) -> NDArray[np.float32] | None:
        """The dev pairs' logits; None if they take longer than `_MEASURING_TIMEOUT_S`."""
        from miner.classifier.trainer import TrainingStopped

        deadline = time.monotonic() + _MEASURING_TIMEOUT_S

        def tick(done: int) -> None:
            if time.monotonic() > deadline:
                raise TrainingStopped

        try:
            return trainer.logits(tick)
        except TrainingStopped:
            return None

    def _stages_done(self) -> int:
        """Number of stages that an earlier process has finished."""
        path = self._plan.folder / _STAGES_FILE
        return int(json.loads(path.read_text(encoding="utf-8"))["done"]) if path.exists() else 0

    def _write_dev(self, dev: Sequence[TrainingExample], logits: NDArray[np.float32] | None) -> None:
        rows = [] if logits is None else zip(dev, logits, strict=True)
        write_held_out(self._plan.folder / _DEV_FILE, ((example.key, 0, row) for example, row in rows))

    def _read_dev(self, dev: Sequence[TrainingExample]) -> NDArray[np.float32] | None:
        rows = {row.key: np.array(row.values, np.float32) for row in read_held_out(self._plan.folder / _DEV_FILE)}
        return np.stack([rows[example.key] for example in dev]) if dev else None

    def _folds(self, examples: Sequence[TrainingExample]) -> Sequence[int]:
        """The fold of each of `_fold_examples`; () without folds. `UserError` with fewer papers than folds."""
        if not self._recipe.folds:
            return ()
        examples = _fold_examples(examples)
        by_pair = has_few_papers(examples, self._recipe.folds)
        groups = [group_of(example, by_pair) for example in examples]
        labels = np.array([example.label for example in examples])
        folds: list[int] = folds_by_paper(groups, labels, self._recipe.folds, self._recipe.seed).tolist()
        return folds

    def _predict_folds(self, examples: Sequence[TrainingExample], folds: Sequence[int]) -> HeldOutLogits | None:
        """Fold and logits of each example, by the model that has not learned it; None without folds or if stopped."""
        from miner.classifier.trainer import TrainingStopped

        if not folds:
            return None
        examples = _fold_examples(examples)
        held_out: HeldOutLogits = {}
        for fold in range(self._recipe.folds):
            path = self._plan.folder / f"fold-{fold}.jsonl"
            if not path.exists():
                other_examples = [
                    replace(example, dev=False) for example, place in zip(examples, folds, strict=True) if place != fold
                ]
                fold_examples = [example for example, place in zip(examples, folds, strict=True) if place == fold]
                try:
                    self._predict_fold(fold, other_examples, fold_examples, path)
                except TrainingStopped:
                    self._note("Stopped before all labels were judged by a model that did not learn them.")
                    return None
            held_out |= {row.key: (row.fold, np.array(row.values, np.float32)) for row in read_held_out(path)}
        return held_out

    def _predict_fold(
        self, fold: int, other_examples: Sequence[TrainingExample], fold_examples: Sequence[TrainingExample], path: Path
    ) -> None:
        from miner.classifier import loading
        from miner.classifier.inference import BatchRunner
        from miner.classifier.trainer import TrainingStopped

        def tick(done: int) -> None:
            if self._should_stop():
                raise TrainingStopped

        network, tokenizer = loading.start_network(self._start, self._recipe)
        stage = f"fold {fold + 1} of {self._recipe.folds}"
        part = self._time.parts - self._recipe.folds + fold
        trainer, state_path = self._trainer(network, tokenizer, other_examples, self._recipe, stage, part)
        trainer.run()
        network.eval()
        pairs = [(example.premise, example.hypothesis) for example in fold_examples]
        logits = BatchRunner(self._device, trainer.encoder.pad).run(network, trainer.encoder.encode(pairs), tick)
        write_held_out(path, ((example.key, fold, row) for example, row in zip(fold_examples, logits, strict=True)))
        state_path.unlink(missing_ok=True)

    def _measure(
        self,
        dev: Sequence[TrainingExample],
        logits: NDArray[np.float32] | None,
        examples: Sequence[TrainingExample],
        held_out: HeldOutLogits | None,
        stopped: bool,
    ) -> TrainingResult:
        metrics: dict[str, Any] = {}
        measured: Sequence[TrainingExample] = dev
        temperature, calibrated_on = (self._start.card.temperature if self._start.card else 1.0), 0
        if logits is not None:
            metrics["dev"] = scores(dev, logits)
            temperature, calibrated_on = fitted_temperature(dev, logits) or (temperature, calibrated_on)
        fold_temperature: tuple[float, int] | None = None
        if held_out is not None and (unlearned := _unlearned_examples(examples)):
            measured = _answers_if_enough(unlearned)
            rows = np.stack([held_out[example.key][1] for example in measured])
            metrics["held_out"] = scores(measured, rows)
            fold_temperature = fitted_temperature(measured, rows)
            # Dev pairs are best for the temperature, unless only the pairs of folds have answers of annotators.
            only_folds_have_answers = measured is not unlearned and not has_only_answers(dev)
            if fold_temperature and (not calibrated_on or only_folds_have_answers):
                temperature, calibrated_on = fold_temperature
        if held_out is not None:
            self._write_held_out(held_out, fold_temperature[0] if fold_temperature else temperature)
        if measured and self._plan.baseline and not stopped:
            metrics["baseline"] = self._baseline(self._plan.baseline, measured)
        seconds = time.monotonic() - self._started
        notes = tuple(dict.fromkeys(self._notes))
        return TrainingResult(metrics, temperature, calibrated_on, self._device.name, seconds, stopped, notes)

    def _write_held_out(self, held_out: HeldOutLogits, temperature: float) -> None:
        """Write the probabilities at this temperature."""
        from miner.classifier.calibration import softmax

        lines = ((key, fold, softmax(row[None], temperature)[0]) for key, (fold, row) in held_out.items())
        write_held_out(self._plan.folder / HELD_OUT, lines)

    def _baseline(self, path: Path, pairs: Sequence[TrainingExample]) -> dict[str, Any]:
        """Scores of the checkpoint on the pairs; {} when stopped."""
        from miner.classifier.checkpoints import inspect_checkpoint
        from miner.classifier.inference import BatchRunner, prepare_network
        from miner.classifier.loading import load_model
        from miner.classifier.trainer import TrainingStopped

        def tick(done: int) -> None:
            if self._should_stop():
                raise TrainingStopped

        loaded = load_model(inspect_checkpoint(path), self._device)
        encoded = loaded.encoder.encode([(example.premise, example.hypothesis) for example in pairs])
        network, runner = prepare_network(loaded.network, self._device), BatchRunner(self._device, loaded.encoder.pad)
        try:
            return scores(pairs, runner.run(network, encoded, tick))
        except TrainingStopped:
            return {}

    def _card(self, examples: Sequence[TrainingExample]) -> ModelCard:
        from miner.classifier.checkpoints import ModelCard

        counts = {
            source: sum(example.source is source and not example.dev for example in examples) for source in LabelSource
        }
        words = {
            LabelSource.ANSWER: "answers of people",
            LabelSource.DISTANT: "distant labels",
            LabelSource.ACCEPTED: "accepted suggestions",
            LabelSource.IMPLICIT: "neighbours with a sure suggestion",
        }
        trained_on = ", ".join(f"{count:,} {words[source]}" for source, count in counts.items() if count)
        start = self._start.card
        return ModelCard(
            name=self._plan.name,
            head=start.head if start else self._recipe.head,
            base=self._plan.base,
            trained_on=f"{trained_on}." + (f" Before that: {start.trained_on}" if start else ""),
            licence=start.licence if start else "",
            temperature=start.temperature if start else 1.0,
            entropy_power=start.entropy_power if start else 0.0,
            max_tokens=self._tokens,
            hypothesis_only=self._recipe.hypothesis_only,
            cut=self._recipe.cut,
            alone=self._recipe.alone,
            token_types=start.token_types if start else self._recipe.token_types,
            labels=tuple(label.value for label in LABELS),
            recipe=codec.to_data(self._recipe),
        )

    def _note(self, text: str) -> None:
        from miner.classifier.events import TrainNote

        self._notes.append(text)
        self._emit(TrainNote(text))
