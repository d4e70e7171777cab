"""The events of a running experiment."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from miner.lab.experiments.estimate import TimeEstimate


class TimeEstimated(NamedTuple):
    """The data was read, and the time of the missing cells is estimated."""

    estimate: TimeEstimate


class ExperimentStarted(NamedTuple):
    """The experiment and its cells were stored. missing: the keys of the runs that will be computed, in order."""

    id: int
    missing: tuple[str, ...]


class RunStarted(NamedTuple):
    """A run has started. title: system, train set and seed."""

    run: str
    title: str


class RunProgressed(NamedTuple):
    """The progress of a run. total: None while unknown."""

    run: str
    done: int
    total: int | None
    what: str


class RunEnded(NamedTuple):
    """A run has ended, and its predictions are stored. failure: why it failed; "" if it did not."""

    run: str
    failure: str = ""


ExperimentEvent = TimeEstimated | ExperimentStarted | RunStarted | RunProgressed | RunEnded
ExperimentListener = Callable[[ExperimentEvent], None]
"""Called in the job's thread."""
