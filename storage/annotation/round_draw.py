"""Which pairs an annotation round gets: a seeded random subset, the same number of each class in each domain.

A stratum is a class of a domain, in dev or in test. The class of a pair is its distant label; in estimate rounds, its
gold label; in rounds that ask for kinds, the label that an export has. Pairs are drawn without replacement over all
rounds that ask the same (SciNLI, section 3.3): what was in a round is in no later one, but for pairs of closed rounds
that nobody who was asked has answered. What was in a pilot round stays out of all later ones, whatever they ask.
Benchmark rounds draw first what lacks votes of earlier ones and none of the annotators knows (`lacking_votes`).

Benchmark rounds draw from the papers of dev and of test, but no pair of dev that shares a sentence with test, which a
release would leave out (`storage.dataset.dev_in_test`); in a project that is not split, from all. Pilot rounds leave
dev and test alone. Estimate rounds draw from the pairs of test with a gold label, and leave out those of earlier
estimate rounds only. Rounds that ask for kinds draw from all papers. All but benchmark rounds have one stratum for a
class of a domain.

What a stratum lacks is not drawn from another, but for rounds that ask for kinds: these have as many pairs for each
annotator as wanted, as long as there are any (`round_shares`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple

from sqlalchemy import Connection

from miner.records import Label
from miner.splits import HELD_OUT, random_order
from storage.annotation.annotation_rounds import RoundAsks, RoundKind, RoundPair, RoundPlan, Targets
from storage.annotation.lacking_votes import (
    FROM_DRAWN,
    HAS_ANSWER,
    IS_IN_OPEN_ROUND,
    IS_UNFINISHED,
    KNOWN_TO,
    LACKING_VOTES,
    LACKS_VOTES,
    LackingVotes,
    read_lacking_votes,
)
from storage.annotation.round_shares import StratumKey, asked_pairs, pair_owners, stratum_sizes
from storage.connections import driver_connection
from storage.dataset.dev_in_test import find_dev_in_test, find_gold_in_test
from storage.dataset.gold_rule import GOLD_PAIRS, VOTED_GOLD
from storage.pairs.facets import FACETS
from storage.pairs.judgement import PILOT_KEYS
from storage.pairs.paper_splits import read_paper_split
from storage.pairs.query import PairQueryCompiler

_Candidate = tuple[str, int, str, str]
"""Split of the stratum, paper id, class and key of a pair that may be drawn."""
DEFAULT_SIZES = {RoundKind.PILOT: 5, RoundKind.ESTIMATE: 25}  # pairs of each class and domain
_SPLITS = HELD_OUT[::-1]  # dev first, as people read them


class RoundStratum(NamedTuple):
    """A class of a domain, and how far it is. split: dev or test; "" where a round does not tell them apart.

    gold: pairs with this gold label, without those of pilot rounds and without left_out: those that no release has, as
    they share a sentence with test. finished: pairs of benchmark rounds that need no more answers, kept: those of them
    with a gold label. waiting: pairs of open benchmark rounds that need more answers. lacking_votes: what pairs of
    benchmark rounds lack; neither counts what no release would have. available: pairs that could be drawn. wanted: how
    many to draw. drawn: how many were drawn.
    """

    domain: str
    label: str
    gold: int = 0
    finished: int = 0
    kept: int = 0
    waiting: int = 0
    available: int = 0
    wanted: int = 0
    drawn: int = 0
    split: str = ""
    lacking_votes: tuple[LackingVotes, ...] = ()
    left_out: int = 0

    @property
    def lacking(self) -> int:
        """How many pairs of benchmark rounds lack votes that nobody is asked for."""
        return sum(votes.pairs for votes in self.lacking_votes)

    @property
    def lacking_closed(self) -> int:
        """How many of these pairs are in no open round."""
        return sum(votes.pairs for votes in self.lacking_votes if not votes.is_open)

    @property
    def acceptance(self) -> float:
        """The share of annotated pairs that get a gold label, as measured so far; 1.0 before anything is measured.

        One pair more is counted on either side, so that a class of which nothing was kept is still drawn.
        """
        return (self.kept + 1) / (self.finished + 1)

    def missing(self, target: int) -> int:
        """How many pairs to draw for `target` gold pairs, if drawn and waiting pairs are kept at the present rate."""
        lacking = target - self.gold - self.waiting * self.acceptance
        return max(0, math.ceil(round(lacking / self.acceptance, 6)))

    def missing_without_lacking(self, target: int) -> int:
        """As `missing`, if nobody gives the votes that pairs of open rounds lack."""
        lacking = self.lacking - self.lacking_closed
        return self._replace(waiting=max(0, self.waiting - lacking)).missing(target)


@dataclass(frozen=True, slots=True)
class RoundDraw:
    """What was drawn: the pairs, mixed; and each stratum, by domain and class. wanted: how many pairs in all.

    lacking: how many of the pairs lacked votes of earlier rounds.
    """

    pairs: tuple[RoundPair, ...]
    strata: tuple[RoundStratum, ...]
    wanted: int
    lacking: int = 0

    @property
    def shortages(self) -> list[RoundStratum]:
        """The strata with fewer pairs than were wanted."""
        return [stratum for stratum in self.strata if stratum.drawn < stratum.wanted]


_GOLD_COUNTS = f"""
    SELECT {{split}}, papers.domain, voted, sum(found.key IN (SELECT value FROM json_each(?))), count(*)
    FROM ({GOLD_PAIRS}) AS found JOIN papers ON papers.id = found.paper_id
    WHERE voted IS NOT NULL AND {{scope}} AND found.key NOT IN ({PILOT_KEYS})
    GROUP BY 1, 2, 3
