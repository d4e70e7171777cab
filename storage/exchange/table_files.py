"""Rows of a data set's file: CSV, TSV or JSON lines, plain or gzipped, one at a time."""

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO, cast

from miner.errors import UserError
from miner.parsing.files import unreadable_error

ROW_LIMIT = 1_000_000  # characters; rows of SNLI, with their parses, have a few thousand
_CSV, _TSV, _JSON = "csv", "tsv", "json"
_ENDINGS = {".csv": _CSV, ".tsv": _TSV, ".txt": _TSV, ".jsonl": _JSON, ".ndjson": _JSON}
_FIELD_LIMIT = 131_072  # characters; csv's own default: a quote that is never closed ends here
_SAMPLE = 200  # lines to judge the quoting of a TSV by
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_HEAD = 4096  # bytes to tell other kinds of file by
_BROKEN = (OSError, EOFError, zlib.error)  # how a compressed file that breaks off shows
_TOO_LONG = f"longer than {ROW_LIMIT:,} characters"


class TableRow(NamedTuple):
    """A row by column, and the line of the file it starts on; `problem` says why it cannot be read."""

    line: int
    fields: Mapping[str, object]
    problem: str = ""


class _TooLong(Exception):
    """A row is longer than `ROW_LIMIT`."""


class _Lines:
    """The lines of a text, counted. A line or a row beyond the limit is passed over, raising `_TooLong` once."""

    def __init__(self, text: TextIO) -> None:
        self.number = 0  # of lines given
        self._text = text
        self._ahead: deque[str] = deque()
        self._row = 0  # characters given since the row before ended
        self._breaks_off = False  # the last line was given in part

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._ahead.popleft() if self._ahead else self._read()
        if not line:
            raise StopIteration
        self.number += 1
        self._row += len(line)
        if self._row > ROW_LIMIT:
            self._row = 0
            raise _TooLong
        return line

    def end_row(self) -> None:
        self._row = 0

    def peek(self, count: int) -> list[str]:
        """The next lines, to be given later; fewer where they are long."""
        size = 0
        while len(self._ahead) < count and size < ROW_LIMIT and (line := self._read()):
            self._ahead.append(line)
            size += len(line)
        return list(self._ahead)

    def _read(self) -> str:
        """The next line, "" at the end; of one beyond the limit, as much as shows that it is.

        Its rest is passed over only when more is wanted: who looks at a file need not read all of it.
        """
        while self._breaks_off:
            self._next_part()
        return self._next_part()

    def _next_part(self) -> str:
        part = self._text.readline(ROW_LIMIT + 1)
        self._breaks_off = len(part) > ROW_LIMIT and not part.endswith("\n")
        return part


def read_table(path: Path, needed: Sequence[Sequence[str]]) -> Iterator[TableRow]:
    """The rows after the header, in order; a damaged one comes with its problem, and the next follow.

    `needed` columns, by any of their names (lower case). `UserError` when the file is not there, is something else by
    its ending or content, or its header lacks a column; JSON lines have no header.
    """
    plain = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    kind = _ENDINGS.get(plain.suffix.lower())
    if kind is None:
        raise UserError(
            f"{path} is no data set we can read.", hint="It should be .csv, .tsv or .jsonl, or that with .gz."
        )
    _refuse_others(path)
    read = _json_rows if kind == _JSON else partial(_delimited_rows, path, ",;\t" if kind == _CSV else "\t,;", needed)
    return _until_damaged(path, read)


