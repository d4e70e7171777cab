"""The answers that agreement and human performance are measured on: the last answer of each person to each pair.

Where the papers are split, these are answers to pairs of dev and test: in train one answer corrects a label, and nobody
votes. Answers to pilot rounds are no votes either; they are read apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection

from miner.records import Answer, Label, Strategy
from storage.annotation.annotators import ESTIMATE_ROLES, Role
from storage.connections import driver_connection
from storage.dataset.gold_rule import MAJORITY_LABEL, OF_BENCHMARK, VOTED_GOLD
from storage.errors import translate_decoding_errors
from storage.pairs.filters import NOT_BAD, PairFilter
from storage.pairs.judgement import NEEDED_VOTES, PILOT_KEYS, PROJECT_VOTES
from storage.pairs.query import PairQueryCompiler

# Looked up, as an enumeration takes ten times as long to find a member by its value.
_IS_ESTIMATE = {role.value: role in ESTIMATE_ROLES for role in (Role.ANNOTATOR, *ESTIMATE_ROLES)}
_ANSWERS_BY_VALUE = {answer.value: answer for answer in Answer}
_LABELS_BY_VALUE = {label.value: label for label in Label}
_STRATEGIES_BY_VALUE = {strategy.value: strategy for strategy in Strategy}
# GROUP BY reads the index on pair and annotator in its order, so that nothing is sorted. Next to `max`, SQLite gives
# the other columns of the row with the maximum. CROSS JOIN: look up the pairs of answers, not the answers of pairs.
_ANSWERS = f"""
    WITH latest AS (
        SELECT pair_key, annotator, max(id), new, via, seen FROM label_events
        WHERE pair_key {{in_pilot}} ({PILOT_KEYS}) GROUP BY pair_key, annotator
    )
    SELECT pairs.key, pairs.distant_label, pairs.phrase, pairs.strategy, papers.domain,
        iif(pairs.votes >= {NEEDED_VOTES}, {MAJORITY_LABEL}, NULL) AS majority, {VOTED_GOLD} AS gold,
        {NEEDED_VOTES} AS needed, latest.annotator,
        coalesce(annotators.role, '{Role.ANNOTATOR}') AS role, new, seen ->> '$.seconds' AS seconds
    FROM latest CROSS JOIN pairs ON pairs.key = latest.pair_key
    CROSS JOIN papers ON papers.id = pairs.paper_id
    LEFT JOIN annotators ON annotators.key = latest.annotator
    WHERE new IS NOT NULL AND via = 'answer' AND {{scope}} AND {{condition}}
    ORDER BY latest.pair_key, latest.annotator
"""
_BY_ROLE = f"""
    WITH latest AS (SELECT pair_key, annotator, max(id), new, via FROM label_events GROUP BY pair_key, annotator)
    SELECT latest.annotator, premise, hypothesis, new
    FROM annotators CROSS JOIN latest ON latest.annotator = annotators.key
    CROSS JOIN pairs ON pairs.key = latest.pair_key
    WHERE role = ? AND new IS NOT NULL AND via = 'answer' AND pairs.current AND pairs.status <> 'bad'
        AND latest.pair_key NOT IN ({PILOT_KEYS})
    ORDER BY latest.annotator, latest.pair_key
"""
_ROUNDS = """
    SELECT pair_key, number FROM annotation_round_pairs JOIN annotation_rounds ON annotation_rounds.id = round
    WHERE asks = 'relation' ORDER BY pair_key, number
"""


class GivenAnswer(NamedTuple):
    """A person's present answer. annotator: the key. seconds: how long the pair was on the screen; None if unknown."""

    annotator: str
    answer: Answer
    seconds: float | None


class VotedPair(NamedTuple):
    """A pair with its answers, each in order of the annotator's key.

    distant, phrase: None if it has none. majority: the label that its votes, or an adjudicator, settled; gold: the gold
    label by the project's rule, also of a data set's file. needed: how many votes it is to have. rounds: the numbers of
    its annotation rounds. votes: of the role annotator. estimates: of experts and laypeople.
    """

    key: str
    distant: Label | None
    phrase: str | None
    strategy: Strategy
    domain: str
    rounds: tuple[int, ...]
    majority: Label | None
    gold: Label | None
    needed: int
    votes: tuple[GivenAnswer, ...]
    estimates: tuple[GivenAnswer, ...]


