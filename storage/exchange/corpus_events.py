"""What people did in a project as events of a corpus, and how those of two projects differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from miner.corpus.schema import ANSWERS_IDENTITY
from miner.records import Answer
from storage.annotation.annotators import Role
from storage.annotation.answers import IMPORTED_ANNOTATOR, AnswerSource
from storage.annotation.merging import MergeConflict, TimedAnswer
from storage.convert import utc_text
from storage.exchange.added_project import PersonConflict
from storage.exchange.other_project import Events, OtherProject, Work

ANSWER, KINDS = "answer", "kinds"
_SUBJECT = ("pair_key", "annotator", "what", "taxonomy")

Subject = tuple[Any, ...]
Event = dict[str, Any]  # a row of `ANSWERS`, by column, at first without the MD5


def events_of(project: OtherProject) -> Iterator[tuple[Work, list[Event], list[Event]]]:
    """The events of people in a project, batch by batch of pairs, without events from imported data sets.

    First those that hold, then those that were undone, with what each undo and redo did.
    """
    people = {
        key: (one.name, one.role) if one else (key, Role.ANNOTATOR)
        for key, one in project.annotators.items()
        if not IMPORTED_ANNOTATOR.fullmatch(key)
    }
    for work in project.work():
        yield work, list(_rows(work.held, people)), list(_rows(work.undone, people))


def _rows(events: Events, people: Mapping[str, tuple[str, Role]]) -> Iterator[Event]:
    def row(annotator: str, one: Any, what: str, value: str | None, **more: str | None) -> Event:
        name, role = people[annotator]
        plain = dict.fromkeys(("old", "seen", "via", "taxonomy"))
        base = {"pair_key": one.pair_key, "annotator": name, "role": role.value, "at": utc_text(one.at)}
        return base | {"what": what, "value": value} | plain | more

    for annotator in events.answers.keys() & people.keys():
        for answer in events.answers[annotator]:
            yield row(annotator, answer, ANSWER, answer.answer, seen=answer.seen.to_json(), via=answer.source)
    for annotator, taxonomy in events.kinds:
        if annotator in people:
            for answer in events.kinds[annotator, taxonomy]:
                yield row(annotator, answer, KINDS, answer.answer, taxonomy=taxonomy)
    for annotator in events.marks.keys() & people.keys():
        for mark in events.marks[annotator]:
            yield row(annotator, mark, mark.kind.value, mark.value)
    for text in events.texts:
        if text.annotator in people:
            yield row(text.annotator, text, text.field.value, text.new, old=text.old)


def last_undone(undone: Iterable[Event], there: Iterable[Event]) -> dict[Subject, Event]:
    """What the last undo or redo of a project came to, by subject, where the corpus has what was undone.

    Nothing that happened before it may hold any more: elsewhere the corpus has to be told of it, and here what the
    corpus has of it does not come back. Annotators who were renamed since they pushed are other people to a corpus.
    """
    known = {identity(row) for row in there}
    by_subject: dict[Subject, list[Event]] = {}
    for row in undone:
        by_subject.setdefault(subject(row), []).append(row)
    return {of: rows[-1] for of, rows in by_subject.items() if any(identity(row) in known for row in rows)}


def subject(row: Event) -> Subject:
    """Whose event it is, and about what."""
    return tuple(row[name] for name in _SUBJECT)


def identity(row: Event) -> tuple[Any, ...]:
    """What makes it the same event as another."""
    return tuple(row[name] for name in ANSWERS_IDENTITY)


def find_conflicts(here: list[Event], there: list[Event]) -> list[PersonConflict]:
    """Answers about the relation that differ: the last one here, and the last one that only the corpus has."""
    own = {identity(row) for row in here}
    ours, theirs = _last_answers(here), _last_answers(row for row in there if identity(row) not in own)
    found = []
    for (key, annotator), (at, answer) in sorted(ours.items()):
        other_at, other = theirs.get((key, annotator), (at, answer))
        if answer and other and other != answer:
            holds = max((at, answer), (other_at, other))[1]
            sides = TimedAnswer(at, Answer(answer)), TimedAnswer(other_at, Answer(other))
            found.append(PersonConflict(annotator, MergeConflict(key, *sides, Answer(holds))))
    return found


def _last_answers(rows: Iterable[Event]) -> dict[tuple[str, str], tuple[datetime, str]]:
    """By pair and annotator; answers of people alone, no accepted suggestions."""
    last: dict[tuple[str, str], tuple[datetime, str]] = {}
    for row in rows:
        if row["what"] == ANSWER and row["via"] == AnswerSource.ANSWER:
            of, given = (row["pair_key"], row["annotator"]), (datetime.fromisoformat(row["at"]), row["value"] or "")
            last[of] = max(last.get(of, given), given)
    return last
