"""The data map of an experiment, as values."""

from __future__ import annotations

from dataclasses import dataclass

from miner.lab.experiments.cartography import DataMap
from miner.lab.experiments.experiment import Experiment
from miner.libraries import NDArray, np

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class MappedSet:
    """A set whose train part was mapped. run: the key of the run that mapped it."""

    name: str
    run: str


@dataclass(frozen=True, slots=True, eq=False)
class ExperimentMap:
    """The data map of an experiment's training pairs.

    set: of the pairs. sets: all that the experiment has mapped. keys: of the pairs, in the order of `data`. classes:
    their names; labels: an index of them for each pair. is_here: whether the pair is in the project.
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
    """Of each class that has pairs, then of all: name, pairs, means of confidence, variability and correctness."""

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
