"""Which pairs a round that asks for kinds gets: a seeded random subset, evenly of each class in each domain.

The class of a pair is the label that an export has. Pairs of earlier rounds for kinds are left out, but for those of
closed rounds that nobody who was asked has answered; what was in a pilot round, also one that asks for the relation,
stays out of all later ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from heapq import nsmallest
from typing import TypeVar

from sqlalchemy import Connection

from miner.records import Label
from miner.splits import random_order
from storage.annotation.annotation_rounds import RoundAsks, RoundKind, RoundPair, RoundPlan
from storage.annotation.round_draw import RoundDraw, RoundDrawStore, RoundStratum, StratumKey
from storage.connections import driver_connection
from storage.pairs.query import PairQueryCompiler

Share = TypeVar("Share", bound=Hashable)

_LABELS = [label.value for label in Label]
_CANDIDATES = f"""
    SELECT pairs.paper_id, pairs.label, pairs.key FROM pairs
    WHERE pairs.current AND pairs.status <> 'bad' AND pairs.label IS NOT NULL AND pairs.key NOT IN (
        SELECT drawn.pair_key FROM annotation_round_pairs AS drawn
        JOIN annotation_rounds ON annotation_rounds.id = drawn.round
        WHERE kind = '{RoundKind.PILOT}' OR asks = '{RoundAsks.KINDS}' AND (is_open OR EXISTS (
            SELECT 1 FROM assignments JOIN kind_events AS e ON e.annotator = assignments.annotator
            WHERE assignments.round = drawn.round AND e.pair_key = drawn.pair_key AND e.new IS NOT NULL AND e.id = (
                SELECT max(id) FROM kind_events WHERE pair_key = e.pair_key AND annotator = e.annotator
            )
        ))
    ) AND {{condition}}
"""


class KindsDrawStore:
    """Draws the pairs of rounds that ask for kinds."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def draw(self, plan: RoundPlan, annotators: Sequence[str]) -> RoundDraw:
        """Draw the pairs for these annotators (keys); the same ones each time, whatever the order of import.

        A stratum that has too few pairs is drawn whole, and others of its class get more of them. Where all have too
        few, the pairs that everybody answers come first. Nothing is stored.
        """
        pools = self._pools(plan)
        shared = plan.pairs if plan.overlap is None else plan.overlap
        own = plan.pairs - shared
        asked = shared + own * len(annotators)
        sizes = _stratum_sizes(asked, {stratum: len(keys) for stratum, keys in pools.items()}, plan.seed)
        drawn = [
            (key, *stratum)
            for stratum, keys in sorted(
                pools.items(), key=lambda one: _LABELS.index(one[0][1])
            )  # any run is dealt alike
            for key in nsmallest(sizes[stratum], keys, key=lambda key: random_order(key, seed=plan.seed))
        ]
        shared = min(shared, len(drawn))
        parts: dict[str | None, int] = {None: shared}
        parts |= even_parts(len(drawn) - shared, dict.fromkeys(annotators, own))
        owners = _deal(len(drawn), parts)
        pairs = [RoundPair(*pair, owner) for pair, owner in zip(drawn, owners, strict=True)]
        share = asked // max(len(pools), 1)
        strata = [
            RoundStratum(*stratum, available=len(keys), wanted=max(share, sizes[stratum]), drawn=sizes[stratum])
            for stratum, keys in pools.items()
        ]
        mixed = sorted(pairs, key=lambda pair: random_order(pair.key, seed=plan.seed))
        return RoundDraw(tuple(mixed), tuple(strata), asked)

    def _pools(self, plan: RoundPlan) -> dict[StratumKey, list[str]]:
        """The pairs that can be drawn by domain and class, in no order."""
        names = plan.domains or RoundDrawStore(self._connection).domains()
        pools: dict[StratumKey, list[str]] = {(name, label): [] for name in names for label in _LABELS}
        condition = PairQueryCompiler(self._connection).condition(plan.filter)
        driver = driver_connection(self._connection)
        domains = dict(driver.execute("SELECT id, domain FROM papers").fetchall())
        for paper, label, key in driver.execute(_CANDIDATES.format(condition=condition.sql), condition.params):
            if (pool := pools.get((domains[paper], label))) is not None:
                pool.append(key)
        return pools


def _stratum_sizes(number: int, available: Mapping[StratumKey, int], seed: int) -> dict[StratumKey, int]:
    """How many pairs to draw of each stratum: evenly of the classes, and of the domains of each class.

    What is left over goes to the domains that have the fewest so far, in the order of the seed.
    """
    domains = sorted({domain for domain, _ in available}, key=lambda domain: random_order(domain, seed=seed))
    classes = {label: sum(available[domain, label] for domain in domains) for label in _LABELS}
    taken: Counter[str] = Counter()
    sizes = dict.fromkeys(available, 0)
    for label, size in even_parts(number, classes).items():
        order = sorted(domains, key=lambda domain: taken[domain])
        for domain, part in even_parts(size, {domain: available[domain, label] for domain in order}).items():
            taken[domain] += part
            sizes[domain, label] = part
    return sizes


def even_parts(number: int, most: Mapping[Share, int]) -> dict[Share, int]:
    """Share a number out, as evenly as the `most` of each allows; the first ones get what is left over."""
    parts = dict.fromkeys(most, 0)
    while number and (open_ := [key for key in most if parts[key] < most[key]]):
        each = number // len(open_)
        for key in open_ if each else open_[:number]:
            part = min(max(each, 1), most[key] - parts[key])
            parts[key] += part
            number -= part
    return parts


def _deal(number: int, sizes: Mapping[str | None, int]) -> list[str | None]:
    """Whose each of `number` things is, so that each gets as many of any run of them as is its share."""
    given: Counter[str | None] = Counter()
    owners = []
    for place in range(1, number + 1):
        behind = {owner: size * place - given[owner] * number for owner, size in sizes.items()}
        owners.append(max(behind, key=lambda owner: behind[owner]))
        given[owners[-1]] += 1
    return owners
