"""What each person did, step by step, so that it can be undone and done again, also after a restart."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, update

from storage.annotation.answer_context import AnswerContext
from storage.errors import translate_decoding_errors
from storage.pairs import status
from storage.pairs.selection import ProgressCallback, SelectionStore
from storage.pairs.status import PairScope
from storage.papers.edits import PaperEditStore
from storage.schema import ActionRow

MAX_LISTED_KEYS = 1000  # pairs that an action names; of more, only how many


class UndoState(StrEnum):
    """DROPPED: undone for good, since something else was done. REVERSAL: an undo or redo itself."""

    DONE = "done"
    UNDONE = "undone"
    DROPPED = "dropped"
    REVERSAL = "reversal"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person did."""

    id: int
    at: datetime
    annotator: str
    title: str
    state: UndoState


@dataclass(frozen=True, slots=True)
class ReversalResult:
    """An action undone or done again: how many pairs it was about, the first of them, and whether papers changed.

    `title` says too what could not be undone.
    """

    title: str
    count: int
    keys: tuple[str, ...]
    papers: bool


# `+action`: by the index on actions SQLite would go through all of a bulk action's events for each of them.
# The earliest event of an action about a pair says what held before it, the latest what held after it.
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
_VIA_BEFORE = """coalesce((
    SELECT via FROM label_events
    WHERE pair_key = e.pair_key AND annotator = e.annotator AND id < e.id ORDER BY id DESC LIMIT 1
), 'answer')"""
_CHANGED_KEYS = """
    SELECT pair_key AS key FROM label_events WHERE action = :action
    UNION SELECT pair_key FROM mark_events WHERE action = :action
"""
_CHANGES_PAPERS = """
    SELECT EXISTS (SELECT 1 FROM paper_events WHERE action = :action)
        OR EXISTS (SELECT 1 FROM removed_papers WHERE action = :action)
"""


def _ignore_progress(done: int, total: int) -> None:
    """Nobody asked how far it is."""


class ActionStore:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        # What actions that have begun in this transaction made undone for good, by their ids.
        self._dropped: dict[int, list[int]] = {}

    def begin(self, annotator: str, title: str, at: datetime) -> int:
        """Enter a new action; its id goes with every event of it. What the person had undone is undone for good."""
        drop = (
            update(ActionRow)
            .where(_is_own(annotator), ActionRow.state == UndoState.UNDONE)
            .values(state=UndoState.DROPPED)
        )
        dropped = list(self._connection.scalars(drop.returning(ActionRow.id)))
        action = self._enter(annotator, title, at, UndoState.DONE, None)
        self._dropped[action] = dropped
        return action

    def is_done(self, action: int) -> bool:
        """Whether the action is done and was not taken back."""
        return self._connection.scalar(select(ActionRow.state).where(ActionRow.id == action)) == UndoState.DONE

    def discard(self, action: int) -> None:
        """The action that has begun in this transaction came to nothing: what can be undone and redone is as before."""
        self._connection.execute(delete(ActionRow).where(ActionRow.id == action))
        for id in self._dropped.pop(action):
            self._set_state(id, UndoState.UNDONE)

    def undo(self, annotator: str, at: datetime, tick: ProgressCallback = _ignore_progress) -> ReversalResult | None:
        """Take back the last thing the person did that still holds; None when there is none."""
        row = self._last_done(annotator)
        return None if row is None else self._reverse(annotator, row.id, row.title, at, tick, undo=True)

    def redo(self, annotator: str, at: datetime, tick: ProgressCallback = _ignore_progress) -> ReversalResult | None:
        """Do again what was undone last; None when there is nothing, or something new was done since."""
        row = self._first_undone(annotator)
        return None if row is None else self._reverse(annotator, row.id, row.title, at, tick, undo=False)

    def undo_title(self, annotator: str) -> str | None:
        """What `undo` would undo."""
        row = self._last_done(annotator)
        return row and row.title

    def redo_title(self, annotator: str) -> str | None:
        """What `redo` would do again."""
        row = self._first_undone(annotator)
        return row and row.title

    @translate_decoding_errors()
    def recent(self, annotator: str, limit: int = 50) -> list[Action]:
        """What the person did, latest first, undone things too."""
        query = select(ActionRow.__table__).where(
            ActionRow.annotator == annotator, ActionRow.state != UndoState.REVERSAL
        )
        rows = self._connection.execute(query.order_by(ActionRow.id.desc()).limit(limit))
        return [
            Action(row.id, datetime.fromisoformat(row.at), row.annotator, row.title, UndoState(row.state))
            for row in rows
        ]

    def _reverse(
        self, annotator: str, action: int, title: str, at: datetime, tick: ProgressCallback, *, undo: bool
    ) -> ReversalResult:
        reversal = self._enter(annotator, title, at, UndoState.REVERSAL, action)
        value, which = ("old", "min") if undo else ("new", "max")
        parameters = {"action": action, "reversal": reversal, "at": _utc_text(at)}
        seen = AnswerContext(undo=action) if undo else AnswerContext(redo=action)
        answers = {**parameters, "seen": seen.to_json()}
        via = _VIA_BEFORE if undo else "via"
        self._connection.exec_driver_sql(_REVERSE_ANSWERS.format(value=value, which=which, via=via), answers)
        self._connection.exec_driver_sql(_REVERSE_MARKS.format(value=value, which=which), parameters)
        touched = PairScope(_CHANGED_KEYS, {"action": reversal})
        count = self._connection.exec_driver_sql(
            f"SELECT count(*) FROM ({_CHANGED_KEYS})", touched.parameters
        ).scalar_one()
        if count > MAX_LISTED_KEYS:
            SelectionStore(self._connection).of_scope(touched).refresh(tick)
        else:
            status.refresh_scope(self._connection, touched)
        keys = self._connection.exec_driver_sql(
            f"{_CHANGED_KEYS} LIMIT {MAX_LISTED_KEYS}", touched.parameters
        ).scalars()
        note = ""
        papers = bool(self._connection.exec_driver_sql(_CHANGES_PAPERS, {"action": action}).scalar_one())
        if papers:
            edits = PaperEditStore(self._connection)
            note = (edits.undo if undo else edits.redo)(action, reversal)
        self._set_state(action, UndoState.UNDONE if undo else UndoState.DONE)
        return ReversalResult(f"{title}. {note}" if note else title, count, tuple(keys), papers)

    def _enter(self, annotator: str, title: str, at: datetime, state: UndoState, reverses: int | None) -> int:
        values = {"at": _utc_text(at), "annotator": annotator, "title": title, "state": state, "reverses": reverses}
        return self._connection.execute(insert(ActionRow).values(**values).returning(ActionRow.id)).scalar_one()

    def _set_state(self, action: int, state: UndoState) -> None:
        self._connection.execute(update(ActionRow).where(ActionRow.id == action).values(state=state))

    def _last_done(self, annotator: str) -> Row[int, str] | None:
        query = select(ActionRow.id, ActionRow.title).where(_is_own(annotator), ActionRow.state == UndoState.DONE)
        return self._connection.execute(query.order_by(ActionRow.id.desc()).limit(1)).first()

    def _first_undone(self, annotator: str) -> Row[int, str] | None:
        query = select(ActionRow.id, ActionRow.title).where(_is_own(annotator), ActionRow.state == UndoState.UNDONE)
        return self._connection.execute(query.order_by(ActionRow.id).limit(1)).first()


def _is_own(annotator: str) -> ColumnElement[bool]:
    """What was done before anybody said who they are is everybody's."""
    return ActionRow.annotator.in_((annotator, ""))


def _utc_text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
