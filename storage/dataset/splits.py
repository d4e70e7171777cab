"""Assigns a split to each pair of an export: by its paper, by shared sentences, or as its file says."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Mapping

from miner.splits import SPLITS, assign_splits, assign_splits_by_size, random_order
from storage.convert import sentence_hash

OTHER_SPLIT = "other_split"
"""Why a pair is left out: one of its sentences is in another split."""

_HELD_OUT = ("test", "dev")  # these keep a sentence that several splits have
_LARGE_DIVISOR = 10  # groups larger than a tenth of the smallest split are assigned first
# The hashes of the exported sentences. `premise_hash` and `hypothesis_hash` are of the sentences in the paper: a person
# may have mended them, and the hypothesis may begin with a linking phrase there; without one only the case of its first
# letter can differ, and the hash ignores case.
WRITTEN_PREMISE_HASH = "iif(mined_premise IS NULL, premise_hash, sentence_hash(premise))"
WRITTEN_HASH = """
    iif(mined_hypothesis IS NULL AND length(hypothesis) = length(hypothesis_original),
        hypothesis_hash, sentence_hash(hypothesis))
"""
SENTENCE_HASHES = {  # a pair's sentences as exported and as in the paper: none of them may be in two splits
    "premise": WRITTEN_PREMISE_HASH,
    "hypothesis": WRITTEN_HASH,
    "original_premise": "premise_hash",
    "original": "hypothesis_hash",
}
_SENTENCES = ", ".join(f"{hash} AS {name}" for name, hash in SENTENCE_HASHES.items())
_NAMES = ", ".join(SENTENCE_HASHES)


def assign_candidate_splits(driver: sqlite3.Connection, shares: Mapping[str, float], *, seed: int) -> None:
    """Assign a split to each exported pair of `candidates`; drop pairs that share a sentence with another split.

    All pairs of a paper are in one split. Imported pairs without a paper are assigned in groups, which are the pairs
    connected by shared sentences. Pairs imported with a split keep it.
    """
    driver.create_function("sentence_hash", 1, sentence_hash, deterministic=True)
    _split_papers(driver, shares, seed)
    _split_groups(driver, shares, seed)
    _drop_shared_sentences(driver)


def count_methods(driver: sqlite3.Connection, rows: int) -> dict[str, int]:
    """How many of the exported `rows` were split by paper or by shared sentences, or had a split of their own."""
    query = f"""
        SELECT count(own_split), count(*) FROM candidates WHERE reason IS NULL AND pair_id IN (
            SELECT id FROM pairs WHERE split IN {SPLITS} UNION ALL SELECT pair_id FROM temp.group_splits
        )
    """
    own, others = driver.execute(query).fetchone()
    return {"paper": rows - others, "shared_sentences": others - own, "own_split": own}


def _split_papers(driver: sqlite3.Connection, shares: Mapping[str, float], seed: int) -> None:
    query = """
        SELECT DISTINCT paper_id, md5, domain FROM candidates WHERE reason IS NULL AND own_split IS NULL AND named
        ORDER BY domain, paper_id
    """
    papers = driver.execute(query).fetchall()
    domains = {md5: domain for _, md5, domain in papers}  # once each: several data sets may name the same paper
    splits = assign_splits(list(domains.items()), shares, seed=seed)
    driver.executemany("INSERT INTO paper_splits VALUES (?, ?)", [(id, splits[md5]) for id, md5, _ in papers])


def _split_groups(driver: sqlite3.Connection, shares: Mapping[str, float], seed: int) -> None:
    """Pairs are numbered in the order of their text, so that the result does not depend on any other order."""
    driver.execute("DROP TABLE IF EXISTS temp.grouped")
    driver.execute("""
        CREATE TEMP TABLE grouped (
            number INTEGER PRIMARY KEY, pair_id INTEGER, domain TEXT,
            premise INTEGER, hypothesis INTEGER, original_premise INTEGER, original INTEGER
        )
    """)
    total = driver.execute(f"""
        INSERT INTO grouped (pair_id, domain, {_NAMES})
        SELECT pair_id, domain, {_SENTENCES} FROM candidates
        WHERE reason IS NULL AND own_split IS NULL AND NOT named ORDER BY 3, 4, 6, 5, 2
    """).rowcount
    if not total:
        return
    first = _find_groups(driver, total)
    split_of = array("b", bytes(total + 1))  # by the first pair of a group: an index of `names`
    names = list(shares)
    driver.create_function("first_of", 1, lambda number: first[number], deterministic=True)
    driver.create_function("random_order", 1, lambda pair: random_order(pair, seed=seed), deterministic=True)
    driver.create_function("group_split", 1, lambda number: names[split_of[first[number]]], deterministic=True)
    smallest = min(share for share in shares.values() if share) / sum(shares.values()) * total
    groups = f"""
        WITH groups AS (
            SELECT first_of(number) AS first, count(*) AS size, min(domain) AS domain FROM grouped GROUP BY 1
        )
        SELECT first, size FROM groups JOIN grouped ON number = first
        ORDER BY iif(size * {_LARGE_DIVISOR} > ?, -size, 0), groups.domain, random_order(premise || ' ' || hypothesis)
    """
    numbers, sizes = array("q"), array("q")
    for number, size in driver.execute(groups, (smallest,)):
        numbers.append(number)
        sizes.append(size)
    for number, split in zip(numbers, assign_splits_by_size(sizes, total, shares), strict=True):
        split_of[number] = names.index(split)
    driver.execute("INSERT INTO group_splits SELECT pair_id, group_split(number) FROM grouped")
    for name in ("first_of", "random_order", "group_split"):
        driver.create_function(name, 1, None)  # frees the arrays: the connection outlives this export


def _find_groups(driver: sqlite3.Connection, total: int) -> array[int]:
    """For each pair 1 to `total`, the number of the first pair of its group (union-find; a few bytes a pair)."""
    parent = array("q", range(total + 1))

    def find(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    sentences = """
        SELECT premise, number FROM grouped UNION ALL SELECT hypothesis, number FROM grouped
        UNION ALL SELECT original, number FROM grouped WHERE original <> hypothesis
        UNION ALL SELECT original_premise, number FROM grouped WHERE original_premise <> premise ORDER BY 1, 2
    """
    last_sentence: int | None = None
    last_number = 0
    for sentence, number in driver.execute(sentences):
        if sentence == last_sentence:
            one, other = find(last_number), find(number)
            parent[max(one, other)] = min(one, other)
        last_sentence, last_number = sentence, number
    for number in range(total + 1):
        parent[number] = find(number)
    return parent


def _drop_shared_sentences(driver: sqlite3.Connection) -> None:
    """Drop pairs that share a sentence with another split.

    Pairs imported as test or dev keep their sentences first, then pairs assigned to these, then the others; test
    always before dev.
    """
    for table in ("sentences", "colliding", "taken"):
        driver.execute(f"DROP TABLE IF EXISTS temp.{table}")
    driver.execute(f"""
        CREATE TEMP TABLE sentences AS SELECT pair_id, split, own_split IS NOT NULL AS own, {_SENTENCES} FROM candidates
        WHERE reason IS NULL
    """)
    driver.execute("""
        CREATE TEMP TABLE colliding AS
        WITH shared AS (
            SELECT sentence FROM (
                SELECT premise AS sentence, split FROM sentences UNION ALL SELECT hypothesis, split FROM sentences
                UNION ALL SELECT original, split FROM sentences WHERE original <> hypothesis
                UNION ALL SELECT original_premise, split FROM sentences WHERE original_premise <> premise
            ) GROUP BY sentence HAVING min(split) <> max(split)
        )
        SELECT * FROM sentences
        WHERE premise IN shared OR hypothesis IN shared OR original IN shared OR original_premise IN shared
    """)
    driver.execute("DROP TABLE temp.sentences")
    driver.execute("CREATE TEMP TABLE taken (sentence INTEGER PRIMARY KEY, split TEXT)")
    for split, own in sorted(driver.execute("SELECT DISTINCT split, own FROM colliding"), key=_priority):
        driver.execute(
            f"""
            INSERT INTO dropped SELECT pair_id, ? FROM colliding WHERE split = ? AND own = ? AND EXISTS (
                SELECT 1 FROM taken WHERE taken.split <> colliding.split AND sentence IN ({_NAMES})
            )
            """,
            (OTHER_SPLIT, split, own),
        )
        driver.execute(
            """
            INSERT OR IGNORE INTO taken
            WITH kept AS (
                SELECT * FROM colliding WHERE split = ? AND own = ? AND pair_id NOT IN (SELECT pair_id FROM dropped)
            )
            SELECT premise, split FROM kept UNION ALL SELECT hypothesis, split FROM kept
            UNION ALL SELECT original, split FROM kept UNION ALL SELECT original_premise, split FROM kept
            """,
            (split, own),
        )


def _priority(part: tuple[str, int]) -> tuple[int, int, str]:
    """The sort key of (split, whether pairs were imported with it): the first ones keep their sentences."""
    split, own = part
    if split in _HELD_OUT:
        return (0 if own else 1), _HELD_OUT.index(split), split
    return 2, 0 if own else 1, split
