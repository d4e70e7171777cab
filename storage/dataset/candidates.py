"""Which pairs an export holds, in which split, and why the others are left out."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from sqlalchemy import Connection

from miner.splits import SPLITS
from storage.connections import driver_connection
from storage.dataset import splits
from storage.dataset.options import EVERYTHING, ExportOptions
from storage.pairs.query import PairQueries
from storage.schema import DATA_SET

_OWN_SPLIT = f"iif(pairs.split IN {SPLITS}, pairs.split, NULL)"  # it becomes a file's name
PAIR_SPLIT = f"coalesce({_OWN_SPLIT}, paper_splits.split, group_splits.split)"
PAPER_MD5 = "coalesce(papers.source_md5, papers.md5)"  # of a data set, the paper that its file named; an index has it
FROM = """
    FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id
    LEFT JOIN temp.paper_splits ON paper_splits.paper_id = papers.id
    LEFT JOIN temp.group_splits ON group_splits.pair_id = pairs.id
"""  # SQLite's CROSS JOIN keeps this order: papers by identity outside, their pairs by place inside, little to sort
_NAMED = f"(papers.kind <> '{DATA_SET}' OR papers.parser <> 'import')"  # a paper, not what stands for all of a file's
_TABLES = {  # temporary: what is settled for an export
    "paper_splits": "paper_id INTEGER PRIMARY KEY, split TEXT",
    "group_splits": "pair_id INTEGER PRIMARY KEY, split TEXT",
    "in_scope": "pair_id INTEGER PRIMARY KEY",
    "dropped": "pair_id INTEGER PRIMARY KEY, reason TEXT",
}
# What people agree on; else the gold label that a data set came with.
GOLD = "coalesce(pairs.gold, iif(pairs.status = 'open', pairs.source ->> '$.gold_label', NULL))"


def select_candidates(connection: Connection, options: ExportOptions) -> None:
    """Settle each pair's split and why it is left out, in temporary tables that the functions below read.

    The view `candidates` has every pair with its `split` and the `reason` why it is left out, NULL for none.
    """
    connection.exec_driver_sql("DROP VIEW IF EXISTS temp.candidates")
    for table, columns in _TABLES.items():
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS temp.{table}")
        connection.exec_driver_sql(f"CREATE TEMP TABLE {table} ({columns})")
    connection.exec_driver_sql(f"""
        CREATE TEMP VIEW candidates AS
        SELECT pairs.id AS pair_id, pairs.key, pairs.premise, pairs.hypothesis, pairs.hypothesis_original,
            pairs.premise_hash, pairs.hypothesis_hash, pairs.strategy,
            papers.id AS paper_id, {PAPER_MD5} AS md5, papers.domain, {_NAMED} AS named,
            {_OWN_SPLIT} AS own_split, {PAIR_SPLIT} AS split, pairs.label, {exclusion_reason(options)} AS reason
        {FROM}
    """)
    if options.scope != EVERYTHING:
        wanted = PairQueries(connection).matching(options.scope).select("pairs.id")
        connection.exec_driver_sql(f"INSERT INTO in_scope {wanted.sql}", wanted.params)
    if options.shares:
        splits.assign_candidate_splits(driver_connection(connection), dict(options.shares), seed=options.seed)
    if options.balance:
        _balance(connection, options.seed)


def count_candidates(connection: Connection) -> tuple[dict[tuple[str, str, str], int], dict[str, int]]:
    """Rows by (split, label, strategy), "" for none; and pairs left out, by reason."""
    query = """
        SELECT coalesce(split, ''), coalesce(label, ''), strategy, reason, count(*)
        FROM candidates GROUP BY split, label, strategy, reason ORDER BY 1, 2, 3
    """
    rows: dict[tuple[str, str, str], int] = {}
    left_out: Counter[str] = Counter()
    for split, label, strategy, why, count in driver_connection(connection).execute(query):
        if why is None:
            rows[split, label, strategy] = count
        else:
            left_out[why] += count
    return rows, dict(sorted(left_out.items()))


def count_split_methods(connection: Connection, rows: int) -> dict[str, int]:
    """How the exported `rows` came to their splits: see `splits.count_methods`."""
    return splits.count_methods(driver_connection(connection), rows)


def _own_exclusion_reason(options: ExportOptions) -> str:
    """SQL for why a pair by itself is left out, NULL when it is not; the first reason that holds."""
    wanted = ", ".join(f"'{strategy}'" for strategy in sorted(options.strategies)) or "NULL"
    flags = "".join(f"WHEN instr(pairs.flags, '\"{flag}\"') THEN '{flag}' " for flag in sorted(options.without))
    scope = "WHEN pairs.id NOT IN (SELECT pair_id FROM temp.in_scope) THEN 'not_shown'"
    return f"""CASE
        WHEN NOT pairs.current THEN 'no_longer_mined'
        {"" if options.scope == EVERYTHING else scope}
        WHEN pairs.status = 'bad' THEN 'bad'
        WHEN pairs.strategy NOT IN ({wanted}) THEN 'strategy'
        {flags}
        WHEN pairs.status = 'unsettled' THEN 'no_majority'
        {f"WHEN {GOLD} IS NULL THEN 'not_settled'" if options.settled else ""}
    END"""


def exclusion_reason(options: ExportOptions) -> str:
    """The same, after splitting and balancing too."""
    if not (options.shares or options.balance):
        return _own_exclusion_reason(options)
    dropped = "SELECT reason FROM temp.dropped WHERE dropped.pair_id = pairs.id"
    return f"coalesce({_own_exclusion_reason(options)}, ({dropped}))"


def _balance(connection: Connection, seed: int) -> None:
    """Of each split and domain, keep of every class there is as many as the smallest has, drawn by hash."""

    def draw(key: str) -> bytes:
        return blake2b(f"{seed}\0{key}".encode(), digest_size=16).digest()

    driver_connection(connection).create_function("draw", 1, draw, deterministic=True)
    connection.exec_driver_sql("""
        INSERT INTO dropped
        WITH classes AS (
            SELECT split, domain, label, count(*) AS size FROM candidates
            WHERE reason IS NULL AND label IS NOT NULL GROUP BY split, domain, label
        ),
        smallest AS (SELECT split, domain, min(size) AS size FROM classes GROUP BY split, domain),
        drawn AS (
            SELECT pair_id, split, domain,
                row_number() OVER (PARTITION BY split, domain, label ORDER BY draw(key)) AS place
            FROM candidates WHERE reason IS NULL AND label IS NOT NULL
        )
        SELECT pair_id, 'balance' FROM drawn
        JOIN smallest ON smallest.split IS drawn.split AND smallest.domain = drawn.domain WHERE place > smallest.size
    """)