def _refuse_others(path: Path) -> None:
    """`UserError` for what is no file of text, whatever it is named."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe may never end
            raise UserError(f"{path} is no file.", hint="Name the files of a data set one by one.")
        with path.open("rb") as file, _unpacked(file) as content:
            try:
                head = content.read(_HEAD)
            except _BROKEN:
                return  # the reader says where it is damaged
    except OSError as exc:
        raise unreadable_error(path, exc) from exc
    what = ""
    if head.lstrip().startswith(b"%PDF-"):  # a sentence may speak of it
        what = "a PDF"
    elif head.startswith(b"PK\x03\x04"):
        what = "a zip archive or a spreadsheet"
    elif not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        controls = sum(byte < 32 and byte not in b"\t\n\r\f" for byte in head)
        what = "not text" if controls * 10 > len(head) else ""
    if what:
        hint = "If it is a paper, name it .pdf and add it." if what == "a PDF" else "Save it as .csv, .tsv or .jsonl."
        raise UserError(f"{path} is no data set: its content is {what}.", hint=hint)


def _until_damaged(path: Path, read: Callable[[_Lines], Iterator[TableRow]]) -> Iterator[TableRow]:
    """The rows of a file; where a compressed one breaks off, a last one that says so."""
    try:
        with path.open("rb") as file, _text(file) as text:
            lines = _Lines(text)
            try:
                yield from read(lines)
            except _BROKEN:
                yield TableRow(lines.number + 1, {}, "the file is damaged from here on")
    except OSError as exc:
        raise unreadable_error(path, exc) from exc


def _unpacked(file: BinaryIO) -> BinaryIO:
    zipped = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    return cast(BinaryIO, gzip.open(file)) if zipped else file


def _text(file: BinaryIO) -> TextIO:
    """The content as text. Bytes that are not UTF-8 come as surrogates, so that only their rows are lost."""
    content = _unpacked(file)
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
            fields = json.loads(text, parse_constant=lambda _: None)  # NaN: what other programs write for nothing
        except StopIteration:
            return
        except _TooLong:
            yield TableRow(lines.number, {}, _TOO_LONG)
        except (ValueError, RecursionError):
            yield TableRow(lines.number, {}, "not JSON")
        else:
            is_object = isinstance(fields, dict)
            yield TableRow(lines.number, fields) if is_object else TableRow(lines.number, {}, "not a JSON object")


def _delimited_rows(path: Path, delimiters: str, needed: Sequence[Sequence[str]], lines: _Lines) -> Iterator[TableRow]:
    """The rows of a table; of `delimiters` the first counts unless only another one gives the columns needed."""
    sample = lines.peek(_SAMPLE)
    fits = (one for one in delimiters if sample and not _missing(sample[0].split(one), needed))
    delimiter = next(fits, delimiters[0])
    plain = delimiter == "\t" and not _is_quoted(sample)
    reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL)
    try:
        header = [name.strip() for name in next(reader, [])]
    except (_TooLong, csv.Error):
        raise UserError(f"{path} is no data set: its first line does not name its columns.") from None
    if not any(header):
        raise UserError(f"{path} is empty.", hint="It should start with the names of its columns.")
    if missing := _missing(header, needed):
        raise UserError(
            f"{path} has no column {' or '.join(missing)}.",
            hint="Its first line should name its columns: two sentences (sentence1, sentence2) and a label.",
        )
    names = [name.casefold() for name in header if name]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise UserError(f"{path} has two columns named {twice[:40]!r}.", hint="Rename one of them in its first line.")
    while True:
        line = lines.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _TooLong:
            yield TableRow(line, {}, _TOO_LONG)
            continue
        except csv.Error:
            lines.end_row()
            yield TableRow(line, {}, f"a field of more than {_FIELD_LIMIT:,} characters: is a quote not closed?")
            continue
        if not cells:
            continue
        lines.end_row()
        # SNLI-shaped files may leave off the annotators' labels at the end of a row.
        problem = f"{len(cells)} columns instead of {len(header)}" if len(cells) > len(header) else ""
        yield TableRow(line, dict(zip(header, cells, strict=False)), problem)


def _missing(header: Sequence[str], needed: Sequence[Sequence[str]]) -> list[str]:
    """Of the columns needed, those that no name stands for."""
    names = {name.strip().strip('"').casefold() for name in header}
    return [alternatives[0] for alternatives in needed if names.isdisjoint(alternatives)]


def _is_quoted(lines: list[str]) -> bool:
    """Whether quotes in this TSV enclose fields (SciNLI) or are plain characters (SNLI, MNLI)."""
    rows = [line.rstrip("\r\n").split("\t") for line in lines]
    fields = [field for row in rows if len(row) == len(rows[0]) for field in row if field.startswith('"')]
    return bool(fields) and all(_QUOTED.fullmatch(field) for field in fields)
