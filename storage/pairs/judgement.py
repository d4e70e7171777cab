"""Decides what people make of a pair, its gold label above all: nothing else says which pairs have one.

The columns `status`, `gold`, `majority`, `contested`, `flagged`, `noted`, `accepted` and `votes` of `pairs` follow from
the histories of answers and marks, the annotators' roles, the pilot rounds, the pairs' splits and the setting
`storage.settings.GOLD`: whoever changes one of these refreshes the pairs it is about.

- Votes are the answers of the role annotator, but none to a pair of a pilot round, which trains annotators (MSciNLI,
  appendix A.3.1).
- In dev and test a pair is settled by the majority of as many votes as the rule of gold asks for, else by the
  adjudicator; until then the label holds that its data set's file settled (`FILE_LABEL`). The rule "agreeing" (SciNLI,
  section 3.3) discards a majority that is not the distant label: such a pair has no gold label, and no label in an
  export. Suggestions that somebody accepted do not count there.
- In train, and while the papers are not split, one person's answer corrects the distant label; of several the majority
  does. An accepted suggestion counts as an answer only as long as nobody answered otherwise.
- The gold label of a data set's file that is not the distant label settles a pair as long as nobody has answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from miner.records import Strategy
from miner.splits import HELD_OUT
from storage.pairs import pair_kinds

_BATCH_SIZE = 20_000  # pair ids; a batch takes a fraction of a second


class PairScope(NamedTuple):
    """A set of pairs: a SELECT of their keys, in a column `key`, and its named parameters."""

    sql: str
    parameters: dict[str, Any]


_OF_KEYS = "SELECT pairs.key FROM json_each(:keys) CROSS JOIN pairs ON pairs.key = json_each.value"


def keys_scope(keys: Sequence[str]) -> PairScope:
    """The pairs with these keys, each once; keys that are not in the project are ignored."""
    return PairScope(_OF_KEYS, {"keys": json.dumps(list(dict.fromkeys(keys)))})


USUAL_VOTES = 3
"""How many people annotate each pair in SciNLI, MSciNLI and MisMatched."""
BENCHMARK_VOTES = f"coalesce((SELECT value ->> '$.votes' FROM settings WHERE key = 'gold'), {USUAL_VOTES})"
"""How many votes a pair of dev or test is to have."""
# Projects that were not split had one rule of gold for all pairs, which applies until they are split.
_HELD_EVERYWHERE = "EXISTS (SELECT 1 FROM settings WHERE key = 'gold everywhere')"
IS_SPLIT = "EXISTS (SELECT 1 FROM settings WHERE key = 'split')"
"""Whether the project's papers are split."""
IN_DEV_OR_TEST = f"(coalesce(pairs.split IN {HELD_OUT}, 0) AND {IS_SPLIT})"
"""Whether a pair is of a dev or test paper of the project's split, where no model has a say."""
RULES_DECIDE = f"({IN_DEV_OR_TEST} OR {_HELD_EVERYWHERE})"
"""Whether the rules of gold decide the label of a pair; elsewhere one answer corrects it."""
PROJECT_VOTES = f"iif({IS_SPLIT} OR {_HELD_EVERYWHERE}, {BENCHMARK_VOTES}, 1)"
"""How many votes a gold label takes in this project."""
NEEDED_VOTES = f"iif({RULES_DECIDE}, {BENCHMARK_VOTES}, 1)"
"""How many votes a pair needs."""
WAITS_FOR_VOTES = f"(pairs.status = 'unsettled' AND pairs.votes < {NEEDED_VOTES})"
"""Whether a pair has some of its votes, and no majority before the others are there."""
PILOT_KEYS = """
    SELECT pair_key FROM annotation_round_pairs JOIN annotation_rounds ON annotation_rounds.id = round
    WHERE kind = 'pilot' AND asks = 'relation'
"""
"""The keys of all pairs of pilot rounds that ask for the relation."""
FILE_GOLD = "pairs.source ->> '$.gold_label'"
"""The gold label of a data set's file, as long as nobody has answered."""
FILE_LABEL = f"""coalesce({FILE_GOLD}, iif(
    pairs.strategy = '{Strategy.IMPORTED}' AND pairs.own_split = pairs.split AND {IN_DEV_OR_TEST},
    pairs.distant_label, NULL
))"""
"""The label that the file of a data set settled: its gold label, or the label of its own dev and test.

The file need not have a column for gold labels (SciNLI). What somebody's Pairwright mined has the label of its phrase
until people have answered.
"""
_FILE_DIFFERS = f"coalesce({FILE_GOLD} <> pairs.distant_label, 0)"

