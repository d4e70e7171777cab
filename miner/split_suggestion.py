"""How many papers dev and test need for a number of gold pairs of each class and domain, before annotation starts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from miner.label_precision import PUBLISHED_PRECISION
from miner.records import Label
from miner.splits import PaperSplit, PaperSplitter, paper_rank
from miner.year_ranges import OTHER_DOMAINS, YearRange

_MOST = 0.6  # of a domain's papers go to dev and test: the rest is to learn from
_SURE = 1.64  # standard deviations: 19 times of 20 the pairs are enough
_DIGITS = range(2, 9)  # of a share: whole percents where that tells the papers apart


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
    """The papers of a domain by split, and the shares, in percent, that assign them.

    has_too_few_papers: train, dev and test cannot have a paper each; all are train papers.
    """

    domain: str
    papers: dict[str, int]
    shares: tuple[tuple[str, float], ...]
    train_pairs: int
    shortages: tuple[ClassShortage, ...]
    has_too_few_papers: bool = False

    @property
    def line(self) -> str:
        """As `--shares` reads it."""
        numbers = "/".join(f"{share:.8g}" for _, share in self.shares)
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


def accepted_share(acceptance: Mapping[tuple[str, str], float], domain: str, label: str) -> float:
    """The share of annotated pairs that become gold: as measured, by domain and class, else as published."""
    return acceptance.get((domain, label), PUBLISHED_PRECISION[label])


def expected_gold(pairs: int, acceptance: float) -> int:
    """About how many gold pairs these make."""
    return math.floor(pairs * acceptance)


def suggest_split(
    papers: Sequence[PaperYield], dev: int, test: int, acceptance: Mapping[tuple[str, str], float], *, seed: int
) -> list[DomainSuggestion]:
    """The smallest dev and test of each domain that have enough pairs of its rarest class, by domain.

    dev, test: gold pairs of each class. acceptance: as `accepted_share` takes it. No more than 60 % of a domain's
    papers are held out: what is missing then is said. But a paper each for dev and test is, if one is left for train.
    Domains whose names differ in capitals alone are one.
    """
    by_domain: dict[str, list[PaperYield]] = {}
    for paper in papers:
        by_domain.setdefault(paper.domain.casefold(), []).append(paper)
    targets = {"dev": dev, "test": test}
    return [
        _suggest(min(paper.domain for paper in of), of, targets, acceptance, seed)
        for _, of in sorted(by_domain.items())
    ]


class MorePapers(NamedTuple):
    """What gives a split the pairs of a class that it lacks.

    papers: how many more of the domain's papers. share: the share of the domain's papers in the split then; None if
    that is more than can be held out. new_papers: how many new papers would do in place of a larger share; None for a
    split without papers.
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
    papers: Sequence[PaperYield],
    targets: Mapping[str, int],
    acceptance: Mapping[tuple[str, str], float],
    seed: int,
) -> DomainSuggestion:
    ranked = sorted((paper_rank(paper.md5, seed=seed), paper) for paper in papers)
    accepted = {label: accepted_share(acceptance, domain, label) for label in map(str, Label)}
    wanted = {
        split: {label: wanted_pairs(target, share) for label, share in accepted.items()}
        for split, target in targets.items()
    }
    dev, test = _held_out(ranked, wanted, targets)
    ranks = [0.0, *(rank for rank, _ in ranked), 1.0]
    test_share = _share_in_gap(ranks[test], ranks[test + 1]) if test else 0.0
    dev_share = _share_in_gap(1 - ranks[-1 - dev], 1 - ranks[-2 - dev]) if dev else 0.0
    percents = {"dev": round(100 * dev_share, 6), "test": round(100 * test_share, 6)}
    percents = {"train": round(100 - sum(percents.values()), 6)} | percents
    shares = tuple(percents.items())
    splitter = PaperSplitter(PaperSplit((YearRange(OTHER_DOMAINS, shares),), seed))
    parts: dict[str, list[PaperYield]] = {split: [] for split in percents}
    for _, paper in ranked:
        parts[splitter.split_of(paper.md5, domain, None) or "train"].append(paper)
    found = {split: sum((Counter(paper.pairs) for paper in part), Counter[str]()) for split, part in parts.items()}
    shortages = tuple(
        ClassShortage(split, label, pairs := found[split][label], number, expected_gold(pairs, accepted[label]))
        for split in ("dev", "test")
        for label, number in wanted[split].items()
        if found[split][label] < number
    )
    return DomainSuggestion(
        domain,
        {split: len(part) for split, part in parts.items()},
        shares,
        found["train"].total(),
        shortages,
        any(targets.values()) and not dev + test,
    )


def _held_out(
    ranked: Sequence[tuple[float, PaperYield]], wanted: Mapping[str, Mapping[str, int]], targets: Mapping[str, int]
) -> tuple[int, int]:
    """How many papers dev and test get; none if they, and train, cannot have one each."""
    splits = [split for split, target in targets.items() if target]
    if len(ranked) <= len(splits):
        return 0, 0
    most, total = max(math.floor(_MOST * len(ranked)), len(splits)), sum(targets.values()) or 1
    most_of = {split: max(min(1, target), math.floor(most * target / total)) for split, target in targets.items()}
    test = _first_enough(ranked, wanted["test"], min(most_of["test"], most - min(1, targets["dev"])))
    return _first_enough(ranked[::-1], wanted["dev"], min(most_of["dev"], most - test)), test


def _first_enough(ranked: Sequence[tuple[float, PaperYield]], wanted: Mapping[str, int], most: int) -> int:
    """How many of the first papers have the wanted pairs of each class; at most `most`."""
    found: Counter[str] = Counter()
    for number in range(most + 1):
        if all(found[label] >= pairs for label, pairs in wanted.items()):
            return number
        if number < most:
            found.update(ranked[number][1].pairs)
    return most


def _share_in_gap(above: float, up_to: float) -> float:
    """The share with the fewest digits that is larger than one place and no larger than the next one.

    >>> _share_in_gap(0.301, 0.5), _share_in_gap(0.3012, 0.3018), _share_in_gap(0.5, 0.5)
    (0.31, 0.3013, 0.5)
    """
    for digits in _DIGITS:
        step = 10.0**digits
        share = (math.floor(above * step) + 1) / step
        if share <= up_to:
            return share
    return up_to
