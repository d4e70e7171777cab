"""Answers about kinds of reasoning: append-only, the latest counts, and undo goes back over restarts."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.errors import UserError
from miner.kinds.questionnaire import Answers, PairKinds
from miner.kinds.taxonomy import RELATION, Direction
from storage.errors import UndecodableValue
from storage.project import Project
from tests.storage.factories import add, mine, paper

TEXT = files("miner.kinds").joinpath("taxonomy.toml").read_text(encoding="utf-8")
CAUSAL: Answers = {
    RELATION: frozenset({"reasoning"}),
    "outside": frozenset("e"),
    "way": frozenset("r"),
    "reasoning": frozenset("c"),
    "connectives": frozenset(),
    "direction": frozenset("f"),
}
KINDS = PairKinds("reasoning", frozenset({"causal"}), Direction.FORWARD, complete=True)
_ticks = itertools.count()


def _now() -> datetime:
    return datetime(2026, 1, 2, tzinfo=UTC) + timedelta(seconds=next(_ticks))


def _answer(project: Project, answers: Answers, who: str = "anna", key: str = "k", text: str = TEXT) -> PairKinds:
    with project.transaction() as stores:
        taxonomy = stores.kinds.put_taxonomy(text)
        action = stores.actions.begin(who, "Answer", _now())
        return stores.kinds.answer(taxonomy, key, who, answers, _now(), action=action)


def _present(project: Project, who: str = "anna", key: str = "k") -> Answers:
    with project.read_transaction() as stores:
        return stores.kinds.answers(key, who)


def test_the_latest_answers_of_each_annotator_count(project: Project) -> None:
    _answer(project, {RELATION: frozenset({"neutral"})})
    assert _answer(project, CAUSAL) == KINDS
    _answer(project, {RELATION: frozenset({"unclear"})}, "ben")
    with project.read_transaction() as stores:
        assert stores.kinds.all() == {"k": {"anna": KINDS, "ben": PairKinds("unclear", frozenset(), None, True)}}
        history = stores.kinds.history("k")
    assert [event.new == CAUSAL for event in history] == [False, True, False]
    assert history[1].old == {RELATION: frozenset({"neutral"})}
    _answer(project, {})
    with project.read_transaction() as stores:
        assert stores.kinds.all().keys() == {"k"}
        assert stores.kinds.all()["k"].keys() == {"ben"}


@settings(deadline=None, max_examples=15)
@given(steps=st.lists(st.sampled_from(["neutral", "reasoning", "withdraw", "undo", "redo"]), max_size=12))
def test_undo_and_redo_walk_the_annotators_own_answers(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    project = Project.create(tmp_path_factory.mktemp("kinds") / "a.pairwright")
    done: list[Answers] = [{}]
    undone: list[Answers] = []
    with project:
        for step in steps:
            if step in ("undo", "redo"):
                with project.transaction() as stores:
                    result = getattr(stores.actions, step)("anna", _now())
                if step == "undo" and len(done) > 1:
                    undone.append(done.pop())
                elif step == "redo" and undone:
                    done.append(undone.pop())
                else:
                    assert result is None
            else:
                done.append({} if step == "withdraw" else {RELATION: frozenset({step})})
                undone.clear()
                _answer(project, done[-1])
            assert _present(project) == done[-1]


def test_undo_leaves_other_annotators_and_survives_a_restart(project: Project, path: Path) -> None:
    _answer(project, CAUSAL, "ben")
    _answer(project, CAUSAL)
    project.close()
    with Project.open(path) as again:
        with again.transaction() as stores:
            result = stores.actions.undo("anna", _now())
            assert result is not None
            assert result.keys == ("k",)
        assert _present(again) == {}
        assert _present(again, "ben") == CAUSAL
        with again.read_transaction() as stores:
            assert stores.kinds.all() == {"k": {"ben": KINDS}}


def test_undo_goes_back_to_answers_by_another_taxonomy(project: Project) -> None:
    _answer(project, CAUSAL)
    _answer(project, {RELATION: frozenset({"neutral"})}, text=f"{TEXT}\n# of another round")
    with project.transaction() as stores:
        stores.actions.undo("anna", _now())
    with project.read_transaction() as stores:
        first, second, undone = stores.kinds.history("k")
        assert (undone.taxonomy, undone.new) == (first.taxonomy, CAUSAL)
        assert stores.kinds.pairs_of_taxonomies() == {first.taxonomy: 1}
        assert stores.kinds.all([second.taxonomy]) == {}


def test_the_history_can_be_neither_changed_nor_deleted(project: Project, path: Path) -> None:
    _answer(project, CAUSAL)
    project.close()
    with closing(sqlite3.connect(path)) as connection:
        for statement in ("DELETE FROM kind_events", "UPDATE kind_events SET new = NULL"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)


def test_a_taxonomy_is_kept_once_and_read_back(project: Project) -> None:
    with project.transaction() as stores:
        first, second = stores.kinds.put_taxonomy(TEXT), stores.kinds.put_taxonomy(TEXT)
        assert first.digest == second.digest
        assert stores.kinds.taxonomy(first.digest) == first.taxonomy
        with pytest.raises(UndecodableValue):
            stores.kinds.taxonomy("0" * 32)
        with pytest.raises(UserError):
            stores.kinds.put_taxonomy("name = 3")


def test_pairs_come_with_their_own_sentences_and_labels(project: Project) -> None:
    add(project, ["a"])
    mine(project)
    with project.read_transaction() as stores:
        pairs = {pair.key: pair for pair in stores.pairs.of_paper(paper("a").md5)}
        found = stores.kinds.pairs(pairs)
    assert found.keys() == pairs.keys()
    for key, one in found.items():
        pair = pairs[key]
        assert (one.premise, one.hypothesis, one.phrase) == (pair.premise, pair.hypothesis, pair.phrase or "")
        assert (one.premise_words, one.hypothesis_words) == (len(pair.premise.split()), len(pair.hypothesis.split()))
        assert one.distant == pair.distant_label