"""
# A pair of a closed round may have been drawn again. Next to `max`, SQLite gives the other columns of its row.
_ROUND_COUNTS = f"""
    SELECT {{split}}, papers.domain, drawn.label, is_open, NOT {IS_UNFINISHED}, {VOTED_GOLD} IS NOT NULL,
        iif(pairs.key IN (SELECT value FROM json_each(?)), '', {LACKING_VOTES}), count(*)
    FROM (
        SELECT pair_key, label, max(is_open) AS is_open
        FROM annotation_rounds JOIN annotation_round_pairs ON round = annotation_rounds.id
        WHERE kind = '{RoundKind.BENCHMARK}' AND asks = '{RoundAsks.RELATION}' GROUP BY pair_key
    ) AS drawn CROSS JOIN pairs ON pairs.key = drawn.pair_key CROSS JOIN papers ON papers.id = pairs.paper_id
    WHERE pairs.current AND {{scope}} GROUP BY 1, 2, 3, 4, 5, 6, 7
"""
_USED_KEYS = f"""
    SELECT drawn.pair_key FROM annotation_round_pairs AS drawn
    JOIN annotation_rounds ON annotation_rounds.id = drawn.round
    WHERE (kind = '{RoundKind.PILOT}' OR asks = '{{asks}}' AND (is_open OR EXISTS ({{has_answer}})))
"""
_HAS_KINDS = """
    SELECT 1 FROM assignments JOIN kind_events AS e ON e.annotator = assignments.annotator
    WHERE assignments.round = drawn.round AND e.pair_key = drawn.pair_key AND e.new IS NOT NULL AND e.id = (
        SELECT max(id) FROM kind_events WHERE pair_key = e.pair_key AND annotator = e.annotator
    )
"""
_USED = _USED_KEYS.format(asks=RoundAsks.RELATION, has_answer=HAS_ANSWER)
_USED_IN_ESTIMATES = f"{_USED} AND kind = '{RoundKind.ESTIMATE}'"
_USED_FOR_KINDS = _USED_KEYS.format(asks=RoundAsks.KINDS, has_answer=_HAS_KINDS)
_IS_CANDIDATE = f"""
    pairs.current AND pairs.distant_label IS NOT NULL AND pairs.status <> 'bad' AND {IS_UNFINISHED}
    AND pairs.key NOT IN ({_USED})
