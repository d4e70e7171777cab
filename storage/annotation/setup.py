"""Decisions about the project, as parts of actions that can be undone: people, targets, the rules of gold, rounds,
which experiments are forgotten, and what was removed as a whole (`removals`).

What an action changed is found by comparing the decisions before and after it. `setup_events` holds each change, under
a subject: "setting KEY" with the value, "role KEY" and "name KEY" of an annotator, "person KEY" with both of an
annotator who was added, "round UID" with whether the round is open,
"annotators UID" with those who answer a round that asks for kinds, which others may join, "experiment ID" with
whether it is forgotten, or "papers MD5 MD5" with what two papers are to each other (`storage.papers.decisions`). What
is older than its action, or was decided otherwise since, stays; so does all else that the action has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from storage.annotation.annotation_rounds import ANNOTATION_ROUNDS, AnnotationRoundStore, RoundAsks
from storage.annotation.annotators import ANNOTATORS, Annotator, AnnotatorStore, Role, clean_name
from storage.annotation.event_times import IS_OWN
from storage.annotation.removals import (
    COLUMNS,
    LIST,
    is_removable,
    list_content,
    present_subjects,
    remove,
    replace_list,
    restore,
)
from storage.errors import translate_decoding_errors
from storage.pairs import paper_splits
from storage.pairs.annotated_neutrals import HISTORIES as PAIR_HISTORIES
from storage.pairs.selection import ProgressCallback
from storage.papers.decisions import decisions
from storage.schema import SettingRow, SetupEventRow
from storage.sql import insert_rows

_SETTINGS = ("gold", "gold everywhere", "split", "targets")  # keys of `storage.settings`
_SETTING, _ROLE, _NAME, _PERSON = "setting", "role", "name", "person"
_ROUND, EXPERIMENT = "round", "experiment"
_ANNOTATORS = "annotators"
REGROUPING = frozenset((_SETTING, _ROUND, LIST, COLUMNS))
"""The kinds of decisions after which other pairs are in a split, a round or a list, or have other predictions."""
_CHANGED_STATUS = (
    f"{_SETTING} gold",
    f"{_SETTING} split",
    _ROLE,
    _ROUND,
)  # how the subjects begin that the status of pairs depends on

_INSERT_SETTING = (
    "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_IS_WAITED_FOR = """
    WITH parts AS (
        SELECT * FROM assignments
        WHERE round = :round AND annotator NOT IN (SELECT value FROM json_each(:kept))
    )
    SELECT EXISTS (SELECT 1 FROM parts WHERE state <> 'open') OR EXISTS (
        SELECT 1 FROM parts CROSS JOIN annotation_round_pairs AS drawn ON drawn.round = parts.round
        CROSS JOIN {events} AS e ON e.pair_key = drawn.pair_key AND e.annotator = parts.annotator
        WHERE e.new IS NOT NULL AND (e.at >= :created_at OR (e.action > :drawn_in AND {is_own})) AND e.id = (
            SELECT max(id) FROM {events} WHERE pair_key = e.pair_key AND annotator = e.annotator
        )
    )
"""
_DRAWN_IN = "SELECT min(action) FROM setup_events WHERE subject = ?"
_LEAVE_IN_REVIEW = "DELETE FROM rounds WHERE pair_order = 'assigned' AND number = ?"
_ROUND_ANNOTATORS = f"""
    SELECT uid, json_group_array(annotator) FROM (
        SELECT annotation_rounds.uid, annotator FROM assignments
        JOIN annotation_rounds ON annotation_rounds.id = round WHERE asks = '{RoundAsks.KINDS}' ORDER BY 1, 2
    ) GROUP BY uid
"""
_REMOVE_ANNOTATORS = """
    DELETE FROM assignments WHERE round = (SELECT id FROM annotation_rounds WHERE uid = ?)
        AND annotator NOT IN (SELECT value FROM json_each(?))
"""
_REMOVED_ROUND = """
    SELECT old FROM setup_events WHERE subject = ? AND new IS NULL AND json_extract(old, '$.pairs') IS NOT NULL
    ORDER BY id DESC LIMIT 1
