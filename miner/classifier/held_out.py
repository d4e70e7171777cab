"""What models said of examples they had not learned: kept as files, and measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from miner import codec
from miner.classifier.calibration import MIN_HELD_OUT, cross_fitted_ece, fit_temperature
from miner.classifier.examples import Example, Source, write_lines
from miner.classifier.metrics import score

Array = np.ndarray[Any, np.dtype[np.float32]]
Judged = dict[str, tuple[int, Array]]
"""Fold and logits, by the example's key."""


@dataclass(frozen=True, slots=True)
class JudgedExample:
    """What the model of a fold says of an example that it has not learned: logits or probabilities."""

    key: str
    fold: int
    values: tuple[float, ...]


LEAST_TO_MEASURE = 40
"""Examples, to keep some of for measuring."""
_FEW_PAPERS = 8


def group_of(example: Example, by_pair: bool) -> str:
    """What stays together: the pairs of a paper, unless it is not known or they are all of a few."""
    return example.paper if example.paper and not by_pair else f"\0{example.key}"


def are_of_few_papers(examples: Sequence[Example], least: int = 0) -> bool:
    """So few that parting them by paper would leave parts too unlike."""
    return len({group_of(example, False) for example in examples}) < max(_FEW_PAPERS, least)


def are_enough(examples: Sequence[Example]) -> bool:
    """To fit a temperature on."""
    return len(examples) >= MIN_HELD_OUT


def are_answers(examples: Sequence[Example]) -> bool:
    """Of people, all of them."""
    return all(one.source is Source.ANSWER for one in examples)


def fitted_on(pairs: Sequence[Example], logits: Array) -> tuple[float, int] | None:
    """The temperature that suits these pairs, and how many they are; None of too few."""
    if not are_enough(pairs):
        return None
    return fit_temperature(logits, np.array([one.label for one in pairs])), len(pairs)


def scores(pairs: Sequence[Example], logits: Array) -> dict[str, Any]:
    """As data, with the calibration error to expect of other pairs once a temperature is fitted.

    `measured_on` tells the pairs and their labels from all others: scores on unlike ones cannot be compared.
    """
    gold = np.array([one.label for one in pairs])
    by_pair = are_of_few_papers(pairs)
    groups = [group_of(one, by_pair) for one in pairs]
    error = cross_fitted_ece(logits, gold, groups) if len(pairs) >= LEAST_TO_MEASURE else None
    labelled = "".join(sorted(f"{one.key} {one.label}\n" for one in pairs))
    measured_on = blake2b(labelled.encode(), digest_size=16).hexdigest()
    return {**score(gold, logits.argmax(1)).to_data(), "ece": error, "measured_on": measured_on}


def write_judged(path: Path, rows: Iterable[tuple[str, int, Array]]) -> None:
    """As JSON lines; whole or not at all."""
    lines = (JudgedExample(key, fold, tuple(round(float(one), 6) for one in row)) for key, fold, row in rows)
    write_lines(path, (codec.encode(line) + "\n" for line in lines))


def read_judged(path: Path) -> Iterator[JudgedExample]:
    """What `write_judged` wrote."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield codec.decode(JudgedExample, line)
