"""Checksums of rows, by which a value that changed on the disk is noticed.

SQLite notices damage to its own structures, but not another letter in a text. Triggers set the column `checksum` to
NULL whenever a row gets another content, and each transaction ends by computing what is missing. Labels and mended
sentences, which follow from people's work, and splits, which follow from settings and metadata, are derived again and
compared instead, by `storage.verification`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

# The mined text of a mended sentence has a column of its own: a row keeps its checksum when it is mended.
_MINED = {"premise": "mined_premise", "hypothesis": "mined_hypothesis"}
_PLACES = ("premise_section", "premise_paragraph", "premise_sentence")
_OTHER_PLACES = ("hypothesis_section", "hypothesis_paragraph", "hypothesis_sentence")
_SOURCE = ("source_id", "source_label", "source", "own_split")
_PARSED = ("pages", "parser", "parser_version", "splitter", "digest", "source_md5", "hidden_words", "words")
_DESCRIBED = ("title", "authors", "year", "doi", "domain", "licence", "journal", "keywords", "language")
COLUMNS = {
    "pairs": (
        *("key", "premise", "hypothesis", "hypothesis_original", "strategy", "distant_label", "phrase", "flags"),
        *("page", *_PLACES, *_OTHER_PLACES, *_SOURCE),
    ),
    "papers": ("md5", "sha256", "kind", *_DESCRIBED, *_PARSED, "edited", "sources", "to_check"),
    "settings": ("key", "value"),
}
"""By table the columns that have a checksum. Whoever adds a column here adds a migration that computes all again."""
_NUL, _NULL, _END = "\0", "\x01", "\x1f"


def _expression(table: str) -> str:
    """The checksum of a row in SQL, made of one text: each argument of a function of ours would cost time."""
    values = [f"coalesce({_MINED[one]}, {one})" if one in _MINED else one for one in COLUMNS[table]]
    texts = ", ".join(f"ifnull({value}, '{_NULL}')" for value in values)
    return f"checksum(CAST(printf('{f'%s{_END}' * len(values)}', {texts}) AS BLOB))"


_CHECKSUMS = {table: _expression(table) for table in COLUMNS}
_FILL = [f"UPDATE {table} SET checksum = {sql} WHERE checksum IS NULL" for table, sql in _CHECKSUMS.items()]
_SELECT_CHANGED = {
    table: f"SELECT {COLUMNS[table][0]} FROM {table} NOT INDEXED WHERE checksum IS NOT {sql} ORDER BY 1"
    for table, sql in _CHECKSUMS.items()
}


def add_checksums(connection: sqlite3.Connection) -> None:
    """Let a connection compute checksums in SQL."""
    connection.create_function("checksum", 1, crc32, deterministic=True)


def fill_checksums(connection: sqlite3.Connection) -> None:
    """Compute the checksums of the rows that have a new content."""
    for statement in _FILL:
        connection.execute(statement)


def pair_checksums(columns: Mapping[str, Sequence[Any]]) -> list[int]:
    """The checksum of each pair that is to be inserted, by columns; computing them later takes twice as long."""
    none = [None] * len(columns["key"])
    values = [columns.get(name, none) for name in COLUMNS["pairs"]]
    for place, name in enumerate(COLUMNS["pairs"]):
        if (mined := columns.get(_MINED.get(name, ""))) is not None:
            values[place] = [row if own is None else own for own, row in zip(mined, values[place], strict=True)]
    return [crc32(_text(row).encode()) for row in zip(*values, strict=True)]


def find_changed_rows(connection: sqlite3.Connection, table: str) -> list[str]:
    """The keys of the rows of a table that are not as they were stored. The connection has `add_checksums`."""
    return [str(key) for (key,) in connection.execute(_SELECT_CHANGED[table])]


def _text(row: Sequence[object]) -> str:
    """What SQLite's printf makes of the values of a row; it ends each at a NUL."""
    text = "".join([f"{_NULL if value is None else value}{_END}" for value in row])
    return text if "\0" not in text else "".join(f"{part.partition(_NUL)[0]}{_END}" for part in text.split(_END)[:-1])
