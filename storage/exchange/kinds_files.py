"""Reads files with kinds of reasoning: TaxiNLI's released ones, and those with the same columns.

A category has a column with its name, or with its name and its group's ("negation_logic"); any number but 0 is yes.
Every other column whose values are all labels of the file is a model's predictions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from miner.errors import UserError
from miner.kinds.figures import AnnotatedPair
from miner.kinds.taxonomy import Taxonomy
from storage.exchange.import_rows import HYPOTHESIS, PREMISE
from storage.exchange.table_files import read_table

_LABEL = ("label", "gold_label")
_NEUTRAL = {"topic": "general_q2", "subject": "subject_q2", "object": "object_q2"}
_OTHER = frozenset(("annotated_label", "genre", "pairid", "s1", "s2"))
_YES, _NO = frozenset(("yes", "y", "true")), frozenset(("", "-", "0", "0.0", "no", "n", "false", "nan", "none"))
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
    people = [fields["annotated_label"].casefold() for fields in rows if fields.get("annotated_label", "-") in labels]
    right = sum(
        fields["annotated_label"] == _first(fields, _LABEL)
        for fields in rows
        if fields.get("annotated_label", "-") in labels
    )
    pairs = tuple(_pair(fields, columns, models) for fields in rows)
    return KindsFile(pairs, tuple(columns), tuple(models), (right, len(people)), unusable)


def category_columns(taxonomy: Taxonomy, names: Collection[str]) -> dict[str, str]:
    """Which of these columns, in small letters, each category has."""
    return {key: column for key in taxonomy.categories if (column := _column(key, names))}


def ticked_categories(fields: Mapping[str, object], columns: Mapping[str, str]) -> frozenset[str]:
    """The categories that a row says yes to. columns: as `category_columns` gives them."""
    return frozenset(key for key, column in columns.items() if _is_yes(str(fields.get(column) or "").strip()))


def _pair(fields: Mapping[str, str], columns: Mapping[str, str], models: list[str]) -> AnnotatedPair:
    ticked = ticked_categories(fields, columns)
    words = len(_first(fields, PREMISE).split()), len(_first(fields, HYPOTHESIS).split())
    predicted = {model: fields[model].casefold() for model in models if fields.get(model)}
    return AnnotatedPair(_first(fields, _LABEL).casefold(), ticked, words, predicted)


def _column(category: str, names: Collection[str]) -> str:
    """The column of a category: its name, with or without a group behind it; "" without one."""
    wanted = [category, _NEUTRAL.get(category, category)]
    if found := next((name for name in wanted if name in names), ""):
        return found
    return next((name for name in sorted(names) if name.startswith(f"{category}_") and name.count("_") == 1), "")


def _is_yes(value: str) -> bool:
    text = value.casefold()
    if text in _YES or text in _NO:
        return text in _YES
    try:
        return float(text) != 0
    except ValueError:
        return False


def _is_predictions(rows: list[dict[str, str]], name: str, labels: set[str]) -> bool:
    values = [fields[name] for fields in rows[:_CHECKED_ROWS] if fields.get(name)]
    return bool(values) and all(len(value) <= _MAX_PREDICTION and value.casefold() in labels for value in values)


def _first(fields: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")
