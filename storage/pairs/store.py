"""Pairs of the project: what mining made of each paper, without duplicates, and what people answered never lost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, exists, func, or_, select, text, update

from miner.records import NEUTRAL_STRATEGIES, DropReason, Funnel, Label, MinedPaper, Pair, Strategy
from storage import convert
from storage.mining.runs import MiningRunState, PendingPaper, store_funnel
from storage.pairs import status
from storage.pairs.status import PairScope
from storage.schema import DATA_SET, PAIRS, LabelEventRow, MarkEventRow, PairRow, PaperRow

_DUPLICATE, _OVER_QUOTA = "duplicate", "over_quota"
_JUDGED_BY_PEOPLE = or_(
    exists().where(LabelEventRow.pair_key == PairRow.key), exists().where(MarkEventRow.pair_key == PairRow.key)
)

# Mining stores many small papers; there SQLAlchemy's building of statements took longer than SQLite's work.
_JUDGED = (
    "status",
    "gold",
    "contested",
    "flagged",
    "noted",
    "label",
    "accepted",
)  # by people: `storage.pairs.status`
_COLUMNS = tuple(column.name for column in PAIRS.columns if column.name not in _JUDGED)
_MINED = tuple(name for name in _COLUMNS if name not in ("id", "split", "source_id", "source_label", "source"))
_INSERT = f"INSERT INTO pairs ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
_INDEX = "INSERT INTO pairs_text (rowid, premise, hypothesis) VALUES (?, ?, ?)"
_LAST = """
    SELECT max(coalesce((SELECT max(id) FROM pairs), 0), coalesce((
        SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'last_pair'
    ), 0))
"""
_KEEP_LAST = (
    "INSERT INTO settings (key, value) VALUES ('last_pair', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_STORED = f"SELECT {', '.join(_MINED)} FROM pairs WHERE paper_id = ?"
_IS_NEXT = f"""
    SELECT papers.id FROM papers
    JOIN mining_runs ON mining_runs.number = ? AND mining_runs.state != '{MiningRunState.REPLACED}'
    WHERE md5 = ? AND digest = ? AND NOT EXISTS (
        SELECT 1 FROM papers earlier
        WHERE earlier.md5 > mined_to AND earlier.md5 < papers.md5 AND earlier.kind != '{DATA_SET}'
    )
"""
_TEXTS_BEFORE = """
    SELECT premise_hash, hypothesis_hash FROM json_each(?) wanted
    CROSS JOIN pairs ON pairs.premise_hash = wanted.value JOIN papers ON papers.id = paper_id
    WHERE current AND md5 < ? AND run IS NOT NULL
"""
_IMPORTED = """
    SELECT pairs.key, premise, hypothesis FROM json_each(?) wanted
    CROSS JOIN pairs ON pairs.premise_hash = wanted.value WHERE current AND run IS NULL
