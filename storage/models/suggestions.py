"""Models' suggestions, in runs. The complete run's are current, or the running one's while no run is complete."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select, update

from miner.errors import UserError
from miner.records import Label, Suggestion
from miner.splits import HELD_OUT
from storage.convert import read_all, read_first, read_part, utc_text
from storage.errors import translate_decoding_errors
from storage.models.suggestion_statistics import SETTLED_BY_PEOPLE, SuggestionStatisticsStore
from storage.pairs.current_suggestions import (
    CURRENT_RUN_ID,
    PROBABILITY_COLUMNS,
    PROBABILITY_SCALE,
    SUGGESTION_COLUMNS,
    SuggestionRunState,
    suggestion_from_row,
)
from storage.schema import SuggestionRunRow


class PairToScore(NamedTuple):
    """A pair for a model to score. paper: its MD5. distant: its distant label; phrase: its linking phrase; if any."""

    id: int
    key: str
    paper: str
    premise: str
    hypothesis: str
    distant: Label | None
    phrase: str | None


class NewSuggestion(NamedTuple):
    """A model's calibrated probabilities for a pair, in the order of `Label`. doubt, margin: see `Suggestion`.

    fold: the cross-validation fold whose model gave them; None for the model itself.
    """

    pair: PairToScore
    probabilities: tuple[float, ...]
    doubt: float | None = None
    margin: float | None = None
    fold: int | None = None


@dataclass(frozen=True, slots=True)
class SuggestionRun:
    """A run. digest, model: digest and name of the model. pairs: how many suggestions the run has.

    arithmetic: what computed them, as `Predictions.arithmetic`; the requested device in runs of earlier versions.
    held_out: its doubts are from models that were not trained on the labels they doubt.
    """

    id: int
    model_id: int
    digest: str
    model: str
    temperature: float
    state: SuggestionRunState
    arithmetic: str
    program: str
    started_at: datetime
    ended_at: datetime | None
    pairs: int
    held_out: bool


_SELECT_RUN = """
    SELECT suggestion_runs.id, model_id, digest, name AS model, temperature, state, device AS arithmetic, program,
        started_at, ended_at,
        (SELECT count(*) FROM suggestions INDEXED BY suggestions_by_confidence WHERE run = suggestion_runs.id) AS pairs,
        held_out
    FROM suggestion_runs JOIN models ON models.id = model_id WHERE {}
"""
_PAIR_TO_SCORE = "pairs.id, key, md5 AS paper, premise, hypothesis, distant_label AS distant, phrase"
_MISSING = f"""
    SELECT {_PAIR_TO_SCORE} FROM pairs CROSS JOIN papers ON papers.id = paper_id
    WHERE pairs.id > ? AND current AND status != 'bad'
        AND NOT EXISTS (SELECT 1 FROM suggestions WHERE pair = pairs.id AND run = ?)
    ORDER BY pairs.id LIMIT ?
"""
_INSERT = f"""
    INSERT OR REPLACE INTO suggestions (
        pair, run, label, confidence, {", ".join(PROBABILITY_COLUMNS)}, doubt, margin, fold
    )
    SELECT id, {", ".join("?" * 10)} FROM pairs
    WHERE id = ? AND premise = ? AND hypothesis = ? AND distant_label IS ? AND current
"""
_SELECT_FOR_PAIRS = f"""
    SELECT pair, label AS suggested, {", ".join(SUGGESTION_COLUMNS)}, name AS model
    FROM json_each(?) AS wanted CROSS JOIN suggestions ON pair = wanted.value AND run = {CURRENT_RUN_ID}
    JOIN suggestion_runs ON suggestion_runs.id = run JOIN models ON models.id = model_id
"""
# NOT INDEXED: the table is stored by pair, so deleting in its order writes each page once.
_DELETE_REPLACED = f"""
    DELETE FROM suggestions WHERE (pair, run) IN (
        SELECT pair, run FROM suggestions NOT INDEXED
        WHERE run IN (SELECT id FROM suggestion_runs WHERE state = '{SuggestionRunState.REPLACED}') LIMIT ?
    )
