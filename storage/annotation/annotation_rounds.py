"""Annotation rounds: pairs that were drawn for several annotators, and each annotator's assignment of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from sqlalchemy import Connection, insert, update

from miner import codec
from storage.annotation.answers import CHANGED_ANSWERS
from storage.connections import driver_connection
from storage.convert import read_all, utc_text
from storage.pairs import judgement
from storage.pairs.facets import FACETS, IS_ANNOTATED
from storage.pairs.filters import PairFilter, PairStatus
from storage.schema import table_of

MAX_ROUND_PAIRS = 100_000
"""Of one annotation round: 25 times the human-labelled part of SciNLI."""
USUAL_KINDS_PAIRS = 60


class RoundKind(StrEnum):
    """What a round is for (SciNLI, section 3.3; MSciNLI, sections 3.3, 4.2.3 and A.3.1).

    BENCHMARK: answers that make gold labels. PILOT: annotators are compared with a reference annotator.
    ESTIMATE: pairs with a gold label are annotated again, to measure human performance.
    """

    BENCHMARK = "benchmark"
    PILOT = "pilot"
    ESTIMATE = "estimate"


class RoundAsks(StrEnum):
    """What a round asks of its pairs. KINDS: the questions of a taxonomy, with the relation, which is no vote."""

    RELATION = "relation"
    KINDS = "kinds"


class AssignmentState(StrEnum):
    """OPEN: answered in this project. SENT: written to an answer file. MERGED: the answers came back."""

    OPEN = "open"
    SENT = "sent"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Targets:
    """How many gold pairs each class of each domain is to have in dev and in test (MSciNLI, section 3.3).

    domains: those that are to be in the benchmark; empty for all.
    """

    dev: int = 50
    test: int = 200
    domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.dev < 0 or self.test < 0 or self.total > MAX_ROUND_PAIRS:
            raise ValueError(f"dev and test must be from 0 to {MAX_ROUND_PAIRS} together")

    @property
    def total(self) -> int:
        """The number of gold pairs of a class and domain, in both splits."""
        return self.dev + self.test

    def of(self, split: str) -> int:
        """The number of gold pairs of a class and domain in dev or test; in both for "", where pairs are not split."""
        return {"dev": self.dev, "test": self.test}.get(split, self.total)


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """How the pairs of a round are drawn.

    filter: draw only from pairs that match it. domains: from these; empty for all.
    dev, test: how many gold pairs each class of each domain is to have in the end.
    size: how many pairs to draw of each class and domain, in dev and in test; None for as many as are missing.
    seed: of the draw.

    For rounds that ask for kinds, in place of dev, test and size: pairs: how many each annotator gets, evenly of each
    class and domain. overlap: how many of these all get; None for all of them.
    """

    kind: RoundKind = RoundKind.BENCHMARK
    filter: PairFilter = field(default_factory=PairFilter)
    domains: tuple[str, ...] = ()
    dev: int = 50
    test: int = 200
    size: int | None = None
    seed: int = 1
    asks: RoundAsks = RoundAsks.RELATION
    pairs: int = USUAL_KINDS_PAIRS
    overlap: int | None = None

    def __post_init__(self) -> None:
        if self.dev < 0 or self.test < 0 or self.dev + self.test > MAX_ROUND_PAIRS:
            raise ValueError(f"dev and test must be from 0 to {MAX_ROUND_PAIRS} together")
        if self.size is not None and not 1 <= self.size <= MAX_ROUND_PAIRS:
            raise ValueError(f"size must be from 1 to {MAX_ROUND_PAIRS}")
        if not 0 <= self.seed < 2**53:
            raise ValueError("seed must be from 0 to 2^53")
        if not 1 <= self.pairs <= MAX_ROUND_PAIRS:
            raise ValueError(f"pairs must be from 1 to {MAX_ROUND_PAIRS}")
        if self.overlap is not None and not 0 <= self.overlap <= self.pairs:
            raise ValueError("overlap must be from 0 to pairs")
        if self.asks is RoundAsks.KINDS and self.kind is RoundKind.ESTIMATE:
            raise ValueError("human performance is measured on relations")

    @property
    def asks_kinds(self) -> bool:
        return self.asks is RoundAsks.KINDS


class RoundPair(NamedTuple):
    """A pair that was drawn, as one of this domain and class (its distant label; in estimate rounds its gold label).

    annotator: whose pair it is (a key); None for everybody who answers the round.
    """

    key: str
    domain: str
    label: str | None
    annotator: str | None = None


@dataclass(frozen=True, slots=True)
class AnnotationRound:
    """A round. number: counts the project's rounds from 1. uid: tells it from the rounds of other projects.

    size: how many pairs were drawn. is_open: answers are still awaited. taxonomy: the digest of the one whose questions
    are asked; None if the relation is.
    """

    uid: str
    number: int
    created_at: datetime
    plan: RoundPlan
    size: int
    is_open: bool
    taxonomy: str | None = None

    def __post_init__(self) -> None:
        if (self.taxonomy is None) == self.plan.asks_kinds:
            raise ValueError("a round asks for the relation, or for kinds by a taxonomy")


@dataclass(frozen=True, slots=True)
class Assignment:
    """An annotator's part of a round: all of its pairs but those of others. annotator: the key. round: its number.

    size: how many pairs.
    """

    uid: str
    round: int
    annotator: str
    state: AssignmentState
    size: int
    sent_at: datetime | None = None
    merged_at: datetime | None = None


ANNOTATION_ROUNDS = table_of(
    "annotation_rounds", AnnotationRound, ("size",), id=int, kind=str, seed=int, asks=str, checksum=int | None
)
ASSIGNMENTS = table_of("assignments", Assignment, ("size",), id=int, digest=str | None, checksum=int | None)
_INSERT_PAIRS = """
    INSERT INTO annotation_round_pairs (round, pair_key, ordinal, domain, label, annotator)
    SELECT :round, value ->> 0, json_each.key, value ->> 1, value ->> 2, value ->> 3 FROM json_each(:pairs)
