"""Annotators' answers: an append-only history. The latest answer of each annotator is the one that counts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select

from miner.records import Answer, Label
from storage.annotation.answer_context import NO_CONTEXT, AnswerContext
from storage.convert import read_all, utc_text
from storage.errors import translate_decoding_errors
from storage.pairs import judgement
from storage.pairs.current_suggestions import LABEL_NAME, PROBABILITY_SCALE, SUGGESTIONS_ON_PAIR
from storage.pairs.judgement import PairScope
from storage.schema import LabelEventRow

IMPORTED_ANNOTATOR = re.compile(r"imported (\d{2,6})")
"""The keys of those who answered in a data set that was imported; its file numbers them."""
CHANGED_ANSWERS = """changed_answers AS MATERIALIZED (
    SELECT pair_key, annotator FROM label_events NOT INDEXED WHERE new IS NULL OR via <> 'answer'
)"""
"""For WITH: who has withdrawn an answer to which pair, or accepted a suggestion.

Of all others the index of `label_events` alone tells that their answer counts, which is much faster than `answers`.
"""


class AnswerSource(StrEnum):
    """ANSWER: given by an annotator. ACCEPTED: a model's suggestion that an annotator accepted."""

    ANSWER = "answer"
    ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """An answer to store. answer: None withdraws the annotator's earlier answer."""

    pair_key: str
    annotator: str
    at: datetime
    answer: Answer | None
    source: AnswerSource = AnswerSource.ANSWER
    seen: AnswerContext = NO_CONTEXT


@dataclass(frozen=True, slots=True)
class AnswerEvent:
    """An entry of the history: the annotator changed their answer from `old` to `new`; None is no answer."""

    id: int
    pair_key: str
    annotator: str
    at: datetime
    seen: AnswerContext
    old: Answer | None
    new: Answer | None
    source: AnswerSource


_INSERT_ANSWER = """
    INSERT INTO label_events (pair_key, annotator, at, seen, old, new, action, via)
    WITH wanted AS ({scope}),
    before AS (
        SELECT key, (
            SELECT new FROM label_events WHERE pair_key = key AND annotator = :annotator ORDER BY id DESC LIMIT 1
        ) AS old FROM wanted
    )
    SELECT key, :annotator, :at, :seen, old, :new, :action, 'answer' FROM before
    WHERE old IS NOT NULL OR :new IS NOT NULL
"""
# A pair that was deleted and comes back still has its history: its answers are not imported twice.
_INSERT_IMPORTED = """
    INSERT INTO label_events (pair_key, annotator, at, seen, old, new, action, via)
    SELECT value ->> 0, printf('imported %02d', value ->> 1), :at, :seen, NULL, value ->> 2, NULL, value ->> 3
    FROM json_each(:answers) WHERE NOT EXISTS (SELECT 1 FROM label_events WHERE pair_key = value ->> 0)
    ORDER BY json_each.key
"""
# CROSS JOIN: look up everything else from the scope, which is small. A pair may be open although it has answers, which
# are no votes by their role or round: the annotator's own answer stands, and so `old` is NULL.
_INSERT_ACCEPTED = f"""
    INSERT INTO label_events (pair_key, annotator, at, seen, old, new, action, via)
    WITH wanted AS ({{scope}}),
    accepted AS (
        SELECT pairs.key, {LABEL_NAME} AS label, confidence / {PROBABILITY_SCALE}.0 AS confidence, models.digest
        FROM wanted CROSS JOIN pairs ON pairs.key = wanted.key
        CROSS JOIN {SUGGESTIONS_ON_PAIR}
        CROSS JOIN suggestion_runs ON suggestion_runs.id = suggestions.run
        CROSS JOIN models ON models.id = suggestion_runs.model_id
        WHERE pairs.status = 'open' AND pairs.current AND NOT EXISTS (
            SELECT 1 FROM label_events e WHERE e.pair_key = pairs.key AND e.annotator = :annotator
                AND e.new IS NOT NULL AND e.id = (
                    SELECT max(id) FROM label_events WHERE pair_key = pairs.key AND annotator = :annotator
                )
        )
    )
    SELECT key, :annotator, :at,
        json_patch(:seen, json_object('suggestion', label, 'confidence', confidence, 'model', digest)),
        NULL, label, :action, 'accepted'
    FROM accepted
"""


_BY_DAY = """
    SELECT date(at, 'localtime') AS day, count(*) AS answers, count(distant_label) AS labelled,
        count(CASE WHEN new = distant_label THEN 1 END) AS same
    FROM label_events JOIN pairs ON pairs.key = pair_key JOIN papers ON papers.id = paper_id
    WHERE annotator = :annotator AND via = 'answer' AND new IS NOT NULL AND (:domain IS NULL OR domain = :domain)
    GROUP BY 1 ORDER BY 1 DESC LIMIT :days
"""


class AnsweredDay(NamedTuple):
    """What an annotator answered on a day, as YYYY-MM-DD. labelled: of pairs with a distant label; same: as it says."""

    day: str
    answers: int
    labelled: int
    same: int


