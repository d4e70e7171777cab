"""Rows of a data set's file: CSV, TSV or JSON lines, plain or gzipped, one at a time."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import json
import re
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO, cast

from miner.errors import UserError
from miner.parsing.files import unreadable

_CSV, _TSV, _JSON = "csv", "tsv", "json"
_ENDINGS = {".csv": _CSV, ".tsv": _TSV, ".txt": _TSV, ".jsonl": _JSON, ".ndjson": _JSON}
_FIELD_LIMIT = 131_072  # characters; csv's own default: a quote that is never closed ends here
_SAMPLE = 200  # lines to judge the quoting of a TSV by
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


class TableRow(NamedTuple):
    """A row by column, and the line of the file it starts on; `problem` says why it cannot be read."""

    line: int
    fields: Mapping[str, object]
    problem: str = ""


def read_table(path: Path, needed: Sequence[Sequence[str]]) -> Iterator[TableRow]:
    """The rows after the header, in order; a damaged one comes with its problem, and the next follow.

    `needed` columns, by any of their names (lower case). `UserError` when the file is not there, its ending tells no
    format we read, or its header lacks a column; JSON lines have no header.
    """
    plain = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    kind = _ENDINGS.get(plain.suffix.lower())
    if kind is None:
        raise UserError(
            f"{path} is no data set we can read.", hint="It should be .csv, .tsv or .jsonl, or that with .gz."
        )
    try:
        state = path.stat()
    except OSError as exc:
        raise unreadable(path, exc) from exc
    if not stat.S_ISREG(state.st_mode):
        raise UserError(f"{path} is no file.", hint="Name the files of a data set one by one.")
    read = _json_rows if kind == _JSON else partial(_delimited_rows, path, "," if kind == _CSV else "\t", needed)
    return _until_damaged(path, read)


def _until_damaged(path: Path, read: Callable[[Iterator[str]], Iterator[TableRow]]) -> Iterator[TableRow]:
    """The rows of a file; where a compressed one breaks off, a last one that says so."""
    line = 0
    try:
        with path.open("rb") as file, _text(file) as lines:
            for row in read(lines):
                line = row.line
                yield row
    except PermissionError as exc:
        raise UserError(f"{path} cannot be read: {exc.strerror}.") from exc
    except (OSError, EOFError, zlib.error):
        yield TableRow(line + 1, {}, "the file is damaged from here on")


def _text(file: BinaryIO) -> TextIO:
    """The content as text. Bytes that are not UTF-8 come as surrogates, so that only their rows are lost."""
    zipped = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    content = cast(BinaryIO, gzip.open(file)) if zipped else file  # noqa: SIM115  closed with the text
    wide = content.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    content.seek(0)
    encoding, errors = ("utf-16", "replace") if wide else ("utf-8-sig", "surrogateescape")
    return io.TextIOWrapper(content, encoding=encoding, errors=errors, newline="")


def _json_rows(lines: Iterator[str]) -> Iterator[TableRow]:
    for line, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError):
            yield TableRow(line, {}, "not JSON")
            continue
        yield TableRow(line, fields) if isinstance(fields, dict) else TableRow(line, {}, "not a JSON object")


def _delimited_rows(
    path: Path, delimiter: str, needed: Sequence[Sequence[str]], lines: Iterator[str]
) -> Iterator[TableRow]:
    sample = list(itertools.islice(lines, _SAMPLE))
    plain = delimiter == "\t" and not _is_quoted(sample)
    reader = csv.reader(
        itertools.chain(sample, lines), delimiter=delimiter, quoting=csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL
    )
    header = [name.strip() for name in next(reader, [])]
    if not any(header):
        raise UserError(f"{path} is empty.", hint="It should start with the names of its columns.")
    names = {name.casefold() for name in header}
    if missing := [alternatives[0] for alternatives in needed if names.isdisjoint(alternatives)]:
        raise UserError(
            f"{path} has no column {' or '.join(missing)}.",
            hint="Its first line should name its columns; that one is missing.",
        )
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield TableRow(line, {}, f"a field of more than {_FIELD_LIMIT:,} characters: is a quote not closed?")
            continue
        if not cells:
            continue
        # SNLI-shaped files may leave off the annotators' labels at the end of a row.
        problem = f"{len(cells)} columns instead of {len(header)}" if len(cells) > len(header) else ""
        yield TableRow(line, dict(zip(header, cells, strict=False)), problem)


def _is_quoted(lines: list[str]) -> bool:
    """Whether quotes in this TSV enclose fields (SciNLI) or are plain characters (SNLI, MNLI)."""
    rows = [line.rstrip("\r\n").split("\t") for line in lines]
    fields = [field for row in rows if len(row) == len(rows[0]) for field in row if field.startswith('"')]
    return bool(fields) and all(_QUOTED.fullmatch(field) for field in fields)
