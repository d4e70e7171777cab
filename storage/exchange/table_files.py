"""Reads the rows of a data set file: CSV, TSV or JSON lines, plain or gzipped, or Parquet."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import stat
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from miner.errors import UserError
from miner.parsing.files import unreadable_error
from miner.paths import exists
from storage.exchange.data_files import unescape_cell
from storage.exchange.parquet_rows import SUFFIX, read_parquet
from storage.exchange.table_rows import (
    DATA_SET,
    ROW_LIMIT,
    TOO_LONG,
    TableRow,
    TableUse,
    check_columns,
    missing_columns,
)

_CSV, _TSV, _JSON = "csv", "tsv", "json"
_ENDINGS = {".csv": _CSV, ".tsv": _TSV, ".txt": _TSV, ".jsonl": _JSON, ".ndjson": _JSON}
_FIELD_LIMIT = 131_072  # characters, the default of `csv`; an unclosed quote ends here
_SAMPLE_LINES = 200  # to detect the delimiter and the quoting
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_NO_HEADER = re.compile(r"[\s,;]*|sep=.\s*", re.IGNORECASE)  # empty rows, and the line that tells Excel the delimiter
_HEAD_BYTES = 4096  # to recognise other kinds of files
_DECOMPRESSION_ERRORS = (OSError, EOFError, zlib.error)


class _TooLong(Exception):
    """A row is longer than `ROW_LIMIT`."""


class _Lines:
    """The lines of a text, numbered. A line or row above the limit is skipped and raises `_TooLong` once."""

    def __init__(self, text: TextIO) -> None:
        self.number = 0  # of the last line returned
        self._text = text
        self._peeked: deque[str] = deque()
        self._row_length = 0  # characters since the end of the last row
        self._is_partial = False  # only a part of the last line was read

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._peeked.popleft() if self._peeked else self._read()
        if not line:
            raise StopIteration
        self.number += 1
        self._row_length += len(line)
        if self._row_length > ROW_LIMIT:
            self._row_length = 0
            raise _TooLong
        return line

    def end_row(self) -> None:
        self._row_length = 0

    def peek(self, count: int) -> list[str]:
        """The next lines, without consuming them; fewer if they are long."""
        size = sum(map(len, self._peeked))
        while len(self._peeked) < count and size < ROW_LIMIT and (line := self._read()):
            self._peeked.append(line)
            size += len(line)
        return list(self._peeked)

    def _read(self) -> str:
        """The next line, "" at the end. Of a line above the limit, only its beginning.

        The rest of it is skipped by the next call, so that a check of the first lines need not read a whole file.
        """
        while self._is_partial:
            self._next_part()
        return self._next_part()

    def _next_part(self) -> str:
        part = self._text.readline(ROW_LIMIT + 1)
        self._is_partial = len(part) > ROW_LIMIT and not part.endswith("\n")
        return part


def read_table(path: Path, needed: Sequence[Sequence[str]]) -> Iterator[TableRow]:
    """The rows after the header, in order. A damaged row has a problem, and the rows after it are read.

    `needed`: the columns that must exist, each by its alternative names in lower case; JSON lines are not checked.
    Raises `UserError` if the file is missing, is not a table by its ending or content, or lacks a column.
    """
    if path.suffix.lower() == SUFFIX:
        yield from read_parquet(path, needed)
        return
    plain = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    kind = _ENDINGS.get(plain.suffix.lower())
    if kind is None:
        if not exists(path):
            raise UserError(f"{path} does not exist.", hint="Check the path.")
        raise UserError(
            f"{path} is not a data set that Pairwright can read.",
            hint="It should be .csv, .tsv, .jsonl or .parquet, or one of the first three with .gz.",
        )
    check_is_text(path)
    if kind == _JSON:
        yield from read_json_lines(path)
    else:
        yield from read_delimited(path, needed, delimiters=",;\t" if kind == _CSV else "\t,;")


def read_json_lines(path: Path) -> Iterator[TableRow]:
    """The rows of a file whose lines are JSON objects. `UserError` if it cannot be read."""
    return _until_damaged(path, _json_rows)


def read_delimited(
    path: Path, needed: Sequence[Sequence[str]], use: TableUse = DATA_SET, *, delimiters: str = ",;\t"
) -> Iterator[TableRow]:
    """The rows of a table whose first line names its columns. The first of the delimiters is the likeliest."""
    return _until_damaged(path, partial(_delimited_rows, path, delimiters, needed, use))


def check_is_text(path: Path, use: TableUse = DATA_SET) -> None:
    """Raise `UserError` if the content is not text."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe may never end
            raise UserError(f"{path} is not a file.", hint=f"Name the files of {use.name} one by one.")
        with path.open("rb") as file, _decompressed(file) as content:
            try:
                head = content.read(_HEAD_BYTES)
            except _DECOMPRESSION_ERRORS:
                return  # the reader will report where it is damaged
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
    what = ""
    if head.lstrip().startswith(b"%PDF-"):  # at the start only: a sentence may contain it
        what = "a PDF"
    elif head.startswith(b"PK\x03\x04"):
        what = "a zip archive or a spreadsheet"
    elif not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        controls = sum(byte < 32 and byte not in b"\t\n\r\f" for byte in head)
        what = "not text" if controls * 10 > len(head) else ""
    if what:
        hint = "If it is a paper, name it .pdf and add it." if what == "a PDF" else "Save it as .csv, .tsv or .jsonl."
        raise UserError(f"{path} is not {use.name}: its content is {what}.", hint=hint)


