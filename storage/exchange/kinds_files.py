"""Reads files with kinds of reasoning: TaxiNLI's released ones, and those with the same columns.

A column that is not in `storage.exchange.kinds_columns`, and whose values are all labels of the file, holds a model's
predictions.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.kinds.figures import AnnotatedPair
from miner.kinds.taxonomy import Taxonomy
from storage.exchange.import_rows import HYPOTHESIS, PREMISE
from storage.exchange.kinds_columns import (
    ANNOTATED_DIRECTION,
    ANNOTATED_LABEL,
    category_columns,
    ticked_categories,
)
from storage.exchange.table_files import read_table

_LABEL = ("label", "gold_label")
_OTHER = frozenset((ANNOTATED_LABEL, ANNOTATED_DIRECTION, "genre", "pairid", "s1", "s2"))
_MAX_PREDICTION = 64  # characters of a label
_CHECKED_ROWS = 200  # to find the columns of predictions


class KindsFile(NamedTuple):
    """What a file has. categories: those with a column. annotated: of how many pairs people's label is the pair's,
    and of how many they gave one. unusable: rows that could not be read."""

    pairs: tuple[AnnotatedPair, ...]
    categories: tuple[str, ...]
    models: tuple[str, ...]
    annotated: tuple[int, int]
    unusable: int


def read_kinds_file(path: Path, taxonomy: Taxonomy) -> KindsFile:
    """The pairs of a file; `UserError` if it cannot be read or has no column for any category."""
    rows = []
    unusable = 0
    for row in read_table(path, (PREMISE, HYPOTHESIS, _LABEL)):
        fields = {
            name.strip().casefold(): str(value).strip() for name, value in row.fields.items() if value is not None
        }
        if row.problem or not _first(fields, PREMISE) or not _first(fields, HYPOTHESIS) or not _first(fields, _LABEL):
            unusable += 1
        else:
            rows.append(fields)
    names = {name for fields in rows for name in fields}
    columns = category_columns(taxonomy, names)
    if not columns:
        nearest = ", ".join(list(taxonomy.categories)[:3])
        hint = f"A category's column has its name: {nearest} …, or lexical_linguistic as in TaxiNLI's files."
        raise UserError(f"{path} has no column for a category of {taxonomy.name}.", hint=hint)
    labels = {_first(fields, _LABEL).casefold() for fields in rows}
    taken = {*columns.values(), *_OTHER, *PREMISE, *HYPOTHESIS, *_LABEL}
    models = [name for name in sorted(names - taken) if _is_predictions(rows, name, labels)]
    people = [fields[ANNOTATED_LABEL].casefold() for fields in rows if fields.get(ANNOTATED_LABEL, "-") in labels]
    right = sum(
        fields[ANNOTATED_LABEL] == _first(fields, _LABEL)
        for fields in rows
        if fields.get(ANNOTATED_LABEL, "-") in labels
    )
    pairs = tuple(_pair(fields, columns, models) for fields in rows)
    return KindsFile(pairs, tuple(columns), tuple(models), (right, len(people)), unusable)


def _pair(fields: Mapping[str, str], columns: Mapping[str, str], models: list[str]) -> AnnotatedPair:
    ticked = ticked_categories(fields, columns)
    words = len(_first(fields, PREMISE).split()), len(_first(fields, HYPOTHESIS).split())
    predicted = {model: fields[model].casefold() for model in models if fields.get(model)}
    return AnnotatedPair(_first(fields, _LABEL).casefold(), ticked, words, predicted)


def _is_predictions(rows: list[dict[str, str]], name: str, labels: set[str]) -> bool:
    values = [fields[name] for fields in rows[:_CHECKED_ROWS] if fields.get(name)]
    return bool(values) and all(len(value) <= _MAX_PREDICTION and value.casefold() in labels for value in values)


def _first(fields: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")
