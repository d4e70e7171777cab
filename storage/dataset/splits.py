"""Assigns a split to each pair of an export: by its paper, by shared sentences, or as its file says."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Mapping

from miner.disjoint_sets import DisjointSets
from miner.mining.identity import sentence_hash
from miner.progress import Progress
from miner.splits import SPLITS, assign_splits, assign_splits_by_size, assign_splits_by_year, random_order
from storage.dataset.export_options import ExportOptions
from storage.dataset.near_duplicates import find_near_duplicates
from storage.dataset.released_splits import HELD_OUT, read_released_splits
from storage.dataset.sentences import HASH_COLUMNS, HASH_NAMES, HASHES, every_sentence

OTHER_SPLIT = "other_split"
"""Why a pair is left out: one of its sentences is in another split."""
NEAR_DUPLICATE = "near_duplicate"
"""Why a pair is left out: a sentence of another split is nearly the same as one of its sentences."""
NO_SPLIT, NO_YEAR, OTHER_YEARS = "no_split", "no_year", "other_years"
"""Why a pair is left out: its file names no split; its paper has no year, or one that no range has."""
LEAKING = (OTHER_SPLIT, NEAR_DUPLICATE)

_LARGE_DIVISOR = 10  # groups larger than a tenth of the smallest split are assigned first
_RANKED = ("train", *HELD_OUT[::-1])  # the last one has a paper that several splits claim
_RANK = " ".join(f"WHEN '{split}' THEN {rank}" for rank, split in enumerate(_RANKED))


def assign_candidate_splits(driver: sqlite3.Connection, options: ExportOptions, progress: Progress) -> None:
    """Assign a split to each exported pair of `candidates`; drop pairs that share a sentence with another split.

    All pairs of a paper are in one split. Imported pairs without a paper are assigned in groups, which are the pairs
    connected by shared sentences. Pairs imported with a split keep it, and the rest of their paper follows them. What
    was released stays where it was, if the options say so.
    """
    driver.create_function("sentence_hash", 1, sentence_hash, deterministic=True)
    if options.drop_near_duplicates:
        find_near_duplicates(driver, progress)
    if not options.as_imported:
        released = read_released_splits(driver) if options.keep_released else {}
        _split_papers(driver, options, released)
        _split_groups(driver, dict(options.shares), options.seed)
    _drop_unassigned(driver, options)
    _drop_shared_sentences(driver, OTHER_SPLIT)
    if options.drop_near_duplicates:
        _drop_shared_sentences(driver, NEAR_DUPLICATE)


def count_methods(driver: sqlite3.Connection, rows: int) -> dict[str, int]:
    """How many of the exported `rows` were split by paper or by shared sentences, or had a split of their own."""
    query = f"""
        SELECT count(own_split), count(*) FROM candidates WHERE reason IS NULL AND pair_id IN (
            SELECT id FROM pairs WHERE split IN {SPLITS} UNION ALL SELECT pair_id FROM temp.group_splits
        )
    """
    own, others = driver.execute(query).fetchone()
    return {"paper": rows - others, "shared_sentences": others - own, "own_split": own}


def _split_papers(driver: sqlite3.Connection, options: ExportOptions, released: Mapping[str, str]) -> None:
    query = f"""
        SELECT paper_id, md5, domain, year, max(CASE own_split {_RANK} END), count(*) > count(own_split)
        FROM candidates WHERE reason IS NULL AND named GROUP BY paper_id ORDER BY domain, year, paper_id
    """
    rows = driver.execute(query).fetchall()
    own: dict[str, int] = {}
    for _, md5, _, _, rank, _ in rows:
        if rank is not None:
            own[md5] = max(rank, own.get(md5, rank))
    papers = [(id, md5, domain, year) for id, md5, domain, year, _, is_assigned in rows if is_assigned]
    # Once each: several data sets may name the same paper.
    of_paper = {md5: (domain, year) for _, md5, domain, year in papers}
    fixed = {md5: _RANKED[rank] for md5, rank in own.items()} | dict(released)
    if options.years:
        dated = [(md5, *values) for md5, values in of_paper.items()]
        splits = assign_splits_by_year(dated, options.years, seed=options.seed, fixed=fixed)
    else:
        domains = [(md5, domain) for md5, (domain, _) in of_paper.items()]
        splits = assign_splits(domains, dict(options.shares), seed=options.seed, fixed=fixed)
    driver.executemany(
        "INSERT INTO paper_splits VALUES (?, ?, ?)",
        [(id, splits[md5], md5 in released) for id, md5, *_ in papers if md5 in splits],
    )


def _split_groups(driver: sqlite3.Connection, shares: Mapping[str, float], seed: int) -> None:
    """Pairs are numbered in the order of their text, so that the result does not depend on any other order.

    Without shares only what was released gets a split.
    """
    driver.execute("DROP TABLE IF EXISTS temp.grouped")
    driver.execute(f"""
        CREATE TEMP TABLE grouped (
            number INTEGER PRIMARY KEY, pair_id INTEGER, domain TEXT,
            {", ".join(f"{name} INTEGER" for name in HASHES)}, released TEXT
        )
    """)
    columns = ", ".join(f"{_representative(expression)} AS {name}" for name, expression in HASHES.items())
    total = driver.execute(f"""
        INSERT INTO grouped (pair_id, domain, {HASH_NAMES}, released)
        SELECT candidates.pair_id, domain, {columns}, released_pairs.split
        FROM candidates LEFT JOIN temp.released_pairs ON released_pairs.pair_id = candidates.pair_id
        WHERE reason IS NULL AND own_split IS NULL AND NOT named ORDER BY 3, 4, 5, 6, 2
    """).rowcount
    if not total:
        return
    driver.execute("INSERT INTO group_splits SELECT pair_id, released, 1 FROM grouped WHERE released IS NOT NULL")
    if not shares:
        return
    first = _find_groups(driver, total)
    split_of = array("b", bytes(total + 1))  # by the first pair of a group: an index of `SPLITS`
    driver.create_function("first_of", 1, lambda number: first[number], deterministic=True)
    driver.create_function("random_order", 1, lambda pair: random_order(pair, seed=seed), deterministic=True)
    driver.create_function("group_split", 1, lambda number: SPLITS[split_of[first[number]]], deterministic=True)
    smallest = min(share for share in shares.values() if share) / sum(shares.values()) * total
    groups = f"""
        WITH groups AS (
            SELECT first_of(number) AS first, count(*) AS size, min(domain) AS domain,
                max(CASE released {_RANK} END) AS released
            FROM grouped GROUP BY 1
        )
        SELECT first, size, groups.released FROM groups JOIN grouped ON number = first
        ORDER BY iif(groups.released IS NULL AND size * {_LARGE_DIVISOR} > ?, -size, 0), groups.domain,
            groups.released IS NULL, random_order(premise || ' ' || hypothesis)
    """
    numbers, sizes = array("q"), array("q")
    released: list[str | None] = []
    for number, size, rank in driver.execute(groups, (smallest,)):
        numbers.append(number)
        sizes.append(size)
        released.append(None if rank is None else _RANKED[rank])
    assigned = assign_splits_by_size(sizes, total, shares, fixed=released)
    for number, split in zip(numbers, assigned, strict=True):
        split_of[number] = SPLITS.index(split)
    driver.execute("INSERT OR IGNORE INTO group_splits SELECT pair_id, group_split(number), 0 FROM grouped")
    for name in ("first_of", "random_order", "group_split"):
        driver.create_function(name, 1, None)  # frees the arrays: the connection outlives this export


def _representative(sentence: str) -> str:
    """SQL for one hash of all sentences that are nearly the same; `near_groups` is empty if these are different."""
    return f"coalesce((SELECT first FROM temp.near_groups WHERE hash = {sentence}), {sentence})"


def _find_groups(driver: sqlite3.Connection, total: int) -> array[int]:
    """For each pair 1 to `total`, the number of the first pair of its group."""
    groups = DisjointSets(total + 1)
    last_sentence: int | None = None
    last_number = 0
    for sentence, number in driver.execute(f"{every_sentence('number', 'grouped')} ORDER BY 1, 2"):
        if sentence == last_sentence:
            groups.join(last_number, number)
        last_sentence, last_number = sentence, number
    return groups.lowest()


def _drop_unassigned(driver: sqlite3.Connection, options: ExportOptions) -> None:
    if options.shares:
        return  # everything is assigned
    driver.execute(
        f"""
        INSERT INTO dropped
        SELECT pair_id, CASE WHEN ? THEN '{NO_SPLIT}' WHEN named AND year IS NOT NULL THEN '{OTHER_YEARS}'
            ELSE '{NO_YEAR}' END
        FROM candidates WHERE reason IS NULL AND split IS NULL
        """,
        (options.as_imported,),
    )


def _drop_shared_sentences(driver: sqlite3.Connection, reason: str) -> None:
    """Drop pairs that share a sentence with another split; near-duplicates count as shared if they are the reason.

    Pairs imported as test or dev keep their sentences first, then what was released, then pairs assigned to test or
    dev, then the others; test always before dev.
    """
    for table in ("sentences", "colliding", "taken"):
        driver.execute(f"DROP TABLE IF EXISTS temp.{table}")
    driver.execute(f"""
        CREATE TEMP TABLE sentences AS
        SELECT pair_id, split, CASE WHEN own_split IN {HELD_OUT} THEN 0 WHEN released THEN 1
            WHEN split IN {HELD_OUT} THEN 2 WHEN own_split IS NOT NULL THEN 3 ELSE 4 END AS rank, {HASH_COLUMNS}
        FROM candidates WHERE reason IS NULL
    """)
    if reason == NEAR_DUPLICATE:
        for name in HASHES:
            driver.execute(f"""
                UPDATE sentences SET {name} = (SELECT first FROM temp.near_groups WHERE hash = {name})
                WHERE {name} IN (SELECT hash FROM temp.near_groups)
            """)
    driver.execute(f"""
        CREATE TEMP TABLE colliding AS
        WITH shared AS (
            SELECT sentence FROM ({every_sentence("split", "temp.sentences")})
            GROUP BY sentence HAVING min(split) <> max(split)
        )
        SELECT * FROM sentences WHERE {" OR ".join(f"{name} IN shared" for name in HASHES)}
    """)
    driver.execute("DROP TABLE temp.sentences")
    driver.execute("CREATE TEMP TABLE taken (sentence INTEGER PRIMARY KEY, split TEXT)")
    parts = driver.execute("SELECT DISTINCT rank, split FROM colliding").fetchall()
    for rank, split in sorted(parts, key=lambda part: (part[0], (*HELD_OUT, "train").index(part[1]))):
        driver.execute(
            f"""
            INSERT INTO dropped SELECT pair_id, ? FROM colliding WHERE split = ? AND rank = ? AND EXISTS (
                SELECT 1 FROM taken WHERE taken.split <> colliding.split AND sentence IN ({HASH_NAMES})
            )
            """,
            (reason, split, rank),
        )
        driver.execute(
            f"""
            INSERT OR IGNORE INTO taken
            WITH kept AS (
                SELECT * FROM colliding WHERE split = ? AND rank = ? AND pair_id NOT IN (SELECT pair_id FROM dropped)
            )
            {every_sentence("split", "kept")}
            """,
            (split, rank),
        )
