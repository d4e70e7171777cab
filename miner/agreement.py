"""How far annotators agree: coefficients for any number of annotators, also with missing votes, with intervals.

Votes are a matrix of whole numbers, a row for each pair and a column for each annotator: categories from 0, and
`MISSING`. All coefficients but Cohen's kappa depend only on how many votes a pair has in each category, so pairs are
counted by this pattern, and the bootstrap draws numbers of patterns instead of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from miner.libraries import NDArray, np
from miner.statistics import Interval, wilson

if TYPE_CHECKING:
    Numbers = NDArray[np.float64]

MISSING = -1
BOOTSTRAP_SAMPLES = 1_000
_SAMPLES_PER_BATCH = 250  # limits the memory
_MAX_UNDEFINED = 0.05  # of the samples; with more, their percentiles say nothing
_ROUNDING = 1e-12


class Refusal(StrEnum):
    """Why there are no coefficients, or only some.

    NO_VOTES: there are none. ONE_ANNOTATOR: all votes are one person's. NO_OVERLAP: no pair has two votes.
    ONE_CATEGORY: all votes are in the same category, so that agreement by chance is certain too: only raw agreement and
    AC1 are defined.
    """

    NO_VOTES = "no_votes"
    ONE_ANNOTATOR = "one_annotator"
    NO_OVERLAP = "no_overlap"
    ONE_CATEGORY = "one_category"


class Coefficient(NamedTuple):
    """A measure of agreement: 1.0 is perfect, 0.0 as good as chance; None where it is not defined.

    interval: 95 %, by bootstrap over the pairs; None if resampling changes nothing, or leaves too little. Shares of 0
    or 1 have Wilson's interval instead.
    """

    value: float | None
    interval: Interval | None = None


UNDEFINED = Coefficient(None)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on the pairs with two votes or more.

    pairs, votes: how many such pairs, and votes on them. single: pairs with one vote, which are left out. missing: how
    many votes all pairs with a vote still lack. annotators: how many people gave the votes.

    raw: the share of pairs of annotators that agree, as a mean over the pairs (Fleiss' observed agreement).
    unanimous: the share of pairs whose votes are all the same.
    categories: for each category, Fleiss' kappa of that category against all others together.
    shares: for each category, its share of the votes.
    """

    pairs: int
    votes: int
    single: int
    missing: int
    annotators: int
    raw: Coefficient = UNDEFINED
    unanimous: Coefficient = UNDEFINED
    fleiss: Coefficient = UNDEFINED
    alpha: Coefficient = UNDEFINED
    ac1: Coefficient = UNDEFINED
    categories: tuple[Coefficient, ...] = ()
    shares: tuple[float, ...] = ()
    refusal: Refusal | None = None


class CohenAgreement(NamedTuple):
    """Agreement of two annotators on the `pairs` that both have voted on.

    raw: the share of votes that are the same. table: how many pairs by the first's category (rows) and the second's.
    """

    pairs: int
    raw: Coefficient
    kappa: Coefficient
    table: tuple[tuple[int, ...], ...]


def agreement(
    votes: NDArray[Any],
    categories: int,
    *,
    wanted: int = 0,
    by_category: bool = True,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = 1,
) -> Agreement:
    """Measure the agreement of votes (pairs, annotators).

    categories: how many there are, also those without a vote; AC1 depends on it. wanted: how many votes a pair should
    have; 0 for as many as there are annotators. by_category: whether to compute the kappas of single categories too.
    samples: of the bootstrap; 0 for no intervals.
    """

    votes = np.asarray(votes)
    annotators = int((votes != MISSING).any(0).sum()) if votes.size else 0
    counts = vote_counts(votes, categories)
    per_pair = counts.sum(1)
    wanted = wanted or annotators
    found = Agreement(
        pairs=int((per_pair > 1).sum()),
        votes=int(per_pair[per_pair > 1].sum()),
        single=int((per_pair == 1).sum()),
        missing=int(np.maximum(0, wanted - per_pair[per_pair > 0]).sum()),
        annotators=annotators,
    )
    counts = counts[per_pair > 1]
    if not len(counts):
        reason = Refusal.NO_OVERLAP if annotators > 1 else Refusal.ONE_ANNOTATOR if annotators else Refusal.NO_VOTES
        return replace(found, refusal=reason)
    patterns, frequencies = np.unique(counts, axis=0, return_counts=True)
    sums = _pattern_sums(patterns)
    measures: list[_Measure] = [_raw, _unanimous, _fleiss, _alpha, _ac1]
    measures += [_category_kappa(category) for category in range(categories) if by_category]
    coefficients = _with_intervals(measures, sums, frequencies, categories, samples, seed)
    raw, unanimous, fleiss, alpha, ac1, *of_categories = coefficients
    if samples:
        raw, unanimous = (_with_wilson(coefficient, found.pairs) for coefficient in (raw, unanimous))
    totals = counts.sum(0)
    one_category = int((totals > 0).sum()) == 1
    return replace(
        found,
        raw=raw,
        unanimous=unanimous,
        fleiss=fleiss,
        alpha=alpha,
        ac1=ac1,
        categories=tuple(of_categories),
        shares=tuple((totals / totals.sum()).tolist()),
        refusal=Refusal.ONE_CATEGORY if one_category else None,
    )


