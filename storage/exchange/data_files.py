"""The data files of an export in each format: JSON lines, CSV, TSV and Parquet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from miner.libraries import pa, pq
from storage.dataset.export_options import ExportOptions, FileFormat
from storage.exchange.export_fields import EXPORT_FIELDS, FieldKind
from storage.exchange.export_files import NewFile, WriterThread, WrittenFile
from storage.exchange.export_rows import FIELDS, JSON

_ROWS_PER_GROUP = 10_000  # of a Parquet file; read and written as a whole
# What a spreadsheet takes for a formula (OWASP, "CSV injection"), apostrophes before it included.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_FIRST = frozenset("'=+-@\t\r")
_NO_LABEL = "-"  # of SNLI
# Fields with another value in almost every row, for which a dictionary is only work.
_UNIQUE = {"id", "pairID", "prem", "hyp", "sentence1", "sentence2", "premise", "hypothesis", "sentence2_original"}


class DataFile(Protocol):
    """A data file that is being written."""

    @property
    def file(self) -> NewFile: ...

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Write rows of `export_rows.read_batches` that are not left out."""

    def finish(self) -> WrittenFile:
        """Write the rest to disk, and close the file."""


def data_file(folder: Path, split: str, options: ExportOptions) -> DataFile:
    """A new data file for a split, under a temporary name: see `NewFile`."""
    file = NewFile(folder, f"{split}.{options.format.value}")
    if options.format is FileFormat.PARQUET:
        return _ParquetFile(file, options)
    return _JsonLines(file) if options.format is FileFormat.JSONL else _Table(file, options)


def safe_cell(text: str) -> str:
    """A text as a cell of CSV or TSV that no spreadsheet takes for a formula.

    >>> safe_cell("=SUM(A1)"), safe_cell("'=x"), safe_cell("'tis")
    ("'=SUM(A1)", "''=x", "'tis")
    """
    return f"'{text}" if _may_be_formula(text) and _FORMULA.match(text) else text


def unescape_cell(cell: str) -> str:
    """The text that an export wrote as this cell of a CSV or TSV file.

    >>> unescape_cell("'=SUM(A1)"), unescape_cell("'tis"), unescape_cell("-1")
    ('=SUM(A1)', "'tis", '-1')
    """
    return cell[1:] if _ESCAPED.match(cell) else cell


class _JsonLines:
    def __init__(self, file: NewFile) -> None:
        self.file = file

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self.file.write_lines([row[JSON] for row in rows])

    def finish(self) -> WrittenFile:
        return self.file.finish()


class _Table:
    """CSV, or TSV with all fields in quotes: then a reader cannot take them for ordinary characters."""

    def __init__(self, file: NewFile, options: ExportOptions) -> None:
        self.file = file
        # A cell that could be read as an escaped one is always escaped, so that reading it back loses nothing.
        self._escaped = _FORMULA if options.safe_cells else _ESCAPED
        self._text = io.StringIO(newline="")
        if options.format is FileFormat.TSV:
            self._writer = csv.writer(self._text, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
        else:
            self._writer = csv.writer(self._text, lineterminator="\n")
        self._writer.writerow(EXPORT_FIELDS[options.preset])
        self._flush(0)

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self._writer.writerows(map(self._cells, rows))
        self._flush(len(rows))

    def finish(self) -> WrittenFile:
        return self.file.finish()

    def _cells(self, row: tuple[Any, ...]) -> list[Any]:
        escaped = self._escaped.match
        return [f"'{cell}" if _may_be_formula(cell) and escaped(cell) else cell for cell in row[FIELDS:]]

    def _flush(self, rows: int) -> None:
        self.file.write(self._text.getvalue().encode(), rows)
        self._text.seek(0)
        self._text.truncate()


def _may_be_formula(cell: object) -> bool:
    return isinstance(cell, str) and cell[:1] in _FIRST and cell != _NO_LABEL


class _ParquetFile:
    """Rows in groups: pyarrow reads each from its JSON and writes it in a thread, while SQLite reads the next one.

    Columns made of Python objects took more time than this JSON, and kept SQLite waiting.
    """

    def __init__(self, file: NewFile, options: ExportOptions) -> None:

        self.file = file
        self._schema = parquet_schema(options)
        self._numbered = pa.schema([(str(number), field.type) for number, field in enumerate(self._schema)])
        self._rows: list[bytes] = []
        repeated = [name for name in self._schema.names if name not in _UNIQUE]
        self._writer = pq.ParquetWriter(_Sink(file), self._schema, compression="zstd", use_dictionary=repeated)
        self._thread = WriterThread()

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self._rows += [row[JSON] for row in rows]
        if len(self._rows) >= _ROWS_PER_GROUP:
            self._start_group()

    def finish(self) -> WrittenFile:
        while self._rows:
            self._start_group()
        self._thread.wait()
        self._writer.close()
        return self.file.finish()

    def _start_group(self) -> None:
        self._thread.start(self._write_group, self._rows[:_ROWS_PER_GROUP])
        del self._rows[:_ROWS_PER_GROUP]

    def _write_group(self, rows: list[bytes]) -> None:
        from pyarrow import json

        content = b"\n".join((*rows, b""))
        table = json.read_json(
            pa.BufferReader(content),
            read_options=json.ReadOptions(use_threads=False, block_size=len(content)),  # in one block: nothing to join
            parse_options=json.ParseOptions(explicit_schema=self._numbered, unexpected_field_behavior="error"),
        )
        self._writer.write_table(pa.table(table.columns, schema=self._schema), row_group_size=len(rows))
        self.file.write(b"", len(rows))


def parquet_schema(options: ExportOptions) -> pa.Schema:
    """The columns of a Parquet file, with their types."""

    types = {
        FieldKind.TEXTS: pa.list_(pa.string()),
        FieldKind.BOOLEAN: pa.bool_(),
        FieldKind.INTEGER: pa.int64(),
        FieldKind.CLASS: pa.int64(),
        FieldKind.NUMBER: pa.float64(),
    }
    return pa.schema(
        [(name, types.get(field.kind, pa.string())) for name, field in EXPORT_FIELDS[options.preset].items()]
    )


class _Sink(io.RawIOBase):
    """A new file, as pyarrow writes to it; closing it leaves the file open."""

    def __init__(self, file: NewFile) -> None:
        super().__init__()
        self._new_file = file

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:  # any object with the buffer protocol
        if not self._new_file.is_closed:  # pyarrow also writes when its writer is destroyed after a failed export
            self._new_file.write(bytes(content), 0)
        return len(content)
