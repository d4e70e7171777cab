"""Papers to train, dev and test: whole papers, by share, every domain alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from miner.errors import UserError

SPLITS = ("train", "dev", "test")


def assign_splits(papers: Sequence[tuple[str, str]], shares: Mapping[str, float], *, seed: int) -> dict[str, str]:
    """MD5 to split, for papers given as (MD5, domain) in any order.

    How many papers a split gets is exact by largest remainder; within each domain it is off by less than two papers a
    split. Papers are drawn by a hash of seed and MD5, so the same papers fall the same way on any machine.
    `UserError` when no share is positive, or one is negative.
    """
    if not shares or min(shares.values()) < 0 or sum(shares.values()) <= 0:
        raise UserError("The shares of a split must be positive numbers.", hint="For example 80, 10 and 10.")
    sizes = _sizes(len(papers), shares)
    given = dict.fromkeys(sizes, 0)
    splits: dict[str, str] = {}
    drawn = sorted(papers, key=lambda paper: (paper[1], blake2b(f"{seed}\0{paper[0]}".encode()).digest()))
    for place, (md5, _) in enumerate(drawn, start=1):
        # The split that lags most behind its size takes the next paper: so every run of papers, a domain's too, is
        # shared out in proportion, and in the end no split lags.
        split = max(sizes, key=lambda name: sizes[name] * place - given[name] * len(papers))
        given[split] += 1
        splits[md5] = split
    return splits


def _sizes(papers: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Whole numbers in proportion to the shares, by largest remainder; the earlier split wins a tie."""
    total = sum(shares.values())
    exact = {split: papers * share / total for split, share in shares.items()}
    sizes = {split: int(size) for split, size in exact.items()}
    by_remainder = sorted(exact, key=lambda split: sizes[split] - exact[split])
    for split in by_remainder[: papers - sum(sizes.values())]:
        sizes[split] += 1
    return sizes
