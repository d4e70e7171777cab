"""Which mined pairs a paper keeps, once the papers before it are known: no duplicates, and neutral pairs by quota.

Papers are settled in order of identity. A paper's result depends only on the papers before it that share a pair with
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from miner.mining.neutral_quota import NeutralPair, count_staying, with_dropped, within_quota
from miner.records import NEUTRAL_STRATEGIES, DropReason, Funnel, Label, Strategy

DUPLICATE = "duplicate"  # why a pair is dropped that another paper, or a data set, has too

Row = TypeVar("Row", bound=Mapping[str, Any])
"""The values of a pair, by `miner.mining.pair_values`: key, strategy and distant_label are read here."""


def without_duplicates(
    rows: Sequence[Row], extra: Sequence[Row], funnel: Funnel, is_new: Callable[[Row], bool]
) -> tuple[list[Row], list[Row], Funnel]:
    """The rows and the extra rows that are not duplicates, and the funnel of the remaining pairs.

    `is_new` is asked once for each row and remembers those that it lets pass: linked pairs first, then annotated extra
    ones, then drawn neutral ones.
    """
    neutral = [row for row in rows if is_neutral(row)]
    unique = [row for row in rows if not is_neutral(row) and is_new(row)]
    unique_extra = list(filter(is_new, extra))
    unique += filter(is_new, neutral)
    kept = {row["key"] for row in unique}
    dropped = Counter(DropReason(Strategy(row["strategy"]), DUPLICATE) for row in rows if row["key"] not in kept)
    return unique, unique_extra, with_dropped(funnel, dropped)


def without_surplus(
    rows: Sequence[Row],
    extra: Sequence[Row],
    annotated: Collection[str],
    funnel: Funnel,
    quota: Callable[[Mapping[Label, int]], int],
) -> tuple[list[Row], Funnel]:
    """The rows without neutral pairs over the quota, which gets the counts of linked pairs by label, and the funnel.

    Extra rows that stay come last, and are counted.
    """
    linked = Counter(Label(row["distant_label"]) for row in rows if row["strategy"] == Strategy.LINKED.value)
    drawn, extra_pairs = (
        [NeutralPair(row["key"], Strategy(row["strategy"])) for row in some if is_neutral(row)]
        for some in (rows, extra)
    )
    staying = within_quota(drawn, extra_pairs, annotated, quota(linked))
    kept_rows = [row for row in (*rows, *extra) if not is_neutral(row) or row["key"] in staying]
    return kept_rows, count_staying(funnel, drawn, extra_pairs, staying)


def is_neutral(row: Mapping[str, Any]) -> bool:
    """Whether the pair was drawn as a neutral one."""
    return row["strategy"] in NEUTRAL_STRATEGIES
