"""Edits of papers by people: their metadata, as part of an action; and undo and redo of all that it did to papers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, func, insert, select

from storage.mining.runs import invalidate_from
from storage.pairs import paper_splits
from storage.papers.metadata import BY_HAND, LISTS, PaperMetadata
from storage.papers.removals import PaperRemovalStore
from storage.schema import ActionRow, PaperEventRow

_FIELDS = tuple(PaperMetadata.__annotations__)
_SOURCE_OF = "source of "  # before a field's name: the event about its source
_EDITED = "edited"  # the event about the names of the fields that people have set
_ADDED, _THERE = "added", "[1]"  # the event about the paper itself, and its value
_LISTED = "md5 IN (SELECT value FROM json_each(:md5s))"

_LOG_FIELD = f"""
    INSERT INTO paper_events (md5, field, old, new, action)
    SELECT md5, :field, json_array({{column}}), :new, :action FROM papers WHERE {_LISTED} AND {{column}} IS NOT :value
"""
_ALL_EDITED = """(
    SELECT json_group_array(value) FROM (
        SELECT value FROM json_each(edited) UNION SELECT value FROM json_each(:fields) ORDER BY 1
    )
)"""
_ALL_CONFIRMED = _ALL_EDITED.replace(":fields", "to_check")
_LOG_EDITED = f"""
    INSERT INTO paper_events (md5, field, old, new, action)
    SELECT md5, '{_EDITED}', edited, {{fields}}, :action FROM papers WHERE {_LISTED} AND edited != {{fields}}
"""

_LOG_SOURCE = f"""
    INSERT INTO paper_events (md5, field, old, new, action)
    SELECT md5, :event, json_array(sources ->> :path), json_array(:source), :action FROM papers
    WHERE {_LISTED} AND (sources ->> :path) IS NOT :source
"""
_SET_SOURCE = f"UPDATE papers SET sources = json_set(sources, :path, :source) WHERE {_LISTED}"

# A value that was changed again since the action stays.
_LOG_REVERSAL = """
    INSERT INTO paper_events (md5, field, old, new, action)
    SELECT md5, field, new, old, :reversal FROM paper_events WHERE action = :action ORDER BY id DESC
"""
_RESTORE_FIELD = """
    UPDATE papers SET {column} = json_extract(e.{to}, '$[0]') FROM paper_events e
    WHERE e.md5 = papers.md5 AND e.action = :action AND e.field = '{column}'
        AND papers.{column} IS json_extract(e.{from_}, '$[0]')
"""
_RESTORE_SOURCE = """
    UPDATE papers SET sources = json_patch(sources, json_object('{field}', json_extract(e.{to}, '$[0]')))
    FROM paper_events e
    WHERE e.md5 = papers.md5 AND e.action = :action AND e.field = '{event}'
        AND (sources ->> '$.{field}') IS json_extract(e.{from_}, '$[0]')
"""
# An action may have added names several times: from before the first of these events, or after the last.
_RESTORE_EDITED = f"""
    UPDATE papers SET edited = e.{{to}} FROM (
        SELECT first.md5, first.old, last.new FROM (
            SELECT min(id) AS first, max(id) AS last FROM paper_events
            WHERE action = :action AND field = '{_EDITED}' GROUP BY md5
        ) AS ids JOIN paper_events first ON first.id = ids.first JOIN paper_events last ON last.id = ids.last
    ) e WHERE papers.md5 = e.md5 AND papers.edited = e.{{from_}}
