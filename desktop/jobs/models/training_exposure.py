"""The pairs that a model was trained on, and the predictions of its folds for these pairs.

A model can only doubt labels that it has not learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from miner.atomic_files import atomic_file
from miner.classifier.checkpoints import Checkpoint
from miner.classifier.examples import TrainingExample, read_examples
from miner.classifier.held_out import read_held_out
from miner.classifier.training import EXAMPLES, HELD_OUT
from miner.paths import is_file

LEARNED_BEFORE = "learned_before.txt"
"""Keys of the pairs that the model a training started from had learned, a line each."""


class FoldPrediction(NamedTuple):
    """Calibrated probabilities of a pair, by the model of the fold that has not learned the pair."""

    fold: int
    probabilities: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TrainingExposure:
    """What a model has been trained on, including the training of the models it started from.

    learned: keys of the pairs it learned. dev: keys of the pairs by which its best epoch was chosen and its temperature
    fitted. text_hashes: hash of the two sentences of each of these, for the last training only. fold_predictions: by
    key, for pairs that no earlier model had learned.
    """

    learned: frozenset[str] = frozenset()
    dev: frozenset[str] = frozenset()
    text_hashes: Mapping[str, int] = field(default_factory=dict)
    fold_predictions: Mapping[str, FoldPrediction] = field(default_factory=dict)

    def fold_prediction(self, key: str, premise: str, hypothesis: str) -> FoldPrediction | None:
        """The prediction of the fold without this pair; None if there is none, or the sentences have changed."""
        found = self.fold_predictions.get(key)
        return found if found and self.text_hashes.get(key) == hash((premise, hypothesis)) else None


def exposure_of(checkpoint: Checkpoint) -> TrainingExposure:
    """The exposure in the run's files beside a checkpoint that Pairwright trained, in any project; else empty."""
    return read_exposure(checkpoint.path.parent)


def read_exposure(folder: Path) -> TrainingExposure:
    """The exposure of the model trained in this folder; empty if its files are missing (see `has_exposure`)."""
    modified = tuple(_modified(folder / name) for name in (EXAMPLES, HELD_OUT, LEARNED_BEFORE))
    return _read(folder, modified)


def has_exposure(folder: Path) -> bool:
    """Whether a run's folder has the files that `read_exposure` reads."""
    return is_file(folder / EXAMPLES)


def write_learned_before(folder: Path, keys: Iterable[str]) -> None:
    """Store, in a run's folder, the keys that the model it starts from has learned; atomic."""
    with atomic_file(folder / LEARNED_BEFORE) as part:
        part.write_text("".join(f"{key}\n" for key in sorted(keys)), encoding="utf-8", newline="\n")


@lru_cache(maxsize=2)
def _read(folder: Path, _: tuple[int, ...]) -> TrainingExposure:
    if not has_exposure(folder):
        return TrainingExposure()
    before = set[str]()
    if is_file(folder / LEARNED_BEFORE):
        before.update((folder / LEARNED_BEFORE).read_text(encoding="utf-8").split())
    examples: list[TrainingExample] = list(read_examples(folder / EXAMPLES))
    text_hashes = {one.key: hash((one.premise, one.hypothesis)) for one in examples}
    predictions: dict[str, FoldPrediction] = {}
    if is_file(folder / HELD_OUT):
        for row in read_held_out(folder / HELD_OUT):
            if row.key not in before:  # the folds' models started from one that had learned it
                predictions[row.key] = FoldPrediction(row.fold, row.values)
    learned = before.union(one.key for one in examples if not one.dev)
    dev = frozenset(one.key for one in examples if one.dev)
    return TrainingExposure(frozenset(learned), dev, text_hashes, predictions)


def _modified(path: Path) -> int:
    return path.stat().st_mtime_ns if is_file(path) else 0
