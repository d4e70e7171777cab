"""Merges the answers and marks that came back in an answer file into the histories of the project.

Of each pair, the annotator's latest answer by its time holds, wherever it was given; of answers given at the same time,
the last one in alphabetical order. What the annotator did in this project came after all that its history had then,
even where the clock had been set back: it counts as done behind that. All answers of a file are kept in a ledger,
`merged_answers`, so that merging the same files again adds nothing, and the answers that hold do not depend on the
order in which files are merged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection

from storage.annotation.answer_context import AnswerContext
from storage.annotation.answer_histories import HOLDS, AnswerHistory, GivenValue, HeldAnswer, answer_history
from storage.annotation.answers import AnswerSource
from storage.annotation.event_times import IS_OWN, event_time
from storage.annotation.marks import MarkKind
from storage.annotation.sent_assignments import refresh_merged
from storage.convert import utc_text
from storage.errors import translate_decoding_errors
from storage.pairs import judgement

_REFRESHED_AT_ONCE = 1000  # pairs
_SEEN_ELSEWHERE = AnswerContext(origin="answer file")


class ReturnedAnswer(NamedTuple):
    """An answer in an answer file; None withdraws an earlier one.

    answer: an `Answer`, or answers about kinds as `storage.annotation.kinds.answers_text` writes them. complete: no
    question is left. is_timed: somebody noted when it was given; otherwise the same answer of the same assignment,
    merged with another time, is not another one. source: an `AnswerSource`.
    """

    pair_key: str
    at: datetime
    answer: str | None
    seen: AnswerContext = _SEEN_ELSEWHERE
    complete: bool = True
    is_timed: bool = True
    source: str = AnswerSource.ANSWER.value


class ReturnedMark(NamedTuple):
    """A mark in an answer file; None removes an earlier one."""

    pair_key: str
    at: datetime
    kind: MarkKind
    value: str | None


class TimedAnswer(NamedTuple):
    """An answer, None where it was withdrawn, and when it was given."""

    at: datetime
    answer: GivenValue | None


class MergeConflict(NamedTuple):
    """A pair that an annotator has answered differently in two places. holds: the answer that counts now."""

    pair_key: str
    here: TimedAnswer
    there: TimedAnswer
    holds: GivenValue | None


@dataclass(frozen=True, slots=True)
class MergeCounts:
    """The result of merging a file, in pairs.

    answered: pairs that have a complete answer in the file. new: of these, answers that the project did not know;
    known: those that it did. agreeing: of the new ones, those that the annotator had answered in the same way
    elsewhere. conflicts: pairs with two different answers, also those that were found when the file was merged before.
    marks: how many flags, notes and bad pairs changed. changed: the pairs with another answer or mark than before.
    """

    answered: int
    new: int
    known: int
    agreeing: int
    conflicts: tuple[MergeConflict, ...]
    marks: int
    changed: tuple[str, ...]


_MARKS_HERE = f"""
    SELECT pair_key, kind, at, new, {HOLDS} AS holds, {IS_OWN} AS is_own FROM mark_events e
    WHERE pair_key IN (SELECT value FROM json_each(:keys)) AND annotator = :annotator ORDER BY id
"""
_LEDGER = f"""
    SELECT pair_key, at, answer, earlier, earlier_at FROM merged_answers e
    WHERE assignment = :assignment AND pair_key IN (SELECT value FROM json_each(:keys)) AND {HOLDS}
"""
_MERGED_TOGETHER = """
    SELECT at FROM merged_answers JOIN assignments ON assignments.id = assignment
    WHERE uid = :assignment AND (pair_key, answer) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:answers))
    GROUP BY at HAVING count(*) = :size ORDER BY at LIMIT 1
"""
_ASSIGNMENT = """
    SELECT assignments.id, taxonomy FROM assignments JOIN annotation_rounds ON annotation_rounds.id = round
    WHERE assignments.uid = ?
"""
# A file that is merged was sent before, even where the clock has been set back since.
_SENT_BEFORE = """
    UPDATE assignments SET sent_at = actions.at FROM actions
    WHERE assignments.id = ? AND actions.id = ? AND sent_at > actions.at
"""
# A row whose merging was undone is there already.
_INSERT_LEDGER = """
    INSERT INTO merged_answers (assignment, pair_key, at, answer, earlier, earlier_at, action)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (assignment, pair_key, at, answer) DO UPDATE
    SET earlier = excluded.earlier, earlier_at = excluded.earlier_at, action = excluded.action
"""
_INSERT_MARK = """
    INSERT INTO mark_events (pair_key, annotator, at, kind, old, new, action) VALUES (?, ?, ?, ?, ?, ?, ?)
