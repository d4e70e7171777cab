"""The splits of released data sets, in which later exports leave papers and pairs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from miner.splits import SPLITS
from storage.pairs.paper_splits import NAMED, PAPER_MD5

HELD_OUT = ("test", "dev")
"""These keep a sentence or paper that several splits have, in this order."""


_CANDIDATE_SPLITS = """
    SELECT DISTINCT coalesce(papers.source_md5, papers.md5), '', paper_splits.split
    FROM temp.paper_splits JOIN papers ON papers.id = paper_id
    UNION ALL
    SELECT '', pairs.key, group_splits.split FROM temp.group_splits JOIN pairs ON pairs.id = pair_id
"""
_PRESENT_SPLITS = f"""
    SELECT DISTINCT {PAPER_MD5}, '', papers.split FROM papers WHERE {NAMED} AND papers.split IS NOT NULL
    UNION ALL
    SELECT '', pairs.key, pairs.split FROM papers CROSS JOIN pairs ON pairs.paper_id = papers.id
    WHERE NOT {NAMED} AND pairs.own_split IS NULL AND pairs.split IS NOT NULL
"""
_INSERT_SPLITS = "INSERT INTO release_splits (release, md5, pair_key, split) VALUES (?, ?, ?, ?)"


def candidate_splits(driver: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    """(MD5, "", split) of the candidates' papers, and ("", key, split) of imported pairs without a paper.

    To be called after `select_candidates`. Pairs imported with a split have it anyway.
    """
    rows: Iterator[tuple[str, str, str]] = driver.execute(_CANDIDATE_SPLITS)
    return rows


def present_splits(driver: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    """As `candidate_splits`, of all papers by the project's split."""
    rows: Iterator[tuple[str, str, str]] = driver.execute(_PRESENT_SPLITS)
    return rows


def store_released_splits(driver: sqlite3.Connection, release: int, splits: Iterable[tuple[str, str, str]]) -> None:
    """Store which splits a release has: as of `candidate_splits`, also of another connection."""
    driver.executemany(_INSERT_SPLITS, ((release, *row) for row in splits))


def read_released_splits(driver: sqlite3.Connection) -> dict[str, str]:
    """The split of each released paper by MD5, as the latest release with it has it; also fill `temp.released_pairs`.

    That table (pair_id, split) is of the imported pairs without a paper.
    """
    # SQLite takes the other columns from the row with the maximum.
    latest = f"""
        SELECT {{}}, split, max(release) FROM release_splits
        WHERE split IN {SPLITS} AND {{}} <> '' GROUP BY {{}}
    """
    driver.execute(f"""
        INSERT INTO released_pairs
        SELECT pairs.id, latest.split FROM ({latest.format(*["pair_key"] * 3)}) AS latest
        JOIN pairs ON pairs.key = latest.pair_key
    """)
    return {md5: split for md5, split, _ in driver.execute(latest.format(*["md5"] * 3))}
