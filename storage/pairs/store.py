"""Stores the pairs that mining found in each paper, without duplicates; annotated pairs are never deleted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Boolean, Connection, bindparam, delete, func, literal_column, or_, select, update

from miner.mining.pair_values import casefold_sentences, pair_values
from miner.mining.settling import without_duplicates, without_surplus
from miner.records import AnnotatedNeutral, Funnel, Label, MinedPaper, Pair
from storage import convert
from storage.connections import driver_connection
from storage.integrity.checksums import pair_checksums
from storage.mining.runs import MiningRunState, PendingPaper, forget_removal, store_funnel
from storage.pairs import judgement, mended_texts, paper_splits
from storage.pairs.annotated_neutrals import HISTORIES, annotated_neutrals
from storage.pairs.judgement import PairScope
from storage.schema import DATA_SET, PAIRS, PairRow

_Row = dict[str, Any]  # by column

_HAS_HISTORY = or_(
    *(literal_column(f"EXISTS (SELECT 1 FROM {table} WHERE pair_key = pairs.key)", Boolean) for table in HISTORIES)
)

# Text, because mining stores many small papers: SQLAlchemy took longer to build the statements than SQLite to run them.
# Derived columns: see `storage.pairs.judgement`.
_DERIVED_COLUMNS = ("status", "gold", "majority", "contested", "flagged", "noted", "label", "accepted", "votes")
_INSERTED_COLUMNS = tuple(column.name for column in PAIRS.columns if column.name not in _DERIVED_COLUMNS)
_MINED_COLUMNS = tuple(
    name
    for name in _INSERTED_COLUMNS
    if name not in ("id", "split", "own_split", "source_id", "source_label", "source", "checksum")
)
_INSERT_TEXTS = """
    INSERT INTO pairs_text (rowid, premise, hypothesis)
    SELECT id, premise, hypothesis FROM pairs WHERE id BETWEEN ? AND ? ORDER BY id
"""
_HAS_EVENTS = """
    SELECT EXISTS (SELECT 1 FROM text_events) OR EXISTS (SELECT 1 FROM label_events)
        OR EXISTS (SELECT 1 FROM mark_events) OR EXISTS (SELECT 1 FROM kind_events)
"""
_SELECT_INDICES = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'pairs' AND sql IS NOT NULL"
SELECT_LAST_ID = """
    SELECT max(coalesce((SELECT max(id) FROM pairs), 0), coalesce((
        SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'last_pair'
    ), 0))
"""
_STORE_LAST_ID = (
    "INSERT INTO settings (key, value) VALUES ('last_pair', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_SELECT_STORED = f"SELECT {', '.join(_MINED_COLUMNS)} FROM pairs WHERE paper_id = ?"
_SELECT_NEXT_PAPER_ID = f"""
    SELECT papers.id FROM papers
    JOIN mining_runs ON mining_runs.number = ? AND mining_runs.state != '{MiningRunState.REPLACED}'
    WHERE md5 = ? AND digest = ? AND NOT EXISTS (
        SELECT 1 FROM papers earlier
        WHERE earlier.md5 > mined_to AND earlier.md5 < papers.md5 AND earlier.kind != '{DATA_SET}'
    )
"""
_SELECT_EARLIER_HASHES = """
    SELECT premise_hash, hypothesis_hash FROM json_each(?) wanted
    CROSS JOIN pairs ON pairs.premise_hash = wanted.value JOIN papers ON papers.id = paper_id
    WHERE current AND md5 < ? AND run IS NOT NULL
"""
_SELECT_IMPORTED = """
    SELECT pairs.key, coalesce(mined_premise, premise), coalesce(mined_hypothesis, hypothesis) FROM json_each(?) wanted
    CROSS JOIN pairs ON pairs.premise_hash = wanted.value WHERE current AND run IS NULL