"""
_CANDIDATES = f"""
    SELECT coalesce(pairs.split, ''), pairs.paper_id, pairs.distant_label, pairs.key
    FROM pairs WHERE {_IS_CANDIDATE} AND {{condition}}
"""
_LACKING_CANDIDATES = f"""
    SELECT coalesce(pairs.split, ''), pairs.paper_id, pairs.distant_label, pairs.key, {IS_IN_OPEN_ROUND}
    FROM {FROM_DRAWN} WHERE {LACKS_VOTES} AND {{condition}}
        AND NOT EXISTS (SELECT 1 FROM ({KNOWN_TO}) WHERE annotator IN (SELECT value FROM json_each(?)))
"""
_COUNT_CANDIDATES = f"""
    SELECT count(*) FROM (
        SELECT 1 FROM papers CROSS JOIN pairs INDEXED BY pairs_in_order ON pairs.paper_id = papers.id
        WHERE ? IN ('', pairs.split) AND papers.domain = ? AND {FACETS["distant"].sql} = ? AND {_IS_CANDIDATE}
            AND pairs.key NOT IN (SELECT value FROM json_each(?)) LIMIT ?
    )
"""
_GOLD_CANDIDATES = f"""
    SELECT coalesce(found.split, ''), found.paper_id, voted, found.key
    FROM ({GOLD_PAIRS}) AS found JOIN pairs ON pairs.id = found.id
    WHERE voted IS NOT NULL AND {{condition}}
        AND found.key NOT IN ({_USED_IN_ESTIMATES})
"""
_LABELLED_CANDIDATES = f"""
    SELECT '', pairs.paper_id, pairs.label, pairs.key FROM pairs
    WHERE pairs.current AND pairs.status <> 'bad' AND pairs.label IS NOT NULL
        AND pairs.key NOT IN ({_USED_FOR_KINDS}) AND {{condition}}
"""
# Answers to pairs of a pilot count nowhere: those that were there before would be lost.
_PILOT_CANDIDATES = f"""
    {_LABELLED_CANDIDATES}
        AND NOT EXISTS (SELECT 1 FROM kind_events WHERE pair_key = pairs.key AND kind_events.new IS NOT NULL)
