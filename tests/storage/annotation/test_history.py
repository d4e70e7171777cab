"""Answers, marks, the status that follows from them, undo and redo."""

from __future__ import annotations

import itertools
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.records import Answer
from storage.annotation.answers import NewAnswer, gold_label
from storage.annotation.marks import FLAG_VALUE, MarkKind, RejectReason
from storage.pairs import judgement
from storage.pairs.judgement import keys_scope
from storage.project import Project
from storage.stores import Stores
from tests.storage.factories import add, mine, next_papers, paper, remove, some_pairs, start_run

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
KEYS = tuple(pair.key for pair in some_pairs(paper("a").md5).pairs)
_ticks = itertools.count()


class Rollback(Exception):
    """Leaves a transaction so that it is rolled back."""


def now() -> datetime:
    return START + timedelta(seconds=next(_ticks))


@pytest.fixture
def mined(project: Project) -> Project:
    add(project, ["a"])
    mine(project)
    return project


def answer(project: Project, answer: Answer | None, *keys: str, who: str = "anna") -> int:
    with project.transaction() as stores:
        action = stores.actions.begin(who, f"Answer {answer}", now())
        return stores.answers.give(keys_scope(keys), who, answer, now(), action=action)


def put(project: Project, kind: MarkKind, value: str | None, *keys: str, who: str = "anna") -> int:
    with project.transaction() as stores:
        action = stores.actions.begin(who, f"{kind} {value}", now())
        return stores.marks.put(keys_scope(keys), who, kind, value, now(), action=action)


def undo(project: Project, who: str = "anna") -> str | None:
    with project.transaction() as stores:
        done = stores.actions.undo(who, now())
    return done and done.title


def redo(project: Project, who: str = "anna") -> str | None:
    with project.transaction() as stores:
        done = stores.actions.redo(who, now())
    return done and done.title


def status_columns(project: Project, key: str = KEYS[0]) -> tuple[object, ...]:
    """(status, gold, contested, flagged, noted)"""
    with project.read_transaction() as stores:
        return _status_columns(stores, key)


def _status_columns(stores: Stores, key: str) -> tuple[object, ...]:
    query = "SELECT status, gold, contested, flagged, noted FROM pairs WHERE key = ?"
    return tuple(stores._connection.exec_driver_sql(query, (key,)).one())


def test_the_status_follows_the_answers(mined: Project) -> None:
    assert status_columns(mined) == ("open", None, 0, 0, 0)
    answer(mined, Answer.NEUTRAL, KEYS[0])
    assert status_columns(mined) == ("settled", "neutral", 0, 0, 0)
    answer(mined, Answer.REASONING, KEYS[0], who="ben")
    assert status_columns(mined) == ("unsettled", None, 1, 0, 0)
    answer(mined, Answer.REASONING, KEYS[0])
    assert status_columns(mined) == ("settled", "reasoning", 0, 0, 0)
    answer(mined, None, KEYS[0])
    answer(mined, Answer.UNCLEAR, KEYS[0], who="ben")
    assert status_columns(mined) == ("unsettled", None, 0, 0, 0)
    assert status_columns(mined, KEYS[1]) == ("open", None, 0, 0, 0)


def test_the_status_follows_the_marks_and_a_bad_pair_stays_bad_whatever_is_answered(mined: Project) -> None:
    put(mined, MarkKind.FLAG, FLAG_VALUE, KEYS[0])
    put(mined, MarkKind.NOTE, "why?", KEYS[0])
    put(mined, MarkKind.BAD, RejectReason.NOT_PROSE, KEYS[0])
    answer(mined, Answer.NEUTRAL, KEYS[0])
    assert status_columns(mined) == ("bad", "neutral", 0, 1, 1)
    with mined.read_transaction() as stores:
        marks = [(mark.annotator, mark.kind, mark.new) for mark in stores.marks.history(KEYS[0])]
    assert marks == [("anna", "flag", "1"), ("anna", "note", "why?"), ("anna", "bad", "not_prose")]
    put(mined, MarkKind.BAD, None, KEYS[0])
    put(mined, MarkKind.FLAG, None, KEYS[0])
    assert status_columns(mined) == ("settled", "neutral", 0, 0, 1)


def test_the_gold_label_is_the_majority_counted_by_hand(mined: Project) -> None:
    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from([*Answer, None])), max_size=9))
    def holds(events: list[tuple[str, Answer | None]]) -> None:
        with suppress(Rollback), mined.transaction() as stores:
            stores.answers.append(NewAnswer(KEYS[0], who, now(), given) for who, given in events)
            held = list(stores.answers.of_pair(KEYS[0]).values())
            gold = gold_label(held)
            status = "open" if not held else "settled" if gold else "unsettled"
            assert _status_columns(stores, KEYS[0])[:3] == (status, gold, len(set(held)) > 1)
            raise Rollback

    holds()


def test_undo_and_redo_restore_every_state(mined: Project) -> None:
    states = [status_columns(mined)]
    answer(mined, Answer.NEUTRAL, *KEYS[:2])
    states.append(status_columns(mined))
    put(mined, MarkKind.FLAG, FLAG_VALUE, KEYS[0])
    states.append(status_columns(mined))
    answer(mined, Answer.REASONING, KEYS[0])
    states.append(status_columns(mined))
    for _ in range(2):
        back = [states[-1]]
        while undo(mined):
            back.append(status_columns(mined))
        assert back == states[::-1]
        forth = [states[0]]
        while redo(mined):
            forth.append(status_columns(mined))
        assert forth == states
    assert status_columns(mined, KEYS[1])[1] == "neutral"


