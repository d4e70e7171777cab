"""The options of an export: which pairs, in which splits, in which format."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from miner import codec
from miner.records import PairFlag, Strategy
from miner.splits import SPLITS
from storage.pairs.filters import PairFilter

ALL_PAIRS = PairFilter()


class Preset(StrEnum):
    """The format of a row: that of a published data set, with labels as numbers, or full with all provenance."""

    SCINLI = "scinli"
    MISMATCHED = "mismatched"
    SNLI = "snli"
    INTEGERS = "integers"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export. The field names are stored in receipts and settings.

    shares: the relative size of each split, (("train", 80), ("dev", 10), ("test", 10)); empty for one file.
    balance: downsample each class to the smallest one, per split and domain.
    seed: for both of these.
    strategies: export only pairs of these. Implicit pairs have no label unless people gave one.
    without: leave out pairs with one of these flags.
    settled: leave out pairs without a gold label; otherwise their distant label is exported.
    scope: export only pairs that match this filter.

    Bad pairs and pairs without a majority are always left out.
    """

    preset: Preset = Preset.SCINLI
    shares: tuple[tuple[str, float], ...] = ()
    balance: bool = False
    seed: int = 1
    strategies: frozenset[Strategy] = frozenset(Strategy) - {Strategy.IMPLICIT}
    without: frozenset[PairFlag] = frozenset()
    settled: bool = False
    scope: PairFilter = ALL_PAIRS

    def to_data(self) -> dict[str, Any]:
        """As JSON data, in the form that receipts have."""
        return {**codec.to_data(self), "shares": dict(self.shares), "scope": self.scope.to_data()}

    @classmethod
    def from_data(cls, data: Any) -> ExportOptions:
        """The options that `to_data` was called on; ValueError if `data` does not come from it."""
        if not isinstance(data, dict) or not isinstance(data.get("shares"), dict):
            raise ValueError("not an export's options")
        if not data["shares"].keys() <= set(SPLITS):
            raise ValueError("not shares of splits")
        # In one order, because it matters when pairs are assigned.
        shares = [(name, data["shares"][name]) for name in SPLITS if name in data["shares"]]
        options = codec.from_data(cls, {**data, "shares": shares})
        if not all(0 <= share < math.inf for _, share in options.shares):
            raise ValueError("not shares of splits")
        return options