"""


class PaperEditStore:
    """Edits of papers, with undo and redo."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._removals = PaperRemovalStore(connection)

    def edit(self, action: int, md5s: Sequence[str], changes: PaperMetadata, source: str = BY_HAND) -> int:
        """Set metadata of papers, as part of `action`; no later parse overwrites it. Returns how many were changed.

        source: where the values come from. Changes nothing and returns 0 if all papers have these values already. An
        action may edit several times; it then returns how many it has changed in all.
        """
        self._set_values(action, md5s, changes)
        if changed := self._count_changed(action):
            self._set_sources(action, md5s, changes, source)
            self._refresh_splits(md5s)
            self._mine_other_languages_again(action)
        return changed

    def edit_each(self, action: int, changes_of: Mapping[str, PaperMetadata], source: str) -> int:
        """Set other metadata of each paper, by MD5, as part of `action`; no later parse overwrites it.

        Values that the papers have already come from `source` now, too. Returns how many papers the action has changed.
        """
        for md5, changes in changes_of.items():
            self._set_values(action, [md5], changes)
            self._set_sources(action, [md5], changes, source)
        self._refresh_splits(list(changes_of))
        self._mine_other_languages_again(action)
        return self._count_changed(action)

    def _set_values(self, action: int, md5s: Sequence[str], changes: PaperMetadata) -> None:
        named = {"md5s": json.dumps(list(md5s)), "action": action}
        for field, new in changes.items():
            assert field in _FIELDS
            value = json.dumps(new, ensure_ascii=False) if field in LISTS else new
            parameters = {**named, "field": field, "value": value, "new": json.dumps([value], ensure_ascii=False)}
            self._connection.exec_driver_sql(_LOG_FIELD.format(column=field), parameters)
            self._connection.exec_driver_sql(f"UPDATE papers SET {field} = :value WHERE {_LISTED}", parameters)

    def _set_sources(self, action: int, md5s: Sequence[str], changes: PaperMetadata, source: str) -> None:
        """Save where the values of these fields come from, and that no parse may overwrite them."""
        named = {"md5s": json.dumps(list(md5s)), "action": action, "fields": json.dumps(list(changes))}
        for field in changes:
            stated = {**named, "event": _SOURCE_OF + field, "path": f"$.{field}", "source": source}
            self._connection.exec_driver_sql(_LOG_SOURCE, stated)
            self._connection.exec_driver_sql(_SET_SOURCE, stated)
        self._connection.exec_driver_sql(_LOG_EDITED.format(fields=_ALL_EDITED), named)
        self._connection.exec_driver_sql(f"UPDATE papers SET edited = {_ALL_EDITED} WHERE {_LISTED}", named)

    def confirm(self, action: int, md5s: Sequence[str]) -> int:
        """Save that a person confirmed all fields to be checked of these papers, as part of `action`.

        Returns of how many papers something was to be checked. No later parse overwrites the fields.
        """
        named = {"md5s": json.dumps(list(md5s)), "action": action}
        self._connection.exec_driver_sql(_LOG_EDITED.format(fields=_ALL_CONFIRMED), named)
        self._connection.exec_driver_sql(f"UPDATE papers SET edited = {_ALL_CONFIRMED} WHERE {_LISTED}", named)
        return self._count_changed(action)

    def _count_changed(self, action: int) -> int:
        count = select(func.count(PaperEventRow.md5.distinct())).where(PaperEventRow.action == action)
        return self._connection.execute(count).scalar_one()

    def note_added(self, action: int, md5s: Iterable[str]) -> None:
        """Record that `action` has added these papers, such that `undo` takes them away again."""
        values = [{"md5": md5, "field": _ADDED, "old": None, "new": _THERE, "action": action} for md5 in md5s]
        if values:
            self._connection.execute(insert(PaperEventRow), values)

    def undo(self, action: int, reversal: int) -> str:
        """Undo what `action` did to papers, as part of `reversal`. Returns what could not be undone, in a sentence."""
        self._reverse_edits(action, reversal, to="old", from_="new")
        if added := self._added(action):
            self._removals.remove(reversal, added)
        return self._removals.restore(action)

    def redo(self, action: int, reversal: int) -> str:
        """Redo what `action` did to papers, as part of `reversal`."""
        self._reverse_edits(action, reversal, to="new", from_="old")
        if self._added(action):  # the latest undo has removed it
            last = select(func.max(ActionRow.id)).where(ActionRow.reverses == action, ActionRow.id < reversal)
            return self._removals.restore(self._connection.execute(last).scalar_one())
        self._removals.redo(action)
        return ""

    def _reverse_edits(self, action: int, reversal: int, *, to: str, from_: str) -> None:
        fields = self._connection.scalars(select(PaperEventRow.field).where(PaperEventRow.action == action).distinct())
        for event in fields.all():
            field = event.removeprefix(_SOURCE_OF)
            if field not in (*_FIELDS, _EDITED):
                continue
            if field == _EDITED:
                statement = _RESTORE_EDITED.format(to=to, from_=from_)
            else:
                statement = _RESTORE_FIELD if field == event else _RESTORE_SOURCE
                statement = statement.format(column=field, field=field, event=event, to=to, from_=from_)
            self._connection.exec_driver_sql(statement, {"action": action})
        parameters = {"action": action, "reversal": reversal}
        swapped = _LOG_REVERSAL if to == "old" else _LOG_REVERSAL.replace("new, old, :reversal", "old, new, :reversal")
        self._connection.exec_driver_sql(swapped, parameters)
        edited = select(PaperEventRow.md5).where(PaperEventRow.action == action).distinct()
        self._refresh_splits(self._connection.scalars(edited).all())
        self._mine_other_languages_again(action)

    def _added(self, action: int) -> Sequence[str]:
        """The MD5s of the papers that an action has added, in order."""
        is_added = (PaperEventRow.field == _ADDED, PaperEventRow.new == _THERE)
        query = select(PaperEventRow.md5).where(PaperEventRow.action == action, *is_added)
        return self._connection.scalars(query.order_by(PaperEventRow.md5)).all()

    def _refresh_splits(self, md5s: Sequence[str]) -> None:
        """Assign papers again whose domain or year has changed."""
        ids = self._connection.exec_driver_sql(
            f"SELECT id FROM papers WHERE {_LISTED}", {"md5s": json.dumps(list(md5s))}
        )
        paper_splits.refresh_papers(self._connection, ids.scalars().all())

    def _mine_other_languages_again(self, action: int) -> None:
        """Have papers mined again from the first one whose language the action has changed."""
        of_language = (PaperEventRow.action == action, PaperEventRow.field == "language")
        if (md5 := self._connection.scalar(select(func.min(PaperEventRow.md5)).where(*of_language))) is not None:
            invalidate_from(self._connection, md5)
