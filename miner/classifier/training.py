"""A whole training, in a process of its own: from examples in a folder to a checkpoint and held-out probabilities."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from miner.classifier.examples import LABELS, Example, Source, missing_classes, read_examples
from miner.classifier.recipe import Recipe
from miner.errors import UserError
from miner.progress import Cancelled, Progress
from miner.records import Label

EXAMPLES, CHECKPOINT, HELD_OUT = "examples.jsonl", "checkpoint", "held_out.jsonl"
LEAST = 10  # examples; fewer tell nothing of four classes
_ENOUGH_ANSWERS = 100  # to choose and calibrate by answers alone
_MOST_DEV = 2_000
_FEW_PAPERS = 8


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """`folder` holds `EXAMPLES` and gets what comes of them; `start` is a checkpoint's folder, `base` its name."""

    folder: Path
    start: Path
    base: str
    name: str
    recipe: Recipe
    labels: tuple[Label, ...] | None = None
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """What came of it. `metrics`: "dev" and "held_out", scores as data with their calibration error, where there are.

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

    People's answers are kept where there are enough, else labels of any source; at most 2,000. Where all come from a
    few papers (an imported file is one), pairs are parted instead.
    """
    from miner.classifier.folds import held_out

    answers = [example for example in examples if example.source is Source.ANSWER]
    pool = answers if len(answers) >= _ENOUGH_ANSWERS else list(examples)
    share = min(recipe.dev_share, _MOST_DEV / max(1, len(pool)))
    if share <= 0 or len(pool) < 40:
        return list(examples)
    by_pair = len({example.paper for example in pool}) < _FEW_PAPERS
    groups = [example.key if by_pair else example.paper for example in pool]
    chosen = held_out(groups, np.array([example.label for example in pool]), share, recipe.seed)
    kept = {group for group, is_kept in zip(groups, chosen, strict=True) if is_kept}
    among = {example.key for example in pool}
    found = []
    for example in examples:
        is_kept = (example.key if by_pair else example.paper) in kept
        if not is_kept or example.key in among:
            found.append(replace(example, dev=is_kept))
    return found


def check(examples: Sequence[Example]) -> None:
    """`UserError` where nothing can be learned of these."""
    if len(examples) < LEAST:
        hint = f"Answer at least {LEAST} pairs, some of each relation, or train on the distant labels too."
        raise UserError(f"There are only {len(examples)} labels to learn from.", hint=hint)
    if missing := missing_classes(examples):
        names = ", ".join(missing)
        hint = "Answer some such pairs, or train on the distant labels too."
        raise UserError(f"No example is labelled {names}: the model would never suggest it.", hint=hint)


def train(plan: TrainingPlan, tell: Callable[[Any], None], progress: Progress) -> TrainingResult:
    """Train, keep the best by the dev pairs, calibrate, and judge every label by a model that did not learn it.

    For `miner.apart.run_apart`. Cancelled, it keeps the best so far; started again with the same plan, it goes on.
    """
    return _Training(plan, tell, progress).run()