class RoleAnswer(NamedTuple):
    """A person's present answer to a pair, by its sentences. annotator: the key."""

    annotator: str
    premise: str
    hypothesis: str
    answer: Answer


class VoteStore:
    """Reads votes and estimates: no answers of adjudicators, reference annotators or pilot rounds, nothing accepted."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def answered(self, filter: PairFilter, *, everywhere: bool = False) -> Iterator[VotedPair]:
        """The filter's pairs that somebody has answered, by key; read the iterator within the transaction.

        Without bad pairs, unless the filter asks for a status. everywhere: also where answers are no votes, such as in
        train; so it is, too, if the filter asks for splits.
        """
        yield from self._read(filter, "NOT IN", "1" if everywhere or filter.splits else OF_BENCHMARK)

    def of_pilots(self, filter: PairFilter) -> Iterator[VotedPair]:
        """As `answered`: the pairs of pilot rounds, with answers that are no votes."""
        yield from self._read(filter, "IN", "1")

    def _read(self, filter: PairFilter, in_pilot: str, scope: str) -> Iterator[VotedPair]:
        condition = PairQueryCompiler(self._connection).condition(replace(filter, statuses=filter.statuses or NOT_BAD))
        rounds = self._rounds()
        statement = _ANSWERS.format(in_pilot=in_pilot, scope=scope, condition=condition.sql)
        rows = driver_connection(self._connection).execute(statement, condition.params)
        with translate_decoding_errors():
            for key, found in groupby(rows, itemgetter(0)):
                group = list(found)
                answers: dict[bool, list[GivenAnswer]] = {False: [], True: []}
                for *_, annotator, role, new, seconds in group:
                    is_estimate = _IS_ESTIMATE.get(role)
                    if is_estimate is not None:
                        answer = GivenAnswer(annotator, _ANSWERS_BY_VALUE[new], _seconds(seconds))
                        answers[is_estimate].append(answer)
                if any(answers.values()):
                    yield _pair(group[0], rounds.get(key, ()), answers)

    def of_role(self, role: Role) -> Iterator[RoleAnswer]:
        """The answers of everybody with this role to current pairs that are not bad, by annotator, then by key.

        Read the iterator within the transaction.
        """
        rows = driver_connection(self._connection).execute(_BY_ROLE, (role.value,))
        with translate_decoding_errors():
            for annotator, premise, hypothesis, new in rows:
                yield RoleAnswer(annotator, premise, hypothesis, _ANSWERS_BY_VALUE[new])

    def needed(self) -> int:
        """How many votes a pair of dev or test is to have, by the project's settings."""
        return int(self._connection.exec_driver_sql(f"SELECT {PROJECT_VOTES}").scalar_one())

    def _rounds(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the annotation rounds of each pair."""
        rows = driver_connection(self._connection).execute(_ROUNDS)
        return {key: tuple(number for _, number in group) for key, group in groupby(rows, itemgetter(0))}


def _pair(row: Sequence[Any], rounds: tuple[int, ...], answers: dict[bool, list[GivenAnswer]]) -> VotedPair:
    key, distant, phrase, strategy, domain, majority, gold, needed, *_ = row
    return VotedPair(
        key=key,
        distant=_label(distant),
        phrase=phrase,
        strategy=_STRATEGIES_BY_VALUE[strategy],
        domain=domain,
        rounds=rounds,
        majority=_label(majority) if answers[False] else None,
        gold=_label(gold),
        needed=needed,
        votes=tuple(answers[False]),
        estimates=tuple(answers[True]),
    )


def _label(stored: str | None) -> Label | None:
    return None if stored is None else _LABELS_BY_VALUE[stored]


def _seconds(stored: object) -> float | None:
    """A duration from an answer's context; None if it is not a duration."""
    is_number = isinstance(stored, int | float) and math.isfinite(stored) and stored >= 0
    return float(stored) if is_number else None  # type: ignore[arg-type]
