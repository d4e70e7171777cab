"""Pairs that a model must not learn: those of dev and test splits, and those that share a sentence with one."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from sqlalchemy import Connection

from storage.connections import driver_connection
from storage.convert import sentence_hash
from storage.dataset.candidates import select_candidates
from storage.dataset.options import ExportOptions
from storage.dataset.splits import OTHER_SPLIT, WRITTEN_HASH


class TrainingPart(StrEnum):
    """TRAIN: it may be learned. DEV, TEST: it is of such a split. SHARED: it has a sentence of one of these."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"
    SHARED = "shared"


_SPLIT_OFF = """
    INSERT INTO parts SELECT pairs.id, pairs.split FROM pairs WHERE pairs.split IN ('dev', 'test') AND pairs.current
"""
_DEALT = f"""
    INSERT OR IGNORE INTO parts
    SELECT pair_id, iif(reason = '{OTHER_SPLIT}', 'shared', split) FROM candidates
    WHERE reason = '{OTHER_SPLIT}' OR split IN ('dev', 'test')
"""
_SENTENCES = f"""
    INSERT OR IGNORE INTO held_sentences
    SELECT premise_hash FROM pairs JOIN parts ON pair_id = pairs.id WHERE part != 'shared'
    UNION ALL SELECT {WRITTEN_HASH} FROM pairs JOIN parts ON pair_id = pairs.id WHERE part != 'shared'
    UNION ALL SELECT hypothesis_hash FROM pairs JOIN parts ON pair_id = pairs.id WHERE part != 'shared'
"""
_SHARED = f"""
    INSERT OR IGNORE INTO parts
    SELECT pairs.id, 'shared' FROM pairs
    WHERE current AND (
        premise_hash IN held_sentences OR {WRITTEN_HASH} IN held_sentences OR hypothesis_hash IN held_sentences
    )
"""
_TABLES = {"parts": "pair_id INTEGER PRIMARY KEY, part TEXT", "held_sentences": "hash INTEGER PRIMARY KEY"}


def assign_parts(connection: Connection, released: ExportOptions | None) -> None:
    """Fill temp.parts (pair_id, part) with all pairs that are not TRAIN.

    A pair has the split it was imported with; else, with `released`, the one that such an export gives it.
    """
    driver = driver_connection(connection)
    for table, columns in _TABLES.items():
        driver.execute(f"DROP TABLE IF EXISTS temp.{table}")
        driver.execute(f"CREATE TEMP TABLE {table} ({columns})")
    kept = driver.execute(_SPLIT_OFF).rowcount
    if released is not None and released.shares:
        select_candidates(connection, replace(released, balance=False))
        kept += driver.execute(_DEALT).rowcount
    if kept:
        driver.create_function("sentence_hash", 1, sentence_hash, deterministic=True)
        driver.execute(_SENTENCES)
        driver.execute(_SHARED)
