"""Pairs of benchmark rounds that lack votes: they need more than those who are asked about them can still give.

Such a pair was in a round for fewer people than a gold label takes votes, or in one that was closed before all had
answered, or somebody's answers are no votes any more. A later round can ask others about it, and all votes count.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from sqlalchemy import Connection

from storage.annotation.annotation_rounds import RoundAsks, RoundKind
from storage.annotation.annotators import Role
from storage.connections import driver_connection
from storage.dataset.gold_rule import VOTED_GOLD
from storage.pairs.judgement import IN_DEV_OR_TEST, IS_SPLIT, NEEDED_VOTES, PILOT_KEYS

# Open pairs of a data set's file may have the file's gold label. A pair with some of its votes can still get the rest.
IS_UNFINISHED = f"""(
    pairs.status IN ('open', 'unsettled') AND pairs.votes < {NEEDED_VOTES} AND {VOTED_GOLD} IS NULL OR pairs.accepted
)"""
"""Whether votes can still decide a pair."""
HAS_ANSWER = """
    SELECT 1 FROM assignments JOIN answers ON answers.annotator = assignments.annotator
    WHERE assignments.round = drawn.round AND answers.pair_key = drawn.pair_key AND answers.via = 'answer'
"""
"""The answers of those who were asked about the pair `drawn` of a round."""
_IS_BENCHMARK = f"annotation_rounds.kind = '{RoundKind.BENCHMARK}' AND asks = '{RoundAsks.RELATION}'"
# What nobody has answered of a closed round is drawn like any other pair.
_ASKED_KEYS = f"""
    SELECT drawn.pair_key FROM annotation_round_pairs AS drawn
    JOIN annotation_rounds ON annotation_rounds.id = drawn.round
    WHERE {_IS_BENCHMARK} AND (is_open OR EXISTS ({HAS_ANSWER}))
"""
_ASKED = f"""
    FROM annotation_round_pairs AS drawn JOIN annotation_rounds ON annotation_rounds.id = drawn.round
    JOIN assignments ON assignments.round = drawn.round
    WHERE drawn.pair_key = pairs.key AND is_open AND {_IS_BENCHMARK}
"""
_AWAITED_VOTES = f"""(
    SELECT count(DISTINCT assignments.annotator) {_ASKED}
        AND NOT EXISTS (
            SELECT 1 FROM annotators WHERE key = assignments.annotator AND role <> '{Role.ANNOTATOR}'
        )
        AND NOT EXISTS (
            SELECT 1 FROM answers
            WHERE pair_key = drawn.pair_key AND answers.annotator = assignments.annotator
                AND (via = 'answer' OR NOT {IN_DEV_OR_TEST})
        )
)"""
_LACKING = f"({NEEDED_VOTES} - iif(pairs.accepted, 0, pairs.votes) - {_AWAITED_VOTES})"
LACKS_VOTES = f"""(
    pairs.key IN ({_ASKED_KEYS}) AND pairs.key NOT IN ({PILOT_KEYS})
    AND pairs.current AND pairs.distant_label IS NOT NULL AND pairs.status <> 'bad' AND {IS_UNFINISHED}
    AND {_LACKING} > 0
)"""
"""Whether a pair of `pairs` is in a benchmark round, and lacks votes that nobody is asked for."""
IS_IN_OPEN_ROUND = f"""EXISTS (
    SELECT 1 FROM annotation_round_pairs AS drawn JOIN annotation_rounds ON annotation_rounds.id = drawn.round
    WHERE drawn.pair_key = pairs.key AND is_open AND {_IS_BENCHMARK}
)"""
"""Whether a pair of `pairs` is in a benchmark round that is open."""
KNOWN_TO = f"""
    SELECT annotator FROM answers WHERE answers.pair_key = pairs.key AND via = 'answer'
    UNION SELECT assignments.annotator {_ASKED}
"""
"""The annotators who have answered a pair of `pairs`, or are asked about it in an open benchmark round."""
_LACKING_PAIRS = f"""
    SELECT pairs.key, iif({IS_SPLIT}, coalesce(pairs.split, ''), ''), papers.domain, pairs.distant_label, {_LACKING},
        (SELECT json_group_array(annotator) FROM ({KNOWN_TO})), (
            SELECT json_group_array(assignments.annotator) FROM annotation_round_pairs AS drawn
            JOIN assignments ON assignments.round = drawn.round WHERE drawn.pair_key = pairs.key
        )
    FROM pairs JOIN papers ON papers.id = pairs.paper_id WHERE {LACKS_VOTES} ORDER BY pairs.key
"""


class LackingVotes(NamedTuple):
    """How many votes a pair of this split ("" where papers are not split), domain and class lacks.

    known_to: the keys of those who have answered it, or are asked about it. asked: of those who were asked in any
    round, also if it is closed and they have not answered.
    """

    key: str
    split: str
    domain: str
    label: str
    number: int
    known_to: frozenset[str]
    asked: frozenset[str]


class LackingVoteStore:
    """Finds the pairs of benchmark rounds that lack votes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self) -> list[LackingVotes]:
        """All pairs that lack votes, by key."""
        rows = driver_connection(self._connection).execute(_LACKING_PAIRS)
        return [
            LackingVotes(key, split, domain, label, number, _keys(known_to), _keys(asked))
            for key, split, domain, label, number, known_to, asked in rows
        ]

    def within(self, number: int) -> int:
        """How many pairs of the round with this number lack votes."""
        statement = f"""
            SELECT count(*) FROM pairs WHERE {LACKS_VOTES} AND pairs.key IN (
                SELECT pair_key FROM annotation_round_pairs JOIN annotation_rounds ON annotation_rounds.id = round
                WHERE number = ?
            )
        """
        return int(self._connection.exec_driver_sql(statement, (number,)).scalar_one())


def _keys(text: str) -> frozenset[str]:
    return frozenset(json.loads(text))
