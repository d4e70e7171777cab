"""The rows of an export: the fields of each preset, as a query that gives JSON or columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from miner.errors import UserError
from storage.connections import driver_connection
from storage.dataset.candidates import FROM, PAIR_SPLIT, exclusion_reason, label_of
from storage.dataset.export_options import ExportOptions, FileFormat
from storage.exchange.export_fields import EXPORT_FIELDS, FieldKind, has_fixed_kinds, has_suggestions, reads_from
from storage.exchange.kinds_columns import NEUTRAL_COLUMNS, REASONING_COLUMNS
from storage.pairs.current_suggestions import SUGGESTIONS_ON_PAIR
from storage.pairs.pair_kinds import LISTED
from storage.pairs.paper_splits import PAPER_MD5

JSON, SPLIT, LABEL, STRATEGY, REASON, FIELDS = range(6)  # columns of a row of `read_batches`; the last one is the first
DELIMITED = (FileFormat.CSV, FileFormat.TSV)
_BATCH_ROWS = 250  # ten times as many no longer fit the processor's cache and take longer
_ORDER = f"{PAPER_MD5}, pairs.ordinal, pairs.key"  # imported rows keep the order of their file
_SUGGESTIONS = f"""
    LEFT JOIN {SUGGESTIONS_ON_PAIR}
    LEFT JOIN suggestion_runs ON suggestion_runs.id = suggestions.run
    LEFT JOIN models ON models.id = suggestion_runs.model_id
"""
_PAIR_KINDS = "LEFT JOIN pair_kinds AS kinds ON kinds.pair_key = pairs.key"
_OTHER_KINDS = f"""
    SELECT DISTINCT value FROM pair_kinds, json_each({LISTED.format(column="categories")})
    WHERE pair_key IN (SELECT key FROM candidates WHERE reason IS NULL)
        AND value NOT IN (SELECT value FROM json_each(?)) ORDER BY value
"""


def read_batches(connection: Connection, options: ExportOptions) -> Iterator[list[tuple[Any, ...]]]:
    """All pairs in order, in batches: JSON (bytes), split, label, strategy ("" for none) and exclusion reason.

    A pair that is left out has a reason and no JSON; the reason of the others is None. For CSV and TSV there is no
    JSON: the fields follow as columns, lists as JSON. For Parquet, whose reading of JSON takes the most time, the
    fields are named by their numbers, from 0.
    """
    # The driver's own cursor: SQLAlchemy's rows would add a tenth to the time of an export.
    cursor = driver_connection(connection).execute(rows_query(options))
    while batch := cursor.fetchmany(_BATCH_ROWS):
        yield batch


def read_first_rows(connection: Connection, options: ExportOptions, split: str | None, limit: int) -> list[str]:
    """The first rows as they will be written, of one split, or of all if `split` is None."""
    options = replace(options, format=FileFormat.JSONL)
    of_split = "" if split is None else f"AND coalesce({PAIR_SPLIT}, '') = :split"
    query = rows_query(options, f"WHERE ({exclusion_reason(options)}) IS NULL {of_split}") + " LIMIT :limit"
    return [
        row[JSON].decode() for row in driver_connection(connection).execute(query, {"split": split, "limit": limit})
    ]


def check_kinds(connection: Connection, options: ExportOptions) -> None:
    """Raise `UserError` if pairs have kinds of reasoning that the fields of the preset do not have."""
    if has_fixed_kinds(options.preset):
        named = (json.dumps([*REASONING_COLUMNS, *NEUTRAL_COLUMNS]),)
        others = [kind for (kind,) in driver_connection(connection).execute(_OTHER_KINDS, named)]
        if others:
            raise UserError(
                f"Some pairs have kinds of reasoning that TaxiNLI does not have: {', '.join(others[:5])}.",
                hint="Export everything (--preset full), which has the kinds of any taxonomy.",
            )


def rows_query(options: ExportOptions, condition: str = "") -> str:
    """The SQL of `read_batches`; `condition` is a WHERE clause."""
    declared = EXPORT_FIELDS[options.preset]
    fields = {name: field.sql_for(options) for name, field in declared.items()}
    if options.format is FileFormat.PARQUET:  # its columns have a type each, and JSON of any form has none
        fields = {
            str(number): f"({fields[name]}) ->> '$'" if field.kind is FieldKind.JSON else fields[name]
            for number, (name, field) in enumerate(declared.items())
        }
    excluded = exclusion_reason(options)
    if options.format in DELIMITED:
        content, columns = "NULL", "".join(f", {value}" for value in fields.values())
    else:
        named = ", ".join(f"'{name}', {value}" for name, value in fields.items())
        content, columns = f"iif({excluded} IS NULL, CAST(json_object({named}) AS BLOB), NULL)", ""
    suggestions = _SUGGESTIONS if has_suggestions(options.preset) else ""
    kinds = _PAIR_KINDS if reads_from(options.preset, "kinds") else ""
    return f"""
        SELECT {content},
            coalesce({PAIR_SPLIT}, ''), coalesce({label_of(options)}, ''), pairs.strategy, {excluded}{columns}
        {FROM}
        LEFT JOIN sections ON sections.paper_id = pairs.paper_id AND sections.ordinal = pairs.premise_section
        LEFT JOIN mining_runs ON mining_runs.number = pairs.run
        {suggestions}
        {kinds}
        {condition}
        ORDER BY {_ORDER}
    """
