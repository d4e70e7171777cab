"""Assigns papers, or groups of pairs, to train, dev and test: by share, evenly in every domain, or by year."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import repeat
from types import MappingProxyType

from miner.errors import UserError
from miner.year_ranges import SPLITS, YearRange, find_range, ranges_by_domain

__all__ = [
    "SPLITS",
    "assign_splits",
    "assign_splits_by_size",
    "assign_splits_by_year",
    "divide",
    "random_order",
    "random_rank",
]

_NONE: Mapping[str, str] = MappingProxyType({})


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