"""
_SELECT_OF_PAPER = """
    SELECT pairs.* FROM pairs JOIN papers ON papers.id = paper_id WHERE md5 = ? AND current ORDER BY ordinal
"""
_SELECT_MAJORITIES = """
    SELECT pairs.key, majority FROM json_each(?) CROSS JOIN pairs ON pairs.key = value WHERE votes > 0 AND NOT accepted
"""
_COUNTS = """
    SELECT domain, strategy, coalesce(distant_label, ''), count(*) FROM pairs JOIN papers ON papers.id = paper_id
    WHERE current GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""
_MOVE_TO_PAPER = "UPDATE pairs SET paper_id = ?1 WHERE paper_id != ?1 AND key IN (SELECT value FROM json_each(?2))"
_UPDATE_MINED_TO = "UPDATE mining_runs SET mined_to = ?2 WHERE number = ?1 AND mined_to < ?2"


class PairStore:
    """The project's pairs."""

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
        """Store `mined` as the pairs of the paper that is next in its run; returns the funnel of what was stored.

        Two kinds of pairs are dropped, and counted in the funnel:

        - `duplicate`: an earlier paper or a data set of the project has the same pair. Not with `duplicates`.
        - `over_quota`: neutral pairs beyond `quota`, which gets the counts of linked pairs by label. They are dropped
          evenly from the strategies, the last ones first, the annotated ones of `mined` after all others.

        A stored pair that is not in `mined` is deleted, or no longer current if somebody annotated it. A pair that was
        imported with this paper and is now mined from it becomes the mined one. A mended sentence stays mended, also
        where another text is mined now.

        Returns None and changes nothing if the paper is not the next one, because papers were added, changed or removed
        since: ask `MiningRunStore.next_papers` again.
        """
        if (paper_id := self._connection.exec_driver_sql(_SELECT_NEXT_PAPER_ID, tuple(pending)).scalar()) is None:
            return None
        rows, funnel = [pair_values(pair) for pair in mined.pairs], mined.funnel
        extra = [pair_values(pair) for pair in mined.extra]
        if not duplicates:
            rows, extra, funnel = self._without_duplicates(pending.md5, rows, extra, funnel)
        rows, funnel = without_surplus(rows, extra, mined.annotated, funnel, quota)
        for ordinal, row in enumerate(rows):
            row.update(paper_id=paper_id, run=pending.run, current=True, ordinal=ordinal)
        self._replace(paper_id, rows)
        store_funnel(self._connection, paper_id, pending.run, funnel)
        self._connection.exec_driver_sql(_UPDATE_MINED_TO, (pending.run, pending.md5))
        forget_removal(self._connection)
        return funnel

    def of_paper(self, md5: str) -> list[Pair]:
        """The current pairs of a paper, in reading order, the neutral ones last."""
        rows = self._connection.exec_driver_sql(_SELECT_OF_PAPER, (md5,)).mappings()
        return [convert.pair_from_row(row) for row in rows]

    def get(self, key: str) -> Pair:
        """The pair with this key, current or not, or `KeyError`."""
        row = self._connection.execute(select(PairRow.__table__).where(PairRow.key == key)).mappings().first()
        if row is None:
            raise KeyError(key)
        return convert.pair_from_row(row)

    def present(self, keys: Sequence[str]) -> tuple[str, ...]:
        """The keys, of these, that are in the project; in the same order, each once."""
        query = "SELECT pairs.key FROM json_each(?) CROSS JOIN pairs ON pairs.key = value ORDER BY json_each.key"
        return tuple(dict.fromkeys(self._connection.exec_driver_sql(query, (json.dumps(list(keys)),)).scalars()))

    def majorities(self, keys: Iterable[str]) -> dict[str, Label | None]:
        """By key the label on which most annotators agree, None without a majority; of answered pairs among these.

        Accepted suggestions are no answers.
        """
        rows = self._connection.exec_driver_sql(_SELECT_MAJORITIES, (json.dumps(list(keys)),))
        return {key: Label(majority) if majority else None for key, majority in rows}

    def annotated_neutrals(self, md5s: Iterable[str]) -> dict[str, tuple[AnnotatedNeutral, ...]]:
        """By MD5 the neutral pairs of papers, current or not, that somebody has annotated."""
        return annotated_neutrals(self._connection, md5s)

    def keys_with_prefix(self, prefix: str, *, limit: int) -> list[str]:
        """The first keys that begin with `prefix`, in order."""
        query = "SELECT key FROM pairs WHERE key >= ? AND key < ? ORDER BY key LIMIT ?"
        return list(self._connection.exec_driver_sql(query, (prefix, f"{prefix}\U0010ffff", limit)).scalars())

    def keys_in(self, scope: PairScope) -> list[str]:
        """The keys of the pairs in a scope."""
        return list(self._connection.exec_driver_sql(scope.sql, scope.parameters).scalars())

    def count(self) -> int:
        """How many current pairs there are."""
        return self._connection.execute(select(func.count()).where(PairRow.current)).scalar_one()

    def counts(self) -> dict[tuple[str, str, str], int]:
        """The number of current pairs by domain, strategy and distant label ("" for none)."""
        rows = self._connection.exec_driver_sql(_COUNTS)
        return {(domain, strategy, label): count for domain, strategy, label, count in rows}

    def phrase_counts(self) -> list[tuple[str, str, int]]:
        """(phrase, distant label, number of current pairs), the most frequent first."""
        columns = (PairRow.phrase, PairRow.distant_label)
        query = select(*columns, func.count()).where(PairRow.current, PairRow.phrase.is_not(None)).group_by(*columns)
        rows = self._connection.execute(query.order_by(func.count().desc(), PairRow.phrase))
        return [(phrase or "", label or "", count) for phrase, label, count in rows]

    def count_annotated(self, keys: Sequence[str]) -> int:
        """How many of the pairs somebody has answered, marked as bad, flagged, noted or mended."""
        named = func.json_each(json.dumps(list(keys))).table_valued("value")
        is_annotated = (PairRow.status != "open") | PairRow.flagged | PairRow.noted | PairRow.edited
        query = select(func.count()).where(PairRow.key.in_(select(named.c.value)), is_annotated)
        return self._connection.execute(query).scalar_one()

    def _without_duplicates(
        self, md5: str, rows: list[_Row], extra: list[_Row], funnel: Funnel
    ) -> tuple[list[_Row], list[_Row], Funnel]:
        """The rows and extra rows that are not duplicates; an extra row comes before a drawn neutral one."""
        premises = json.dumps([row["premise_hash"] for row in (*rows, *extra)])
        known = {
            (first, second)
            for first, second in self._connection.exec_driver_sql(_SELECT_EARLIER_HASHES, (premises, md5))
        }
        found = self._connection.exec_driver_sql(_SELECT_IMPORTED, (premises,))
        imported = {casefold_sentences(premise, hypothesis): key for key, premise, hypothesis in found}

        def is_new(row: _Row) -> bool:
            hashes = (row["premise_hash"], row["hypothesis_hash"])
            same = imported and imported.get(casefold_sentences(row["premise"], row["hypothesis"]))
            if hashes in known or (same and same != row["key"]):
                return False
            known.add(hashes)
            return True

        return without_duplicates(rows, extra, funnel, is_new)

    def _replace(self, paper_id: int, rows: list[_Row]) -> None:
        """Make `rows` the paper's stored pairs; only what differs is written."""
        self._connection.exec_driver_sql(_MOVE_TO_PAPER, (paper_id, json.dumps([row["key"] for row in rows])))
        stored = {
            row["key"]: dict(row) for row in self._connection.exec_driver_sql(_SELECT_STORED, (paper_id,)).mappings()
        }
        mined = {row["key"]: row for row in mended_texts.with_mended(self._connection, rows)}
        if gone := [key for key in stored if key not in mined]:
            delete_unannotated_pairs(self._connection, paper_id, gone)
        if changed := [row for key, row in mined.items() if key in stored and row != stored[key]]:
            statement = update(PAIRS).where(PAIRS.c.key == bindparam("old_key"))
            self._connection.execute(statement, [{**row, "old_key": row["key"]} for row in changed])
            # Another distant label may be one that people agree on, or no longer.
            judgement.refresh_new(self._connection, [row["key"] for row in changed])
        insert_pairs(self._connection, [row for key, row in mined.items() if key not in stored])
        if stored:
            paper_splits.refresh_pairs(self._connection, paper_id)


