"""Splits of whole papers: exact shares, every domain alike, the same on any machine."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.errors import UserError
from miner.splits import assign_splits

SHARES = {"train": 80.0, "dev": 10.0, "test": 10.0}


@given(st.dictionaries(st.text(min_size=1), st.sampled_from("abc"), max_size=60), st.integers())
def test_sizes_are_exact_and_domains_are_off_by_less_than_two(domains: dict[str, str], seed: int) -> None:
    splits = assign_splits(list(domains.items()), SHARES, seed=seed)
    assert splits.keys() == domains.keys()
    sizes = Counter(splits.values())
    for split, share in SHARES.items():
        assert abs(sizes[split] - len(domains) * share / 100) < 1
        for domain in "abc":
            papers = [md5 for md5 in domains if domains[md5] == domain]
            wanted = len(papers) * sizes[split] / max(1, len(domains))
            assert abs(sum(splits[md5] == split for md5 in papers) - wanted) < 2


def test_ten_papers_of_one_domain_by_hand() -> None:
    # 10 x .75, .15, .1 = 7.5, 1.5, 1.0: whole 7, 1, 1; of the two halves the first gets the tenth
    splits = assign_splits([(f"{n:02}", "x") for n in range(10)], {"train": 75, "dev": 15, "test": 10}, seed=1)
    assert Counter(splits.values()) == {"train": 8, "dev": 1, "test": 1}


def test_the_order_of_the_papers_does_not_matter_but_the_seed_does() -> None:
    papers = [(f"{n:02}", "xy"[n % 2]) for n in range(40)]
    one = assign_splits(papers, SHARES, seed=1)
    assert assign_splits(papers[::-1], SHARES, seed=1) == one
    assert assign_splits(papers, SHARES, seed=2) != one


@pytest.mark.parametrize("shares", [{}, {"train": 0.0}, {"train": 2.0, "test": -1.0}])
def test_shares_that_make_no_sense_are_refused(shares: dict[str, float]) -> None:
    with pytest.raises(UserError, match="positive"):
        assign_splits([("a", "x")], shares, seed=1)


@given(
    st.dictionaries(st.text(min_size=1), st.sampled_from("abc"), max_size=40),
    st.dictionaries(st.text(min_size=1), st.sampled_from("abc"), max_size=40),
    st.integers(),
)
def test_later_papers_never_move_an_earlier_one(earlier: dict[str, str], later: dict[str, str], seed: int) -> None:
    released = assign_splits(list(earlier.items()), SHARES, seed=seed)
    both = assign_splits(list((later | earlier).items()), SHARES, seed=seed + 1, fixed=released)
    assert released.items() <= both.items()
    assert both.keys() == (later | earlier).keys()


def test_papers_that_come_one_by_one_reach_every_split() -> None:
    splits: dict[str, str] = {}
    for number in range(100):
        splits = assign_splits([(f"{n:02}", "x") for n in range(number + 1)], SHARES, seed=1, fixed=splits)
    assert Counter(splits.values()) == {"train": 80, "dev": 10, "test": 10}
