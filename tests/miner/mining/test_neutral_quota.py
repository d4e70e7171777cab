"""Which neutral pairs stay: the quota, equal parts, and annotated pairs before others."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.mining.neutral_quota import NeutralPair, max_neutrals, within_quota
from miner.mining.settings import MiningSettings
from miner.records import NEUTRAL_STRATEGIES, Strategy

BOTH, FIRST, SECOND = NEUTRAL_STRATEGIES
ORDER = (FIRST, SECOND, BOTH)


def alternating(count: int) -> list[NeutralPair]:
    return [NeutralPair(f"drawn {number}", ORDER[number % 3]) for number in range(count)]


@pytest.mark.parametrize(
    ("linked", "ratio", "wanted"), [(0, 1, 0), (1, 1, 0), (2, 1, 1), (4, 1, 1), (5, 1, 2), (9, 0.5, 2)]
)
def test_as_many_as_a_mean_linked_class(linked: int, ratio: float, wanted: int) -> None:
    assert max_neutrals(linked, MiningSettings(neutral_ratio=ratio)) == wanted


def test_a_smaller_quota_keeps_the_first_draws() -> None:
    drawn = alternating(10)
    for quota in range(11):
        assert within_quota(drawn, [], set(), quota) == {pair.key for pair in drawn[:quota]}


def test_an_annotated_pair_replaces_the_last_draw_and_the_parts_stay_equal() -> None:
    drawn, extra = alternating(6), [NeutralPair("answered", SECOND)]
    # FIRST 0 and 3, SECOND 1 and 4, BOTH 2 and 5: the second pair of SECOND gives way.
    staying = within_quota(drawn, extra, {"answered"}, 6)
    assert staying == {"drawn 0", "drawn 1", "drawn 2", "drawn 3", "drawn 5", "answered"}
    # It is annotated as well: then the first one does; then no other of its strategy is left, so one of BOTH does.
    assert "drawn 1" not in within_quota(drawn, extra, {"answered", "drawn 4"}, 6)
    assert "drawn 5" not in within_quota(drawn, extra, {"answered", "drawn 1", "drawn 4"}, 6)


def test_more_annotated_pairs_than_the_quota_are_cut_evenly() -> None:
    extra = [NeutralPair(f"answered {number}", SECOND if number else BOTH) for number in range(4)]
    staying = within_quota(alternating(2), extra, {pair.key for pair in extra}, 2)
    assert staying == {"answered 0", "answered 1"}


pairs = st.lists(st.sampled_from(NEUTRAL_STRATEGIES), max_size=9)


@given(pairs, pairs, st.data())
def test_what_stays_follows_from_the_annotated_pairs_that_stay(
    drawn_by: list[Strategy], extra_by: list[Strategy], data: st.DataObject
) -> None:
    drawn = [NeutralPair(f"drawn {number}", strategy) for number, strategy in enumerate(drawn_by)]
    extra = [NeutralPair(f"extra {number}", strategy) for number, strategy in enumerate(extra_by)]
    keys = sorted(pair.key for pair in (*drawn, *extra))
    some = st.sets(st.sampled_from(keys)) if keys else st.just(set[str]())
    annotated = data.draw(some) | {pair.key for pair in extra}
    quota = data.draw(st.integers(0, len(drawn)))
    staying = within_quota(drawn, extra, annotated, quota)
    assert len(staying) == quota
    assert len(staying & annotated) == min(quota, len(annotated))
    # Others that stay were annotated later; those that left are no longer spoken of: a rebuild.
    later = (annotated | data.draw(some)) & staying
    still_extra = [pair for pair in extra if pair.key in later]
    assert within_quota(drawn, still_extra, later, quota) == staying
    counts = Counter(pair.strategy for pair in drawn if pair.key in within_quota(drawn, [], set(), quota))
    most = Counter(drawn_by)
    assert all(counts[one] + 1 >= counts[other] for one in most for other in most if counts[one] < most[one])
