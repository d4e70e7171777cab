"""Ranges of years: what people write is read, and what cannot be meant is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.errors import UserError
from miner.splits import assign_splits_by_year
from miner.year_ranges import OTHER_DOMAINS, YearRange, find_gaps, read_year_ranges, year_ranges_text

MSCINLI = ["neurips: train 2000-2018, dev+test 2019", "acm: train 2000–2014, dev 36% + test 64% 2015-2017"]


def test_the_ranges_of_mscinli_are_read() -> None:
    assert read_year_ranges(MSCINLI) == (
        YearRange("neurips", (("train", 1.0),), 2000, 2018),
        YearRange("neurips", (("dev", 1.0), ("test", 1.0)), 2019, 2019),
        YearRange("acm", (("train", 1.0),), 2000, 2014),
        YearRange("acm", (("dev", 36.0), ("test", 64.0)), 2015, 2017),
    )


def test_what_is_read_is_written_alike() -> None:
    lines = [*MSCINLI, "# the others", "", "train -2018, test 2019-"]
    ranges = read_year_ranges(lines)
    assert ranges[-1].domain == OTHER_DOMAINS
    assert read_year_ranges(year_ranges_text(ranges).splitlines()) == ranges


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nlp: 2000-2018", "which years"),
        ("nlp: train 20-2018", "which years"),
        ("nlp: dev 36% + test 60% 2019", "96 %, not to 100 %"),
        ("nlp: dev 36% + test 2019", "others none"),
        ("nlp: validation 2019", "no split validation"),
        ("nlp: train 2018-2000", "ends before it begins"),
        ("nlp: dev + dev 2019", "needs splits"),
        ("nlp: train 2000-2018, test 2018-2019", "nlp overlap: train 2000-2018 and test 2018-2019"),
        ("train 2000-, test 2018", "other domains overlap"),
        ("train -2018, test -2017", "overlap"),
        ("# nothing", "No years"),
    ],
)
def test_what_cannot_be_meant_is_said(line: str, problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        read_year_ranges([line])


def test_two_lines_of_a_domain_are_checked_together() -> None:
    with pytest.raises(UserError, match="overlap"):
        read_year_ranges(["NLP: train 2000-2018", "nlp: test 2018"])


def test_years_between_the_ranges_are_found() -> None:
    ranges = read_year_ranges(["a: test 2019, train 2000-2014", "b: train -2018, test 2019-"])
    assert find_gaps(ranges) == [("a", 2015, 2018)]


PAPERS = st.dictionaries(
    st.text("0123456789abcdef", min_size=4, max_size=4),
    st.tuples(st.sampled_from(["neurips", "ACM", "law"]), st.none() | st.integers(1998, 2020)),
    max_size=60,
)


@given(PAPERS, st.integers(0, 9))
def test_each_paper_is_where_its_year_says(papers: dict[str, tuple[str, int | None]], seed: int) -> None:
    ranges = read_year_ranges(MSCINLI)
    rows = [(md5, domain, year) for md5, (domain, year) in papers.items()]
    splits = assign_splits_by_year(rows, ranges, seed=seed)
    for md5, domain, year in rows:
        own = [one for one in ranges if one.domain == domain.casefold() and year is not None and one.has(year)]
        assert splits.get(md5) in ([name for name, _ in own[0].shares] if own else [None])
    held_out = [md5 for md5, domain, year in rows if domain == "ACM" and year in (2015, 2016, 2017)]
    assert abs(sum(splits[md5] == "dev" for md5 in held_out) - 0.36 * len(held_out)) < 1


@given(PAPERS, PAPERS, st.integers(0, 9))
def test_later_papers_never_move_an_earlier_one(
    papers: dict[str, tuple[str, int | None]], later: dict[str, tuple[str, int | None]], seed: int
) -> None:
    ranges = read_year_ranges([*MSCINLI, "train -2018, test 2019-"])
    first = assign_splits_by_year([(md5, *rest) for md5, rest in papers.items()], ranges, seed=seed)
    both = [(md5, *rest) for md5, rest in {**later, **papers}.items()]
    assert first.items() <= assign_splits_by_year(both, ranges, seed=seed + 1, fixed=first).items()
