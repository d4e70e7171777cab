"""How many neutral pairs a paper gets, and which of them give way where there are more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from miner.mining.settings import MiningSettings
from miner.records import NEUTRAL_STRATEGIES, MinedPaper, Pair, Strategy


class NeutralPair(NamedTuple):
    """A neutral pair by its key, and how it was drawn."""

    key: str
    strategy: Strategy


def max_neutrals(kept_linked: int, settings: MiningSettings) -> int:
    """How many neutral pairs a paper gets: the mean size of its linked classes times `neutral_ratio`, half rounded up.

    >>> max_neutrals(10, MiningSettings(neutral_ratio=1.0))
    3
    """
    return int(kept_linked * settings.neutral_ratio / 3 + 0.5) if settings.neutral_strategies else 0


def within_quota(
    drawn: Sequence[NeutralPair], extra: Sequence[NeutralPair], annotated: Collection[str], quota: int
) -> frozenset[str]:
    """The keys of those pairs that a paper keeps, at most `quota`.

    drawn: in the order of their draws; extra: annotated pairs that were not drawn. The annotated ones stay, as many as
    the quota allows; of the others the last drawn give way first, evenly from the strategies.

    What stays depends on the annotated pairs among what stays, and on no others: with any of these left out that would
    stay anyhow, the result is the same. So a project is rebuilt from what it has, whenever its pairs were annotated.
    """
    order = list(dict.fromkeys([*(pair.strategy for pair in drawn), *NEUTRAL_STRATEGIES]))
    protected = _cut([pair for pair in (*drawn, *extra) if pair.key in annotated], frozenset(), quota, order)
    return _cut([*drawn, *(pair for pair in extra if pair.key in protected)], protected, quota, order)


def _cut(
    pairs: Sequence[NeutralPair], protected: frozenset[str], quota: int, order: Sequence[Strategy]
) -> frozenset[str]:
    """The keys that are left when the last pairs go, from the most frequent strategy each time, but no protected ones.

    Of strategies with as many pairs the last one in `order` loses one, so that the first draws remain.
    """
    counts = {strategy: sum(pair.strategy is strategy for pair in pairs) for strategy in order}
    free = {
        strategy: [pair.key for pair in pairs if pair.strategy is strategy and pair.key not in protected]
        for strategy in order
    }
    gone: set[str] = set()
    for _ in range(len(pairs) - quota):
        strategy = max((one for one in reversed(order) if free[one]), key=counts.__getitem__)
        gone.add(free[strategy].pop())
        counts[strategy] -= 1
    return frozenset(pair.key for pair in pairs) - gone


def kept_pairs(mined: MinedPaper, settings: MiningSettings) -> tuple[Pair, ...]:
    """The pairs that a mined paper keeps if no other paper has the same ones."""
    linked = sum(pair.strategy is Strategy.LINKED for pair in mined.pairs)
    drawn = [NeutralPair(pair.key, pair.strategy) for pair in mined.pairs if pair.strategy in NEUTRAL_STRATEGIES]
    extra = [NeutralPair(pair.key, pair.strategy) for pair in mined.extra]
    staying = within_quota(drawn, extra, mined.annotated, max_neutrals(linked, settings))
    pairs = (*mined.pairs, *mined.extra)
    return tuple(pair for pair in pairs if pair.strategy not in NEUTRAL_STRATEGIES or pair.key in staying)
