"""Predictions that are kept by what predicted and by the text of the pair: of models as they are, and of columns.

What predicted has a digest: the key of a run of an experiment, or what `model_predictor` and
`storage.papers.prediction_columns.column_predictor` give.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select

from miner.mining.identity import text_hash
from miner.records import Label
from miner.versions import PREDICTIONS_VERSION
from storage.connections import driver_connection
from storage.convert import read_all
from storage.errors import translate_decoding_errors
from storage.papers.prediction_columns import COLUMN_NAME, IS_COLUMN
from storage.schema import table_of

_MODEL = "model"
_UNLISTED_MODELS = 8  # that the project does not list, and whose predictions nothing uses; the newest are kept

_OF_PREDICTOR = "SELECT text_hash, {} FROM predictions WHERE predictor = ? AND text_hash IN ({})"
_CHUNK = 500  # parameters of a query
_OF_COLUMNS = f"""
    SELECT text_hash, class FROM predictors CROSS JOIN predictions ON predictor = predictors.id
    WHERE {IS_COLUMN} AND lower({COLUMN_NAME}) = lower(?) ORDER BY predictors.id, text_hash
"""
_OF_SOURCES = """
    SELECT premise, hypothesis, given.value FROM pairs, json_each(pairs.source, '$.columns') AS given
    WHERE pairs.source IS NOT NULL AND pairs.current AND lower(given.key) = lower(?) ORDER BY pairs.key
"""
_COLUMNS = f"""
    SELECT DISTINCT given.key FROM pairs, json_each(pairs.source, '$.columns') AS given
    WHERE pairs.source IS NOT NULL AND pairs.current
    UNION SELECT {COLUMN_NAME} FROM predictors WHERE {IS_COLUMN} ORDER BY 1
"""
# Digests of runs are no JSON. `iif` looks at its condition first, while AND may be in any order.
_IS_MODEL = f"iif(json_valid(digest), digest ->> 0 = '{_MODEL}', 0)"
_NAME = "iif(json_valid(digest), digest ->> 1, '')"
_UNUSED = "id NOT IN (SELECT predictor FROM cell_results)"
_DELETE_OF_MODEL = f"DELETE FROM predictors WHERE {_IS_MODEL} AND {_NAME} = ? AND {_UNUSED}"
_DELETE_UNLISTED = f"""
    DELETE FROM predictors WHERE id IN (
        SELECT id FROM predictors WHERE {_IS_MODEL} AND {_UNUSED}
            AND {_NAME} NOT IN (SELECT digest FROM models)
        ORDER BY made_at DESC, id DESC LIMIT -1 OFFSET {_UNLISTED_MODELS}
    )
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
_DELETE_RUNS = f"DELETE FROM predictors WHERE NOT ({_IS_MODEL}) AND NOT ({IS_COLUMN}) AND {_UNUSED}"


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


PREDICTORS = table_of("predictors", PredictorInfo, id=int, made_at=str, checksum=int | None)


class ModelPredictor(NamedTuple):
    """A model whose predictions are stored. digest: as `model_predictor` gives it. arithmetic: see there."""

    id: int
    digest: str
    arithmetic: str
    device: str


class PairPrediction(NamedTuple):
    """What a run or model predicts of a pair. classes: their names, in the order of the probabilities."""

    title: str
    classes: tuple[str, ...]
    probabilities: tuple[float, ...]


class SystemAnswer(NamedTuple):
    """A pair's label in an experiment, and a system's answer; "" where it gave no answer.

    wrong: how many of the `runs` misread the pair. predicted: the wrong class that most of these predict.
    """

    label: str
    predicted: str
    wrong: int
    runs: int


def model_predictor(model: str, input: str, classes: Sequence[str], arithmetic: str) -> str:
    """The digest of a model as a predictor: all that its probabilities, at its own temperature, depend on.

    model: the digest of its files. input: what it reads of a pair. classes: their order. arithmetic: the kind of device
    and its number format, such as "cpu fp32": on another one the same model gives slightly different probabilities.
    """
    parts = [_MODEL, model, input, list(map(str, classes)), PREDICTIONS_VERSION, arithmetic]
    return json.dumps(parts, ensure_ascii=False)


class PredictionStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def save(self, info: PredictorInfo, predictions: Iterable[tuple[bytes, bytes]], at: datetime) -> int:
        """Store packed probabilities by text hash; returns the id of what predicted.

        The class of a prediction is that of its highest probability, the first of equal ones.
        """
        known = self._connection.scalar(select(PREDICTORS.c.id).where(PREDICTORS.c.digest == info.digest))
        if known is None:
            statement = insert(PREDICTORS).values(**info._asdict(), made_at=at).returning(PREDICTORS.c.id)
            known = self._connection.execute(statement).scalar_one()
        driver_connection(self._connection).executemany(
            "INSERT OR REPLACE INTO predictions (predictor, text_hash, probabilities, class) VALUES (?, ?, ?, ?)",
            ((known, hash, packed, _predicted_class(packed)) for hash, packed in predictions),
        )
        return int(known)

    def predictors_of_model(self, model: str, input: str, classes: Sequence[str]) -> list[ModelPredictor]:
        """The model with this input and order of classes, once for each arithmetic, in the order of their storing."""
        start = model_predictor(model, input, classes, "")[:-3]  # without an arithmetic and the closing bracket
        columns = "id, digest, digest ->> 5 AS arithmetic, device"
        sql = f"SELECT {columns} FROM predictors WHERE substr(digest, 1, ?) = ? ORDER BY id"
        return list(read_all(ModelPredictor, driver_connection(self._connection).execute(sql, (len(start), start))))

    def packed(self, predictor: int, hashes: Iterable[bytes]) -> dict[bytes, bytes]:
        """The packed probabilities of the texts that have a prediction, by text hash."""
        return self._of_predictor("probabilities", predictor, hashes)

    def classes(self, predictor: int, hashes: Iterable[bytes]) -> dict[bytes, int]:
        """The number of the predicted class of the texts that have a prediction, by text hash; -1 for no answer."""
        return self._of_predictor("class", predictor, hashes)

    def _of_predictor(self, column: str, predictor: int, hashes: Iterable[bytes]) -> dict[bytes, Any]:
        driver = driver_connection(self._connection)
        wanted = sorted(set(hashes))
        found: dict[bytes, Any] = {}
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            found |= dict(driver.execute(_OF_PREDICTOR.format(column, ",".join("?" * len(chunk))), (predictor, *chunk)))
        return found

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

    def of_column(self, column: str) -> Iterator[tuple[bytes, object]]:
        """Text hashes with what a column of imported files says: first what was kept as predictions, as relations.

        None where there is no answer. Read the iterator within the transaction.
        """
        driver = driver_connection(self._connection)
        labels = (*Label, None)  # the last for -1
        for hash, number in driver.execute(_OF_COLUMNS, (column,)):
            yield hash, labels[number] if -1 <= number < len(Label) else None
        with translate_decoding_errors():
            for premise, hypothesis, value in driver.execute(_OF_SOURCES, (column,)):
                yield text_hash(premise, hypothesis), value

    def columns(self) -> list[str]:
        """The names of all columns of imported files that are kept, sorted."""
        with translate_decoding_errors():
            return [name for (name,) in driver_connection(self._connection).execute(_COLUMNS)]

    def forget_model(self, model: str) -> None:
        """Delete the predictions of a model, by the digest of its files, but those that cells of experiments have."""
        self._connection.exec_driver_sql(_DELETE_OF_MODEL, (model,))

    def delete_runs_without_cells(self) -> None:
        """Delete the predictions of runs without cells, such as runs on answers that have changed since."""
        self._connection.exec_driver_sql(_DELETE_RUNS)

    def delete_unlisted(self) -> None:
        """Delete predictions of models that the project does not list and nothing uses, but for the newest models."""
        self._connection.exec_driver_sql(_DELETE_UNLISTED)


def _predicted_class(packed: bytes) -> int:
    values = struct.unpack(f"<{len(packed) // 4}f", packed)
    best = max(values, default=0.0)
    return values.index(best) if best > 0 else -1