"""
_PAIRS = """
    SELECT pair_key AS key, domain, label, annotator FROM annotation_round_pairs WHERE round = ? ORDER BY ordinal
"""
_ROUNDS = """
    SELECT uid, number, created_at, plan, is_open, taxonomy,
        (SELECT count(*) FROM annotation_round_pairs WHERE round = annotation_rounds.id) AS size
    FROM annotation_rounds {condition} ORDER BY number
"""
_ASSIGNMENTS = """
    SELECT assignments.uid, number AS round, annotator, state, sent_at, merged_at, (
            SELECT count(*) FROM annotation_round_pairs AS drawn WHERE drawn.round = assignments.round
                AND (drawn.annotator IS NULL OR drawn.annotator = assignments.annotator)
        ) AS size
    FROM assignments JOIN annotation_rounds ON annotation_rounds.id = round {condition}
    ORDER BY number, annotator
"""
_IS_BAD = f"{FACETS['statuses'].sql} = {FACETS['statuses'].code(PairStatus.BAD)}"
_IS_ANSWERED = f"""iif((drawn.pair_key, assignments.annotator) IN changed_answers, EXISTS (
        SELECT 1 FROM answers JOIN pairs ON pairs.key = answers.pair_key
        WHERE answers.pair_key = drawn.pair_key AND answers.annotator = assignments.annotator
            AND (via = 'answer' OR NOT {judgement.IN_DEV_OR_TEST})
    ), EXISTS (
        SELECT 1 FROM label_events WHERE pair_key = drawn.pair_key AND annotator = assignments.annotator
    ))"""
_HAS_KINDS = """coalesce((
        SELECT complete AND taxonomy = rounds.taxonomy FROM kind_events
        WHERE pair_key = drawn.pair_key AND annotator = assignments.annotator ORDER BY id DESC LIMIT 1
    ), 0)"""
# LIMIT -1: else SQLite would compute both columns twice. As JSON, since a subquery has one value.
_LEFT = f"""
    WITH {CHANGED_ANSWERS},
    absent AS MATERIALIZED (
        SELECT key FROM pairs WHERE current = 0
        UNION ALL SELECT key FROM pairs INDEXED BY pairs_judged WHERE ({IS_ANNOTATED}) AND {_IS_BAD}
    )
    SELECT assignments.uid, (
        SELECT json_array(sum(is_there AND NOT is_answered), sum(is_answered)) FROM (
            SELECT drawn.pair_key NOT IN absent AS is_there,
                iif(rounds.asks = 'kinds', {_HAS_KINDS}, {_IS_ANSWERED}) AS is_answered
            FROM annotation_round_pairs AS drawn
            WHERE drawn.round = assignments.round
                AND (drawn.annotator IS NULL OR drawn.annotator = assignments.annotator)
                AND EXISTS (SELECT 1 FROM pairs WHERE key = drawn.pair_key)
            LIMIT -1
        )
    )
    FROM assignments JOIN annotation_rounds AS rounds ON rounds.id = assignments.round
