"""Reads the rows of a Parquet file; `table_files` reads those of text files.

The library for it is large and not in Python, so a confined process of its own reads the file.
"""

from __future__ import annotations

import itertools
import logging
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

from miner.errors import UserError
from miner.libraries import pa, pq
from miner.parsing.files import unreadable_error
from miner.paths import check_ordinary, is_file
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run
from miner.processes.sandbox import Confinement
from storage.exchange.table_rows import ROW_LIMIT, TOO_LONG, TableRow, check_columns

log = logging.getLogger(__name__)

SUFFIX = ".parquet"
_MAGIC = b"PAR1"
_BATCH_ROWS = 500
_BATCH_LIMIT = 20 * ROW_LIMIT
_SENT_ROWS = 2_000  # at once, by the process that reads them
_LIMITS = ProcessLimits(seconds=120, megabytes=1_000)  # for these
_VALUE_ERRORS = (ValueError, ArithmeticError, LookupError, RecursionError)  # such as a date after the year 9999


def is_parquet_file(path: Path) -> bool:
    """Whether the file has Parquet's name and its marks at both ends, which is all that is read."""
    if path.suffix.lower() != SUFFIX:
        return False
    try:
        check_ordinary(path)
        with path.open("rb") as file:
            if file.read(4) != _MAGIC or file.seek(0, 2) < 12:
                return False
            file.seek(-4, 2)
            return file.read() == _MAGIC
    except OSError:
        return False


def read_parquet(path: Path, needed: Sequence[Sequence[str]]) -> Iterator[TableRow]:
    """The rows in order, numbered from 1; the last one has a problem if the file is damaged. Errors as `read_table`.

    A worker process, which may be confined already, reads the file itself.
    """
    if parent_process() is not None or not is_parquet_file(path):  # which `_read` refuses
        yield from _read(path, needed)
        return
    setup = partial(_reader, path, needed)
    read = 0
    sizes = itertools.repeat(_SENT_ROWS)
    for _, rows in run(setup, sizes, workers=1, limits=_LIMITS, confinement=Confinement(reads=(path,))):
        if isinstance(rows, Failure):
            if rows.refusal is not None:
                raise rows.refusal
            log.warning("reading %s failed (%s)\n%s", path, rows.kind, rows.detail)
            yield TableRow(read + 1, {}, "reading stopped here: the process that read the file ended")
            return
        if not rows:
            return
        yield from rows
        read = rows[-1].line


def _reader(path: Path, needed: Sequence[Sequence[str]]) -> Callable[[int], list[TableRow]]:
    """A function that returns the next rows, at most as many as requested; no rows at the end."""
    rows = _read(path, needed)
    return lambda count: list(itertools.islice(rows, count))


def _read(path: Path, needed: Sequence[Sequence[str]]) -> Iterator[TableRow]:
    try:
        if not is_file(path):
            raise UserError(f"{path} is not a file.", hint="Name the files of a data set one by one.")
        with path.open("rb") as content:
            if not is_parquet_file(path):
                raise _not_parquet(path)
            number = 0
            try:
                file = pq.ParquetFile(content)
                names = [str(name) for name in file.schema_arrow.names]
            except (pa.ArrowException, OSError, ValueError) as exc:
                raise _not_parquet(path) from exc
            check_columns(path, names, needed)
            try:
                for batch in file.iter_batches(batch_size=_BATCH_ROWS):
                    yield from _rows(batch, number + 1)
                    number += batch.num_rows
            except (pa.ArrowException, OSError, ValueError):
                yield TableRow(number + 1, {}, "the file is damaged from here on")
    except OSError as exc:
        raise unreadable_error(path, exc) from exc


def _rows(batch: pa.RecordBatch, first: int) -> Iterator[TableRow]:
    """The rows of a batch. One that is too long, or has a value that Python cannot have, has a problem."""
    with suppress(*_VALUE_ERRORS):
        if _size(batch) <= _BATCH_LIMIT:
            yield from [TableRow(number, _plain(fields)) for number, fields in enumerate(batch.to_pylist(), first)]
            return
    for place in range(batch.num_rows):
        row = batch.slice(place, 1)
        problem = TOO_LONG if _size(row) > ROW_LIMIT else ""
        fields: Any = {}
        if not problem:
            try:
                [fields] = map(_plain, row.to_pylist())
            except _VALUE_ERRORS:
                problem = "a value cannot be read"
        yield TableRow(first + place, fields, problem)


def _size(batch: pa.RecordBatch) -> int:
    """The size of the values in bytes; a dictionary's values count once for each row that may use them."""

    return sum(
        column.nbytes * (batch.num_rows if pa.types.is_dictionary(column.type) else 1) for column in batch.columns
    )


def _not_parquet(path: Path) -> UserError:
    return UserError(f"{path} is not a Parquet file, or it is damaged.", hint="Fetch or export it again.")


def _plain(value: Any) -> Any:
    """The value as JSON has it; as text where JSON has none."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    return value if value is None or isinstance(value, str | int | bool) else str(value)
