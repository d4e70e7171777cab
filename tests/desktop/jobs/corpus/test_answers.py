"""Answers of several people and laptops come together in a corpus, and what is undone is undone everywhere."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from desktop.jobs.corpus.push import push_project
from desktop.jobs.review import answers
from desktop.jobs.review.mending import mend
from miner.errors import UserError
from miner.installation import is_installed
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotators import Role
from storage.annotation.answers import NewAnswer
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.pairs.judgement import keys_scope
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from tests.desktop.jobs.corpus.pull_helpers import pull, table
from tests.scripted_annotators import AT

pytestmark = pytest.mark.skipif(not is_installed("duckdb"), reason="duckdb, of the extra `corpus`, is not installed")


def answer(project: Project, name: str, days: int, *answers: tuple[str, Answer]) -> None:
    with project.transaction() as stores:
        key = stores.annotators.ensure(name, Role.ANNOTATOR).key
        stores.answers.append([NewAnswer(pair, key, AT + timedelta(days=days), one) for pair, one in answers])


def answers_in(project: Project) -> list[Any]:
    return table(
        project,
        "SELECT pair_key, name, new FROM label_events e JOIN annotators a ON a.key = e.annotator ORDER BY 1, 2, e.id",
    )


def test_answers_of_two_laptops_come_together(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    with Project.open(first) as one, Project.open(second) as two:
        with one.read_transaction() as stores:
            a, b, c, d = stores.pairs.keys_with_prefix("", limit=4)
        answer(one, "Ada", 1, (a, Answer.NEUTRAL), (b, Answer.ENTAILMENT))
        answer(two, "Ada", 2, (a, Answer.REASONING))
        answer(two, "Ben", 2, (a, Answer.NEUTRAL), (c, Answer.UNCLEAR))
        with two.transaction() as stores:
            ben = stores.annotators.find("Ben")
            assert ben is not None
            action = stores.actions.begin(ben.key, "Note", AT)
            stores.marks.put(keys_scope([d]), ben.key, MarkKind.NOTE, "odd", AT, action=action)
            stores.texts.mend(d, ben.key, {SentenceField.PREMISE: "A mended sentence."}, AT, action=action)
        pushed = push_project(one, str(corpus)).work(Progress()).pushed
        assert (pushed.events, pushed.known, pushed.elsewhere, pushed.people) == (2, 0, 0, ("Ada",))
        pushed = push_project(two, str(corpus)).work(Progress()).pushed
        assert (pushed.events, pushed.conflict_count) == (5, 1)
        [conflict] = pushed.conflicts
        assert (conflict.name, conflict.conflict.pair_key, conflict.conflict.holds) == ("Ada", a, Answer.REASONING)
        files = sorted((corpus / "answers").iterdir())
        for project in (two, one):
            again = push_project(project, str(corpus)).work(Progress()).pushed
            assert (again.events, again.file) == (0, "")
        assert sorted((corpus / "answers").iterdir()) == files
        for name in ("new", "one"):
            pulled = pull(corpus, tmp_path / f"{name}.pairwright").pulled
            with Project.open(tmp_path / f"{name}.pairwright") as there:
                assert answers_in(there)[:1] == [(a, "Ada", "neutral")]
                assert {(key, who): new for key, who, new in answers_in(there)} == {
                    (a, "Ada"): "reasoning",
                    (b, "Ada"): "entailment",
                    (a, "Ben"): "neutral",
                    (c, "Ben"): "unclear",
                }
                with there.read_transaction() as stores:
                    assert stores.texts.of_pair(d).premise == "A mended sentence."
                    assert [event.new for event in stores.marks.history(d)] == ["odd"]
                assert push_project(there, str(corpus)).work(Progress()).pushed.events == 0
            assert pulled.answers.conflict_count == (name == "one")


def test_a_project_without_answers_pushes_none(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    with Project.open(first) as one, Project.open(second) as two:
        with one.read_transaction() as stores:
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        answer(one, "Ada", 1, (key, Answer.NEUTRAL))
        push_project(one, str(corpus)).work(Progress())
        pushed = push_project(two, str(corpus)).work(Progress()).pushed
        assert (pushed.events, pushed.known, pushed.file) == (0, 0, "")


def test_an_answer_that_is_withdrawn_elsewhere_is_withdrawn_here(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    with Project.open(first) as one, Project.open(second) as two:
        with one.read_transaction() as stores:
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        for given in (Answer.NEUTRAL, None):
            with one.transaction() as stores:
                who = stores.annotators.ensure("Ada", Role.ANNOTATOR).key
                stores.answers.append([NewAnswer(key, who, AT + timedelta(days=1 + (given is None)), given)])
            push_project(one, str(corpus)).work(Progress())
            pull(corpus, second)
        assert [new for _, _, new in answers_in(two)] == ["neutral", None]


def test_what_was_undone_after_it_was_pushed_is_undone_everywhere(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))

    def exchange() -> tuple[int, list[Any], list[Any]]:
        """Push from one and pull into both; how many events were pushed, and what both projects have then."""
        pushed = push_project(one, str(corpus)).work(Progress()).pushed.events
        for path in (first, second):
            pull(corpus, path)
        assert push_project(one, str(corpus)).work(Progress()).pushed.events == 0
        assert push_project(two, str(corpus)).work(Progress()).pushed.events == 0
        return pushed, state(one), state(two)

    def state(project: Project) -> list[Any]:
        return table(project, f"SELECT premise, gold, flagged FROM pairs WHERE key = '{key}'")

    with Project.open(first) as one, Project.open(second) as two:
        with one.read_transaction() as stores:
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        before = state(one)
        with one.transaction() as stores:
            ada = stores.annotators.ensure("Ada", Role.ANNOTATOR).key
        mend(one, key, ada, {SentenceField.PREMISE: "Mended by Ada."}).work(Progress())
        answers.answer(one, [key], ada, Answer.UNCLEAR).work(Progress())
        answers.answer(one, [key], ada, Answer.NEUTRAL).work(Progress())
        answers.mark(one, [key], ada, MarkKind.FLAG, FLAG_VALUE).work(Progress())
        after = [("Mended by Ada.", "neutral", 1)]
        assert exchange() == (4, after, after)
        for _ in range(4):
            answers.undo(one, ada).work(Progress())
        assert exchange() == (3, before, before)
        for _ in range(4):
            answers.redo(one, ada).work(Progress())
        assert exchange() == (3, after, after)
        answers.undo(two, "Ben").work(Progress())  # Ben's undo of a pull takes nothing back from Ada
        assert push_project(two, str(corpus)).work(Progress()).pushed.events == 0


def push(project: Project, corpus: Path) -> int:
    """How many events were new to the corpus."""
    return push_project(project, str(corpus)).work(Progress()).pushed.events


def with_ada(path: Path) -> tuple[Project, str, str]:
    """An open project, the key of Ada, who is new, and of a pair."""
    project = Project.open(path)
    with project.transaction() as stores:
        [key] = stores.pairs.keys_with_prefix("", limit=1)
        return project, stores.annotators.ensure("Ada", Role.ANNOTATOR).key, key


def test_two_laptops_of_one_person_agree_after_an_undo_on_one(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    one, ada, key = with_ada(first)
    two, _, _ = with_ada(second)
    with one, two:
        gold = f"SELECT gold FROM pairs WHERE key = '{key}'"
        for project, given in ((one, Answer.NEUTRAL), (two, Answer.CONTRASTING)):
            answers.answer(project, [key], ada, given).work(Progress())
            push(project, corpus)
        answers.undo(one, ada).work(Progress())
        pull(corpus, first)
        assert table(one, gold) == [(None,)]  # what was undone does not come back before the undo is pushed, either
        push(one, corpus)
        for path in (first, second):
            pull(corpus, path)
        assert table(one, gold) == table(two, gold) == [(None,)]
        assert (push(one, corpus), push(two, corpus)) == (0, 0)


def test_answers_that_differ_are_exchanged_once(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    one, ada, key = with_ada(first)
    two, _, _ = with_ada(second)
    with one, two:
        for project, given in ((one, Answer.NEUTRAL), (two, Answer.CONTRASTING)):
            answers.answer(project, [key], ada, given).work(Progress())
        assert (push(one, corpus), push(two, corpus)) == (1, 1)
        for _ in range(2):
            for path in (first, second):
                pull(corpus, path)
            assert (push(one, corpus), push(two, corpus)) == (0, 0)


def test_undoing_a_pull_takes_nothing_back_from_others(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    one, ada, key = with_ada(first)
    with one, Project.open(second) as two:
        with two.transaction() as stores:
            ben = stores.annotators.ensure("Ben", Role.ANNOTATOR).key
        mend(two, key, ben, {SentenceField.PREMISE: "Mended by Ben."}).work(Progress())
        push(two, corpus)
        answers.undo(two, ben).work(Progress())
        push(two, corpus)
        pull(corpus, first)
        mend(one, key, ada, {SentenceField.PREMISE: "Mended by Ada."}).work(Progress())
        push(one, corpus)
        pull(corpus, second)
        undone = answers.undo(two, ben).work(Progress())
        assert undone is not None
        assert undone.title.startswith("Pull answers")
        push(two, corpus)
        pull(corpus, first)
        assert table(one, f"SELECT premise FROM pairs WHERE key = '{key}'") == [("Mended by Ada.",)]


def test_an_expert_who_comes_back_by_a_redo_gives_no_votes(corpus: Path, tmp_path: Path) -> None:
    first, second = (pull(corpus, tmp_path / f"{name}.pairwright").project for name in ("one", "two"))
    with Project.open(first) as one, Project.open(second) as two:
        with one.transaction() as stores:
            expert = stores.annotators.ensure("Eva", Role.EXPERT).key
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        answers.answer(one, [key], expert, Answer.NEUTRAL).work(Progress())
        push(one, corpus)
        pull(corpus, second)
        status = f"SELECT status, gold, votes FROM pairs WHERE key = '{key}'"
        before = table(two, status)
        answers.undo(two, "Ben").work(Progress())
        answers.redo(two, "Ben").work(Progress())
        assert table(two, status) == before == [("open", None, 0)]


def test_a_clock_that_is_set_back_loses_no_redo(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = pull(corpus, tmp_path / "one.pairwright").project
    days = iter((10, 9, 8))

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Clock:
            return cls(2030, 1, next(days), tzinfo=tz)

    monkeypatch.setattr("desktop.jobs.review.answers.datetime", Clock)
    one, ada, key = with_ada(first)
    with one:
        answers.answer(one, [key], ada, Answer.NEUTRAL).work(Progress())
        assert push(one, corpus) == 1
        answers.undo(one, ada).work(Progress())
        assert push(one, corpus) == 1
        answers.redo(one, ada).work(Progress())
        assert push(one, corpus) == 1
        pull(corpus, first)
        assert table(one, f"SELECT gold FROM pairs WHERE key = '{key}'") == [("neutral",)]


def test_answers_from_anybody_are_checked(corpus: Path, tmp_path: Path) -> None:
    pulled = pull(corpus, tmp_path / "p.pairwright").project
    with Project.open(pulled) as project:
        with project.read_transaction() as stores:
            [key] = stores.pairs.keys_with_prefix("", limit=1)
        answer(project, "Ada", 1, (key, Answer.NEUTRAL))
        push_project(project, str(corpus)).work(Progress())
    [file] = (corpus / "answers").iterdir()
    rows = pq.read_table(file)
    for column, value in (
        ("value", "no answer"),
        ("annotator", "a\nb"),
        ("annotator", "imported 01"),
        ("role", "king"),
        ("at", "yesterday"),
        ("what", "kinds"),
        ("pair_key", "x"),
    ):
        [row] = rows.to_pylist()
        pq.write_table(pa.Table.from_pylist([row | {column: value}], schema=rows.schema), file)
        with pytest.raises(UserError, match="never writes"):
            pull(corpus, tmp_path / "new.pairwright")
    file.write_bytes(b"no table")
    with pytest.raises(UserError, match="are damaged"):
        pull(corpus, tmp_path / "new.pairwright")
    file.rename(file.with_name(f"2{file.name[1:]}"))
    with pytest.raises(UserError, match="have version 2"):
        pull(corpus, tmp_path / "new.pairwright")
    assert not (tmp_path / "new.pairwright").exists()
