"""A whole training, in a process of its own: from examples in a folder to a checkpoint and held-out probabilities."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from miner import codec
from miner.classifier.examples import LABELS, Example, Source, missing_classes, read_examples, write_lines
from miner.classifier.held_out import (
    LEAST_TO_MEASURE,
    Array,
    Judged,
    are_answers,
    are_enough,
    are_of_few_papers,
    fitted_on,
    group_of,
    read_judged,
    scores,
    write_judged,
)
from miner.classifier.libraries import require
from miner.classifier.recipe import Recipe
from miner.errors import UserError
from miner.progress import Cancelled, Progress
from miner.records import Label

if TYPE_CHECKING:
    from miner.classifier.checkpoints import Card
    from miner.classifier.trainer import Trainer

EXAMPLES, CHECKPOINT, HELD_OUT = "examples.jsonl", "checkpoint", "held_out.jsonl"
LEAST = 10  # examples; fewer tell nothing of four classes
_ENOUGH_ANSWERS = 100  # to choose and calibrate by answers alone
_MOST_DEV = 2_000
_ALL = 0.9  # of the pairs that can be kept apart, at most
_TRIES = 5  # to choose papers without which all classes can still be learned
_LAST_SECONDS = 20.0  # for measuring a model whose training was cancelled
_STAGES, _DEV = "stages.json", "dev.jsonl"
GIVEN = (Source.DISTANT, Source.ANSWER)  # not by a model, which would measure likeness to itself


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """`folder` holds `EXAMPLES` and gets what comes of them; `start` is a checkpoint's folder, `base` its name.

    `baseline`: the folder of a checkpoint that is measured on the same pairs.
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
    """What came of it. `metrics`: "dev" and "held_out", scores as data with their calibration error, where there are;
    "baseline", those of the plan's baseline on the pairs of "held_out", else of "dev".

    `calibrated_on`: how many held-out pairs the temperature was fitted on, 0 where they were too few.
    """

    metrics: dict[str, Any]
    temperature: float
    calibrated_on: int
    device: str
    seconds: float
    stopped: bool
    notes: tuple[str, ...]


def with_dev(examples: Sequence[Example], recipe: Recipe) -> list[Example]:
    """The examples with some kept as dev pairs; no paper has both, for what would is left out.

    The data's own dev pairs are all there are, where it has any. Else people's answers are kept where there are enough,
    or distant labels too; at most 2,000, and of no paper that the model to start from has learned of. Where all come
    from a few papers (an imported file is one), pairs are parted instead. None are kept of fewer than 40, or where no
    choice of papers leaves examples of all classes to learn from.
    """
    from miner.classifier.folds import held_out

    if any(example.dev_split for example in examples):
        return [replace(example, dev=example.dev_split) for example in examples]
    there = [example for example in examples if example.source is Source.ANSWER]
    by_pair = are_of_few_papers(there)
    pool = _fresh(there, examples, by_pair)
    if len(pool) < _ENOUGH_ANSWERS:
        there = [example for example in examples if example.source in GIVEN]
        by_pair = are_of_few_papers(there)
        pool = _fresh(there, examples, by_pair)
    groups = [group_of(example, by_pair) for example in pool]
    if recipe.dev_share <= 0 or len(pool) < LEAST_TO_MEASURE or len(set(groups)) < 2:
        return list(examples)
    share = min(recipe.dev_share * len(there) / len(pool), _MOST_DEV / len(pool), _ALL)
    among = {example.key for example in pool}
    for luck in range(_TRIES):
        chosen = held_out(groups, np.array([example.label for example in pool]), share, luck)  # the same for each seed
        kept = {group for group, is_kept in zip(groups, chosen, strict=True) if is_kept}
        found = []
        for example in examples:
            is_kept = group_of(example, by_pair) in kept
            if not is_kept or example.key in among:
                found.append(replace(example, dev=is_kept))
        if missing_classes(found) == missing_classes(examples):
            return found
    return list(examples)


def _fresh(some: Sequence[Example], examples: Sequence[Example], by_pair: bool) -> list[Example]:
    """Those of some examples that tell what is learned now: of papers of which the start has learned nothing."""
    known = {group_of(example, by_pair) for example in examples if example.known}
    return [example for example in some if group_of(example, by_pair) not in known]


def _of_folds(examples: Sequence[Example]) -> list[Example]:
    """What the models of folds learn from and judge."""
    return [example for example in examples if not example.dev_split]