"""
_SELECT_ID = "SELECT id FROM annotation_rounds WHERE number = ?"


class AnnotationRoundStore:
    """The project's annotation rounds. Which pairs they get: `storage.annotation.round_draw`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self) -> list[AnnotationRound]:
        """All rounds by number."""
        return self._rounds("")

    def get(self, number: int) -> AnnotationRound | None:
        """The round with this number; None if there is none."""
        return next(iter(self._rounds("WHERE number = ?", number)), None)

    def find(self, uid: str) -> AnnotationRound | None:
        """The round with this uid; None if it is not of this project."""
        return next(iter(self._rounds("WHERE uid = ?", uid)), None)

    def pairs(self, number: int) -> list[RoundPair]:
        """A round's pairs in order, also those that the project no longer has."""
        return list(read_all(RoundPair, self._connection.exec_driver_sql(_PAIRS, (self._id(number),))))

    def keys(self, number: int, annotator: str | None = None) -> tuple[str, ...]:
        """The keys of a round's pairs, in order; only of the pairs that this annotator answers, if one is given."""
        return tuple(
            pair.key for pair in self.pairs(number) if annotator is None or pair.annotator in (None, annotator)
        )

    def add(
        self,
        plan: RoundPlan,
        pairs: Sequence[RoundPair],
        annotators: Sequence[str],
        at: datetime,
        taxonomy: str | None = None,
    ) -> AnnotationRound:
        """Store a round of these pairs, in this order, with an open assignment for each annotator (keys).

        taxonomy: the digest of a stored one, for a round that asks for kinds.
        """
        assert (taxonomy is None) == (plan.asks is RoundAsks.RELATION)
        last = self._connection.exec_driver_sql("SELECT coalesce(max(number), 0) FROM annotation_rounds").scalar_one()
        number = int(last) + 1
        uid = _digest(utc_text(at), str(number), _plan_text(plan), *(pair.key for pair in pairs))
        round = AnnotationRound(uid, number, at, plan, len(pairs), True, taxonomy)
        self._insert(round, pairs)
        for annotator in dict.fromkeys(annotators):
            self.assign(number, annotator)
        if plan.kind is RoundKind.PILOT:
            judgement.refresh(self._connection, [pair.key for pair in pairs])
        return round

    def add_part(self, round: AnnotationRound, annotator: str, keys: Sequence[str]) -> None:
        """Store an annotator's part of a round of another project, with its uid and number but nothing of its plan."""
        pairs = [RoundPair(key, "", None) for key in keys]
        plan = RoundPlan(round.plan.kind, asks=round.plan.asks, pairs=len(pairs))
        self._insert(replace(round, plan=plan, size=len(pairs)), pairs)
        self.assign(round.number, annotator)

    def add_closed(self, round: AnnotationRound, pairs: Sequence[RoundPair], annotators: Sequence[str]) -> None:
        """Store a round of another project under its uid, with the next number here, as one that nobody answers now."""
        last = self._connection.exec_driver_sql("SELECT coalesce(max(number), 0) FROM annotation_rounds").scalar_one()
        number = int(last) + 1
        self._insert(replace(round, number=number), pairs)
        for annotator in dict.fromkeys(annotators):
            self.assign(number, annotator)
        self.set_open(number, is_open=False)
        if round.plan.kind is RoundKind.PILOT:
            judgement.refresh(self._connection, [pair.key for pair in pairs])

    def _insert(self, round: AnnotationRound, pairs: Sequence[RoundPair]) -> None:
        values = {
            "uid": round.uid,
            "number": round.number,
            "kind": round.plan.kind,
            "seed": round.plan.seed,
            "created_at": round.created_at,
            "plan": _plan_text(round.plan),
            "is_open": True,
            "asks": round.plan.asks,
            "taxonomy": round.taxonomy,
        }
        statement = insert(ANNOTATION_ROUNDS).values(**values).returning(ANNOTATION_ROUNDS.c.id)
        id = self._connection.execute(statement).scalar_one()
        self._connection.exec_driver_sql(_INSERT_PAIRS, {"round": id, "pairs": json.dumps(pairs)})

    def assign(self, number: int, annotator: str) -> Assignment:
        """Give a round to one more annotator (a key); the assignment they have, if they have one."""
        for assignment in self.assignments(number):
            if assignment.annotator == annotator:
                return assignment
        round = self.get(number)
        assert round is not None
        uid, size = _digest(round.uid, annotator), len(self.keys(number, annotator))
        assignment = Assignment(uid, number, annotator, AssignmentState.OPEN, size)
        values = {"uid": uid, "round": self._id(number), "annotator": annotator, "state": assignment.state}
        self._connection.execute(insert(ASSIGNMENTS).values(**values))
        return assignment

    def set_open(self, number: int, is_open: bool) -> None:
        """Close a round, whose answers are no longer awaited, or open it again."""
        change = update(ANNOTATION_ROUNDS).where(ANNOTATION_ROUNDS.c.number == number)
        self._connection.execute(change.values(is_open=is_open))

    def assignments(self, number: int | None = None) -> list[Assignment]:
        """A round's assignments by annotator, or those of all rounds."""
        if number is None:
            return self._assignments("")
        return self._assignments("WHERE number = ?", number)

    def assignment(self, uid: str) -> Assignment | None:
        """The assignment with this uid; None if it is not of this project."""
        return next(iter(self._assignments("WHERE assignments.uid = ?", uid)), None)

    def left(self) -> dict[str, int]:
        """How many pairs each assignment's annotator has still to answer, by uid; none that are bad or removed."""
        return {uid: left for uid, (left, _) in self.progress().items()}

    def progress(self) -> dict[str, tuple[int, int]]:
        """By uid, how many pairs each assignment's annotator has still to answer, and how many are answered."""
        found = {uid: json.loads(numbers) for uid, numbers in driver_connection(self._connection).execute(_LEFT)}
        return {uid: (left, answered) for uid, (left, answered) in found.items() if answered is not None}

    def _id(self, number: int) -> int:
        return int(self._connection.exec_driver_sql(_SELECT_ID, (number,)).scalar_one())

    def _rounds(self, condition: str, *values: int | str) -> list[AnnotationRound]:
        rows = self._connection.exec_driver_sql(_ROUNDS.format(condition=condition), values)
        return list(read_all(AnnotationRound, rows))

    def _assignments(self, condition: str, *values: int | str) -> list[Assignment]:
        rows = self._connection.exec_driver_sql(_ASSIGNMENTS.format(condition=condition), values)
        return list(read_all(Assignment, rows))


def _plan_text(plan: RoundPlan) -> str:
    return codec.encode({**codec.to_data(plan), "filter": plan.filter.to_data()}, ascii_only=True)


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
