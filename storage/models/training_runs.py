"""The project's training runs, and its labelled pairs to train on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, delete, exists, insert, select, update

from miner.records import Label, Strategy
from storage.dataset.options import ALL_PAIRS, ExportOptions
from storage.errors import translate_decoding_errors
from storage.models.training_parts import TrainingPart, assign_parts
from storage.pairs.current_suggestions import LABEL_NAME, PROBABILITY_SCALE, SUGGESTIONS_ON_PAIR
from storage.pairs.filters import PairFilter
from storage.pairs.query import PairQueryCompiler
from storage.schema import ModelRow, SuggestionRunRow, TrainingRunRow
from storage.untrusted import safe_folder_name


class TrainingRunState(StrEnum):
    """RUNNING also holds of a run whose program was killed."""

    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A run. `settings`, `data`, `versions`, `metrics` and `history` are JSON data of the jobs.

    folder: its name in the project's models folder, "" where the project file has no valid one. problem: why the run
    failed, else "". model_id: the model that it made.
    """

    id: int
    name: str
    state: TrainingRunState
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
    """A labelled pair; `paper` is an MD5, `source` one of distant, answer, accepted and implicit.

    `part`: only TRAIN may be learned from.
    """

    key: str
    paper: str
    premise: str
    hypothesis: str
    label: Label
    source: str
    part: TrainingPart = TrainingPart.TRAIN


_JSON = ("settings", "data", "versions", "metrics", "history")
_ALIVE = (TrainingRunState.RUNNING, TrainingRunState.PAUSED)

# What a person said stands before what a phrase says, and that before what a model says. CROSS JOIN: papers by MD5
# outside, their pairs by place inside, and nothing to sort.
_EXAMPLES = f"""
    SELECT pairs.key, papers.md5, premise, hypothesis, CASE
            WHEN status = 'settled' THEN gold WHEN strategy = '{Strategy.IMPLICIT}' THEN {{suggested}}
            ELSE distant_label
        END AS label, CASE
            WHEN status = 'settled' THEN iif(accepted, 'accepted', 'answer')
            WHEN strategy = '{Strategy.IMPLICIT}' THEN 'implicit' ELSE 'distant'
        END AS source, coalesce(part, '{TrainingPart.TRAIN}')
    FROM papers CROSS JOIN pairs INDEXED BY pairs_in_order ON pairs.paper_id = papers.id {{suggestions}}
    LEFT JOIN temp.parts ON parts.pair_id = pairs.id
    WHERE pairs.current AND {{meant}} AND (
        ({{answers}} AND status = 'settled')
        OR (status = 'open' AND {{distant}} AND strategy != '{Strategy.IMPLICIT}' AND distant_label IS NOT NULL)
        OR (status = 'open' AND strategy = '{Strategy.IMPLICIT}' AND {{confident}})
    )
    ORDER BY papers.md5, pairs.ordinal
"""