# Next to `max`, SQLite gives the other columns of the row with the maximum (sqlite.org/lang_select.html#bareagg).
# max(via): 'answer' is greater than 'accepted', so accepted suggestions count only where nobody answered.
_SELECT_STATUS = f"""
    WITH scope_keys AS MATERIALIZED ({{scope}}),
    rules AS MATERIALIZED (
        SELECT (SELECT value ->> '$.rule' FROM settings WHERE key = 'gold') IS 'agreeing' AS only_agreeing
    ),
    judged_pairs AS MATERIALIZED (
        SELECT pairs.id, pairs.key, {NEEDED_VOTES} AS needed, {RULES_DECIDE} AS is_held_out,
            {IN_DEV_OR_TEST} AS takes_no_suggestion
        FROM scope_keys CROSS JOIN pairs ON pairs.key = scope_keys.key
    ),
    pilot_keys AS MATERIALIZED ({PILOT_KEYS}),
    answers AS MATERIALIZED (
        SELECT pair_key, e.id, e.at, new AS answer, via, coalesce(annotators.role, 'annotator') AS role
        FROM judged_pairs CROSS JOIN label_events e ON e.pair_key = judged_pairs.key
        LEFT JOIN annotators ON annotators.key = e.annotator
        WHERE new IS NOT NULL AND (via = 'answer' OR NOT takes_no_suggestion)
            AND judged_pairs.key NOT IN (SELECT pair_key FROM pilot_keys) AND e.id = (
            SELECT max(id) FROM label_events WHERE pair_key = e.pair_key AND annotator = e.annotator
        )
    ),
    votes AS (
        SELECT pair_key, via, answer, count(*) AS votes FROM answers WHERE role = 'annotator'
        GROUP BY pair_key, via, answer
    ),
    by_source AS (
        SELECT pair_key, via, answer, max(votes) AS most, sum(votes) AS all_votes, count(*) AS answers
        FROM votes GROUP BY pair_key, via
    ),
    latest_source AS MATERIALIZED (
        SELECT pair_key, max(via) = 'accepted' AS accepted, answer, most, all_votes, answers
        FROM by_source GROUP BY pair_key
    ),
    adjudicated AS MATERIALIZED (
        SELECT pair_key, max(at || printf(' %020d', id)), answer FROM answers
        WHERE role = 'adjudicator' AND via = 'answer' GROUP BY pair_key
    ),
    marks AS MATERIALIZED (
        SELECT pair_key, max(kind = 'bad') AS bad, max(kind = 'flag') AS flagged, max(kind = 'note') AS noted
        FROM scope_keys CROSS JOIN mark_events e ON e.pair_key = scope_keys.key
        WHERE new IS NOT NULL AND id = (
            SELECT max(id) FROM mark_events
            WHERE pair_key = e.pair_key AND kind = e.kind AND annotator = e.annotator
        )
        GROUP BY pair_key
    ),
    -- One GROUP BY in place of joins: SQLite goes through `latest_source` once for each pair, expecting few rows.
    opinions AS (
        SELECT max(id) AS id, key, max(needed) AS needed, max(is_held_out) AS is_held_out,
            max(accepted) AS accepted, max(answer) AS answer, max(most) AS most, max(all_votes) AS all_votes,
            max(answers) AS answers, max(adjudicated) AS adjudicated,
            coalesce(max(bad), 0) AS bad, coalesce(max(flagged), 0) AS flagged, coalesce(max(noted), 0) AS noted
        FROM (
            SELECT id, key, needed, is_held_out, NULL AS accepted, NULL AS answer, NULL AS most, NULL AS all_votes,
                NULL AS answers, NULL AS adjudicated, NULL AS bad, NULL AS flagged, NULL AS noted FROM judged_pairs
            UNION ALL SELECT NULL, pair_key, NULL, NULL, accepted, answer, most, all_votes, answers,
                NULL, NULL, NULL, NULL FROM latest_source
            UNION ALL SELECT NULL, pair_key, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                answer, NULL, NULL, NULL FROM adjudicated
            UNION ALL SELECT NULL, pair_key, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                NULL, bad, flagged, noted FROM marks
        ) GROUP BY key HAVING max(id) IS NOT NULL
    ),
    completed AS (
        SELECT *, all_votes IS NOT NULL AND (accepted OR all_votes >= needed) AS complete FROM opinions
    ),
    derived AS (
        SELECT id, key, is_held_out, all_votes, all_votes IS NULL OR complete AS complete,
            iif(accepted, 0, coalesce(all_votes, 0)) AS votes,
            nullif(iif(complete, iif(most * 2 > all_votes, answer, adjudicated), NULL), 'unclear') AS voted,
            coalesce(answers > 1, 0) AS contested, bad, flagged, noted, coalesce(accepted, 0) AS accepted
        FROM completed
    ),
    judged AS (
        SELECT pairs.distant_label, derived.*, CASE
                WHEN all_votes IS NULL THEN iif({_FILE_DIFFERS}, {FILE_GOLD}, NULL)
                WHEN voted IS NULL AND NOT complete THEN {FILE_LABEL} ELSE voted
            END AS majority
        FROM derived CROSS JOIN pairs ON pairs.id = derived.id
    ),
    decided AS (
        SELECT judged.*, only_agreeing AND is_held_out AND coalesce(majority <> distant_label, 0) AS is_discarded
        FROM judged, rules
    )
    SELECT id, CASE
            WHEN bad THEN 'bad' WHEN majority IS NULL THEN iif(all_votes IS NULL, 'open', 'unsettled')
            WHEN is_discarded THEN 'discarded' ELSE 'settled'
        END AS status, iif(is_discarded, NULL, majority) AS gold, majority, contested, flagged, noted, accepted, votes
    FROM decided
"""
# Without MATERIALIZED, SQLite would compute the statuses again for each pair of the project.
_UPDATE_PAIRS = """
    WITH v AS MATERIALIZED ({statuses})
    UPDATE pairs SET status = v.status, gold = v.gold, majority = v.majority, contested = v.contested,
        flagged = v.flagged, noted = v.noted, accepted = v.accepted, votes = v.votes
    FROM v WHERE pairs.id = v.id
"""
_DERIVED = ", ".join(
    f"pairs.{name}" for name in ("status", "gold", "majority", "contested", "flagged", "noted", "accepted", "votes")
)
_SELECT_JUDGED = f"""
    SELECT key FROM pairs NOT INDEXED WHERE ({_DERIVED}) IS NOT ('open', NULL, NULL, 0, 0, 0, 0, 0) OR {_FILE_DIFFERS}
    UNION SELECT pair_key FROM label_events UNION SELECT pair_key FROM mark_events ORDER BY 1
"""
"""All others are open, and nothing follows for them. NOT INDEXED: else SQLite would look up each row by its key."""
_SELECT_BATCH = "SELECT * FROM temp.pair_status WHERE id > :low AND id <= :high"
_SELECT_WITH_HISTORY = f"""
    SELECT json_each.value FROM json_each(?)
    WHERE EXISTS (SELECT 1 FROM label_events WHERE pair_key = json_each.value)
        OR EXISTS (SELECT 1 FROM mark_events WHERE pair_key = json_each.value)
        OR EXISTS (SELECT 1 FROM pairs WHERE key = json_each.value AND {_FILE_DIFFERS})
"""
_SELECT_CHANGED = f"""
    WITH v AS MATERIALIZED ({_SELECT_STATUS.format(scope=_OF_KEYS)})
    SELECT pairs.key FROM v CROSS JOIN pairs ON pairs.id = v.id
    WHERE ({_DERIVED}) IS NOT (v.status, v.gold, v.majority, v.contested, v.flagged, v.noted, v.accepted, v.votes)
    ORDER BY pairs.key
"""


