"""Rows of a data set file, and the columns that it must have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError

ROW_LIMIT = 1_000_000  # characters; rows of SNLI, with their parses, have a few thousand
TOO_LONG = f"longer than {ROW_LIMIT:,} characters"


class TableRow(NamedTuple):
    """A row: its first line in the file, and its fields by column. problem: why it cannot be read, else ""."""

    line: int
    fields: Mapping[str, object]
    problem: str = ""


class TableUse(NamedTuple):
    """What a table is read as, for messages. columns: which it should have."""

    name: str
    columns: str


DATA_SET = TableUse("a data set", "two sentences (sentence1, sentence2) and a label")


def check_columns(path: Path, header: Sequence[str], needed: Sequence[Sequence[str]], use: TableUse = DATA_SET) -> None:
    """Raise `UserError` if a needed column is missing, or two have the same name."""
    if missing := missing_columns(header, needed):
        raise UserError(
            f"{path} has no column {' or '.join(missing)}.",
            hint=f"Its first line should name its columns: {use.columns}.",
        )
    names = [name.casefold() for name in header if name]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise UserError(f"{path} has two columns named {twice[:40]!r}.", hint="Rename one of them.")


def missing_columns(header: Sequence[str], needed: Sequence[Sequence[str]]) -> list[str]:
    """The first name of each needed column that the header lacks."""
    names = {name.strip().strip('"').casefold() for name in header}
    return [alternatives[0] for alternatives in needed if names.isdisjoint(alternatives)]
