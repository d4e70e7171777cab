"""The actions of each annotator, with undo and redo, also after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from storage.annotation.answer_context import AnswerContext
from storage.annotation.kinds import KindStore
from storage.annotation.removals import LIST, list_content, present_subjects
from storage.annotation.sent_assignments import refresh_merged
from storage.annotation.setup import EXPERIMENT, REGROUPING, SetupStore
from storage.convert import utc_text
from storage.integrity.history_chain import HISTORIES
from storage.pairs import judgement, mended_texts
from storage.pairs.judgement import PairScope
from storage.pairs.selection import ProgressCallback, SelectionStore
from storage.papers.edits import PaperEditStore
from storage.schema import ActionRow

_TABLES = (*HISTORIES, "merged_answers")
_HAS_EVENTS = "SELECT " + " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE action = :action)" for table in _TABLES)

MAX_LISTED_KEYS = 1000  # the result of an action lists the keys of its first pairs only


class UndoState(StrEnum):
    """DONE and UNDONE can be undone or redone. DROPPED: undone for good, because another action followed.

    REVERSAL: the undo or redo itself.
    """

    DONE = "done"
    UNDONE = "undone"
    DROPPED = "dropped"
    REVERSAL = "reversal"


@dataclass(frozen=True, slots=True)
class ReversalResult:
    """The result of undo or redo. title: of the action, and what could not be undone or redone.

    count: the number of pairs that changed. keys: the first of them. papers, texts, setup: whether papers, sentences of
    pairs, or decisions about annotation (`storage.annotation.setup`) changed. experiments: which there are. groups:
    which pairs are in a split, a round or a list.
    """

    title: str
    count: int
    keys: tuple[str, ...]
    papers: bool
    texts: bool
    setup: bool = False
    experiments: bool = False
    groups: bool = False


# `+action` keeps SQLite from the index on actions, by which it would read all events of a bulk action for each of them.
# The first event of an action on a pair has the value before it, the last one the value after it.
_REVERSE_ANSWERS = """
    INSERT INTO label_events (pair_key, annotator, at, seen, old, new, action, via)
    SELECT pair_key, annotator, :at, :seen, (
            SELECT new FROM label_events
            WHERE pair_key = e.pair_key AND annotator = e.annotator ORDER BY id DESC LIMIT 1
        ), {value}, :reversal, {via}
    FROM label_events e WHERE action = :action AND id = (
        SELECT {which}(id) FROM label_events
        WHERE pair_key = e.pair_key AND annotator = e.annotator AND +action = :action
    )
"""
_REVERSE_MARKS = """
    INSERT INTO mark_events (pair_key, annotator, at, kind, old, new, action)
    SELECT pair_key, annotator, :at, kind, (
            SELECT new FROM mark_events
            WHERE pair_key = e.pair_key AND kind = e.kind AND annotator = e.annotator ORDER BY id DESC LIMIT 1
        ), {value}, :reversal
    FROM mark_events e WHERE action = :action AND id = (
        SELECT {which}(id) FROM mark_events
        WHERE pair_key = e.pair_key AND kind = e.kind AND annotator = e.annotator AND +action = :action
    )
"""
# A sentence belongs to nobody: it stays as it is where it was mended again since. `{value}`, `{expected}`: what it is
# to be, and what it must be now; NULL is the mined text. `old` is what stands there, as far as the pair is there.
_REVERSE_TEXTS = """
    INSERT INTO text_events (pair_key, annotator, at, field, old, new, action)
    SELECT pair_key, :annotator, :at, field,
        coalesce((SELECT iif(e.field = 'premise', premise, hypothesis) FROM pairs WHERE key = e.pair_key), e.old),
        {value}, :reversal
    FROM text_events e WHERE action = :action AND id = (
        SELECT {which}(id) FROM text_events WHERE pair_key = e.pair_key AND field = e.field AND +action = :action
    ) AND {expected} IS (
        SELECT new FROM text_events WHERE pair_key = e.pair_key AND field = e.field ORDER BY id DESC LIMIT 1
    )
"""
_TEXT_BEFORE = """(
    SELECT new FROM text_events WHERE pair_key = e.pair_key AND field = e.field AND id < (
        SELECT min(id) FROM text_events WHERE pair_key = e.pair_key AND field = e.field AND +action = :action
    ) ORDER BY id DESC LIMIT 1
)"""
_TEXT_AFTER = """(
    SELECT new FROM text_events WHERE pair_key = e.pair_key AND field = e.field AND +action = :action
    ORDER BY id DESC LIMIT 1
)"""
_COUNT_TEXTS = "SELECT count(*) FROM (SELECT DISTINCT pair_key, field FROM text_events WHERE action = :action)"
_VIA_BEFORE = """coalesce((
    SELECT via FROM label_events
    WHERE pair_key = e.pair_key AND annotator = e.annotator AND id < e.id ORDER BY id DESC LIMIT 1
), 'answer')"""
_CHANGED_KEYS = """
    SELECT pair_key AS key FROM label_events WHERE action = :action
    UNION SELECT pair_key FROM mark_events WHERE action = :action
    UNION SELECT pair_key FROM text_events WHERE action = :action
    UNION SELECT pair_key FROM kind_events WHERE action = :action
