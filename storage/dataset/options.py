"""What a data set is to be made of: the options of an export."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from miner import codec
from miner.records import Flag, Strategy
from miner.splits import SPLITS
from storage.pairs.filters import PairFilter

EVERYTHING = PairFilter()


class Preset(StrEnum):
    """The fields of a row: those of a known data set's files, labels as numbers, or everything with its provenance."""

    SCINLI = "scinli"
    MISMATCHED = "mismatched"
    SNLI = "snli"
    INTEGERS = "integers"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export.

    `shares`: how many papers each split gets, (("train", 80), ("dev", 10), ("test", 10)); empty for one file. `balance`
    downsamples each class to the smallest, per split and domain. `seed` is for both. `strategies` are those wanted
    (implicit pairs come without a label unless people gave one); `without` are flags whose pairs are left out;
    `settled` leaves out pairs without a gold label, whose label is the distant one; `scope` is what the table of pairs
    shows. Bad pairs and those without a majority are left out whatever it says.
    """

    preset: Preset = Preset.SCINLI
    shares: tuple[tuple[str, float], ...] = ()
    balance: bool = False
    seed: int = 1
    strategies: frozenset[Strategy] = frozenset(Strategy) - {Strategy.IMPLICIT}
    without: frozenset[Flag] = frozenset()
    settled: bool = False
    scope: PairFilter = EVERYTHING

    def to_data(self) -> dict[str, Any]:
        """For JSON, as a receipt has it."""
        return {**codec.to_data(self), "shares": dict(self.shares), "scope": self.scope.to_data()}

    @classmethod
    def from_data(cls, data: Any) -> ExportOptions:
        """What `to_data` gave; ValueError when it is nothing of the kind."""
        if not isinstance(data, dict) or not isinstance(data.get("shares"), dict):
            raise ValueError("not an export's options")
        if not data["shares"].keys() <= set(SPLITS):
            raise ValueError("not shares of splits")
        shares = [(name, data["shares"][name]) for name in SPLITS if name in data["shares"]]  # in dealing, order counts
        options = codec.from_data(cls, {**data, "shares": shares})
        if not all(0 <= share < math.inf for _, share in options.shares):
            raise ValueError("not shares of splits")
        return options
