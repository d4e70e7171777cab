"""Papers, or groups of pairs, to train, dev and test: whole ones, by share, every domain alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

from miner.errors import UserError

SPLITS = ("train", "dev", "test")


def assign_splits(papers: Sequence[tuple[str, str]], shares: Mapping[str, float], *, seed: int) -> dict[str, str]:
    """MD5 to split, for papers given as (MD5, domain) in any order.

    How many papers a split gets is exact by largest remainder; within each domain it is off by less than two papers a
    split. Papers are drawn by a hash of seed and MD5, so the same papers fall the same way on any machine.
    `UserError` when no share is positive, or one is negative.
    """
    drawn = sorted(papers, key=lambda paper: (paper[1], draw(paper[0], seed=seed)))
    md5s = [md5 for md5, _ in drawn]
    return dict(zip(md5s, deal((1 for _ in md5s), len(md5s), shares), strict=True))


def draw(name: str, *, seed: int) -> bytes:
    """Where something of this name comes in a random order."""
    return blake2b(f"{seed}\0{name}".encode()).digest()


def deal(sizes: Iterable[int], total: int, shares: Mapping[str, float]) -> Iterator[str]:
    """A split for each of the things of these sizes, in their order; `total` is the sum of the sizes.

    The split that lags most behind its share takes the next one: so every run of them, a domain's too, is shared out in
    proportion, and in the end no split lags by more than a thing's size. `UserError` as for `assign_splits`.
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
