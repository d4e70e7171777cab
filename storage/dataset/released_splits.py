"""The splits of released data sets, in which later exports leave papers and pairs."""

from __future__ import annotations

import sqlite3

from miner.splits import SPLITS

HELD_OUT = ("test", "dev")
"""These keep a sentence or paper that several splits have, in this order."""


def store_released_splits(driver: sqlite3.Connection, release: int) -> int:
    """Store where the candidates' papers, and imported pairs without a paper, are in a release; how many these are.

    To be called after `select_candidates`. Pairs imported with a split have it anyway.
    """
    papers = driver.execute(
        """
        INSERT INTO release_splits (release, md5, pair_key, split)
        SELECT DISTINCT ?, coalesce(papers.source_md5, papers.md5), '', split
        FROM temp.paper_splits JOIN papers ON papers.id = paper_id
        """,
        (release,),
    ).rowcount
    pairs = driver.execute(
        """
        INSERT INTO release_splits (release, md5, pair_key, split)
        SELECT ?, '', pairs.key, group_splits.split FROM temp.group_splits JOIN pairs ON pairs.id = pair_id
        """,
        (release,),
    ).rowcount
    return papers + pairs


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