def check(examples: Sequence[Example]) -> None:
    """`UserError` where nothing can be learned of these."""
    learned = sum(not example.dev for example in examples)
    if learned < LEAST:
        hint = f"Answer at least {LEAST} pairs, some of each relation, or train on the distant labels too."
        raise UserError(f"There are only {learned} labels to learn from.", hint=hint)
    if missing := missing_classes(examples):
        names = ", ".join(missing)
        hint = "Answer some such pairs, or train on the distant labels too."
        raise UserError(f"No example is labelled {names}: the model would never suggest it.", hint=hint)


def train(plan: TrainingPlan, tell: Callable[[Any], None], progress: Progress) -> TrainingResult:
    """Train, keep the best by the dev pairs, calibrate, and judge every label by a model that did not learn it.

    For `run_isolated`. Cancelled, it keeps the best so far, or raises `Cancelled` where there is nothing yet;
    started again with the same plan, it goes on. `UserError` where torch is not installed, there is too little to learn
    from, the model to start from cannot be used, or memory or disk do not suffice.
    """
    require()
    from miner.classifier.device import is_out_of_memory

    try:
        return _Training(plan, tell, progress).run()
    except (RuntimeError, MemoryError) as exc:
        if not is_out_of_memory(exc):
            raise
        hint = "Close other programs, start from a smaller model, or train on the processor."
        raise UserError("The memory does not suffice to train this model.", hint=hint) from exc