"""
_MOVE = "UPDATE pairs SET paper_id = ?1 WHERE paper_id != ?1 AND key IN (SELECT value FROM json_each(?2))"
_MINED_TO = "UPDATE mining_runs SET mined_to = ?2 WHERE number = ?1 AND mined_to < ?2"


class PairStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def replace_for(
        self,
        pending: PendingPaper,
        mined: MinedPaper,
        quota: Callable[[Mapping[Label, int]], int],
        *,
        duplicates: bool = False,
    ) -> Funnel | None:
        """Make `mined` the pairs of the paper that is next in its run; the funnel, with what was dropped here added.

        Dropped are pairs that an earlier paper or a data set of the project has (`duplicate`) unless `duplicates` may
        stay, and neutral ones beyond `quota` of the linked pairs that are left, counted by label (`over_quota`): evenly
        by strategy, the last first. A pair that is no longer mined is deleted, or kept as not current when a person
        answered it. A pair that a data set said to be of this paper, and is, becomes the mined one.

        None, and nothing done, when this paper is not the next: papers came, changed or went meanwhile; ask for them
        anew.
        """
        if (paper_id := self._connection.exec_driver_sql(_IS_NEXT, tuple(pending)).scalar()) is None:
            return None
        rows, funnel = [convert.pair_values(pair) for pair in mined.pairs], mined.funnel
        if not duplicates:
            rows, funnel = self._without_duplicates(pending.md5, rows, funnel)
        rows, funnel = _within_quota(rows, funnel, quota)
        for ordinal, row in enumerate(rows):
            row.update(paper_id=paper_id, run=pending.run, current=True, ordinal=ordinal)
        self._put(paper_id, rows)
        store_funnel(self._connection, paper_id, pending.run, funnel)
        self._connection.exec_driver_sql(_MINED_TO, (pending.run, pending.md5))
        return funnel

    def of_paper(self, md5: str) -> list[Pair]:
        """The pairs now mined from a paper, in reading order, neutral ones last."""
        query = select(PairRow.__table__).join(PaperRow, PaperRow.id == PairRow.paper_id)
        query = query.where(PaperRow.md5 == md5, PairRow.current).order_by(PairRow.ordinal)
        return [convert.pair_from_row(row) for row in self._connection.execute(query).mappings()]

    def get(self, key: str) -> Pair:
        """The pair, current or not; KeyError when there is none."""
        row = self._connection.execute(select(PairRow.__table__).where(PairRow.key == key)).mappings().first()
        if row is None:
            raise KeyError(key)
        return convert.pair_from_row(row)

    def present(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Those of `keys` that the project holds, in the same order, each once."""
        query = "SELECT pairs.key FROM json_each(?) CROSS JOIN pairs ON pairs.key = value ORDER BY json_each.key"
        return tuple(dict.fromkeys(self._connection.exec_driver_sql(query, (json.dumps(list(keys)),)).scalars()))

    def keys_in(self, scope: PairScope) -> list[str]:
        """The keys of a scope's pairs."""
        return list(self._connection.exec_driver_sql(scope.sql, scope.parameters).scalars())

    def count(self) -> int:
        return self._connection.execute(select(func.count()).where(PairRow.current)).scalar_one()

    def counts(self) -> dict[tuple[str, str, str], int]:
        """How many current pairs by domain, strategy and distant label ("" for none)."""
        columns = (PaperRow.domain, PairRow.strategy, func.coalesce(PairRow.distant_label, ""))
        query = select(*columns, func.count()).join(PaperRow, PaperRow.id == PairRow.paper_id).where(PairRow.current)
        rows = self._connection.execute(query.group_by(*columns).order_by(*columns))
        return {(domain, strategy, label): count for domain, strategy, label, count in rows}

    def phrase_counts(self) -> list[tuple[str, str, int]]:
        """(phrase, distant label, how many current pairs it made), the most frequent first."""
        columns = (PairRow.phrase, PairRow.distant_label)
        query = select(*columns, func.count()).where(PairRow.current, PairRow.phrase.is_not(None)).group_by(*columns)
        rows = self._connection.execute(query.order_by(func.count().desc(), PairRow.phrase))
        return [(phrase or "", label or "", count) for phrase, label, count in rows]

    def count_annotated(self, keys: Sequence[str]) -> int:
        """How many of the pairs people have answered, marked bad, flagged or noted."""
        named = func.json_each(json.dumps(list(keys))).table_valued("value")
        said = (PairRow.status != "open") | PairRow.flagged | PairRow.noted
        query = select(func.count()).where(PairRow.key.in_(select(named.c.value)), said)
        return self._connection.execute(query).scalar_one()

    def search(self, words: str, *, limit: int = 100) -> list[Pair]:
        """Current pairs with all the words, in either sentence, best first."""
        quoted = " ".join('"' + word.replace('"', '""') + '"' for word in words.split())
        matches = text(
            "SELECT pairs.* FROM pairs_text JOIN pairs ON pairs.id = pairs_text.rowid "
            "WHERE pairs_text MATCH :words AND pairs.current ORDER BY pairs_text.rank, pairs.id LIMIT :limit"
        )
        if not quoted:
            return []
        rows = self._connection.execute(matches, {"words": quoted, "limit": limit})
        return [convert.pair_from_row(row) for row in rows.mappings()]

    def _without_duplicates(
        self, md5: str, rows: list[dict[str, Any]], funnel: Funnel
    ) -> tuple[list[dict[str, Any]], Funnel]:
        premises = json.dumps([row["premise_hash"] for row in rows])
        taken = {(first, second) for first, second in self._connection.exec_driver_sql(_TEXTS_BEFORE, (premises, md5))}
        found = self._connection.exec_driver_sql(_IMPORTED, (premises,))
        imported = {convert.casefold_sentences(premise, hypothesis): key for key, premise, hypothesis in found}
        unique: list[dict[str, Any]] = []
        lost: Counter[DropReason] = Counter()
        for row in rows:
            texts = (row["premise_hash"], row["hypothesis_hash"])
            there = imported and imported.get(convert.casefold_sentences(row["premise"], row["hypothesis"]))
            if texts in taken or (there and there != row["key"]):
                lost[DropReason(Strategy(row["strategy"]), _DUPLICATE)] += 1
            else:
                taken.add(texts)
                unique.append(row)
        return unique, _less(funnel, lost)

    def _put(self, paper_id: int, rows: list[dict[str, Any]]) -> None:
        """Change the paper's stored pairs into `rows`, touching only what differs."""
        self._connection.exec_driver_sql(_MOVE, (paper_id, json.dumps([row["key"] for row in rows])))
        stored = {row["key"]: dict(row) for row in self._connection.exec_driver_sql(_STORED, (paper_id,)).mappings()}
        wanted = {row["key"]: row for row in rows}
        if gone := [key for key in stored if key not in wanted]:
            delete_unannotated_pairs(self._connection, paper_id, gone)
        if changed := [row for key, row in wanted.items() if key in stored and row != stored[key]]:
            statement = update(PAIRS).where(PAIRS.c.key == bindparam("old_key"))
            self._connection.execute(statement, [{**row, "old_key": row["key"]} for row in changed])
        insert_pairs(self._connection, [row for key, row in wanted.items() if key not in stored])


