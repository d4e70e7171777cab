"""Reads the rows of a Parquet file, as `table_files` does those of text files."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from miner.errors import UserError
from miner.parsing.files import unreadable_error
from miner.paths import is_file
from storage.exchange.table_rows import TableRow, check_columns

SUFFIX = ".parquet"
_MAGIC = b"PAR1"
_BATCH_ROWS = 500


def is_parquet_file(path: Path) -> bool:
    """Whether the file has Parquet's name and its marks at both ends; nothing more of it is read."""
    if path.suffix.lower() != SUFFIX:
        return False
    try:
        with path.open("rb") as file:
            if file.read(4) != _MAGIC or file.seek(0, 2) < 12:
                return False
            file.seek(-4, 2)
            return file.read() == _MAGIC
    except OSError:
        return False


def read_parquet(path: Path, needed: Sequence[Sequence[str]]) -> Iterator[TableRow]:
    """The rows in order, numbered from 1; the last one has a problem if the file is damaged. Errors as `read_table`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

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
                    for fields in batch.to_pylist():
                        number += 1
                        yield TableRow(number, {str(name): _plain(value) for name, value in fields.items()})
            except (pa.ArrowException, OSError, ValueError):
                yield TableRow(number + 1, {}, "the file is damaged from here on")
    except OSError as exc:
        raise unreadable_error(path, exc) from exc


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


def parse_json(text: str) -> Any:
    """The value of a JSON text; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
