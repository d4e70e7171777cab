"""The sentences of a pair, by hashes of their normalised text: how shared sentences are found."""

from __future__ import annotations

# The hashes of the exported sentences. `premise_hash` and `hypothesis_hash` are of the mined sentences, which a person
# may have mended; a hypothesis may also begin with a linking phrase there. Without one only the case of the first
# letter can differ, and the hash ignores case. The SQL function `sentence_hash` is that of `miner.mining.identity`.
WRITTEN_PREMISE_HASH = "iif(mined_premise IS NULL, premise_hash, sentence_hash(premise))"
WRITTEN_HASH = """
    iif(mined_hypothesis IS NULL AND length(hypothesis) = length(hypothesis_original),
        hypothesis_hash, sentence_hash(hypothesis))
"""
HASHES = {
    "premise": WRITTEN_PREMISE_HASH,
    "hypothesis": WRITTEN_HASH,
    "original_premise": "premise_hash",
    "original": "hypothesis_hash",
}
"""A pair's sentences as they are exported and as they are in the paper: names of columns, and SQL for their values."""
HASH_NAMES = ", ".join(HASHES)
HASH_COLUMNS = ", ".join(f"{expression} AS {name}" for name, expression in HASHES.items())


def every_sentence(columns: str, table: str) -> str:
    """SQL for the `sentence` and `columns` of a table with `HASH_COLUMNS`; a row for each different sentence."""
    return f"""
        SELECT premise AS sentence, {columns} FROM {table} UNION ALL SELECT hypothesis, {columns} FROM {table}
        UNION ALL SELECT original, {columns} FROM {table} WHERE original <> hypothesis
        UNION ALL SELECT original_premise, {columns} FROM {table} WHERE original_premise <> premise
    """
