"""Which rows of a labelled file are about pairs that the project has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping

from miner.mining.identity import sentence_hash
from miner.mining.pair_values import casefold_sentences
from storage.convert import read_part
from storage.exchange.labelled_rows import LabelledRow

_COLUMNS = """
    pairs.key, pairs.label, pairs.distant_label AS distant, coalesce(pairs.own_split, pairs.split) AS split,
    pairs.run IS NULL AS imported, premise, hypothesis, mined_premise, mined_hypothesis
"""
_BY_KEY = f"SELECT {_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.key = wanted.value"
_BY_PREMISE = f"""
    SELECT {_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN pairs ON premise_hash = wanted.value
    WHERE current ORDER BY pairs.id
"""
# `premise_hash` is of the sentence in the paper. Few pairs are mended.
_MENDED = f"""
    SELECT {_COLUMNS} FROM (SELECT DISTINCT pair_key FROM text_events WHERE field = 'premise') AS mended
    CROSS JOIN pairs ON pairs.key = mended.pair_key WHERE current AND mined_premise IS NOT NULL ORDER BY pairs.id
"""


class KnownPair(NamedTuple):
    """A pair of the project. label: as an export has it. imported: not mined.

    texts: the sentences, as `casefold_sentences` gives them, if a person has mended them; else None.
    """

    key: str
    label: str | None
    distant: str | None
    split: str | None
    imported: int = 1
    texts: tuple[str, str] | None = None


def find_known_pairs(
    connection: Connection, rows: Sequence[tuple[LabelledRow, dict[str, Any]]]
) -> tuple[dict[str, KnownPair], dict[tuple[str, str], KnownPair]]:
    """The project's pairs that have the key of a row, by key, or its two sentences, by these.

    Of a mended pair, stored or in a row, both the mended and the mined sentences count.
    """
    hashes = {values["premise_hash"] for _, values in rows}
    hashes |= {sentence_hash(row.premise) for row, _ in rows if row.mined_premise is not None}
    wanted = {casefold_sentences(row.premise, row.hypothesis) for row, _ in rows}
    wanted |= {mined_texts(row) for row, _ in rows}
    keys = json.dumps([values["key"] for _, values in rows])
    by_key: dict[str, KnownPair] = {}
    for row in connection.exec_driver_sql(_BY_KEY, (keys,)).mappings():
        stored, _ = _stored_pair(row)
        by_key[stored.key] = stored
    by_text: dict[tuple[str, str], KnownPair] = {}
    for query, parameters in ((_BY_PREMISE, (json.dumps(list(hashes)),)), (_MENDED, ())):
        for row in connection.exec_driver_sql(query, parameters).mappings():
            stored, all_texts = _stored_pair(row)
            for texts in all_texts & wanted:
                by_text.setdefault(texts, stored)
    return by_key, by_text


def _stored_pair(row: RowMapping) -> tuple[KnownPair, set[tuple[str, str]]]:
    """A stored pair, and its sentences as they are now and as they were mined."""
    premise, hypothesis = row["premise"], row["hypothesis"]
    now = casefold_sentences(premise, hypothesis)
    mined = casefold_sentences(row["mined_premise"] or premise, row["mined_hypothesis"] or hypothesis)
    return read_part(KnownPair, row)._replace(texts=None if now == mined else now), {now, mined}


def mined_texts(row: LabelledRow) -> tuple[str, str]:
    """The sentences of a row as they were mined, by which they are compared."""
    return casefold_sentences(row.mined_premise or row.premise, row.mined_hypothesis or row.hypothesis)
