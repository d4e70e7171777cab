"""The training loop: batches of like length, a rate that rises and falls, the best state by macro F1 kept."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from torch import nn

from miner import codec
from miner.classifier import train_state
from miner.classifier.device import Device, is_out_of_memory
from miner.classifier.encoding import Encoder, batch_of, bucketed, shuffled
from miner.classifier.events import Dev, Event, Note, Step
from miner.classifier.examples import LABELS, Example, Source
from miner.classifier.inference import Array, Runner
from miner.classifier.metrics import Scores, score
from miner.classifier.network import PairNetwork, embeddings
from miner.classifier.recipe import Balance, Precision, Recipe
from miner.classifier.train_state import State
from miner.errors import UserError

_KEEP_EVERY = 90.0  # seconds between two states on disk, to go on from after a crash
_SAID_EVERY = 0.5  # seconds
_LOST = 20  # steps without a number for a loss, one after the other, and it is given up


class Stopped(Exception):
    """Somebody asked it to stop; the best state so far is the network's."""


class _Astray(Exception):
    """The loss is no number any more."""


class Trainer:
    """Trains a network on examples; `hear` is told how it goes, `stop` asked before every step.

    `kept` is the file the state is kept in, to be taken up by the next `Trainer` with the same arguments; who has made
    use of what came of it deletes it.
    """

    def __init__(
        self,
        network: PairNetwork,
        encoder: Encoder,
        examples: Sequence[Example],
        recipe: Recipe,
        device: Device,
        *,
        hear: Callable[[Event], None] = lambda event: None,
        stop: Callable[[], bool] = lambda: False,
        kept: Path | None = None,
        stage: str = "",
    ) -> None:
        self._network, self._recipe, self._device = network.to(device.kind), recipe, device
        self._hear, self._stop, self._kept, self._stage = hear, stop, kept, stage
        self.reader = encoder
        self.steps = 0  # taken so far
        learned = [example for example in examples if not example.dev]
        self.dev = [example for example in examples if example.dev]
        self._encoded = encoder.encode([(one.premise, one.hypothesis) for one in learned])
        self._dev = encoder.encode([(one.premise, one.hypothesis) for one in self.dev])
        self._labels = np.array([one.label for one in learned], np.int64)
        self._weights = _weights(learned, recipe)
        self._classes = [np.flatnonzero(self._labels == label) for label in range(len(LABELS))]
        self._per_epoch = max(1, math.ceil(len(learned) / recipe.batch_pairs))
        self._steps = self._per_epoch * recipe.epochs
        self._runner = Runner(device, encoder.pad)
        self._split = 1  # parts a batch is learned in, where memory does not suffice for the whole
        self._lost = 0
        self._idle = 0.0  # seconds it was paused
        self._state = State()
        self._best: dict[str, torch.Tensor] | None = None
        self._logits: Array | None = None  # of the dev pairs, by the network as it will be after `run`
        self._prepare()

    def run(self) -> Scores | None:
        """Train; the network is then the best by the dev pairs' macro F1, whose scores are given. None without any.

        `Stopped` when asked to stop; the network is the best so far then too. `UserError` where the loss ceases to be
        a number before anything was found, or the memory does not suffice for a single pair.
        """
        torch.manual_seed(self._recipe.seed)
        self._resume()
        try:
            self._train()
        except _Astray as exc:
            if self._best is None:
                hint = "Train again with a lower learning rate, or with precision fp32."
                raise UserError("The training went astray: its loss is not a number any more.", hint=hint) from exc
            self._hear(Note("The training went astray: its loss was not a number any more. The best so far is kept."))
        finally:
            if self._best is not None:
                self._network.load_state_dict(self._best)
        return score(self._gold, self.logits().argmax(1)) if self.dev else None

    def logits(self, tick: Callable[[int], None] = lambda done: None) -> Array:
        """Of the dev pairs, in their order. `tick` is told how many are done; what it raises ends it."""
        if self._logits is None:
            self._logits = self._predict(tick)
        return self._logits

    def _train(self) -> None:
        state, recipe = self._state, self._recipe
        began = time.monotonic() - state.elapsed
        said = kept = time.monotonic()
        for epoch, batch in self._batches(state.step):
            if self._is_stopped():
                self._keep()
                raise Stopped
            state.elapsed = time.monotonic() - began - self._idle
            loss = self._learn(batch, self._rate(state))
            if loss is not None:
                state.loss, state.weight = 0.98 * state.loss + 0.02 * loss, 0.98 * state.weight + 0.02
            state.step += 1
            self.steps = state.step
            if time.monotonic() - said > _SAID_EVERY or state.step == self._steps:
                said = time.monotonic()
                self._say(state, said - began - self._idle)
            over = bool(recipe.seconds) and state.elapsed > recipe.seconds
            if self.dev and (over or state.step % self._per_epoch == 0) and self._found_better(epoch):
                self._keep()
                kept = time.monotonic()
            if over or (recipe.patience and state.since >= recipe.patience):
                return
            if time.monotonic() - kept > _KEEP_EVERY:
                self._keep()
                kept = time.monotonic()

    def _is_stopped(self) -> bool:
        """Waits while paused."""
        asked = time.monotonic()
        stopped = self._stop()
        self._idle += time.monotonic() - asked
        return stopped

    def _found_better(self, epoch: int) -> bool:
        """Whether the network is better than ever before, by the dev pairs."""

        def tick(done: int) -> None:
            if self._is_stopped():
                raise Stopped  # nothing is kept here: who goes on judges this epoch again

        state = self._state
        logits = self._predict(tick)
        scores = score(self._gold, logits.argmax(1))
        better = scores.macro_f1 > state.best
        self._hear(Dev(state.step, epoch + 1, scores.to_data(), better, self._stage))
        if better:
            state.best, state.since, self._best, self._logits = scores.macro_f1, 0, self._copy(), logits
        else:
            state.since += 1
        return better

    def _predict(self, tick: Callable[[int], None]) -> Array:
        self._network.eval()
        try:
            return self._runner.run(self._network, self._dev, tick)
        finally:
            self._network.train()

    @property
    def _gold(self) -> np.ndarray[Any, np.dtype[np.int64]]:
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
        self._optimizer = torch.optim.AdamW(
            groups, lr=recipe.learning_rate, weight_decay=recipe.weight_decay, fused=self._fused
        )
        scales = self._device.precision is Precision.FP16
        self._scaler = torch.amp.GradScaler(self._device.kind, enabled=scales)

    def _batches(self, after: int) -> Iterator[tuple[int, list[int]]]:
        """(epoch, pairs) of every step after the first `after`; what they are follows from the seed alone."""
        lengths = self._encoded.lengths
        first = after // self._per_epoch
        for epoch in range(first, self._recipe.epochs):
            seed = f"{self._recipe.seed}:{epoch}"
            batches = bucketed(lengths, self._order(epoch), self._recipe.batch_pairs, seed)
            skipped = after % self._per_epoch if epoch == first else 0
            yield from ((epoch, batch) for batch in batches[skipped:])

    def _order(self, epoch: int) -> list[int]:
        seed, count = self._recipe.seed, len(self._labels)
        if self._recipe.balance is not Balance.DRAW:
            return shuffled(count, f"{seed}:{epoch}:order")
        there = [(label, pairs) for label, pairs in enumerate(self._classes) if len(pairs)]
        drawn: list[int] = []
        for place, (label, pairs) in enumerate(there):
            each = count // len(there) + (place < count % len(there))
            drawn += _dealt(pairs, each * epoch, each, f"{seed}:{label}")
        return [drawn[place] for place in shuffled(len(drawn), f"{seed}:{epoch}:order")]

    def _rate(self, state: State) -> float:
        """Share of the full rate: up in a straight line, then down, so that it ends with the steps or the time."""
        done = (state.step + 1) / self._steps
        if self._recipe.seconds:
            done = max(done, state.elapsed / self._recipe.seconds)
        warmup = self._recipe.warmup
        return done / warmup if done < warmup else max(0.0, (1 - done) / (1 - warmup))

    def _learn(self, batch: list[int], rate: float) -> float | None:
        """One step; the loss, or None where it was no number and nothing was learned."""
        for group, full in zip(self._optimizer.param_groups, self._rates, strict=True):
            group["lr"] = full * rate
        loss = self._backward(batch)
        norm = math.nan
        if math.isfinite(loss):
            self._scaler.unscale_(self._optimizer)
            norm = float(nn.utils.clip_grad_norm_(self._trained, 1.0))
            if math.isfinite(norm) or self._scaler.is_enabled():  # which leaves such a step out, and scales less
                self._scaler.step(self._optimizer)
                self._scaler.update()
        self._lost = 0 if math.isfinite(norm) else self._lost + 1
        if self._lost == _LOST:
            raise _Astray
        return loss if math.isfinite(loss) else None

    def _backward(self, batch: list[int]) -> float:
        """The gradients of a batch, in as many parts as memory asks for; the loss."""
        while True:
            self._optimizer.zero_grad(set_to_none=True)
            try:
                return self._gradients(batch)
            except (RuntimeError, MemoryError) as exc:
                if not is_out_of_memory(exc):
                    raise
                if self._split >= len(batch):
                    hint = "Close other programs, or train with shorter pairs, a smaller model or on the processor."
                    raise UserError("The memory does not suffice to learn from a single pair.", hint=hint) from exc
            self._split *= 2
            if self._device.kind == "cuda":
                torch.cuda.empty_cache()
            self._hear(Note(f"Memory ran out: each step is taken in {self._split} parts, with the same result."))

    def _gradients(self, batch: list[int]) -> float:
        total = 0.0
        weights = self._weights[np.asarray(batch)]
        weights = weights / max(float(weights.sum()), 1e-12)  # of answers that weigh nothing nothing is learned
        size = math.ceil(len(batch) / self._split)
        for low in range(0, len(batch), size):
            part = batch[low : low + size]
            labels = torch.from_numpy(self._labels[part]).to(self._device.kind)
            given = torch.from_numpy(weights[low : low + size]).to(self._device.kind)
            with self._device.autocast():
                logits = self._network(batch_of(self._encoded, part, self.reader.pad, self._device))
            losses = nn.functional.cross_entropy(
                logits, labels, reduction="none", label_smoothing=self._recipe.label_smoothing
            )
            loss = (losses * given).sum()
            self._scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        return total

    def _say(self, state: State, spent: float) -> None:
        share = max(state.step / self._steps, min(1.0, spent / self._recipe.seconds) if self._recipe.seconds else 0.0)
        left = spent * (1 - share) / share
        speed = state.step * self._recipe.batch_pairs / spent if spent else 0.0
        loss = state.loss / state.weight if state.weight else math.nan
        self._hear(Step(state.step, self._steps, loss, speed, left, self._stage))

    def _copy(self) -> dict[str, torch.Tensor]:
        return {name: value.detach().clone() for name, value in self._network.state_dict().items()}

    def _keep(self) -> None:
        if self._kept is None or not self._state.step:
            return
        tensors = {f"now.{name}": value for name, value in self._network.state_dict().items()}
        tensors |= {f"best.{name}": value for name, value in (self._best or {}).items()}
        for number, parameter in enumerate(self._trained):
            for name, value in self._optimizer.state.get(parameter, {}).items():
                tensors[f"adam.{number}.{name}"] = value
        tensors["luck"] = torch.get_rng_state()
        if self._device.kind == "cuda":
            tensors["luck.cuda"] = torch.cuda.get_rng_state()
        if scaler := self._scaler.state_dict():
            tensors["scaler"] = torch.tensor([scaler["scale"], scaler["_growth_tracker"]], dtype=torch.float64)
        try:
            train_state.write(self._kept, self._state, tensors, self._mark())
        except (OSError, SafetensorError) as exc:
            self._hear(Note(f"The training's state cannot be kept, so a crash would lose it: {exc}"))
            self._kept = None

    def _resume(self) -> None:
        if self._kept is None or not self._kept.exists():
            return
        found = train_state.read(self._kept, self._mark())
        if found is None:
            self._hear(Note("The state that was kept is damaged, or of another training: it begins anew."))
            return
        self._state, tensors = found
        self.steps = self._state.step
        self._network.load_state_dict(train_state.named(tensors, "now."))
        kind = self._device.kind
        self._best = {name: value.to(kind) for name, value in train_state.named(tensors, "best.").items()} or None
        for number, parameter in enumerate(self._trained):
            if values := train_state.named(tensors, f"adam.{number}."):
                self._optimizer.state[parameter] = {
                    name: value if name == "step" and not self._fused else value.to(kind)
                    for name, value in values.items()
                }
        torch.set_rng_state(tensors["luck"])
        if kind == "cuda" and "luck.cuda" in tensors:
            torch.cuda.set_rng_state(tensors["luck.cuda"])
        if self._scaler.is_enabled() and "scaler" in tensors:
            size, grown = tensors["scaler"].tolist()
            self._scaler.load_state_dict({**self._scaler.state_dict(), "scale": size, "_growth_tracker": int(grown)})

    def _mark(self) -> str:
        """Tells this training from others: its recipe, and all that it learns from and is judged by."""
        digest = blake2b(codec.encode(self._recipe).encode(), digest_size=16)
        for part in (self._encoded, self._dev):
            for values in (part.tokens, part.ends):
                digest.update(values.tobytes())
        digest.update(self._labels.tobytes() + self._gold.tobytes() + self._weights.tobytes())
        return digest.hexdigest()


def _weights(examples: Sequence[Example], recipe: Recipe) -> np.ndarray[Any, np.dtype[np.float32]]:
    """What each example weighs in the loss."""
    weights = np.array([recipe.answer_weight if one.source is Source.ANSWER else 1.0 for one in examples], np.float32)
    if recipe.balance is Balance.WEIGHTS and len(examples):
        labels = np.array([one.label for one in examples])
        counts = np.bincount(labels, minlength=len(LABELS))
        weights *= (len(examples) / max(1, int(np.count_nonzero(counts))) / np.maximum(counts, 1))[labels]
    return weights.astype(np.float32)


def _dealt(pairs: np.ndarray[Any, Any], start: int, count: int, seed: str) -> list[int]:
    """`count` of the pairs, from place `start` on of a pack that is shuffled anew whenever all have been dealt."""
    found: list[int] = []
    for round in itertools.count(start // len(pairs)):
        order = shuffled(len(pairs), f"{seed}:{round}")
        skipped = start % len(pairs) if not found and round == start // len(pairs) else 0
        found += [int(pairs[place]) for place in order[skipped : skipped + count - len(found)]]
        if len(found) >= count:
            return found
    raise AssertionError
