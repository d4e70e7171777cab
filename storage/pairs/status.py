"""What holds of a pair after all that people answered and marked: its status, gold label, and whether it is flagged.

Where nobody answered, suggestions that were accepted stand for answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

_TOGETHER = 20_000  # pairs of a step: a fraction of a second


class PairScope(NamedTuple):
    """A set of pairs: SQL that gives their keys in a column `key`, and its parameters by name."""

    sql: str
    parameters: dict[str, Any]


def keys_scope(keys: Sequence[str]) -> PairScope:
    """The pairs of `keys`, without those that the project does not hold."""
    sql = "SELECT pairs.key FROM json_each(:keys) CROSS JOIN pairs ON pairs.key = json_each.value"
    return PairScope(sql, {"keys": json.dumps(list(keys))})


# Of the columns beside `max`, SQLite gives those of the row with the maximum (sqlite.org/lang_select.html#bareagg).
# max(via): where somebody answered, the accepted suggestions do not count.
_VERDICTS = """
    WITH wanted AS MATERIALIZED ({scope}),
    answers AS (
        SELECT pair_key, new AS answer, via FROM wanted CROSS JOIN label_events e ON e.pair_key = wanted.key
        WHERE new IS NOT NULL AND id = (
            SELECT max(id) FROM label_events WHERE pair_key = e.pair_key AND annotator = e.annotator
        )
    ),
    votes AS (SELECT pair_key, via, answer, count(*) AS votes FROM answers GROUP BY pair_key, via, answer),
    ways AS (
        SELECT pair_key, via, answer, max(votes) AS most, sum(votes) AS all_votes, count(*) AS answers
        FROM votes GROUP BY pair_key, via
    ),
    counted AS MATERIALIZED (
        SELECT pair_key, max(via) = 'accepted' AS accepted, answer, most, all_votes, answers FROM ways GROUP BY pair_key
    ),
    marks AS MATERIALIZED (
        SELECT pair_key, max(kind = 'bad') AS bad, max(kind = 'flag') AS flagged, max(kind = 'note') AS noted
        FROM wanted CROSS JOIN mark_events e ON e.pair_key = wanted.key
        WHERE new IS NOT NULL AND id = (
            SELECT max(id) FROM mark_events
            WHERE pair_key = e.pair_key AND kind = e.kind AND annotator = e.annotator
        )
        GROUP BY pair_key
    ),
    judged AS (
        SELECT wanted.key, iif(most * 2 > all_votes AND answer != 'unclear', answer, NULL) AS gold, all_votes,
            coalesce(answers > 1, 0) AS contested, coalesce(bad, 0) AS bad, coalesce(flagged, 0) AS flagged,
            coalesce(noted, 0) AS noted, coalesce(accepted, 0) AS accepted
        FROM wanted LEFT JOIN counted ON counted.pair_key = wanted.key LEFT JOIN marks ON marks.pair_key = wanted.key
    )
    SELECT pairs.id, CASE
            WHEN bad THEN 'bad' WHEN all_votes IS NULL THEN 'open' WHEN judged.gold IS NULL THEN 'unsettled'
            ELSE 'settled'
        END AS status, judged.gold, judged.contested, judged.flagged, judged.noted, judged.accepted
    FROM judged CROSS JOIN pairs ON pairs.key = judged.key
"""
# Not materialised, the verdicts are looked for anew for each pair of the project.
_SET = """
    WITH v AS MATERIALIZED ({verdicts})
    UPDATE pairs SET status = v.status, gold = v.gold, contested = v.contested, flagged = v.flagged, noted = v.noted,
        accepted = v.accepted
    FROM v WHERE pairs.id = v.id
"""
_KEPT = "SELECT * FROM temp.verdicts WHERE id > :low AND id <= :high"
_WITH_HISTORY = """
    SELECT value FROM json_each(?)
    WHERE EXISTS (SELECT 1 FROM label_events WHERE pair_key = value)
        OR EXISTS (SELECT 1 FROM mark_events WHERE pair_key = value)
"""


def refresh(connection: Connection, keys: Sequence[str]) -> None:
    """Bring the pairs of `keys` up to date with their history; who adds to the history calls it."""
    refresh_scope(connection, keys_scope(keys))


def refresh_scope(connection: Connection, scope: PairScope) -> None:
    """`refresh` of the pairs in `scope`, a few thousand at most."""
    connection.exec_driver_sql(_SET.format(verdicts=_VERDICTS.format(scope=scope.sql)), scope.parameters)


def refresh_pieces(connection: Connection, pieces: Iterable[PairScope]) -> Iterator[None]:
    """`refresh` of many pairs, a step each time around; each piece in order of keys.

    The history lies by key and the pairs by id. Going through either in the other's order reads, and writes, most of
    the file again and again; so the verdicts are kept in between.
    """
    connection.exec_driver_sql("DROP TABLE IF EXISTS temp.verdicts")
    connection.exec_driver_sql(
        "CREATE TEMP TABLE verdicts (id INTEGER PRIMARY KEY, status, gold, contested, flagged, noted, accepted)"
    )
    for scope in pieces:
        connection.exec_driver_sql(f"INSERT INTO temp.verdicts {_VERDICTS.format(scope=scope.sql)}", scope.parameters)
        yield
    last = connection.exec_driver_sql("SELECT coalesce(max(id), 0) FROM temp.verdicts").scalar_one()
    for low in range(0, last, _TOGETHER):
        limits = {"low": low, "high": low + _TOGETHER}
        connection.exec_driver_sql(_SET.format(verdicts=_KEPT), limits)
        yield
    connection.exec_driver_sql("DROP TABLE temp.verdicts")


def refresh_new(connection: Connection, keys: Sequence[str]) -> None:
    """`refresh` of those pairs among new ones that people had judged before they were gone."""
    known = connection.exec_driver_sql(_WITH_HISTORY, (json.dumps(list(keys)),)).scalars().all()
    if known:
        refresh(connection, known)