def insert_pairs(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert pairs, whose keys are new, and enter them into the full-text index.

    The only place that does either: the schema says why no trigger does it. No id is given twice, also when its pair is
    gone: a table on screen may hold it still.
    """
    if not rows:
        return
    last = connection.exec_driver_sql(_LAST).scalar_one()
    connection.exec_driver_sql(_KEEP_LAST, (str(last + len(rows)),))
    numbered = [{**row, "id": number} for number, row in enumerate(rows, start=last + 1)]
    connection.exec_driver_sql(_INSERT, [tuple(map(row.get, _COLUMNS)) for row in numbered])
    connection.exec_driver_sql(_INDEX, [(row["id"], row["premise"], row["hypothesis"]) for row in numbered])
    status.refresh_new(connection, [row["key"] for row in rows])


def delete_unannotated_pairs(connection: Connection, paper_id: int, keys: Sequence[str] | None = None) -> None:
    """Delete a paper's pairs (those of `keys`, else all); what a person judged stays, as not current."""
    of_paper = [PairRow.paper_id == paper_id]
    if keys is not None:
        named = func.json_each(json.dumps(keys)).table_valued("value")
        of_paper.append(PairRow.key.in_(select(named.c.value)))
    connection.execute(delete(PairRow).where(*of_paper, ~_JUDGED_BY_PEOPLE))
    connection.execute(update(PairRow).where(*of_paper, PairRow.current).values(current=False))


def _within_quota(
    rows: list[dict[str, Any]], funnel: Funnel, quota: Callable[[Mapping[Label, int]], int]
) -> tuple[list[dict[str, Any]], Funnel]:
    linked = Counter(Label(row["distant_label"]) for row in rows if row["strategy"] == Strategy.LINKED.value)
    left = Counter(strategy for row in rows if (strategy := Strategy(row["strategy"])) in NEUTRAL_STRATEGIES)
    lost: Counter[DropReason] = Counter()
    for _ in range(left.total() - quota(linked)):
        strategy = max(NEUTRAL_STRATEGIES, key=left.__getitem__)
        left[strategy] -= 1
        lost[DropReason(strategy, _OVER_QUOTA)] += 1
    return list(_first(rows, left)), _less(funnel, lost)


def _first(rows: list[dict[str, Any]], left: Counter[Strategy]) -> Iterator[dict[str, Any]]:
    """The rows, of each neutral strategy only the first `left`."""
    for row in rows:
        strategy = Strategy(row["strategy"])
        if strategy in NEUTRAL_STRATEGIES:
            left[strategy] -= 1
            if left[strategy] < 0:
                continue
        yield row


def _less(funnel: Funnel, lost: Counter[DropReason]) -> Funnel:
    """The funnel after `lost` of the kept were dropped after all."""
    if not lost:
        return funnel
    kept = Counter(funnel.kept)
    for drop, count in lost.items():
        kept[drop.strategy] -= count
    return replace(funnel, kept=dict(kept), dropped=dict(Counter(funnel.dropped) + lost))
