"""Removal and merging of papers, as part of an action: what is removed is stored, so that it can be restored."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from storage.errors import translate_decoding_errors
from storage.mining.runs import invalidate_from, mined_before, mined_to, note_removal, set_mined_to
from storage.pairs import paper_splits
from storage.pairs.removed_suggestions import restore_suggestions, suggestions_to_remove
from storage.pairs.store import PairStore, insert_pairs
from storage.papers.carried_pairs import CarriedPairs, carry, successors, take_back
from storage.papers.decisions import PAPERS as DECIDED
from storage.papers.decisions import record_merge
from storage.papers.metadata import PAPERS
from storage.papers.prediction_columns import restore_columns, take_columns
from storage.schema import DATA_SET, FileRow, PairRow, RemovedPaperRow
from storage.sql import insert_rows
from storage.untrusted import inflate

_MERGES = f"""
    SELECT removed.action, md5 FROM removed_papers AS removed JOIN actions ON actions.id = removed.action
    WHERE part = 0 AND state = 'done'
        AND removed.action IN (SELECT action FROM setup_events WHERE subject LIKE '{DECIDED} %') ORDER BY 1, 2
"""
_MAX_CONTENT_BYTES = 1_000_000_000  # of a removed paper, or of a batch of its pairs
_FAILED_FILES = ""  # in place of an MD5: the failed files that an action removed
_TABLES_OF_PAPER = {"files": "id", "sections": "1, 2", "paragraphs": "1, 2", "funnel": "1, 2"}  # with ORDER BY
_BATCH_PAIRS = 2000  # a data set may have a million
_LISTED = "md5 IN (SELECT value FROM json_each(:md5s))"


@dataclass(frozen=True, slots=True)
class RemovalCounts:
    """What a removal removes: papers, imported data sets, failed files, pairs, and pairs that people have judged."""

    papers: int = 0
    data_sets: int = 0
    files: int = 0
    pairs: int = 0
    judged: int = 0


class PaperRemovalStore:
    """Removes, merges and restores papers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def preview(self, md5s: Sequence[str], files: Sequence[int] = ()) -> RemovalCounts:
        """What `remove` would remove."""
        query = f"""
            SELECT count(DISTINCT iif(kind = '{DATA_SET}', NULL, papers.id)),
                count(DISTINCT iif(kind = '{DATA_SET}', papers.id, NULL)), count(pairs.id),
                coalesce(sum(status != 'open' OR flagged OR noted OR pairs.edited), 0)
            FROM papers LEFT JOIN pairs ON paper_id = papers.id AND (current OR status != 'open' OR pairs.edited)
            WHERE {_LISTED}
        """
        papers, data_sets, pairs, judged = self._connection.exec_driver_sql(
            query, {"md5s": json.dumps(list(md5s))}
        ).one()
        return RemovalCounts(papers, data_sets, len(self._failed_files(files)), pairs, judged)

    def remove(
        self,
        action: int,
        md5s: Sequence[str],
        files: Sequence[int] = (),
    ) -> RemovalCounts:
        """Remove papers with their files and pairs, and failed files by id, such that `undo` can restore them.

        Answers stay in the history. An action may remove several times.
        """
        counts = self.preview(md5s, files)
        if md5s:
            before = mined_before(self._connection, action)  # of its first removal
            mined = mined_to(self._connection) if before is None and not self._has_removed(action) else before
            invalidate_from(self._connection, "" if self._may_hide_duplicates(md5s) else min(md5s))
            if mined is not None:
                note_removal(self._connection, action, mined)
        for md5 in md5s:
            self._remove_paper(action, md5)
        if failed := self._failed_files(files):
            has_earlier = self._has_removed(action, _FAILED_FILES)
            earlier = self.content(action, _FAILED_FILES)["files"] if has_earlier else []
            self._store_removed(action, _FAILED_FILES, {"files": [*earlier, *failed]})
            self._delete_failed_files(failed)
        return counts

    def merge(self, action: int, kept: str, other: str) -> None:
        """Remove the paper `other`, which is the same as `kept`, such that `undo` can restore it.

        What people did to its pairs is carried over (`storage.papers.carried_pairs`), and its files become files of
        `kept`, so that they are known when they are added again.
        """
        files = self._merge(action, kept, other, carries_events=True)
        record_merge(self._connection, action, kept, other, files)

    def _merge(self, action: int, kept: str, other: str, *, carries_events: bool) -> list[str]:
        """The MD5s of the files that `kept` has now."""
        ids = {
            md5: self._connection.scalars(select(PAPERS.c.id).where(PAPERS.c.md5 == md5)).one() for md5 in (kept, other)
        }
        invalidate_from(self._connection, min(kept, other))
        carried = carry(self._connection, action, ids[other], ids[kept], kept, events=carries_events)
        content = self._remove_paper(action, other, merged={"into": kept, "carried": carried.to_data()})
        files = content["files"]
        self._restore_files([{**row, "paper_id": ids[kept]} for row in files])
        return [other, *(row["md5"] for row in files if row["md5"])]

    def successors(self) -> dict[str, str]:
        """See `carried_pairs.successors`, for the merges that hold."""
        merges = self._connection.exec_driver_sql(_MERGES).all()
        contents = (self.content(action, md5) for action, md5 in merges)
        return successors(CarriedPairs.from_data(one["merged"]["carried"]) for one in contents if "merged" in one)

    def _unmerge(self, merged: Mapping[str, Any], files: Sequence[Mapping[str, Any]]) -> None:
        """Undo the changes of `_merge` to the paper that was kept, before the other paper is restored."""
        invalidate_from(self._connection, merged["into"])
        take_back(self._connection, CarriedPairs.from_data(merged["carried"]))
        kept = select(PAPERS.c.id).where(PAPERS.c.md5 == merged["into"]).scalar_subquery()
        for row in files:
            here = (FileRow.path == row["path"], FileRow.line == row["line"], FileRow.paper_id == kept)
            self._connection.execute(delete(FileRow).where(*here))

    def _may_hide_duplicates(self, md5s: Sequence[str]) -> bool:
        """Whether one of these is a data set whose pairs may have kept the same pairs of papers from being mined."""
        query = f"""
            SELECT EXISTS (SELECT 1 FROM funnel WHERE reason = 'duplicate')
                AND EXISTS (SELECT 1 FROM papers WHERE {_LISTED} AND kind = '{DATA_SET}')
        """
        return bool(self._connection.exec_driver_sql(query, {"md5s": json.dumps(list(md5s))}).scalar_one())

    def restore(self, action: int) -> str:
        """Restore what `action` has removed and merged. Returns what could not be restored, in a sentence."""
        added_again = 0
        mined = mined_before(self._connection, action)
        self._invalidate_from_first(action)
        for md5, content in self._removed(action):
            if md5 == _FAILED_FILES:
                self._restore_files(content["files"])
            elif self._connection.scalar(select(PAPERS.c.id).where(PAPERS.c.md5 == md5)) is not None:
                added_again += 1
            else:
                if merged := content.get("merged"):
                    self._unmerge(merged, content["files"])
                self._restore_paper(action, content)
        if not added_again:
            if mined is not None:  # nothing has happened since: the papers' pairs are those that mining would find
                set_mined_to(self._connection, mined)
            return ""
        papers = "A paper" if added_again == 1 else f"{added_again:,} papers"
        return f"{papers} had been added again meanwhile and stayed as now."

    def redo(self, action: int) -> None:
        """Remove and merge again what `restore` has restored."""
        self._invalidate_from_first(action)
        for md5, content in self._removed(action):
            if md5 == _FAILED_FILES:
                self._delete_failed_files(content["files"])
            elif merged := content.get("merged"):
                self._merge(action, merged["into"], md5, carries_events=False)
            else:
                self._remove_paper(action, md5)

    def _invalidate_from_first(self, action: int) -> None:
        """Have all papers mined again from the first one that the action removed; all if these hide pairs of others."""
        removed = select(RemovedPaperRow.md5).where(_removed_by(action), RemovedPaperRow.md5 != _FAILED_FILES)
        if md5s := self._connection.scalars(removed.distinct()).all():
            invalidate_from(self._connection, "" if self._may_hide_duplicates(md5s) else min(md5s))

    def _has_removed(self, action: int, md5: str = "_%") -> bool:
        """Whether an action has removed this paper, by default any, before."""
        found = select(RemovedPaperRow.md5).where(_removed_by(action), RemovedPaperRow.md5.like(md5))
        return self._connection.scalar(found.limit(1)) is not None

    def _remove_paper(self, action: int, md5: str, *, merged: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What was stored of the paper to restore it, without its pairs. merged: what was done to another paper."""
        paper = self._connection.exec_driver_sql("SELECT * FROM papers WHERE md5 = ?", (md5,)).mappings().first()
        if paper is None:
            return {}
        content: dict[str, Any] = {"paper": _json_row(paper)} | ({"merged": dict(merged)} if merged else {})
        for table, order in _TABLES_OF_PAPER.items():
            rows = self._connection.exec_driver_sql(
                f"SELECT * FROM {table} WHERE paper_id = ? ORDER BY {order}", (paper["id"],)
            )
            content[table] = [_json_row(row) for row in rows.mappings()]
        if paper["kind"] == DATA_SET and not self._has_others_of(paper["id"], paper["digest"]):
            content["columns"] = take_columns(self._connection, paper["digest"])
        self._connection.execute(delete(RemovedPaperRow).where(_removed_by(action), RemovedPaperRow.md5 == md5))
        self._store_removed(action, md5, content)
        pairs = self._connection.exec_driver_sql("SELECT * FROM pairs WHERE paper_id = ? ORDER BY id", (paper["id"],))
        for part, some in enumerate(pairs.mappings().partitions(_BATCH_PAIRS), start=1):
            suggestions = suggestions_to_remove(self._connection, [row["id"] for row in some])
            batch = {"pairs": [_json_row(row) for row in some], "suggestions": suggestions}
            self._store_removed(action, md5, batch, part)
        # Explicitly, because the cascade would delete them one by one.
        self._connection.execute(delete(PairRow).where(PairRow.paper_id == paper["id"]))
        self._connection.execute(delete(PAPERS).where(PAPERS.c.id == paper["id"]))
        return content

    def _has_others_of(self, paper: int, digest: str) -> bool:
        """Whether another paper than this stand-in comes from the same data set."""
        others = select(PAPERS.c.id).where(PAPERS.c.digest == digest, PAPERS.c.id != paper)
        return self._connection.scalar(others.limit(1)) is not None

    def _restore_paper(self, action: int, content: dict[str, Any]) -> None:
        """Restore a paper's rows, under a new id if its own is in use."""
        paper = content["paper"]
        if self._connection.scalar(select(PAPERS.c.id).where(PAPERS.c.id == paper["id"])) is not None:
            paper["id"] = self._connection.scalar(select(func.max(PAPERS.c.id) + 1))
        insert_rows(self._connection, "papers", [paper])
        restore_columns(self._connection, content.get("columns", ()))
        for table in ("sections", "paragraphs", "funnel"):
            rows = [{**row, "paper_id": paper["id"]} for row in content[table]]
            for row in rows:
                for name in ("id", "checksum"):  # of the former id
                    row.pop(name, None)
                if row.get("spans") is not None:
                    row["spans"] = base64.b64decode(row["spans"])
            insert_rows(self._connection, table, rows)
        self._delete_failed_files(content["files"])  # failures at these paths since the removal
        self._restore_files([{**row, "paper_id": paper["id"]} for row in content["files"]])
        for batch in self._pair_batches(action, paper["md5"]):
            # A data set may have been imported with the same pairs.
            known = set(PairStore(self._connection).present([row["key"] for row in batch["pairs"]]))
            # `split` stands for `own_split` in what earlier versions removed.
            rows = [{"own_split": row["split"], **row, "paper_id": paper["id"]} for row in batch["pairs"]]
            insert_pairs(self._connection, [row for row in rows if row["key"] not in known])
            suggestions = batch.get("suggestions", ())
            restore_suggestions(self._connection, [row for row in suggestions if row["key"] not in known])
        paper_splits.refresh_papers(self._connection, [paper["id"]])

    def _failed_files(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        query = "SELECT * FROM files WHERE id IN (SELECT value FROM json_each(?)) AND code IS NOT NULL ORDER BY id"
        return [_json_row(row) for row in self._connection.exec_driver_sql(query, (json.dumps(list(ids)),)).mappings()]

    def _restore_files(self, files: Sequence[dict[str, Any]]) -> None:
        """Restore files; a path that has an entry again keeps the new one."""
        rows = [{name: value for name, value in row.items() if name not in ("id", "checksum")} for row in files]
        insert_rows(self._connection, "files", rows, on_conflict="ON CONFLICT (path, line) DO NOTHING")

    def _delete_failed_files(self, files: Sequence[dict[str, Any]]) -> None:
        paths = [(row["path"], row["line"]) for row in files]
        if not paths:
            return
        self._connection.exec_driver_sql("DELETE FROM files WHERE path = ? AND line = ? AND code IS NOT NULL", paths)

    def _store_removed(self, action: int, md5: str, content: dict[str, Any], part: int = 0) -> None:
        packed = gzip.compress(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"), 6, mtime=0)
        statement = insert(RemovedPaperRow).prefix_with("OR REPLACE")
        self._connection.execute(statement.values(action=action, md5=md5, part=part, content=packed))

    def _removed(self, action: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """The removed content by MD5 of the paper; without the pairs, which `_pair_batches` gives."""
        query = select(RemovedPaperRow.md5).where(_removed_by(action), RemovedPaperRow.part == 0)
        for md5 in self._connection.scalars(query.order_by(RemovedPaperRow.md5)).all():
            yield md5, self.content(action, md5)

    def _pair_batches(self, action: int, md5: str) -> Iterator[dict[str, Any]]:
        """The removed pairs with their suggestions, which earlier versions did not store, a batch at a time."""
        query = select(RemovedPaperRow.part).where(_removed_by(action), RemovedPaperRow.md5 == md5)
        query = query.where(RemovedPaperRow.part > 0).order_by(RemovedPaperRow.part)
        for part in self._connection.scalars(query).all():
            yield self.content(action, md5, part)

    @translate_decoding_errors()
    def content(self, action: int, md5: str, part: int = 0) -> dict[str, Any]:
        """What an action has removed of a paper: its rows by table (part 0), or a batch of its pairs."""
        query = select(RemovedPaperRow.content).where(_removed_by(action), RemovedPaperRow.md5 == md5)
        packed = self._connection.execute(query.where(RemovedPaperRow.part == part)).scalar_one()
        content: dict[str, Any] = json.loads(inflate(packed, _MAX_CONTENT_BYTES))
        return content


def _removed_by(action: int) -> ColumnElement[bool]:
    return RemovedPaperRow.action == action


def _json_row(row: Any) -> dict[str, Any]:  # of a row's mapping
    return {
        name: base64.b64encode(value).decode() if isinstance(value, bytes) else value for name, value in row.items()
    }
