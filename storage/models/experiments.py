"""A project's experiments: their cells, the pairs they are tested on, and the predictions that tables are made of."""

from __future__ import annotations

import json
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from miner import codec
from storage.connections import driver_connection
from storage.convert import utc_text
from storage.errors import translate_decoding_errors
from storage.schema import (
    ExperimentCellRow,
    ExperimentRow,
    PredictorRow,
    TestItemRow,
    TestPartRow,
    TestTextRow,
)


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


class TestedPair(NamedTuple):
    """A pair of a test part. label: an index of the experiment's classes. words: of both sentences."""

    key: str
    text_hash: bytes
    label: int
    domain: str
    strategy: str
    phrase: str
    words: int


class TestedText(NamedTuple):
    """The texts of a pair of a test part. key: of the pair, or of the file and the line that it is from."""

    key: str
    text_hash: bytes
    premise: str
    hypothesis: str


class TestedRow(NamedTuple):
    """A pair of a test part with what a cell predicts of it. premise, hypothesis: "" where they are not known.

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


class PredictorInfo(NamedTuple):
    """What predicted. digest: the key of its run, or the model's. seconds: for training and predictions.

    kind, work: what took so long, by which the time of other runs is estimated (`miner.experiments.estimate`).
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


_FINISHED = 'SELECT count(*) FROM experiment_cells c JOIN cell_results r ON r."key" = c."key" WHERE c.experiment = ?'
_PREDICTED = """
    SELECT p.probabilities FROM test_items i
    LEFT JOIN predictions p ON p.predictor = ? AND p.text_hash = i.text_hash
    WHERE i.part = ? ORDER BY i.position
"""
_TESTED_ROWS = """
    SELECT i.pair_key, i.class, coalesce(p.class, -1), p.probabilities,
        coalesce(pairs.premise, t.premise, ''), coalesce(pairs.hypothesis, t.hypothesis, ''), coalesce(pairs.current, 0)
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

    def enter_part(self, items: Iterable[TestedPair]) -> int:
        """The id of the test part with these pairs, in this order, which is stored unless it is known."""
        items = list(items)
        digest = _digest(items)
        known = self._connection.scalar(select(TestPartRow.id).where(TestPartRow.digest == digest))
        if known is not None:
            return int(known)
        statement = insert(TestPartRow).values(digest=digest).returning(TestPartRow.id)
        id = self._connection.execute(statement).scalar_one()
        driver_connection(self._connection).executemany(
            "INSERT INTO test_items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((id, position, *item) for position, item in enumerate(items)),
        )
        return id

    def enter_texts(self, pairs: Iterable[TestedText]) -> None:
        """Store the texts of those of these pairs that the project does not have."""
        driver_connection(self._connection).executemany(
            """INSERT OR IGNORE INTO test_texts SELECT ?2, ?3, ?4
            WHERE NOT EXISTS (SELECT 1 FROM pairs WHERE key = ?1)""",
            pairs,
        )

    def items(self, part: int) -> list[TestedPair]:
        """The pairs of a test part, in their order."""
        sql = """SELECT pair_key, text_hash, class, domain, strategy, phrase, words FROM test_items
            WHERE part = ? ORDER BY position"""
        return [TestedPair(*row) for row in driver_connection(self._connection).execute(sql, (part,))]

    def set_cells(self, experiment: int, cells: Sequence[StoredCell]) -> None:
        """Store the cells of an experiment, in place of those it had."""
        self._connection.execute(delete(ExperimentCellRow).where(ExperimentCellRow.experiment == experiment))
        driver_connection(self._connection).executemany(
            "INSERT INTO experiment_cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((experiment, position, *cell) for position, cell in enumerate(cells)),
        )
        self.delete_unused_parts()  # a part of before has other groups where papers were given other domains

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

    def finished(self, keys: Iterable[str]) -> dict[str, int]:
        """Of these cells' keys, those that are finished, with the id of what predicted."""
        wanted = list(keys)
        sql = 'SELECT "key", predictor FROM cell_results WHERE "key" IN (SELECT value FROM json_each(?))'
        return dict(driver_connection(self._connection).execute(sql, (json.dumps(wanted),)).fetchall())

    def predictor(self, digest: str) -> PredictorInfo | None:
        """What is known of a run or model that has predicted; None if it has not."""
        row = self._connection.execute(
            select(PredictorRow.__table__).where(PredictorRow.digest == digest)
        ).mappings().first()  # fmt: skip
        if row is None:
            return None
        with translate_decoding_errors():
            notes, versions = codec.decode(list[str], row["notes"]), codec.decode(dict[str, str], row["versions"])
        return PredictorInfo(
            digest, row["title"], row["device"], row["seconds"], tuple(notes), versions, row["kind"], row["work"]
        )

    def predictor_with_id(self, id: int) -> PredictorInfo | None:
        digest = self._connection.scalar(select(PredictorRow.digest).where(PredictorRow.id == id))
        return None if digest is None else self.predictor(digest)

    def measured_runs(self) -> list[MeasuredRun]:
        """The runs that say what they did, the newest first."""
        statement = (
            select(PredictorRow.kind, PredictorRow.work, PredictorRow.seconds, PredictorRow.device)
            .where(PredictorRow.work > 0, PredictorRow.kind != "")
            .order_by(PredictorRow.id.desc())
        )
        return [MeasuredRun(*row) for row in self._connection.execute(statement)]

    def save_predictions(
        self,
        info: PredictorInfo,
        predictions: Iterable[tuple[bytes, bytes]],
        finished_cells: Iterable[str],
        at: datetime,
    ) -> None:
        """Store packed probabilities by text hash, and that these cells are finished; in one transaction, or not.

        The class of a prediction is that of its highest probability, the first of equal ones.
        """
        known = self._connection.scalar(select(PredictorRow.id).where(PredictorRow.digest == info.digest))
        if known is None:
            values = {
                "digest": info.digest,
                "title": info.title,
                "device": info.device,
                "seconds": info.seconds,
                "kind": info.kind,
                "work": info.work,
                "notes": json.dumps(info.notes),
                "versions": json.dumps(dict(info.versions)),
                "made_at": utc_text(at),
            }
            known = self._connection.execute(
                insert(PredictorRow).values(**values).returning(PredictorRow.id)
            ).scalar_one()
        driver = driver_connection(self._connection)
        driver.executemany(
            "INSERT OR REPLACE INTO predictions VALUES (?, ?, ?, ?)",
            ((known, hash, packed, _predicted_class(packed)) for hash, packed in predictions),
        )
        driver.executemany(
            "INSERT OR REPLACE INTO cell_results VALUES (?, ?, ?)",
            ((key, known, utc_text(at)) for key in finished_cells),
        )

    def packed_predictions(self, cells: Sequence[StoredCell]) -> Iterator[tuple[StoredCell, list[bytes | None]]]:
        """The finished ones among these cells, each with the packed probabilities of its test part in order."""
        finished = self.finished(cell.key for cell in cells)
        driver = driver_connection(self._connection)
        done: dict[tuple[int, int], list[bytes | None]] = defaultdict(list)
        for cell in cells:
            if cell.key in finished:
                where = finished[cell.key], cell.part
                if where not in done:
                    done[where] = [row[0] for row in driver.execute(_PREDICTED, where)]
                yield cell, done[where]

    def tested_rows(self, cell: StoredCell) -> list[TestedRow]:
        """The pairs of a finished cell's test part with its predictions, in order; none before it is finished."""
        rows = driver_connection(self._connection).execute(_TESTED_ROWS, (cell.part, cell.key))
        return [TestedRow(*row)._replace(in_project=bool(row[-1])) for row in rows]

    def part_size(self, part: int) -> int:
        """How many pairs a test part has."""
        sql = "SELECT count(*) FROM test_items WHERE part = ?"
        [(number,)] = driver_connection(self._connection).execute(sql, (part,)).fetchall()
        return int(number)

    def outside(self, part: int) -> int:
        """How many pairs of a test part the project does not have, as those of files."""
        sql = "SELECT count(*) FROM test_items WHERE part = ? AND pair_key NOT IN (SELECT key FROM pairs WHERE current)"
        [(number,)] = driver_connection(self._connection).execute(sql, (part,)).fetchall()
        return int(number)

    def predictors(self, experiment: int) -> list[PredictorInfo]:
        """What predicted the finished cells of an experiment, in the order of its cells."""
        sql = """SELECT predictors.digest FROM experiment_cells c JOIN cell_results r ON r."key" = c."key"
            JOIN predictors ON predictors.id = r.predictor WHERE c.experiment = ? GROUP BY 1 ORDER BY min(c.position)"""
        digests = driver_connection(self._connection).execute(sql, (experiment,)).fetchall()
        found = [self.predictor(digest) for (digest,) in digests]
        return [one for one in found if one is not None]

    def predictions_of(self, text_hash: bytes) -> list[PairPrediction]:
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

    def delete_unused_parts(self) -> None:
        """Delete the test parts of no cell, and the texts that only they had."""
        used = select(ExperimentCellRow.part).distinct()
        self._connection.execute(delete(TestPartRow).where(TestPartRow.id.not_in(used)))
        known = select(TestItemRow.text_hash)
        self._connection.execute(delete(TestTextRow).where(TestTextRow.text_hash.not_in(known)))


def _digest(items: Sequence[TestedPair]) -> str:
    digest = blake2b(digest_size=16)
    for item in items:
        digest.update(f"{tuple(item)!r}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _predicted_class(packed: bytes) -> int:
    values = struct.unpack(f"<{len(packed) // 4}f", packed)
    best = max(values, default=0.0)
    return values.index(best) if best > 0 else -1
