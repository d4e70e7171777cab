"""The project's training runs, and its labelled pairs to train on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, Result, delete, exists, insert, select, update

from miner.records import Label, Strategy
from storage.convert import read_all
from storage.dataset.export_options import ALL_PAIRS, ExportOptions
from storage.dataset.gold_rule import GOLD
from storage.models.predictions import PredictionStore
from storage.models.registry import MODELS
from storage.models.training_parts import TrainingPart, assign_parts
from storage.pairs.current_suggestions import LABEL_NAME, PROBABILITY_SCALE, SUGGESTIONS_ON_PAIR
from storage.pairs.filters import PairFilter
from storage.pairs.query import PairQueryCompiler
from storage.schema import SuggestionRunRow, columns_of, table_of
from storage.untrusted import safe_folder_name


class TrainingRunState(StrEnum):
    """RUNNING: training now, or the program was killed while it trained."""

    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A training run. `settings`, `data`, `versions`, `metrics` and `history` are JSON objects that the jobs define.

    folder: the run's folder in the project's models folder; "" if the name in the project file is not valid.
    problem: why the run failed; "" if it did not. model_id: the model that was trained.
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

    @property
    def learned(self) -> int:
        """How many pairs it learns from; its dev pairs are not among them."""
        return int(self.data.get("examples", 0)) - int(self.data.get("dev", 0))


class TrainingPair(NamedTuple):
    """A labelled pair. paper: its MD5. source: distant, answer, accepted or implicit. part: train on TRAIN only."""

    key: str
    paper: str
    premise: str
    hypothesis: str
    label: Label
    source: str
    part: TrainingPart = TrainingPart.TRAIN


TRAINING_RUNS = table_of("training_runs", TrainingRun, checksum=int | None)
_ACTIVE_STATES = (TrainingRunState.RUNNING, TrainingRunState.PAUSED)

# Gold labels come before distant ones, and these before suggested ones. CROSS JOIN: papers by MD5 in the outer loop,
# their pairs by ordinal in the inner one, so there is nothing to sort.
_EXAMPLES = f"""
    SELECT pairs.key, papers.md5 AS paper, premise, hypothesis, CASE
            WHEN status = 'settled' THEN {GOLD} WHEN strategy = '{Strategy.IMPLICIT}' THEN {{suggested}}
            ELSE distant_label
        END AS label, CASE
            WHEN status = 'settled' THEN iif(accepted, 'accepted', 'answer')
            WHEN strategy = '{Strategy.IMPLICIT}' THEN 'implicit' ELSE 'distant'
        END AS source, coalesce(part, '{TrainingPart.TRAIN}') AS part
    FROM papers CROSS JOIN pairs INDEXED BY pairs_in_order ON pairs.paper_id = papers.id {{suggestions}}
    LEFT JOIN temp.parts ON parts.pair_id = pairs.id
    WHERE pairs.current AND {{filter}} AND (
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
        """Store a new run that is RUNNING; returns its id."""
        values = {
            "name": name,
            "state": TrainingRunState.RUNNING,
            "settings": settings,
            "fingerprint": fingerprint,
            "data": data,
            "versions": versions,
            "started_at": at,
            "metrics": {},
            "history": {},
            "problem": "",
            "folder": folder,
        }
        statement = insert(TRAINING_RUNS).values(**values).returning(TRAINING_RUNS.c.id)
        return int(self._connection.execute(statement).scalar_one())

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
        """Change the values that are given. RUNNING and PAUSED delete the time of the end. `KeyError`: no such run."""
        arguments = {
            "state": state,
            "fingerprint": fingerprint,
            "data": data,
            "history": history,
            "metrics": metrics,
            "problem": problem,
            "folder": folder,
            "model_id": model_id,
            "ended_at": ended,
        }
        values = {
            name: value
            for name, value in arguments.items()
            if value is not None or (name == "ended_at" and state in _ACTIVE_STATES)
        }
        # `id` too, so that there is always a value.
        changed = update(TRAINING_RUNS).where(TRAINING_RUNS.c.id == id).values(id=id, **values)
        if not self._connection.execute(changed).rowcount:
            raise KeyError(id)

    def get(self, id: int) -> TrainingRun:
        """The run with this id, or `KeyError`."""
        found = _runs(
            self._connection.execute(select(*columns_of(TRAINING_RUNS, TrainingRun)).where(TRAINING_RUNS.c.id == id))
        )
        if not found:
            raise KeyError(id)
        return found[0]

    def all(self) -> list[TrainingRun]:
        """All runs, the newest first."""
        return _runs(
            self._connection.execute(
                select(*columns_of(TRAINING_RUNS, TrainingRun)).order_by(TRAINING_RUNS.c.id.desc())
            )
        )

    def delete(self, id: int) -> None:
        """Delete a run, and its model with its predictions, unless suggestions, another run or experiments need it."""
        deleted = delete(TRAINING_RUNS).where(TRAINING_RUNS.c.id == id).returning(TRAINING_RUNS.c.model_id)
        model = self._connection.scalar(deleted)
        suggested = exists().where(SuggestionRunRow.model_id == model)
        trained = exists().where(TRAINING_RUNS.c.model_id == model)
        unneeded = delete(MODELS).where(MODELS.c.id == model, ~suggested, ~trained).returning(MODELS.c.digest)
        if digest := self._connection.scalar(unneeded):
            PredictionStore(self._connection).forget_model(digest)

    def examples(
        self,
        *,
        distant: bool,
        answers: bool,
        implicit_above: float | None = None,
        filter: PairFilter = ALL_PAIRS,
        export_options: ExportOptions | None = None,
    ) -> Iterator[TrainingPair]:
        """The filter's labelled pairs, by MD5 of the paper, then by ordinal. Read the iterator within the transaction.

        Included are current pairs that are

        - settled, with the gold label, if `answers`; otherwise they are left out, because no training may contradict
          what people answered. The source is `accepted` if all answers are accepted suggestions, else `answer`.
        - open, with the distant label, if `distant`.
        - open and implicit, with the suggested label, if the suggestion's confidence is `implicit_above` or more.

        Left out is what the gold rule discards (`storage.dataset.gold_rule`).

        A pair's part is the split it was imported with, else the one that an export with `export_options` gives it.
        """
        with_implicit = implicit_above is not None
        assign_parts(self._connection, export_options)
        condition = PairQueryCompiler(self._connection).condition(filter)
        minimum = round((implicit_above or 0) * PROBABILITY_SCALE)
        query = _EXAMPLES.format(
            suggested=LABEL_NAME if with_implicit else "NULL",
            suggestions=f"LEFT JOIN {SUGGESTIONS_ON_PAIR}" if with_implicit else "",
            confident=f"suggestions.confidence >= {minimum}" if with_implicit else "0",
            answers=int(answers),
            distant=int(distant),
            filter=f"({condition.sql})",
        )
        yield from read_all(TrainingPair, self._connection.exec_driver_sql(query, condition.params))


def _runs(rows: Result[Any]) -> list[TrainingRun]:
    """The runs of these rows, each with its folder only if that is a valid name."""
    return [replace(run, folder=safe_folder_name(run.folder)) for run in read_all(TrainingRun, rows)]