def vote_counts(votes: NDArray[Any], categories: int) -> NDArray[np.int64]:
    """How many votes each pair (rows) has in each category (columns)."""

    votes = np.asarray(votes)
    if votes.size and (votes.max() >= categories or votes.min() < MISSING):
        raise ValueError("a vote is in none of the categories")
    counts = np.zeros((len(votes), categories), np.int64)
    for category in range(categories):
        counts[:, category] = (votes == category).sum(1)
    return counts


def fleiss_kappa(counts: NDArray[Any]) -> float | None:
    """Fleiss' kappa of numbers of votes (pairs, categories); None if it is not defined.

    With missing votes, Gwet's generalisation: observed agreement over the pairs with two votes or more, agreement by
    chance from the mean of the shares of all pairs with a vote.

    Source: J. L. Fleiss, Psychological Bulletin 76 (1971), 378-382; K. L. Gwet, Handbook of Inter-Rater Reliability
    (4th edition, 2014), section 2.4.
    """
    return _value(_fleiss, counts)


def krippendorff_alpha(counts: NDArray[Any]) -> float | None:
    """Krippendorff's alpha for nominal data; None if it is not defined: without overlap, or with one category only.

    Pairs with one vote do not count. Source: K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).
    """
    return _value(_alpha, counts)


def gwet_ac1(counts: NDArray[Any]) -> float | None:
    """Gwet's AC1; None if it is not defined. Missing votes as in `fleiss_kappa`.

    It stays meaningful where nearly all votes are in one category, where the kappas fall to 0 in spite of agreement.
    Source: K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008), 29-48.
    """
    return _value(_ac1, counts)


def cohen_kappa(table: NDArray[Any]) -> float | None:
    """Cohen's kappa of a table of two annotators' votes; None if it is not defined.

    Source: J. Cohen, Educational and Psychological Measurement 20 (1960), 37-46.
    """

    table = np.asarray(table)
    return _number(_cohen(table.reshape(1, -1).astype(np.float64), len(table)))


def pairwise(
    votes: NDArray[Any], categories: int, *, samples: int = BOOTSTRAP_SAMPLES, seed: int = 1
) -> Mapping[tuple[int, int], CohenAgreement]:
    """Cohen's kappa of every two annotators, by their columns; undefined for two without a common pair."""

    votes = np.asarray(votes)
    found = {}
    for first, second in combinations(range(votes.shape[1]), 2):
        both = (votes[:, first] != MISSING) & (votes[:, second] != MISSING)
        cells = votes[both, first].astype(np.int64) * categories + votes[both, second]
        table = np.bincount(cells, minlength=categories**2)
        raw = kappa = UNDEFINED
        if len(cells):
            cell_columns = np.eye(categories**2)
            raw, kappa = _with_intervals([_diagonal, _cohen], cell_columns, table, categories, samples, seed)
            raw = _with_wilson(raw, len(cells)) if samples else raw
        rows = tuple(tuple(row) for row in table.reshape(categories, categories).tolist())
        found[first, second] = CohenAgreement(len(cells), raw, kappa, rows)
    return found


# Coefficients are functions of sums over the pairs, so that they can be computed for all samples at once. A row of sums
# has the columns below, each of the last three once for each category; n_k is a pair's number of votes in category k, n
# of all its votes:
#   number of pairs with two votes or more; number of pairs with a vote; sum of the shares of agreeing pairs of votes;
#   unanimous pairs; n_k / n; n_k, and n_k (n_k - 1) / (n - 1), of pairs with two votes or more; share of pairs of
#   votes that agree when only k and "not k" are told apart.
_Measure = Callable[["Numbers", int], "Numbers"]
_PAIRS, _VOTED, _AGREED, _UNANIMOUS, _FIRST = 0, 1, 2, 3, 4


def _pattern_sums(counts: NDArray[Any]) -> Numbers:
    """The columns above for each row of `counts`."""

    counts = counts.astype(np.float64)
    n = counts.sum(1, keepdims=True)
    several = n > 1
    choices = np.maximum(1, n * (n - 1))
    same = counts * (counts - 1)
    others = n - counts
    return np.hstack(
        [
            several,
            n > 0,
            several * same.sum(1, keepdims=True) / choices,
            several & (counts.max(1, keepdims=True) == n),
            counts / np.maximum(1, n),
            several * counts,
            several * same / np.maximum(1, n - 1),
            several * (same + others * (others - 1)) / choices,
        ]
    )


