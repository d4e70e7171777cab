"""Checksums of rows, by which a value that changed on the disk is noticed.

SQLite notices damage to its own structures, but not another letter in a text. Triggers set the column `checksum` to
NULL whenever a row gets another content, and each transaction ends by computing what is missing. Labels and mended
sentences, which follow from people's work, and splits, which follow from settings and metadata, are derived again and
compared instead, by `storage.verification`. `checked_tables` says how each table is verified.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

from storage.integrity.checked_tables import CHECKED, VALUES

# The mined text of a mended sentence has a column of its own: a row keeps its checksum when it is mended.
_MINED = {"premise": "mined_premise", "hypothesis": "mined_hypothesis"}
_NUL, _NULL, _END = "\0", "\x01", "\x1f"


def _expression(table: str) -> str:
    """The checksum of a row in SQL, made of one text: each argument of a function of ours would cost time."""
    columns = CHECKED[table].columns
    mined = _MINED if table == "pairs" else {}
    values = [f"coalesce({mined[one]}, {one})" if one in mined else VALUES.get(one, one) for one in columns]
    texts = ", ".join(f"ifnull({value}, '{_NULL}')" for value in values)
    return f"checksum(CAST(printf('{f'%s{_END}' * len(values)}', {texts}) AS BLOB))"


_CHECKSUMS = {table: _expression(table) for table in CHECKED}
_FILL = {table: f"UPDATE {table} SET checksum = {sql} WHERE checksum IS NULL" for table, sql in _CHECKSUMS.items()}
_SELECT_UNFILLED = " UNION ALL ".join(
    f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table} WHERE checksum IS NULL)" for table in CHECKED
)
# Not by an index: else SQLite would look up each row by its key.
_SELECT_CHANGED = {
    table: f"SELECT {CHECKED[table].name} FROM {table} NOT INDEXED WHERE checksum IS NOT {sql} ORDER BY 1"
    for table, sql in _CHECKSUMS.items()
}


def add_checksums(connection: sqlite3.Connection) -> None:
    """Let a connection compute checksums in SQL."""
    connection.create_function("checksum", 1, crc32, deterministic=True)


def fill_checksums(connection: sqlite3.Connection) -> None:
    """Compute the checksums of the rows that have a new content."""
    for (table,) in connection.execute(_SELECT_UNFILLED).fetchall():
        connection.execute(_FILL[table])


def pair_checksums(columns: Mapping[str, Sequence[Any]]) -> list[int]:
    """The checksum of each pair that is to be inserted, by columns; computing them later takes twice as long."""
    none = [None] * len(columns["key"])
    values = [columns.get(name, none) for name in CHECKED["pairs"].columns]
    for place, name in enumerate(CHECKED["pairs"].columns):
        if (mined := columns.get(_MINED.get(name, ""))) is not None:
            values[place] = [row if own is None else own for own, row in zip(mined, values[place], strict=True)]
    return [crc32(_text(row).encode()) for row in zip(*values, strict=True)]


def find_changed_rows(connection: sqlite3.Connection, table: str) -> list[str]:
    """The names of the rows of a table that are not as they were stored. The connection has `add_checksums`."""
    return [str(name) for (name,) in connection.execute(_SELECT_CHANGED[table])]


def row_names(connection: sqlite3.Connection, table: str) -> set[str]:
    """The names of all rows of a table, as `find_changed_rows` gives them."""
    return {str(name) for (name,) in connection.execute(f"SELECT {CHECKED[table].name} FROM {table}")}


def _text(row: Sequence[object]) -> str:
    """What SQLite's printf makes of the values of a row; it ends each at a NUL."""
    text = "".join([f"{_NULL if value is None else value}{_END}" for value in row])
    return text if "\0" not in text else "".join(f"{part.partition(_NUL)[0]}{_END}" for part in text.split(_END)[:-1])
