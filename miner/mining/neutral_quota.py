"""How many neutral pairs a paper gets, and which pairs are left out where there are more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from miner.mining.settings import MiningSettings
from miner.records import NEUTRAL_STRATEGIES, DropReason, Funnel, MinedPaper, Strategy

OVER_QUOTA = "over_quota"  # why a pair is dropped that is none of the first ones


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
    """The keys of the pairs that a paper keeps, at most `quota`.

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
        strategy = max((name for name in reversed(order) if free[name]), key=counts.__getitem__)
        gone.add(free[strategy].pop())
        counts[strategy] -= 1
    return frozenset(pair.key for pair in pairs) - gone


def with_annotated(mined: MinedPaper, settings: MiningSettings) -> MinedPaper:
    """The mined paper after drawn pairs gave way to its annotated ones, as if no other paper had one of its pairs.

    `refused` then says also of which annotated pairs there are too many.
    """
    linked = sum(pair.strategy is Strategy.LINKED for pair in mined.pairs)
    drawn = [NeutralPair(pair.key, pair.strategy) for pair in mined.pairs if pair.strategy in NEUTRAL_STRATEGIES]
    extra = [NeutralPair(pair.key, pair.strategy) for pair in mined.extra]
    staying = within_quota(drawn, extra, mined.annotated, max_neutrals(linked, settings))
    others = {pair.key for pair in (*drawn, *extra)} - staying
    return replace(
        mined,
        pairs=tuple(pair for pair in (*mined.pairs, *mined.extra) if pair.key not in others),
        funnel=count_staying(mined.funnel, drawn, extra, staying),
        extra=(),
        refused={**mined.refused, **dict.fromkeys(others & mined.annotated, OVER_QUOTA)},
    )


def count_staying(
    funnel: Funnel, drawn: Sequence[NeutralPair], extra: Sequence[NeutralPair], staying: Collection[str]
) -> Funnel:
    """The funnel that counted `drawn` but not `extra`, when of both only some stay: extra ones that go never count."""
    dropped = Counter(DropReason(pair.strategy, OVER_QUOTA) for pair in drawn if pair.key not in staying)
    added = Counter(pair.strategy for pair in extra if pair.key in staying)
    candidates, kept = (Counter(counts) + added for counts in (funnel.candidates, funnel.kept))
    return with_dropped(Funnel(dict(candidates), dict(kept), funnel.dropped), dropped)


def with_dropped(funnel: Funnel, dropped: Counter[DropReason]) -> Funnel:
    """The funnel after some of the kept pairs were dropped."""
    if not dropped:
        return funnel
    kept = Counter(funnel.kept)
    for drop, count in dropped.items():
        kept[drop.strategy] -= count
    return replace(funnel, kept=dict(kept), dropped=dict(Counter(funnel.dropped) + dropped))