class _Training:
    def __init__(self, plan: TrainingPlan, tell: Callable[[Any], None], progress: Progress) -> None:
        from miner.classifier.checkpoints import inspect
        from miner.classifier.device import choose_device, set_threads

        set_threads()
        self._plan, self._recipe, self._tell, self._progress = plan, plan.recipe, tell, progress
        self._target = plan.folder / CHECKPOINT
        self._tokens = plan.recipe.max_tokens
        self._device = choose_device(plan.device, plan.recipe.precision)
        self._start = inspect(plan.start, name=plan.base, labels=plan.labels)
        self._notes: list[str] = []
        self._parts = 1  # that share the time
        if self._device.note:
            self._note(self._device.note)
        self._began = time.monotonic()

    def run(self) -> TrainingResult:
        from miner.classifier import loading

        examples = list(read_examples(self._plan.folder / EXAMPLES))
        check(examples)
        folds = self._folds(examples)  # before hours of work: there may be too few papers for them
        self._parts = len(self._stages(examples)) + self._recipe.folds
        dev = [one for one in examples if one.dev]
        if not dev and any(one.known for one in examples):
            self._note("The model it starts from has learned of too many of these papers to measure this one by them.")
        logits, stopped = self._learn(examples, dev)
        held_out = None if stopped else self._judge(examples, folds)
        stopped = stopped or (bool(folds) and held_out is None)
        result = self._measure(dev, logits, examples, held_out, stopped)
        loading.set_card(self._target, temperature=round(result.temperature, 4), metrics=result.metrics)
        return result

    def _learn(self, examples: Sequence[Example], dev: Sequence[Example]) -> tuple[Array | None, bool]:
        """The dev pairs' logits, and whether it was stopped; the model is in its folder then.

        A file says how many stages are done, so that whoever goes on takes up the next.
        """
        from miner.classifier import loading
        from miner.classifier.checkpoints import inspect
        from miner.classifier.trainer import Stopped

        stages, done = self._stages(examples), self._done()
        if done == len(stages):
            return self._read_dev(dev), False
        network, tokenizer = loading.start(inspect(self._target) if done else self._start, self._recipe)
        while True:
            stage, chosen, recipe = stages[done]
            learner, kept = self._learner(network, tokenizer, chosen, recipe, stage)
            stopped = False
            try:
                learner.run()
            except Stopped:
                stopped = True
                if not learner.steps and not done:
                    raise Cancelled from None
            loading.save(self._target, network, tokenizer, self._card(examples))
            if stopped:
                return self._quickly(learner) if dev else None, True
            done += 1
            if done == len(stages):
                self._write_dev(dev, learner.logits() if dev else None)
            write_lines(self._plan.folder / _STAGES, [json.dumps({"done": done})])
            kept.unlink(missing_ok=True)
            if done == len(stages):
                return self._read_dev(dev), False

    def _stages(self, examples: Sequence[Example]) -> list[tuple[str, list[Example], Recipe]]:
        answers = [one for one in examples if one.dev or one.source is Source.ANSWER]
        others = [one for one in examples if one.dev or one.source is not Source.ANSWER]
        enough = all(not missing_classes(part) and len(part) >= LEAST for part in (answers, others))
        if not (self._recipe.two_stage and enough):
            return [("", list(examples), self._recipe)]
        half = replace(self._recipe, learning_rate=self._recipe.learning_rate / 2)
        return [("distant labels", others, self._recipe), ("answers", answers, half)]

    def _learner(
        self, network: Any, tokenizer: Any, examples: Sequence[Example], recipe: Recipe, stage: str
    ) -> tuple[Trainer, Path]:
        """What trains the network, and the file that says how far it is."""
        from miner.classifier.encoding import Encoder
        from miner.classifier.loading import limit
        from miner.classifier.trainer import Trainer

        recipe = replace(recipe, seconds=ceil(recipe.seconds / self._parts))
        kept = self._plan.folder / f"kept-{stage or 'main'}.safetensors".replace(" ", "-")
        self._tokens = limit(network, recipe.max_tokens)
        reader = Encoder(tokenizer, self._tokens, hypothesis_only=recipe.hypothesis_only)
        heard = {"hear": self._tell, "stop": self._stop, "kept": kept, "stage": stage}
        return Trainer(network, reader, examples, recipe, self._device, **heard), kept  # type: ignore[arg-type]

    def _stop(self) -> bool:
        """Waits while paused; whether to stop."""
        try:
            self._progress.tick(0)
        except Cancelled:
            return True
        return False

    def _quickly(self, learner: Trainer) -> Array | None:
        """The dev pairs' logits, unless that takes longer than one wants to wait after cancelling."""
        from miner.classifier.trainer import Stopped

        late = time.monotonic() + _LAST_SECONDS

        def tick(done: int) -> None:
            if time.monotonic() > late:
                raise Stopped

        try:
            return learner.logits(tick)
        except Stopped:
            return None

    def _done(self) -> int:
        """How many stages are over, by what an earlier process wrote."""
        path = self._plan.folder / _STAGES
        return int(json.loads(path.read_text(encoding="utf-8"))["done"]) if path.exists() else 0

    def _write_dev(self, dev: Sequence[Example], logits: Array | None) -> None:
        rows = [] if logits is None else zip(dev, logits, strict=True)
        write_judged(self._plan.folder / _DEV, ((one.key, 0, row) for one, row in rows))

    def _read_dev(self, dev: Sequence[Example]) -> Array | None:
        rows = {row.key: np.array(row.values, np.float32) for row in read_judged(self._plan.folder / _DEV)}
        return np.stack([rows[one.key] for one in dev]) if dev else None

    def _folds(self, examples: Sequence[Example]) -> Sequence[int]:
        """Of each example; none without folds. `UserError` where there are fewer examples than folds."""
        from miner.classifier.folds import folds_by_paper

        if not self._recipe.folds:
            return ()
        examples = _of_folds(examples)
        by_pair = are_of_few_papers(examples, self._recipe.folds)
        groups = [group_of(example, by_pair) for example in examples]
        labels = np.array([example.label for example in examples])
        found: list[int] = folds_by_paper(groups, labels, self._recipe.folds, self._recipe.seed).tolist()
        return found

    def _judge(self, examples: Sequence[Example], folds: Sequence[int]) -> Judged | None:
        """Fold and logits of every example, by the model that did not learn its paper; None without, or stopped."""
        from miner.classifier.trainer import Stopped

        if not folds:
            return None
        examples = _of_folds(examples)
        found: Judged = {}
        for fold in range(self._recipe.folds):
            path = self._plan.folder / f"fold-{fold}.jsonl"
            if not path.exists():
                others = [replace(one, dev=False) for one, place in zip(examples, folds, strict=True) if place != fold]
                mine = [one for one, place in zip(examples, folds, strict=True) if place == fold]
                try:
                    self._judge_fold(fold, others, mine, path)
                except Stopped:
                    self._note("Stopped before all labels were judged by a model that did not learn them.")
                    return None
            found |= {row.key: (row.fold, np.array(row.values, np.float32)) for row in read_judged(path)}
        return found

    def _judge_fold(self, fold: int, others: Sequence[Example], mine: Sequence[Example], path: Path) -> None:
        from miner.classifier import loading
        from miner.classifier.inference import Runner
        from miner.classifier.trainer import Stopped

        def tick(done: int) -> None:
            if self._stop():
                raise Stopped

        network, tokenizer = loading.start(self._start, self._recipe)
        stage = f"fold {fold + 1} of {self._recipe.folds}"
        learner, kept = self._learner(network, tokenizer, others, self._recipe, stage)
        learner.run()
        network.eval()
        pairs = [(one.premise, one.hypothesis) for one in mine]
        logits = Runner(self._device, learner.reader.pad).run(network, learner.reader.encode(pairs), tick)
        write_judged(path, ((one.key, fold, row) for one, row in zip(mine, logits, strict=True)))
        kept.unlink(missing_ok=True)

    def _measure(
        self,
        dev: Sequence[Example],
        logits: Array | None,
        examples: Sequence[Example],
        held_out: Judged | None,
        stopped: bool,
    ) -> TrainingResult:
        from miner.classifier.inference import softmax

        metrics: dict[str, Any] = {}
        measured: Sequence[Example] = dev
        temperature, fitted = (self._start.card.temperature if self._start.card else 1.0), 0
        if logits is not None:
            metrics["dev"] = scores(dev, logits)
            temperature, fitted = fitted_on(dev, logits) or (temperature, fitted)
        given = [one for one in _of_folds(examples) if one.source in GIVEN]
        fresh = _fresh(given, examples, are_of_few_papers(examples))
        own: tuple[float, int] | None = None
        if held_out is not None and fresh:
            answers = [one for one in fresh if one.source is Source.ANSWER]
            measured = judged = answers if are_enough(answers) else fresh
            rows = np.stack([held_out[one.key][1] for one in judged])
            metrics["held_out"] = scores(judged, rows)
            own = fitted_on(judged, rows)
            # The model's own dev pairs tell its temperature best, unless people's answers are only among the others.
            if own and (not fitted or (judged is answers and not are_answers(dev))):
                temperature, fitted = own
        if held_out is not None:
            warmth = own[0] if own else temperature
            lines = ((key, fold, softmax(row[None], warmth)[0]) for key, (fold, row) in held_out.items())
            write_judged(self._plan.folder / HELD_OUT, lines)
        if measured and self._plan.baseline and not stopped:
            metrics["baseline"] = self._baseline(self._plan.baseline, measured)
        seconds = time.monotonic() - self._began
        notes = tuple(dict.fromkeys(self._notes))
        return TrainingResult(metrics, temperature, fitted, self._device.name, seconds, stopped, notes)

    def _baseline(self, path: Path, pairs: Sequence[Example]) -> dict[str, Any]:
        """What this checkpoint scores on pairs; nothing where it is stopped before."""
        from miner.classifier.checkpoints import inspect
        from miner.classifier.inference import Runner, ready
        from miner.classifier.loading import load
        from miner.classifier.trainer import Stopped

        def tick(done: int) -> None:
            if self._stop():
                raise Stopped

        loaded = load(inspect(path), self._device)
        encoded = loaded.encoder.encode([(one.premise, one.hypothesis) for one in pairs])
        network, runner = ready(loaded.network, self._device), Runner(self._device, loaded.encoder.pad)
        try:
            return scores(pairs, runner.run(network, encoded, tick))
        except Stopped:
            return {}

    def _card(self, examples: Sequence[Example]) -> Card:
        from miner.classifier.checkpoints import Card

        counts = {source: sum(one.source is source and not one.dev for one in examples) for source in Source}
        words = {
            Source.ANSWER: "answers of people",
            Source.DISTANT: "distant labels",
            Source.ACCEPTED: "accepted suggestions",
            Source.IMPLICIT: "neighbours with a sure suggestion",
        }
        said = ", ".join(f"{count:,} {words[source]}" for source, count in counts.items() if count)
        start = self._start.card
        return Card(
            name=self._plan.name,
            head=start.head if start else self._recipe.head,
            base=self._plan.base,
            trained_on=f"{said}." + (f" Before that: {start.trained_on}" if start else ""),
            licence=start.licence if start else "",
            temperature=start.temperature if start else 1.0,
            entropy_power=start.entropy_power if start else 0.0,
            max_tokens=self._tokens,
            hypothesis_only=self._recipe.hypothesis_only,
            labels=tuple(label.value for label in LABELS),
            recipe=codec.to_data(self._recipe),
        )

    def _note(self, text: str) -> None:
        from miner.classifier.events import Note

        self._notes.append(text)
        self._tell(Note(text))
