"""The training loop: batches of like length, a rate that rises and falls, the best state by macro F1 kept."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import nn

from miner.classifier.device import Device, is_out_of_memory
from miner.classifier.encoding import Encoded, Encoder, batch_of, bucketed, shuffled
from miner.classifier.events import Dev, Event, Note, Step
from miner.classifier.examples import LABELS, Example, Source
from miner.classifier.inference import Array, Runner
from miner.classifier.metrics import Scores, score
from miner.classifier.network import PairNetwork, embeddings
from miner.classifier.recipe import Balance, Precision, Recipe
from miner.errors import UserError

_KEEP_EVERY = 90.0  # seconds between two states on disk, to go on from after a crash
_SAID_EVERY = 0.5  # seconds
_LOST = 20  # steps without a number for a loss, one after the other, and it is given up


class Stopped(Exception):
    """Somebody asked it to stop; the best state so far is the network's."""


@dataclass(slots=True)
class _State:
    step: int = 0
    elapsed: float = 0.0
    best: float = -1.0
    since: int = 0  # epochs without a better one
    loss: float = 0.0
    weight: float = 0.0


class Learner:
    """Trains a network on examples; `hear` is told how it goes, `stop` asked before every step.

    `kept` is the file the state is kept in, to be taken up by the next `Learner` with the same arguments.
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
        self._prepare()

    def run(self) -> Scores | None:
        """Train; the network is then the best by the dev pairs' macro F1, whose scores are given. None without any.

        `Stopped` when asked to stop; the network is the best so far then too.
        """
        state, best = self._resume()
        self.steps = state.step
        scores: Scores | None = None
        began = time.monotonic() - state.elapsed
        said = kept = time.monotonic()
        try:
            for epoch, batch in self._batches(state.step):
                if self._stop():
                    raise Stopped
                state.elapsed = time.monotonic() - began
                loss = self._learn(batch, self._rate(state))
                if loss is not None:
                    state.loss, state.weight = 0.98 * state.loss + 0.02 * loss, 0.98 * state.weight + 0.02
                state.step += 1
                self.steps = state.step
                now = time.monotonic()
                if now - said > _SAID_EVERY or state.step == self._steps:
                    said = now
                    self._say(state, now - began)
                if state.step % self._per_epoch == 0 and self.dev:
                    found = self._score()
                    better = found.macro_f1 > state.best
                    self._hear(Dev(state.step, epoch + 1, found.to_data(), better, self._stage))
                    if better:
                        state.best, state.since, best, scores = found.macro_f1, 0, self._copy(), found
                        self._keep(state, best)
                        kept = time.monotonic()
                    else:
                        state.since += 1
                        if self._recipe.patience and state.since >= self._recipe.patience:
                            break
                if self._recipe.seconds and state.elapsed > self._recipe.seconds:
                    break
                if time.monotonic() - kept > _KEEP_EVERY:
                    self._keep(state, best)
                    kept = time.monotonic()
        finally:
            if best is not None:
                self._network.load_state_dict(best)
        if self.dev and scores is None:
            scores = self._score()
        if self._kept is not None:
            self._kept.unlink(missing_ok=True)
        return scores

    def logits(self) -> Array:
        """Of the dev pairs, in their order."""
        return self._predict(self._dev)

    def _predict(self, encoded: Encoded) -> Array:
        self._network.eval()
        logits = self._runner.run(self._network, encoded)
        self._network.train()
        return logits

    def _score(self) -> Scores:
        gold = np.array([example.label for example in self.dev])
        return score(gold, self._predict(self._dev).argmax(1))

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
        self._optimizer = torch.optim.AdamW(
            groups, lr=recipe.learning_rate, weight_decay=recipe.weight_decay, fused=self._device.kind != "mps"
        )
        scales = self._device.precision is Precision.FP16
        self._scaler = torch.amp.GradScaler(self._device.kind, enabled=scales)
        torch.manual_seed(recipe.seed)

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

    def _rate(self, state: _State) -> float:
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
        while True:
            self._optimizer.zero_grad(set_to_none=True)
            try:
                loss = self._gradients(batch)
                break
            except (RuntimeError, MemoryError) as exc:
                if not is_out_of_memory(exc) or self._split >= len(batch):
                    raise
                self._split *= 2
                self._hear(Note(f"Memory ran out: each step is taken in {self._split} parts, with the same result."))
        if not math.isfinite(loss):
            self._lost += 1
            if self._lost == _LOST:
                hint = "Train again with a lower learning rate, or with precision fp32."
                raise UserError("The training went astray: its loss is not a number any more.", hint=hint)
            return None
        self._lost = 0
        self._scaler.unscale_(self._optimizer)
        nn.utils.clip_grad_norm_(self._trained, 1.0)
        self._scaler.step(self._optimizer)
        self._scaler.update()
        return loss

    def _gradients(self, batch: list[int]) -> float:
        total = 0.0
        weights = self._weights[np.asarray(batch)]
        size = math.ceil(len(batch) / self._split)
        for low in range(0, len(batch), size):
            part = batch[low : low + size]
            labels = torch.from_numpy(self._labels[part]).to(self._device.kind)
            given = torch.from_numpy(weights[low : low + size] / weights.sum()).to(self._device.kind)
            with self._device.autocast():
                logits = self._network(batch_of(self._encoded, part, self.reader.pad, self._device))
            losses = nn.functional.cross_entropy(
                logits, labels, reduction="none", label_smoothing=self._recipe.label_smoothing
            )
            loss = (losses * given).sum()
            self._scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        return total

    def _say(self, state: _State, spent: float) -> None:
        share = max(state.step / self._steps, min(1.0, spent / self._recipe.seconds) if self._recipe.seconds else 0.0)
        left = spent * (1 - share) / share
        speed = state.step * self._recipe.batch_pairs / spent if spent else 0.0
        loss = state.loss / state.weight if state.weight else math.nan
        self._hear(Step(state.step, self._steps, loss, speed, left, self._stage))

    def _copy(self) -> dict[str, torch.Tensor]:
        return {name: value.detach().clone() for name, value in self._network.state_dict().items()}

    def _keep(self, state: _State, best: dict[str, torch.Tensor] | None) -> None:
        """The state as a file: what was there before stays until the new one is whole."""
        if self._kept is None:
            return
        tensors = {f"now.{name}": value for name, value in self._network.state_dict().items()}
        tensors |= {f"best.{name}": value for name, value in (best or {}).items()}
        for number, parameter in enumerate(self._trained):
            for name, value in self._optimizer.state.get(parameter, {}).items():
                tensors[f"adam.{number}.{name}"] = value
        tensors["luck"] = torch.get_rng_state()
        tensors["state"] = torch.tensor(
            [state.step, state.elapsed, state.best, state.since, state.loss, state.weight], dtype=torch.float64
        )
        part = self._kept.with_name(self._kept.name + ".part")
        try:
            save_file({name: value.detach().cpu().contiguous() for name, value in tensors.items()}, part)
            part.replace(self._kept)
        except (OSError, SafetensorError) as exc:
            part.unlink(missing_ok=True)
            self._kept_problem(exc)

    def _kept_problem(self, exc: Exception) -> None:
        self._hear(Note(f"The training's state cannot be kept, so a crash would lose it: {exc}"))
        self._kept = None

    def _resume(self) -> tuple[_State, dict[str, torch.Tensor] | None]:
        if self._kept is None or not self._kept.exists():
            return _State(), None
        with safe_open(self._kept, "pt") as file:
            tensors = {name: file.get_tensor(name) for name in list(file.keys())}
        step, elapsed, best, since, loss, weight = tensors["state"].tolist()
        state = _State(int(step), elapsed, best, int(since), loss, weight)
        self._network.load_state_dict(_named(tensors, "now."))
        for number, parameter in enumerate(self._trained):
            values = _named(tensors, f"adam.{number}.")
            if values:
                self._optimizer.state[parameter] = {
                    name: value if name == "step" else value.to(self._device.kind) for name, value in values.items()
                }
        torch.set_rng_state(tensors["luck"])
        return state, _named(tensors, "best.") or None


def _named(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


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
