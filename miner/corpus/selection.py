"""Selects papers of a corpus: those with certain values, and a random sample of these.

A sample has the papers whose digest of seed and MD5 comes first. So it does not depend on the order or number of
shards, and a larger one has all papers of a smaller one with the same seed.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from miner.corpus.locations import Location
from miner.corpus.shards import Shard, ShardManifest, read_shard
from miner.errors import UserError
from miner.libraries import pc

COLUMNS = ("domain", "year", "language", "journal", "licence")
"""The columns of `papers` that can be asked for."""
_LISTED = 12  # values in a message
_YEARS = re.compile(r"(\d{4})?(-)?(\d{4})?")


class Condition(NamedTuple):
    """A column and the text that it must have; for `year` also a range such as 2019-2023. "": not known."""

    column: str
    value: str

    def __str__(self) -> str:
        return f"{self.column}={self.value}"

    @classmethod
    def of(cls, text: str) -> Condition:
        """The condition in a text such as `domain=psychology`; `UserError` for other texts."""
        column, separator, value = (part.strip() for part in text.partition("="))
        if not separator or column not in COLUMNS:
            known = ", ".join(COLUMNS)
            raise UserError(f"“{text}” is no condition.", hint=f"Write COLUMN=VALUE, where COLUMN is one of: {known}.")
        if column == "year" and value and (not (found := _YEARS.fullmatch(value)) or not (found[1] or found[3])):
            raise UserError(f"“{value}” is no year.", hint="Write year=2021, year=2019-2023, year=2019- or year=-2018.")
        return cls(column, value)

    @property
    def filter(self) -> Any:
        """A filter for pyarrow, so that row groups without such papers are not read."""
        if self.column != "year":
            is_none = pc.field(self.column) == ""
            return pc.field(self.column) == self.value if self.value else is_none | pc.field(self.column).is_null()
        if not self.value:
            return pc.field("year").is_null()
        first, dash, last = self.value.partition("-")
        if not dash:
            return pc.field("year") == int(first)
        return (pc.field("year") >= int(first or 0)) & (pc.field("year") <= int(last or 9999))


@dataclass(frozen=True, slots=True)
class Selection:
    """Papers that meet a condition for each column with conditions; `papers`: at most this many, None for all."""

    where: tuple[Condition, ...] = ()
    papers: int | None = None
    seed: int = 0

    @classmethod
    def of(cls, where: Sequence[str], papers: int | None, seed: int) -> Selection:
        """The selection by texts such as `domain=psychology`; `UserError` for other texts."""
        if papers is not None and papers < 1:
            raise UserError("A sample has at least one paper.", hint="Leave --papers out to take all.")
        return cls(tuple(sorted({Condition.of(text) for text in where})), papers, seed)

    @property
    def filter(self) -> Any:
        """All conditions as pyarrow takes them; None without any."""
        found = None
        for column in dict.fromkeys(condition.column for condition in self.where):
            any_of = None
            for condition in self.where:
                if condition.column == column:
                    any_of = condition.filter if any_of is None else any_of | condition.filter
            found = any_of if found is None else found & any_of
        return found


class Selected(NamedTuple):
    """The MD5s of the selected papers, ascending, and how many meet the conditions."""

    md5s: list[str]
    matching: int


def select_papers(
    out: Location, manifest: ShardManifest, selection: Selection, tick: Callable[[int, int], object]
) -> Selected:
    """Select from the shards. `UserError` where no paper meets the conditions; it names values that exist."""
    matching = 0

    def found() -> Iterator[str]:
        nonlocal matching
        for number, shard in enumerate(manifest.shards):
            tick(number, len(manifest.shards))
            md5s = read_shard(out, shard, "papers", ["md5"], selection.filter)["md5"].to_pylist()
            matching += len(md5s)
            yield from md5s

    seed = selection.seed
    if selection.papers is None:
        chosen = list(found())
    else:
        chosen = heapq.nsmallest(selection.papers, found(), key=lambda md5: (_rank(seed, md5), md5))
    if not chosen:
        raise _no_match(out, manifest.shards, selection)
    return Selected(sorted(chosen), matching)


def _rank(seed: int, md5: str) -> bytes:
    return blake2b(f"{seed} {md5}".encode(), digest_size=8).digest()


def _no_match(out: Location, shards: Sequence[Shard], selection: Selection) -> UserError:
    if not selection.where:
        return UserError(f"{out.shown} has no papers.", hint="Mine some into it, and settle it again.")
    columns = list(dict.fromkeys(condition.column for condition in selection.where))
    counts = {column: Counter[str]() for column in columns}
    for shard in shards:
        table = read_shard(out, shard, "papers", columns)
        for column in columns:
            for value in pc.value_counts(table[column]).to_pylist():
                counts[column]["" if value["values"] is None else str(value["values"])] += value["counts"]
    wanted = " and ".join(
        f"{column} {' or '.join(one.value or 'unknown' for one in selection.where if one.column == column)}"
        for column in columns
    )
    known = "; ".join(f"{column}: {_listed(counts[column])}" for column in columns)
    return UserError(f"No paper of {out.shown} has {wanted}.", hint=f"Papers in the corpus by {known}.")


def _listed(counts: Counter[str]) -> str:
    """The most frequent values."""
    most = [f"{value or '(none)'} ({number:,})" for value, number in counts.most_common(_LISTED)]
    return ", ".join(most) + (f" and {len(counts) - _LISTED:,} more" if len(counts) > _LISTED else "")
