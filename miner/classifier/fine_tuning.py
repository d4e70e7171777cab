"""Fine-tunes an encoder on labelled pairs of any classes, for experiments: no folds, no calibration, no project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from torch import nn

from miner.classifier.calibration import softmax
from miner.classifier.checkpoints import Checkpoint
from miner.classifier.device import Device
from miner.classifier.encoding import Encoder
from miner.classifier.events import TrainEvent
from miner.classifier.examples import TrainingExample
from miner.classifier.inference import Array, BatchRunner
from miner.classifier.loading import load_model, start_network, token_limit
from miner.classifier.masked_words import train_masked_words
from miner.classifier.network import PairNetwork
from miner.classifier.recipe import Recipe
from miner.classifier.trainer import Trainer
from miner.classifier.training_dynamics import write_dynamics
from miner.libraries import np

_STATE = "state.safetensors"


@dataclass(frozen=True, slots=True)
class FineTuningTask:
    """A model to fine-tune and the examples to use. folder: for states, from which a killed training continues.

    new_head: take only the encoder of a start model that knows these classes already. intermediate: an earlier
    training, of which only the encoder is used; `masked_words`: it learns these, not labels. record_dynamics: keep the
    probability of each training pair's label after every epoch (MSciNLI, appendix E).
    """

    start: Checkpoint
    recipe: Recipe
    classes: tuple[str, ...]
    examples: Sequence[TrainingExample]
    folder: Path
    new_head: bool = True
    intermediate: FineTuningTask | None = None
    masked_words: bool = False
    record_dynamics: bool = False


class FineTunedModel:
    """A network with its encoder, ready to predict."""

    def __init__(self, network: Any, encoder: Encoder, device: Device, temperature: float = 1.0) -> None:
        self._network, self._encoder, self._temperature = network.eval(), encoder, temperature
        self._runner = BatchRunner(device, encoder.pad)
        self.device = device.name

    @classmethod
    def load(cls, checkpoint: Checkpoint, device: Device) -> FineTunedModel:
        """A model as it is; `UserError` as `load_model`."""
        loaded = load_model(checkpoint, device)
        return cls(loaded.network, loaded.encoder, device, loaded.temperature)

    def predict(self, pairs: Sequence[tuple[str, str]], tick: Callable[[int], None]) -> Array:
        """Probabilities, (pairs, classes). `tick` receives the number of pairs done."""
        return softmax(self._runner.run(self._network, self._encoder.encode(pairs), tick), self._temperature)


def fine_tune(
    task: FineTuningTask,
    device: Device,
    emit: Callable[[TrainEvent], None] = lambda event: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> FineTunedModel:
    """Train, take the best epoch by the dev examples, else the last; `TrainingStopped` if it is asked to stop.

    `UserError` where the start model cannot be used or memory is not enough.
    """
    carried = None
    if task.intermediate is not None:
        before = replace(task.intermediate, folder=task.folder / "intermediate")
        before.folder.mkdir(exist_ok=True)
        train = _train_masked_words if before.masked_words else _train_before
        carried = train(before, device, emit, should_stop)
    network, encoder = _train(task, carried, device, emit, should_stop, "")
    return FineTunedModel(network, encoder, device)


def _train_before(
    task: FineTuningTask, device: Device, emit: Callable[[TrainEvent], None], should_stop: Callable[[], bool]
) -> nn.Module:
    network, _ = _train(task, None, device, emit, should_stop, "intermediate")
    return network.encoder


def _train_masked_words(
    task: FineTuningTask, device: Device, emit: Callable[[TrainEvent], None], should_stop: Callable[[], bool]
) -> nn.Module:
    network, tokenizer = start_network(task.start, task.recipe, task.classes, new_head=True)
    return train_masked_words(
        task.start,
        network,
        tokenizer,
        _encoder(network, tokenizer, task.recipe),
        task.examples,
        task.recipe,
        device,
        emit=emit,
        should_stop=should_stop,
        state_path=task.folder / _STATE,
    )


def _train(
    task: FineTuningTask,
    carried: nn.Module | None,
    device: Device,
    emit: Callable[[TrainEvent], None],
    should_stop: Callable[[], bool],
    stage: str,
) -> tuple[PairNetwork, Encoder]:
    recipe = task.recipe
    network, tokenizer = start_network(task.start, recipe, task.classes, new_head=task.new_head)
    if carried is not None:
        network.encoder.load_state_dict(carried.state_dict())
    encoder = _encoder(network, tokenizer, recipe)
    learned = np.array([example.label for example in task.examples if not example.dev], np.int64)

    def record(epoch: int) -> None:
        write_dynamics(task.folder, epoch, softmax(trainer.train_logits()), learned)

    trainer = Trainer(
        network,
        encoder,
        task.examples,
        recipe,
        device,
        emit=emit,
        should_stop=should_stop,
        state_path=task.folder / _STATE,
        stage=stage,
        classes=task.classes,
        after_epoch=record if task.record_dynamics else lambda epoch: None,
    )
    trainer.run()
    return network, encoder


def _encoder(network: PairNetwork, tokenizer: Tokenizer, recipe: Recipe) -> Encoder:
    limit = token_limit(network, recipe.max_tokens)
    return Encoder(tokenizer, limit, hypothesis_only=recipe.hypothesis_only, cut=recipe.cut, alone=recipe.alone)
