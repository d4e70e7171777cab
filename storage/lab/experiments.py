"""A project's experiments and their cells."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from miner import codec
from storage.convert import read_all
from storage.errors import translate_decoding_errors
from storage.lab.tested_pairs import TestPartStore
from storage.schema import CellResultRow, columns_of, table_of


class ExperimentState(StrEnum):
    """RUNNING: now, or the program was killed while it ran."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StoredExperiment:
    """An experiment of the project. recipe: as `experiment_file.to_data` gives it. cells, finished: how many.

    text, folder: its file as it was written, and the folder that paths in it are relative to; "" where it has none.
    """

    id: int
    name: str
    recipe: Mapping[str, Any]
    state: ExperimentState
    program: str
    started_at: datetime
    ended_at: datetime | None
    problem: str
    cells: int
    finished: int
    text: str = ""
    folder: str = ""


class StoredCell(NamedTuple):
    """A cell of an experiment, in its order.

    part: the id of its test part. problem: why it is not computed. failure: why its last run failed.
    """

    key: str
    run: str
    mapping: str
    system: int
    train: str
    test: str
    seed: int
    part: int
    problem: str
    failure: str = ""


EXPERIMENTS = table_of(
    "experiments", StoredExperiment, ("cells", "finished"), sources=str, forgotten=bool, checksum=int | None
)
CELLS = table_of("experiment_cells", StoredCell, experiment=int, position=int, checksum=int | None)
_OF_EXPERIMENT = CELLS.c.experiment == EXPERIMENTS.c.id
_COUNTS = (
    select(func.count()).where(_OF_EXPERIMENT).scalar_subquery().label("cells"),
    select(func.count()).where(_OF_EXPERIMENT, CellResultRow.key == CELLS.c.key).scalar_subquery().label("finished"),
)


class ExperimentStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def start(
        self,
        name: str,
        recipe: Mapping[str, Any],
        program: str,
        at: datetime,
        *,
        text: str = "",
        folder: str = "",
        sources: Mapping[int, str] | None = None,
    ) -> int:
        """Store an experiment that is RUNNING: a new one, or the one with the same recipe again; returns its id.

        A forgotten experiment becomes a listed one again. sources: digests of what its systems use, by their index.
        """
        canonical = json.dumps(recipe, ensure_ascii=False)
        values = {"state": ExperimentState.RUNNING, "program": program, "started_at": at, "problem": ""}
        values |= {"text": text, "folder": folder, "sources": json.dumps(dict(sources or {}))}
        known = self._connection.scalar(select(EXPERIMENTS.c.id).where(EXPERIMENTS.c.recipe == canonical))
        if known is not None:
            self._connection.execute(
                update(EXPERIMENTS).where(EXPERIMENTS.c.id == known).values(ended_at=None, forgotten=False, **values)
            )
            return int(known)
        statement = insert(EXPERIMENTS).values(name=name, recipe=canonical, **values).returning(EXPERIMENTS.c.id)
        return int(self._connection.execute(statement).scalar_one())

    def source_digests(self, recipe: Mapping[str, Any]) -> dict[int, str]:
        """What the systems of the experiment with this recipe used when it ran last, by their index; {} if never."""
        text = json.dumps(recipe, ensure_ascii=False)
        found = self._connection.scalar(select(EXPERIMENTS.c.sources).where(EXPERIMENTS.c.recipe == text))
        with translate_decoding_errors():
            stored = codec.decode(dict[str, str], found or "{}")
        return {int(index): digest for index, digest in stored.items() if index.isdecimal()}

    def end(self, id: int, state: ExperimentState, at: datetime, problem: str = "") -> None:
        values = {"state": state, "ended_at": at, "problem": problem}
        self._connection.execute(update(EXPERIMENTS).where(EXPERIMENTS.c.id == id).values(**values))

    def all(self) -> list[StoredExperiment]:
        """All experiments but forgotten ones, the newest first."""
        query = select(*columns_of(EXPERIMENTS, StoredExperiment), *_COUNTS).where(~EXPERIMENTS.c.forgotten)
        query = query.order_by(EXPERIMENTS.c.id.desc())
        return list(read_all(StoredExperiment, self._connection.execute(query)))

    def get(self, id: int) -> StoredExperiment:
        """The experiment with this id, or `KeyError`."""
        for one in self.all():
            if one.id == id:
                return one
        raise KeyError(id)

    def set_cells(self, experiment: int, cells: Sequence[StoredCell]) -> None:
        """Store the cells of an experiment, replacing its former cells."""
        self._connection.execute(delete(CELLS).where(CELLS.c.experiment == experiment))
        places = ({"experiment": experiment, "position": position} for position in range(len(cells)))
        if rows := [place | cell._asdict() for place, cell in zip(places, cells, strict=True)]:
            self._connection.execute(insert(CELLS), rows)
        # A part of before has other groups where papers were given other domains.
        TestPartStore(self._connection).delete_unused()

    def note_failure(self, experiment: int, run: str, failure: str) -> None:
        """Store why the cells of a run could not be computed."""
        self._connection.execute(
            update(CELLS).where(CELLS.c.experiment == experiment, CELLS.c.run == run).values(failure=failure)
        )

    def cells(self, experiment: int) -> list[StoredCell]:
        """The cells of an experiment, in their order."""
        query = (
            select(*columns_of(CELLS, StoredCell)).where(CELLS.c.experiment == experiment).order_by(CELLS.c.position)
        )
        return list(read_all(StoredCell, self._connection.execute(query)))

    def known_runs(self) -> set[str]:
        """The keys of all runs that any experiment has."""
        return set(self._connection.scalars(select(CELLS.c.run).distinct()))