"""
# By the reversals, the newest first: actions of the annotator and of nobody need not be undone in the order of ids.
_LAST_UNDONE = f"""
    WITH own AS (
        SELECT id, title FROM actions WHERE annotator IN (:annotator, '') AND state = '{UndoState.UNDONE}'
    )
    SELECT own.id, own.title FROM actions AS reversal CROSS JOIN own ON own.id = reversal.reverses
    WHERE reversal.id > (SELECT min(id) FROM own) ORDER BY reversal.id DESC LIMIT 1
"""
_CHANGES_PAPERS = """
    SELECT EXISTS (SELECT 1 FROM paper_events WHERE action = :action)
        OR EXISTS (SELECT 1 FROM removed_papers WHERE action = :action)
"""


def _ignore_progress(done: int, total: int) -> None:
    """For callers that show no progress."""


class ActionStore:
    """The actions of all annotators."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        # By action begun in this transaction: the actions that it dropped.
        self._dropped: dict[int, list[int]] = {}

    def begin(self, annotator: str, title: str, at: datetime) -> int:
        """Start an action and return its id, for its events. What the annotator has undone can no longer be redone."""
        drop = (
            update(ActionRow)
            .where(_is_own(annotator), ActionRow.state == UndoState.UNDONE)
            .values(state=UndoState.DROPPED)
        )
        dropped = list(self._connection.scalars(drop.returning(ActionRow.id)))
        action = self._insert(annotator, title, at, UndoState.DONE, None)
        self._dropped[action] = dropped
        return action

    @contextmanager
    def deciding(self, title: str, at: datetime) -> Iterator[None]:
        """Record decisions (`storage.annotation.setup`) within the block as an action, which anybody may undo."""
        setup = SetupStore(self._connection)
        action = self.begin("", title, at)
        with setup.recording(action):
            yield
        if not setup.has_events(action):
            self.discard(action)

    def remove(self, title: str, subject: str, at: datetime) -> None:
        """Remove something of `storage.annotation.removals` as an action, which anybody may undo."""
        SetupStore(self._connection).remove(self.begin("", title, at), subject)

    def note_added(self, title: str, subject: str, at: datetime) -> None:
        """Record that something of `storage.annotation.removals` was added, as an action, which anybody may undo."""
        SetupStore(self._connection).note_added(self.begin("", title, at), subject)

    @contextmanager
    def replacing_list(self, title: str, name: str, at: datetime) -> Iterator[None]:
        """Record as an action, which anybody may undo, that a list that was there gets other pairs within the block."""
        old = list_content(self._connection, name)
        yield
        new = list_content(self._connection, name)
        if old is not None and new is not None and old != new:
            action = self.begin("", title, at)
            SetupStore(self._connection).note_replaced(action, f"{LIST} {name}", old, new)

    def is_there(self, subject: str) -> bool:
        """Whether something of `storage.annotation.removals` is in the project."""
        return subject in present_subjects(self._connection)

    def is_done(self, action: int) -> bool:
        """Whether the action was not undone."""
        return self._connection.scalar(select(ActionRow.state).where(ActionRow.id == action)) == UndoState.DONE

    def discard(self, action: int) -> None:
        """Delete an action without events that began in this transaction; undo and redo are as before it."""
        self._connection.execute(delete(ActionRow).where(ActionRow.id == action))
        for id in self._dropped.pop(action):
            self._set_state(id, UndoState.UNDONE)

    def has_events(self, action: int) -> bool:
        """Whether an action has added to a history, or to what is kept of merged answers (`merge_ledger`)."""
        return bool(self._connection.exec_driver_sql(_HAS_EVENTS, {"action": action}).scalar_one())

    def discard_if_empty(self, action: int) -> bool:
        """`discard` an action that has no events; returns whether it was discarded."""
        if is_empty := not self.has_events(action):
            self.discard(action)
        return is_empty

    def undo(self, annotator: str, at: datetime, tick: ProgressCallback = _ignore_progress) -> ReversalResult | None:
        """Undo the annotator's last action that was not undone; None if there is none."""
        row = self._last_done(annotator)
        return None if row is None else self._reverse(annotator, row.id, row.title, at, tick, undo=True)

    def redo(self, annotator: str, at: datetime, tick: ProgressCallback = _ignore_progress) -> ReversalResult | None:
        """Redo the action that was undone last; None if there is none, or if another action followed."""
        row = self._last_undone(annotator)
        return None if row is None else self._reverse(annotator, row.id, row.title, at, tick, undo=False)

    def undo_title(self, annotator: str) -> str | None:
        """The title of the action that `undo` would undo; None if there is none."""
        row = self._last_done(annotator)
        return row and row.title

    def redo_title(self, annotator: str) -> str | None:
        """The title of the action that `redo` would redo; None if there is none."""
        row = self._last_undone(annotator)
        return row and row.title

    def _reverse(
        self, annotator: str, action: int, title: str, at: datetime, tick: ProgressCallback, *, undo: bool
    ) -> ReversalResult:
        reversal = self._insert(annotator, title, at, UndoState.REVERSAL, action)
        value, which = ("old", "min") if undo else ("new", "max")
        parameters = {"action": action, "reversal": reversal, "at": utc_text(at)}
        seen = AnswerContext(undo=action) if undo else AnswerContext(redo=action)
        answers = {**parameters, "seen": seen.to_json()}
        via = _VIA_BEFORE if undo else "via"
        self._connection.exec_driver_sql(_REVERSE_ANSWERS.format(value=value, which=which, via=via), answers)
        self._connection.exec_driver_sql(_REVERSE_MARKS.format(value=value, which=which), parameters)
        texts, note = self._reverse_texts(annotator, parameters, undo=undo)
        KindStore(self._connection).reverse(action, reversal, at, undo=undo)
        changed = PairScope(_CHANGED_KEYS, {"action": reversal})
        count = self._connection.exec_driver_sql(
            f"SELECT count(*) FROM ({_CHANGED_KEYS})", changed.parameters
        ).scalar_one()
        if count > MAX_LISTED_KEYS:
            SelectionStore(self._connection).of_scope(changed).refresh(tick)
        else:
            judgement.refresh_scope(self._connection, changed)
        listed = f"{_CHANGED_KEYS} LIMIT {MAX_LISTED_KEYS}"
        # All of them now: an open cursor would lock the tables that decisions are derived with.
        keys = tuple(self._connection.exec_driver_sql(listed, changed.parameters).scalars().all())
        papers = bool(self._connection.exec_driver_sql(_CHANGES_PAPERS, {"action": action}).scalar_one())
        if papers:
            edits = PaperEditStore(self._connection)
            note = (edits.undo if undo else edits.redo)(action, reversal) or note
        decided, why_not = SetupStore(self._connection).reverse(action, reversal, tick, undo=undo)
        self._set_state(action, UndoState.UNDONE if undo else UndoState.DONE)
        refresh_merged(self._connection, action)
        notes = ". ".join(filter(None, (title, note or why_not)))
        setup = bool(decided - {EXPERIMENT})
        groups = not decided.isdisjoint(REGROUPING)
        return ReversalResult(notes, count, keys, papers, texts, setup, EXPERIMENT in decided, groups)

    def _reverse_texts(self, annotator: str, parameters: dict[str, Any], *, undo: bool) -> tuple[bool, str]:
        """Whether sentences changed, and what could not be undone or redone."""
        value, expected = (_TEXT_BEFORE, _TEXT_AFTER) if undo else (_TEXT_AFTER, _TEXT_BEFORE)
        statement = _REVERSE_TEXTS.format(value=value, expected=expected, which="min" if undo else "max")
        changed = self._connection.exec_driver_sql(statement, {**parameters, "annotator": annotator}).rowcount
        all_texts = self._connection.exec_driver_sql(_COUNT_TEXTS, {"action": parameters["action"]}).scalar_one()
        if changed:
            keys = "SELECT DISTINCT pair_key FROM text_events WHERE action = :action"
            found = self._connection.exec_driver_sql(keys, {"action": parameters["reversal"]}).scalars().all()
            mended_texts.refresh(self._connection, found)
        return bool(changed), "" if changed == all_texts else "A sentence was mended again meanwhile and stayed as now."

    def _insert(self, annotator: str, title: str, at: datetime, state: UndoState, reverses: int | None) -> int:
        values = {"at": utc_text(at), "annotator": annotator, "title": title, "state": state, "reverses": reverses}
        return self._connection.execute(insert(ActionRow).values(**values).returning(ActionRow.id)).scalar_one()

    def _set_state(self, action: int, state: UndoState) -> None:
        self._connection.execute(update(ActionRow).where(ActionRow.id == action).values(state=state))

    def _last_done(self, annotator: str) -> Row[int, str] | None:
        query = select(ActionRow.id, ActionRow.title).where(_is_own(annotator), ActionRow.state == UndoState.DONE)
        return self._connection.execute(query.order_by(ActionRow.id.desc()).limit(1)).first()

    def _last_undone(self, annotator: str) -> Row[int, str] | None:
        return self._connection.exec_driver_sql(_LAST_UNDONE, {"annotator": annotator}).first()


def _is_own(annotator: str) -> ColumnElement[bool]:
    """The annotator's own actions, and those without an annotator, which anybody may undo."""
    return ActionRow.annotator.in_((annotator, ""))