def test_undo_works_after_a_restart(mined: Project) -> None:
    answer(mined, Answer.NEUTRAL, KEYS[0])
    mined.close()
    with Project.open(mined.path) as project, project.transaction() as stores:
        assert stores.actions.undo_title("anna") == "Answer neutral"
        done = stores.actions.undo("anna", now())
        assert done is not None
        assert (done.count, done.keys, done.papers) == (1, (KEYS[0],), False)
        assert stores.actions.undo_title("anna") is None
        assert stores.actions.redo_title("anna") == "Answer neutral"


def test_a_new_action_leaves_nothing_to_redo(mined: Project) -> None:
    answer(mined, Answer.NEUTRAL, KEYS[0])
    undo(mined)
    answer(mined, Answer.REASONING, KEYS[1])
    assert redo(mined) is None
    assert undo(mined) == "Answer reasoning"
    assert undo(mined) is None


def test_what_was_undone_last_is_redone_first_also_where_it_is_nobodys(mined: Project) -> None:
    answer(mined, Answer.NEUTRAL, KEYS[0])
    undo(mined)
    answer(mined, Answer.REASONING, KEYS[1], who="")  # as a merge of answer files
    undo(mined)
    assert [redo(mined), redo(mined), redo(mined)] == ["Answer reasoning", "Answer neutral", None]


def test_annotators_undo_only_their_own_actions(mined: Project) -> None:
    answer(mined, Answer.NEUTRAL, KEYS[0])
    answer(mined, Answer.REASONING, KEYS[0], who="ben")
    undo(mined)
    with mined.read_transaction() as stores:
        assert stores.answers.of_pair(KEYS[0]) == {"ben": Answer.REASONING}
    assert redo(mined, "ben") is None


def test_undo_adds_to_the_history_and_deletes_nothing(mined: Project) -> None:
    answer(mined, Answer.NEUTRAL, KEYS[0])
    answer(mined, Answer.REASONING, KEYS[0])
    undo(mined)
    with mined.read_transaction() as stores:
        events = stores.answers.history(KEYS[0])
        titles = stores.actions.undo_title("anna"), stores.actions.redo_title("anna")
    assert [(event.old, event.new) for event in events] == [
        (None, Answer.NEUTRAL),
        (Answer.NEUTRAL, Answer.REASONING),
        (Answer.REASONING, Answer.NEUTRAL),
    ]
    assert titles == ("Answer neutral", "Answer reasoning")


def test_repeating_a_mark_and_withdrawing_no_answer_add_no_events(mined: Project) -> None:
    assert put(mined, MarkKind.FLAG, FLAG_VALUE, *KEYS[:2]) == 2
    assert put(mined, MarkKind.FLAG, FLAG_VALUE, *KEYS[:3]) == 1
    assert answer(mined, None, KEYS[0]) == 0
    with mined.read_transaction() as stores:
        assert len(stores.marks.history(KEYS[0])) == 1
        assert stores.answers.history(KEYS[0]) == []


def test_annotations_outlive_their_pair_and_count_when_the_pair_is_back(mined: Project) -> None:
    answer(mined, Answer.NEUTRAL, KEYS[0])
    put(mined, MarkKind.NOTE, "mind the gap", KEYS[0])
    put(mined, MarkKind.FLAG, FLAG_VALUE, KEYS[1])
    before = [status_columns(mined, key) for key in KEYS]
    with mined.transaction() as stores:
        remove(stores, paper("a").md5)
    add(mined, ["a"])
    mine(mined)
    assert [status_columns(mined, key) for key in KEYS] == before


def test_a_marked_pair_that_is_no_longer_mined_is_kept(mined: Project) -> None:
    put(mined, MarkKind.NOTE, "keep me", KEYS[0])
    run = start_run(mined, "other")
    [pending] = next_papers(mined, run)
    with mined.transaction() as stores:
        stores.pairs.replace_for(pending, type(some_pairs("x"))((), some_pairs("x").funnel), lambda _: 9)
        assert stores.pairs.get(KEYS[0]).key == KEYS[0]
        assert stores.pairs.present(KEYS) == (KEYS[0],)


def test_refreshing_everything_changes_nothing(mined: Project, path: Path) -> None:
    answer(mined, Answer.NEUTRAL, *KEYS[:3])
    answer(mined, Answer.UNCLEAR, *KEYS[1:3], who="ben")
    put(mined, MarkKind.BAD, "torn", KEYS[3])
    before = [status_columns(mined, key) for key in KEYS]
    with mined.transaction() as stores:
        judgement.refresh(stores._connection, [*KEYS, "no such pair"])
    assert [status_columns(mined, key) for key in KEYS] == before


def test_a_discarded_action_leaves_what_can_be_redone(mined: Project) -> None:
    answer(mined, Answer.NEUTRAL, KEYS[0])
    answer(mined, Answer.REASONING, KEYS[1])
    assert [undo(mined), undo(mined)] == ["Answer reasoning", "Answer neutral"]
    with mined.transaction() as stores:
        action = stores.actions.begin("anna", "Answer nothing", now())
        assert stores.actions.redo_title("anna") is None
        stores.actions.discard(action)
    assert [redo(mined), redo(mined), redo(mined)] == ["Answer neutral", "Answer reasoning", None]


def test_dropped_actions_stay_dropped_after_a_discarded_action(mined: Project) -> None:
    answer(mined, Answer.NEUTRAL, KEYS[0])
    undo(mined)
    answer(mined, Answer.REASONING, KEYS[1])
    with mined.transaction() as stores:
        stores.actions.discard(stores.actions.begin("anna", "Answer nothing", now()))
    assert redo(mined) is None
