"""Propositions that a domain's papers make, beside narrower ones that they do not (Directional inference, appendix D).

A positive is what papers say of two things that they often speak of together. Its negatives replace the predicate by
narrower ones, which the papers use elsewhere but never of these two: they do not follow from the other propositions.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

from miner.lab.probes.propositions import Proposition
from miner.lab.probes.wordnet import WordNet
from miner.libraries import NDArray, np
from miner.splits import SPLITS

MAX_NEGATIVES = 2
MAX_EVIDENCE = 3_200
"""Of a positive; as many as the paper has (appendix G)."""
_BUCKETS = (5, 10, 20, 40, 60, 100, 300, 500, 700, 1_000, 2_000, 4_000, 8_000, 16_000, 50_000)
FEW_PAPERS = 1_000
"""With fewer papers in a window the set is small; some thousands are needed for one worth the name."""
PREDICATE_LEVELS, ARGUMENT_PAIR_LEVELS = (2, 3, 5, 10, 15), (3, 5, 10, 20, 30)
"""Thresholds of which `NegativesProbe` says what they leave; the highest ones are the paper's."""


class WindowKind(StrEnum):
    """Which papers are read as one text: those of a domain, or of a domain's year. The paper has three days of news."""

    DOMAIN = "domain"
    DOMAIN_YEAR = "domain-year"


class SourcedProposition(NamedTuple):
    """A proposition with where it stands. window: as `WindowKind` has it. sentence: any name of it."""

    window: str
    sentence: str
    proposition: Proposition


@dataclass(frozen=True, slots=True)
class NegativeOptions:
    """predicates: of a window that two arguments need to count as often spoken of. argument_pairs: that a predicate
    needs anywhere to count as usable. The paper has 15 in 15 articles, and 30, of a large collection of news.

    quota: a predicate is in at most so many times as many negatives as it is in positives; 0 for no limit. The paper
    gives negatives the frequencies of positives instead, which leaves an AUC_norm of 51.0 to systems that see the
    hypothesis alone; of 473 papers of two fields TF-IDF has 84.7 without a limit, 31.6 with 3, and 14.9 with 2.
    """

    predicates: int = 3
    argument_pairs: int = 10
    quota: int = 2
    window: WindowKind = WindowKind.DOMAIN
    seed: int = 1

    def __post_init__(self) -> None:
        if not (2 <= self.predicates <= 10_000 and 1 <= self.argument_pairs <= 1_000_000):
            raise ValueError("`predicates` must be 2 or more, `argument_pairs` 1 or more")
        if not 0 <= self.quota <= 1_000:
            raise ValueError("`quota` must be from 0 to 1,000")
        if not 0 <= self.seed < 2**32:
            raise ValueError("`seed` must be a whole number")


class OtherPredicate(NamedTuple):
    """Another predicate that papers use of the same two, and the sentences, sorted; none says the positive too."""

    predicate: str
    sentences: tuple[str, ...]


class Bundle(NamedTuple):
    """A positive with its negatives, and what the window's papers say of the same two things elsewhere.

    negatives: predicates. sentences: those that say the positive. evidence: by predicate, none twice.
    """

    window: str
    positive: Proposition
    negatives: tuple[str, ...]
    sentences: tuple[str, ...]
    evidence: tuple[OtherPredicate, ...]


