"""A project's experiments and their cells."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from miner import codec
from storage.connections import driver_connection
from storage.convert import utc_text
from storage.errors import translate_decoding_errors
from storage.models.tested_pairs import TestPartStore
from storage.schema import ExperimentCellRow, ExperimentRow


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
    """A cell of an experiment, in its order. part: the id of its test part. problem: why it is not computed.

    failure: why its last run came to nothing.
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


_FINISHED = 'SELECT count(*) FROM experiment_cells c JOIN cell_results r ON r."key" = c."key" WHERE c.experiment = ?'


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

        One that was forgotten is no longer. sources: digests of what its systems use, by their index.
        """
        canonical = json.dumps(recipe, ensure_ascii=False)
        values = {"state": ExperimentState.RUNNING.value, "program": program, "started_at": utc_text(at), "problem": ""}
        values |= {"text": text, "folder": folder, "sources": json.dumps(dict(sources or {}))}
        known = self._connection.scalar(select(ExperimentRow.id).where(ExperimentRow.recipe == canonical))
        if known is not None:
            self._connection.execute(
                update(ExperimentRow).where(ExperimentRow.id == known).values(ended_at=None, forgotten=False, **values)
            )
            return int(known)
        statement = insert(ExperimentRow).values(name=name, recipe=canonical, **values).returning(ExperimentRow.id)
        return self._connection.execute(statement).scalar_one()

    def source_digests(self, recipe: Mapping[str, Any]) -> dict[int, str]:
        """What the systems of the experiment with this recipe used when it ran last, by their index; {} if never."""
        text = json.dumps(recipe, ensure_ascii=False)
        found = self._connection.scalar(select(ExperimentRow.sources).where(ExperimentRow.recipe == text))
        with translate_decoding_errors():
            stored = codec.decode(dict[str, str], found or "{}")
        return {int(index): digest for index, digest in stored.items() if index.isdecimal()}

    def end(self, id: int, state: ExperimentState, at: datetime, problem: str = "") -> None:
        values = {"state": state.value, "ended_at": utc_text(at), "problem": problem}
        self._connection.execute(update(ExperimentRow).where(ExperimentRow.id == id).values(**values))

    def all(self) -> list[StoredExperiment]:
        """All experiments but forgotten ones, the newest first."""
        query = select(ExperimentRow.__table__).where(~ExperimentRow.forgotten).order_by(ExperimentRow.id.desc())
        rows = self._connection.execute(query).mappings()
        driver = driver_connection(self._connection)
        found = []
        with translate_decoding_errors():
            for row in rows.all():
                cells = driver.execute("SELECT count(*) FROM experiment_cells WHERE experiment = ?", (row["id"],))
                [(total,)], [(finished,)] = cells.fetchall(), driver.execute(_FINISHED, (row["id"],)).fetchall()
                ended = row["ended_at"]
                found.append(
                    StoredExperiment(
                        row["id"],
                        row["name"],
                        codec.decode(dict[str, Any], row["recipe"]),
                        ExperimentState(row["state"]),
                        row["program"],
                        datetime.fromisoformat(row["started_at"]),
                        None if ended is None else datetime.fromisoformat(ended),
                        row["problem"],
                        total,
                        finished,
                        row["text"],
                        row["folder"],
                    )
                )
        return found

    def get(self, id: int) -> StoredExperiment:
        """The experiment with this id, or `KeyError`."""
        for one in self.all():
            if one.id == id:
                return one
        raise KeyError(id)

    def set_cells(self, experiment: int, cells: Sequence[StoredCell]) -> None:
        """Store the cells of an experiment, in place of those it had."""
        self._connection.execute(delete(ExperimentCellRow).where(ExperimentCellRow.experiment == experiment))
        driver_connection(self._connection).executemany(
            "INSERT INTO experiment_cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((experiment, position, *cell) for position, cell in enumerate(cells)),
        )
        TestPartStore(
            self._connection
        ).delete_unused()  # a part of before has other groups where papers were given other domains

    def note_failure(self, experiment: int, run: str, failure: str) -> None:
        """Store why the cells of a run could not be computed."""
        self._connection.execute(
            update(ExperimentCellRow)
            .where(ExperimentCellRow.experiment == experiment, ExperimentCellRow.run == run)
            .values(failure=failure)
        )

    def cells(self, experiment: int) -> list[StoredCell]:
        """The cells of an experiment, in their order."""
        sql = """SELECT "key", run, mapping, system, train, test, seed, part, problem, failure FROM experiment_cells
            WHERE experiment = ? ORDER BY position"""
        return [StoredCell(*row) for row in driver_connection(self._connection).execute(sql, (experiment,))]

    def known_runs(self) -> set[str]:
        """The keys of all runs that any experiment has."""
        return set(self._connection.scalars(select(ExperimentCellRow.run).distinct()))