def insert_pairs(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert pairs with new keys, also into the full-text index; nothing else may insert pairs.

    Their split follows from `own_split` and their paper.
    A pair whose sentence was mended before it was deleted gets the mended text again.
    Not by a trigger: FTS5 would flush its index at every row. The id of a deleted pair is never used again,
    because a table on the screen may still have it.
    """
    if not rows:
        return
    present = mended_texts.with_mended(connection, rows)
    names = [name for name in _INSERTED_COLUMNS if name not in ("id", "checksum")]
    first, last = _insert(connection, {name: [row.get(name) for row in present] for name in names})
    paper_splits.refresh_new_pairs(connection, first, last)
    judgement.refresh_new(connection, [row["key"] for row in rows])


def insert_mined(connection: Connection, columns: Mapping[str, Sequence[Any]]) -> None:
    """`insert_pairs` of columns of mined pairs: faster, where nobody has said anything of any pair yet."""
    if connection.exec_driver_sql(_HAS_EVENTS).scalar_one():
        insert_pairs(connection, [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
    elif columns["key"]:
        limits = _insert(connection, columns)
        if paper_splits.read_paper_split(connection) is not None:
            paper_splits.refresh_new_pairs(connection, *limits)


def _insert(connection: Connection, columns: Mapping[str, Sequence[Any]]) -> tuple[int, int]:
    """Insert pairs as they are, also into the full-text index; their first and last id."""
    columns = {**columns, "checksum": pair_checksums(columns)}
    last = connection.exec_driver_sql(SELECT_LAST_ID).scalar_one()
    ids = range(last + 1, last + 1 + len(columns["key"]))
    connection.exec_driver_sql(_STORE_LAST_ID, (str(ids[-1]),))
    statement = f"INSERT INTO pairs (id, {', '.join(columns)}) VALUES (?{', ?' * len(columns)})"
    driver_connection(connection).executemany(statement, zip(ids, *columns.values(), strict=True))
    connection.exec_driver_sql(_INSERT_TEXTS, (ids[0], ids[-1]))
    return ids[0], ids[-1]


@contextmanager
def indexed_at_end(connection: Connection) -> Iterator[None]:
    """Pairs stored inside get their indices when the block ends, all at once; but their keys are unique at any time.

    For a project that nobody else has: until then every question about pairs reads all of them.
    """
    found = connection.exec_driver_sql(_SELECT_INDICES).all()
    for name, _ in found:
        connection.exec_driver_sql(f"DROP INDEX {name}")
    yield
    for _, statement in found:
        connection.exec_driver_sql(statement)


def delete_unannotated_pairs(connection: Connection, paper_id: int, keys: Sequence[str] | None = None) -> None:
    """Delete a paper's pairs (None: all); annotated ones stay in the project, but are no longer current."""
    of_paper = [PairRow.paper_id == paper_id]
    if keys is not None:
        named = func.json_each(json.dumps(keys)).table_valued("value")
        of_paper.append(PairRow.key.in_(select(named.c.value)))
    connection.execute(delete(PairRow).where(*of_paper, ~_HAS_HISTORY))
    connection.execute(update(PairRow).where(*of_paper, PairRow.current).values(current=False))