"""


class _KnownAnswer(NamedTuple):
    """An answer, "" for none, and where it is from; the greatest one of a pair holds."""

    at: datetime
    answer: str
    source: str = AnswerSource.ANSWER.value

    @property
    def identity(self) -> tuple[datetime, str]:
        return self.at, self.answer


@dataclass(slots=True)
class _PairHistory:
    """What the project knows of an annotator's answers to a pair.

    events: those that were not undone, with their contexts (JSON). merged: those in the ledger, with the conflict that
    each was part of. present, source: the answer that counts now.
    """

    events: dict[_KnownAnswer, str]
    merged: dict[tuple[datetime, str], _KnownAnswer | None]
    present: str = ""
    source: str = AnswerSource.ANSWER.value

    @property
    def known(self) -> set[_KnownAnswer]:
        return {*self.events, *(_KnownAnswer(*identity) for identity in self.merged)}


class MergeStore:
    """Merges answer files."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @translate_decoding_errors()
    def merge(
        self,
        assignment: str,
        annotator: str,
        answers: Iterable[ReturnedAnswer],
        marks: Iterable[ReturnedMark],
        *,
        action: int,
    ) -> MergeCounts:
        """Merge the returned answers and marks of an assignment (its uid), the oldest first.

        Nothing that is new leaves the action without events; the caller discards it.
        """
        id, taxonomy = self._connection.exec_driver_sql(_ASSIGNMENT, (assignment,)).one()
        counts = self._merge(id, taxonomy, annotator, answers, marks, action)
        self._connection.exec_driver_sql(_SENT_BEFORE, (id, action))
        refresh_merged(self._connection, action)
        return counts

    @translate_decoding_errors()
    def merge_histories(
        self,
        annotator: str,
        answers: Iterable[ReturnedAnswer],
        marks: Iterable[ReturnedMark],
        *,
        taxonomy: str | None = None,
        action: int,
    ) -> MergeCounts:
        """Merge what an annotator did in another project, by the same rules, the oldest first.

        There is no assignment, and so no ledger: the last answer to each pair enters the history in any case, so that
        merging the same project again finds it there. taxonomy: the digest of a stored one, for answers about kinds.
        """
        return self._merge(None, taxonomy, annotator, answers, marks, action)

    def _merge(
        self,
        assignment: int | None,
        taxonomy: str | None,
        annotator: str,
        answers: Iterable[ReturnedAnswer],
        marks: Iterable[ReturnedMark],
        action: int,
    ) -> MergeCounts:
        by_pair: dict[str, list[ReturnedAnswer]] = {}
        for answer in answers:
            by_pair.setdefault(answer.pair_key, []).append(answer)
        history = answer_history(self._connection, taxonomy)
        histories = self._histories(history, assignment, annotator, list(by_pair))
        merge = _Merge(assignment, action, history)
        for key, given in by_pair.items():
            merge.add(key, given, histories[key])
        changed_marks = self._merge_marks(annotator, marks, action)
        self._execute_many(_INSERT_LEDGER, merge.ledger)
        history.append(annotator, merge.held, action=action)
        changed = sorted({*merge.changed, *changed_marks})
        for low in range(0, len(changed), _REFRESHED_AT_ONCE):
            judgement.refresh(self._connection, changed[low : low + _REFRESHED_AT_ONCE])
        return MergeCounts(
            merge.new + merge.known,
            merge.new,
            merge.known,
            merge.agreeing,
            tuple(merge.conflicts),
            len(changed_marks),
            tuple(changed),
        )

    def time_of(self, assignment: str, answers: Mapping[str, str]) -> datetime | None:
        """When all of these answers by pair were merged for an assignment (its uid) as given at one time; else None.

        Says of answers without times, which a file gives one time, that the file was merged before.
        """
        parameters = {"assignment": assignment, "answers": json.dumps(list(answers.items())), "size": len(answers)}
        at = self._connection.exec_driver_sql(_MERGED_TOGETHER, parameters).scalar()
        return None if at is None else _time(at)

    @translate_decoding_errors()
    def _histories(
        self, answers: AnswerHistory, assignment: int | None, annotator: str, keys: Sequence[str]
    ) -> dict[str, _PairHistory]:
        histories = {key: _PairHistory({}, {}) for key in keys}
        for one in answers.past(keys, annotator):
            history = histories[one.pair_key]
            history.present, history.source = one.answer, one.source
            if one.holds:
                at = event_time(_time(one.at), (known.at for known in history.events), is_own=one.is_own)
                history.events[_KnownAnswer(at, one.answer, one.source)] = one.seen
        parameters = {"keys": json.dumps(keys), "assignment": assignment}
        for row in self._connection.exec_driver_sql(_LEDGER, parameters):
            earlier = None if row.earlier is None else _KnownAnswer(_time(row.earlier_at), row.earlier)
            histories[row.pair_key].merged[_time(row.at), row.answer] = earlier
        return histories

    def _merge_marks(self, annotator: str, marks: Iterable[ReturnedMark], action: int) -> list[str]:
        """Merge marks by the rule of answers; the pairs with other marks than before, one entry for each mark."""
        given: dict[tuple[str, str], list[tuple[datetime, str]]] = {}
        for mark in marks:
            given.setdefault((mark.pair_key, mark.kind.value), []).append((mark.at, mark.value or ""))
        known: dict[tuple[str, str], set[tuple[datetime, str]]] = {}
        present: dict[tuple[str, str], str] = {}
        parameters = {"keys": json.dumps(sorted({key for key, _ in given})), "annotator": annotator}
        with translate_decoding_errors():
            for row in self._connection.exec_driver_sql(_MARKS_HERE, parameters):
                present[row.pair_key, row.kind] = row.new or ""
                if row.holds:
                    past = known.setdefault((row.pair_key, row.kind), set())
                    past.add((event_time(_time(row.at), (at for at, _ in past), is_own=row.is_own), row.new or ""))
        events = []
        changed = []
        for of, there in given.items():
            here = known.get(of, set())
            at, value = latest = max({*here, *there})
            if latest in here:
                continue
            key, kind = of
            before = present.get(of, "")
            # Also where nothing changes: that the mark was removed at this time decides about later files.
            events.append((key, annotator, utc_text(at), kind, before or None, value or None, action))
            changed += [key] if value != before else []
        self._execute_many(_INSERT_MARK, events)
        return changed

    def _execute_many(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        if rows:
            self._connection.exec_driver_sql(statement, list(rows))


class _Merge:
    """Decides about each pair of a file, and collects the rows to insert."""

    def __init__(self, assignment: int | None, action: int, answers: AnswerHistory) -> None:
        self._assignment, self._action, self._answers = assignment, action, answers
        self.ledger: list[tuple[object, ...]] = []
        self.held: list[HeldAnswer] = []
        self.changed: list[str] = []
        self.conflicts: list[MergeConflict] = []
        self.new = self.known = self.agreeing = 0

    def add(self, key: str, given: Sequence[ReturnedAnswer], history: _PairHistory) -> None:
        """Merge the answers to one pair, the oldest first."""
        there = {_KnownAnswer(one.at, one.answer or "", one.source): one.seen.to_json() for one in given}
        known = history.known
        last, latest = list(there)[-1], max({*known, *there})
        is_repeated = not given[-1].is_timed and any(last.answer == answer for _, answer in history.merged)
        conflict = self._compare(last, set(there), known, is_complete=given[-1].complete, is_repeated=is_repeated)
        found = {one: history.merged.get(one.identity) for one in there} | ({last: conflict} if conflict else {})
        for one, here in found.items():
            if here is not None:
                first, second = (TimedAnswer(known_one.at, self._read(known_one)) for known_one in (here, one))
                self.conflicts.append(MergeConflict(key, first, second, self._read(latest)))
        if self._assignment is None:
            self._enter(key, last, latest, history, there)
            return
        for one in there:
            if one.identity not in history.merged:
                against = conflict if one is last else None
                at, answer = (utc_text(against.at), against.answer) if against else (None, None)
                row = (self._assignment, key, utc_text(one.at), one.answer, answer, at, self._action)
                self.ledger.append(row)
        self._hold(key, latest, history, there)

    def _compare(
        self,
        last: _KnownAnswer,
        there: set[_KnownAnswer],
        known: set[_KnownAnswer],
        *,
        is_complete: bool,
        is_repeated: bool,
    ) -> _KnownAnswer | None:
        """Count the pair, and return the answer here with which the file's last answer is in conflict, if any.

        A file that continues the answers known here is not in conflict, nor is one of which a later state was merged
        already. is_repeated: another file of the assignment had the same answer, so that its time does not matter.
        """
        here = max(known, default=None)
        is_same = here is not None and here.answer == last.answer
        if last.identity in {one.identity for one in known} or (is_repeated and is_same):
            self.known += bool(last.answer) and is_complete
            return None
        self.new += bool(last.answer) and is_complete
        if here is None or here in there or not (here.answer and last.answer):
            return None
        if self._read(here) == self._read(last):
            self.agreeing += is_complete
            return None
        return here

    def _enter(
        self,
        key: str,
        last: _KnownAnswer,
        latest: _KnownAnswer,
        history: _PairHistory,
        there: Mapping[_KnownAnswer, str],
    ) -> None:
        """Enter the last answer of another project into the history, then the latest one, which counts."""
        if last.answer and last.identity not in {one.identity for one in history.known}:
            self.held.append(HeldAnswer(key, last.at, there[last], history.present, last.answer, last.source))
            self.changed.append(key)
            history.present, history.source = last.answer, last.source
        self._hold(key, latest, history, there)

    def _read(self, known: _KnownAnswer) -> GivenValue | None:
        return self._answers.read(known.answer) if known.answer else None

    def _hold(self, key: str, latest: _KnownAnswer, history: _PairHistory, there: Mapping[_KnownAnswer, str]) -> None:
        """Make the latest answer the current one."""
        if latest.answer == history.present and (not latest.answer or latest.source == history.source):
            return
        seen = there.get(latest) or history.events.get(latest) or _SEEN_ELSEWHERE.to_json()
        self.held.append(HeldAnswer(key, latest.at, seen, history.present, latest.answer, latest.source))
        self.changed.append(key)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