class AnswerStore:
    """The history of answers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def append(self, answers: Iterable[NewAnswer], *, action: int | None = None) -> None:
        """Add answers to the history, in this order, also those that are the same as the annotator's present answer."""
        keys = []
        for answer in answers:
            present = select(LabelEventRow.new).where(LabelEventRow.pair_key == answer.pair_key)
            present = present.where(LabelEventRow.annotator == answer.annotator)
            old = self._connection.scalar(present.order_by(LabelEventRow.id.desc()).limit(1))
            values = {
                "pair_key": answer.pair_key,
                "annotator": answer.annotator,
                "at": utc_text(answer.at),
                "seen": answer.seen.to_json(),
                "old": old,
                "new": answer.answer and answer.answer.value,
                "action": action,
                "via": answer.source.value,
            }
            self._connection.execute(insert(LabelEventRow).values(**values))
            keys.append(answer.pair_key)
        judgement.refresh(self._connection, keys)

    def give(
        self,
        scope: PairScope,
        annotator: str,
        answer: Answer | None,
        at: datetime,
        *,
        action: int,
        seen: AnswerContext = NO_CONTEXT,
        refresh: bool = True,
    ) -> int:
        """Give the same answer to all pairs of `scope`; returns to how many. None withdraws the annotator's answers.

        `refresh=False`: the caller refreshes the pairs (`storage.pairs.judgement`).
        """
        new = answer and answer.value
        values = {"annotator": annotator, "at": utc_text(at), "seen": seen.to_json(), "new": new, "action": action}
        return self._insert(_INSERT_ANSWER, scope, values, refresh=refresh)

    def accept_suggestions(
        self,
        scope: PairScope,
        annotator: str,
        at: datetime,
        *,
        action: int,
        seen: AnswerContext,
        refresh: bool = True,
    ) -> int:
        """Accept the current suggestions for the open pairs of `scope` that the annotator has not answered.

        Returns for how many. The suggested label, its confidence and the model's digest are added to `seen`.
        `refresh`: see `give`.
        """
        values = {"annotator": annotator, "at": utc_text(at), "seen": seen.to_json(), "action": action}
        return self._insert(_INSERT_ACCEPTED, scope, values, refresh=refresh)

    def import_answers(
        self, answers: Sequence[tuple[str, int, Answer, AnswerSource]], at: datetime, *, seen: AnswerContext
    ) -> None:
        """Store a data set's answers: (pair key, number of the annotator, ...). Pairs with a history are left out."""
        if not answers:
            return
        values = {"answers": json.dumps(answers), "at": utc_text(at), "seen": seen.to_json()}
        self._connection.exec_driver_sql(_INSERT_IMPORTED, values)
        judgement.refresh(self._connection, list(dict.fromkeys(key for key, *_ in answers)))

    def of_pair(self, pair_key: str, source: AnswerSource | None = None) -> dict[str, Answer]:
        """The present answers by annotator; only those from `source`, if it is given."""
        latest = {event.annotator: event for event in self.history(pair_key)}
        return {
            annotator: event.new
            for annotator, event in sorted(latest.items())
            if event.new is not None and source in (None, event.source)
        }

    def by_day(self, annotator: str, days: int, domain: str | None = None) -> list[AnsweredDay]:
        """The last days on which an annotator answered pairs of a domain, or of all, the earliest first.

        Answers that replace another one count again.
        """
        values = {"annotator": annotator, "days": days, "domain": domain}
        return list(read_all(AnsweredDay, self._connection.exec_driver_sql(_BY_DAY, values)))[::-1]

    @translate_decoding_errors()
    def history(self, pair_key: str) -> list[AnswerEvent]:
        """All answers that a pair ever had, the oldest first."""
        query = select(LabelEventRow.__table__).where(LabelEventRow.pair_key == pair_key).order_by(LabelEventRow.id)
        return [
            AnswerEvent(
                row.id,
                row.pair_key,
                row.annotator,
                datetime.fromisoformat(row.at),
                AnswerContext.from_json(row.seen),
                row.old and Answer(row.old),
                row.new and Answer(row.new),
                AnswerSource(row.via),
            )
            for row in self._connection.execute(query)
        ]

    def _insert(self, statement: str, scope: PairScope, values: dict[str, Any], *, refresh: bool) -> int:
        """Run a statement that adds an event for pairs of `scope`; returns how many events."""
        parameters = {**scope.parameters, **values}
        count = self._connection.exec_driver_sql(statement.format(scope=scope.sql), parameters).rowcount
        if refresh:
            judgement.refresh_scope(self._connection, scope)
        return count


def gold_label(answers: Sequence[Answer]) -> Label | None:
    """The label that more than half of the answers give; None if there is none, or if it is "unclear"."""
    if not answers:
        return None
    [(answer, votes)] = Counter(answers).most_common(1)
    return Label(answer.value) if votes * 2 > len(answers) and answer is not Answer.UNCLEAR else None
