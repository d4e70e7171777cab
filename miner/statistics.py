"""Statistics of a data set: confidence intervals of shares, and bins of values."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

_Z = 1.959963984540054  # the normal distribution's 97.5 % point: 95 % lie within


class Interval(NamedTuple):
    """Bounds of a share, both 0.0 to 1.0."""

    low: float
    high: float


def wilson(successes: float, trials: float, z: float = _Z) -> Interval:
    """The Wilson score interval of a share, given `successes` in `trials`; 95 % confidence by default.

    Unlike the normal (±) interval it stays within 0 to 1 and is valid for few trials and shares near 0 or 1. 0.0 to 1.0
    without trials. Both may be fractions: expected or effective numbers instead of counts.

    >>> low, high = wilson(8, 10)
    >>> f"{low:.3f} to {high:.3f}"
    '0.490 to 0.943'

    Source: E. B. Wilson, JASA 22 (1927), 209-212; recommended for small numbers by Brown, Cai and DasGupta, Statistical
    Science 16 (2001), 101-133.
    """
    if not trials:
        return Interval(0.0, 1.0)
    share = successes / trials
    shrink = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / shrink
    reach = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / shrink
    # Without successes, or without failures, the bound is exactly 0 or 1; rounding must not change it.
    low = 0.0 if successes == 0 else max(0.0, middle - reach)
    high = 1.0 if successes == trials else min(1.0, middle + reach)
    return Interval(low, high)


@dataclass(frozen=True, slots=True)
class Bins:
    """Whole numbers from 0 in bins of `width`; the last bin begins at `last` and has no upper limit.

    `top`: the largest possible value; None when there is none.

    >>> bins = Bins(width=10, last=30)
    >>> [bins.name(bins.index(value)) for value in (0, 19, 30, 400)]
    ['0–9', '10–19', '30 or more', '30 or more']
    """

    width: int
    last: int
    top: int | None = None

    def __len__(self) -> int:
        return self.last // self.width + 1

    def index(self, value: int) -> int:
        return min(value, self.last) // self.width

    def limits(self, index: int) -> tuple[int, int | None]:
        """The smallest and the largest value of the bin; None: no limit."""
        low = index * self.width
        return low, (self.top if index == len(self) - 1 else low + self.width - 1)

    def name(self, index: int) -> str:
        low, high = self.limits(index)
        return f"{low} or more" if high is None else f"{low}–{high}"
