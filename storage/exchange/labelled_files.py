"""Reads labelled pairs from files like our exports, SciNLI, MSciNLI, MisMatched, SNLI, MNLI or TaxiNLI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from miner.errors import UserError
from miner.paths import check_ordinary
from miner.records import Label
from storage.exchange.import_rows import ANY_LABEL, HYPOTHESIS, PREMISE, SPLIT_OF_NAME, NumericLabel, read_row
from storage.exchange.labelled_rows import BadRow, LabelledRow
from storage.exchange.parquet_rows import SUFFIX, is_parquet_file
from storage.exchange.table_files import read_table
from storage.exchange.table_rows import TableRow

_NEEDED_COLUMNS = (PREMISE, HYPOTHESIS, ANY_LABEL)
_MAX_LEADING_BAD_ROWS = 1000  # then the file is not a data set
_MAX_TRIPLE_LINE = 10_000  # characters
_SPLIT_IN_NAME = re.compile(r"(?<![a-z])(train|dev|validation|valid|val|test)(?![a-z])")


def read_labelled_rows(
    path: Path, *, domain: str = "", numbers: Sequence[Label] = (), predictions: Sequence[str] = ()
) -> Iterator[tuple[int, LabelledRow | BadRow]]:
    """Each row of a file with its line number. The split comes from a column, or else from the file's name.

    `numbers`: the labels that numbers stand for, from 0. `predictions`: columns of somebody's predictions, besides
    those that are known by their names. Raises `UserError` if the file cannot be read or lacks columns, if its labels
    are numbers and `numbers` is empty, or if none of the first rows is a labelled pair.
    """
    if is_triples_file(path):
        raise UserError(
            f"{path} has pairs of propositions, as LevyHolt and SherLIiC do, which have none of the four relations.",
            hint='Name their folder in an experiment: write triples = "FOLDER" into the sets of the file that '
            "`pairwright experiment direction --template` prints.",
        )
    split = split_of_name(path)
    good = bad = labelled = 0
    named = tuple((name.strip().casefold(),) for name in predictions)
    for row in read_table(path, (*_NEEDED_COLUMNS, *named)):
        try:
            found = read_row(row, split=split, domain=domain, numbers=numbers, predictions=predictions)
        except NumericLabel as exc:
            if not labelled:
                raise _unexplained_numbers(path, row, str(exc)) from None
            found = f"the label {exc} is a number, and nothing says what it means"
        if isinstance(found, LabelledRow):
            good += 1
            labelled += found.label is not None
            yield row.line, found
            continue
        bad += 1
        if bad == _MAX_LEADING_BAD_ROWS and not good:
            raise UserError(
                f"{path} is not a data set: none of its first {bad:,} rows is a labelled pair.",
                hint=f"Line {row.line:,}, for example: {found}.",
            )
        yield row.line, BadRow(row.line, found)


def split_of_name(path: Path) -> str | None:
    """The split that a file's name says its rows are in."""
    named = _SPLIT_IN_NAME.search(path.name.lower())
    return SPLIT_OF_NAME[named[1]] if named else None


def is_triples_file(path: Path) -> bool:
    """Whether the first line of a file is a pair of propositions; False for what cannot be read."""
    try:
        check_ordinary(path)
        with path.open(encoding="utf-8") as file:
            fields = file.readline(_MAX_TRIPLE_LINE).split("\t")
    except (OSError, UnicodeDecodeError):
        return False
    return len(fields) in (3, 4) and "," in fields[0] and fields[2].strip() in ("True", "False")


class UnexplainedNumbers(UserError):
    """The labels of a file are numbers, and their meaning is unknown."""


def is_labelled_file(path: Path) -> bool:
    """Whether a file looks like a data set: its first row has the columns that `read_labelled_rows` needs.

    Any Parquet file does.
    """
    if path.suffix.lower() == SUFFIX:
        return is_parquet_file(path)
    try:
        row = next(read_table(path, _NEEDED_COLUMNS), None)
    except UserError:
        return False
    names = {name.strip().casefold() for name in row.fields} if row else set()
    return not any(names.isdisjoint(alternatives) for alternatives in _NEEDED_COLUMNS)


def has_unexplained_numbers(path: Path) -> bool:
    """Whether the labels of a data set are numbers without a known meaning, by its first row.

    Of a Parquet file this is not known before its import, because only a process of its own reads it.
    """
    if path.suffix.lower() == SUFFIX:
        return False
    try:
        next(read_labelled_rows(path), None)
    except UnexplainedNumbers:
        return True
    except UserError:
        return False
    return False


def _unexplained_numbers(path: Path, row: TableRow, number: str) -> UserError:
    return UnexplainedNumbers(
        f"{path}, line {row.line:,}: the label is {number}, and what numbers mean differs from data set to data set.",
        hint="Say what they mean, in the window or by --label-numbers: entailment,neutral,contradiction as in SNLI and "
        "MNLI, or contrasting,reasoning,entailment,neutral as in SciNLI.",
    )
