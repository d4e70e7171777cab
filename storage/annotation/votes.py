"""The answers that agreement and human performance are measured on: what each person said of each pair last."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from miner.records import Answer, Label, Strategy
from storage.annotation.annotators import ESTIMATE_ROLES, Role
from storage.dataset.gold import NEEDED_VOTES, VOTED_GOLD
from storage.errors import translate_decoding_errors
from storage.pairs.filters import NOT_BAD, PairFilter
from storage.pairs.query import PairQueryCompiler

_COUNTED_ROLES = (Role.ANNOTATOR, *ESTIMATE_ROLES)
# GROUP BY reads the index on pair and annotator in its order, so that nothing is sorted. Next to `max`, SQLite gives
# the other columns of the row with the maximum. CROSS JOIN: look up the pairs of answers, not the answers of pairs.
_ANSWERS = f"""
    WITH latest AS (SELECT pair_key, annotator, max(id), new, via, seen FROM label_events GROUP BY pair_key, annotator)
    SELECT pairs.key, pairs.distant_label, pairs.phrase, pairs.strategy, pairs.status, papers.domain,
        iif(pairs.status = 'settled' AND NOT pairs.accepted, pairs.gold, NULL) AS majority, {VOTED_GOLD} AS gold,
        latest.annotator, coalesce(annotators.role, '{Role.ANNOTATOR}') AS role, new, seen ->> '$.seconds' AS seconds
    FROM latest CROSS JOIN pairs ON pairs.key = latest.pair_key
    CROSS JOIN papers ON papers.id = pairs.paper_id
    LEFT JOIN annotators ON annotators.key = latest.annotator
    WHERE new IS NOT NULL AND via = 'answer' AND {{condition}}
    ORDER BY latest.pair_key, latest.annotator
"""
_ROUNDS = """
    SELECT pair_key, number FROM annotation_round_pairs JOIN annotation_rounds ON annotation_rounds.id = round
    ORDER BY pair_key, number
"""


class GivenAnswer(NamedTuple):
    """A person's present answer. annotator: the key. seconds: how long the pair was on the screen; None if unknown."""

    annotator: str
    answer: Answer
    seconds: float | None


class VotedPair(NamedTuple):
    """A pair with its answers, each in order of the annotator's key.

    distant, phrase: None for none. majority: the label that its votes, or an adjudicator, settled; gold: the gold label
    by the project's rule, also of a data set's file. rounds: the numbers of its annotation rounds.
    votes: of the role annotator. estimates: of experts and laypeople.
    """

    key: str
    distant: Label | None
    phrase: str | None
    strategy: Strategy
    domain: str
    rounds: tuple[int, ...]
    majority: Label | None
    gold: Label | None
    votes: tuple[GivenAnswer, ...]
    estimates: tuple[GivenAnswer, ...]


class VoteStore:
    """Reads answers; never those of adjudicators and reference annotators, nor accepted suggestions."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def answered(self, filter: PairFilter) -> Iterator[VotedPair]:
        """The filter's pairs that somebody has answered, by key; read the iterator within the transaction.

        Without bad pairs, unless the filter asks for a status.
        """
        condition = PairQueryCompiler(self._connection).condition(replace(filter, statuses=filter.statuses or NOT_BAD))
        rounds = self._rounds()
        rows = self._connection.exec_driver_sql(_ANSWERS.format(condition=condition.sql), condition.params)
        with translate_decoding_errors():
            for key, group in groupby(rows, attrgetter("key")):
                answers: dict[bool, list[GivenAnswer]] = {False: [], True: []}
                for row in group:
                    role = Role(row.role)
                    if role in _COUNTED_ROLES:
                        given = GivenAnswer(row.annotator, Answer(row.new), _seconds(row.seconds))
                        answers[role in ESTIMATE_ROLES].append(given)
                if any(answers.values()):
                    yield _pair(row, rounds.get(key, ()), answers)

    def needed(self) -> int:
        """How many votes a pair is to have, by the project's settings."""
        return int(self._connection.exec_driver_sql(f"SELECT {NEEDED_VOTES}").scalar_one())

    def _rounds(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the annotation rounds of each pair."""
        rows = self._connection.exec_driver_sql(_ROUNDS)
        return {key: tuple(row.number for row in group) for key, group in groupby(rows, attrgetter("pair_key"))}


def _pair(row: Row[Any], rounds: tuple[int, ...], answers: dict[bool, list[GivenAnswer]]) -> VotedPair:
    return VotedPair(
        key=row.key,
        distant=_label(row.distant_label),
        phrase=row.phrase,
        strategy=Strategy(row.strategy),
        domain=row.domain,
        rounds=rounds,
        majority=_label(row.majority) if answers[False] else None,
        gold=_label(row.gold),
        votes=tuple(answers[False]),
        estimates=tuple(answers[True]),
    )


def _label(stored: str | None) -> Label | None:
    return None if stored is None else Label(stored)


def _seconds(stored: object) -> float | None:
    """A duration as the answer's context has it; None if it is none."""
    is_number = isinstance(stored, int | float) and math.isfinite(stored) and stored >= 0
    return float(stored) if is_number else None  # type: ignore[arg-type]
