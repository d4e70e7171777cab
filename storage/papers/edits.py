"""What people change about papers: their metadata, and which there are; each step as part of an action to undo."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from storage.errors import translate_decoding_errors
from storage.mining.runs import invalidate_from
from storage.pairs.store import PairStore, insert_pairs
from storage.papers.store import PaperMetadata
from storage.schema import DATA_SET, Base, PairRow, PaperEventRow, PaperRow, RemovedPaperRow
from storage.untrusted import inflate

_FIELDS = ("title", "authors", "year", "doi", "domain")
_EDITED = "edited"  # the event about which fields a person had set
_MOST = 1_000_000_000  # bytes of what was taken out with a paper, or of a part of its pairs
_FILES = ""  # in place of an MD5: the failed files that an action took out
_OF_PAPER = {"files": "id", "sections": "1, 2", "paragraphs": "1, 2", "funnel": "1, 2"}  # and their order
_TOGETHER = 2000  # pairs; a data set may have a million
_NAMED = "md5 IN (SELECT value FROM json_each(:md5s))"

_TELL_FIELD = f"""
    INSERT INTO paper_events (md5, field, old, new, action)
    SELECT md5, :field, json_array({{column}}), :new, :action FROM papers WHERE {_NAMED} AND {{column}} IS NOT :value
"""
_UNION = """(
    SELECT json_group_array(value) FROM (
        SELECT value FROM json_each(edited) UNION SELECT value FROM json_each(:fields) ORDER BY 1
    )
)"""
_TELL_EDITED = f"""
    INSERT INTO paper_events (md5, field, old, new, action)
    SELECT md5, '{_EDITED}', edited, {_UNION}, :action FROM papers WHERE {_NAMED} AND edited != {_UNION}
"""

# A value that something else has changed since the action stays.
_TAKE_BACK = """
    INSERT INTO paper_events (md5, field, old, new, action)
    SELECT md5, field, new, old, :reversal FROM paper_events WHERE action = :action ORDER BY id DESC
"""
_REVERSED = """
    UPDATE papers SET {column} = json_extract(e.{to}, '$[0]') FROM paper_events e
    WHERE e.md5 = papers.md5 AND e.action = :action AND e.field = '{column}'
        AND papers.{column} IS json_extract(e.{from_}, '$[0]')
"""
_REVERSED_EDITED = f"""
    UPDATE papers SET edited = e.{{to}} FROM paper_events e
    WHERE e.md5 = papers.md5 AND e.action = :action AND e.field = '{_EDITED}' AND papers.edited = e.{{from_}}
