"""Rounds that ask for kinds of reasoning: drawn evenly, answered in order, and apart from gold labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.review import answers as review
from desktop.jobs.review.annotation_rounds import (
    StartedRound,
    close_round,
    list_rounds,
    start_annotation_round,
    start_assignment,
)
from desktop.jobs.review.kind_answers import save_kinds
from desktop.jobs.review.kinds_rounds import KindsQueue, join_kinds, load_kinds, start_kinds
from miner.errors import UserError
from miner.kinds.questionnaire import Answers
from miner.kinds.taxonomy import RELATION
from miner.progress import Progress
from miner.records import Label
from storage.annotation.annotation_rounds import RoundAsks, RoundKind, RoundPlan
from storage.annotation.annotators import Role
from storage.project import Project
from tests.storage.annotation.round_factory import AT, add_pairs, add_people

NEUTRAL: Answers = {RELATION: frozenset({"unclear"})}  # the shortest way through the questions
SIZES = {
    "ecology": dict.fromkeys(Label, 12),
    "nlp": {Label.CONTRASTING: 12, Label.REASONING: 12, Label.ENTAILMENT: 1, Label.NEUTRAL: 12},
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p.pairwright") as project:
        add_pairs(project, SIZES)
        yield project


def kinds_round(project: Project, names: tuple[str, ...], pairs: int, overlap: int | None = None) -> StartedRound:
    plan = RoundPlan(asks=RoundAsks.KINDS, pairs=pairs, overlap=overlap)
    return start_annotation_round(project, plan, names, now=AT).work(Progress())


def queue_of(project: Project, annotator: str, number: int | None = None) -> KindsQueue:
    queue = load_kinds(project, annotator, number).work(Progress()).queue
    assert queue is not None
    return queue


def answer(project: Project, annotator: str, key: str, answers: Answers = NEUTRAL) -> None:
    queue = queue_of(project, annotator)
    save_kinds(project, annotator, key, answers, queue.taxonomy).work(Progress())


def test_pairs_are_drawn_evenly_and_some_of_them_for_everybody(project: Project) -> None:
    started = kinds_round(project, ("Ada", "Ben"), 20, 10)
    with project.read_transaction() as stores:
        pairs = stores.annotation_rounds.pairs(1)
    assert len(pairs) == len({pair.key for pair in pairs}) == 30
    strata = Counter((pair.domain, pair.label) for pair in pairs)
    assert sorted(Counter(pair.label for pair in pairs).values()) == [7, 7, 8, 8]
    assert (strata.pop(("nlp", "entailment")), strata.pop(("ecology", "entailment"))) == (1, 6)  # all there are
    assert set(strata.values()) <= {3, 4}
    for owner, size in ((None, 10), ("Ada", 10), ("Ben", 10)):
        own = [pair for pair in pairs if pair.annotator == owner]
        assert len(own) == size
        assert set(Counter(pair.label for pair in own).values()) == {2, 3}
    assert [one.assignment.size for one in started.progress.assignments] == [20, 20]
    assert (started.progress.round.size, started.progress.answers, started.votes_note) == (30, 40, "")
    assert [one.drawn for one in started.draw.shortages] == [1]
    ada, ben = (frozenset(one.pair.key for one in queue_of(project, name).pairs) for name in ("Ada", "Ben"))
    assert (len(ada), len(ben), len(ada & ben)) == (20, 20, 10)
    with Project.create(project.path.with_name("other.pairwright")) as other:  # the same draw, papers in another order
        add_pairs(other, dict(reversed(SIZES.items())))
        kinds_round(other, ("Ada", "Ben", " ada"), 20, 10)
        with other.read_transaction() as stores:
            assert stores.annotation_rounds.pairs(1) == pairs


def test_where_there_are_more_domains_than_pairs_the_classes_are_still_even(tmp_path: Path) -> None:
    with Project.create(tmp_path / "many.pairwright") as project:
        sizes = {
            f"domain {n:02d}": {label: n % 3 if label is Label.ENTAILMENT else 2 for label in Label} for n in range(20)
        }
        add_pairs(project, sizes)
        with project.read_transaction() as stores:
            draw = stores.round_draws.draw(RoundPlan(asks=RoundAsks.KINDS, pairs=24), ["Ada"])
            other = stores.round_draws.draw(RoundPlan(asks=RoundAsks.KINDS, pairs=24, seed=2), ["Ada"])
    assert Counter(pair.label for pair in draw.pairs) == dict.fromkeys(Label, 6)
    domains = Counter(pair.domain for pair in draw.pairs)
    assert len(domains) == 20
    assert set(domains.values()) <= {1, 2}
    assert (draw.shortages, draw.wanted) == ([], 24)
    assert other.pairs != draw.pairs


def test_a_round_of_ones_own_is_answered_pair_by_pair_and_may_be_joined(project: Project) -> None:
    assert load_kinds(project, "Ada").work(Progress()).pairs == 85
    queue = start_kinds(project, "Ada").work(Progress())
    assert (len(queue.pairs), len(queue.waiting), queue.plan.kind) == (60, 60, RoundKind.BENCHMARK)
    first, second = queue.waiting[:2]
    answer(project, "Ada", first)
    answer(project, "Ada", second, {RELATION: frozenset({"neutral"})})
    found = queue_of(project, "Ada")
    assert found.waiting == queue.waiting[1:]
    assert found.pairs[1].kinds == {RELATION: frozenset({"neutral"})}
    loaded = load_kinds(project, "Ben").work(Progress())
    assert (loaded.queue, loaded.joinable) == (None, (1,))
    joined = join_kinds(project, "Ben", 1).work(Progress())
    assert [one.pair.key for one in joined.pairs] == [one.pair.key for one in queue.pairs]
    [round] = list_rounds(project).work(Progress())
    assert [(one.name, one.left) for one in round.assignments] == [("Ada", 59), ("Ben", 60)]
    undone = review.undo(project, "Ben").work(Progress())
    assert undone is not None
    assert (undone.title, load_kinds(project, "Ben").work(Progress()).joinable) == ("Join round 1", (1,))
    review.redo(project, "Ben").work(Progress())
    answer(project, "Ben", first)
    undone = review.undo(project, "Cy").work(Progress())
    assert undone is not None
    assert "Round 1 has answers" in undone.title
    assert [one.left for one in list_rounds(project).work(Progress())[0].assignments] == [59, 59]
    assert len(start_kinds(project, "Cy").work(Progress()).pairs) == 25
    with pytest.raises(UserError, match="Every pair was asked about already"):
        start_kinds(project, "Dee").work(Progress())
    close_round(project, 2).work(Progress())
    assert len(start_kinds(project, "Dee").work(Progress()).pairs) == 25  # of the closed round, without answers


def test_answers_about_kinds_are_undone_after_a_restart_and_a_round_with_answers_stays(project: Project) -> None:
    queue = start_kinds(project, "Ada", 8).work(Progress())
    answer(project, "Ada", queue.waiting[0])
    path = project.path
    project.close()
    with Project.open(path) as again:
        assert len(queue_of(again, "Ada").waiting) == 7
        undone = review.undo(again, "Ada").work(Progress())
        assert undone is not None
        assert (undone.title, undone.keys) == ("Answer about kinds", queue.waiting[:1])
        assert len(queue_of(again, "Ada").waiting) == 8
        review.redo(again, "Ada").work(Progress())
        assert len(queue_of(again, "Ada").waiting) == 7
        with pytest.raises(UserError, match="asks for kinds of reasoning"):
            start_assignment(again, "Ada", 1).work(Progress())
        undone = review.undo(again, "Ben").work(Progress())  # decisions are anybody's
        assert undone is not None
        assert "Round 1 has answers" in undone.title
        assert len(list_rounds(again).work(Progress())) == 1


def test_a_pilot_takes_no_answers_that_count(project: Project) -> None:
    queue = start_kinds(project, "Ada").work(Progress())
    answered = queue.waiting[:20]
    for key in answered:
        answer(project, "Ada", key)
    close_round(project, 1).work(Progress())
    start_annotation_round(project, RoundPlan(RoundKind.PILOT, asks=RoundAsks.KINDS, pairs=80), ["Ada"]).work(
        Progress()
    )
    with project.read_transaction() as stores:
        drawn = stores.annotation_rounds.keys(2)
        assert len(drawn) == 65
        assert not set(drawn).intersection(answered)
        assert stores.kinds.all().keys() == set(answered)


def test_answers_to_rounds_of_kinds_are_no_votes_and_pilots_count_nowhere(project: Project) -> None:
    add_people(project, {"Ada": Role.ANNOTATOR, "Ref": Role.REFERENCE})
    plan = RoundPlan(RoundKind.PILOT, asks=RoundAsks.KINDS, pairs=8)
    start_annotation_round(project, plan).work(Progress())
    kinds_round(project, ("Ada", "Ref"), 8)
    pilot, other = queue_of(project, "Ada", 1), queue_of(project, "Ada", 2)
    for who in ("Ada", "Ref"):
        for key in (pilot.waiting[0], other.waiting[0]):
            answer(project, who, key)
    with project.read_transaction() as stores:
        assert stores.kinds.all().keys() == {other.waiting[0]}
        assert stores.kinds.all()[other.waiting[0]].keys() == {"Ada"}
        assert stores.gold.count() == 0
        assert sum(one.waiting + one.finished for one in stores.round_draws.progress()) == 0
        items = stores.rounds.items([pilot.waiting[0], other.waiting[0]], "Ada")
        assert [(one.status, one.mine) for one in items] == [("open", None)] * 2
        drawn = stores.round_draws.draw(RoundPlan(size=100))
    assert len(drawn.pairs) == 77  # rounds that ask for the relation may have all of them, but for those of the pilot
