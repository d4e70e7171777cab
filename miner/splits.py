"""Assigns papers, or groups of pairs, to train, dev and test by share, evenly in every domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

from miner.errors import UserError

SPLITS = ("train", "dev", "test")


def assign_splits(papers: Sequence[tuple[str, str]], shares: Mapping[str, float], *, seed: int) -> dict[str, str]:
    """The split of each paper, by MD5. Papers are (MD5, domain) tuples in any order; `shares` need not sum to 1.

    The sizes of the splits are exact (largest remainder). Within each domain a split differs from its share by less
    than two papers. Papers are ordered by a hash of seed and MD5, so the result is the same on every machine.
    `UserError` when no share is positive, or one is negative.

    >>> papers = [(f"{number:032x}", "physics" if number < 4 else "biology") for number in range(10)]
    >>> splits = assign_splits(papers, {"train": 80, "dev": 10, "test": 10}, seed=0)
    >>> sorted(splits.values())
    ['dev', 'test', 'train', 'train', 'train', 'train', 'train', 'train', 'train', 'train']
    >>> splits == assign_splits(papers[::-1], {"train": 0.8, "dev": 0.1, "test": 0.1}, seed=0)
    True
    """
    ordered = sorted(papers, key=lambda paper: (paper[1], random_order(paper[0], seed=seed)))
    md5s = [md5 for md5, _ in ordered]
    return dict(zip(md5s, assign_splits_by_size((1 for _ in md5s), len(md5s), shares), strict=True))


def random_order(name: str, *, seed: int) -> bytes:
    """A sort key that puts names in a random order; the seed determines the order."""
    return blake2b(f"{seed}\0{name}".encode()).digest()


def assign_splits_by_size(sizes: Iterable[int], total: int, shares: Mapping[str, float]) -> Iterator[str]:
    """The split of each item, in order; items have these sizes, and `total` is their sum.

    Each item goes to the split that is furthest below its share. So every run of consecutive items, such as a domain,
    is divided in proportion, and no split ends further from its share than the size of one item. `UserError` as
    `assign_splits`.

    >>> list(assign_splits_by_size([3, 1, 1, 1], 6, {"train": 50, "test": 50}))
    ['train', 'test', 'test', 'test']
    """
    if not shares or min(shares.values()) < 0 or sum(shares.values()) <= 0:
        raise UserError("The shares of a split must be positive numbers.", hint="For example 80, 10 and 10.")
    quotas = _quotas(total, shares)
    assigned = dict.fromkeys(quotas, 0)
    handled = 0
    for size in sizes:
        handled += size
        split = max(quotas, key=lambda name: quotas[name] * handled - assigned[name] * total)
        assigned[split] += size
        yield split


def _quotas(total: int, shares: Mapping[str, float]) -> dict[str, int]:
    """`total` divided into whole numbers in proportion to the shares, by largest remainder."""
    whole = sum(shares.values())
    exact = {split: total * share / whole for split, share in shares.items()}
    quotas = {split: int(size) for split, size in exact.items()}
    by_remainder = sorted(exact, key=lambda split: quotas[split] - exact[split])
    for split in by_remainder[: total - sum(quotas.values())]:
        quotas[split] += 1
    return quotas
