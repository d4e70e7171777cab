"""How many papers dev and test want for so many gold pairs of each class and domain, before anybody has annotated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from miner.records import Label
from miner.splits import paper_rank

USUAL_ACCEPTANCE: Mapping[str, float] = {
    Label.CONTRASTING.value: 0.929,
    Label.REASONING.value: 0.831,
    Label.ENTAILMENT.value: 0.792,
    Label.NEUTRAL.value: 0.967,
}
"""The share of annotated pairs whose majority is the distant label (MSciNLI, table 12)."""
_MOST = 0.6  # of a domain's papers go to dev and test: the rest is to learn from
_SURE = 1.64  # standard deviations: 19 times of 20 the pairs are enough
_STEP = 1000  # shares are given in tenths of a percent


class PaperYield(NamedTuple):
    """A paper by its MD5, and how many pairs of each class can be annotated in it."""

    md5: str
    domain: str
    pairs: Mapping[str, int]


class ClassShortage(NamedTuple):
    """A class of which a split has fewer pairs than the target wants. gold: about how many gold pairs these make."""

    split: str
    label: str
    available: int
    wanted: int
    gold: int


@dataclass(frozen=True, slots=True)
class DomainSuggestion:
    """The papers of a domain by split, and the shares, in percent, that assign them."""

    domain: str
    papers: dict[str, int]
    shares: tuple[tuple[str, float], ...]
    train_pairs: int
    shortages: tuple[ClassShortage, ...]

    @property
    def line(self) -> str:
        """As `--shares` reads it."""
        numbers = "/".join(f"{share:g}" for _, share in self.shares)
        return f"{self.domain}: {numbers}" if self.domain else numbers


def wanted_pairs(target: int, acceptance: float) -> int:
    """How many pairs to have for `target` gold ones, 19 times of 20, if each becomes gold with this probability.

    >>> wanted_pairs(0, 0.8), wanted_pairs(200, 0.8), wanted_pairs(50, 1.0)
    (0, 264, 50)
    """
    pairs = math.ceil(target / acceptance)
    while pairs * acceptance - _SURE * math.sqrt(pairs * acceptance * (1 - acceptance)) < target:
        pairs += 1
    return pairs


def suggest_split(
    papers: Sequence[PaperYield], dev: int, test: int, acceptance: Mapping[tuple[str, str], float], *, seed: int
) -> list[DomainSuggestion]:
    """The smallest dev and test of each domain that have enough pairs of its rarest class, by domain.

    dev, test: gold pairs of each class. acceptance: the share of annotated pairs that become gold, by domain and class;
    of others `USUAL_ACCEPTANCE`. No more than 60 % of a domain's papers are held out: what is missing then is said.
    """
    by_domain: dict[str, list[tuple[float, PaperYield]]] = {}
    for paper in papers:
        by_domain.setdefault(paper.domain, []).append((paper_rank(paper.md5, seed=seed), paper))
    return [
        _suggest(domain, sorted(ranked), {"dev": dev, "test": test}, acceptance)
        for domain, ranked in sorted(by_domain.items())
    ]


class MorePapers(NamedTuple):
    """What gives a split the pairs of a class that it lacks.

    papers: so many more of the domain's papers. share: of the domain's papers, that would be in the split then, None if
    that is more than can be held out. new_papers: so many, in place of a larger share; None for a split without papers.
    """

    papers: int
    share: float | None
    new_papers: int | None


def more_papers(lacking: int, pairs: int, papers: int, in_split: int) -> MorePapers:
    """What gives a split `lacking` pairs of a class, of which the domain's `papers` have `pairs`.

    >>> more_papers(10, 50, 100, 20)
    MorePapers(papers=20, share=0.4, new_papers=100)
    """
    more = math.ceil(lacking * papers / pairs)
    share = (in_split + more) / papers
    return MorePapers(
        more, share if share <= _MOST else None, math.ceil(more * papers / in_split) if in_split else None
    )


def _suggest(
    domain: str,
    ranked: Sequence[tuple[float, PaperYield]],
    targets: Mapping[str, int],
    acceptance: Mapping[tuple[str, str], float],
) -> DomainSuggestion:
    accepted = {label: acceptance.get((domain, label), USUAL_ACCEPTANCE[label]) for label in map(str, Label)}
    wanted = {
        split: {label: wanted_pairs(target, share) for label, share in accepted.items()}
        for split, target in targets.items()
    }
    most = math.floor(_MOST * len(ranked))
    total = sum(targets.values()) or 1
    test = _first_enough(ranked, wanted["test"], math.floor(most * targets["test"] / total))
    dev = _first_enough(ranked[::-1], wanted["dev"], min(most - test, math.floor(most * targets["dev"] / total)))
    # A share ends in the gap behind its last paper.
    test_share = _share_up_to(ranked[test - 1][0]) if test else 0.0
    dev_share = _share_up_to(1 - ranked[len(ranked) - dev][0]) if dev else 0.0
    parts = {
        "test": [paper for rank, paper in ranked if rank < test_share],
        "dev": [paper for rank, paper in ranked if rank >= 1 - dev_share and rank >= test_share],
    }
    held_out = {paper.md5 for part in parts.values() for paper in part}
    parts["train"] = [paper for _, paper in ranked if paper.md5 not in held_out]
    found = {split: sum((Counter(paper.pairs) for paper in part), Counter[str]()) for split, part in parts.items()}
    shortages = tuple(
        ClassShortage(split, label, found[split][label], number, math.floor(found[split][label] * accepted[label]))
        for split in ("dev", "test")
        for label, number in wanted[split].items()
        if found[split][label] < number
    )
    percents = {"dev": 100 * dev_share, "test": 100 * test_share}
    shares = (("train", 100 - sum(percents.values())), ("dev", percents["dev"]), ("test", percents["test"]))
    return DomainSuggestion(
        domain,
        {split: len(parts[split]) for split in ("train", "dev", "test")},
        tuple((split, round(share, 1)) for split, share in shares),
        found["train"].total(),
        shortages,
    )


def _first_enough(ranked: Sequence[tuple[float, PaperYield]], wanted: Mapping[str, int], most: int) -> int:
    """How many of the first papers have the wanted pairs of each class; at most `most`."""
    found: Counter[str] = Counter()
    for number in range(most + 1):
        if all(found[label] >= pairs for label, pairs in wanted.items()):
            return number
        if number < most:
            found.update(ranked[number][1].pairs)
    return most


def _share_up_to(rank: float) -> float:
    return min(1.0, math.floor(rank * _STEP + 1) / _STEP)
