"""Looks for leaks between the splits of data set files, ours or others'."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from miner.errors import UserError
from miner.mining.identity import sentence_hash
from miner.parsing.text import tidy
from miner.progress import Progress
from storage.dataset.leaks import LeakReport, find_leaks
from storage.dataset.near_duplicates import NEAR_GROUPS
from storage.exchange.import_rows import HYPOTHESIS, PAPER_IDS, PREMISE, SPLIT_OF_NAME
from storage.exchange.labelled_files import split_of_name
from storage.exchange.table_files import read_table

_ROWS_PER_TICK = 5_000
_Row = tuple[str, str, str, int, int, str, str | None]
# The names that `find_leaks` reads, of pairs that are all exported.
_SCHEMA = f"""
    CREATE TABLE pairs (
        id INTEGER PRIMARY KEY, premise TEXT, hypothesis TEXT, hypothesis_original TEXT,
        premise_hash INTEGER, hypothesis_hash INTEGER, split TEXT, paper TEXT
    );
    CREATE VIEW candidates AS
        SELECT *, id AS pair_id, paper AS md5, paper IS NOT NULL AS named,
            NULL AS mined_premise, NULL AS mined_hypothesis, NULL AS reason
        FROM pairs;
    CREATE TEMP TABLE near_groups ({NEAR_GROUPS});
"""


def find_file_leaks(paths: Sequence[Path], progress: Progress, *, near_duplicates: bool = True) -> LeakReport:
    """The leaks between the splits of these files.

    A row's split is that of its column `split`, else of its file's name; its paper is what a column with a paper's
    identifier says. Rows without two sentences are skipped. `UserError` if a file cannot be read, or says nowhere in
    which split its rows are.
    """
    with closing(sqlite3.connect("")) as driver:  # a temporary file, deleted at the end
        driver.executescript(_SCHEMA)
        for path in paths:
            driver.executemany("INSERT INTO pairs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", _rows(path, progress))
        return find_leaks(driver, progress, near_duplicates=near_duplicates)


def _rows(path: Path, progress: Progress) -> Iterator[_Row]:
    of_file = split_of_name(path)
    for number, row in enumerate(read_table(path, (PREMISE, HYPOTHESIS))):
        if number % _ROWS_PER_TICK == 0:
            progress.tick(number, None, path.name)
        fields = {name.strip().casefold(): value for name, value in row.fields.items()}
        premise, hypothesis = (_text(fields, names) for names in (PREMISE, HYPOTHESIS))
        if row.problem or not premise or not hypothesis:
            continue
        original = _text(fields, ("sentence2_original",)) or hypothesis
        split = SPLIT_OF_NAME.get(str(fields.get("split")).lower()) or of_file
        if split is None:
            raise UserError(
                f"{path}, line {row.line:,}, does not say which split it is in.",
                hint="Name the files train, dev and test, or give their rows a column named split.",
            )
        paper = _text(fields, PAPER_IDS) or None
        yield premise, hypothesis, original, sentence_hash(premise), sentence_hash(original), split, paper


def _text(fields: dict[str, object], names: Sequence[str]) -> str:
    found = (fields.get(name) for name in names)
    return next((tidy(str(value)) for value in found if isinstance(value, str | int) and value != ""), "")
