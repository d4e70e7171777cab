"""The parts of a mapped corpus: files of rows, and a note of each finished part, which is written last.

    corpus.json               what the corpus is mined by (`CorpusSettings`)
    map/TABLE/PART.parquet    rows of a table, with `part` and `item`
    map/parts/PART.json       which papers of which files are in a finished part, and how large it is

A part without its note does not count, and its papers are mapped again. Its name follows from the papers in it.
"""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from miner import codec
from miner.corpus.inputs import PaperSource
from miner.corpus.locations import Location
from miner.corpus.schema import MAPPED, SCHEMA_VERSION
from miner.errors import UserError
from miner.libraries import pa, pq

_OLD_SECONDS = 86_400
_READERS = 16  # threads; notes are small, and object stores slow to answer


class Range(NamedTuple):
    """The papers of a file with the numbers `first` to `last`. is_end: the file has no papers behind them.

    If another share has the last papers, the end is an empty range behind them.
    """

    path: str
    stamp: str
    first: int
    last: int
    is_end: bool


@dataclass(frozen=True, slots=True)
class MappedPart:
    """A finished part. sizes: of its files in bytes, by table; papers, failed: how many items are papers, or none."""

    name: str
    ranges: tuple[Range, ...]
    papers: int
    failed: int
    pairs: int
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """The settings by which all papers of a corpus are mined.

    mining: `MiningSettings` as JSON text. program, language_model, splitter: as in a project's mining run.
    """

    mining: str
    program: str
    language_model: str
    splitter: str
    schema: int = SCHEMA_VERSION


def claim(out: Location, settings: CorpusSettings) -> None:
    """Record these settings as the corpus' own; `UserError` where it was mined with others."""
    stored = read_settings(out, missing_ok=True)
    if stored is None:
        out.child("corpus.json").write(codec.encode(settings, indent=2).encode())
    elif stored != settings:
        names = [name for name in CorpusSettings.__slots__ if getattr(stored, name) != getattr(settings, name)]
        what = f"{out.shown} was mined with other settings ({', '.join(names)})."
        raise UserError(what, hint="Use the settings and the program of then, or give another --out.")


def read_settings(out: Location, *, missing_ok: bool = False) -> CorpusSettings | None:
    """The settings of the corpus. `UserError` where there is no corpus, or one of another version."""
    try:
        data = json.loads(out.child("corpus.json").read())
        version = data.get("schema") if isinstance(data, dict) else None
        if isinstance(version, int) and version != SCHEMA_VERSION:
            what = f"{out.shown} has tables of version {version}; this program has version {SCHEMA_VERSION}."
            raise UserError(what, hint="Use the program that made it, or mine the papers again to another place.")
        return codec.from_data(CorpusSettings, data)
    except FileNotFoundError:
        if missing_ok:
            return None
        out.check_above()
        raise UserError(
            f"{out.shown} is no corpus.", hint="Make one first: pairwright corpus mine PAPERS --out PLACE"
        ) from None
    except ValueError as exc:
        raise UserError(f"{out.shown}/corpus.json cannot be read: {exc}.", hint="Mine to another place.") from exc


def write_part(out: Location, ranges: Sequence[Range], batches: Iterable[Mapping[str, pa.RecordBatch]]) -> MappedPart:
    """Write the rows of a part, and then its note."""
    given = list(batches)
    items = sorted(item for batch in given for item in batch["files"]["item"].to_pylist())
    name = blake2b(json.dumps([*ranges, items]).encode(), digest_size=8).hexdigest()
    sizes, counts = {}, {}
    for table_name, schema in MAPPED.items():
        rows = [batch[table_name] for batch in given if table_name in batch]
        table = pa.Table.from_batches(rows, schema=pa.schema(list(schema)[1:]))
        table = table.add_column(0, schema.field("part"), pa.repeat(pa.scalar(name), table.num_rows))
        counts[table_name] = table.num_rows
        with out.child(f"map/{table_name}/{name}.parquet").writing() as stream:
            pq.write_table(table, stream, compression="zstd", use_dictionary=True)
            sizes[table_name] = stream.tell()
    failed = counts["files"] - counts["papers"]
    part = MappedPart(name, tuple(ranges), counts["papers"], failed, counts["pairs"], sizes)
    out.child(f"map/parts/{name}.json").write(codec.encode(part).encode())
    return part


def read_parts(out: Location) -> list[MappedPart]:
    """The finished parts, by name, without parts whose files are missing or cut off."""
    return check_parts(out)[0]


def check_parts(out: Location) -> tuple[list[MappedPart], int]:
    """The finished parts, by name, and how many others whose papers are not in these: files are missing or cut off."""
    files = {file.path: file.size for file in out.child("map").files()}
    notes = [path for path in files if path.startswith("parts/") and path.endswith(".json")]

    def read(path: str) -> MappedPart | None:
        try:
            return codec.decode(MappedPart, out.child(f"map/{path}").read())
        except (FileNotFoundError, ValueError):
            return None

    with ThreadPoolExecutor(_READERS) as threads:
        parts = [part for part in threads.map(read, notes) if part is not None]
    whole = [
        part
        for part in parts
        if all(files.get(f"{table}/{part.name}.parquet") == part.sizes.get(table) for table in MAPPED)
    ]
    finished = FinishedRanges(whole)
    lacking = [part for part in parts if not all(map(finished.has_range, part.ranges))]
    return whole, len(notes) - len(parts) + len(lacking)


class FinishedRanges:
    """Which papers are in finished parts."""

    def __init__(self, parts: Iterable[MappedPart]) -> None:
        self._ends: dict[tuple[str, str], int] = {}  # the last number of a source, where it is known
        self._ranges: dict[tuple[str, str], list[tuple[int, int]]] = {}  # first and last, without gaps between them
        for papers in sorted(papers for part in parts for papers in part.ranges):
            key = (papers.path, papers.stamp)
            if papers.is_end:
                self._ends[key] = max(self._ends.get(key, -1), papers.last)
            ranges = self._ranges.setdefault(key, [(0, -1)])
            first, last = ranges[-1]
            if papers.last < papers.first:
                continue
            if papers.first <= max(last, 0) + 1:  # in a file of many, papers begin at 1
                ranges[-1] = first, max(last, papers.last)
            else:
                ranges.append((papers.first, papers.last))

    def has_all(self, source: PaperSource) -> bool:
        """Whether all papers of a source, or of a share of it, are in finished parts."""
        end = self._ends.get((source.path, source.stamp))
        return end is not None and all(
            self.has_range(Range(source.path, source.stamp, *wanted, False)) for wanted in source.own_ranges(0, end)
        )

    def has(self, source: PaperSource, number: int) -> bool:
        """Whether this paper of a source is in a finished part."""
        return self.has_range(Range(source.path, source.stamp, number, number, False))

    def has_range(self, wanted: Range) -> bool:
        """Whether all papers of a range are."""
        ranges = self._ranges.get((wanted.path, wanted.stamp), [])
        place = bisect_right(ranges, wanted.first, key=itemgetter(0))
        return wanted.last < wanted.first or (bool(ranges) and ranges[place - 1][1] >= wanted.last)


def remove_leftovers(out: Location) -> None:
    """Delete half-written files that killed programs left in a local folder more than a day ago."""
    if not out.is_local:
        return
    with suppress(OSError):  # another program removes them, too
        for path in (Path(out.path) / "map").glob("*/.*.part"):
            if path.stat().st_mtime < time.time() - _OLD_SECONDS:
                path.unlink()
