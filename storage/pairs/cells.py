"""Filters by cells of experiments: which pairs a cell is tested on, and what it predicts."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import Connection

from storage.errors import translate_decoding_errors
from storage.pairs.filters import PairFilter
from storage.sql import SqlClause, all_of, membership_clauses

_PREDICTIONS = """
    JOIN cell_results ON cell_results.key = cells.key JOIN predictions
    ON predictions.predictor = cell_results.predictor AND predictions.text_hash = test_items.text_hash
"""
CELLS = "experiment_cells JOIN experiments ON experiments.id = experiment AND NOT forgotten"
"""The cells of experiments that are not forgotten."""
_NO_ANSWER = -1  # `predictions.class` where a system gave none


def conditions(connection: Connection, filter: PairFilter) -> list[SqlClause]:
    """The condition over `pairs` that a cell of the filter is tested on the pair and predicts as the filter asks."""
    if not filter.cells and filter.misread is None and not filter.predicted:
        return []
    clauses = membership_clauses("cells.key", filter.cells)
    if filter.misread is not None:
        clauses.append(SqlClause(f"predictions.class {'<>' if filter.misread else '='} test_items.class"))
    if filter.predicted:
        clauses.append(_predicted(connection, filter.predicted))
    where = all_of(clauses)
    query = f"""
        SELECT tested.id FROM (SELECT min(experiment) AS experiment, "key", part FROM {CELLS} GROUP BY 2, 3) AS cells
        JOIN test_items ON test_items.part = cells.part
        {_PREDICTIONS if filter.misread is not None or filter.predicted else ""}
        CROSS JOIN pairs AS tested ON tested.key = test_items.pair_key WHERE {where.sql}
    """
    return [SqlClause(f"pairs.id IN ({query})", where.params)]


def class_names(connection: Connection, filter: PairFilter) -> list[str]:
    """The names of the classes of the experiments that the filter's cells belong to, or of all; then "", no answer."""
    wanted = all_of(membership_clauses("key", filter.cells))
    query = f"SELECT DISTINCT experiment FROM {CELLS} WHERE {wanted.sql}"
    ids = set(connection.exec_driver_sql(query, wanted.params).scalars())
    found = (name for id, names in _classes(connection).items() if id in ids for name in names)
    return [*dict.fromkeys(found), ""]


def cell_counts(connection: Connection) -> dict[str, int]:
    """How many current pairs of the project each cell is tested on, by its key."""
    query = f"""
        SELECT "key", max(pairs) FROM {CELLS} JOIN (
            SELECT part, count(DISTINCT pair_key) AS pairs FROM test_items
            WHERE EXISTS (SELECT 1 FROM pairs WHERE pairs.key = pair_key AND current) GROUP BY part
        ) AS counted ON counted.part = experiment_cells.part GROUP BY 1 ORDER BY min(experiment), min(position)
    """
    return dict(connection.exec_driver_sql(query).all())


def _predicted(connection: Connection, names: frozenset[str]) -> SqlClause:
    """One of the classes with these names is predicted."""
    numbers = [
        (id, number) for id, classes in _classes(connection).items() for number, name in enumerate(classes)
        if name in names - {""}
    ]  # fmt: skip
    clauses = [SqlClause(
        "(cells.experiment, predictions.class) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))",
        (json.dumps(numbers),),
    )]  # fmt: skip
    if "" in names:
        clauses.append(SqlClause(f"predictions.class = {_NO_ANSWER}"))
    either = " OR ".join(clause.sql for clause in clauses)
    return SqlClause(f"({either})", clauses[0].params)


def _classes(connection: Connection) -> dict[int, list[str]]:
    """The names of the classes of each experiment, in the order of their numbers, by its id."""
    found = {}
    with translate_decoding_errors():
        for id, recipe in connection.exec_driver_sql("SELECT id, recipe FROM experiments ORDER BY id"):
            classes = json.loads(recipe).get("classes")
            found[id] = list(classes) if isinstance(classes, Mapping) else []
    return found
