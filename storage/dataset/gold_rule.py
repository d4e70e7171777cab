"""The gold rule of a project, and the gold label as SQL over `pairs`, for statements of this package and those above.

`storage.pairs.judgement` decides which pairs have a gold label.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection

from miner.records import Strategy
from storage.convert import read_all
from storage.pairs.facets import IS_ANNOTATED
from storage.pairs.judgement import (
    FILE_GOLD,
    FILE_LABEL,
    IS_SPLIT,
    NEEDED_VOTES,
    PILOT_KEYS,
    RULES_DECIDE,
    USUAL_VOTES,
    WAITS_FOR_VOTES,
)
from storage.schema import DATA_SET


class GoldRule(StrEnum):
    """Which majorities give a gold label (SciNLI, section 3.3).

    AGREEING: majorities that equal the distant label, if there is one. MAJORITY: all.
    """

    AGREEING = "agreeing"
    MAJORITY = "majority"


@dataclass(frozen=True, slots=True)
class GoldRules:
    """The project's definition of gold, for pairs of dev and test.

    votes: how many people are to answer a pair. More than half of those who answered must agree; with fewer answers the
    pair waits.
    """

    rule: GoldRule = GoldRule.MAJORITY
    votes: int = USUAL_VOTES

    def __post_init__(self) -> None:
        if not 1 <= self.votes <= 99:
            raise ValueError("votes must be from 1 to 99")


MAJORITY_LABEL = f"""CASE
    WHEN pairs.status IN ('unsettled', 'bad') THEN NULL
    WHEN pairs.accepted OR pairs.votes >= {NEEDED_VOTES} THEN pairs.majority ELSE {FILE_GOLD} END"""
"""The label that people agree on; for imported pairs without all votes, the gold label of the file."""
GOLD = f"CASE pairs.status WHEN 'settled' THEN pairs.gold WHEN 'open' THEN {FILE_LABEL} END"
"""The gold label, NULL for none. Where `pairs.accepted`, it is a model's that somebody accepted."""
VOTED_GOLD = f"iif(pairs.accepted, NULL, {GOLD})"
"""The gold label that annotators' own answers or a data set's file gave, NULL for none."""
RELEASED_BY_FILE = f"""(
    coalesce(pairs.own_split = pairs.split, 0) AND (pairs.strategy = '{Strategy.IMPORTED}' OR {FILE_GOLD} IS NOT NULL)
)"""
"""Whether a pair is in the split that the file of a data set gives it, with a label that its makers settled."""
# Gold labels are on annotated pairs, which an index holds, and on imported ones that nobody has answered.
_GOLD_COLUMNS = f"pairs.id, pairs.key, pairs.paper_id, pairs.split, {VOTED_GOLD} AS voted"
GOLD_PAIRS = f"""
    SELECT {_GOLD_COLUMNS} FROM pairs INDEXED BY pairs_judged
    WHERE (pairs.status <> 'open' OR pairs.flagged OR pairs.noted) AND pairs.status = 'settled' AND pairs.current
    UNION ALL
    SELECT {_GOLD_COLUMNS} FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id
    WHERE papers.kind = '{DATA_SET}' AND pairs.status = 'open' AND pairs.current
"""
"""All current pairs that can have a gold label: `voted`, NULL for none."""


class GoldDifference(NamedTuple):
    """How many settled `pairs` of a domain have this distant and this other gold label."""

    domain: str
    distant: str
    gold: str
    pairs: int


OF_BENCHMARK = f"({RULES_DECIDE} OR NOT {IS_SPLIT})"
"""Whether votes on a pair are for a gold label: in dev and test, and everywhere while the papers are not split."""
_DIFFERENCES = f"""
    SELECT domain, distant_label AS distant, pairs.majority AS gold, count(*) AS pairs
    FROM pairs INDEXED BY pairs_judged JOIN papers ON papers.id = pairs.paper_id
    WHERE ({IS_ANNOTATED}) AND pairs.current AND {OF_BENCHMARK} AND NOT pairs.accepted
        AND pairs.status IN ('settled', 'discarded') AND pairs.distant_label <> pairs.majority GROUP BY 1, 2, 3
"""


class GoldStore:
    """Counts what a gold rule decides."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def differences(self) -> list[GoldDifference]:
        """The pairs on which people agree on another label than the distant one, which `AGREEING` discards."""
        return list(read_all(GoldDifference, self._connection.exec_driver_sql(_DIFFERENCES)))

    def count(self) -> int:
        """How many current pairs of dev and test, or of all while the papers are not split, have a gold label."""
        query = f"""
            SELECT count(*) FROM pairs
            WHERE pairs.current AND {OF_BENCHMARK} AND {VOTED_GOLD} IS NOT NULL AND pairs.key NOT IN ({PILOT_KEYS})
        """
        return int(self._connection.exec_driver_sql(query).scalar_one())

    def count_waiting(self) -> int:
        """How many current pairs have some of their votes, and no majority before the others are there."""
        query = f"""
            SELECT count(*) FROM pairs INDEXED BY pairs_judged
            WHERE ({IS_ANNOTATED}) AND pairs.current AND {WAITS_FOR_VOTES}
        """
        return int(self._connection.exec_driver_sql(query).scalar_one())
