"""Assigning papers, or groups of pairs, to train, dev and test by share, evenly in every domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

from miner.errors import UserError

SPLITS = ("train", "dev", "test")


def assign_splits(papers: Sequence[tuple[str, str]], shares: Mapping[str, float], *, seed: int) -> dict[str, str]:
    """The split of each paper, by MD5; papers are (MD5, domain), in any order.

    How many papers a split gets is exact by largest remainder; within each domain it is off by less than two papers a
    split. Papers are drawn by a hash of seed and MD5, so the same papers fall the same way on any machine.
    `UserError` when no share is positive, or one is negative.
    """
    drawn = sorted(papers, key=lambda paper: (paper[1], random_order(paper[0], seed=seed)))
    md5s = [md5 for md5, _ in drawn]
    return dict(zip(md5s, deal_splits((1 for _ in md5s), len(md5s), shares), strict=True))


def random_order(name: str, *, seed: int) -> bytes:
    """Sort key of a name for a random order, which the seed determines."""
    return blake2b(f"{seed}\0{name}".encode()).digest()


def deal_splits(sizes: Iterable[int], total: int, shares: Mapping[str, float]) -> Iterator[str]:
    """A split for each item of these sizes, in order; `total` is the sum of the sizes.

    The next item goes to the split that is furthest below its share. So the items of any interval, of a domain too, are
    shared proportionally, and in the end no split misses more than one item's size. `UserError` as `assign_splits`.
    """
    if not shares or min(shares.values()) < 0 or sum(shares.values()) <= 0:
        raise UserError("The shares of a split must be positive numbers.", hint="For example 80, 10 and 10.")
    quotas = _quotas(total, shares)
    given = dict.fromkeys(quotas, 0)
    place = 0
    for size in sizes:
        place += size
        split = max(quotas, key=lambda name: quotas[name] * place - given[name] * total)
        given[split] += size
        yield split


def _quotas(total: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Whole numbers in proportion to the shares, by largest remainder; the earlier split wins a tie."""
    whole = sum(shares.values())
    exact = {split: total * share / whole for split, share in shares.items()}
    quotas = {split: int(size) for split, size in exact.items()}
    by_remainder = sorted(exact, key=lambda split: quotas[split] - exact[split])
    for split in by_remainder[: total - sum(quotas.values())]:
        quotas[split] += 1
    return quotas
