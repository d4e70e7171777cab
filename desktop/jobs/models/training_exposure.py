"""The pairs that a model was trained on, and the predictions of its folds for these pairs.

A model can only doubt labels that it has not learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from desktop.translation import tr
from miner import codec
from miner.atomic_files import atomic_file
from miner.classifier.checkpoints import LEARNED_PAIRS, Checkpoint
from miner.classifier.examples import LABELS, TrainingExample, read_examples
from miner.classifier.held_out import read_held_out
from miner.classifier.training import EXAMPLES, HELD_OUT
from miner.errors import UserError
from miner.mining.identity import text_hash
from miner.paths import is_file

LEARNED_BEFORE = "learned_before.txt"
"""Keys of the pairs that the model a training started from had learned, a line each."""


class FoldPrediction(NamedTuple):
    """Calibrated probabilities of a pair, by the model of the fold that has not learned the pair."""

    fold: int
    probabilities: tuple[float, ...]


_MAX_EXPORTED_BYTES = 1_000_000_000  # some 5 million pairs


@dataclass(frozen=True, slots=True)
class TrainingExposure:
    """What a model has been trained on, including the training of the models it started from.

    learned: keys of the pairs it learned. dev: keys of the pairs by which its best epoch was chosen and its temperature
    fitted. text_hashes: hash of the two sentences of each of these, for the last training only. fold_predictions: by
    key, for pairs that no earlier model had learned.
    """

    learned: frozenset[str] = frozenset()
    dev: frozenset[str] = frozenset()
    text_hashes: Mapping[str, bytes] = field(default_factory=dict)
    fold_predictions: Mapping[str, FoldPrediction] = field(default_factory=dict)

    def fold_prediction(self, key: str, premise: str, hypothesis: str) -> FoldPrediction | None:
        """The prediction of the fold without this pair; None if there is none, or the sentences have changed."""
        found = self.fold_predictions.get(key)
        return found if found and self.text_hashes.get(key) == text_hash(premise, hypothesis) else None


@dataclass(frozen=True, slots=True)
class _LearnedPair:
    """A pair in the file of an exported model, without its sentences. text: their hash in hex, "" if not known."""

    key: str
    text: str = ""
    learned: bool = False
    dev: bool = False
    fold: int | None = None
    probabilities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class _LearnedPairs:
    pairs: tuple[_LearnedPair, ...] = ()


def exposure_of(checkpoint: Checkpoint) -> TrainingExposure:
    """The exposure of a checkpoint that Pairwright trained or exported, in any project; else empty."""
    return exposure_in(checkpoint.path)


def exposure_in(checkpoint: Path) -> TrainingExposure:
    """The exposure in an exported checkpoint's own file, or in the run's files beside it; else empty.

    `UserError` where the file cannot be used.
    """
    if is_file(checkpoint / LEARNED_PAIRS):
        return _read_exported(checkpoint / LEARNED_PAIRS, _modified(checkpoint / LEARNED_PAIRS))
    return read_exposure(checkpoint.parent)


def exposure_json(exposure: TrainingExposure) -> str:
    """The content of the file that `exposure_in` reads; "" where nothing is known. It has no sentences."""
    keys = exposure.learned | exposure.dev | exposure.fold_predictions.keys()
    pairs = []
    for key in sorted(keys):
        text, fold = exposure.text_hashes.get(key, b"").hex(), exposure.fold_predictions.get(key)
        is_learned, is_dev = key in exposure.learned, key in exposure.dev
        pairs.append(_LearnedPair(key, text, is_learned, is_dev, *(fold or (None, ()))))
    return codec.encode(_LearnedPairs(tuple(pairs))) + "\n" if pairs else ""


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
    text_hashes = {one.key: text_hash(one.premise, one.hypothesis) for one in examples}
    predictions: dict[str, FoldPrediction] = {}
    if is_file(folder / HELD_OUT):
        for row in read_held_out(folder / HELD_OUT):
            if row.key not in before:  # the folds' models started from one that had learned it
                predictions[row.key] = FoldPrediction(row.fold, row.values)
    learned = before.union(one.key for one in examples if not one.dev)
    dev = frozenset(one.key for one in examples if one.dev)
    return TrainingExposure(frozenset(learned), dev, text_hashes, predictions)


@lru_cache(maxsize=2)
def _read_exported(path: Path, _: int) -> TrainingExposure:
    try:
        if path.stat().st_size > _MAX_EXPORTED_BYTES:
            raise ValueError("it is too large")
        pairs = codec.decode(_LearnedPairs, path.read_bytes()).pairs
        text_hashes = {one.key: bytes.fromhex(one.text) for one in pairs if one.text}
        if any(one.fold is not None and len(one.probabilities) != len(LABELS) for one in pairs):
            raise ValueError("a pair has not one probability for each class")
        if not all(0 <= share <= 1 for one in pairs for share in one.probabilities):  # nor is NaN
            raise ValueError("a probability is not from 0 to 1")
        if any((one.fold or 0) < 0 or not one.key.isascii() for one in pairs):
            raise ValueError("a pair has a fold or a key that is none")
    except (OSError, ValueError) as exc:
        hint = tr("Export the model again. Without this file it is not known what the model has learned.")
        raise UserError(tr("{path} cannot be read: {exc}.", path=path, exc=exc), hint=hint) from exc
    return TrainingExposure(
        frozenset(one.key for one in pairs if one.learned),
        frozenset(one.key for one in pairs if one.dev),
        text_hashes,
        {one.key: FoldPrediction(one.fold, one.probabilities) for one in pairs if one.fold is not None},
    )


def _modified(path: Path) -> int:
    return path.stat().st_mtime_ns if is_file(path) else 0
