"""How many distant labels are right, with an interval, from few answers and a model's predictions for all pairs.

The estimate is survey sampling's difference estimator within strata, which is prediction-powered inference with a power
tuned to the predictions' worth: the mean prediction of all pairs, times the power, and the mean error that the answers
show of it. Each answer's error is measured with a power that was fitted on other answers.
Sources: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Prediction-powered inference (Science 382, 2023);
Angelopoulos, Duchi and Zrnic, PPI++: Efficient Prediction-Powered Inference (arXiv:2311.01453, 2023); Särndal, Swensson
and Wretman, Model Assisted Survey Sampling (Springer 1992), chapters 6 and 7.

The interval is Wilson's for the number of answers to a plain random sample with the same variance, with a quantile of
Student's t. Sources: Korn and Graubard, Confidence Intervals for Proportions With Small Expected Number of Positive
Counts Estimated From Survey Data (Survey Methodology 24, 1998); Dean and Pagano, Evaluating Confidence Interval Methods
for Binomial Proportions in Clustered Surveys (Journal of Survey Statistics and Methodology 3, 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING, NamedTuple

from miner.libraries import NDArray, np
from miner.precision.strata import BANDS, STRATA, LabelGroup, right_probability, stratum_of
from miner.records import Label
from miner.statistics import Interval, wilson

if TYPE_CHECKING:
    Floats = NDArray[np.float64]
    Numbers = NDArray[np.int64]

MIN_ANSWERS = 10
"""With fewer answers nothing is said of a share."""
_MIN_IN_STRATUM = 5  # answers; strata with fewer are joined to their neighbours
_FOLDS = 5  # of the answers, for the power of the predictions
_NORMAL_QUANTILE = 1.959963984540054
# Chosen so that intervals cover made-up populations (`tests/miner/precision`), some with errors that the model likes.
_MODEL_ANSWERS = 10.0  # that the model of the strata's shares counts for, in each stratum
_SLOPE_DEVIATION = 0.7  # of that model's slope, before any answer; 1 if the predictions are calibrated
_ERRORS_OF_PROOF = 5  # an answer tells more than a random one only so far as there are this many errors, and right ones
_NEWTON_STEPS = 8
_MOST_ANSWERS = 1e9


class SampledAnswer(NamedTuple):
    """A pair of the sample that people have answered. label, domain, phrase, percent: as `LabelGroup` has them.

    place: in the order of the sample (`miner.precision.sampling`). probability: to be in the part of the sample that
    has been answered, up to a factor that all have in common. is_right: whether the distant label is.
    """

    label: Label
    domain: str
    phrase: str
    percent: int | None
    place: float
    probability: float
    is_right: bool


@dataclass(frozen=True, slots=True)
class PrecisionEstimate:
    """The share of distant labels that are right among `pairs`, from `answers`, of which `right` say that one is.

    share, interval (95 %): 0.0 to 1.0; None with fewer than `MIN_ANSWERS`. effective: how many answers to a plain
    random sample would have told as much.
    """

    pairs: int
    answers: int
    right: int
    share: float | None = None
    interval: Interval | None = None
    effective: float = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether all pairs are answered, so that the share is counted and nothing is left to chance."""
        return 0 < self.answers == self.pairs

    def more_answers(self, reach: float) -> int | None:
        """How many more answers make the interval reach at most so far (0.03: ± 3 points) to both sides on average.

        0 if it does already; None where the share is not known yet.
        """
        if self.share is None or not self.effective:
            return None
        if _reach(self.share, self.effective) <= reach:
            return 0
        low, high = self.effective, 2 * self.effective
        while _reach(self.share, high) > reach:
            low, high = high, 2 * high
        while high - low > 0.1:
            middle = (low + high) / 2
            low, high = (middle, high) if _reach(self.share, middle) > reach else (low, middle)
        # As n answers of N pairs are worth c n / (1 - n / N) random ones.
        each = self.effective * (1 - self.answers / self.pairs) / self.answers
        return ceil(high / (each + high / self.pairs)) - self.answers