class TrainingRunStore:
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
        values = {
            "name": name,
            "state": TrainingRunState.RUNNING.value,
            "settings": _json(settings),
            "fingerprint": fingerprint,
            "data": _json(data),
            "versions": _json(versions),
            "started_at": at.astimezone(UTC).isoformat(),
            "metrics": "{}",
            "history": "{}",
            "problem": "",
            "folder": folder,
        }
        statement = insert(TrainingRunRow).values(**values).returning(TrainingRunRow.id)
        return self._connection.execute(statement).scalar_one()

    def update(
        self,
        id: int,
        *,
        state: TrainingRunState | None = None,
        fingerprint: str | None = None,
        data: Mapping[str, Any] | None = None,
        history: Mapping[str, Any] | None = None,
        metrics: Mapping[str, Any] | None = None,
        problem: str | None = None,
        folder: str | None = None,
        model_id: int | None = None,
        ended: datetime | None = None,
    ) -> None:
        """Change what is given; a run that is RUNNING or PAUSED (again) has not ended. KeyError when there is none."""
        given = {
            "state": state and state.value,
            "fingerprint": fingerprint,
            "data": None if data is None else _json(data),
            "history": None if history is None else _json(history),
            "metrics": None if metrics is None else _json(metrics),
            "problem": problem,
            "folder": folder,
            "model_id": model_id,
            "ended_at": ended and ended.astimezone(UTC).isoformat(),
        }
        values = {
            name: value
            for name, value in given.items()
            if value is not None or (name == "ended_at" and state in _ALIVE)
        }
        changed = update(TrainingRunRow).where(TrainingRunRow.id == id).values(id=id, **values)  # also if none is given
        if not self._connection.execute(changed).rowcount:
            raise KeyError(id)

    def get(self, id: int) -> TrainingRun:
        """KeyError when there is none."""
        query = select(TrainingRunRow.__table__).where(TrainingRunRow.id == id)
        row = self._connection.execute(query).mappings().first()
        if row is None:
            raise KeyError(id)
        return _run(row)

    def all(self) -> list[TrainingRun]:
        """Newest first."""
        rows = self._connection.execute(select(TrainingRunRow.__table__).order_by(TrainingRunRow.id.desc()))
        return [_run(row) for row in rows.mappings()]

    def delete(self, id: int) -> None:
        """Delete a run, and its model unless it has suggestions or another run made the same one."""
        deleted = delete(TrainingRunRow).where(TrainingRunRow.id == id).returning(TrainingRunRow.model_id)
        model = self._connection.scalar(deleted)
        suggested, trained = (exists().where(run.model_id == model) for run in (SuggestionRunRow, TrainingRunRow))
        self._connection.execute(delete(ModelRow).where(ModelRow.id == model, ~suggested, ~trained))

    def examples(
        self,
        *,
        distant: bool,
        answers: bool,
        implicit_above: float | None = None,
        meant: PairFilter = ALL_PAIRS,
        released: ExportOptions | None = None,
    ) -> Iterator[TrainingPair]:
        """Labelled pairs, streamed, by paper (in order of MD5) and place. Read them within the transaction.

        Settled pairs come with their gold label if `answers` (source accepted where it rests on accepted suggestions
        alone), and not at all otherwise: what people said is never trained against. Open ones come with their distant
        label if `distant`; implicit ones with the shown suggestion where its confidence is at least `implicit_above`.
        Never those that are bad, unsettled or no longer mined, and only those that are `meant`. Their parts are those
        of the splits they came with, and of an export as `released`.
        """
        with_them = implicit_above is not None
        assign_parts(self._connection, released)
        condition = PairQueryCompiler(self._connection).condition(meant)
        query = _EXAMPLES.format(
            suggested=LABEL_NAME if with_them else "NULL",
            suggestions=f"LEFT JOIN {SUGGESTIONS_ON_PAIR}" if with_them else "",
            confident=f"suggestions.confidence >= {round((implicit_above or 0) * PROBABILITY_SCALE)}"
            if with_them
            else "0",
            answers=int(answers),
            distant=int(distant),
            meant=f"({condition.sql})",
        )
        rows = self._connection.exec_driver_sql(query, condition.params)
        with translate_decoding_errors():
            for key, paper, premise, hypothesis, label, source, part in rows:
                yield TrainingPair(key, paper, premise, hypothesis, Label(label), source, TrainingPart(part))


@translate_decoding_errors()
def _run(row: RowMapping) -> TrainingRun:
    ended = row["ended_at"]
    values = {
        **row,
        **{name: json.loads(row[name]) for name in _JSON},
        "state": TrainingRunState(row["state"]),
        "started_at": datetime.fromisoformat(row["started_at"]),
        "folder": safe_folder_name(row["folder"]),
        "ended_at": None if ended is None else datetime.fromisoformat(ended),
    }
    return TrainingRun(**values)


def _json(values: Mapping[str, Any]) -> str:
    return json.dumps(dict(values), ensure_ascii=False)