@dataclass(frozen=True, slots=True)
class NegativesFunnel:
    """How many were left after each step, in all windows or in one.

    argument_pairs: different subjects with objects; starring: those often spoken of. positives: propositions of these
    with a usable predicate. candidates: narrower predicates of these; usable, absent: those used elsewhere, and never
    of the same two. bundles, negatives: what was kept.
    """

    propositions: int = 0
    argument_pairs: int = 0
    starring: int = 0
    positives: int = 0
    candidates: int = 0
    usable: int = 0
    absent: int = 0
    bundles: int = 0
    negatives: int = 0

    def __add__(self, other: NegativesFunnel) -> NegativesFunnel:
        return NegativesFunnel(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


class NegativesProbe(NamedTuple):
    """The bundles, sorted by window and positive. windows: their funnels, sorted.

    frequencies: of each predicate, with how many argument pairs papers use it. starring_at, usable_at: how many
    argument pairs, and predicates, each of `PREDICATE_LEVELS` and `ARGUMENT_PAIR_LEVELS` would leave.
    """

    bundles: tuple[Bundle, ...]
    windows: Mapping[str, NegativesFunnel]
    frequencies: Mapping[str, int]
    starring_at: Mapping[int, int]
    usable_at: Mapping[int, int]

    @property
    def funnel(self) -> NegativesFunnel:
        """The funnel of all windows together."""
        return sum(self.windows.values(), NegativesFunnel())


def build_negatives(
    propositions: Iterable[SourcedProposition],
    wordnet: WordNet,
    options: NegativeOptions,
    tick: Callable[[int, int], None] = lambda done, total: None,
) -> NegativesProbe:
    """The probe of these propositions; the same in whatever order they come.

    A positive has at most `MAX_NEGATIVES` negatives, of those that are left the ones whose predicates are used about as
    often as its own.
    """
    index = _Index(propositions, options.predicates)
    usable = {predicate for predicate, count in index.frequencies.items() if count >= options.argument_pairs}
    counts = index.counts
    drawn: list[_Positive] = []
    same = cache(wordnet.same)

    @cache
    def narrower(predicate: str) -> tuple[int, list[str]]:
        """The number of narrower predicates, and the usable ones."""
        found = list(wordnet.narrower(predicate))
        return len(found), [one for one in found if one in usable]

    starring = sorted(index.said)
    for number, (window, subject, object) in enumerate(starring):
        tick(number, len(starring))
        said = index.said[window, subject, object]
        of_window = counts[window]
        of_window["starring"] += 1
        for predicate in sorted(said.keys() & usable):
            candidates, there = narrower(predicate)
            absent = [one for one in there if same(one).isdisjoint(said)]
            of_window["positives"] += 1
            of_window["candidates"] += candidates
            of_window["usable"] += len(there)
            of_window["absent"] += len(absent)
            if absent and (evidence := _evidence(said, predicate)):
                place = (str(options.seed), window, subject, object, predicate)
                ranked = sorted(absent, key=lambda one: (index.distance(one, predicate), _hash(*place, one)))
                whole = Bundle(
                    window, Proposition(subject, predicate, object), (), tuple(sorted(said[predicate])), evidence
                )
                drawn.append(_Positive(_hash(*place), whole, ranked))
    bundles = sorted(_within_quota(drawn, options.quota))
    for bundle in bundles:
        counts[bundle.window]["bundles"] += 1
        counts[bundle.window]["negatives"] += len(bundle.negatives)
    return NegativesProbe(
        tuple(bundles),
        {window: NegativesFunnel(**counts[window]) for window in sorted(counts)},
        index.frequencies,
        index.starring_at,
        {level: sum(count >= level for count in index.frequencies.values()) for level in ARGUMENT_PAIR_LEVELS},
    )


class _Index:
    """What is said of argument pairs that have enough predicates: by window and arguments, each predicate's sentences.

    frequencies: by predicate, with how many argument pairs it is used. Texts are numbers in one array at first, as
    most of some hundred thousand propositions are of argument pairs that occur once.
    """

    def __init__(self, propositions: Iterable[SourcedProposition], predicates: int) -> None:

        ids: dict[str, int] = {}
        flat = array("q")
        for window, sentence, (subject, predicate, object) in propositions:
            flat.extend(ids.setdefault(text, len(ids)) for text in (window, subject, object, predicate, sentence))
        names = list(ids)
        rows = np.frombuffer(flat, np.int64).reshape(-1, 5)
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        for window_id, count in zip(*np.unique(rows[:, 0], return_counts=True), strict=True):
            self.counts[names[window_id]]["propositions"] = int(count)
        rows = rows[np.lexsort(rows.T[::-1])]
        new_pair, new_predicate = _changes(rows[:, :3]), _changes(rows[:, :4])
        starts = np.flatnonzero(new_pair)
        different = np.add.reduceat(new_predicate.astype(np.int64), starts) if len(starts) else starts
        for window_id, count in zip(*np.unique(rows[starts, 0], return_counts=True), strict=True):
            self.counts[names[window_id]]["argument_pairs"] = int(count)
        self.starring_at = {level: int((different >= level).sum()) for level in PREDICATE_LEVELS}
        used = rows[new_predicate][:, [3, 1, 2]]
        used = used[np.lexsort(used.T[::-1])]
        used = used[_changes(used)]
        self.frequencies = {
            names[predicate]: int(count)
            for predicate, count in zip(*np.unique(used[:, 0], return_counts=True), strict=True)
        }
        self.said: dict[tuple[str, str, str], dict[str, set[str]]] = {}
        ends = np.append(starts[1:], len(rows))
        for start, end in zip(starts[different >= predicates], ends[different >= predicates], strict=True):
            said: dict[str, set[str]] = defaultdict(set)
            for predicate, sentence in rows[start:end, 3:].tolist():
                said[names[predicate]].add(names[sentence])
            window, subject, object = (names[one] for one in rows[start, :3])
            self.said[window, subject, object] = said

    def distance(self, predicate: str, other: str) -> int:
        """How many buckets of frequency two predicates are apart."""
        first, second = (bisect_right(_BUCKETS, self.frequencies[one]) for one in (predicate, other))
        return abs(first - second)


def _changes(rows: NDArray[Any]) -> NDArray[Any]:
    """Which of the sorted rows differ from the previous row; the first does."""

    found = np.ones(len(rows), bool)
    found[1:] = (rows[1:] != rows[:-1]).any(1)
    return found


def _evidence(said: Mapping[str, set[str]], positive: str) -> tuple[OtherPredicate, ...]:
    """What other sentences say of the two arguments, without sentences that state the positive."""
    own = said[positive]
    others = ((predicate, sorted(sentences - own)) for predicate, sentences in sorted(said.items()))
    found = [OtherPredicate(other, tuple(left)) for other, left in others if other != positive and left]
    return tuple(found[:MAX_EVIDENCE])


class _Positive(NamedTuple):
    """A bundle without its negatives, and those it may have, the best ones first. rank: when its turn to choose is."""

    rank: str
    bundle: Bundle
    negatives: list[str]


def _within_quota(positives: Iterable[_Positive], quota: int) -> list[Bundle]:
    """The bundles that have a negative, where no predicate is in more than `quota` times as many as in positives.

    Each bundle takes the predicates with the most room. Those left without a negative are dropped, which lessens the
    room, until nothing changes.
    """
    left = sorted(positives)
    if not quota:
        return [one.bundle._replace(negatives=tuple(sorted(one.negatives[:MAX_NEGATIVES]))) for one in left]
    while True:
        room = Counter(one.bundle.positive.predicate for one in left for _ in range(quota))
        found = []
        for one in left:
            by_room = sorted((name for name in one.negatives if room[name] > 0), key=lambda name: -room[name])
            chosen = by_room[:MAX_NEGATIVES]
            room.subtract(chosen)
            if chosen:
                found.append(one._replace(bundle=one.bundle._replace(negatives=tuple(sorted(chosen)))))
        if len(found) == len(left):
            return [one.bundle for one in found]
        left = found


class NegativeItem(NamedTuple):
    """A positive or a negative, with its bundle. key: the same for the same proposition of the same window."""

    key: str
    bundle: Bundle
    proposition: Proposition
    holds: bool

    @property
    def hypothesis(self) -> str:
        return proposition_text(self.proposition)

    @property
    def premise(self) -> str:
        """All evidence, a line each."""
        subject, _, object = self.proposition
        found = (Proposition(subject, one.predicate, object) for one in self.bundle.evidence)
        return "\n".join(map(proposition_text, found))


def items_of(bundle: Bundle) -> list[NegativeItem]:
    """The positive of a bundle, then its negatives."""
    negatives = (bundle.positive._replace(predicate=predicate) for predicate in bundle.negatives)
    both = ((bundle.positive, True), *((negative, False) for negative in negatives))
    return [NegativeItem(_hash(bundle.window, *said), bundle, said, holds) for said, holds in both]


def split_of(bundle: Bundle, seed: int = 1) -> str:
    """train for 4 of 10 argument pairs, dev for one, test for 5: all that is said of two things is in one split."""
    subject, _, object = bundle.positive
    place = int(_hash(str(seed), *sorted((subject, object))), 16) % 10
    return SPLITS[0] if place < 4 else SPLITS[1] if place == 4 else SPLITS[2]


def proposition_text(proposition: Proposition) -> str:
    """A proposition as one line, its parts between tabs, which language models read as spaces."""
    return "\t".join(proposition)


def predicate_of(line: str) -> str | None:
    """The predicate of such a line; None for other text."""
    parts = line.split("\t")
    return parts[1] if len(parts) == 3 else None


def _hash(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
