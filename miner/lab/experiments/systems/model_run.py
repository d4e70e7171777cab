"""Loads a model that is used as it is, in the process of a run: with torch, or with numpy where torch is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from miner.classifier.examples import LABELS
from miner.classifier.libraries import import_libraries, missing_library
from miner.errors import UserError
from miner.lab.experiments.class_mapping import class_weights, in_classes
from miner.lab.experiments.systems.protocol import Array, Tick, TrainedSystem
from miner.libraries import np

if TYPE_CHECKING:
    from miner.classifier.checkpoints import Checkpoint
    from miner.classifier.predictor import Predictions

_PAIRS_PER_TICK = 256  # with numpy


class UsedModel(NamedTuple):
    """A model that can predict, and its device for users. arithmetic, device_note: as `SystemRunResult` has them."""

    system: TrainedSystem
    device: str
    arithmetic: str
    device_note: str


class ModelAdapter:
    """A model of `miner.classifier` as a `TrainedSystem`. weights: as `class_weights` gives them."""

    def __init__(self, model: Any, weights: Array | None = None) -> None:
        self._model, self._weights = model, weights

    def predict(self, pairs: Sequence[tuple[str, str]], tick: Tick) -> Array:
        found: Array = self._model.predict(pairs, lambda done: tick(done, len(pairs), "predicting"))
        return found if self._weights is None else in_classes(found, self._weights)


def load_used_model(start: Path, name: str, classes: Mapping[str, Sequence[str]], device: str) -> UsedModel:
    """The model in a folder. classes: the experiment's, with the labels of each.

    `UserError` where it has other classes, cannot be loaded, or needs a library that is not installed.
    """
    from miner.classifier.checkpoints import inspect_checkpoint

    checkpoint = inspect_checkpoint(start, name=name)
    own = tuple(map(str, LABELS if checkpoint.labels and checkpoint.classes else checkpoint.classes or ()))
    weights = class_weights(own, classes)
    if weights is None:
        names = ", ".join(own or ("none",))
        hint = "Train it for these classes: a system of the kind encoder; or name its classes under [classes]."
        raise UserError(f"The model {checkpoint.name} has other classes than the experiment: {names}.", hint=hint)
    load = _load_with_numpy if missing_library() else _load_with_torch
    return load(checkpoint, weights, device)


def _load_with_torch(checkpoint: Checkpoint, weights: Array, device: str) -> UsedModel:
    import_libraries()
    from miner.classifier.device import choose_device, set_threads
    from miner.classifier.fine_tuning import FineTunedModel

    set_threads()
    chosen = choose_device(device)
    model = FineTunedModel.load(checkpoint, chosen)
    return UsedModel(ModelAdapter(model, weights), chosen.name, chosen.arithmetic, chosen.note)


def _load_with_numpy(checkpoint: Checkpoint, weights: Array, device: str) -> UsedModel:
    from miner.classifier.predictor import load_numpy_predictor

    predict = load_numpy_predictor(checkpoint.path, device=device)
    about = predict(())
    return UsedModel(
        ModelAdapter(_NumpyPredictor(predict), weights), about.device, about.arithmetic, " ".join(about.notes)
    )


class _NumpyPredictor:
    """A predictor with numpy in the form of `FineTunedModel`."""

    def __init__(self, predict: Callable[[Sequence[tuple[str, str]]], Predictions]) -> None:
        self._predict = predict

    def predict(self, pairs: Sequence[tuple[str, str]], tick: Callable[[int], None]) -> Array:
        found = []
        for start in range(0, len(pairs), _PAIRS_PER_TICK):
            found.append(self._predict(pairs[start : start + _PAIRS_PER_TICK]).probabilities)
            tick(min(start + _PAIRS_PER_TICK, len(pairs)))
        return np.concatenate(found) if found else self._predict(()).probabilities
