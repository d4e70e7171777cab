"""Whether a release will be too large to be kept, as a sample of its pairs says before its files are written."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sqlalchemy import Connection

from miner.errors import UserError
from miner.progress import Progress
from storage.connections import driver_connection
from storage.dataset.candidates import select_candidates
from storage.dataset.export_options import ExportOptions
from storage.exchange.data_files import DataFile, data_file
from storage.exchange.export_rows import REASON, SPLIT, rows_query
from storage.project import Project

MAX_FILE_BYTES = 900_000_000  # compressed; SQLite keeps at most a billion bytes in a cell
COMPRESSION = 6  # zlib's level
PARTS_HINT = "Release it in parts, such as one domain each (--where domain=NAME), or export it, which has no limit."
# Such a sample knew the sizes of files of a million pairs to a hundredth, that of a split with a thirtieth of them to a
# quarter. What is nearer to the limit, or has few pairs in the sample, is tried, and weighed when it is there.
_BLOCKS, _BLOCK_PAIRS = 400, 50
_MARGIN, _LEAST_ROWS = 4 / 3, 2_000
_SELECT_ENDS = "SELECT coalesce(min(id), 0), coalesce(max(id), 0), count(*) FROM pairs"
_SELECT_BLOCK = "SELECT id FROM pairs WHERE id >= ? ORDER BY id LIMIT ?"
# The plus keeps SQLite from looking up each pair of the sample again for each of its papers.
_IN_SAMPLE = """
    WHERE papers.id IN (SELECT paper_id FROM pairs WHERE id IN (SELECT value FROM json_each(:ids)))
        AND +pairs.id IN (SELECT value FROM json_each(:ids))
"""


class EstimatedFile(NamedTuple):
    """A data file of a release. size: its bytes, compressed. rows: how many of them are in the sample."""

    name: str
    size: float
    rows: int


def require_space(project: Project, options: ExportOptions, progress: Progress) -> None:
    """Raise `UserError` if a file of a release with these options will surely be too large to be kept."""
    if not project.is_there or project.path.stat().st_size <= MAX_FILE_BYTES:
        return  # what it has is not compressed
    with project.read_transaction() as stores, stores.cancellable(progress):
        rough = replace(options, drop_near_duplicates=False)
        select_candidates(stores._connection, rough, progress, keeps_shared=True)
        files = estimate_files(stores._connection, rough)
    for file in files:
        if file.size > MAX_FILE_BYTES * _MARGIN and file.rows >= _LEAST_ROWS:
            raise UserError(
                f"{file.name} is too large to be kept in the project: by a sample it would have "
                f"{file.size / 1e6:,.0f} MB there, and at most {MAX_FILE_BYTES / 1e6:,.0f} MB can be kept. "
                "Nothing was exported.",
                hint=PARTS_HINT,
            )


def estimate_files(connection: Connection, options: ExportOptions) -> list[EstimatedFile]:
    """The data files that a release of the candidates would have, of which the sample has pairs."""
    ids, share = _sample(connection)
    files: dict[str, DataFile] = {}
    with TemporaryDirectory() as name:
        rows = driver_connection(connection).execute(rows_query(options, _IN_SAMPLE), {"ids": json.dumps(ids)})
        for split, group in groupby(rows, itemgetter(SPLIT) if options.in_splits else lambda row: "pairs"):
            if split not in files:
                files[split] = data_file(Path(name), split, options)
            files[split].write([row for row in group if row[REASON] is None])
        found = []
        for file in files.values():
            written = file.finish()
            file.file.publish()
            size = len(zlib.compress(Path(name, written.name).read_bytes(), COMPRESSION))
            found.append(EstimatedFile(written.name, size / share, written.rows))
    return found


def _sample(connection: Connection) -> tuple[list[int], float]:
    """The ids of pairs, in blocks from all over the project, and their share of all pairs; neighbours are alike."""
    driver = driver_connection(connection)
    first, last, count = driver.execute(_SELECT_ENDS).fetchone()
    starts = {first + (last - first) * number // _BLOCKS for number in range(_BLOCKS)}
    ids = {id for start in sorted(starts) for (id,) in driver.execute(_SELECT_BLOCK, (start, _BLOCK_PAIRS))}
    return sorted(ids), len(ids) / count if count else 1.0
