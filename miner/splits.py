"""Which papers are for training, for development and for testing.

A project has one split of its papers, `PaperSplit`, in which each paper is assigned by itself. A single export of a
project without one assigns papers, or groups of pairs, with exact shares (`assign_splits` and the like).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import repeat
from types import MappingProxyType

from miner.errors import UserError
from miner.journals import journal_stem
from miner.year_ranges import OTHER_DOMAINS, SPLITS, YearRange, check_year_ranges, find_range, ranges_by_domain

__all__ = [
    "HELD_OUT",
    "SPLITS",
    "PaperSplit",
    "PaperSplitter",
    "assign_splits",
    "assign_splits_by_size",
    "assign_splits_by_year",
    "divide",
    "paper_rank",
    "random_order",
    "random_rank",
    "shares_split",
]

_NONE: Mapping[str, str] = MappingProxyType({})

HELD_OUT = ("test", "dev")
"""The splits that no model learns from; the first one keeps what both claim."""


@dataclass(frozen=True, slots=True)
class PaperSplit:
    """How the papers of a project are split.

    Each paper is assigned as a whole and by itself, so that later papers move none. ranges: the shares of the splits by
    domain, or by domain and years (MSciNLI, A.1); without any, only the papers that `named`, releases and imported data
    sets assign have a split. seed: which papers a share means. named: the splits of papers that somebody chose, by MD5.
    rest: the split of papers that nothing else assigns, such as papers without a year where the ranges are of years;
    None if these have no split. keep_released: what a release has stays in its split, whatever the ranges say.
    whole_journals: the papers of a journal, however it is spelled, are drawn together, and so are those of journals
    that can be abbreviated alike (`miner.journals.journal_stem`); those without one each by itself.

    ValueError if two ranges of a domain overlap, or a split has another name.
    """

    ranges: tuple[YearRange, ...] = ()
    seed: int = 1
    named: tuple[tuple[str, str], ...] = ()
    rest: str | None = None
    keep_released: bool = True
    whole_journals: bool = False

    def __post_init__(self) -> None:
        if not {self.rest or "train", *(split for _, split in self.named)} <= set(SPLITS):
            raise ValueError("splits are train, dev and test")
        if not 0 <= self.seed < 2**53:
            raise ValueError("seed must be from 0 to 2^53")
        try:
            if self.ranges:
                check_year_ranges(self.ranges)
        except UserError as exc:
            raise ValueError(str(exc)) from None

    def has_years(self) -> bool:
        """Whether papers are split by their years."""
        return any(not years.is_of_all_years for years in self.ranges)


class PaperSplitter:
    """Assigns papers one by one."""

    def __init__(self, split: PaperSplit) -> None:
        self._split = split
        self._named = dict(split.named)
        self._by_domain = ranges_by_domain(split.ranges)

    def split_of(self, identity: str, domain: str, year: int | None, journal: str = "") -> str | None:
        """The split of a paper with this MD5, or of an imported pair without a paper; None if it has none.

        It depends on nothing but the paper and the `PaperSplit`. A larger share takes papers from train alone.

        >>> splitter = PaperSplitter(shares_split(60, 20, 20))
        >>> [splitter.split_of(f"{number:032x}", "physics", None) for number in range(5)]
        ['dev', 'train', 'dev', 'test', 'train']
        """
        if (chosen := self._named.get(identity)) is not None:
            return chosen
        found = find_range(self._by_domain, domain, year)
        drawn = (self._split.whole_journals and journal_stem(journal)) or identity
        return self._split.rest if found is None else _draw(dict(found.shares), drawn, self._split.seed)


def shares_split(train: float, dev: float, test: float, *, seed: int = 1) -> PaperSplit:
    """The split by these shares, in every domain alike; they need not sum to 1. `UserError` if they are no shares."""
    try:
        shares = (("train", float(train)), ("dev", float(dev)), ("test", float(test)))
        return PaperSplit((YearRange(OTHER_DOMAINS, shares),), seed)
    except ValueError:
        raise UserError("The shares of a split must be positive numbers.", hint="For example 70/10/20.") from None


def paper_rank(identity: str, *, seed: int) -> float:
    """Where the seed places a paper, from 0.0 to 1.0. Test papers have the lowest places, dev papers the highest ones.

    >>> paper_rank("a", seed=1) == paper_rank("a", seed=1) != paper_rank("a", seed=2)
    True
    """
    return (random_rank(identity, seed=seed) >> 11) / 2**53


def _draw(shares: Mapping[str, float], identity: str, seed: int) -> str:
    total, place = sum(shares.values()), paper_rank(identity, seed=seed)
    test, dev, train = (shares.get(split, 0.0) / total for split in ("test", "dev", "train"))
    if place < test or not (dev or train):
        return "test"
    return "dev" if place >= 1 - dev or not train else "train"


def assign_splits(
    papers: Sequence[tuple[str, str]], shares: Mapping[str, float], *, seed: int, fixed: Mapping[str, str] = _NONE
) -> dict[str, str]:
    """The split of each paper, by MD5. Papers are (MD5, domain) tuples in any order; `shares` need not sum to 1.

    The sizes of the splits are exact (largest remainder). Within each domain a split differs from its share by less
    than two papers. Papers are ordered by a hash of seed and MD5, so the result is the same on every machine.
    `UserError` when no share is positive, or one is negative.

    fixed: the splits of papers that must stay where they are; the others are assigned so that all papers together come
    as near to the shares as they can.

    >>> papers = [(f"{number:032x}", "physics" if number < 4 else "biology") for number in range(10)]
    >>> splits = assign_splits(papers, {"train": 80, "dev": 10, "test": 10}, seed=0)
    >>> sorted(splits.values())
    ['dev', 'test', 'train', 'train', 'train', 'train', 'train', 'train', 'train', 'train']
    >>> splits == assign_splits(papers[::-1], {"train": 0.8, "dev": 0.1, "test": 0.1}, seed=0)
    True
    """
    ordered = sorted(papers, key=lambda paper: (paper[1], paper[0] not in fixed, random_order(paper[0], seed=seed)))
    md5s = [md5 for md5, _ in ordered]
    splits = assign_splits_by_size((1 for _ in md5s), len(md5s), shares, fixed=map(fixed.get, md5s))
    return dict(zip(md5s, splits, strict=True))


def assign_splits_by_year(
    papers: Sequence[tuple[str, str, int | None]],
    ranges: Sequence[YearRange],
    *,
    seed: int,
    fixed: Mapping[str, str] = _NONE,
) -> dict[str, str]:
    """The split of each paper, by MD5, from its domain and year; papers are (MD5, domain, year) in any order.

    The papers of a range are divided by its shares, as `assign_splits` does. Papers without a year, and those in no
    range, are missing from the result, unless they are `fixed`.

    >>> ranges = [YearRange("nlp", (("train", 1.0),), 2000, 2018), YearRange("nlp", (("test", 1.0),), 2019, 2019)]
    >>> papers = [("a", "nlp", 2003), ("b", "nlp", 2019), ("c", "nlp", 2020), ("d", "nlp", None)]
    >>> assign_splits_by_year(papers, ranges, seed=1)
    {'a': 'train', 'b': 'test'}
    """
    by_domain = ranges_by_domain(ranges)
    found = {md5: fixed[md5] for md5, _, _ in papers if md5 in fixed}
    of_range: dict[YearRange, list[tuple[str, str]]] = {}
    for md5, domain, year in papers:
        if year is not None and (own := find_range(by_domain, domain, year)) is not None:
            of_range.setdefault(own, []).append((md5, domain))
    for own, members in of_range.items():
        found |= assign_splits(members, dict(own.shares), seed=seed, fixed=fixed)
    return found


def random_order(name: str, *, seed: int) -> bytes:
    """A sort key that puts names in a random order; the seed determines the order."""
    return blake2b(f"{seed}\0{name}".encode()).digest()


def random_rank(name: str, *, seed: int) -> int:
    """As `random_order`, but a number below 2**64, for millions of names."""
    return int.from_bytes(random_order(name, seed=seed)[:8])


def assign_splits_by_size(
    sizes: Iterable[int], total: int, shares: Mapping[str, float], *, fixed: Iterable[str | None] = repeat(None)
) -> Iterator[str]:
    """The split of each item, in order; items have these sizes, and `total` is their sum.

    Each item goes to the split that is furthest below its share. So every run of consecutive items, such as a domain,
    is divided in proportion, and no split ends further from its share than the size of one item. `UserError` as
    `assign_splits`. fixed: for each item the split that it has already, or None.

    >>> list(assign_splits_by_size([3, 1, 1, 1], 6, {"train": 50, "test": 50}))
    ['train', 'test', 'test', 'test']
    """
    if not shares or min(shares.values()) < 0 or sum(shares.values()) <= 0:
        raise UserError("The shares of a split must be positive numbers.", hint="For example 80, 10 and 10.")
    quotas = divide(total, shares)
    assigned = dict.fromkeys(quotas, 0)
    handled = 0
    for size, given in zip(sizes, fixed, strict=False):
        handled += size
        split = given or max(quotas, key=lambda name: quotas[name] * handled - assigned[name] * total)
        assigned[split] = assigned.get(split, 0) + size
        yield split


def divide(total: int, shares: Mapping[str, float]) -> dict[str, int]:
    """`total` divided into whole numbers in proportion to the shares, by largest remainder.

    >>> divide(10, {"next": 2, "first": 1})
    {'next': 7, 'first': 3}
    """
    whole = sum(shares.values())
    exact = {split: total * share / whole for split, share in shares.items()}
    quotas = {split: int(size) for split, size in exact.items()}
    by_remainder = sorted(exact, key=lambda split: quotas[split] - exact[split])
    for split in by_remainder[: total - sum(quotas.values())]:
        quotas[split] += 1
    return quotas
