"""Errors of systems: which pairs they misread, a sample of them to read, and how often they err on which pairs.

The authors of SciNLI analyse errors by reading a sample and stating the reason for each error (section 5).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from miner.lab.experiments.experiment import TableAxis
from miner.splits import random_order
from miner.statistics import Interval, wilson

UNREADABLE_NAME = "no answer"


class CellPrediction(NamedTuple):
    """What a cell predicts for a pair. label, predicted: indices of the experiment's classes, -1 for no answer.

    words: of both sentences.
    """

    key: str
    label: int
    predicted: int
    domain: str
    strategy: str
    phrase: str
    words: int

    @property
    def is_wrong(self) -> bool:
        return self.predicted != self.label


class MisreadPair(NamedTuple):
    """A pair that a run misreads. predicted: the wrong class that most runs predict. wrong: how many runs are wrong."""

    key: str
    label: int
    predicted: int
    wrong: int


class ErrorRate(NamedTuple):
    """How many of `total` are wrong, or have a tag; the interval is Wilson's, of 95 %."""

    name: str
    number: int
    total: int

    @property
    def share(self) -> float:
        return self.number / self.total if self.total else 0.0

    @property
    def interval(self) -> Interval:
        return wilson(self.number, self.total)


class ErrorKind(NamedTuple):
    """How many predictions are wrong in one way: `label` is predicted as `predicted`."""

    label: str
    predicted: str
    number: int


@dataclass(frozen=True, slots=True)
class ErrorCounts:
    """How often cells err. rates: of wrong predictions, by group. pairs: that any run misreads; read: those with tags.

    tags: of the pairs read, how many have each tag, the most frequent first; a pair may have several.
    """

    predictions: int
    wrong: int
    pairs: int
    read: int
    confusions: tuple[ErrorKind, ...]
    rates: Mapping[TableAxis, tuple[ErrorRate, ...]]
    tags: tuple[ErrorRate, ...]


def misread_pairs(predictions: Iterable[CellPrediction]) -> list[MisreadPair]:
    """The pairs that some of these predictions misread, by key."""
    wrong: dict[str, Counter[int]] = defaultdict(Counter)
    labels: dict[str, int] = {}
    for one in predictions:
        if one.is_wrong:
            wrong[one.key][one.predicted] += 1
            labels.setdefault(one.key, one.label)
    return [
        MisreadPair(key, labels[key], min(counts, key=lambda of: (-counts[of], of)), counts.total())
        for key, counts in sorted(wrong.items())
    ]


def draw_pairs(pairs: Sequence[MisreadPair], number: int, seed: int, *, evenly: bool) -> list[str]:
    """The keys of at most `number` pairs in random order; the same ones each time.

    evenly: as many of each kind of error (label and predicted class) as there are, up to the same number. A larger
    number with the same seed draws the same pairs and more.
    """
    ordered = sorted(pairs, key=lambda pair: random_order(pair.key, seed=seed))
    if not evenly:
        return [pair.key for pair in ordered[:number]]
    kinds: dict[tuple[int, int], list[str]] = defaultdict(list)
    for pair in ordered:
        kinds[pair.label, pair.predicted].append(pair.key)
    turns = sorted(kinds, key=lambda kind: random_order(f"{kind}", seed=seed))
    drawn = [
        keys[turn] for turn in range(max(map(len, kinds.values()), default=0))
        for keys in map(kinds.__getitem__, turns) if turn < len(keys)
    ]  # fmt: skip
    return sorted(drawn[:number], key=lambda key: random_order(key, seed=seed))


def count_errors(
    predictions: Sequence[CellPrediction],
    classes: Sequence[str],
    tags: Mapping[str, Iterable[str]],
    length_group: Callable[[int], str],
) -> ErrorCounts:
    """Counts of all predictions of some cells. tags: of pairs, by key."""
    confusions = Counter((one.label, one.predicted) for one in predictions if one.is_wrong)
    pairs = misread_pairs(predictions)
    read = [pair.key for pair in pairs if pair.key in tags]
    with_tag = Counter(tag for key in read for tag in sorted(set(tags[key])))
    groups: dict[TableAxis, Callable[[CellPrediction], str]] = {
        TableAxis.CLASS: lambda one: _class_name(classes, one.label),
        TableAxis.LENGTH: lambda one: length_group(one.words),
        TableAxis.STRATEGY: lambda one: one.strategy,
        TableAxis.PHRASE: lambda one: one.phrase,
        TableAxis.DOMAIN: lambda one: one.domain,
    }
    return ErrorCounts(
        len(predictions),
        confusions.total(),
        len(pairs),
        len(read),
        tuple(
            ErrorKind(_class_name(classes, label), _class_name(classes, predicted), number)
            for (label, predicted), number in sorted(confusions.items(), key=lambda one: (-one[1], one[0]))
        ),
        {axis: _rates(predictions, group, by_words=axis is TableAxis.LENGTH) for axis, group in groups.items()},
        tuple(ErrorRate(tag, n, len(read)) for tag, n in sorted(with_tag.items(), key=lambda one: (-one[1], one[0]))),
    )


def _rates(
    predictions: Sequence[CellPrediction], group: Callable[[CellPrediction], str], *, by_words: bool
) -> tuple[ErrorRate, ...]:
    """The rates of wrong predictions, by length in order of words, else the highest first; not of unknown groups."""
    totals: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    shortest: dict[str, int] = {}
    for one in predictions:
        name = group(one)
        totals[name] += 1
        wrong[name] += one.is_wrong
        shortest[name] = min(shortest.get(name, one.words), one.words)
    rates = [ErrorRate(name, wrong[name], total) for name, total in totals.items() if name]
    if by_words:
        return tuple(sorted(rates, key=lambda rate: shortest[rate.name]))
    return tuple(sorted(rates, key=lambda rate: (-rate.share, rate.name)))


def _class_name(classes: Sequence[str], place: int) -> str:
    return classes[place] if 0 <= place < len(classes) else UNREADABLE_NAME
