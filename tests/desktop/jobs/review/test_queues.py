"""Queues in Review stand beside each other: one's own, assigned rounds, ties, errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.review import annotation_rounds, queues, rounds
from desktop.jobs.review.rounds import RoundOptions, RoundProgress
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Label
from storage.annotation.annotation_rounds import RoundPlan
from storage.annotation.annotators import Role
from storage.annotation.rounds import ERRORS_QUEUE, OWN_QUEUE, TIES_QUEUE, QueueId, QueueKind, Round, RoundOrder
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.storage.annotation.round_factory import add_people, answer_as, hold_rules_everywhere
from tests.storage.factories import add, mine

ADA = "Ada"
FIRST, SECOND = (QueueId(QueueKind.ASSIGNED, number) for number in (1, 2))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Eight papers and two assigned rounds, which Ada, Ben and Cy answer."""
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add(project, "abcdefgh")
        mine(project)
        hold_rules_everywhere(project)
        for _ in range(2):
            plan = RoundPlan(size=2)
            annotation_rounds.start_annotation_round(project, plan, [ADA, "Ben", "Cy"]).work(Progress())
        yield project


def current(project: Project, who: str = ADA) -> RoundProgress:
    progress = rounds.current_round(project, who).work(Progress())
    assert progress is not None
    return progress


def start(project: Project, size: int = 12) -> RoundProgress:
    return rounds.start_round(project, ADA, RoundOptions(RoundOrder.RANDOM, size=size, seed=3)).work(Progress())


def take_up(project: Project, queue: QueueId, who: str = ADA) -> RoundProgress:
    queues.take_up(project, who, queue).work(Progress())
    return current(project, who)


def waiting(project: Project, who: str = ADA) -> dict[QueueId, int]:
    return dict(queues.list_queues(project, who).work(Progress()))


def test_nothing_of_one_queue_is_lost_by_going_over_to_another(project: Project) -> None:
    own = start(project)
    skipped = [own.waiting[1], own.waiting[0]]
    rounds.save_skips(project, ADA, OWN_QUEUE, skipped).work(Progress())
    assert waiting(project) == {OWN_QUEUE: 12, FIRST: 8, SECOND: 8}
    assigned = take_up(project, SECOND)
    assert assigned.round.queue == SECOND
    rounds.save_skips(project, ADA, SECOND, [assigned.waiting[2]]).work(Progress())
    again = take_up(project, OWN_QUEUE)
    assert (again.round, again.waiting) == (own.round, (*own.waiting[2:], *skipped))
    assert take_up(project, FIRST).skipped == ()
    back = take_up(project, SECOND)
    assert back.skipped == (assigned.waiting[2],)
    assert back.waiting[-1] == assigned.waiting[2]
    with project.transaction() as stores:
        for key in back.waiting:
            answer_as(stores, ADA, key, Label.CONTRASTING)
    assert SECOND not in waiting(project)
    assert take_up(project, SECOND, "Ben").waiting == assigned.waiting  # everybody has queues of their own


def test_a_new_own_queue_replaces_the_own_one_alone(project: Project) -> None:
    first = start(project)
    take_up(project, FIRST)
    second = start(project, 5)
    assert (first.round.number, second.round.number) == (1, 2)  # counted by themselves
    assert current(project).round == second.round
    assert waiting(project) == {OWN_QUEUE: 5, FIRST: 8, SECOND: 8}
    assert take_up(project, FIRST).round.number == 1


def test_a_failed_draw_leaves_the_queue_that_is_on(project: Project) -> None:
    own = start(project)
    nothing = PairFilter(text="zzz")
    with pytest.raises(UserError, match="no unanswered pair"):
        rounds.start_round(project, ADA, RoundOptions(filter=nothing)).work(Progress())
    assert current(project) == own


def test_closed_rounds_and_those_sent_as_files_are_not_offered(project: Project, tmp_path: Path) -> None:
    from desktop.jobs.review.answer_files import send_assignments

    annotation_rounds.close_round(project, 1).work(Progress())
    send_assignments(project, 2, tmp_path, ["Ben"]).work(Progress())
    assert waiting(project) == {SECOND: 8}
    assert waiting(project, "Ben") == {}
    assert waiting(project, "") == {}


def test_an_undone_draw_takes_its_queue_out_of_review(project: Project) -> None:
    from desktop.jobs.review.answers import undo

    own = start(project)
    take_up(project, SECOND)
    undo(project, "").work(Progress())
    assert current(project).round == own.round
    assert waiting(project) == {OWN_QUEUE: 12, FIRST: 8}


def test_ties_wait_for_an_adjudicator_and_go_on_where_they_were_left(project: Project) -> None:
    keys = take_up(project, FIRST).waiting
    add_people(project, {"Dee": Role.ADJUDICATOR})
    given = (Label.CONTRASTING, Label.REASONING, Label.ENTAILMENT)
    with project.transaction() as stores:
        for key in keys[:3]:
            for who, label in zip((ADA, "Ben", "Cy"), given, strict=True):
                answer_as(stores, who, key, label)
    assert waiting(project, "Dee") == {TIES_QUEUE: 3}
    ties = take_up(project, TIES_QUEUE, "Dee")
    rounds.save_skips(project, "Dee", TIES_QUEUE, [ties.waiting[0]]).work(Progress())
    with project.transaction() as stores:
        answer_as(stores, "Dee", ties.waiting[1], Label.REASONING)
        for who, label in zip((ADA, "Ben", "Cy"), given, strict=True):
            answer_as(stores, who, keys[3], label)
    again = take_up(project, TIES_QUEUE, "Dee")
    assert again.round.keys == (*ties.round.keys, keys[3])
    assert again.waiting == (ties.waiting[2], keys[3], ties.waiting[0])
    assert TIES_QUEUE not in waiting(project)


def test_errors_to_read_stand_beside_the_own_queue(project: Project) -> None:
    own = start(project)
    with project.transaction() as stores:
        errors = Round(1, RoundOrder.ERRORS, PairFilter(), 2, own.round.keys[:2], 1)
        stores.queues.start(ADA, errors)
    assert current(project).round == errors
    assert waiting(project) == {OWN_QUEUE: 12, FIRST: 8, SECOND: 8, ERRORS_QUEUE: 2}
    assert take_up(project, OWN_QUEUE).waiting == own.waiting
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM rounds")
    with pytest.raises(UserError, match="This queue is gone"):
        take_up(project, ERRORS_QUEUE)
