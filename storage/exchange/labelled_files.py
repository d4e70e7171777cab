"""Labelled pairs in files shaped like ours, SciNLI, MSciNLI, MisMatched, SNLI, MNLI or TaxiNLI, row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from miner.errors import UserError
from miner.records import Label
from storage.exchange.import_rows import (
    ANY_LABEL,
    HYPOTHESIS,
    PREMISE,
    SPLIT_OF_NAME,
    BadRow,
    LabelledRow,
    NumericLabel,
    read_row,
)
from storage.exchange.table_files import TableRow, read_table

_NEEDED = (PREMISE, HYPOTHESIS, ANY_LABEL)
_GIVEN_UP = 1000  # rows without a good one: the file is something else
_SPLIT_IN_NAME = re.compile(r"(?<![a-z])(train|dev|validation|valid|val|test)(?![a-z])")


def read_labelled_rows(
    path: Path, *, domain: str = "", numbers: Sequence[Label] = ()
) -> Iterator[tuple[int, LabelledRow | BadRow]]:
    """The line and the pair of each row, or why it has none; the split is that of a column, or of the file's name.

    `numbers` say what labels that are numbers mean, from 0. `UserError` when the file cannot be read or lacks columns,
    when its labels are numbers and nobody says what they mean, or when none of its first rows is a pair.
    """
    named = _SPLIT_IN_NAME.search(path.name.lower())
    split = SPLIT_OF_NAME[named[1]] if named else None
    good = bad = 0
    for row in read_table(path, _NEEDED):
        try:
            found = read_row(row, split=split, domain=domain, numbers=numbers)
        except NumericLabel as exc:
            if not good:
                raise _ask_numbers(path, row, str(exc)) from None
            found = f"the label {exc} is a number, and nothing says what it means"
        if isinstance(found, LabelledRow):
            good += 1
            yield row.line, found
            continue
        bad += 1
        if bad == _GIVEN_UP and not good:
            raise UserError(
                f"{path} is no data set we can read: none of its first {bad:,} rows is a labelled pair.",
                hint=f"Of line {row.line:,}, for example, one can say: {found}.",
            )
        yield row.line, BadRow(row.line, found)


class UnexplainedNumbers(UserError):
    """The labels of a file are numbers, and nobody has said what they mean."""


def is_labelled_file(path: Path) -> bool:
    """Whether a file looks like a data set, by its first row: `read_labelled_rows` would find its columns."""
    try:
        row = next(read_table(path, _NEEDED), None)
    except UserError:
        return False
    names = {name.strip().casefold() for name in row.fields} if row else set()
    return not any(names.isdisjoint(alternatives) for alternatives in _NEEDED)


def has_unexplained_numbers(path: Path) -> bool:
    """Whether somebody has to say what a data set's labels mean, by its first row: they are numbers."""
    try:
        next(read_labelled_rows(path), None)
    except UnexplainedNumbers:
        return True
    except UserError:
        return False
    return False


def _ask_numbers(path: Path, row: TableRow, number: str) -> UserError:
    return UnexplainedNumbers(
        f"{path}, line {row.line:,}: the label is {number}, and what numbers mean differs from data set to data set.",
        hint="Say what they mean, in the window or by --label-numbers: entailment,neutral,contradiction as in SNLI and "
        "MNLI, or contrasting,reasoning,entailment,neutral as in SciNLI.",
    )