class _Training:
    def __init__(self, plan: TrainingPlan, tell: Callable[[Any], None], progress: Progress) -> None:
        from miner.classifier.checkpoints import inspect
        from miner.classifier.device import choose_device, set_threads

        set_threads()
        self._plan, self._recipe, self._tell, self._progress = plan, plan.recipe, tell, progress
        self._device = choose_device(plan.device, plan.recipe.precision)
        self._start = inspect(plan.start, name=plan.base, labels=plan.labels)
        self._notes: list[str] = []
        if self._device.note:
            self._note(self._device.note)
        self._began = time.monotonic()

    def run(self) -> TrainingResult:
        from miner.classifier import loading
        from miner.classifier.learning import Stopped

        examples = list(read_examples(self._plan.folder / EXAMPLES))
        check(examples)
        network, tokenizer = loading.start(self._start, self._recipe)
        stopped = False
        learner = None
        for stage, chosen, recipe in self._stages(examples):
            learner = self._learner(network, tokenizer, chosen, recipe, stage)
            try:
                learner.run()
            except Stopped:
                stopped = True
                if not learner.steps:
                    raise Cancelled from None
                break
        assert learner is not None
        logits = learner.logits() if learner.dev else None
        card = self._card(examples, tokenizer)
        target = self._plan.folder / CHECKPOINT
        loading.save(target, network, tokenizer, card)
        held_out = None if stopped else self._judge(examples)
        result = self._measure(learner.dev, logits, examples, held_out, stopped)
        loading.set_card(target, temperature=round(result.temperature, 4), metrics=result.metrics)
        return result

    def _stages(self, examples: Sequence[Example]) -> Iterable[tuple[str, list[Example], Recipe]]:
        answers = [one for one in examples if one.dev or one.source is Source.ANSWER]
        others = [one for one in examples if one.dev or one.source is not Source.ANSWER]
        enough = all(not missing_classes(part) and len(part) >= LEAST for part in (answers, others))
        if not (self._recipe.two_stage and enough):
            return [("", list(examples), self._recipe)]
        half = replace(self._recipe, learning_rate=self._recipe.learning_rate / 2)
        return [("distant labels", others, self._recipe), ("answers", answers, half)]

    def _learner(self, network: Any, tokenizer: Any, examples: Sequence[Example], recipe: Recipe, stage: str) -> Any:
        from miner.classifier.encoding import Encoder
        from miner.classifier.learning import Learner

        name = f"kept-{stage or 'main'}.safetensors".replace(" ", "-")
        reader = Encoder(tokenizer, self._tokens, hypothesis_only=recipe.hypothesis_only)
        return Learner(
            network,
            reader,
            examples,
            recipe,
            self._device,
            hear=self._tell,
            stop=self._stop,
            kept=self._plan.folder / name,
            stage=stage,
        )

    @property
    def _tokens(self) -> int:
        return self._recipe.max_tokens

    def _stop(self) -> bool:
        """Waits while paused; whether to stop."""
        try:
            self._progress.tick(0)
        except Cancelled:
            return True
        return False

    def _judge(self, examples: Sequence[Example]) -> dict[str, Any] | None:
        """Logits of every example by the model of the fold that did not learn its paper; None without folds."""
        from miner.classifier import loading
        from miner.classifier.folds import folds_by_paper
        from miner.classifier.inference import Runner
        from miner.classifier.learning import Stopped

        if not self._recipe.folds:
            return None
        papers = {example.paper for example in examples}
        by_pair = len(papers) < max(_FEW_PAPERS, self._recipe.folds)
        groups = [example.key if by_pair else example.paper for example in examples]
        labels = np.array([example.label for example in examples])
        folds = folds_by_paper(groups, labels, self._recipe.folds, self._recipe.seed)
        found: dict[str, Any] = {}
        for fold in range(self._recipe.folds):
            part = self._plan.folder / f"fold-{fold}.jsonl"
            others = [replace(one, dev=False) for one, place in zip(examples, folds, strict=True) if place != fold]
            mine = [one for one, place in zip(examples, folds, strict=True) if place == fold]
            if not part.exists():
                network, tokenizer = loading.start(self._start, self._recipe)
                stage = f"fold {fold + 1} of {self._recipe.folds}"
                learner = self._learner(network, tokenizer, others, self._recipe, stage)
                try:
                    learner.run()
                except Stopped:
                    self._note("Stopped before all labels were judged by a model that did not learn them.")
                    return None
                network.eval()
                pairs = [(one.premise, one.hypothesis) for one in mine]
                logits = Runner(self._device, learner.reader.pad).run(network, learner.reader.encode(pairs))
                _write(part, ((one.key, fold, row) for one, row in zip(mine, logits, strict=True)))
            for line in part.read_text(encoding="utf-8").splitlines():
                values = json.loads(line)
                found[values["key"]] = (fold, np.array(values["values"], np.float32))
        return found

    def _measure(
        self,
        dev: Sequence[Example],
        logits: Any,
        examples: Sequence[Example],
        held_out: dict[str, Any] | None,
        stopped: bool,
    ) -> TrainingResult:
        from miner.classifier.calibration import MIN_HELD_OUT, fit_temperature
        from miner.classifier.inference import softmax

        metrics: dict[str, Any] = {}
        temperature, fitted = (self._start.card.temperature if self._start.card else 1.0), 0
        candidates = []
        if logits is not None:
            candidates.append(("dev", list(dev), logits))
        if held_out is not None:
            answers = [one for one in examples if one.source is Source.ANSWER]
            judged = answers if len(answers) >= MIN_HELD_OUT else list(examples)
            candidates.append(("held_out", judged, np.stack([held_out[one.key][1] for one in judged])))
        for name, pairs, rows in candidates:
            metrics[name] = self._scores(pairs, rows)
            if len(pairs) >= MIN_HELD_OUT and len(pairs) > fitted:
                gold = np.array([one.label for one in pairs])
                temperature, fitted = fit_temperature(np.log(softmax(rows)), gold), len(pairs)
        if held_out is not None:
            lines = ((key, fold, softmax(row[None], temperature)[0]) for key, (fold, row) in held_out.items())
            _write(self._plan.folder / HELD_OUT, lines)
        seconds = time.monotonic() - self._began
        notes = tuple(dict.fromkeys(self._notes))
        return TrainingResult(metrics, temperature, fitted, self._device.name, seconds, stopped, notes)

    def _scores(self, pairs: Sequence[Example], logits: Any) -> dict[str, Any]:
        from miner.classifier.calibration import cross_fitted_ece
        from miner.classifier.inference import softmax
        from miner.classifier.metrics import score

        gold = np.array([one.label for one in pairs])
        scores = score(gold, softmax(logits))
        logs = np.log(softmax(logits))
        error = cross_fitted_ece(logs, gold, [one.paper for one in pairs]) if len(pairs) >= 40 else None
        return {**scores.to_data(), "ece": error}

    def _card(self, examples: Sequence[Example], tokenizer: Any) -> Any:
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
            max_tokens=self._tokens,
            hypothesis_only=self._recipe.hypothesis_only,
            labels=tuple(label.value for label in LABELS),
            recipe=json.loads(self._recipe.to_json()),
        )

    def _note(self, text: str) -> None:
        from miner.classifier.events import Note

        self._notes.append(text)
        self._tell(Note(text))


def _write(path: Path, lines: Iterable[tuple[str, int, Any]]) -> None:
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as file:
        for key, fold, values in lines:
            row = {"key": key, "fold": fold, "values": [round(float(value), 6) for value in values]}
            file.write(json.dumps(row, sort_keys=True) + "\n")
    part.replace(path)
