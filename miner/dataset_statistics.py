"""The statistics that the papers of SciNLI and MSciNLI give of their data sets, as sums that can be added up.

Sources: SciNLI (Sadat and Caragea, ACL 2022), section 3.4 and Table 3; MSciNLI (Sadat and Caragea, NAACL 2024), section
3.4 and Tables 2, 12 and 13.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from miner.libraries import np
from miner.records import Label
from miner.splits import SPLITS
from miner.statistics import Interval, wilson

MEASURED_PAIRS = 20_000
"""By default, how many pairs are measured for lengths and overlap, where a data set has more."""
MAX_OF_PART = 5_000
"""How many pairs of a split of a domain are measured at most: the mean of so many is known to 0.2 words."""
_MIN_OF_PART = 300


def drawn_of_part(sample: int, parts: int) -> int:
    """How many pairs of each of `parts` parts are measured for a sample of about `sample` pairs."""
    return max(_MIN_OF_PART, sample // max(1, parts))


# One pass over the text and no nested repetition: the time grows with the length of the text only.
_TOKEN = re.compile(
    r"""
    ['’](?:s|re|ve|ll|d|m)\b                          # a contraction's second part
  | [^\W_](?:                                         # a word, with what may stand inside one: hyphen, point, "1,000"
        [^\W_]
      | [-./_+=^~|\\→](?=[^\W_])
      | (?<=\d)[,:](?=\d)
      | ['’](?!(?:s|re|ve|ll|d|m)\b)(?=[^\W_])
    )*(?:\.(?!["”’')\]]*\s*$))?                       # the point of "al." belongs to it, that of the sentence does not
  | \.\.\.|--|[^\w\s]|_
    """,
    re.VERBOSE,
)


def tokenize(text: str) -> list[str]:
    """The tokens of a sentence in order, punctuation included, as the papers count words.

    Rules like those of the Penn Treebank: over the 4,000 pairs of SciNLI that were compared, 0.2 % more tokens than
    NLTK's tokenizer finds, and the same overlap to 0.01 percentage points.

    >>> tokenize("Smith et al. (2019) don't agree: 1,000 well-known words.")
    ['Smith', 'et', 'al.', '(', '2019', ')', "don't", 'agree', ':', '1,000', 'well-known', 'words', '.']
    """
    return _TOKEN.findall(text)


class PairMeasures(NamedTuple):
    """The numbers of tokens of a pair, and the share of the hypothesis' tokens that the premise has too, 0 to 1."""

    premise_words: int
    hypothesis_words: int
    overlap: float


def measure_pair(premise: str, hypothesis: str) -> PairMeasures:
    """The lengths and the token overlap of a pair; overlap ignores case, and is 0 without tokens.

    >>> measure_pair("The cell grows.", "the cells grow.")
    PairMeasures(premise_words=4, hypothesis_words=4, overlap=0.5)
    """
    tokens = tokenize(hypothesis.lower())
    premise_tokens = tokenize(premise.lower())
    present = set(premise_tokens)
    overlap = sum(token in present for token in tokens) / len(tokens) if tokens else 0.0
    return PairMeasures(len(premise_tokens), len(tokens), overlap)


class Proportion(NamedTuple):
    """`successes` of `trials`."""

    successes: int
    trials: int

    @property
    def share(self) -> float | None:
        """0 to 1; None without trials."""
        return self.successes / self.trials if self.trials else None

    @property
    def interval(self) -> Interval:
        """The share's 95 % Wilson interval."""
        return wilson(self.successes, self.trials)

    def to_data(self) -> dict[str, Any]:
        """As JSON data; no interval without trials."""
        return {"share": self.share, "n": self.trials, "interval": list(self.interval) if self.trials else None}


class GoldAgreement(NamedTuple):
    """How annotated pairs' gold labels compare with their distant labels (MSciNLI, Table 12).

    annotated: pairs that enough annotators have answered. agreeing: their gold label is the distant label; only these
    enter a benchmark. no_consensus: they have no gold label. Pairs of another gold label are the rest.
    """

    annotated: int = 0
    agreeing: int = 0
    no_consensus: int = 0

    @property
    def other(self) -> int:
        """Pairs whose gold label differs from their distant label."""
        return self.annotated - self.agreeing - self.no_consensus

    @property
    def agreement(self) -> Proportion:
        """The agreement rate of the papers: of all annotated pairs, those without consensus included."""
        return Proportion(self.agreeing, self.annotated)

    @property
    def undecided(self) -> Proportion:
        """The annotated pairs without consensus."""
        return Proportion(self.no_consensus, self.annotated)

    def to_data(self) -> dict[str, Any]:
        """As JSON data, with the agreement rate."""
        return {**self._asdict(), "other": self.other, **self.agreement.to_data()}


def gold_agreement(counts: Iterable[tuple[str, str, int]]) -> dict[str, GoldAgreement]:
    """The agreement of each distant label, and of all as "", from numbers of annotated pairs by distant and gold label.

    counts: (distant label, gold label or "" for no consensus, pairs). Pairs without a distant label are left out. In
    the order of the first appearance, "" last.

    >>> gold_agreement([("neutral", "neutral", 3), ("neutral", "", 1), ("reasoning", "contrasting", 1)])["neutral"]
    GoldAgreement(annotated=4, agreeing=3, no_consensus=1)
    """
    by_label: dict[str, GoldAgreement] = {}
    for distant, gold, pairs in counts:
        if not distant:
            continue
        old = by_label.get(distant, GoldAgreement())
        by_label[distant] = GoldAgreement(
            old.annotated + pairs, old.agreeing + pairs * (gold == distant), old.no_consensus + pairs * (not gold)
        )
    return {
        **by_label,
        "": GoldAgreement(*map(sum, zip(*by_label.values(), strict=True))) if by_label else GoldAgreement(),
    }


class Estimate(NamedTuple):
    """A mean with its standard error, which is 0 where every pair was measured."""

    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class MeasureSums:
    """Sums over the measured pairs of a stratum: the values of `PairMeasures`, and their squares."""

    measured: int = 0
    sums: tuple[float, float, float] = (0.0, 0.0, 0.0)
    squares: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __add__(self, other: MeasureSums) -> MeasureSums:
        return MeasureSums(
            self.measured + other.measured, _added(self.sums, other.sums), _added(self.squares, other.squares)
        )


def _added(one: tuple[float, float, float], other: tuple[float, float, float]) -> tuple[float, float, float]:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


def sum_measures(measures: Sequence[PairMeasures]) -> MeasureSums:
    """The sums of these pairs."""
    sums, squares = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for pair in measures:
        for place, value in enumerate(pair):
            sums[place] += value
            squares[place] += value * value
    return MeasureSums(len(measures), (sums[0], sums[1], sums[2]), (squares[0], squares[1], squares[2]))


def estimate(strata: Iterable[tuple[int, MeasureSums]]) -> tuple[Estimate, Estimate, Estimate] | None:
    """Means over several strata of premise words, hypothesis words and overlap; None if no pair was measured.

    strata: the number of pairs of each, and the sums of those that were measured. Each counts by its number of pairs.
    Standard errors are of stratified sampling without replacement (Cochran, Sampling Techniques, 1977, section 5.6); a
    stratum with one measured pair of several adds nothing to them.
    """
    known = [(pairs, sums) for pairs, sums in strata if sums.measured]
    total = sum(pairs for pairs, _ in known)
    if not total:
        return None
    found = []
    for place in range(3):
        mean = variance = 0.0
        for pairs, stratum in known:
            weight, measured = pairs / total, stratum.measured
            own_mean = stratum.sums[place] / measured
            mean += weight * own_mean
            if 1 < measured < pairs:
                spread = max(0.0, stratum.squares[place] - measured * own_mean**2) / (measured - 1)
                variance += weight**2 * spread / measured * (1 - measured / pairs)
        found.append(Estimate(mean, sqrt(variance)))
    return found[0], found[1], found[2]


class DataSetPart(NamedTuple):
    """Pairs with the same domain, split and label; "" for none."""

    domain: str
    split: str
    label: str


class AnnotatedCount(NamedTuple):
    """The number of annotated `pairs` of a domain and split, by distant and gold label; gold "" for no consensus."""

    domain: str
    split: str
    distant: str
    gold: str
    pairs: int


class DrawnPair(NamedTuple):
    """A pair that was drawn into the sample of its domain and split; smaller `order`s come first."""

    order: int
    id: int


@dataclass(frozen=True, slots=True)
class DataSetStatistics:
    """The figures of Tables 2, 3 and 12 for any part of a data set.

    pairs: the pairs of each stratum. measured: the sums over those whose text was measured. annotated: pairs that
    people answered, also those that the data set leaves out. drawn: by domain and split, in order, for figures that are
    measured apart; the first n of several parts together are a random sample of these parts.
    """

    pairs: Mapping[DataSetPart, int]
    measured: Mapping[DataSetPart, MeasureSums]
    annotated: tuple[AnnotatedCount, ...]
    drawn: Mapping[tuple[str, str], tuple[DrawnPair, ...]]

    @property
    def domains(self) -> tuple[str, ...]:
        """Sorted, "" (none) last."""
        return tuple(sorted({stratum.domain for stratum in self.pairs}, key=lambda name: (not name, name)))

    @property
    def splits(self) -> tuple[str, ...]:
        """Train, dev and test, as far as there are pairs of them; () for a data set that is not split."""
        present = {stratum.split for stratum in self.pairs}
        return tuple(split for split in SPLITS if split in present)

    @property
    def measured_pairs(self) -> int:
        """How many pairs were measured for lengths and overlap."""
        return sum(sums.measured for sums in self.measured.values())

    def count(self, domain: str | None = None, split: str | None = None, label: str | None = None) -> int:
        """The number of pairs of a part; None stands for all domains, splits or labels."""
        wanted = (domain, split, label)
        return sum(pairs for stratum, pairs in self.pairs.items() if _is_in(stratum, wanted))

    def means(
        self, domain: str | None = None, split: str | None = None, label: str | None = None
    ) -> tuple[Estimate, Estimate, Estimate] | None:
        """The mean tokens of premise and hypothesis and the mean overlap of a part; None without pairs."""
        wanted = (domain, split, label)
        return estimate(
            (pairs, self.measured.get(stratum, MeasureSums()))
            for stratum, pairs in self.pairs.items()
            if _is_in(stratum, wanted)
        )

    def agreement(self, domain: str | None = None, split: str | None = None) -> dict[str, GoldAgreement]:
        """See `gold_agreement`; all of `Label` in order, then "" for all."""
        found = gold_agreement(
            (count.distant, count.gold, count.pairs)
            for count in self.annotated
            if _is_in((count.domain, count.split), (domain, split))
        )
        return {name: found.get(name, GoldAgreement()) for name in (*map(str, Label), "")}


def _is_in(part: tuple[str, ...], wanted: tuple[str | None, ...]) -> bool:
    return all(name is None or name == own for own, name in zip(part, wanted, strict=True))


class JudgedPair(NamedTuple):
    """Whether premise and hypothesis of a drawn pair are complete sentences; `order` as of `DrawnPair`."""

    order: int
    premise: bool
    hypothesis: bool


@dataclass(frozen=True, slots=True)
class CompleteSentences:
    """How many sentences of a sample are complete.

    judged: by domain and split. size: pairs of a split of a domain at most. parser: its name with versions; is_parser:
    false for rules.
    """

    judged: Mapping[tuple[str, str], tuple[JudgedPair, ...]]
    size: int
    parser: str
    is_parser: bool

    def of(self, domain: str | None = None, split: str | None = None) -> tuple[Proportion, Proportion]:
        """The complete premises and hypotheses of a part's own sample, which has `size` pairs at most."""
        pairs = sorted(
            pair
            for (own_domain, own_split), judged in self.judged.items()
            if domain in (None, own_domain) and split in (None, own_split)
            for pair in judged
        )[: self.size]
        return (
            Proportion(sum(pair.premise for pair in pairs), len(pairs)),
            Proportion(sum(pair.hypothesis for pair in pairs), len(pairs)),
        )


@dataclass(frozen=True, slots=True)
class VocabularySimilarity:
    """The similarity of the domains' vocabularies.

    pairs, tokens: what each domain's vocabulary was taken from. cosines: of each two domains, in their order.
    tokenizer: its name. split: the split that was taken, "" for all pairs.
    """

    domains: tuple[str, ...]
    pairs: tuple[int, ...]
    tokens: tuple[int, ...]
    cosines: tuple[tuple[float, ...], ...]
    tokenizer: str
    split: str


def cosine_similarities(vocabularies: Sequence[Mapping[int, int]]) -> list[list[float]]:
    """The cosine of every two vocabulary distributions, given as counts by token id (MSciNLI, Table 13).

    1.0 on the diagonal; 0.0 for a vocabulary without tokens.

    >>> cosine_similarities([{1: 3, 2: 4}, {1: 6, 2: 8}, {3: 1}])
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """

    width = max((max(counts, default=0) for counts in vocabularies), default=0) + 1
    table = np.zeros((len(vocabularies), width))
    for row, counts in zip(table, vocabularies, strict=True):
        row[np.fromiter(counts.keys(), int, len(counts))] = np.fromiter(counts.values(), float, len(counts))
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    table /= np.where(lengths, lengths, 1.0)
    similarities = np.clip(table @ table.T, 0.0, 1.0)
    np.fill_diagonal(similarities, 1.0)
    return [[float(round(value, 12)) for value in row] for row in similarities]
