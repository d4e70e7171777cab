"""The options of an export: which pairs, in which splits, in which format."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from miner import codec
from miner.declared_options import MAX_SEED, declared
from miner.records import PairFlag, Strategy
from miner.year_ranges import SPLITS, YearRange
from storage.pairs.filters import PairFilter

ALL_PAIRS = PairFilter()
LEFT_OUT_REASONS = {
    "no_longer_mined": "that mining no longer finds",
    "not_shown": "that the filter excludes",
    "bad": "marked as bad",
    "strategy": "without a linking phrase",
    "no_majority": "whose votes have no majority or are unclear",
    "gold_differs": "discarded, because annotators agree on another label than the distant one",
    "pilot": "of pilot rounds",
    "no_kinds": "without answers about kinds of reasoning",
    "not_settled": "without a gold label",
    "waiting": "that wait for more votes",
    "other_split": "that share a sentence with another split",
    "licence": "of papers whose licence is unknown or does not permit redistribution",
    "near_duplicate": "that have nearly the same sentence as another split",
    "no_split": "without a split",
    "no_year": "of papers without a year",
    "other_years": "of papers from other years",
    "split_left_out": "of splits that were not asked for",
    "target": "beyond the number that the targets ask for",
    "balance": "to balance the classes",
    PairFlag.CROSSES_PARAGRAPH: "that cross a paragraph border",
    PairFlag.PREMISE_HAS_PHRASE: "whose premise begins with a linking phrase",
    PairFlag.NO_COMMA: "without a comma after the linking phrase",
}
UNCOUNTED = "uncounted"
"""Why a pair is left out and not mentioned: it is no longer mined, and all that people did to it was undone."""
"""Why pairs are left out, by reason: what stands after their number."""


class Preset(StrEnum):
    """The fields of an exported row: as in a published data set, with labels as numbers, or with all provenance.

    `storage.exchange.export_fields` declares the fields; what else differs between presets follows from these.
    """

    SCINLI = "scinli"
    MISMATCHED = "mismatched"
    SNLI = "snli"
    INTEGERS = "integers"
    TAXINLI = "taxinli"
    FULL = "full"

    @property
    def is_of_kinds(self) -> bool:
        """Whether it has only pairs with answers about kinds of reasoning, whose label follows from these."""
        return self is Preset.TAXINLI


class FileFormat(StrEnum):
    """The format of the files; the values are the ends of their names."""

    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"


class TrainLabels(StrEnum):
    """The labels of train pairs. CORRECTED: what people say where they did, else the distant label. DISTANT: all."""

    CORRECTED = "corrected"
    DISTANT = "distant"


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """A file for each split of the project's papers: the shape of SciNLI, MSciNLI and MisMatched.

    Train has all labelled pairs of its papers, but none with a sentence of dev or test, or nearly one.

    names: which splits; MisMatched has no train. train_labels: of train pairs.
    gold: dev and test have only pairs with a gold label, balanced by class and domain.
    dev, test: of gold pairs at most so many of each class and domain; None for all of them, unbalanced.
    """

    names: tuple[str, ...] = declared(SPLITS, "only these splits, such as dev,test", flag="only", metavar="SPLITS")
    train_labels: TrainLabels = declared(
        TrainLabels.CORRECTED,
        "labels of train: distant labels with people's corrections, or the distant labels alone (default: %(default)s)",
    )
    gold: bool = True
    dev: int | None = None
    test: int | None = None

    def __post_init__(self) -> None:
        if not self.names or not set(self.names) <= set(SPLITS):
            raise ValueError("not splits")
        if min(self.dev or 0, self.test or 0) < 0:
            raise ValueError("a number of pairs is negative")

    def limit(self, split: str) -> int | None:
        """At most how many pairs of each class and domain a split has; None for no limit."""
        return {"dev": self.dev, "test": self.test}.get(split) if self.gold else None


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export. The field names are stored in receipts and settings.

    split: a file for each split of the project's papers. In a project without a split one of these three puts the
    pairs of this export into splits; without any of them there is one file:
    shares: the relative size of each split, (("train", 80), ("dev", 10), ("test", 10)).
    years: which years of a domain go to which splits. Papers in no range, or without a year, are left out.
    as_imported: as the imported files say; pairs of which they say nothing are left out.

    keep_released: papers of an earlier release stay in their split; only new ones are assigned.
    drop_near_duplicates: a sentence that is nearly the same as one of another split counts as the same sentence.
    balance: downsample each class to the smallest one, per split and domain.
    seed: for splits and balance.
    strategies: export only pairs of these. Implicit pairs have no label unless people gave one.
    without: leave out pairs with one of these flags.
    settled: leave out pairs without a gold label; otherwise their distant label is exported.
    scope: export only pairs that match this filter.
    safe_cells: write cells of CSV and TSV that a spreadsheet would take for formulas with an apostrophe before them.
    redistributable_only: leave out pairs of papers whose licence does not allow to pass them on.
    card: write a data card, Croissant metadata, checksums and a manifest beside the data. name: of the data set, for
    the card.

    Bad pairs and pairs without a majority are always left out.
    """

    preset: Preset = declared(Preset.SCINLI, "the fields to write (default: %(default)s)")
    shares: tuple[tuple[str, float], ...] = ()
    balance: bool = declared(False, "write the same number of pairs of each class, in each split and domain")
    seed: int = declared(1, "random seed of splits and --balance (default: %(default)s)", least=0, most=MAX_SEED)
    strategies: frozenset[Strategy] = frozenset(Strategy) - {Strategy.IMPLICIT}
    without: frozenset[PairFlag] = frozenset()
    settled: bool = declared(False, "only pairs with a gold label")
    scope: PairFilter = ALL_PAIRS
    years: tuple[YearRange, ...] = ()
    as_imported: bool = declared(False, "only the splits that imported files state")
    keep_released: bool = declared(
        True, "keep papers of earlier releases in their split (default: yes)", flag="[no-]keep-released"
    )
    drop_near_duplicates: bool = declared(
        False, "also leave out pairs that have nearly the same sentence as another split"
    )
    format: FileFormat = declared(FileFormat.JSONL, "the file format (default: %(default)s)")
    safe_cells: bool = declared(
        False, "in CSV and TSV, put an apostrophe before cells that a spreadsheet would take for formulas"
    )
    redistributable_only: bool = declared(
        False,
        "leave out pairs of papers whose licence is unknown or does not permit redistribution",
        flag="redistributable",
    )
    card: bool = declared(False, "also write a data card (README.md), Croissant metadata, a manifest and checksums")
    name: str = declared("", "the name of the data set, for its data card")
    split: SplitOptions | None = None

    @property
    def in_splits(self) -> bool:
        return bool(self.split or self.shares or self.years or self.as_imported)

    @property
    def split_names(self) -> tuple[str, ...]:
        """The splits that the export has even where they are empty, in order; imported pairs may have others."""
        if self.split is not None:
            return tuple(name for name in SPLITS if name in self.split.names)
        named = {name for one in self.years for name, _ in one.shares}
        return tuple(name for name, _ in self.shares) or tuple(name for name in SPLITS if name in named)

    def to_data(self) -> dict[str, Any]:
        """As JSON data, in the form that receipts have."""
        years = [{**codec.to_data(one), "shares": dict(one.shares)} for one in self.years]
        return {**codec.to_data(self), "shares": dict(self.shares), "years": years, "scope": self.scope.to_data()}

    @classmethod
    def from_data(cls, data: Any) -> ExportOptions:
        """The options that `to_data` was called on; ValueError if `data` does not come from it."""
        if not isinstance(data, dict):
            raise ValueError("not an export's options")
        years = data.get("years", [])
        if not isinstance(years, list) or not all(isinstance(one, dict) for one in years):
            raise ValueError("not ranges of years")
        years = [{**one, "shares": _in_order(one.get("shares"))} for one in years]
        options = codec.from_data(cls, {**data, "shares": _in_order(data.get("shares")), "years": years})
        if not all(0 <= share < math.inf for _, share in options.shares):
            raise ValueError("not shares of splits")
        if sum(map(bool, (options.split, options.shares, options.years, options.as_imported))) > 1:
            raise ValueError("several ways to split")
        return options


def _in_order(shares: Any) -> list[tuple[str, Any]]:
    """The shares by split, in one order, because it matters when pairs are assigned."""
    if not isinstance(shares, dict):
        raise ValueError("not an export's options")
    if not shares.keys() <= set(SPLITS):
        raise ValueError("not shares of splits")
    return [(name, shares[name]) for name in SPLITS if name in shares]
