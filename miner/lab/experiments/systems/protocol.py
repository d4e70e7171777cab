"""What every system is to an experiment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from miner.lab.experiments.system_kinds import (
    SystemInput,
)
from miner.libraries import NDArray, np

Pairs = Sequence[tuple[str, str]]
Array: TypeAlias = "NDArray[np.float32]"
MAX_TO_LEARN = 8
"""Pieces of evidence of a pair that a system learns from."""
Tick = Callable[[int, int, str], None]
"""Called with what is done, of how many, and what is being done; what it raises ends the work."""


class LabelledText(NamedTuple):
    """A pair to learn, with the index of its class."""

    premise: str
    hypothesis: str
    label: int


@dataclass(frozen=True, slots=True)
class SystemData:
    """What a system learns from. dev: chooses what is chosen, such as the best epoch; () where there is none.

    sentences: all of the train part, also those that the system's input hides; how rare a word is follows from them.
    """

    train: Sequence[LabelledText]
    dev: Sequence[LabelledText]
    classes: tuple[str, ...]
    sentences: Sequence[str] = ()


class TrainedSystem(Protocol):
    """A system that has learned."""

    def predict(self, pairs: Pairs, tick: Tick) -> Array:
        """Probabilities, (pairs, classes); a row of zeros where it has no answer."""


def shown(premise: str, hypothesis: str, input: SystemInput) -> tuple[str, str]:
    """What a system reads of a pair. For BOTH_ORDERS it is the pair; the swap is learned and predicted too."""
    match input:
        case SystemInput.HYPOTHESIS:
            return "", hypothesis
        case SystemInput.SWAPPED:
            return hypothesis, premise
        case _:
            return premise, hypothesis


def readings(premise: str, hypothesis: str, input: SystemInput) -> list[tuple[str, str]]:
    """What a system predicts of a pair, one after the other: several for EVIDENCE, else what `shown` gives."""
    if input is not SystemInput.EVIDENCE:
        return [shown(premise, hypothesis, input)]
    return [(line, hypothesis) for line in premise.split("\n") if line.strip()] or [("", hypothesis)]


def readings_to_learn(premise: str, hypothesis: str, input: SystemInput) -> list[tuple[str, str]]:
    """What a system learns of a pair: for BOTH_ORDERS its swap too, for EVIDENCE at most `MAX_TO_LEARN` pieces, spread
    evenly, as which of them a label rests on is not known."""
    found = readings(premise, hypothesis, input)
    if input is SystemInput.BOTH_ORDERS:
        return [*found, (hypothesis, premise)]
    return found[:: -(-len(found) // MAX_TO_LEARN)]