def _until_damaged(path: Path, read: Callable[[_Lines], Iterator[TableRow]]) -> Iterator[TableRow]:
    """The rows of a file; if its compressed content is damaged, the last row has a problem."""
    try:
        with path.open("rb") as file:
            lines: _Lines | None = None  # until what the file begins with is unpacked
            try:
                with text_of(file) as text:
                    lines = _Lines(text)
                    yield from read(lines)
            except _DECOMPRESSION_ERRORS:
                yield TableRow(1 if lines is None else lines.number + 1, {}, "the file is damaged from here on")
    except OSError as exc:
        raise unreadable_error(path, exc) from exc


def _decompressed(file: BinaryIO) -> BinaryIO:
    zipped = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    return cast(BinaryIO, gzip.open(file)) if zipped else file


def text_of(file: BinaryIO) -> TextIO:
    """The content as text. Bytes that are not UTF-8 become surrogates, so that only their rows are lost."""
    content = _decompressed(file)
    wide = content.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    content.seek(0)
    encoding, errors = ("utf-16", "replace") if wide else ("utf-8-sig", "surrogateescape")
    return io.TextIOWrapper(content, encoding=encoding, errors=errors, newline="")


def _json_rows(lines: _Lines) -> Iterator[TableRow]:
    while True:
        try:
            text = next(lines)
            if not text.strip():
                continue
            lines.end_row()
            fields = json.loads(text, parse_constant=lambda _: None)  # NaN: other programs write it for missing values
        except StopIteration:
            return
        except _TooLong:
            yield TableRow(lines.number, {}, TOO_LONG)
        except (ValueError, RecursionError):
            yield TableRow(lines.number, {}, "not JSON")
        else:
            is_object = isinstance(fields, dict)
            yield TableRow(lines.number, fields) if is_object else TableRow(lines.number, {}, "not a JSON object")


def _delimited_rows(
    path: Path, delimiters: str, needed: Sequence[Sequence[str]], use: TableUse, lines: _Lines
) -> Iterator[TableRow]:
    """The rows of a table. The delimiter is the first one that gives the needed columns."""
    sample = lines.peek(_SAMPLE_LINES)
    while sample and len(sample[0]) < _HEAD_BYTES and _NO_HEADER.fullmatch(sample[0]):
        next(lines)
        lines.end_row()
        del sample[0]
    fits = (one for one in delimiters if sample and not missing_columns(sample[0].split(one), needed))
    delimiter = next(fits, delimiters[0])
    plain = use is DATA_SET and delimiter == "\t" and not _is_quoted(sample)  # spreadsheets always quote
    reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL)
    try:
        header = [name.strip() for name in next(reader, [])]
    except (_TooLong, csv.Error):
        raise UserError(f"{path} is not {use.name}: its first line does not name its columns.") from None
    if not any(header):
        raise UserError(f"{path} is empty.", hint="It should start with the names of its columns.")
    check_columns(path, header, needed, use)
    while True:
        line = lines.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _TooLong:
            yield TableRow(line, {}, TOO_LONG)
            continue
        except csv.Error:
            lines.end_row()
            yield TableRow(line, {}, f"a field of more than {_FIELD_LIMIT:,} characters: is a quote not closed?")
            continue
        if not cells:
            continue
        lines.end_row()
        # SNLI-shaped files may leave off the annotators' labels at the end of a row.
        is_longer = any(cell.strip() for cell in cells[len(header) :])
        problem = f"{len(cells)} columns instead of {len(header)}" if is_longer else ""
        yield TableRow(line, dict(zip(header, map(unescape_cell, cells), strict=False)), problem)


def _is_quoted(lines: list[str]) -> bool:
    """Whether quotes in a TSV file enclose fields (SciNLI) or are ordinary characters (SNLI, MNLI)."""
    rows = [line.rstrip("\r\n").split("\t") for line in lines]
    fields = [field for row in rows if len(row) == len(rows[0]) for field in row if field.startswith('"')]
    return bool(fields) and all(_QUOTED.fullmatch(field) for field in fields)