def refresh(connection: Connection, keys: Sequence[str]) -> None:
    """Refresh the derived columns of the pairs with these keys, and what people say of their kinds."""
    refresh_scope(connection, keys_scope(keys))


def refresh_scope(connection: Connection, scope: PairScope) -> None:
    """Refresh the pairs in `scope`; for a few thousand at most."""
    connection.exec_driver_sql(_UPDATE_PAIRS.format(statuses=_SELECT_STATUS.format(scope=scope.sql)), scope.parameters)
    pair_kinds.refresh(connection, scope)


def refresh_scopes(connection: Connection, scopes: Iterable[PairScope]) -> Iterator[None]:
    """Refresh many pairs, in steps: it yields after each one. Each scope gives its keys in order.

    The events are stored by key, the pairs by id. To go through one in the order of the other would read and write most
    of the file many times over, so the statuses are collected in a temporary table in between.
    """
    connection.exec_driver_sql("DROP TABLE IF EXISTS temp.pair_status")
    connection.exec_driver_sql(
        "CREATE TEMP TABLE pair_status "
        "(id INTEGER PRIMARY KEY, status, gold, majority, contested, flagged, noted, accepted, votes)"
    )
    for scope in scopes:
        connection.exec_driver_sql(
            f"INSERT INTO temp.pair_status {_SELECT_STATUS.format(scope=scope.sql)}", scope.parameters
        )
        pair_kinds.refresh(connection, scope)
        yield
    last = connection.exec_driver_sql("SELECT coalesce(max(id), 0) FROM temp.pair_status").scalar_one()
    for low in range(0, last, _BATCH_SIZE):
        limits = {"low": low, "high": low + _BATCH_SIZE}
        connection.exec_driver_sql(_UPDATE_PAIRS.format(statuses=_SELECT_BATCH), limits)
        yield
    connection.exec_driver_sql("DROP TABLE temp.pair_status")


def find_changed(connection: Connection) -> list[str]:
    """The keys of the pairs whose derived columns do not follow from the histories, in order."""
    changed: list[str] = []
    for keys in connection.exec_driver_sql(_SELECT_JUDGED).scalars().partitions(_BATCH_SIZE):
        changed += connection.exec_driver_sql(_SELECT_CHANGED, {"keys": json.dumps(keys)}).scalars()
    return changed


def refresh_new(connection: Connection, keys: Sequence[str]) -> None:
    """Refresh the new or changed pairs that are not simply open: with a history, or a gold label of a file."""
    annotated = connection.exec_driver_sql(_SELECT_WITH_HISTORY, (json.dumps(list(keys)),)).scalars().all()
    if annotated:
        refresh(connection, annotated)
    pair_kinds.refresh_keys(connection, keys)  # roles and rounds may have changed since the pairs were removed