"""


class SuggestionStore:
    """Suggestions and their runs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._statistics = SuggestionStatisticsStore(connection)

    def begin(
        self,
        model_id: int,
        temperature: float,
        *,
        arithmetic: str,
        program: str,
        at: datetime,
        held_out: bool = False,
        again: bool = False,
    ) -> int:
        """Start or resume a run of this model, temperature and arithmetic; returns its id.

        The running run is resumed if it has these three, else the complete one, to which only missing suggestions are
        added; otherwise, or with `again`, a new run starts. Another running run is replaced.
        """
        state = SuggestionRunRow.state
        same = select(SuggestionRunRow.id).where(
            state.in_((SuggestionRunState.RUNNING, SuggestionRunState.COMPLETE)),
            SuggestionRunRow.model_id == model_id,
            SuggestionRunRow.temperature == temperature,
            SuggestionRunRow.device == arithmetic,
        )
        run = None if again else self._connection.scalar(same.order_by(state == SuggestionRunState.COMPLETE).limit(1))
        others = update(SuggestionRunRow).where(
            state == SuggestionRunState.RUNNING, SuggestionRunRow.id.is_distinct_from(run)
        )
        self._connection.execute(others.values(state=SuggestionRunState.REPLACED))
        if run is not None:
            return run
        values = {
            "model_id": model_id,
            "temperature": temperature,
            "state": SuggestionRunState.RUNNING,
            "device": arithmetic,
            "program": program,
            "started_at": utc_text(at),
            "pairs": 0,
            "held_out": held_out,
        }
        statement = insert(SuggestionRunRow).values(**values).returning(SuggestionRunRow.id)
        return self._connection.execute(statement).scalar_one()

    def missing(self, run: int, *, after: int = 0, limit: int = 2048) -> list[PairToScore]:
        """The next current pairs, by id from above `after`, that are not bad and have no suggestion in the run."""
        return list(read_all(PairToScore, self._connection.exec_driver_sql(_MISSING, (after, run, limit))))

    def count_missing(self, run: int) -> int:
        """How many pairs still have no suggestion in the run."""
        return self._statistics.count_to_score() - self._statistics.count_of(run)

    def put(self, run: int, suggestions: Sequence[NewSuggestion]) -> int:
        """Store suggestions, replacing the run's earlier ones for the same pairs; returns how many were stored.

        Pairs that were deleted or changed since they were read are left out. `UserError` if the run was replaced.
        """
        self._check_not_replaced(run)
        rows = [(run, *value_columns(one), *_match_columns(one.pair)) for one in suggestions]
        return self._connection.exec_driver_sql(_INSERT, rows).rowcount if rows else 0

    def complete(self, run: int, at: datetime) -> None:
        """Make this run the complete one, replacing the run before. `UserError` if this run was replaced."""
        self._check_not_replaced(run)
        before = update(SuggestionRunRow).where(
            SuggestionRunRow.state == SuggestionRunState.COMPLETE, SuggestionRunRow.id != run
        )
        self._connection.execute(before.values(state=SuggestionRunState.REPLACED))
        values = {
            "state": SuggestionRunState.COMPLETE,
            "ended_at": utc_text(at),
            "pairs": self._statistics.count_of(run),
        }
        self._connection.execute(update(SuggestionRunRow).where(SuggestionRunRow.id == run).values(**values))

    def clear_replaced(self, limit: int = 20_000) -> int:
        """Delete up to `limit` suggestions of replaced runs; returns how many. Call it until it returns 0."""
        has_replaced = f"""
            SELECT EXISTS (SELECT 1 FROM suggestion_runs WHERE state = '{SuggestionRunState.REPLACED}' AND EXISTS (
                SELECT 1 FROM suggestions INDEXED BY suggestions_by_confidence WHERE run = suggestion_runs.id
            ))
        """
        if not self._connection.exec_driver_sql(has_replaced).scalar_one():
            return 0
        return self._connection.exec_driver_sql(_DELETE_REPLACED, (limit,)).rowcount

    def current_run(self) -> SuggestionRun | None:
        """The run of the current suggestions: the complete one, or the running one while none is complete."""
        return self._run(f"suggestion_runs.id = {CURRENT_RUN_ID}")

    def unfinished_run(self) -> SuggestionRun | None:
        """The run that is still running."""
        return self._run(f"state = '{SuggestionRunState.RUNNING}'")

    def of_pairs(self, pair_ids: Sequence[int]) -> dict[int, Suggestion]:
        """The current suggestions of these pairs, by pair id."""
        rows = self._connection.exec_driver_sql(_SELECT_FOR_PAIRS, (json.dumps(list(pair_ids)),))
        return {row["pair"]: suggestion_from_row(row) for row in rows.mappings()}

    @translate_decoding_errors()
    def answered_pairs(self) -> list[tuple[PairToScore, Label]]:
        """Settled pairs (accepted suggestions do not count) with their gold label; with or without a suggestion."""
        query = f"SELECT {_PAIR_TO_SCORE}, gold {SETTLED_BY_PEOPLE.format('')}"
        rows = self._connection.exec_driver_sql(query).mappings()
        return [(read_part(PairToScore, row), Label(row["gold"])) for row in rows]

    def new_answers(self, since: datetime) -> int:
        """How many pairs that may be learned somebody has answered since then; accepted suggestions do not count."""
        query = f"""
            SELECT count(DISTINCT pair_key) FROM answers CROSS JOIN pairs ON pairs.key = pair_key
            WHERE via = 'answer' AND at > ? AND coalesce(pairs.split NOT IN {HELD_OUT}, 1)
        """
        return int(self._connection.exec_driver_sql(query, (utc_text(since),)).scalar_one())

    def _run(self, condition: str) -> SuggestionRun | None:
        return read_first(SuggestionRun, self._connection.exec_driver_sql(_SELECT_RUN.format(condition)))

    def _check_not_replaced(self, run: int) -> None:
        state = self._connection.execute(select(SuggestionRunRow.state).where(SuggestionRunRow.id == run)).scalar_one()
        if state == SuggestionRunState.REPLACED:
            raise UserError(
                "Another model has begun to judge these pairs meanwhile.", hint="Let it finish, then try again."
            )


def _match_columns(pair: PairToScore) -> tuple[Any, ...]:
    """What identifies the pair as it was when it was read."""
    return pair.id, pair.premise, pair.hypothesis, pair.distant and pair.distant.value


def value_columns(suggestion: NewSuggestion) -> tuple[int | None, ...]:
    """As stored, probabilities in units of `PROBABILITY_SCALE`: the values of the columns from `label` to `fold`."""
    probabilities = [_stored(probability) for probability in suggestion.probabilities]
    label = max(range(len(probabilities)), key=lambda number: float(suggestion.probabilities[number]))
    doubt = None if suggestion.doubt is None else _stored(suggestion.doubt)
    margin = None if suggestion.margin is None else _stored(suggestion.margin)
    return (label, probabilities[label], *probabilities, doubt, margin, suggestion.fold)


def _stored(probability: float) -> int:
    return round(float(probability) * PROBABILITY_SCALE)