class StratumSizes(NamedTuple):
    """The pairs of each stratum (`stratum_of`) and the mean of their predictions, both (STRATA,)."""

    pairs: Floats
    predicted: Floats


class AnswerArrays(NamedTuple):
    """A value for each answer: its stratum, prediction and weight, whether the label is right, and its fold."""

    stratum: Numbers
    predicted: Floats
    weight: Floats
    right: Floats
    fold: Numbers


def estimate_precision(groups: Sequence[LabelGroup], answers: Sequence[SampledAnswer]) -> PrecisionEstimate:
    """The estimate for the pairs of these groups, from the answers to a sample of them."""
    return estimate_share(stratum_sizes(groups), answer_arrays(answers))


def stratum_sizes(groups: Sequence[LabelGroup]) -> StratumSizes:
    """The groups' pairs by stratum."""
    strata = np.array([stratum_of(group.label, group.percent) for group in groups], np.int64)
    pairs = np.array([group.pairs for group in groups], np.float64)
    predicted = np.array([right_probability(group.label, group.percent) for group in groups], np.float64)
    sizes = np.asarray(np.bincount(strata, pairs, STRATA), np.float64)
    return StratumSizes(sizes, np.bincount(strata, pairs * predicted, STRATA) / np.maximum(sizes, 1))


def answer_arrays(answers: Sequence[SampledAnswer]) -> AnswerArrays:
    """The answers in the order of the sample, so that folds do not depend on how they came."""
    ordered = sorted(answers, key=lambda one: (one.place, one.label, one.domain, one.phrase))
    return AnswerArrays(
        np.array([stratum_of(one.label, one.percent) for one in ordered], np.int64),
        np.array([right_probability(one.label, one.percent) for one in ordered], np.float64),
        np.array([1 / one.probability for one in ordered], np.float64),
        np.array([one.is_right for one in ordered], np.float64),
        np.arange(len(ordered)) % _FOLDS,
    )


def estimate_share(sizes: StratumSizes, answers: AnswerArrays) -> PrecisionEstimate:
    """The estimate from arrays, as `estimate_precision`."""
    pairs, count, right = int(sizes.pairs.sum()), len(answers.right), int(answers.right.sum())
    if count == pairs and count:
        share = right / count
        return PrecisionEstimate(pairs, count, right, share, Interval(share, share), _MOST_ANSWERS)
    if count < MIN_ANSWERS:
        return PrecisionEstimate(pairs, count, right)
    sizes, answers = _spread_unpredicted(sizes, answers)
    strata = _join(sizes, answers)
    power = _power(answers, strata)
    corrected = answers.right - power[answers.fold] * (answers.predicted - strata.predicted[strata.of_answer])
    share = float(np.clip(strata.shares @ strata.means(corrected), 0.0, 1.0))
    share = round(share, 12)  # of labels that are all right: 1
    variances = _variances(answers, strata) * _left_over(answers.right, corrected, strata)
    total = float(strata.shares**2 @ (variances / strata.answers * strata.unseen))
    smoothed = (share * count + 1) / (count + 2)
    worth = smoothed * (1 - smoothed) / total if total > 0 else inf
    worth *= (_NORMAL_QUANTILE / t_quantile(count - 2)) ** 2
    plain = count / max(1 - count / pairs, count / _MOST_ANSWERS)  # that a random sample of so many pairs is worth
    worth = min(worth, plain * max(1.0, min(right, count - right) / _ERRORS_OF_PROOF), _MOST_ANSWERS)
    return PrecisionEstimate(pairs, count, right, share, wilson_of(share, worth), worth)


def wilson_of(share: float, answers: float) -> Interval:
    """Wilson's interval of a share that so many answers, also a fraction, have given."""
    return wilson(share * answers, answers)


