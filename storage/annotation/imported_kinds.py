"""Answers about kinds of reasoning from imported files, under the numbers that the files give their annotators."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from miner.kinds.questionnaire import PairKinds
from miner.kinds.taxonomy import RELATION, released_text
from storage.annotation.kinds import KindStore, categories_text, stored_kinds
from storage.convert import utc_text
from storage.errors import translate_decoding_errors
from storage.pairs import pair_kinds
from storage.pairs.pair_kinds import COUNTED

# The columns that follow from `new` are as the file says: it has no answers to single questions but the relation.
_INSERT = """
    INSERT INTO kind_events (pair_key, annotator, at, taxonomy, new, relation, categories, direction, complete)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
"""
_WITH_HISTORY = "SELECT DISTINCT pair_key FROM kind_events WHERE pair_key IN (SELECT value FROM json_each(?))"
_COUNTED = COUNTED.format(wanted="json_each(?) AS wanted CROSS JOIN", condition="e.pair_key = wanted.value")


def import_kinds(connection: Connection, given: Mapping[str, Sequence[PairKinds]], at: datetime) -> None:
    """Store what a data set's annotators say, by pair, in the file's order. Pairs with a history are left out."""
    known = set(connection.exec_driver_sql(_WITH_HISTORY, (json.dumps(list(given)),)).scalars()) if given else set()
    rows = [
        (key, f"imported {number:02d}", kinds)
        for key, answers in given.items()
        if key not in known
        for number, kinds in enumerate(answers, start=1)
    ]
    store_kinds(connection, rows, utc_text(at))


def store_kinds(connection: Connection, rows: Iterable[tuple[str, str, PairKinds]], at: str) -> None:
    """Store (pair, annotator, answers), and derive the kinds of each pair."""
    rows = list(rows)
    if not rows:
        return
    taxonomy = KindStore(connection).put_taxonomy(released_text()).digest
    values = [
        (
            *(key, annotator, at, taxonomy, json.dumps({RELATION: [kinds.relation]}), kinds.relation),
            categories_text(kinds.categories),
            kinds.direction,
        )
        for key, annotator, kinds in rows
    ]
    connection.exec_driver_sql(_INSERT, values)
    pair_kinds.refresh_keys(connection, [key for key, *_ in rows])


@translate_decoding_errors()
def counted_kinds(connection: Connection, keys: Sequence[str]) -> dict[str, list[PairKinds]]:
    """The answers about these pairs that count (`storage.pairs.pair_kinds`), by pair, in order of the annotators."""
    found: dict[str, list[PairKinds]] = defaultdict(list)
    rows = connection.exec_driver_sql(f"{_COUNTED} ORDER BY e.pair_key, e.annotator", (json.dumps(list(keys)),))
    for key, _, relation, categories, direction in rows:
        found[key].append(stored_kinds(relation, categories, direction, complete=True))
    return dict(found)
