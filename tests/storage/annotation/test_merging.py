"""What holds after answer files were merged: the same in any order, however often, and as before once undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from miner.records import Answer
from storage.annotation.annotation_rounds import AssignmentState
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.marks import MarkKind
from storage.annotation.merging import MergeCounts, ReturnedAnswer, ReturnedMark
from storage.convert import utc_text
from storage.pairs.judgement import keys_scope
from storage.project import Project
from storage.stores import Stores
from tests.answer_file_factory import ANNA, minute, owner_project

OWNER = "owner"
KEYS = 3

_Answers = dict[int, list[tuple[int, Answer | None]]]
_Marks = dict[tuple[int, MarkKind], list[tuple[int, str | None]]]


class File(NamedTuple):
    """The history of a copy of an answer file: by number of the pair, minutes in order."""

    answers: _Answers
    marks: _Marks


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Whatever a test changes is rolled back."""
    with owner_project(tmp_path_factory.mktemp("owner") / "owner.pairwright", "a") as project:
        yield project


class _RollBack(Exception):
    pass


class Trial:
    """A transaction that is rolled back at the end."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.keys = stores.annotation_rounds.keys(1)[:KEYS]
        self.uid = stores.annotation_rounds.assignments(1)[0].uid
        self.last_action = 0

    def merge(self, file: File) -> MergeCounts:
        answers = [ReturnedAnswer(self.keys[n], minute(at), one) for n, all in file.answers.items() for at, one in all]
        marks = [
            ReturnedMark(self.keys[n], minute(at), kind, one)
            for (n, kind), all in file.marks.items()
            for at, one in all
        ]
        self.last_action = self.stores.actions.begin("", "Merge", minute(10_000))
        return self.stores.merging.merge(self.uid, ANNA.key, answers, marks, action=self.last_action)

    def answer_here(
        self, number: int, at: int, answer: Answer | None, source: AnswerSource = AnswerSource.ANSWER
    ) -> None:
        action = self.stores.actions.begin(ANNA.key, "Answer", minute(at))
        new = NewAnswer(self.keys[number], ANNA.key, minute(at), answer, source)
        self.stores.answers.append([new], action=action)

    def state(self) -> tuple[dict[str, Answer], dict[str, object], object]:
        """Present answers and marks by pair, and what follows from them."""
        answers = {key: self.stores.answers.of_pair(key).get(ANNA.key) for key in self.keys}
        marks = {(key, one.kind): one.new for key in self.keys for one in self.stores.marks.history(key)}
        columns = "SELECT key, status, gold, votes, flagged, noted FROM pairs ORDER BY key"
        derived = [tuple(row) for row in self.stores._connection.exec_driver_sql(columns)]
        given = {key: answer for key, answer in answers.items() if answer is not None}
        return given, {str(of): value for of, value in marks.items() if value is not None}, derived

    def counts(self) -> list[int]:
        tables = "merged_answers", "label_events", "mark_events"
        found = (self.stores._connection.exec_driver_sql(f"SELECT count(*) FROM {table}") for table in tables)
        return [rows.scalar_one() for rows in found]


@contextmanager
def trial(project: Project) -> Iterator[Trial]:
    """A trial, rolled back at the end."""
    with suppress(_RollBack), project.transaction() as stores:
        yield Trial(stores)
        raise _RollBack


_some_answers = st.one_of(st.none(), st.sampled_from(list(Answer)))


@st.composite
def _events(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> list[tuple[int, Any]]:
    minutes = draw(st.lists(st.integers(0, 6), min_size=1, max_size=3, unique=True))
    return [(at, draw(values)) for at in sorted(minutes)]


_files = st.builds(
    File,
    st.dictionaries(st.integers(0, KEYS - 1), _events(_some_answers), max_size=KEYS),
    st.dictionaries(
        st.tuples(st.integers(0, KEYS - 1), st.sampled_from([MarkKind.FLAG, MarkKind.NOTE])),
        _events(st.sampled_from([None, "1", "2"])),
        max_size=2,
    ),
)
_local = st.lists(st.tuples(st.integers(0, KEYS - 1), _some_answers, st.sampled_from(AnswerSource)), max_size=3)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.lists(_files, min_size=1, max_size=3), local=_local, random=st.randoms(use_true_random=False))
def test_any_order_and_repetition_gives_the_same_answers(
    project: Project,
    files: list[File],
    local: list[tuple[int, Answer | None, AnswerSource]],
    random: Random,
) -> None:
    orders: list[Sequence[File]] = list(permutations(files))[:6]
    shuffled = files * 2
    random.shuffle(shuffled)
    orders += [shuffled, files[:1] * 3 + files]
    states = []
    for order in orders:
        with trial(project) as one:
            for at, (number, answer, source) in enumerate(local):
                one.answer_here(number, at, answer, AnswerSource.ANSWER if answer is None else source)
            for file in order:
                one.merge(file)
            before = one.counts()
            one.merge(files[0])
            assert one.counts() == before
            assert not one.stores.actions.has_events(one.last_action)
            states.append(one.state())
    assert all(state == states[0] for state in states)
    given = states[0][0]
    with trial(project) as one:
        for number, key in enumerate(one.keys):
            known = [(at, answer, source) for at, (n, answer, source) in enumerate(local) if n == number]
            latest = max(
                [
                    *((at, answer or "", source) for at, answer, source in known),
                    *((at, answer or "", "answer") for file in files for at, answer in file.answers.get(number, ())),
                ],
                default=(0, "", ""),
            )
            # A pair that no file answers is as it was.
            if any(number in file.answers for file in files):
                assert given.get(key, "") == latest[1]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=_files, second=_files)
def test_undo_takes_a_merge_back_and_it_can_be_merged_again(project: Project, first: File, second: File) -> None:
    with trial(project) as one:
        one.merge(first)
        before = one.state()
        one.merge(second)
        if not one.stores.actions.has_events(one.last_action):
            return
        after = one.state()
        one.stores.actions.undo(OWNER, minute(20_000))
        assert one.state() == before
        one.stores.actions.redo(OWNER, minute(20_001))
        assert one.state() == after
        one.stores.actions.undo(OWNER, minute(20_002))
        one.merge(second)
        assert one.state() == after


def test_a_later_version_of_a_file_is_no_conflict_in_either_order(project: Project) -> None:
    earlier = File({0: [(1, Answer.NEUTRAL)], 1: [(2, Answer.UNCLEAR)]}, {})
    later = File(
        {0: [(1, Answer.NEUTRAL), (5, Answer.REASONING)], 1: [(2, Answer.UNCLEAR)], 2: [(6, Answer.NEUTRAL)]}, {}
    )
    with trial(project) as one:
        counts = one.merge(earlier)
        assert (counts.answered, counts.new, counts.known, counts.conflicts) == (2, 2, 0, ())
        counts = one.merge(later)
        assert (counts.answered, counts.new, counts.known, counts.conflicts) == (3, 2, 1, ())
    with trial(project) as one:
        one.merge(later)
        counts = one.merge(earlier)
        assert (counts.answered, counts.new, counts.known, counts.conflicts) == (2, 0, 2, ())


def test_a_pair_answered_differently_in_two_places_is_a_conflict_however_often_it_is_merged(project: Project) -> None:
    file = File({0: [(1, Answer.NEUTRAL)], 1: [(9, Answer.NEUTRAL)], 2: [(1, Answer.NEUTRAL)]}, {})
    with trial(project) as one:
        one.answer_here(0, 5, Answer.REASONING)
        one.answer_here(1, 5, Answer.REASONING)
        one.answer_here(2, 5, Answer.NEUTRAL)
        counts = one.merge(file)
        assert (counts.new, counts.known, counts.agreeing) == (3, 0, 1)
        first, second = counts.conflicts
        assert (first.pair_key, *first.here, *first.there) == (
            one.keys[0],
            minute(5),
            Answer.REASONING,
            minute(1),
            Answer.NEUTRAL,
        )
        assert (first.holds, second.holds) == (Answer.REASONING, Answer.NEUTRAL)
        assert one.state()[0] == dict(zip(one.keys, (Answer.REASONING, Answer.NEUTRAL, Answer.NEUTRAL), strict=True))
        again = one.merge(file)
        assert (again.new, again.known, again.conflicts) == (0, 3, counts.conflicts)
        history = [(event.old, event.new) for event in one.stores.answers.history(one.keys[1])]
        assert history == [(None, Answer.REASONING), (Answer.REASONING, Answer.NEUTRAL)]


def test_an_own_answer_replaces_an_accepted_suggestion(project: Project) -> None:
    with trial(project) as one:
        one.answer_here(0, 1, Answer.NEUTRAL, AnswerSource.ACCEPTED)
        one.merge(File({0: [(2, Answer.NEUTRAL)]}, {}))
        [event] = one.stores.answers.history(one.keys[0])[1:]
        assert (event.new, event.source) == (Answer.NEUTRAL, AnswerSource.ANSWER)


def test_an_answer_that_was_undone_here_does_not_count(project: Project) -> None:
    with trial(project) as one:
        one.answer_here(0, 5, Answer.REASONING)
        one.stores.actions.undo(ANNA.key, minute(50))
        counts = one.merge(File({0: [(1, Answer.NEUTRAL)]}, {}))
        assert counts.conflicts == ()
        assert one.state()[0] == {one.keys[0]: Answer.NEUTRAL}


def test_what_was_done_here_last_holds_even_where_the_clock_had_been_set_back(project: Project) -> None:
    with trial(project) as one:
        one.answer_here(0, 60, Answer.REASONING)
        one.answer_here(0, 5, Answer.CONTRASTING)
        one.merge(File({1: [(50, Answer.REASONING)]}, {(1, MarkKind.NOTE): [(50, "2")]}))
        one.answer_here(1, 5, Answer.CONTRASTING)
        note = keys_scope([one.keys[1]])
        action = one.stores.actions.begin(ANNA.key, "Note", minute(5))
        one.stores.marks.put(note, ANNA.key, MarkKind.NOTE, "1", minute(5), action=action)
        one.merge(File({0: [(30, Answer.NEUTRAL)], 1: [(40, Answer.NEUTRAL)]}, {(1, MarkKind.NOTE): [(40, "3")]}))
        given, marks, _ = one.state()
        assert given == dict.fromkeys(one.keys[:2], Answer.CONTRASTING)
        assert list(marks.values()) == ["1"]


def test_a_file_that_is_merged_was_sent_before_whatever_the_clock_says(project: Project) -> None:
    with trial(project) as one:
        sent = one.stores.annotation_rounds.assignment(one.uid)
        assert sent is not None
        ahead = "UPDATE assignments SET state = 'sent', sent_at = ? WHERE uid = ?"
        one.stores._connection.exec_driver_sql(ahead, (utc_text(minute(20_000)), one.uid))
        one.merge(File({0: [(1, Answer.NEUTRAL)]}, {}))
        merged = one.stores.annotation_rounds.assignment(one.uid)
        assert merged is not None
        assert (merged.state, merged.sent_at) == (AssignmentState.MERGED, minute(10_000))


def test_the_assignment_says_whether_answers_came_back(project: Project) -> None:
    def state(one: Trial) -> tuple[AssignmentState, datetime | None]:
        found = one.stores.annotation_rounds.assignment(one.uid)
        assert found is not None
        return found.state, found.merged_at

    with trial(project) as one:
        assert state(one) == (AssignmentState.OPEN, None)
        one.merge(File({}, {}))
        assert state(one) == (AssignmentState.OPEN, None)
        one.merge(File({0: [(1, Answer.NEUTRAL)]}, {}))
        assert state(one) == (AssignmentState.MERGED, minute(10_000))
        one.stores.actions.undo(OWNER, minute(20_000))
        assert state(one) == (AssignmentState.OPEN, None)
        one.stores.actions.redo(OWNER, minute(20_001))
        assert state(one) == (AssignmentState.MERGED, minute(10_000))