"""
# What was undone, and the undo itself, is no work.
_HAS_OTHER_WORK = f"""
    SELECT EXISTS (SELECT 1 FROM assignments WHERE annotator = :key) OR {
    " OR ".join(
        f"EXISTS (SELECT 1 FROM {table} WHERE annotator = :key AND (action IS NULL OR action NOT IN ("
        "SELECT id FROM actions WHERE id = :action OR state <> 'done')))"
        for table in PAIR_HISTORIES
    )
}
"""
_Change = tuple[str, str | None, str | None]  # a subject, with what it is expected to be now, and is to be
_ADDED = "true"
_STAYED = "Something was decided otherwise meanwhile, and all stayed as now."


class SetupStore:
    """Records decisions about annotation, and reverses them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @contextmanager
    def recording(self, action: int) -> Iterator[None]:
        """Record what changes within the block as part of `action`."""
        before = self._decisions()
        yield
        after = self._decisions()
        for subject in sorted({*before, *after}):
            old, new = before.get(subject), after.get(subject)
            kind, _, key = subject.partition(" ")
            if old is None and kind == _ROLE:
                self.note_person(action, AnnotatorStore(self._connection).get(key))
            elif old != new and not (old is None and kind == _NAME):
                self._log(action, subject, old, new)

    def remove(self, action: int, subject: str) -> None:
        """Remove something of `removals` as part of an action."""
        self._log(action, subject, remove(self._connection, subject), None)

    def note_added(self, action: int, subject: str) -> None:
        """Record as part of an action that something of `removals` was added."""
        self._log(action, subject, None, _ADDED)

    def note_replaced(self, action: int, subject: str, old: str, new: str) -> None:
        """Record as part of an action that a list was replaced; old, new: its contents (JSON)."""
        self._log(action, subject, old, new)

    def note_person(self, action: int, person: Annotator) -> None:
        """Record as part of an action that this annotator was added. They stay if they have done anything else."""
        self._log(action, f"{_PERSON} {person.key}", None, json.dumps([person.name, person.role]))

    def has_events(self, action: int) -> bool:
        """Whether an action has changed a decision."""
        query = "SELECT EXISTS (SELECT 1 FROM setup_events WHERE action = ?)"
        return bool(self._connection.exec_driver_sql(query, (action,)).scalar_one())

    @translate_decoding_errors()
    def reverse(self, action: int, reversal: int, tick: ProgressCallback, *, undo: bool) -> tuple[frozenset[str], str]:
        """Undo or redo the decisions of `action`, all or none, as part of `reversal`, and derive the pairs' status.

        What kinds of subjects changed; and why none did, in a sentence.
        """
        query = select(SetupEventRow.subject, SetupEventRow.old, SetupEventRow.new)
        rows = self._connection.execute(query.where(SetupEventRow.action == action).order_by(SetupEventRow.id)).all()
        changes: list[_Change] = [(subject, old, new) for subject, old, new in rows]
        if undo:  # the last one first: a round before those who were added for it
            changes = [(subject, new, old) for subject, old, new in reversed(changes)]
        if not changes:
            return frozenset(), ""
        if why_not := self._why_not(changes, action):
            return frozenset(), why_not
        for subject, expected, wanted in changes:
            removed = self._apply(subject, wanted, action)
            self._log(reversal, subject, removed or expected, wanted)
        if any(subject == f"{_SETTING} split" for subject, _, _ in changes):
            paper_splits.refresh_all(self._connection, judges=False)
        if any(subject.startswith(_CHANGED_STATUS) or _gives_role(subject, wanted) for subject, _, wanted in changes):
            AnnotatorStore(self._connection).refresh_statuses(tick)
        return frozenset(subject.partition(" ")[0] for subject, _, _ in changes), ""

    def _why_not(self, changes: Sequence[_Change], action: int) -> str:
        """Why these changes of an action cannot be made, in a sentence; "" if they can."""
        present = self._decisions()
        there = present_subjects(self._connection)
        for subject, expected, wanted in changes:
            kind, _, key = subject.partition(" ")
            if expected is not None and wanted is not None and kind == LIST:
                is_as_expected = list_content(self._connection, key) == expected
            elif is_removable(subject):
                is_as_expected = (subject in there) == (expected is not None)
            else:
                is_as_expected = kind == _PERSON or present.get(subject) == expected
            if not is_as_expected:
                return _STAYED
            if kind in (_NAME, _PERSON) and wanted is not None:
                name = json.loads(wanted) if kind == _NAME else json.loads(wanted)[0]
                if taken := self._name_taken_by(name, key):
                    return f"{taken} is the name of somebody else by now, and all stayed as now."
            takes_back = (kind == _ROUND and wanted is None) or (kind == _ANNOTATORS and wanted is not None)
            if takes_back and (reason := self._why_kept(subject, wanted or "[]")):
                return reason
        if all(
            subject.startswith(_PERSON) and wanted is None and self._has_other_work(subject.partition(" ")[2], action)
            for subject, _, wanted in changes
        ):
            return "They have answers, or pairs to answer, and stay."
        return ""

    def _decisions(self) -> dict[str, str | None]:
        """The present decisions (JSON) by subject."""
        settings = select(SettingRow.key, SettingRow.value).where(SettingRow.key.in_(_SETTINGS))
        found: dict[str, str | None] = {f"{_SETTING} {key}": value for key, value in self._connection.execute(settings)}
        for key, name, role in self._connection.execute(select(ANNOTATORS.c.key, ANNOTATORS.c.name, ANNOTATORS.c.role)):
            found[f"{_ROLE} {key}"] = json.dumps(role)
            found[f"{_NAME} {key}"] = json.dumps(name, ensure_ascii=False)
        for uid, is_open in self._connection.execute(select(ANNOTATION_ROUNDS.c.uid, ANNOTATION_ROUNDS.c.is_open)):
            found[f"{_ROUND} {uid}"] = json.dumps(bool(is_open))
        for uid, annotators in self._connection.exec_driver_sql(_ROUND_ANNOTATORS):
            found[f"{_ANNOTATORS} {uid}"] = annotators
        for id, forgotten in self._connection.exec_driver_sql("SELECT id, forgotten FROM experiments"):
            found[f"{EXPERIMENT} {id}"] = json.dumps(bool(forgotten))
        return found | decisions(self._connection)

    def _log(self, action: int, subject: str, old: str | None, new: str | None) -> None:
        self._connection.execute(insert(SetupEventRow).values(subject=subject, old=old, new=new, action=action))

    def _apply(self, subject: str, wanted: str | None, action: int) -> str | None:
        """Apply this decision of an action, and return the contents (JSON) of what it removes."""
        kind, _, key = subject.partition(" ")
        if kind == LIST and wanted is not None and list_content(self._connection, key) is not None:
            replace_list(self._connection, key, wanted)
        elif is_removable(subject):
            if wanted is None:
                return remove(self._connection, subject)
            restore(self._connection, subject, action)
        elif kind == _SETTING and key in _SETTINGS:
            self._connection.execute(delete(SettingRow).where(SettingRow.key == key))
            if wanted is not None:
                self._connection.exec_driver_sql(_INSERT_SETTING, (key, wanted))
        elif kind == _ROLE and wanted is not None:
            role = Role(json.loads(wanted))
            self._connection.execute(update(ANNOTATORS).where(ANNOTATORS.c.key == key).values(role=role))
        elif kind == _NAME and wanted is not None:
            name = clean_name(json.loads(wanted))
            self._connection.execute(update(ANNOTATORS).where(ANNOTATORS.c.key == key).values(name=name))
        elif kind == _PERSON:
            self._apply_person(key, wanted, action)
        elif kind == EXPERIMENT and wanted is not None:
            forgotten = json.loads(wanted) is True
            self._connection.exec_driver_sql("UPDATE experiments SET forgotten = ? WHERE id = ?", (forgotten, int(key)))
        elif kind == _ANNOTATORS and wanted is not None:
            self._set_annotators(key, json.loads(wanted))
        elif kind == _ROUND and wanted is None:
            return self._remove_round(key)
        elif kind == _ROUND:
            if self._round(key) is None:
                self._restore_round(subject)
            is_open = json.loads(wanted or "true") is True
            self._connection.execute(
                update(ANNOTATION_ROUNDS).where(ANNOTATION_ROUNDS.c.uid == key).values(is_open=is_open)
            )
        return None

    def _name_taken_by(self, name: str, key: str) -> str:
        """The name of another annotator than this one who has this name, in upper or lower case; "" if nobody has."""
        other = AnnotatorStore(self._connection).find(name)
        return other.name if other is not None and other.key != key else ""

    def _has_other_work(self, annotator: str, action: int) -> bool:
        """Whether an annotator is in a round, or has done anything that was not undone, but by this action."""
        parameters = {"key": annotator, "action": action}
        return bool(self._connection.exec_driver_sql(_HAS_OTHER_WORK, parameters).scalar_one())

    def _apply_person(self, key: str, wanted: str | None, action: int) -> None:
        """Remove an annotator whom an action has added, unless there is other work of theirs; or add them again."""
        if wanted is None:
            if not self._has_other_work(key, action):
                self._connection.execute(delete(ANNOTATORS).where(ANNOTATORS.c.key == key))
            return
        name, role = json.loads(wanted)
        values = {"key": key, "name": clean_name(name), "role": Role(role)}
        self._connection.execute(insert(ANNOTATORS).prefix_with("OR IGNORE").values(values))

    def _set_annotators(self, uid: str, annotators: list[str]) -> None:
        """Let these answer a round and nobody else; a round that is to be restored gets them with its content."""
        rounds = AnnotationRoundStore(self._connection)
        if (round := rounds.find(uid)) is None:
            return
        self._connection.exec_driver_sql(_REMOVE_ANNOTATORS, (uid, json.dumps(annotators)))
        for annotator in annotators:
            rounds.assign(round.number, annotator)

    def _why_kept(self, subject: str, kept: str) -> str:
        """Why the round cannot be taken back, or those who are not `kept` (JSON) cannot leave it; "" if they can."""
        row = self._round(subject.partition(" ")[2])
        if row is None:
            return ""
        drawn_in = self._connection.exec_driver_sql(_DRAWN_IN, (f"{_ROUND} {row['uid']}",)).scalar()
        values = {"round": row["id"], "created_at": row["created_at"], "drawn_in": drawn_in, "kept": kept}
        events = "kind_events" if row["asks"] == RoundAsks.KINDS else "label_events"
        statement = _IS_WAITED_FOR.format(events=events, is_own=IS_OWN)
        if not self._connection.exec_driver_sql(statement, values).scalar_one():
            return ""
        return f"Round {row['number']} has answers or was sent, so it stays. It can be closed instead."

    def _round(self, uid: str) -> dict[str, Any] | None:
        row = self._connection.exec_driver_sql("SELECT * FROM annotation_rounds WHERE uid = ?", (uid,)).mappings()
        found = row.first()
        return None if found is None else dict(found)

    def _remove_round(self, uid: str) -> str:
        """Delete a round; its content (JSON)."""
        row = self._round(uid)
        assert row is not None
        content: dict[str, Any] = {"round": row}
        for name, table in (("pairs", "annotation_round_pairs"), ("assignments", "assignments")):
            rows = self._connection.exec_driver_sql(f"SELECT * FROM {table} WHERE round = ?", (row["id"],)).mappings()
            content[name] = [dict(one) for one in rows]
        self._connection.exec_driver_sql(_LEAVE_IN_REVIEW, (row["number"],))
        self._connection.execute(delete(ANNOTATION_ROUNDS).where(ANNOTATION_ROUNDS.c.uid == uid))
        return json.dumps(content)

    def _restore_round(self, subject: str) -> None:
        """Insert a round that was removed, with a number of its own."""
        content = json.loads(self._connection.exec_driver_sql(_REMOVED_ROUND, (subject,)).scalar_one())
        last = "SELECT coalesce(max({0}), 0) + 1 FROM annotation_rounds"
        id, number = (self._connection.exec_driver_sql(last.format(name)).scalar_one() for name in ("id", "number"))
        here = {"round": id, "checksum": None}  # of other numbers
        round = content["round"] | {"id": id, "number": number, "checksum": None}
        insert_rows(self._connection, "annotation_rounds", [round])
        insert_rows(self._connection, "annotation_round_pairs", [pair | here for pair in content["pairs"]])
        own = [one | here for one in content["assignments"]]
        for one in own:
            del one["id"]
        insert_rows(self._connection, "assignments", own)


def _gives_role(subject: str, wanted: str | None) -> bool:
    """Whether somebody comes back whose answers are no votes, though they counted as such until now."""
    return subject.startswith(_PERSON) and wanted is not None and json.loads(wanted)[1] != Role.ANNOTATOR