def _part(sums: Numbers, categories: int, number: int) -> Numbers:
    start = _FIRST + number * categories
    return sums[..., start : start + categories]


def _raw(sums: Numbers, categories: int) -> Numbers:
    return _divide(sums[..., _AGREED], sums[..., _PAIRS])


def _unanimous(sums: Numbers, categories: int) -> Numbers:
    return _divide(sums[..., _UNANIMOUS], sums[..., _PAIRS])


def _shares(sums: Numbers, categories: int) -> Numbers:
    return _divide(_part(sums, categories, 0), sums[..., _VOTED, None])


def _fleiss(sums: Numbers, categories: int) -> Numbers:
    return _beyond_chance(_raw(sums, categories), (_shares(sums, categories) ** 2).sum(-1))


def _ac1(sums: Numbers, categories: int) -> Numbers:
    shares = _shares(sums, categories)
    return _beyond_chance(_raw(sums, categories), (shares * (1 - shares)).sum(-1) / (categories - 1))


def _alpha(sums: Numbers, categories: int) -> Numbers:
    values, coincidences = _part(sums, categories, 1), _part(sums, categories, 2)
    total = values.sum(-1)
    chance = _divide((values * (values - 1)).sum(-1), total * (total - 1))
    return _beyond_chance(_divide(coincidences.sum(-1), total), chance)


def _category_kappa(category: int) -> _Measure:
    def kappa(sums: Numbers, categories: int) -> Numbers:
        share = _shares(sums, categories)[..., category]
        observed = _divide(_part(sums, categories, 3)[..., category], sums[..., _PAIRS])
        return _beyond_chance(observed, share**2 + (1 - share) ** 2)

    return kappa


def _diagonal(cells: Numbers, categories: int) -> Numbers:
    """The share of pairs in the diagonal of a table of two annotators' votes."""
    return _divide(cells[..., :: categories + 1].sum(-1), cells.sum(-1))


def _cohen(cells: Numbers, categories: int) -> Numbers:
    table = cells.reshape(*cells.shape[:-1], categories, categories)
    chance = _divide((table.sum(-1) * table.sum(-2)).sum(-1), cells.sum(-1) ** 2)
    return _beyond_chance(_diagonal(cells, categories), chance)


def _beyond_chance(observed: Numbers, chance: Numbers) -> Numbers:
    """The share of the agreement beyond chance that there could be; NaN where chance agreement is certain."""

    return _divide(observed - chance, np.where(1 - chance < _ROUNDING, 0.0, 1 - chance))


def _divide(part: Numbers, whole: Numbers) -> Numbers:
    """NaN where the whole is 0."""

    whole = np.asarray(whole, np.float64)
    return np.asarray(part / np.where(whole == 0, np.nan, whole))


def _value(measure: _Measure, counts: NDArray[Any]) -> float | None:

    counts = np.asarray(counts)
    return _number(measure(_pattern_sums(counts).sum(0, keepdims=True), counts.shape[1]))


def _number(values: Numbers) -> float | None:
    value = float(values[0])
    return value if value == value else None


def _with_intervals(
    measures: list[_Measure], columns: Numbers, frequencies: NDArray[Any], categories: int, samples: int, seed: int
) -> list[Coefficient]:
    """The measures of patterns that occur so often, with the percentile intervals of their bootstrap.

    columns: of each pattern. Drawing pairs with replacement is drawing the numbers of patterns from a multinomial
    distribution. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3.
    """

    columns, frequencies = columns[frequencies > 0], frequencies[frequencies > 0]
    total = int(frequencies.sum())
    values = [_number(measure((frequencies @ columns)[None], categories)) for measure in measures]
    if samples < 1 or total < 2:
        return [Coefficient(value) for value in values]
    generator = np.random.default_rng(seed)
    drawn = []
    for start in range(0, samples, _SAMPLES_PER_BATCH):
        size = min(_SAMPLES_PER_BATCH, samples - start)
        sums = generator.multinomial(total, frequencies / total, size=size) @ columns
        drawn.append(np.stack([measure(sums, categories) for measure in measures]))
    return [
        Coefficient(value, None if value is None else _percentiles(sample))
        for value, sample in zip(values, np.concatenate(drawn, axis=1), strict=True)
    ]


def _with_wilson(share: Coefficient, pairs: int) -> Coefficient:
    """Wilson's interval for a share of 0 or 1, which resampling cannot change."""
    if share.interval is None and share.value in (0.0, 1.0):
        return Coefficient(share.value, wilson(share.value * pairs, pairs))
    return share


def _percentiles(sample: Numbers) -> Interval | None:

    defined = sample[~np.isnan(sample)]
    if len(defined) < (1 - _MAX_UNDEFINED) * len(sample) or np.ptp(defined) < _ROUNDING:
        return None
    low, high = np.quantile(defined, (0.025, 0.975))
    return Interval(float(low), float(high))
