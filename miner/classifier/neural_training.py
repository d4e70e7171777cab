"""Trains networks over word vectors with the papers' hyperparameters (SciNLI, section 4.3; MSciNLI, appendix B)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from miner.classifier.calibration import softmax
from miner.classifier.device import Device
from miner.classifier.events import TrainEvent
from miner.classifier.examples import TrainingExample
from miner.classifier.inference import Array, BatchRunner
from miner.classifier.neural import NeuralNetwork
from miner.classifier.recipe import Balance, Optimizer, Precision, Recipe, Schedule
from miner.classifier.stems import StemEncoder
from miner.classifier.trainer import Trainer
from miner.classifier.vectors import load_vectors


@dataclass(frozen=True, slots=True)
class NeuralTask:
    """A network to train and the examples to use.

    width: of hidden states, and of random vectors. vectors: as `load_vectors` has it.
    """

    architecture: str
    vectors: str
    width: int
    hidden_layer: bool
    recipe: Recipe
    classes: tuple[str, ...]
    examples: Sequence[TrainingExample]
    folder: Path


class TrainedNeuralNetwork:
    """A network that has learned. found: the share of its `stems` stems that had a vector."""

    def __init__(self, network: NeuralNetwork, encoder: StemEncoder, device: Device, found: float) -> None:
        self._network, self._encoder = network.eval(), encoder
        self._runner = BatchRunner(device, encoder.pad)
        self.found, self.stems = found, len(encoder.forms)

    def predict(self, pairs: Sequence[tuple[str, str]], tick: Callable[[int], None]) -> Array:
        """Probabilities, (pairs, classes). `tick` receives the number of pairs done."""
        return softmax(self._runner.run(self._network, self._encoder.encode(pairs), tick))


def neural_recipe(*, epochs: int, patience: int, batch_pairs: int, learning_rate: float, seed: int) -> Recipe:
    """The hyperparameters: Adam at a constant rate, cross-entropy, the best epoch by macro F1 on dev."""
    return Recipe(
        name="neural",
        epochs=epochs,
        patience=patience,
        batch_pairs=batch_pairs,
        learning_rate=learning_rate,
        head_factor=1.0,
        warmup=0.0,
        weight_decay=0.0,
        label_smoothing=0.0,
        optimizer=Optimizer.ADAM,
        schedule=Schedule.CONSTANT,
        balance=Balance.NONE,
        train_embeddings=True,
        precision=Precision.FP32,
        seed=seed,
    )


def train_neural(
    task: NeuralTask,
    device: Device,
    emit: Callable[[TrainEvent], None] = lambda event: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> TrainedNeuralNetwork:
    """Train; `TrainingStopped` if it is asked to stop, `UserError` where vectors cannot be read."""
    learned = [(example.premise, example.hypothesis) for example in task.examples if not example.dev]
    encoder = StemEncoder.fit(learned)
    vectors = load_vectors(task.vectors, encoder.forms, task.width, task.recipe.seed)
    torch.manual_seed(task.recipe.seed)
    network = NeuralNetwork(
        task.architecture, vectors.values, task.width, len(task.classes), hidden_layer=task.hidden_layer
    )
    trainer = Trainer(
        network,
        encoder,
        task.examples,
        task.recipe,
        device,
        emit=emit,
        should_stop=should_stop,
        state_path=task.folder / "state.safetensors",
        classes=task.classes,
    )
    trainer.run()
    return TrainedNeuralNetwork(network, encoder, device, vectors.found)
