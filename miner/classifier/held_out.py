"""Logits of examples by models that have not learned the examples: their files, and their scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from miner import codec
from miner.classifier.calibration import MIN_HELD_OUT, cross_fitted_ece, fit_temperature
from miner.classifier.examples import LabelSource, TrainingExample, write_lines
from miner.classifier.folds import group_of, has_few_papers
from miner.classifier.metrics import score_predictions
from miner.libraries import NDArray, np

HeldOutLogits: TypeAlias = "dict[str, tuple[int, NDArray[np.float32]]]"
"""Fold and logits (4,), by the example's key."""
MIN_MEASURED_EXAMPLES = 40
"""Least number of examples from which some are held out to measure a model."""


@dataclass(frozen=True, slots=True)
class HeldOutExample:
    """Logits or probabilities, (4,), of an example, by the model of a fold that has not learned it."""

    key: str
    fold: int
    values: tuple[float, ...]


def can_calibrate(examples: Sequence[TrainingExample]) -> bool:
    """Whether there are enough examples to fit a temperature on."""
    return len(examples) >= MIN_HELD_OUT


def has_only_answers(examples: Sequence[TrainingExample]) -> bool:
    """Whether all labels are answers of annotators."""
    return all(example.source is LabelSource.ANSWER for example in examples)


def fitted_temperature(examples: Sequence[TrainingExample], logits: NDArray[np.float32]) -> tuple[float, int] | None:
    """The best temperature, and the number of examples it was fitted on; None with too few."""
    if not can_calibrate(examples):
        return None
    return fit_temperature(logits, np.array([example.label for example in examples])), len(examples)


def scores(examples: Sequence[TrainingExample], logits: NDArray[np.float32]) -> dict[str, Any]:
    """Scores as JSON data. "ece": the calibration error to expect for other pairs with a fitted temperature.

    "measured_on": a digest of the pairs and their labels; only scores with the same digest can be compared.
    """
    gold = np.array([example.label for example in examples])
    by_pair = has_few_papers(examples)
    groups = [group_of(example, by_pair) for example in examples]
    error = cross_fitted_ece(logits, gold, groups) if len(examples) >= MIN_MEASURED_EXAMPLES else None
    labelled = "".join(sorted(f"{example.key} {example.label}\n" for example in examples))
    measured_on = blake2b(labelled.encode(), digest_size=16).hexdigest()
    return {**score_predictions(gold, logits.argmax(1)).to_data(), "ece": error, "measured_on": measured_on}


def write_held_out(path: Path, rows: Iterable[tuple[str, int, NDArray[np.float32]]]) -> None:
    """Key, fold and values of each example, as JSON lines; atomic."""
    lines = (HeldOutExample(key, fold, tuple(round(float(value), 6) for value in row)) for key, fold, row in rows)
    write_lines(path, (codec.encode(line) + "\n" for line in lines))


def read_held_out(path: Path) -> Iterator[HeldOutExample]:
    """The rows that `write_held_out` wrote."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield codec.decode(HeldOutExample, line)
