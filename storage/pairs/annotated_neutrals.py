"""The neutral pairs that people have annotated: what mining takes in beside papers and settings.

Which of them stay depends on no others than those that stay (`miner.mining.neutral_quota`). So those that are current
and have ever been annotated are all that a rebuild needs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlalchemy import Connection

from miner.records import NEUTRAL_STRATEGIES, AnnotatedNeutral, Strategy

HISTORIES = {
    "label_events": ("annotator",),
    "mark_events": ("annotator", "kind"),
    "text_events": ("field",),
    "kind_events": ("annotator",),
}
"""The histories of what people did to pairs, by table: what has an entry of its own for each pair."""
_COLUMNS = "pairs.key, strategy, premise_hash, hypothesis_hash"
_NEUTRAL = f"strategy IN {tuple(strategy.value for strategy in NEUTRAL_STRATEGIES)}"


def _holds(table: str, columns: Iterable[str]) -> str:
    """Whether somebody's last entry about a pair has a value, and does not withdraw one."""
    same = "".join(f" AND {column} = e.{column}" for column in columns)
    latest = f"SELECT max(id) FROM {table} WHERE pair_key = e.pair_key{same}"
    return f"EXISTS (SELECT 1 FROM {table} e WHERE e.pair_key = pairs.key AND new IS NOT NULL AND e.id = ({latest}))"


IS_ANNOTATED_NOW = f"({' OR '.join(_holds(*history) for history in HISTORIES.items())})"
"""Whether an answer, mark or change of a pair holds: some pairs that are no longer mined have only withdrawn ones."""
_OF_PAPERS = f"""
    SELECT md5, {_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN papers ON papers.md5 = wanted.value
    CROSS JOIN pairs ON pairs.paper_id = papers.id
    WHERE {_NEUTRAL} AND {IS_ANNOTATED_NOW}
    ORDER BY md5, pairs.key
"""
EVER_ANNOTATED = f"""
    SELECT pairs.key, md5, strategy, premise_hash, hypothesis_hash FROM pairs JOIN papers ON papers.id = paper_id
    WHERE current AND run IS NOT NULL AND {_NEUTRAL}
        AND pairs.key IN ({" UNION ".join(f"SELECT pair_key FROM {table}" for table in HISTORIES)})
    ORDER BY pairs.key
"""
"""The current neutral pairs with a history, by key: also those whose answer was withdrawn after they were mined."""


def annotated_neutrals(connection: Connection, md5s: Iterable[str]) -> dict[str, tuple[AnnotatedNeutral, ...]]:
    """By MD5 the neutral pairs of papers, current or not, about which somebody's answer, mark or change holds."""
    found: dict[str, list[AnnotatedNeutral]] = {}
    for md5, key, strategy, *hashes in connection.exec_driver_sql(_OF_PAPERS, (json.dumps(list(md5s)),)):
        found.setdefault(md5, []).append(AnnotatedNeutral(key, Strategy(strategy), *hashes))
    return {md5: tuple(pairs) for md5, pairs in found.items()}
