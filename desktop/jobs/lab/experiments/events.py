"""What an experiment that is running tells whoever watches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from miner.lab.experiments.estimate import TimeEstimate


class TimeEstimated(NamedTuple):
    """The data is read; how long what is missing will take."""

    estimate: TimeEstimate


class ExperimentStarted(NamedTuple):
    """The experiment and its cells are stored; `missing` are the keys of the runs that will be computed, in order."""

    id: int
    missing: tuple[str, ...]


class RunStarted(NamedTuple):
    """A run has started. title: system, train set and seed."""

    run: str
    title: str


class RunProgressed(NamedTuple):
    """A run does something. total: None while unknown."""

    run: str
    done: int
    total: int | None
    what: str


class RunEnded(NamedTuple):
    """A run has ended; what it predicted is stored. failure: why it came to nothing, "" if it did not."""

    run: str
    failure: str = ""


ExperimentEvent = TimeEstimated | ExperimentStarted | RunStarted | RunProgressed | RunEnded
ExperimentListener = Callable[[ExperimentEvent], None]
"""Called in the job's thread."""
