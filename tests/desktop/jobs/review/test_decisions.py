"""Decisions about annotation are undone and redone: roles, targets, the rules of gold, and rounds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop.jobs.results import describe
from desktop.jobs.review import annotation_rounds as jobs
from desktop.jobs.review.answers import redo, undo, undo_titles
from desktop.jobs.review.gold import set_gold
from desktop.jobs.review.people import set_role
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Label
from storage.annotation.annotation_rounds import RoundKind, RoundPlan, Targets
from storage.annotation.annotators import Role
from storage.annotation.answers import NewAnswer
from storage.dataset.gold_rule import GoldRule, GoldRules
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import GOLD, TARGETS
from tests.storage.annotation.round_factory import AT, C, N, add_pairs, add_people, answer_as, hold_rules_everywhere

THREE = ("Ada", "Ben", "Cy")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright") as project:
        fill(project)
        hold_rules_everywhere(project)
        yield project


def fill(project: Project) -> None:
    found = add_pairs(project, {"ecology": dict.fromkeys(Label, 4)})["ecology"]
    add_people(project, dict.fromkeys(THREE, Role.ANNOTATOR))
    with project.transaction() as stores:
        for pair in found[:3]:
            for who, given_answer in zip(THREE, (C, N, N), strict=True):
                answer_as(stores, who, pair.key, given_answer)


def run(job: Job[object]) -> object:
    return job.work(Progress())


def start(project: Project, kind: RoundKind = RoundKind.BENCHMARK, size: int = 1) -> object:
    plan = RoundPlan(kind, size=size)
    return run(jobs.start_annotation_round(project, plan, THREE, now=AT + timedelta(days=1)))  # type: ignore[arg-type]


def state(project: Project) -> object:
    """All that decisions are about, and what follows from them."""
    with project.read_transaction() as stores:
        statuses = stores._connection.exec_driver_sql("SELECT key, status, gold, votes FROM pairs ORDER BY key").all()
        rounds = [
            (one, stores.annotation_rounds.pairs(one.number), stores.annotation_rounds.assignments(one.number))
            for one in stores.annotation_rounds.all()
        ]
        return (
            [tuple(row) for row in statuses],
            rounds,
            stores.annotators.all(),
            stores.settings.get(GOLD),
            stores.settings.get(TARGETS),
        )


def act(project: Project, what: str) -> None:
    match what:
        case "agreeing":
            run(set_gold(project, GoldRules(GoldRule.AGREEING, 1)))
        case "votes":
            run(set_gold(project, GoldRules(GoldRule.MAJORITY, 5)))
        case "role":
            run(set_role(project, "Ben", Role.EXPERT))
        case "targets":
            run(jobs.save_targets(project, Targets(1, 2, ("ecology",))))
        case "round" | "pilot":
            try:
                start(project, RoundKind.PILOT if what == "pilot" else RoundKind.BENCHMARK)
            except UserError:
                return
        case "close":
            with project.read_transaction() as stores:
                rounds = stores.annotation_rounds.all()
            if rounds:
                run(jobs.close_round(project, rounds[-1].number, is_open=not rounds[-1].is_open))


def test_the_role_of_somebody_who_has_only_answers_is_undone(project: Project) -> None:
    """As the annotators of an imported file have, whom nobody has registered."""
    with project.transaction() as stores:
        key = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))[0]
        answer_as(stores, "imported 01", key, N)
    run(set_role(project, "imported 01", Role.EXPERT))
    undone = undo(project, "mk").work(Progress())
    assert undone is not None
    assert undone.title == "Give imported 01 the role expert"
    with project.read_transaction() as stores:
        assert stores.annotators.get("imported 01").role is Role.ANNOTATOR


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["agreeing", "votes", "role", "targets", "round", "pilot", "close"]), max_size=6))
def test_undo_and_redo_go_through_all_decisions(tmp_path_factory: pytest.TempPathFactory, decisions: list[str]) -> None:
    with Project.create(tmp_path_factory.mktemp("setup") / "p.pairwright") as project:
        fill(project)
        states = [state(project)]
        for what in decisions:
            act(project, what)
            if states[-1] != state(project):
                states.append(state(project))
        for expected in reversed(states[:-1]):
            assert run(undo(project, "Ada")) is not None
            assert state(project) == expected
        assert run(undo_titles(project, "Ada"))[0] is None  # type: ignore[index]
        for expected in states[1:]:
            assert run(redo(project, "Ben")) is not None
            assert state(project) == expected
        assert run(redo(project, "Ben")) is None


def test_a_decision_that_changes_nothing_is_no_action(project: Project) -> None:
    run(jobs.save_targets(project, Targets(1, 2)))
    run(jobs.save_targets(project, Targets(1, 2)))
    run(set_role(project, "Ada", Role.ANNOTATOR))
    assert run(undo_titles(project, "Ada"))[0] == "Change the targets"  # type: ignore[index]
    run(undo(project, "Ada"))
    assert run(undo_titles(project, "Ada"))[0] is None  # type: ignore[index]


@pytest.mark.parametrize("how", ["answered", "answered after the clock was set back", "sent"])
def test_a_round_that_people_work_on_is_not_taken_back(project: Project, how: str) -> None:
    start(project)
    with project.transaction() as stores:
        if how == "sent":
            stores._connection.exec_driver_sql("UPDATE assignments SET state = 'sent' WHERE annotator = 'Ben'")
        elif "clock" in how:
            at = datetime(2020, 1, 1, tzinfo=UTC)
            answer = NewAnswer(stores.annotation_rounds.keys(1)[0], "Ben", at, C)
            stores.answers.append([answer], action=stores.actions.begin("Ben", "Answer", at))
        else:
            stores._connection.exec_driver_sql("UPDATE annotation_rounds SET created_at = '2020-01-01T00:00:00+00:00'")
            answer_as(stores, "Ben", stores.annotation_rounds.keys(1)[0], C)
    before = state(project)
    undone = run(undo(project, "Ada"))
    said = describe(undone).sentence
    assert said.endswith("Round 1 has answers or was sent, so it stays. It can be closed instead.")
    assert state(project) == before  # also the votes that gold takes


def test_what_was_decided_again_meanwhile_stays(project: Project) -> None:
    run(set_role(project, "Ben", Role.EXPERT))
    with project.transaction() as stores:
        stores.annotators.set_role("Ben", Role.LAYPERSON, lambda done, total: None)
    undone = run(undo(project, "Ada"))
    assert "stayed as now" in undone.title  # type: ignore[attr-defined]
    with project.read_transaction() as stores:
        assert stores.annotators.get("Ben").role is Role.LAYPERSON


def test_the_history_of_decisions_only_grows(project: Project) -> None:
    start(project)
    run(undo(project, "Ada"))
    with project.transaction() as stores:
        events = stores._connection.exec_driver_sql("SELECT count(*) FROM setup_events").scalar_one()
        assert events == 2  # the round, done and undone
        with pytest.raises(Exception, match="append-only"):
            stores._connection.exec_driver_sql("DELETE FROM setup_events")


def test_a_round_taken_back_is_no_round_in_review(project: Project) -> None:
    start(project)
    run(jobs.start_assignment(project, "Ada", 1))
    run(undo(project, "Ada"))
    with project.read_transaction() as stores:
        assert stores.queues.current("Ada") is None
        assert stores.annotation_rounds.all() == []