"""


@dataclass(frozen=True, slots=True)
class RemovalCounts:
    """What goes, or went, with papers: imported data sets, failed files, pairs, and how many of those people judged."""

    papers: int = 0
    data_sets: int = 0
    files: int = 0
    pairs: int = 0
    judged: int = 0


class PaperEditStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def edit(self, action: int, md5s: Sequence[str], changes: PaperMetadata) -> int:
        """What a person says about papers, as part of `action`; no later parse overwrites it. How many it changed.

        0, and nothing done, where all of it is so already.
        """
        named = {"md5s": json.dumps(list(md5s)), "action": action, "fields": json.dumps(list(changes))}
        for field, told in changes.items():
            assert field in _FIELDS
            value = json.dumps(told, ensure_ascii=False) if field == "authors" else told
            parameters = {**named, "field": field, "value": value, "new": json.dumps([value], ensure_ascii=False)}
            self._connection.exec_driver_sql(_TELL_FIELD.format(column=field), parameters)
            self._connection.exec_driver_sql(f"UPDATE papers SET {field} = :value WHERE {_NAMED}", parameters)
        count = select(func.count(PaperEventRow.md5.distinct())).where(PaperEventRow.action == action)
        if changed := self._connection.execute(count).scalar_one():
            self._connection.exec_driver_sql(_TELL_EDITED, named)
            self._connection.exec_driver_sql(f"UPDATE papers SET edited = {_UNION} WHERE {_NAMED}", named)
        return changed

    def preview_removal(self, md5s: Sequence[str], files: Sequence[int] = ()) -> RemovalCounts:
        """What `remove` would take along."""
        query = f"""
            SELECT count(DISTINCT iif(kind = '{DATA_SET}', NULL, papers.id)),
                count(DISTINCT iif(kind = '{DATA_SET}', papers.id, NULL)), count(pairs.id),
                coalesce(sum(status != 'open' OR flagged OR noted), 0)
            FROM papers LEFT JOIN pairs ON paper_id = papers.id AND (current OR status != 'open') WHERE {_NAMED}
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
        """Take papers out with their files and pairs, and failed files by their ids, so that `undo` brings them back.

        Answers stay in the history. An action may remove more than once.
        """
        taken = self.preview_removal(md5s, files)
        if md5s:
            invalidate_from(self._connection, "" if self._hid_duplicates(md5s) else min(md5s))
        for md5 in md5s:
            self._take_out(action, md5)
        if failed := self._failed_files(files):
            self._keep(action, _FILES, {"files": failed})
            self._drop_files(failed)
        return taken

    def _hid_duplicates(self, md5s: Sequence[str]) -> bool:
        """Whether pairs of any paper may not have been mined because one of these, a data set, has them."""
        query = f"""
            SELECT EXISTS (SELECT 1 FROM funnel WHERE reason = 'duplicate')
                AND EXISTS (SELECT 1 FROM papers WHERE {_NAMED} AND kind = '{DATA_SET}')
        """
        return bool(self._connection.exec_driver_sql(query, {"md5s": json.dumps(list(md5s))}).scalar_one())

    def undo(self, action: int, reversal: int) -> str:
        """Take back what `action` did to papers, as part of `reversal`; what could not be, in a sentence."""
        self._reverse_edits(action, reversal, to="old", from_="new")
        again = 0
        self._invalidate_from_first(action)
        for md5, content in self._kept(action):
            if md5 == _FILES:
                self._put_files(content["files"])
            elif self._connection.scalar(select(PaperRow.id).where(PaperRow.md5 == md5)) is not None:
                again += 1
            else:
                self._bring_back(action, content)
        if not again:
            return ""
        return f"{'A paper' if again == 1 else f'{again:,} papers'} had been added again meanwhile and stayed as now."

    def redo(self, action: int, reversal: int) -> str:
        """Do again what `action` did to papers, as part of `reversal`."""
        self._reverse_edits(action, reversal, to="new", from_="old")
        self._invalidate_from_first(action)
        for md5, content in self._kept(action):
            if md5 == _FILES:
                self._drop_files(content["files"])
            else:
                self._take_out(action, md5)
        return ""

    def _reverse_edits(self, action: int, reversal: int, *, to: str, from_: str) -> None:
        fields = self._connection.scalars(select(PaperEventRow.field).where(PaperEventRow.action == action).distinct())
        for field in set(fields).intersection((*_FIELDS, _EDITED)):
            statement = _REVERSED_EDITED if field == _EDITED else _REVERSED
            self._connection.exec_driver_sql(statement.format(column=field, to=to, from_=from_), {"action": action})
        parameters = {"action": action, "reversal": reversal}
        swapped = _TAKE_BACK if to == "old" else _TAKE_BACK.replace("new, old, :reversal", "old, new, :reversal")
        self._connection.exec_driver_sql(swapped, parameters)

    def _invalidate_from_first(self, action: int) -> None:
        """All papers from the first that the action took out are to be mined again."""
        first = select(func.min(RemovedPaperRow.md5)).where(_removed_by(action), RemovedPaperRow.md5 != _FILES)
        if (md5 := self._connection.scalar(first)) is not None:
            invalidate_from(self._connection, md5)

    def _take_out(self, action: int, md5: str) -> None:
        paper = self._connection.exec_driver_sql("SELECT * FROM papers WHERE md5 = ?", (md5,)).mappings().first()
        if paper is None:
            return
        content: dict[str, Any] = {"paper": _plain(paper)}
        for table, order in _OF_PAPER.items():
            rows = self._connection.exec_driver_sql(
                f"SELECT * FROM {table} WHERE paper_id = ? ORDER BY {order}", (paper["id"],)
            )
            content[table] = [_plain(row) for row in rows.mappings()]
        self._connection.execute(delete(RemovedPaperRow).where(_removed_by(action), RemovedPaperRow.md5 == md5))
        self._keep(action, md5, content)
        pairs = self._connection.exec_driver_sql("SELECT * FROM pairs WHERE paper_id = ? ORDER BY id", (paper["id"],))
        for part, some in enumerate(pairs.mappings().partitions(_TOGETHER), start=1):
            self._keep(action, md5, {"pairs": [_plain(row) for row in some]}, part)
        # Before the cascade, which would delete them one by one.
        self._connection.execute(delete(PairRow).where(PairRow.paper_id == paper["id"]))
        self._connection.execute(delete(PaperRow).where(PaperRow.id == paper["id"]))

    def _bring_back(self, action: int, content: dict[str, Any]) -> None:
        """A paper's rows, under a new id where its own was given away."""
        paper = content["paper"]
        if self._connection.scalar(select(PaperRow.id).where(PaperRow.id == paper["id"])) is not None:
            paper["id"] = self._connection.scalar(select(func.max(PaperRow.id) + 1))
        self._insert("papers", [paper])
        for table in ("sections", "paragraphs", "funnel"):
            rows = [{**row, "paper_id": paper["id"]} for row in content[table]]
            for row in rows:
                row.pop("id", None)
                if row.get("spans") is not None:
                    row["spans"] = base64.b64decode(row["spans"])
            self._insert(table, rows)
        self._drop_files(content["files"])  # what failed at these places meanwhile
        self._put_files([{**row, "paper_id": paper["id"]} for row in content["files"]])
        for pairs in self._parts(action, paper["md5"]):
            # A data set has them by now, or the paper that it named.
            known = set(PairStore(self._connection).present([row["key"] for row in pairs]))
            insert_pairs(
                self._connection, [{**row, "paper_id": paper["id"]} for row in pairs if row["key"] not in known]
            )

    def _failed_files(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        query = "SELECT * FROM files WHERE id IN (SELECT value FROM json_each(?)) AND code IS NOT NULL ORDER BY id"
        return [_plain(row) for row in self._connection.exec_driver_sql(query, (json.dumps(list(ids)),)).mappings()]

    def _put_files(self, files: Sequence[dict[str, Any]]) -> None:
        """Files as they were; what is known of a place by now stays."""
        rows = [{name: value for name, value in row.items() if name != "id"} for row in files]
        self._insert("files", rows, otherwise="ON CONFLICT (path, line) DO NOTHING")

    def _drop_files(self, files: Sequence[dict[str, Any]]) -> None:
        places = [(row["path"], row["line"]) for row in files]
        if not places:
            return
        self._connection.exec_driver_sql("DELETE FROM files WHERE path = ? AND line = ? AND code IS NOT NULL", places)

    def _keep(self, action: int, md5: str, content: dict[str, Any], part: int = 0) -> None:
        packed = gzip.compress(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"), 6, mtime=0)
        statement = insert(RemovedPaperRow).prefix_with("OR REPLACE")
        self._connection.execute(statement.values(action=action, md5=md5, part=part, content=packed))

    def _kept(self, action: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """What was taken out, paper by paper; their pairs come by `_parts`."""
        query = select(RemovedPaperRow.md5).where(_removed_by(action), RemovedPaperRow.part == 0)
        for md5 in self._connection.scalars(query.order_by(RemovedPaperRow.md5)).all():
            yield md5, self._part(action, md5, 0)

    def _parts(self, action: int, md5: str) -> Iterator[list[dict[str, Any]]]:
        query = select(RemovedPaperRow.part).where(_removed_by(action), RemovedPaperRow.md5 == md5)
        query = query.where(RemovedPaperRow.part > 0).order_by(RemovedPaperRow.part)
        for part in self._connection.scalars(query).all():
            yield self._part(action, md5, part)["pairs"]

    @translate_decoding_errors()
    def _part(self, action: int, md5: str, part: int) -> dict[str, Any]:
        query = select(RemovedPaperRow.content).where(_removed_by(action), RemovedPaperRow.md5 == md5)
        packed = self._connection.execute(query.where(RemovedPaperRow.part == part)).scalar_one()
        content: dict[str, Any] = json.loads(inflate(packed, _MOST))
        return content

    def _insert(self, table: str, rows: Sequence[dict[str, Any]], *, otherwise: str = "") -> None:
        if rows:
            names = [column.name for column in Base.metadata.tables[table].columns if column.name in rows[0]]
            statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))}) {otherwise}"
            self._connection.exec_driver_sql(statement, [tuple(row[name] for name in names) for row in rows])


def _removed_by(action: int) -> ColumnElement[bool]:
    return RemovedPaperRow.action == action


def _plain(row: Any) -> dict[str, Any]:  # of a row's mapping
    return {
        name: base64.b64encode(value).decode() if isinstance(value, bytes) else value for name, value in row.items()
    }
