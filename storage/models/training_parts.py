"""Reserved pairs: the pairs of the dev and test splits, and all that share a sentence with one of them."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from sqlalchemy import Connection

from miner.mining.identity import sentence_hash
from miner.splits import HELD_OUT
from storage.connections import driver_connection
from storage.dataset.candidates import select_candidates
from storage.dataset.options import ExportOptions
from storage.dataset.sentences import HASH_COLUMNS, HASHES, every_sentence
from storage.dataset.splits import LEAKING
from storage.pairs.paper_splits import read_paper_split


class TrainingPart(StrEnum):
    """The part of a pair in training. TRAIN: may be trained on; all others are reserved.

    SHARED: has a sentence of a dev or test pair. NONE: of a paper that the project's split leaves out.
    """

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"
    SHARED = "shared"
    NONE = "none"


_INSERT_HELD_OUT = f"INSERT INTO parts SELECT id, split FROM pairs WHERE split IN {HELD_OUT} AND current"
_INSERT_WITHOUT_SPLIT = f"INSERT INTO parts SELECT id, '{TrainingPart.NONE}' FROM pairs WHERE split IS NULL AND current"
_INSERT_EXPORT_SPLITS = f"""
    INSERT OR IGNORE INTO parts
    SELECT pair_id, iif(reason IN {LEAKING}, 'shared', split) FROM candidates
    WHERE reason IN {LEAKING} OR split IN ('dev', 'test')
"""
_INSERT_RESERVED_SENTENCES = f"""
    INSERT OR IGNORE INTO reserved_sentences
    WITH reserved AS (
        SELECT {HASH_COLUMNS}, part FROM pairs JOIN parts ON pair_id = pairs.id WHERE part IN {HELD_OUT}
    )
    SELECT sentence FROM ({every_sentence("part", "reserved")})
"""
_INSERT_SHARED = f"""
    INSERT OR IGNORE INTO parts
    SELECT pairs.id, 'shared' FROM pairs
    WHERE current AND ({" OR ".join(f"{expression} IN reserved_sentences" for expression in HASHES.values())})
"""
_TABLES = {"parts": "pair_id INTEGER PRIMARY KEY, part TEXT", "reserved_sentences": "hash INTEGER PRIMARY KEY"}


def assign_parts(connection: Connection, export_options: ExportOptions | None) -> None:
    """Create the table `temp.parts` (pair_id, part) with all reserved pairs.

    A pair's part is its split. In a project whose papers are not split, it is the split it was imported with, else the
    one that an export with these options gives it.
    """
    driver = driver_connection(connection)
    for table, columns in _TABLES.items():
        driver.execute(f"DROP TABLE IF EXISTS temp.{table}")
        driver.execute(f"CREATE TEMP TABLE {table} ({columns})")
    reserved = driver.execute(_INSERT_HELD_OUT).rowcount
    if read_paper_split(connection) is not None:
        driver.execute(_INSERT_WITHOUT_SPLIT)
    elif export_options is not None and export_options.in_splits:
        select_candidates(connection, replace(export_options, balance=False))
        reserved += driver.execute(_INSERT_EXPORT_SPLITS).rowcount
    if reserved:
        driver.create_function("sentence_hash", 1, sentence_hash, deterministic=True)
        driver.execute(_INSERT_RESERVED_SENTENCES)
        driver.execute(_INSERT_SHARED)