def t_quantile(freedom: int) -> float:
    """The 97.5 % point of Student's t with so many degrees of freedom, from 1: the first terms of its expansion.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
    """
    z, n = _NORMAL_QUANTILE, max(freedom, 3)
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + terms[0] / n + terms[1] / n**2 + terms[2] / n**3


class _Strata(NamedTuple):
    """Strata that have been joined until each has answers.

    shares: of the pairs; they sum to 1. predicted: mean predictions of their pairs. unseen: shares of their pairs that
    nobody has answered. answers: how many of equal weight theirs are worth. of_answer: the stratum of each answer.
    weight: of each answer; they sum to 1 in each stratum.
    """

    shares: Floats
    predicted: Floats
    unseen: Floats
    answers: Floats
    of_answer: Numbers
    weight: Floats

    def means(self, values: Floats) -> Floats:
        """The weighted mean of the answers' values in each stratum."""
        return np.asarray(np.bincount(self.of_answer, self.weight * values, len(self.shares)), np.float64)

    def spreads(self, values: Floats) -> Floats:
        """The weighted mean square distance from that mean."""
        return self.means((values - self.means(values)[self.of_answer]) ** 2)


def _spread_unpredicted(sizes: StratumSizes, answers: AnswerArrays) -> tuple[StratumSizes, AnswerArrays]:
    """The same with a class's pairs without a prediction spread over its others, where hardly any of them is answered.

    They came after the model had suggested labels, and are taken to be like the others of their class.
    """
    pairs, of_stratum = sizes.pairs.copy(), np.bincount(answers.stratum, minlength=STRATA)
    is_kept = np.ones(len(answers.right), bool)
    for first in range(0, STRATA, BANDS):
        others, unpredicted = slice(first, first + BANDS - 1), first + BANDS - 1
        is_known_by_others = of_stratum[unpredicted] < _MIN_IN_STRATUM <= of_stratum[others].sum()
        if is_known_by_others and (total := pairs[others].sum()):
            pairs[others] *= 1 + pairs[unpredicted] / total
            pairs[unpredicted] = 0
            is_kept &= answers.stratum != unpredicted
    stratum, predicted, weight, right, fold = answers
    kept = (predicted[is_kept], weight[is_kept], right[is_kept], fold[is_kept])
    return sizes._replace(pairs=pairs), AnswerArrays(stratum[is_kept], *kept)


def _join(sizes: StratumSizes, answers: AnswerArrays) -> _Strata:
    joined = _joined_strata(np.bincount(answers.stratum, minlength=STRATA))
    number = int(joined.max()) + 1
    pairs = np.bincount(joined, sizes.pairs, number)
    predicted = np.bincount(joined, sizes.pairs * sizes.predicted, number) / np.maximum(pairs, 1)
    of_answer = joined[answers.stratum]
    weight = answers.weight / np.bincount(of_answer, answers.weight, number)[of_answer]
    unseen = np.maximum(1 - np.bincount(of_answer, minlength=number) / np.maximum(pairs, 1), 0.0)
    worth = 1 / np.bincount(of_answer, weight**2, number)
    return _Strata(pairs / pairs.sum(), predicted, unseen, worth, of_answer, weight)


def _joined_strata(answers: Numbers) -> Numbers:
    """The number of each stratum, (STRATA,), after those with few answers were joined with their neighbours.

    Neighbours are of the same class, unless the class has few answers as a whole.
    """
    joined = np.zeros(STRATA, np.int64)
    first, so_far, number = 0, 0, 0  # of the strata that are being joined
    for block in range(0, STRATA, BANDS):
        rest = int(answers[block : block + BANDS].sum())  # of the class
        for place in range(block, block + BANDS):
            joined[place] = number
            so_far, rest = so_far + int(answers[place]), rest - int(answers[place])
            is_end = place == block + BANDS - 1
            if so_far >= _MIN_IN_STRATUM and (is_end or rest >= _MIN_IN_STRATUM):
                first, so_far, number = place + 1, 0, number + 1
    joined[first:] = max(number - 1, 0)  # a last class with few answers
    return joined


