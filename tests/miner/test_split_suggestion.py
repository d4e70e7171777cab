"""What dev and test want: enough pairs of the rarest class, and a paper each wherever there are three."""

from __future__ import annotations

from collections import Counter
from hashlib import md5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.records import Label
from miner.split_suggestion import DomainSuggestion, PaperYield, expected_gold, suggest_split
from miner.splits import PaperSplit, PaperSplitter
from miner.year_ranges import YearRange

TARGETS = st.integers(0, 300)


def papers(number: int, first: int = 0, domain: str = "nlp", each: int = 4) -> list[PaperYield]:
    pairs = dict.fromkeys(map(str, Label), each)
    return [
        PaperYield(md5(bytes([n % 256, n // 256])).hexdigest(), domain, pairs) for n in range(first, first + number)
    ]


def assigned(found: DomainSuggestion, given: list[PaperYield], seed: int) -> Counter[str]:
    """The papers of each split, as the shares of the suggestion assign them."""
    splitter = PaperSplitter(PaperSplit((YearRange(found.domain, found.shares),), seed))
    return Counter(splitter.split_of(one.md5, one.domain, None) or "none" for one in given)


@given(number=st.integers(1, 40), first=st.integers(0, 60_000), dev=TARGETS, test=TARGETS, seed=st.integers(0, 9))
def test_each_split_with_a_target_has_a_paper_where_one_is_left_for_train(
    number: int, first: int, dev: int, test: int, seed: int
) -> None:
    of = papers(number, first % 60_000)
    [found] = suggest_split(of, dev, test, {}, seed=seed)
    wanted = [split for split, target in (("dev", dev), ("test", test)) if target]
    assert found.papers.items() >= assigned(found, of, seed).items()
    assert sum(found.papers.values()) == number
    assert found.papers["train"] >= 1
    assert found.has_too_few_papers == (bool(wanted) and number <= len(wanted))
    for split in ("dev", "test"):
        assert bool(found.papers[split]) == (split in wanted and not found.has_too_few_papers)
    held_out = number - found.papers["train"]
    assert held_out <= max(0.6 * number, len(wanted))


@pytest.mark.parametrize(("number", "expected"), [(1, (1, 0, 0)), (2, (2, 0, 0)), (3, (1, 1, 1)), (4, (2, 1, 1))])
def test_few_papers_are_divided_as_far_as_they_go(number: int, expected: tuple[int, int, int]) -> None:
    [found] = suggest_split(papers(number), 50, 200, {}, seed=1)
    assert tuple(found.papers.values()) == expected
    assert found.has_too_few_papers == (number < 3)
    assert {one.split for one in found.shortages} == {"dev", "test"}


def test_shares_have_no_more_digits_than_tell_the_papers_apart() -> None:
    [found] = suggest_split(papers(5), 50, 200, {}, seed=1)
    assert all(share == round(share) for _, share in found.shares)


def test_domains_that_differ_in_capitals_alone_are_one() -> None:
    [found] = suggest_split([*papers(3, domain="NLP"), *papers(3, 3)], 50, 200, {}, seed=1)
    assert (found.domain, sum(found.papers.values())) == ("NLP", 6)


def test_gold_pairs_are_expected_by_the_share_that_is_accepted() -> None:
    assert expected_gold(25, 0.9) == 22
