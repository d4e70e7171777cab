"""How long a part of `make torture` may take, and from which seed it draws."""

from __future__ import annotations

import random
import time
from typing import NamedTuple


class Row(NamedTuple):
    """A line of a part's table: what was counted, the count, what it must be, and whether it is (None: no goal)."""

    figure: str
    measured: str
    goal: str = "-"
    met: bool | None = None


class Budget:
    """The seconds that are left to a part, and its random numbers: the same seed draws the same trials, in order.

    How many trials there are depends on the machine. `draw`: the generator of all that a part draws.
    """

    def __init__(self, seconds: float, seed: int) -> None:
        self.seconds, self.seed = seconds, seed
        self.draw = random.Random(seed)
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._end

    def part(self, share: float) -> Budget:
        """A budget of its own for a share of the seconds, from 0 to 1."""
        return Budget(self.seconds * share, self.draw.randrange(2**32))