def _power(answers: AnswerArrays, strata: _Strata) -> Floats:
    """The power of the predictions for the answers of each fold, 0.0 to 1.0, fitted on the other folds.

    It minimizes the variance of the estimate: a regression of answers on predictions within strata, each with the
    weight that it has in that variance (PPI++, section 6).
    """
    number = len(strata.shares)

    def of_other_folds(values: Floats) -> Floats:
        sums = np.bincount(answers.fold * number + strata.of_answer, values, _FOLDS * number).reshape(_FOLDS, number)
        return np.asarray(sums.sum(0) - sums)

    right, predicted = answers.right, answers.predicted
    count = np.maximum(of_other_folds(np.ones(len(right))), 1)
    sum_right, sum_predicted = of_other_folds(right), of_other_folds(predicted)
    common = of_other_folds(right * predicted) - sum_right * sum_predicted / count
    own = of_other_folds(predicted**2) - sum_predicted**2 / count
    weight = (strata.shares / count) ** 2
    common_sum, own_sum = (weight * common).sum(1), (weight * own).sum(1)
    power = np.divide(common_sum, own_sum, out=np.zeros(_FOLDS), where=own_sum > 1e-12)
    return np.asarray(np.clip(power, 0.0, 1.0))


def _variances(answers: AnswerArrays, strata: _Strata) -> Floats:
    """How much labels vary in each stratum: of a share that lies between that of its answers and that of a model.

    Five right labels are no proof that a stratum has no error. The model says how the strata differ, by as much as the
    answers show that the predictions tell them apart.
    """
    modelled = _modelled_shares(strata, strata.means(answers.right))
    shares = strata.answers * strata.means(answers.right) + _MODEL_ANSWERS * modelled
    shares /= strata.answers + _MODEL_ANSWERS
    return np.asarray(shares * (1 - shares))


def _modelled_shares(strata: _Strata, shares: Floats) -> Floats:
    """The shares of right labels in the strata by a logistic regression on the predictions' log-odds.

    It has one right and one wrong label more than there are, and a normal prior on the slope, whose mean is 0: with few
    errors, the strata are alike. Newton's method, with steps of at most 1.
    """
    odds = np.log(strata.predicted / (1 - strata.predicted))
    total = strata.answers.sum()
    weight = strata.answers * (1 + 2 / total)
    right = strata.answers * shares + strata.answers / total
    centred = odds - strata.answers @ odds / total
    level, slope = float(np.log(right.sum() / (weight - right).sum())), 0.0
    modelled = np.zeros(len(shares))
    for _ in range(_NEWTON_STEPS):
        modelled = 1 / (1 + np.exp(-(level + slope * centred)))
        residual, curve = right - weight * modelled, weight * modelled * (1 - modelled)
        gradient = float(residual.sum()), float(residual @ centred) - slope / _SLOPE_DEVIATION**2
        first, mixed = float(curve.sum()), float(curve @ centred)
        second = float(curve @ centred**2) + 1 / _SLOPE_DEVIATION**2
        determinant = first * second - mixed**2
        change = second * gradient[0] - mixed * gradient[1], first * gradient[1] - mixed * gradient[0]
        scale = max(determinant, *map(abs, change))
        level, slope = level + change[0] / scale, slope + change[1] / scale
    return modelled


def _left_over(right: Floats, corrected: Floats, strata: _Strata) -> float:
    """The part of the labels' variance within strata that the predictions leave, at most 1.5.

    As if one more error had told nothing.
    """
    weight = strata.shares**2 / strata.answers
    one_error = float(weight.sum()) / len(right)
    left, all = float(weight @ strata.spreads(corrected)), float(weight @ strata.spreads(right))
    return min((left + one_error) / (all + one_error), 1.5)


def _reach(share: float, answers: float) -> float:
    low, high = wilson_of(share, answers)
    return (high - low) / 2
