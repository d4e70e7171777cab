"""Training runs of the project: what each learned from, how it went, and the labels there are to learn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection

from miner.records import Label


class RunState(StrEnum):
    """RUNNING also holds of a run whose program was killed."""

    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A run. `settings`, `data`, `versions`, `metrics` and `history` are JSON, as given; `folder` is relative to the
    project's models folder. `problem`: why it failed, "" else. `model_id`: the model it made.
    """

    id: int
    name: str
    state: RunState
    settings: Mapping[str, Any]
    fingerprint: str
    data: Mapping[str, Any]
    versions: Mapping[str, Any]
    started_at: datetime
    ended_at: datetime | None
    metrics: Mapping[str, Any]
    history: Mapping[str, Any]
    problem: str
    folder: str
    model_id: int | None


class TrainingPair(NamedTuple):
    """A labelled pair; `paper` is an MD5, `source` one of distant, answer, accepted and implicit."""

    key: str
    paper: str
    premise: str
    hypothesis: str
    label: Label
    source: str


class TrainingStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def start(
        self,
        name: str,
        *,
        settings: Mapping[str, Any],
        fingerprint: str,
        data: Mapping[str, Any],
        versions: Mapping[str, Any],
        folder: str,
        at: datetime,
    ) -> int:
        """Enter a new run, running; its id."""
        raise NotImplementedError

    def update(
        self,
        id: int,
        *,
        state: RunState | None = None,
        fingerprint: str | None = None,
        data: Mapping[str, Any] | None = None,
        history: Mapping[str, Any] | None = None,
        metrics: Mapping[str, Any] | None = None,
        problem: str | None = None,
        folder: str | None = None,
        model_id: int | None = None,
        ended: datetime | None = None,
    ) -> None:
        """Change what is given; a run that is RUNNING or PAUSED (again) has not ended."""
        raise NotImplementedError

    def get(self, id: int) -> TrainingRun:
        """KeyError when there is none."""
        raise NotImplementedError

    def all(self) -> list[TrainingRun]:
        """Newest first."""
        raise NotImplementedError

    def delete(self, id: int) -> None:
        """Forget a run, and its model unless suggestions are of it or another run made the same."""
        raise NotImplementedError

    def examples(self, *, distant: bool, answers: bool, implicit_above: float | None = None) -> Iterator[TrainingPair]:
        """Labelled pairs, streamed, by paper (in order of MD5) and place. Read them within the transaction.

        Settled pairs come with their gold label if `answers` (source accepted where it rests on accepted suggestions
        alone), and not at all otherwise: what people said is never trained against. Open ones come with their distant
        label if `distant`; implicit ones with the shown suggestion where its confidence is at least `implicit_above`.
        Never those that are bad, unsettled or no longer mined.
        """
        raise NotImplementedError
