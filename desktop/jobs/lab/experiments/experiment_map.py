"""The data map of an experiment, as values."""

from __future__ import annotations

from dataclasses import dataclass

from miner.lab.experiments.cartography import DataMap
from miner.lab.experiments.experiment import Experiment
from miner.libraries import NDArray, np

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class MappedSet:
    """A set whose train part was mapped. run: the key of the run that mapped the set."""

    name: str
    run: str


@dataclass(frozen=True, slots=True, eq=False)
class ExperimentMap:
    """The data map of an experiment's training pairs.

    set: the set of the pairs. sets: all sets that the experiment has mapped. keys: the pairs' keys, in the order of
    `data`. classes: the names of the classes; labels: for each pair, the index of its class. is_here: for each pair,
    whether it is in the project.
    """

    id: int
    experiment: Experiment
    set: str
    sets: tuple[MappedSet, ...]
    epochs: int
    data: DataMap
    keys: tuple[str, ...]
    classes: tuple[str, ...]
    labels: NDArray[np.int64]
    is_here: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def system(self) -> str:
        """The title of the system whose training was recorded."""
        assert self.experiment.cartography is not None
        return self.experiment.cartography.system


def class_means(found: ExperimentMap) -> list[tuple[str, int, float, float, float]]:
    """Name, number of pairs, and mean confidence, variability and correctness of each class with pairs, then of all."""

    groups = [(name, found.labels == number) for number, name in enumerate(found.classes)]
    groups.append(("all", np.ones(len(found), np.bool_)))
    data = found.data
    means = []
    for name, chosen in groups:
        if chosen.any():
            confidence, variability, correctness = (
                round(float(column[chosen].mean()), _DECIMALS)
                for column in (data.confidence, data.variability, data.correctness)
            )
            means.append((name, int(chosen.sum()), confidence, variability, correctness))
    return means
