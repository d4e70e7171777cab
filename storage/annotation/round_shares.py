"""How the pairs of a round that asks for kinds are shared out: evenly among classes and domains, then annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from miner.records import Label
from miner.splits import random_order
from storage.annotation.annotation_rounds import RoundAsks, RoundPlan

Share = TypeVar("Share", bound=Hashable)

StratumKey = tuple[str, str, str]
"""Split ("" where a round does not tell them apart), domain and class."""


def asked_pairs(plan: RoundPlan, annotators: int) -> int:
    """How many pairs a round for this number of annotators is to have: those that all answer, and each one's own."""
    shared = plan.pairs if plan.overlap is None else plan.overlap
    return shared + (plan.pairs - shared) * annotators


def stratum_sizes(number: int, available: Mapping[StratumKey, int], seed: int) -> dict[StratumKey, int]:
    """How many pairs to draw of each stratum: evenly of the classes, and of the domains of each class.

    What is left over goes to the domains that have the fewest so far, in the order of the seed. What a stratum lacks
    comes from others of its class, and what a class lacks from others. available: how many pairs each stratum has,
    without a split.
    """
    domains = sorted({domain for _, domain, _ in available}, key=lambda domain: random_order(domain, seed=seed))
    classes = {label: sum(available["", domain, label] for domain in domains) for label in Label}
    taken: Counter[str] = Counter()
    sizes = dict.fromkeys(available, 0)
    for label, size in _even_parts(number, classes).items():
        order = sorted(domains, key=lambda domain: taken[domain])
        for domain, part in _even_parts(size, {domain: available["", domain, label] for domain in order}).items():
            taken[domain] += part
            sizes["", domain, label] = part
    return sizes


def pair_owners(plan: RoundPlan, annotators: Sequence[str], number: int) -> list[str | None]:
    """Whose each of the `number` drawn pairs is (a key), None for everybody's; any run of them is dealt alike.

    Where too few were drawn, the pairs that everybody answers come first.
    """
    if plan.asks is RoundAsks.RELATION or plan.overlap is None:
        return [None] * number
    shared = min(plan.overlap, number)
    sizes: dict[str | None, int] = {None: shared}
    sizes |= _even_parts(number - shared, dict.fromkeys(annotators, plan.pairs - plan.overlap))
    given: Counter[str | None] = Counter()
    owners = []
    for place in range(1, number + 1):
        behind = {owner: size * place - given[owner] * number for owner, size in sizes.items()}
        owners.append(max(behind, key=lambda owner: behind[owner]))
        given[owners[-1]] += 1
    return owners


def _even_parts(number: int, most: Mapping[Share, int]) -> dict[Share, int]:
    """Divide a number into parts, as evenly as the `most` of each allows; the first parts get the remainder."""
    parts = dict.fromkeys(most, 0)
    while number and (open_ := [key for key in most if parts[key] < most[key]]):
        each = number // len(open_)
        for key in open_ if each else open_[:number]:
            part = min(max(each, 1), most[key] - parts[key])
            parts[key] += part
            number -= part
    return parts