"""


class RoundDrawStore:
    """Draws the pairs of annotation rounds, and counts how far the strata are."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def progress(self, domains: Sequence[str] = ()) -> list[RoundStratum]:
        """How far each class of these domains (empty: all with pairs) is, by domain, dev before test, and class.

        `available`, `wanted` and `drawn` are 0: see `draw`.
        """
        wanted = domains or self.domains()
        is_split = read_paper_split(self._connection) is not None
        keys = [
            (split, domain, label.value)
            for domain in wanted
            for split in (_SPLITS if is_split else ("",))
            for label in Label
        ]
        found = {key: RoundStratum(*key[1:], split=key[0]) for key in keys}
        scope = f"found.split IN {HELD_OUT}" if is_split else "coalesce(found.split, '') <> 'train'"
        gold_counts = _GOLD_COUNTS.format(split="found.split" if is_split else "''", scope=scope)
        left_out = (json.dumps(sorted(find_gold_in_test(self._connection))),)
        for *key, of_test, gold in self._connection.exec_driver_sql(gold_counts, left_out):
            if (stratum := found.get(tuple(key))) is not None:
                found[tuple(key)] = stratum._replace(gold=gold - of_test, left_out=of_test)
        scope = f"pairs.split IN {HELD_OUT}" if is_split else "1"
        round_counts = _ROUND_COUNTS.format(split="pairs.split" if is_split else "''", scope=scope)
        rows = self._connection.exec_driver_sql(round_counts, left_out)
        for *key, is_open, is_finished, is_gold, lacks, pairs in rows:
            if (stratum := found.get(tuple(key))) is not None:
                votes = (read_lacking_votes(lacks, is_open=bool(is_open), pairs=pairs),) if lacks else ()
                found[tuple(key)] = stratum._replace(
                    finished=stratum.finished + pairs * is_finished,
                    kept=stratum.kept + pairs * (is_finished and is_gold),
                    waiting=stratum.waiting + pairs * (is_open and not is_finished and lacks != ""),
                    lacking_votes=stratum.lacking_votes + votes,
                )
        return list(found.values())

    def draw(self, plan: RoundPlan, annotators: Sequence[str] = ()) -> RoundDraw:
        """Draw the pairs of a round; the same ones each time, whatever the order of import. Nothing is stored.

        Where a stratum has fewer pairs than wanted, all of them are drawn: see `RoundDraw.shortages`. annotators: the
        keys of those who are asked, among whom a round that asks for kinds may divide its pairs.
        """
        strata = {(one.split, one.domain, one.label): one for one in self._strata(plan)}
        lacking = self._lacking(plan, annotators)
        pools = self._pools(strata, chain(self._candidates(plan), (candidate for candidate, _ in lacking)))
        available = {key: len(found) for key, found in pools.items()}
        if plan.asks_kinds:
            asked = asked_pairs(plan, len(annotators))
            sizes = stratum_sizes(asked, available, plan.seed)
            wanted = {key: max(asked // len(strata), size) for key, size in sizes.items()}
        else:
            expected = self._pools(strata, (candidate for candidate, is_open in lacking if is_open))
            wanted = {key: _wanted(plan, one, len(expected[key])) for key, one in strata.items()}
            asked = sum(wanted.values())
            sizes = {key: min(number, available[key]) for key, number in wanted.items()}
        classes = {label: place for place, label in enumerate(Label)}
        lacking_keys = {candidate[3] for candidate, _ in lacking}
        drawn = [
            (key, one.domain, one.label)
            for stratum, one in sorted(strata.items(), key=lambda item: classes[Label(item[1].label)])
            for key in nsmallest(
                sizes[stratum],
                pools[stratum],
                key=lambda key: (key not in lacking_keys, random_order(key, seed=plan.seed)),
            )
        ]
        owners = pair_owners(plan, annotators, len(drawn))
        pairs = [RoundPair(*pair, owner) for pair, owner in zip(drawn, owners, strict=True)]
        mixed = sorted(pairs, key=lambda pair: random_order(pair.key, seed=plan.seed))
        found = [
            one._replace(available=available[key], wanted=wanted[key], drawn=sizes[key]) for key, one in strata.items()
        ]
        return RoundDraw(tuple(mixed), tuple(found), asked, sum(pair.key in lacking_keys for pair in pairs))

    def _strata(self, plan: RoundPlan) -> list[RoundStratum]:
        if plan.kind is RoundKind.BENCHMARK and plan.asks is RoundAsks.RELATION:
            return self.progress(plan.domains)
        return [RoundStratum(domain, label) for domain in plan.domains or self.domains() for label in Label]

    def _pools(self, strata: Iterable[StratumKey], candidates: Iterable[_Candidate]) -> dict[StratumKey, list[str]]:
        """The keys of the candidates by stratum, in no order."""
        pools: dict[StratumKey, list[str]] = {stratum: [] for stratum in strata}
        domains = dict(driver_connection(self._connection).execute("SELECT id, domain FROM papers").fetchall())
        for split, paper, label, key in candidates:
            if (pool := pools.get((split, domains[paper], label))) is not None:
                pool.append(key)
        return pools

    def _lacking(self, plan: RoundPlan, annotators: Sequence[str]) -> list[tuple[_Candidate, bool]]:
        """The pairs that lack votes and that none of the annotators knows, and whether they are in an open round."""
        if plan.kind is not RoundKind.BENCHMARK or plan.asks_kinds or not annotators:
            return []
        condition = PairQueryCompiler(self._connection).condition(plan.filter)
        values = (*condition.params, json.dumps(list(annotators)))
        statement = _LACKING_CANDIDATES.format(condition=condition.sql)
        is_split = read_paper_split(self._connection) is not None
        rows = driver_connection(self._connection).execute(statement, values).fetchall()
        left_out = find_gold_in_test(self._connection)
        candidates = [((split if is_split else "", *row), bool(is_open)) for split, *row, is_open in rows]
        return [one for one in candidates if one[0][3] not in left_out]

    def _candidates(self, plan: RoundPlan) -> Iterator[_Candidate]:
        """All pairs that may be drawn and were in no earlier round, in no order."""
        condition = PairQueryCompiler(self._connection).condition(plan.filter)
        of_relation = _GOLD_CANDIDATES if plan.kind is RoundKind.ESTIMATE else _CANDIDATES
        of_kinds = _PILOT_CANDIDATES if plan.kind is RoundKind.PILOT else _LABELLED_CANDIDATES
        statement = of_kinds if plan.asks_kinds else of_relation
        is_vote = plan.kind is RoundKind.BENCHMARK and not plan.asks_kinds
        of_test = find_dev_in_test(self._connection) if is_vote else frozenset()
        rows = driver_connection(self._connection).execute(statement.format(condition=condition.sql), condition.params)
        is_split = read_paper_split(self._connection) is not None
        if plan.asks_kinds or (is_vote and is_split):
            yield from (row for row in rows if row[3] not in of_test)
            return
        if plan.kind is RoundKind.ESTIMATE:
            gold = rows.fetchall()
            has_test = is_split or any(split == "test" for split, *_ in gold)
            yield from (("", *row) for split, *row in gold if split == "test" or not has_test)
            return
        yield from (("", *row) for split, *row in rows if not is_split or split not in HELD_OUT)

    def find_shortages(self, targets: Targets, strata: Sequence[RoundStratum]) -> list[RoundStratum]:
        """The strata with fewer pairs left to draw than are missing to the targets, with `wanted` and `available`.

        Of benchmark rounds without a filter, for people who know none of the pairs that lack votes.
        """
        found = []
        of_test = None
        for one in strata:
            if wanted := one.missing(targets.of(one.split)):
                if one.split == "dev" and of_test is None:  # takes a second or two in a project of a million pairs
                    of_test = json.dumps(sorted(find_dev_in_test(self._connection)))
                values = (one.split, one.domain, FACETS["distant"].code(one.label), of_test or "[]", wanted)
                available = int(self._connection.exec_driver_sql(_COUNT_CANDIDATES, values).scalar_one())
                available += one.lacking_closed
                if available < wanted:
                    found.append(one._replace(wanted=wanted, available=available))
        return found

    def domains(self) -> list[str]:
        """The domains that have pairs, sorted."""
        query = """
            SELECT DISTINCT domain FROM papers
            WHERE EXISTS (SELECT 1 FROM pairs WHERE paper_id = papers.id AND pairs.current) ORDER BY domain
        """
        return list(self._connection.exec_driver_sql(query).scalars())


def _wanted(plan: RoundPlan, stratum: RoundStratum, expected: int) -> int:
    """How many pairs to draw. expected: those of the stratum's waiting pairs that this round can ask about."""
    if plan.size is not None:
        return plan.size
    if plan.kind in DEFAULT_SIZES:
        return DEFAULT_SIZES[plan.kind]
    target = Targets(plan.dev, plan.test).of(stratum.split)
    # Where this round can help pairs that lack votes, it does not wait for others of them that other people could help.
    return stratum.missing_without_lacking(target) if expected else stratum.missing(target)
