"""What runs and models predict of the pairs of experiments' test parts, which finishes cells."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from storage.connections import driver_connection
from storage.convert import read_all, read_first, utc_text
from storage.lab.experiments import StoredCell
from storage.models.predictions import PREDICTORS, PredictionStore, PredictorInfo
from storage.schema import columns_of


class TestedRow(NamedTuple):
    """A pair of a test part and a cell's prediction. premise, hypothesis: "" where the sentences are not known.

    packed: the probabilities, None where there are none. in_project: the project has the pair.
    """

    key: str
    label: int
    predicted: int
    packed: bytes | None
    premise: str
    hypothesis: str
    in_project: bool


class MeasuredRun(NamedTuple):
    """The time of a finished run, with the work that it did."""

    kind: str
    work: float
    seconds: float
    device: str


_PREDICTED = """
    SELECT p.probabilities FROM test_items i
    LEFT JOIN predictions p ON p.predictor = ? AND p.text_hash = i.text_hash
    WHERE i.part = ? ORDER BY i.position
"""
_TESTED_ROWS = """
    SELECT i.pair_key AS key, i.class AS label, coalesce(p.class, -1) AS predicted, p.probabilities AS packed,
        coalesce(pairs.premise, t.premise, '') AS premise, coalesce(pairs.hypothesis, t.hypothesis, '') AS hypothesis,
        coalesce(pairs.current, 0) AS in_project
    FROM test_items i JOIN cell_results r ON r."key" = ?2
    LEFT JOIN predictions p ON p.predictor = r.predictor AND p.text_hash = i.text_hash
    LEFT JOIN pairs ON pairs.key = i.pair_key LEFT JOIN test_texts t ON t.text_hash = i.text_hash
    WHERE i.part = ?1 ORDER BY i.position
"""


class CellPredictionStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def finished(self, keys: Iterable[str]) -> dict[str, int]:
        """The id of the predictor of each finished cell among these, by the cell's key."""
        wanted = list(keys)
        sql = 'SELECT "key", predictor FROM cell_results WHERE "key" IN (SELECT value FROM json_each(?))'
        return dict(driver_connection(self._connection).execute(sql, (json.dumps(wanted),)).fetchall())

    def predictor(self, digest: str) -> PredictorInfo | None:
        """The run or model with this digest; None if it has no predictions."""
        query = select(*columns_of(PREDICTORS, PredictorInfo)).where(PREDICTORS.c.digest == digest)
        return read_first(PredictorInfo, self._connection.execute(query))

    def predictor_with_id(self, id: int) -> PredictorInfo | None:
        digest = self._connection.scalar(select(PREDICTORS.c.digest).where(PREDICTORS.c.id == id))
        return None if digest is None else self.predictor(digest)

    def measured_runs(self) -> list[MeasuredRun]:
        """The runs whose kind of work was measured, the newest first."""
        query = select(*columns_of(PREDICTORS, MeasuredRun)).where(PREDICTORS.c.work > 0, PREDICTORS.c.kind != "")
        return list(read_all(MeasuredRun, self._connection.execute(query.order_by(PREDICTORS.c.id.desc()))))

    def save(
        self,
        info: PredictorInfo,
        predictions: Iterable[tuple[bytes, bytes]],
        finished_cells: Iterable[str],
        at: datetime,
    ) -> None:
        """Store predictions as `PredictionStore.save` does, and that these cells are finished."""
        predictor = PredictionStore(self._connection).save(info, predictions, at)
        driver_connection(self._connection).executemany(
            'INSERT OR REPLACE INTO cell_results ("key", predictor, finished_at) VALUES (?, ?, ?)',
            ((key, predictor, utc_text(at)) for key in finished_cells),
        )

    def packed(self, cells: Sequence[StoredCell]) -> Iterator[tuple[StoredCell, list[bytes | None]]]:
        """The finished cells among these, each with the packed probabilities of its test part in order."""
        finished = self.finished(cell.key for cell in cells)
        driver = driver_connection(self._connection)
        done: dict[tuple[int, int], list[bytes | None]] = defaultdict(list)
        for cell in cells:
            if cell.key in finished:
                where = finished[cell.key], cell.part
                if where not in done:
                    done[where] = [packed for (packed,) in driver.execute(_PREDICTED, where)]
                yield cell, done[where]

    def tested_rows(self, cell: StoredCell) -> list[TestedRow]:
        """The pairs of a finished cell's test part with its predictions, in order; none before it is finished."""
        rows = driver_connection(self._connection).execute(_TESTED_ROWS, (cell.part, cell.key))
        return list(read_all(TestedRow, rows))

    def predictors(self, experiment: int) -> list[PredictorInfo]:
        """What predicted the finished cells of an experiment, in the order of its cells."""
        sql = """SELECT predictors.digest FROM experiment_cells c JOIN cell_results r ON r."key" = c."key"
            JOIN predictors ON predictors.id = r.predictor WHERE c.experiment = ? GROUP BY 1 ORDER BY min(c.position)"""
        digests = driver_connection(self._connection).execute(sql, (experiment,)).fetchall()
        found = [self.predictor(digest) for (digest,) in digests]
        return [one for one in found if one is not None]
