"""Which kinds of reasoning occur together, and which of them a model gets wrong (TaxiNLI, sections 3.3 and 4.2).

Indicators are a matrix of 0 and 1, a row for each pair and a column for each category.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from miner.libraries import NDArray, np
from miner.statistics import Interval

if TYPE_CHECKING:
    Numbers = NDArray[np.float64]

STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
MIN_PAIRS = 30
_MAX_STEPS, _TOLERANCE = 100, 1e-10
_SEPARATED = 15.0  # a coefficient beyond this predicts with certainty: there is no maximum of the likelihood
_PRIOR = 0.5  # Jeffreys' Beta prior


class CategoryScore(NamedTuple):
    """How often a model is right on the pairs with a category. interval: 95 %, of a posterior with Jeffreys' prior."""

    category: str
    right: int
    pairs: int
    share: float | None
    interval: Interval | None


class Factor(NamedTuple):
    """What a factor has to do with being right.

    coefficient: of the logistic regression, in log odds; error: its standard error; p: of Wald's test. effect: average
    marginal effect, in the probability of being right. discriminant: of the linear discriminant analysis.
    """

    name: str
    coefficient: float
    error: float
    p: float
    effect: float
    discriminant: float

    @property
    def stars(self) -> str:
        return next((stars for limit, stars in STARS if self.p < limit), "")


class FactorAnalysis(NamedTuple):
    """intercept: of the logistic regression. left_out: factors without variance, or that repeat others; by name.

    problem: why there are no factors, "" if there are.
    """

    factors: tuple[Factor, ...]
    intercept: float
    left_out: tuple[str, ...]
    pairs: int
    right: int
    problem: str = ""


def count_kinds(indicators: NDArray[Any], classes: NDArray[Any], number: int) -> NDArray[np.int64]:
    """How many pairs have each category, by class: (categories, classes). classes: an index for each pair."""

    ticked = np.asarray(indicators, np.int64)
    return np.stack([ticked[np.asarray(classes) == one].sum(0) for one in range(number)], 1)


def correlations(indicators: NDArray[Any]) -> Numbers:
    """The phi coefficients of every two categories, (categories, categories); NaN where one has no variance."""

    values = np.asarray(indicators, np.float64)
    centred = values - values.mean(0) if len(values) else values
    products = centred.T @ centred
    spread = np.sqrt(np.diag(products))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = products / np.outer(spread, spread)
    found[(spread == 0), :] = np.nan
    found[:, (spread == 0)] = np.nan
    return np.asarray(np.clip(found, -1, 1), np.float64)


def category_scores(indicators: NDArray[Any], correct: NDArray[Any], names: Sequence[str]) -> list[CategoryScore]:
    """How often the model is right on the pairs of each category."""
    from scipy.special import betaincinv  # the quantiles of a Beta distribution; scipy.stats takes seconds to import

    ticked, right = np.asarray(indicators, bool), np.asarray(correct, bool)
    found = []
    for column, name in enumerate(names):
        pairs, hits = int(ticked[:, column].sum()), int(right[ticked[:, column]].sum())
        if not pairs:
            found.append(CategoryScore(name, 0, 0, None, None))
            continue
        low, high = betaincinv(hits + _PRIOR, pairs - hits + _PRIOR, (0.025, 0.975))
        found.append(CategoryScore(name, hits, pairs, hits / pairs, Interval(float(low), float(high))))
    return found


def analyse_factors(values: NDArray[Any], correct: NDArray[Any], names: Sequence[str]) -> FactorAnalysis:
    """Explain whether a model is right, (n,), by factors, (n, k): the indicators and the sentences' lengths in words.

    By maximum likelihood without standardizing, as the paper. Factors that have no variance, or are a sum of others,
    are left out and named.
    """

    y = np.asarray(correct, np.float64)
    x = np.asarray(values, np.float64)
    right = int(y.sum())
    if len(y) < MIN_PAIRS or right in (0, len(y)):
        problem = f"there are only {len(y)} pairs" if len(y) < MIN_PAIRS else "the answers are all right or all wrong"
        return FactorAnalysis((), 0.0, (), len(y), right, problem)
    kept = _independent_columns(x)
    fitted = _fit(np.column_stack([np.ones(len(y)), x[:, kept]]), y)
    left_out = tuple(name for column, name in enumerate(names) if column not in kept)
    if fitted is None or np.abs(fitted.coefficients[1:] * x[:, kept].std(0)).max(initial=0) > _SEPARATED:
        problem = "some factors predict with certainty, so that the regression has no solution"
        return FactorAnalysis((), 0.0, left_out, len(y), right, problem)
    discriminant = _discriminant(x[:, kept], y)
    slope = float((fitted.probabilities * (1 - fitted.probabilities)).mean())
    factors = []
    for place, column in enumerate(kept):
        coefficient, error = float(fitted.coefficients[place + 1]), float(fitted.errors[place + 1])
        p = _two_sided(coefficient / error)
        factors.append(Factor(names[column], coefficient, error, p, slope * coefficient, float(discriminant[place])))
    return FactorAnalysis(tuple(factors), float(fitted.coefficients[0]), left_out, len(y), right)


class _Fit(NamedTuple):
    coefficients: Numbers
    errors: Numbers
    probabilities: Numbers


def _fit(x: Numbers, y: Numbers) -> _Fit | None:
    """A logistic regression by Newton's method; None if it does not converge."""

    coefficients = np.zeros(x.shape[1])
    for _ in range(_MAX_STEPS):
        probabilities = _sigmoid(x @ coefficients)
        information = (x * (probabilities * (1 - probabilities))[:, None]).T @ x
        try:
            step = np.linalg.solve(information, x.T @ (y - probabilities))
        except np.linalg.LinAlgError:
            return None
        coefficients = coefficients + step
        if not np.isfinite(coefficients).all():
            return None
        if np.abs(step).max() < _TOLERANCE:
            errors = np.sqrt(np.diag(np.linalg.inv(information)))
            return _Fit(coefficients, errors, probabilities)
    return None


def _sigmoid(values: Numbers) -> Numbers:

    return np.asarray(1 / (1 + np.exp(-np.clip(values, -500, 500))))


def _two_sided(z: float) -> float:
    from math import erfc, sqrt

    return erfc(abs(z) / sqrt(2))


def _discriminant(x: Numbers, y: Numbers) -> Numbers:
    """The coefficients of Fisher's linear discriminant: the inverse within-class covariance times the difference."""

    sides = [x[y == 0], x[y == 1]]
    means = [side.mean(0) for side in sides]
    scatter = sum((side - mean).T @ (side - mean) for side, mean in zip(sides, means, strict=True))
    return np.asarray(np.linalg.solve(scatter / (len(y) - 2), means[1] - means[0]))


def _independent_columns(x: Numbers) -> list[int]:
    """The columns, from the left, that are neither constant nor a sum of earlier ones."""

    kept: list[int] = []
    centred = x - x.mean(0)
    basis = np.zeros((len(x), 0))
    for column in range(x.shape[1]):
        vector = centred[:, column]
        length = np.linalg.norm(vector)
        rest = vector - basis @ (basis.T @ vector)
        rest = rest - basis @ (basis.T @ rest)
        if length and np.linalg.norm(rest) > 1e-8 * length:
            kept.append(column)
            basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return kept
