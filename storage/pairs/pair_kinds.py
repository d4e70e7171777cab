"""What people say of the kinds of reasoning and the direction of each pair, beside it: the table `pair_kinds`.

It follows from the history of answers about kinds, the annotators' roles and the pilot rounds that ask for kinds. The
answers that count are complete, give a relation, and come from the role annotator, none of them in a pilot round.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection

from miner.kinds.distant_direction import PHRASE_DIRECTIONS
from miner.kinds.taxonomy import Direction
from miner.records import Label
from storage.pairs.facets import FACETS
from storage.pairs.filters import ANY_KIND, PairFilter
from storage.sql import SqlClause

DIRECTIONS = (*(direction.value for direction in Direction), "")
"""The directions that a pair can have; "" where no phrase announces one and people have not said."""
KINDS_PILOT_KEYS = """
    SELECT pair_key FROM annotation_round_pairs JOIN annotation_rounds ON annotation_rounds.id = round
    WHERE kind = 'pilot' AND asks = 'kinds'
"""
"""The keys of all pairs of pilot rounds that ask for kinds."""
COUNTED = f"""
    SELECT e.pair_key, e.annotator, e.relation, e.categories, e.direction FROM {{wanted}} kind_events e
    LEFT JOIN annotators ON annotators.key = e.annotator
    WHERE {{condition}} AND e.new IS NOT NULL AND e.complete AND coalesce(e.relation, 'unclear') <> 'unclear'
        AND coalesce(annotators.role, 'annotator') = 'annotator'
        AND e.id = (SELECT max(id) FROM kind_events WHERE pair_key = e.pair_key AND annotator = e.annotator)
        AND e.pair_key NOT IN ({KINDS_PILOT_KEYS})
"""
"""The answers that count. wanted: tables to join before them; condition: which of them."""
_JSON = """'["' || replace(trim({column}), '  ', '","') || '"]'"""
LISTED = f"iif({{column}} <> '' AND json_valid({_JSON}), {_JSON}, '[]')"
"""The categories of a column as a JSON list; they stand there with a space before and after each."""
DISTANT_DIRECTION = f"""CASE WHEN pairs.distant_label = '{Label.NEUTRAL}' THEN '{Direction.NEITHER}'
    ELSE CASE lower(coalesce(pairs.phrase, ''))
        {" ".join(f"WHEN '{phrase}' THEN '{direction}'" for phrase, direction in PHRASE_DIRECTIONS.items())} END END"""
"""The direction that a pair's phrase or distant label announces, over `pairs`; NULL for none."""
_DERIVED = f"""
    WITH scope_keys AS MATERIALIZED ({{scope}}),
    counted AS MATERIALIZED (
        {COUNTED.format(wanted="scope_keys CROSS JOIN", condition="e.pair_key = scope_keys.key")}
    ),
    totals AS (
        SELECT pair_key, count(*) AS annotators, count(direction) AS directed FROM counted GROUP BY pair_key
    ),
    ticks AS MATERIALIZED (
        SELECT pair_key, value AS category, count(*) AS ticked
        FROM counted, json_each({LISTED.format(column="categories")}) GROUP BY pair_key, value ORDER BY pair_key, value
    ),
    directions AS MATERIALIZED (
        SELECT pair_key, direction, count(*) AS votes FROM counted WHERE direction IS NOT NULL GROUP BY 1, 2
    ),
    relations AS MATERIALIZED (SELECT pair_key, relation, count(*) AS votes FROM counted GROUP BY 1, 2)
    SELECT pair_key, annotators, (
            SELECT relation FROM relations WHERE relations.pair_key = totals.pair_key ORDER BY votes DESC, relation
        ) AS relation,
        coalesce((
            SELECT group_concat(' ' || category || ' ', '') FROM ticks
            WHERE ticks.pair_key = totals.pair_key AND 2 * ticked >= annotators
        ), '') AS categories,
        coalesce((
            SELECT group_concat(' ' || category || ' ', '') FROM ticks
            WHERE ticks.pair_key = totals.pair_key AND ticked < annotators
        ), '') AS differing,
        (SELECT direction FROM directions WHERE directions.pair_key = totals.pair_key AND 2 * votes > directed)
            AS direction
    FROM totals
"""
_COLUMNS = "annotators, relation, categories, differing, direction"
_INSERT = f"INSERT INTO pair_kinds (pair_key, {_COLUMNS}) {_DERIVED}"
_DELETE = "DELETE FROM pair_kinds WHERE pair_key IN ({scope})"
_HAS_EVENTS = "SELECT EXISTS (SELECT 1 FROM kind_events)"
# What is kept of a pair that the project no longer has is derived again when it comes back.
_SELECT_KEYS = """
    SELECT key FROM (SELECT pair_key AS key FROM kind_events UNION SELECT pair_key FROM pair_kinds) AS said
    WHERE EXISTS (SELECT 1 FROM pairs WHERE pairs.key = said.key) ORDER BY 1
"""
_KEYS = "SELECT DISTINCT value AS key FROM json_each(:keys)"
_SELECT_CHANGED = f"""
    WITH derived AS MATERIALIZED ({_DERIVED.format(scope=_KEYS)}), known AS MATERIALIZED ({_KEYS})
    SELECT key FROM known LEFT JOIN derived ON derived.pair_key = key
    LEFT JOIN pair_kinds AS stored ON stored.pair_key = key
    WHERE {" OR ".join(f"stored.{name} IS NOT derived.{name}" for name in _COLUMNS.split(", "))} ORDER BY key
"""
_BATCH_SIZE = 20_000  # keys


