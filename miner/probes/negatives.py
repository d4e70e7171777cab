"""Propositions that a domain's papers make, beside narrower ones that they do not (Directional inference, appendix D).

A positive is what papers say of two things that they often speak of together. Its negatives replace the predicate by
narrower ones, which the papers use elsewhere but never of these two: they do not follow from the other propositions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from miner.probes.propositions import Proposition
from miner.probes.wordnet import WordNet

MAX_NEGATIVES = 2
_BUCKETS = (5, 10, 20, 40, 60, 100, 300, 500, 700, 1_000, 2_000, 4_000, 8_000, 16_000, 50_000)
FEW_PAPERS = 1_000
"""With fewer papers the set is small; some thousands are needed for one worth the name."""


class SourcedProposition(NamedTuple):
    """A proposition with where it stands. window: papers that are read as one text: a domain, or a domain's year."""

    window: str
    sentence: str
    proposition: Proposition


@dataclass(frozen=True, slots=True)
class NegativeOptions:
    """predicates: of a window that two arguments need to count as often spoken of. argument_pairs: that a predicate
    needs anywhere to count as usable. The paper has 15 in 15 articles, and 30, of a large collection of news."""

    predicates: int = 3
    argument_pairs: int = 10
    seed: int = 1

    def __post_init__(self) -> None:
        if not (2 <= self.predicates <= 10_000 and 1 <= self.argument_pairs <= 1_000_000):
            raise ValueError("`predicates` must be 2 or more, `argument_pairs` 1 or more")


class Bundle(NamedTuple):
    """A positive with its negatives, and what the window's papers say of the same two things elsewhere.

    evidence: propositions of other sentences, none twice, sorted.
    """

    window: str
    positive: Proposition
    negatives: tuple[str, ...]
    evidence: tuple[str, ...]


class NegativesFunnel(NamedTuple):
    """How many were left after each step.

    argument_pairs: different subjects with objects; starring: those often spoken of. positives: propositions of these
    with a usable predicate. candidates: narrower predicates of these; usable, absent: those used elsewhere, and never
    of the same two. bundles, negatives: what was kept.
    """

    propositions: int
    predicates: int
    usable_predicates: int
    argument_pairs: int
    starring: int
    positives: int
    candidates: int
    usable: int
    absent: int
    bundles: int
    negatives: int


class NegativesProbe(NamedTuple):
    bundles: tuple[Bundle, ...]
    funnel: NegativesFunnel


def build_negatives(
    propositions: Iterable[SourcedProposition],
    wordnet: WordNet,
    options: NegativeOptions,
    tick: Callable[[int, int], None] = lambda done, total: None,
) -> NegativesProbe:
    """The probe of these propositions, sorted by window and positive; the same in whatever order they come.

    A positive has at most `MAX_NEGATIVES` negatives: those whose predicates are used about as often as its own, so that
    how often a predicate is used does not tell them apart.
    """
    index = _Index(propositions)
    usable = {predicate for predicate, pairs in index.pairs_of.items() if len(pairs) >= options.argument_pairs}
    starring = sorted(place for place, said in index.said.items() if len(said) >= options.predicates)
    counts: Counter[str] = Counter()
    bundles = []
    for number, (window, subject, object) in enumerate(starring):
        tick(number, len(starring))
        said = index.said[window, subject, object]
        for predicate in sorted(said.keys() & usable):
            counts["positives"] += 1
            absent = [
                narrower
                for narrower in _counted(wordnet.narrower(predicate), counts, "candidates")
                if narrower in usable
                and _count(counts, "usable")
                and not (wordnet.same(narrower) & said.keys())
                and _count(counts, "absent")
            ]
            evidence = _evidence(subject, object, said, predicate)
            if absent and evidence:
                chosen = _draw(absent, predicate, index, options.seed, (window, subject, object))
                bundles.append(Bundle(window, Proposition(subject, predicate, object), chosen, evidence))
    funnel = NegativesFunnel(
        propositions=index.count,
        predicates=len(index.pairs_of),
        usable_predicates=len(usable),
        argument_pairs=len(index.said),
        starring=len(starring),
        positives=counts["positives"],
        candidates=counts["candidates"],
        usable=counts["usable"],
        absent=counts["absent"],
        bundles=len(bundles),
        negatives=sum(len(bundle.negatives) for bundle in bundles),
    )
    return NegativesProbe(tuple(bundles), funnel)


class _Index:
    """said: by window and arguments, the sentences of each predicate. pairs_of: by predicate, its argument pairs."""

    def __init__(self, propositions: Iterable[SourcedProposition]) -> None:
        self.said: dict[tuple[str, str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self.pairs_of: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self.count = 0
        for window, sentence, (subject, predicate, object) in propositions:
            self.said[window, subject, object][predicate].add(sentence)
            self.pairs_of[predicate].add((subject, object))
            self.count += 1


def _evidence(subject: str, object: str, said: Mapping[str, set[str]], positive: str) -> tuple[str, ...]:
    """What other sentences say of the two: never one in which the positive stands."""
    own = said[positive]
    found = (other for other, sentences in said.items() if other != positive and sentences - own)
    return tuple(f"{subject} {other} {object}" for other in sorted(found))


def _draw(
    absent: Sequence[str], positive: str, index: _Index, seed: int, place: tuple[str, str, str]
) -> tuple[str, ...]:
    def rank(candidate: str) -> tuple[int, bytes]:
        distance = abs(_bucket(index, candidate) - _bucket(index, positive))
        text = "\0".join((str(seed), *place, positive, candidate))
        return distance, blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()

    return tuple(sorted(sorted(absent, key=rank)[:MAX_NEGATIVES]))


def _bucket(index: _Index, predicate: str) -> int:
    return bisect_right(_BUCKETS, len(index.pairs_of[predicate]))


def _counted(candidates: Iterator[str], counts: Counter[str], name: str) -> Iterator[str]:
    for candidate in candidates:
        counts[name] += 1
        yield candidate


def _count(counts: Counter[str], name: str) -> bool:
    counts[name] += 1
    return True
