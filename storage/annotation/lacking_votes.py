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
from storage.dataset.gold_rule import VOTED_GOLD
from storage.pairs.judgement import IN_DEV_OR_TEST, NEEDED_VOTES, PILOT_KEYS

# The label that a data set's file settled needs no votes. A pair with some of its votes can still get the rest.
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
_IS_ASKED = f"""EXISTS (
    SELECT 1 FROM annotation_round_pairs AS drawn JOIN annotation_rounds ON annotation_rounds.id = drawn.round
    WHERE drawn.pair_key = pairs.key AND {_IS_BENCHMARK} AND (is_open OR EXISTS ({HAS_ANSWER}))
)"""
_IN_OPEN_ROUND = f"""
    drawn.pair_key = pairs.key
    AND drawn.round IN (SELECT id FROM annotation_rounds WHERE is_open AND {_IS_BENCHMARK})
"""
IS_IN_OPEN_ROUND = f"EXISTS (SELECT 1 FROM annotation_round_pairs AS drawn WHERE {_IN_OPEN_ROUND})"
"""Whether a pair of `pairs` is in a benchmark round that is open."""
_ASKED = f"""
    FROM annotation_round_pairs AS drawn JOIN assignments ON assignments.round = drawn.round WHERE {_IN_OPEN_ROUND}
"""
KNOWN_TO = f"""
    SELECT annotator FROM answers WHERE answers.pair_key = pairs.key AND via = 'answer'
    UNION ALL SELECT assignments.annotator {_ASKED}
"""
"""The annotators who have answered a pair of `pairs`, or are asked about it in an open round; some of them twice."""
_ASKED_EVER = """
    SELECT assignments.annotator FROM annotation_round_pairs AS drawn
    JOIN assignments ON assignments.round = drawn.round WHERE drawn.pair_key = pairs.key
"""
_AWAITED_VOTES = f"""(
    SELECT count(DISTINCT assignments.annotator) {_ASKED}
        AND assignments.annotator NOT IN (SELECT key FROM annotators WHERE role <> '{Role.ANNOTATOR}')
        AND NOT EXISTS (
            SELECT 1 FROM answers
            WHERE pair_key = pairs.key AND answers.annotator = assignments.annotator
                AND (via = 'answer' OR NOT {IN_DEV_OR_TEST})
        )
)"""
_LACKING = f"({NEEDED_VOTES} - iif(pairs.accepted, 0, pairs.votes) - {_AWAITED_VOTES})"
_CAN_LACK = f"""
    pairs.current AND pairs.distant_label IS NOT NULL AND pairs.status <> 'bad' AND {IS_UNFINISHED}
    AND pairs.key NOT IN ({PILOT_KEYS}) AND {_IS_ASKED}
"""
# `iif` computes the number only of pairs that can lack votes, where AND may compute both sides.
LACKS_VOTES = f"iif({_CAN_LACK}, {_LACKING} > 0, 0)"
"""Whether a pair of `pairs` is in a benchmark round, and lacks votes that nobody is asked for."""
LACKING_VOTES = f"""iif({_CAN_LACK}, (
    SELECT json_array(
        number, (SELECT json_group_array(annotator) FROM ({KNOWN_TO})),
        (SELECT json_group_array(annotator) FROM ({_ASKED_EVER}))
    ) FROM (SELECT {_LACKING} AS number) WHERE number > 0
), NULL)"""
"""The votes that a pair of `pairs` lacks, as `read_lacking_votes` reads them; NULL if it lacks none."""
FROM_DRAWN = f"""(
    SELECT DISTINCT pair_key FROM annotation_round_pairs
    WHERE round IN (SELECT id FROM annotation_rounds WHERE {_IS_BENCHMARK})
) AS drawn CROSS JOIN pairs ON pairs.key = drawn.pair_key"""
"""All pairs of benchmark rounds, as `pairs`."""


class LackingVotes(NamedTuple):
    """How many `pairs` lack how many votes each, `number`, and whether they are in an open round.

    known_to: the keys of those who have answered them, or are asked about them. asked: of those who were asked in any
    round, also if it is closed and they have not answered.
    """

    number: int
    known_to: frozenset[str]
    asked: frozenset[str]
    is_open: bool
    pairs: int


def read_lacking_votes(text: str, *, is_open: bool, pairs: int) -> LackingVotes:
    """What `LACKING_VOTES` says of so many pairs."""
    number, known_to, asked = json.loads(text)
    return LackingVotes(number, frozenset(known_to), frozenset(asked), is_open, pairs)


class LackingVoteStore:
    """Counts pairs of benchmark rounds that lack votes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def within(self, number: int) -> int:
        """How many pairs of the round with this number lack votes."""
        statement = f"""
            SELECT count(*) FROM annotation_rounds JOIN annotation_round_pairs ON round = annotation_rounds.id
            CROSS JOIN pairs ON pairs.key = pair_key WHERE number = ? AND {LACKS_VOTES}
        """
        return int(self._connection.exec_driver_sql(statement, (number,)).scalar_one())