def refresh(connection: Connection, scope: tuple[str, dict[str, Any]]) -> None:
    """Derive the rows of the pairs in a scope (`storage.pairs.judgement.PairScope`) again."""
    if connection.exec_driver_sql(_HAS_EVENTS).scalar_one():
        sql, parameters = scope
        connection.exec_driver_sql(_DELETE.format(scope=sql), parameters)
        connection.exec_driver_sql(_INSERT.format(scope=sql), parameters)


def refresh_keys(connection: Connection, keys: Sequence[str]) -> None:
    """Derive the rows of these pairs again, also for pairs that the project no longer has."""
    refresh(connection, (_KEYS, {"keys": json.dumps(list(keys))}))


def find_changed(connection: Connection) -> list[str]:
    """The keys of the pairs whose row does not follow from the answers about kinds, in order."""
    changed: list[str] = []
    for keys in connection.exec_driver_sql(_SELECT_KEYS).scalars().partitions(_BATCH_SIZE):
        changed += connection.exec_driver_sql(_SELECT_CHANGED, {"keys": json.dumps(keys)}).scalars()
    return changed


def split_categories(column: str | None) -> tuple[str, ...]:
    """The categories in a column of the table; none for NULL."""
    return tuple((column or "").split())


_IDS = "SELECT known.id FROM pair_kinds CROSS JOIN pairs AS known ON known.key = pair_key"
_HAS_ONE = "EXISTS (SELECT 1 FROM json_each(?) AS wanted WHERE instr({column}, ' ' || wanted.value || ' '))"
_PHRASE = "lower(coalesce(pairs.phrase, ''))"
IS_NEUTRAL = f"({FACETS['distant'].sql} = {FACETS['distant'].code(Label.NEUTRAL)})"
"""The distant label is neutral; over `pairs`, on an index."""


def conditions(filter: PairFilter) -> list[SqlClause]:
    """The conditions over `pairs` that a filter makes on kinds and direction."""
    found = []
    if filter.kinds:
        has_one = f"pairs.id IN ({_IDS} WHERE {_HAS_ONE.format(column='categories')})"
        none = f" OR pairs.id NOT IN ({_IDS} WHERE categories <> '')" if "" in filter.kinds else ""
        found.append(SqlClause(f"({has_one}{none})", (_json(filter.kinds - {""}),)))
    if ANY_KIND in filter.kinds_differ:
        found.append(SqlClause(f"pairs.id IN ({_IDS} WHERE differing <> '')"))
    elif filter.kinds_differ:
        has_one = f"pairs.id IN ({_IDS} WHERE {_HAS_ONE.format(column='differing')})"
        found.append(SqlClause(has_one, (_json(filter.kinds_differ),)))
    if filter.kinds_answered is not None:
        found.append(SqlClause(f"pairs.id {'' if filter.kinds_answered else 'NOT'} IN ({_IDS})"))
    if filter.direction:
        people = f"pairs.id IN ({_IDS} WHERE direction IN (SELECT value FROM json_each(?)))"
        distant = " OR ".join(_distant_condition(one) for one in sorted(filter.direction)) or "0"
        nobody = f"pairs.id NOT IN ({_IDS} WHERE direction IS NOT NULL)"
        found.append(SqlClause(f"({people} OR ({distant}) AND {nobody})", (_json(filter.direction),)))
    return found


def _distant_condition(direction: str) -> str:
    """The pair's phrase or distant label announces this direction, as `miner.kinds.distant_direction` says."""
    phrases = [phrase for phrase, said in PHRASE_DIRECTIONS.items() if direction in (said, "")]
    linked = f"{_PHRASE} IN ({', '.join(map(_quoted, phrases))})"
    if direction == Direction.NEITHER:
        return f"({IS_NEUTRAL} OR {linked})"
    return f"(NOT {IS_NEUTRAL} AND {'' if direction else 'NOT '}{linked})"


def _json(members: Iterable[str]) -> str:
    return json.dumps(sorted(members))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
