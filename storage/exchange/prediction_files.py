"""Reads somebody's predictions from a file: a label for each pair, and its probabilities where the file has them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from miner.parsing.text import tidy
from storage.exchange.import_rows import PREMISE, find_label
from storage.exchange.labelled_rows import BadRow
from storage.exchange.labelled_texts import TEXT
from storage.exchange.table_files import read_table

_KEY = ("pair_key", "key", "id", "pairid", "pair_id", "source_id")
_PROBABILITY = ("{}", "p_{}", "prob_{}", "probability_{}", "p({})")
_NO_ANSWER = frozenset(("", "-", "none", "null", "nan", "n/a", "unclear", "unreadable"))


class GivenPrediction(NamedTuple):
    """A prediction of a file. label: "" for no answer; the four relations by their names here, others as they are.

    key: of the pair, "" where the file names its sentences. probabilities: of the classes asked for; () for none.
    """

    key: str
    premise: str
    hypothesis: str
    label: str
    probabilities: tuple[float, ...] = ()


def read_prediction_file(
    path: Path, column: str, classes: Sequence[str]
) -> Iterator[tuple[int, GivenPrediction | BadRow]]:
    """Each row with its line number; `UserError` if the file cannot be read, has no such column, or names no pairs.

    A pair is named by its sentences, or by its key. Probabilities are in columns named like the classes.
    """
    wanted = column.strip().casefold()
    for row in read_table(path, ((wanted,), (*TEXT, *_KEY))):
        fields = {name.strip().casefold(): value for name, value in row.fields.items()}
        problem = row.problem or ("" if wanted in fields else f"no {column}")
        if problem:
            yield row.line, BadRow(row.line, problem)
            continue
        premise, hypothesis = _first(fields, PREMISE), _first(fields, TEXT)
        key = "" if hypothesis else _first(fields, _KEY)
        if not (key or hypothesis):
            yield row.line, BadRow(row.line, "it names no pair")
            continue
        label = prediction_label(fields[wanted])
        yield row.line, GivenPrediction(key, premise, hypothesis, label, _probabilities(fields, classes))


def prediction_label(value: object) -> str:
    """The label that a cell of a table predicts; "" for no answer."""
    word = "" if value is None else tidy(str(value))
    if word.casefold() in _NO_ANSWER:
        return ""
    known = find_label(word) if word.casefold() != "contradiction" else None  # of other data sets, as it is
    return str(known or word)


def _probabilities(fields: Mapping[str, object], classes: Sequence[str]) -> tuple[float, ...]:
    """The probabilities of all classes, which sum to 1; () where one is missing or is none."""
    for pattern in _PROBABILITY:
        names = [pattern.format(name.casefold()) for name in classes]
        if not all(name in fields for name in names):
            continue
        try:
            values = [float(str(fields[name])) for name in names]
        except ValueError:
            return ()
        total = sum(values)
        if all(math.isfinite(value) and value >= 0 for value in values) and total > 0:
            return tuple(value / total for value in values)
    return ()


def _first(fields: Mapping[str, object], names: tuple[str, ...]) -> str:
    values = (fields.get(name) for name in names)
    return next((tidy(str(value)) for value in values if value not in (None, "")), "")
