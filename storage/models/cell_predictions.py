"""What runs and models predict of the pairs of experiments' test parts, which finishes cells."""

from __future__ import annotations

import json
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from storage.connections import driver_connection
from storage.convert import read_all, read_first, utc_text
from storage.models.experiments import StoredCell
from storage.schema import columns_of, table_of


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


class PairPrediction(NamedTuple):
    """What a run or model predicts of a pair. classes: their names, in the order of the probabilities."""

    title: str
    classes: tuple[str, ...]
    probabilities: tuple[float, ...]


class PredictorInfo(NamedTuple):
    """What predicted. digest: the key of its run, or the model's. seconds: for training and predictions.

    kind, work: what took so long, by which the time of other runs is estimated (`miner.lab.experiments.estimate`).
    """

    digest: str
    title: str
    device: str
    seconds: float
    notes: tuple[str, ...]
    versions: Mapping[str, str]
    kind: str = ""
    work: float = 0.0


class MeasuredRun(NamedTuple):
    """How long a finished run took, by what it did."""

    kind: str
    work: float
    seconds: float
    device: str


PREDICTORS = table_of("predictors", PredictorInfo, id=int, made_at=str)
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
_PREDICTOR_CLASSES = """
    SELECT DISTINCT r.predictor, recipe ->> '$.classes' FROM cell_results r
    JOIN experiment_cells c ON c."key" = r."key" JOIN experiments ON experiments.id = c.experiment
    WHERE NOT forgotten
"""
_PREDICTIONS_OF = """
    SELECT predictors.id, title, probabilities FROM predictors
    CROSS JOIN predictions ON predictor = predictors.id AND text_hash = ? ORDER BY predictors.id
"""


class CellPredictionStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def finished(self, keys: Iterable[str]) -> dict[str, int]:
        """Of these cells' keys, those that are finished, with the id of what predicted."""
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
        """Store packed probabilities by text hash, and that these cells are finished; in one transaction, or not.

        The class of a prediction is that of its highest probability, the first of equal ones.
        """
        known = self._connection.scalar(select(PREDICTORS.c.id).where(PREDICTORS.c.digest == info.digest))
        if known is None:
            statement = insert(PREDICTORS).values(**info._asdict(), made_at=at).returning(PREDICTORS.c.id)
            known = self._connection.execute(statement).scalar_one()
        driver = driver_connection(self._connection)
        driver.executemany(
            "INSERT OR REPLACE INTO predictions VALUES (?, ?, ?, ?)",
            ((known, hash, packed, _predicted_class(packed)) for hash, packed in predictions),
        )
        driver.executemany(
            "INSERT OR REPLACE INTO cell_results VALUES (?, ?, ?)",
            ((key, known, utc_text(at)) for key in finished_cells),
        )

    def packed(self, cells: Sequence[StoredCell]) -> Iterator[tuple[StoredCell, list[bytes | None]]]:
        """The finished ones among these cells, each with the packed probabilities of its test part in order."""
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

    def of_pair(self, text_hash: bytes) -> list[PairPrediction]:
        """All that runs and models of experiments predict of a pair with these texts, in the order of the runs."""
        driver = driver_connection(self._connection)
        classes: dict[int, tuple[str, ...]] = {}
        for predictor, names in driver.execute(_PREDICTOR_CLASSES):
            classes.setdefault(predictor, tuple(json.loads(names or "{}")))
        found = []
        for predictor, title, packed in driver.execute(_PREDICTIONS_OF, (text_hash,)).fetchall():
            values = struct.unpack(f"<{len(packed) // 4}f", packed)
            if len(values) == len(classes.get(predictor, ())):
                found.append(PairPrediction(title, classes[predictor], values))
        return found


def _predicted_class(packed: bytes) -> int:
    values = struct.unpack(f"<{len(packed) // 4}f", packed)
    best = max(values, default=0.0)
    return values.index(best) if best > 0 else -1
