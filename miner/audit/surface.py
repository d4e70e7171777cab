"""What the surface of the sentences gives away: traits of the hypothesis, lengths, and shared words.

A trait is judged by two figures. The first is how much more often a class has it than the other classes: the lower
bound of the difference (R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10). The second is what it
then says: the share of the class among the pairs with the trait, were all classes equally large. A trait that comes
from how pairs are made (a capital, a linking phrase, a missing full stop) is judged strictly; one of the language
(digits, citations) only where it is strong, because classes differ in what they are about.

Lengths and shared words are judged by the AUC: how often a pair of the class has the larger value than one of the
others, .5 being chance. Its interval follows E. R. DeLong and others, Biometrics 44 (1988), 837-845.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

from miner.audit.report import AuditQuestion, AuditRow, Finding, Measure, Verdict
from miner.records import HypothesisTrait, Label, Strategy
from miner.statistics import wilson

MIN_PAIRS = 20
"""Pairs that each of two classes must have for any verdict."""
NEUTRAL_REFERENCE = 0.71
"""AUC of the overlap, neutral against linked, in mined sets of other fields."""

_Z = 1.959963984540054  # 95 %
_STRICT_Z = 3.2  # 95 % for all comparisons of an audit together: about forty (Bonferroni)
_MADE_TRAITS = frozenset(
    (HypothesisTrait.CAPITAL, HypothesisTrait.PHRASE_START, HypothesisTrait.PHRASE_NEAR, HypothesisTrait.NO_STOP)
)
_PHRASES = (HypothesisTrait.PHRASE_START, HypothesisTrait.PHRASE_NEAR)
_TELLING = 2.0  # times its share: a class is then given away by the trait
_MAX_PHRASES = 0.005  # share of hypotheses in which a linking phrase may be left without a remark


class _Limits(NamedTuple):
    """From which lower bound on a difference is worth a look, or to be mended."""

    look: float
    mend: float


_MADE, _OF_LANGUAGE = _Limits(0.02, 0.02), _Limits(0.15, 0.3)
_LENGTH, _OVERLAP = _Limits(0.12, 0.2), _Limits(0.1, 0.2)
_NEUTRAL = _Limits(NEUTRAL_REFERENCE - 0.5 + 0.03, 0.3)


@dataclass(slots=True)
class SurfaceCounts:
    """Counts of pairs by class and strategy; strategies only matter for neutral pairs.

    traits: pairs with each trait. histograms: of each measure, by class and strategy, {value: pairs}.
    """

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    traits: dict[HypothesisTrait, Counter[str]] = field(default_factory=dict)
    histograms: dict[Measure, dict[tuple[str, str], Counter[int]]] = field(default_factory=dict)

    def labels(self) -> tuple[str, ...]:
        """The classes with enough pairs, in their order."""
        totals = self.totals()
        return tuple(label for label in Label if totals[label] >= MIN_PAIRS)

    def totals(self) -> Counter[str]:
        totals: Counter[str] = Counter()
        for (label, _), pairs in self.pairs.items():
            totals[label] += pairs
        return totals

    def histogram(self, measure: Measure, labels: Iterable[str], strategy: str = "") -> Counter[int]:
        """The histogram of these classes together; `strategy`: only of its pairs."""
        wanted, total = set(labels), Counter[int]()
        for (label, made), counts in self.histograms.get(measure, {}).items():
            if label in wanted and strategy in ("", made):
                total.update(counts)
        return total


def surface_findings(counts: SurfaceCounts) -> list[Finding]:
    """The findings on traits, lengths and overlap."""
    found = [_trait_finding(trait, counts) for trait in HypothesisTrait]
    lengths = (
        (AuditQuestion.PREMISE_LENGTH, Measure.PREMISE_WORDS),
        (AuditQuestion.HYPOTHESIS_LENGTH, Measure.HYPOTHESIS_WORDS),
    )
    found += [_class_finding(question, measure, counts, counts.labels(), _LENGTH) for question, measure in lengths]
    linked = tuple(label for label in counts.labels() if label != Label.NEUTRAL)
    found.append(_class_finding(AuditQuestion.OVERLAP, Measure.OVERLAP, counts, linked, _OVERLAP))
    found.append(_neutral_finding(counts))
    return found


def _unknown(question: AuditQuestion, pairs: int) -> Finding:
    return Finding(question, Verdict.UNKNOWN, pairs, missing=MIN_PAIRS)


def _verdict(size: float, limits: _Limits) -> Verdict:
    return Verdict.MEND if size >= limits.mend else Verdict.LOOK if size >= limits.look else Verdict.FINE


# Traits


def _trait_finding(trait: HypothesisTrait, counts: SurfaceCounts) -> Finding:
    question, labels, totals = AuditQuestion(trait.value), counts.labels(), counts.totals()
    hits = counts.traits.get(trait, Counter())
    rows = tuple(_share_row(label, hits[label], totals[label]) for label in Label if totals[label])
    pairs = sum(totals[label] for label in labels)
    if len(labels) < 2:
        return Finding(question, Verdict.UNKNOWN, totals.total(), rows=rows, missing=MIN_PAIRS)
    all_hits = sum(hits[label] for label in labels)
    lows = {
        label: abs_difference_low(hits[label], totals[label], all_hits - hits[label], pairs - totals[label])
        for label in labels
    }
    shares = {label: hits[label] / totals[label] for label in labels}
    top = max(labels, key=lambda label: (lows[label], abs(shares[label] - all_hits / pairs)))
    size = lows[top]
    limits = _MADE if trait in _MADE_TRAITS else _OF_LANGUAGE
    verdict = _verdict(size, limits)
    if verdict is Verdict.MEND and telling(shares) < _TELLING / len(labels):
        verdict = Verdict.LOOK
    if verdict is Verdict.FINE and trait in _PHRASES and wilson(all_hits, pairs).low > _MAX_PHRASES:
        verdict = Verdict.LOOK
    return Finding(
        question,
        verdict,
        pairs,
        size,
        top if size > 0 else "",
        rows,
        p=chi_square_p([(hits[label], totals[label] - hits[label]) for label in labels]),
    )


def _share_row(label: str, hits: int, pairs: int) -> AuditRow:
    low, high = wilson(hits, pairs)
    return AuditRow(Measure.SHARE, label, pairs, hits / pairs, low, high, hits=hits)


def telling(shares: Mapping[str, float]) -> float:
    """The largest share of a class among pairs with the trait, or without it where most have it, of equal classes."""
    rarer = list(shares.values()) if sum(shares.values()) * 2 <= len(shares) else [1 - one for one in shares.values()]
    return max(rarer) / sum(rarer) if any(rarer) else 0.0


def abs_difference_low(hits: int, pairs: int, other_hits: int, other_pairs: int, z: float = _STRICT_Z) -> float:
    """The lower bound of the absolute difference of two shares; 0.0 where it may be none.

    >>> round(abs_difference_low(40, 500, 18, 1500, z=1.96), 3)
    0.046
    """
    share, other = hits / pairs, other_hits / other_pairs
    (low, high), (other_low, other_high) = wilson(hits, pairs, z), wilson(other_hits, other_pairs, z)
    if share >= other:
        reach = sqrt((share - low) ** 2 + (other_high - other) ** 2)
    else:
        reach = sqrt((high - share) ** 2 + (other - other_low) ** 2)
    return max(0.0, abs(share - other) - reach)


def chi_square_p(rows: Iterable[tuple[int, int]]) -> float | None:
    """Pearson's test that the share is the same in all rows of (with, without); None if all or none have it.

    >>> round(chi_square_p([(10, 20), (20, 10)]), 4)
    0.0098
    """
    from scipy.special import chdtrc  # imported here, in the process of an audit

    table = list(rows)
    sums = [sum(column) for column in zip(*table, strict=True)]
    total = sum(sums)
    if len(table) < 2 or not all(sums):
        return None
    statistic = 0.0
    for row in table:
        for value, column in zip(row, sums, strict=True):
            expected = sum(row) * column / total
            statistic += (value - expected) ** 2 / expected
    return float(chdtrc(len(table) - 1, statistic))


# Lengths and overlap


def _class_finding(
    question: AuditQuestion, measure: Measure, counts: SurfaceCounts, labels: tuple[str, ...], limits: _Limits
) -> Finding:
    pairs = sum(counts.histogram(measure, labels).values())
    if len(labels) < 2:
        return _unknown(question, pairs)
    rows, sizes = [], {}
    for label in labels:
        own = counts.histogram(measure, (label,))
        others = counts.histogram(measure, (other for other in labels if other != label))
        row, sizes[label] = _auc_row(measure, label, own, others)
        rows.append(row)
    top = max(labels, key=lambda label: sizes[label])
    size = sizes[top]
    return Finding(question, _verdict(size, limits), pairs, size, top if size > 0 else "", tuple(rows), chance=0.5)


def _neutral_finding(counts: SurfaceCounts) -> Finding:
    """The finding on neutral pairs against all linked pairs, overall and by strategy."""
    labels = counts.labels()
    linked = tuple(label for label in labels if label != Label.NEUTRAL)
    pairs = sum(counts.totals()[label] for label in labels)
    if not linked or Label.NEUTRAL not in labels:
        return _unknown(AuditQuestion.NEUTRAL, pairs)
    made = [strategy for strategy in Strategy if counts.pairs[Label.NEUTRAL, strategy] >= MIN_PAIRS]
    strategies = ["", *(made if len(made) > 1 else ())]
    rows, verdicts, size = [], [], 0.0
    for measure in (Measure.OVERLAP, Measure.PREMISE_WORDS, Measure.HYPOTHESIS_WORDS):
        others = counts.histogram(measure, linked)
        for strategy in strategies:
            own = counts.histogram(measure, (Label.NEUTRAL,), strategy)
            row, low = _auc_row(measure, Label.NEUTRAL, own, others, strategy)
            rows.append(row)
            if not strategy:
                verdicts.append(_verdict(low, _NEUTRAL if measure is Measure.OVERLAP else _LENGTH))
                size = max(size, low)
    verdict = min(verdicts, key=list(Verdict).index)
    return Finding(
        AuditQuestion.NEUTRAL,
        verdict,
        pairs,
        size,
        Label.NEUTRAL,
        tuple(rows),
        chance=0.5,
        reference=NEUTRAL_REFERENCE,
    )


def _auc_row(
    measure: Measure, label: str, own: Counter[int], others: Counter[int], strategy: str = ""
) -> tuple[AuditRow, float]:
    """The row, and the strict lower bound of its distance from chance. The AUC is over .5 on either side."""
    value, error = auc(own, others)
    pairs = own.total()
    mean = sum(key * number for key, number in own.items()) / pairs
    low, high = max(0.0, value - _Z * error), min(1.0, value + _Z * error)
    row = AuditRow(measure, label, pairs, value, low, high, strategy, mean=mean)
    return row, max(0.0, abs(value - 0.5) - _STRICT_Z * error)


def auc(own: Mapping[int, int], others: Mapping[int, int]) -> tuple[float, float]:
    """How often a value of `own` is larger than one of `others`, ties being half, and the standard error (DeLong).

    Both are histograms, {value: number}, and neither is empty.

    >>> auc({1: 1, 3: 1}, {2: 2})[0]
    0.5
    """
    own_total, other_total = sum(own.values()), sum(others.values())
    own_scores, other_scores = [], []  # (placement, number) of each value
    own_below = other_below = 0
    for value in sorted(own.keys() | others.keys()):
        mine, theirs = own.get(value, 0), others.get(value, 0)
        own_scores.append(((other_below + theirs / 2) / other_total, mine))
        other_scores.append((1 - (own_below + mine / 2) / own_total, theirs))
        own_below, other_below = own_below + mine, other_below + theirs
    area = sum(score * number for score, number in own_scores) / own_total

    def variance(scores: list[tuple[float, int]], total: int) -> float:
        return sum(number * (score - area) ** 2 for score, number in scores) / max(total - 1, 1) / total

    return area, sqrt(variance(own_scores, own_total) + variance(other_scores, other_total))
