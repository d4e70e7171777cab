"""Balances the classes of an export, per split and domain."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from hashlib import blake2b

from miner.splits import divide
from storage.dataset.export_options import ExportOptions

BALANCE = "balance"
"""Why a pair is left out: its class has more than the smallest one."""
TARGET = "target"
"""Why a pair is left out: its class has reached the target of dev or test."""


def drop_for_balance(driver: sqlite3.Connection, options: ExportOptions) -> None:
    """Drop pairs of `candidates` until no class of a split and domain is larger than the options allow.

    That is the target of dev or test, and, where classes are balanced, the smallest class. Targets are for labels that
    the project's people give: what the file of a data set calls dev or test stays as it came.

    Within a class the strategies keep their shares, in whole pairs by largest remainder: neutral pairs stay a mixture
    of the three neutral draws. The pairs of a class and strategy are chosen by a hash of seed and key.
    """

    seed = options.seed
    if not options.balance and options.split is None:
        return

    def draw(key: str) -> bytes:
        return blake2b(f"{seed}\0{key}".encode(), digest_size=16).digest()

    driver.create_function("draw", 1, draw, deterministic=True)
    for table in ("labelled", "quotas"):
        driver.execute(f"DROP TABLE IF EXISTS temp.{table}")
    whose = "" if options.balance else "AND NOT (released_by_file AND split IN ('dev', 'test'))"
    driver.execute(f"""
        CREATE TEMP TABLE labelled AS SELECT pair_id, key, coalesce(split, '') AS split, domain, label, strategy
        FROM candidates WHERE reason IS NULL AND label IS NOT NULL {whose}
    """)
    driver.execute("""
        CREATE TEMP TABLE quotas (
            split TEXT, domain TEXT, label TEXT, strategy TEXT, size INTEGER, reason TEXT,
            PRIMARY KEY (split, domain, label, strategy)
        ) WITHOUT ROWID
    """)
    driver.executemany("INSERT INTO quotas VALUES (?, ?, ?, ?, ?, ?)", _quotas(driver, options))
    driver.execute("""
        INSERT INTO dropped
        SELECT pair_id, reason FROM (
            SELECT pair_id, size, reason, row_number() OVER (
                PARTITION BY split, domain, label, strategy ORDER BY draw(key)
            ) AS position
            FROM quotas JOIN labelled USING (split, domain, label, strategy)
        ) WHERE position > size
    """)
    for table in ("labelled", "quotas"):
        driver.execute(f"DROP TABLE temp.{table}")


def _quotas(driver: sqlite3.Connection, options: ExportOptions) -> list[tuple[str, str, str, str, int, str]]:
    """(split, domain, label, strategy, pairs to keep, reason) of the strategies that lose pairs."""
    query = "SELECT split, domain, label, strategy, count(*) FROM labelled GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"
    classes: dict[tuple[str, str], dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for split, domain, label, strategy, size in driver.execute(query):
        classes[split, domain][label][strategy] = size
    found = []
    for (split, domain), by_label in classes.items():
        limit = None if options.split is None else options.split.limit(split)
        smallest = min(sum(sizes.values()) for sizes in by_label.values())
        allowed = smallest if options.balance or limit is not None else None
        reason = BALANCE
        if limit is not None and (allowed is None or limit <= allowed):
            allowed, reason = limit, TARGET
        for label, sizes in by_label.items():
            if allowed is not None and sum(sizes.values()) > allowed:
                kept = divide(allowed, sizes).items()
                found += [(split, domain, label, strategy, size, reason) for strategy, size in kept]
    return found
