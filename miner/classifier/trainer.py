"""The training loop: batches, optimizer, learning rate, and selection of the best epoch by macro F1."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch import nn

from miner import codec
from miner.classifier import train_state
from miner.classifier.device import Device, is_out_of_memory
from miner.classifier.encoding import Encoded, Encoder, batch_of, shuffled_order, training_batches
from miner.classifier.events import DevScores, TrainEvent, TrainNote, TrainStep
from miner.classifier.examples import LABELS, LabelSource, TrainingExample
from miner.classifier.inference import Array, BatchRunner
from miner.classifier.masked_word_network import MaskedWordNetwork
from miner.classifier.metrics import Scores, score_predictions
from miner.classifier.network import PairNetwork, embeddings
from miner.classifier.neural import NeuralNetwork
from miner.classifier.recipe import Balance, Optimizer, Precision, Recipe, Schedule
from miner.classifier.stems import StemEncoder
from miner.classifier.train_state import TrainState
from miner.classifier.training_time import TrainingTime, steps_per_epoch
from miner.errors import UserError
from miner.libraries import np

_SAVE_EVERY = 90.0  # seconds between two saved states
_EMIT_EVERY = 0.5  # seconds
_MAX_FAILED_STEPS = 20  # consecutive steps without a finite loss and gradient
_RNG, _CUDA_RNG = "luck", "luck.cuda"  # names in the file of the state, which stay as earlier versions wrote them


class TrainingStopped(Exception):
    """The training was asked to stop; the network has the best weights so far."""


class _TrainingDiverged(Exception):
    """The loss is no longer finite."""


class Trainer:
    """Trains a network on examples. `emit` receives events; `should_stop` is called before every step.

    `after_epoch`: called with the number of epochs done, before the dev pairs are measured; a training that resumes in
    the middle of an epoch calls it for the later ones.

    `state_path`: file for the state, which is saved regularly; a `Trainer` with the same arguments resumes from it. The
    caller deletes it.
    """

    def __init__(
        self,
        network: PairNetwork | NeuralNetwork | MaskedWordNetwork,
        encoder: Encoder | StemEncoder,
        examples: Sequence[TrainingExample],
        recipe: Recipe,
        device: Device,
        *,
        emit: Callable[[TrainEvent], None] = lambda event: None,
        should_stop: Callable[[], bool] = lambda: False,
        state_path: Path | None = None,
        stage: str = "",
        classes: Sequence[str] = LABELS,
        after_epoch: Callable[[int], None] = lambda epoch: None,
        whole: TrainingTime | None = None,
        part: int = 0,
    ) -> None:
        """`whole`: the time of a training of which this is a part, by number; by default it is all of it."""
        self._class_names, self._after_epoch = classes, after_epoch
        self._network, self._recipe, self._device = network.to(device.kind), recipe, device
        self._emit, self._should_stop, self._state_path, self._stage = emit, should_stop, state_path, stage
        self.encoder = encoder
        self.steps = 0  # taken so far
        train_examples = [example for example in examples if not example.dev]
        self.dev = [example for example in examples if example.dev]
        self._encoded = encoder.encode([(example.premise, example.hypothesis) for example in train_examples])
        self._dev = encoder.encode([(example.premise, example.hypothesis) for example in self.dev])
        self._labels = np.array([example.label for example in train_examples], np.int64)
        self._weights = _weights(train_examples, recipe, len(classes))
        self._classes = [np.flatnonzero(self._labels == label) for label in range(len(classes))]
        self._per_epoch = steps_per_epoch(len(train_examples), recipe)
        self._steps = self._per_epoch * recipe.epochs
        self._time, self._part = whole or TrainingTime([self._steps]), part
        self._runner = BatchRunner(device, encoder.pad)
        self._batch_parts = 1  # parts of a batch, if memory is not enough for all of it
        self._failed_steps = 0
        self._paused_seconds = 0.0
        self._state = TrainState()
        self._best: dict[str, torch.Tensor] | None = None
        self._logits: Array | None = None  # of the dev pairs, by the best weights
        self._prepare()

    def run(self) -> Scores | None:
        """Train, then load the best weights by macro F1 of the dev pairs; return their scores, if there are any.

        `TrainingStopped` when asked to stop; the network has the best weights so far. `UserError` if the loss is not
        finite before the first epoch is measured, or if memory is not enough for a single pair.
        """
        torch.manual_seed(self._recipe.seed)
        self._resume()
        try:
            self._train()
        except _TrainingDiverged as exc:
            if self._best is None:
                hint = "Train again with a lower learning rate, or with precision fp32."
                raise UserError("The training diverged: its loss is no longer a number.", hint=hint) from exc
            self._emit(
                TrainNote("The training diverged: its loss was no longer a number. The best model so far is kept.")
            )
        finally:
            if self._best is not None:
                self._network.load_state_dict(self._best)
        return self._score(self.logits()) if self.dev else None

    def train_logits(self, tick: Callable[[int], None] = lambda done: None) -> Array:
        """Logits of the training pairs by the present weights, (n, classes), in their order; `tick` as for `logits`."""
        return self._predict_encoded(self._encoded, tick)

    def logits(self, tick: Callable[[int], None] = lambda done: None) -> Array:
        """Logits of the dev pairs, (n, classes). `tick` receives the number of pairs done, and may raise to stop."""
        if self._logits is None:
            self._logits = self._predict(tick)
        return self._logits

    def _train(self) -> None:
        state, recipe = self._state, self._recipe
        started = time.monotonic() - state.elapsed
        emitted = saved = time.monotonic()
        for epoch, batch in self._batches(state.step):
            if self._is_stopped():
                self._save_state()
                raise TrainingStopped
            state.elapsed = time.monotonic() - started - self._paused_seconds
            loss = self._learn(batch, self._rate(state))
            if loss is not None:
                state.loss, state.weight = 0.98 * state.loss + 0.02 * loss, 0.98 * state.weight + 0.02
            state.step += 1
            self.steps = state.step
            if time.monotonic() - emitted > _EMIT_EVERY or state.step == self._steps:
                emitted = time.monotonic()
                self._emit_step(state, emitted - started - self._paused_seconds)
            if state.step % self._per_epoch == 0:
                self._after_epoch(epoch + 1)
            over = bool(recipe.seconds) and state.elapsed > recipe.seconds
            if self.dev and (over or state.step % self._per_epoch == 0) and self._measure_epoch(epoch):
                self._save_state()
                saved = time.monotonic()
            if over or (recipe.patience and state.epochs_without_gain >= recipe.patience):
                return
            if time.monotonic() - saved > _SAVE_EVERY:
                self._save_state()
                saved = time.monotonic()

    def _is_stopped(self) -> bool:
        """Whether to stop. Waits while paused; that time is not counted."""
        before = time.monotonic()
        stopped = self._should_stop()
        self._paused_seconds += time.monotonic() - before
        return stopped

    def _measure_epoch(self, epoch: int) -> bool:
        """Measure the dev pairs; return whether the macro F1 is the best so far."""

        def tick(done: int) -> None:
            if self._is_stopped():
                raise TrainingStopped  # without saving the state: a resumed training measures this epoch again

        state = self._state
        logits = self._predict(tick)
        scores = self._score(logits)
        better = scores.macro_f1 > state.best
        self._emit(DevScores(state.step, epoch + 1, scores.to_data(), better, self._stage))
        if better:
            state.best, state.epochs_without_gain, self._best, self._logits = scores.macro_f1, 0, self._copy(), logits
        else:
            state.epochs_without_gain += 1
        return better

    def _predict(self, tick: Callable[[int], None]) -> Array:
        return self._predict_encoded(self._dev, tick)

    def _predict_encoded(self, encoded: Encoded, tick: Callable[[int], None]) -> Array:
        self._network.eval()
        try:
            return self._runner.run(self._network, encoded, tick)
        finally:
            self._network.train()

    def _score(self, logits: Array) -> Scores:
        return score_predictions(self._dev_labels, logits.argmax(1), self._class_names)

    @property
    def _dev_labels(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.array([example.label for example in self.dev], np.int64)

    def _prepare(self) -> None:
        network, recipe = self._network, self._recipe
        network.train()
        if not recipe.train_embeddings:
            for parameter in embeddings(network.encoder):
                parameter.requires_grad_(False)
        head = list(network.head.parameters())
        body = [parameter for parameter in network.encoder.parameters() if parameter.requires_grad]
        self._trained = [*body, *head]
        self._rates = (recipe.learning_rate, recipe.learning_rate * recipe.head_factor)
        groups = [{"params": body}, {"params": head}]
        self._fused = self._device.kind != "mps"
        optimizer = torch.optim.AdamW if recipe.optimizer is Optimizer.ADAMW else torch.optim.Adam
        self._optimizer = optimizer(
            groups, lr=recipe.learning_rate, weight_decay=recipe.weight_decay, fused=self._fused
        )
        scales = self._device.precision is Precision.FP16
        self._scaler = torch.amp.GradScaler(self._device.kind, enabled=scales)

    def _batches(self, after: int) -> Iterator[tuple[int, list[int]]]:
        """(epoch, pairs) of each step after step `after`; determined by the seed."""
        lengths = self._encoded.lengths
        first = after // self._per_epoch
        for epoch in range(first, self._recipe.epochs):
            seed = f"{self._recipe.seed}:{epoch}"
            batches = training_batches(
                lengths, self._order(epoch), self._recipe.batch_pairs, seed, by_length=self._recipe.by_length
            )
            skipped = after % self._per_epoch if epoch == first else 0
            yield from ((epoch, batch) for batch in batches[skipped:])

    def _order(self, epoch: int) -> list[int]:
        seed, count = self._recipe.seed, len(self._labels)
        if self._recipe.balance is not Balance.DRAW:
            return shuffled_order(count, f"{seed}:{epoch}:order")
        classes_with_pairs = [(label, pairs) for label, pairs in enumerate(self._classes) if len(pairs)]
        drawn: list[int] = []
        for position, (label, pairs) in enumerate(classes_with_pairs):
            each = count // len(classes_with_pairs) + (position < count % len(classes_with_pairs))
            drawn += _draw_cyclic(pairs, each * epoch, each, f"{seed}:{label}")
        return [drawn[position] for position in shuffled_order(len(drawn), f"{seed}:{epoch}:order")]

    def _rate(self, state: TrainState) -> float:
        """Factor of the learning rate: linear warm-up, then the schedule; decay ends at the last step or time."""
        done = (state.step + 1) / self._steps
        if self._recipe.seconds:
            done = max(done, state.elapsed / self._recipe.seconds)
        warmup = self._recipe.warmup
        if done < warmup:
            return done / warmup
        return 1.0 if self._recipe.schedule is Schedule.CONSTANT else max(0.0, (1 - done) / (1 - warmup))

    def _learn(self, batch: list[int], rate: float) -> float | None:
        """One step; the loss, or None if it was not finite and the step was skipped."""
        for group, full in zip(self._optimizer.param_groups, self._rates, strict=True):
            group["lr"] = full * rate
        loss = self._backward(batch)
        norm = math.nan
        if math.isfinite(loss):
            self._scaler.unscale_(self._optimizer)
            norm = float(nn.utils.clip_grad_norm_(self._trained, 1.0))
            if math.isfinite(norm) or self._scaler.is_enabled():  # it skips such steps and scales less
                self._scaler.step(self._optimizer)
                self._scaler.update()
        self._failed_steps = 0 if math.isfinite(norm) else self._failed_steps + 1
        if self._failed_steps == _MAX_FAILED_STEPS:
            raise _TrainingDiverged
        return loss if math.isfinite(loss) else None

    def _backward(self, batch: list[int]) -> float:
        """Compute the gradients of a batch, in as many parts as the memory requires; return the loss."""
        while True:
            self._optimizer.zero_grad(set_to_none=True)
            try:
                return self._gradients(batch)
            except (RuntimeError, MemoryError) as exc:
                if not is_out_of_memory(exc):
                    raise
                if self._batch_parts >= len(batch):
                    hint = "Close other programs, or train with shorter pairs, a smaller model or on the processor."
                    raise UserError("There is not enough memory to learn from a single pair.", hint=hint) from exc
            self._batch_parts *= 2
            if self._device.kind == "cuda":
                torch.cuda.empty_cache()
            self._emit(
                TrainNote(f"Memory ran out: each step is computed in {self._batch_parts} parts, with the same result.")
            )

    def _gradients(self, batch: list[int]) -> float:
        total = 0.0
        weights = self._weights[np.asarray(batch)]
        weights = weights / max(float(weights.sum()), 1e-12)  # a batch may have weight 0
        part_size = math.ceil(len(batch) / self._batch_parts)
        for low in range(0, len(batch), part_size):
            part = batch[low : low + part_size]
            labels = torch.from_numpy(self._labels[part]).to(self._device.kind)
            given = torch.from_numpy(weights[low : low + part_size]).to(self._device.kind)
            with self._device.autocast():
                logits = self._network(batch_of(self._encoded, part, self.encoder.pad, self._device))
            losses = nn.functional.cross_entropy(
                logits, labels, reduction="none", label_smoothing=self._recipe.label_smoothing
            )
            loss = (losses * given).sum()
            self._scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        return total

    def _emit_step(self, state: TrainState, spent: float) -> None:
        share = max(state.step / self._steps, min(1.0, spent / self._recipe.seconds) if self._recipe.seconds else 0.0)
        whole = self._time.estimate(self._part, share, spent)
        speed = state.step * self._recipe.batch_pairs / spent if spent else 0.0
        loss = state.loss / state.weight if state.weight else math.nan
        self._emit(
            TrainStep(
                state.step,
                self._steps,
                loss,
                speed,
                whole.seconds_left,
                self._stage,
                whole.done,
                whole.steps,
                whole.seconds,
            )
        )

    def _copy(self) -> dict[str, torch.Tensor]:
        return {name: value.detach().clone() for name, value in self._network.state_dict().items()}

    def _save_state(self) -> None:
        if self._state_path is None or not self._state.step:
            return
        tensors = {f"now.{name}": value for name, value in self._network.state_dict().items()}
        tensors |= {f"best.{name}": value for name, value in (self._best or {}).items()}
        for number, parameter in enumerate(self._trained):
            for name, value in self._optimizer.state.get(parameter, {}).items():
                tensors[f"adam.{number}.{name}"] = value
        tensors[_RNG] = torch.get_rng_state()
        if self._device.kind == "cuda":
            tensors[_CUDA_RNG] = torch.cuda.get_rng_state()
        if scaler := self._scaler.state_dict():
            tensors["scaler"] = torch.tensor([scaler["scale"], scaler["_growth_tracker"]], dtype=torch.float64)
        try:
            train_state.write(self._state_path, self._state, tensors, self._digest())
        except (OSError, SafetensorError) as exc:
            self._emit(TrainNote(f"The training's state cannot be kept, so a crash would lose it: {exc}"))
            self._state_path = None

    def _resume(self) -> None:
        if self._state_path is None or not self._state_path.exists():
            return
        result = train_state.read(self._state_path, self._digest())
        if result is None:
            self._emit(TrainNote("The saved state is damaged or of another training, so the training starts again."))
            return
        self._state, tensors = result
        self.steps = self._state.step
        self._network.load_state_dict(train_state.with_prefix(tensors, "now."))
        kind = self._device.kind
        self._best = {name: value.to(kind) for name, value in train_state.with_prefix(tensors, "best.").items()} or None
        for number, parameter in enumerate(self._trained):
            if values := train_state.with_prefix(tensors, f"adam.{number}."):
                self._optimizer.state[parameter] = {
                    name: value if name == "step" and not self._fused else value.to(kind)
                    for name, value in values.items()
                }
        torch.set_rng_state(tensors[_RNG])
        if kind == "cuda" and _CUDA_RNG in tensors:
            torch.cuda.set_rng_state(tensors[_CUDA_RNG])
        if self._scaler.is_enabled() and "scaler" in tensors:
            scale, growth = tensors["scaler"].tolist()
            self._scaler.load_state_dict({**self._scaler.state_dict(), "scale": scale, "_growth_tracker": int(growth)})

    def _digest(self) -> str:
        """The id of this training: a hash of its recipe, examples and dev pairs."""
        digest = blake2b(codec.encode(self._recipe).encode(), digest_size=16)
        for part in (self._encoded, self._dev):
            for values in (part.tokens, part.ends):
                digest.update(values.tobytes())
        digest.update(self._labels.tobytes() + self._dev_labels.tobytes() + self._weights.tobytes())
        return digest.hexdigest()


def _weights(
    examples: Sequence[TrainingExample], recipe: Recipe, classes: int
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The weight of each example in the loss, (n,)."""
    weights = np.array(
        [recipe.answer_weight if example.source is LabelSource.ANSWER else 1.0 for example in examples], np.float32
    )
    if recipe.balance is Balance.WEIGHTS and len(examples):
        labels = np.array([example.label for example in examples])
        counts = np.bincount(labels, minlength=classes)
        weights *= (len(examples) / max(1, int(np.count_nonzero(counts))) / np.maximum(counts, 1))[labels]
    return weights.astype(np.float32)


def _draw_cyclic(pairs: np.ndarray[Any, Any], start: int, count: int, seed: str) -> list[int]:
    """`count` pairs from position `start` of an endless sequence: all pairs shuffled, again and again."""
    result: list[int] = []
    for round in itertools.count(start // len(pairs)):
        order = shuffled_order(len(pairs), f"{seed}:{round}")
        skipped = start % len(pairs) if not result and round == start // len(pairs) else 0
        result += [int(pairs[position]) for position in order[skipped : skipped + count - len(result)]]
        if len(result) >= count:
            return result
    raise AssertionError
