"""Which text holds of a pair's sentences: what was mined, or what a person made of it (SciNLI, section 3.3).

The columns `edited`, `mined_premise` and `mined_hypothesis` of `pairs`, and with them `premise`, `hypothesis` and what
is counted of these, follow from what was mined and from the table `text_events` (`storage.annotation.texts`): whoever
adds an event refreshes the pair, and whoever stores pairs stores them as `with_mended` gives them. So a mended sentence
survives mining again, even if its mined text is another one then. The hashes stay those of the sentences in the paper,
by which mining finds duplicates: the same papers give the same pairs, whatever people have mended.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection

from miner.mining.pair_values import counted_values


class SentenceField(StrEnum):
    """Which sentence of a pair; also the column that holds it."""

    PREMISE = "premise"
    HYPOTHESIS = "hypothesis"


MINED_COLUMN = {field: f"mined_{field}" for field in SentenceField}
_COUNTED_COLUMNS = ("premise_words", "hypothesis_words", "overlap")
_AS_MINED = {**dict.fromkeys(MINED_COLUMN.values()), "edited": False}
_COLUMNS = (*SentenceField, *_COUNTED_COLUMNS, "edited", *MINED_COLUMN.values())

_SELECT_MENDED = """
    SELECT pair_key, field, new FROM json_each(?) AS wanted
    CROSS JOIN text_events e ON e.pair_key = wanted.value
    WHERE new IS NOT NULL AND e.id = (
        SELECT max(id) FROM text_events WHERE pair_key = e.pair_key AND field = e.field
    )
"""
_SELECT_STORED = f"""
    SELECT pairs.key, {", ".join(_COLUMNS)} FROM json_each(?) AS wanted CROSS JOIN pairs ON pairs.key = wanted.value
"""
_SELECT_EDITED = """
    SELECT key FROM pairs NOT INDEXED WHERE edited UNION SELECT pair_key FROM text_events ORDER BY 1
"""
_BATCH_SIZE = 1_000  # keys
_UPDATE = f"UPDATE pairs SET {', '.join(f'{column} = :{column}' for column in _COLUMNS)} WHERE key = :key"


def with_mended(connection: Connection, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of `pairs` with the text that holds now, and all columns that follow from it.

    What was mined is the row's `mined_premise` if it has one, else its `premise`; likewise the hypothesis.
    """
    values = [dict(row) for row in rows]
    mended = _mended(connection, [row["key"] for row in values])
    if not mended and not any(column in row for row in values for column in MINED_COLUMN.values()):
        return [row | _AS_MINED for row in values]
    for row in values:
        mined = {field: row.get(MINED_COLUMN[field]) or row[field] for field in SentenceField}
        present = mined | mended.get(row["key"], {})
        is_mended = {field: present[field] != mined[field] for field in SentenceField}
        if any(present[field] != row[field] for field in SentenceField):
            row |= {field.value: text for field, text in present.items()}
            row |= counted_values(row["premise"], row["hypothesis"])
        row |= {MINED_COLUMN[field]: mined[field] if is_mended[field] else None for field in SentenceField}
        row["edited"] = any(is_mended.values())
    return values


def refresh(connection: Connection, keys: Sequence[str]) -> None:
    """Refresh the sentences of the pairs with these keys, and what follows from them; for a few thousand at most."""
    stored = [dict(row) for row in connection.exec_driver_sql(_SELECT_STORED, (json.dumps(list(keys)),)).mappings()]
    for before, after in zip(stored, with_mended(connection, stored), strict=True):
        if after != before:
            connection.exec_driver_sql(_UPDATE, after)


def find_changed(connection: Connection) -> list[str]:
    """The keys of the pairs whose sentences are neither what was mined nor what a person made of them last."""
    changed = []
    for keys in connection.exec_driver_sql(_SELECT_EDITED).scalars().partitions(_BATCH_SIZE):
        stored = [dict(row) for row in connection.exec_driver_sql(_SELECT_STORED, (json.dumps(keys),)).mappings()]
        present = with_mended(connection, stored)
        changed += [row["key"] for row, now in zip(stored, present, strict=True) if row != now]
    return changed


def _mended(connection: Connection, keys: Sequence[str]) -> dict[str, dict[SentenceField, str]]:
    """The text that a person gave last, by pair key and field; without those set back to what was mined."""
    if not connection.exec_driver_sql("SELECT EXISTS (SELECT 1 FROM text_events)").scalar_one():
        return {}
    found: dict[str, dict[SentenceField, str]] = {}
    for key, field, text in connection.exec_driver_sql(_SELECT_MENDED, (json.dumps(list(keys)),)):
        found.setdefault(key, {})[SentenceField(field)] = text
    return found
