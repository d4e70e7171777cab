"""Annotation rounds as people work with them: annotators, draws, assignments, ties, pilots and the rule of gold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from desktop.jobs.review import annotation_rounds as jobs
from desktop.jobs.review.agreement import measure_agreement
from desktop.jobs.review.agreement_report import AgreementOptions
from desktop.jobs.review.annotate_overview import load_annotate
from desktop.jobs.review.annotation_rounds import StartedRound
from desktop.jobs.review.answers import undo
from desktop.jobs.review.gold import load_gold, set_gold
from desktop.jobs.review.open_rounds import AnnotationStep, StepKind
from desktop.jobs.review.pilot import pilot_feedback
from desktop.jobs.review.rounds import RoundProgress, current_round
from desktop.jobs.review.shortages import draw_text
from miner.agreement import Refusal
from miner.errors import UserError
from miner.progress import Job, Progress
from miner.records import Answer, Label
from storage.annotation.annotation_rounds import RoundKind, RoundPlan, Targets
from storage.annotation.annotators import Role
from storage.annotation.rounds import RoundOrder
from storage.dataset.gold_rule import GoldRule, GoldRules
from storage.project import Project
from storage.settings import GOLD_EVERYWHERE
from tests.split_factory import hold_out_all
from tests.storage.annotation.round_factory import (
    AT,
    C,
    E,
    N,
    R,
    add_pairs,
    add_people,
    answer_as,
    hold_rules_everywhere,
    set_rules,
)

T = TypeVar("T")
THREE = ("Ada", "Ben", "Cy")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add_pairs(project, {"ecology": dict.fromkeys(Label, 10), "nlp": dict.fromkeys(Label, 3)})
        hold_rules_everywhere(project)
        yield project


def run(job: Job[T]) -> T:
    return job.work(Progress())


def start(project: Project, plan: RoundPlan | None = None, names: tuple[str, ...] = THREE) -> StartedRound:
    return run(jobs.start_annotation_round(project, plan or RoundPlan(size=2), names, now=AT))


def answer_round(project: Project, number: int, *answers: Answer | Label) -> None:
    """All annotators answer all pairs of a round: each always the same."""
    with project.transaction() as stores:
        for assignment, given in zip(stores.annotation_rounds.assignments(number), answers, strict=True):
            for key in stores.annotation_rounds.keys(number):
                answer_as(stores, assignment.annotator, key, given)


def test_a_round_is_given_to_those_who_are_named_and_leaves_the_rule_of_gold_alone(project: Project) -> None:
    started = start(project)
    assert [(one.name, one.left) for one in started.progress.assignments] == [(name, 16) for name in THREE]
    assert (started.votes_note, started.progress.answered, started.progress.answers) == ("", 0, 48)
    assert "needs 3 votes, and this round asks 1 person" in start(project, names=("Ada",)).votes_note


def test_gold_labels_want_papers_set_apart(project: Project) -> None:
    with project.transaction() as stores:
        stores.settings.put(GOLD_EVERYWHERE, None)
    with pytest.raises(UserError, match="not split yet"):
        start(project)
    assert start(project, RoundPlan(RoundKind.PILOT, size=1)).draw.pairs


def test_without_names_all_annotators_are_asked_who_must_be_three(project: Project) -> None:
    with pytest.raises(UserError, match="Nobody has the role annotator"):
        start(project, names=())
    add_people(project, {"Ada": Role.ANNOTATOR, "Ben": Role.ANNOTATOR, "Eve": Role.EXPERT, "Ray": Role.REFERENCE})
    with pytest.raises(UserError, match="there are 2: Ada, Ben"):
        start(project, names=())
    add_people(project, {"Cy": Role.ANNOTATOR})
    assert [one.name for one in start(project, names=()).progress.assignments] == list(THREE)
    pilot = start(project, RoundPlan(RoundKind.PILOT, size=1), names=())
    assert [one.name for one in pilot.progress.assignments] == [*THREE, "Ray"]


def test_a_round_larger_than_the_pool_takes_what_there_is_and_says_so(project: Project) -> None:
    draw = start(project, RoundPlan(size=5)).draw
    assert len(draw.pairs) == 4 * 5 + 4 * 3
    assert {(one.domain, one.wanted, one.drawn, one.available) for one in draw.shortages} == {("nlp", 5, 3, 3)}
    with pytest.raises(UserError, match="No pair has the domain “physics”"):
        start(project, RoundPlan(domains=("physics",)))


def test_a_round_with_too_many_pairs_for_an_answer_file_is_refused(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_ROUND_PAIRS", 7)
    with pytest.raises(UserError, match="at most 7 pairs; this one would have 16"):
        start(project)
    assert run(jobs.list_rounds(project)) == []


def test_a_domain_without_candidates_of_a_class_is_told_with_numbers(project: Project) -> None:
    start(project, RoundPlan(size=10))
    with pytest.raises(UserError, match="no pair left to draw; 80 pairs would be needed"):
        start(project, RoundPlan(size=10))


def test_no_round_is_drawn_when_nothing_is_missing(project: Project) -> None:
    start(project, RoundPlan(dev=0, test=3))
    with pytest.raises(UserError, match="All targets are reached, or will be"):
        start(project, RoundPlan(dev=0, test=3))


def begin(project: Project, annotator: str, number: int) -> RoundProgress:
    run(jobs.start_assignment(project, annotator, number))
    return current(project, annotator)


def current(project: Project, annotator: str) -> RoundProgress:
    progress = run(current_round(project, annotator))
    assert progress is not None
    return progress


def test_an_assignment_becomes_the_annotators_queue_in_review(project: Project) -> None:
    started = start(project)
    progress = begin(project, "Ada", 1)
    assert (progress.round.order, progress.round.number) == (RoundOrder.ASSIGNED, 1)
    assert progress.waiting == tuple(pair.key for pair in started.draw.pairs)
    with project.transaction() as stores:
        answer_as(stores, "Ada", progress.waiting[0], C)
    assert begin(project, "Ada", 1).waiting == progress.waiting[1:]
    [listed] = run(jobs.list_rounds(project))
    assert [one.left for one in listed.assignments] == [15, 16, 16]
    with pytest.raises(UserError, match="not assigned to Eve"):
        run(jobs.start_assignment(project, "Eve", 1))
    run(jobs.close_round(project, 1))
    with pytest.raises(UserError, match="Round 1 is closed"):
        run(jobs.start_assignment(project, "Ben", 1))
    with pytest.raises(UserError, match="There is no round 7"):
        run(jobs.close_round(project, 7))


def test_an_adjudicator_decides_ties(project: Project) -> None:
    start(project, RoundPlan(size=1))
    answer_round(project, 1, C, R, E)
    add_people(project, {"Dee": Role.ADJUDICATOR})
    with pytest.raises(UserError, match="Ada is no adjudicator"):
        run(jobs.start_ties(project, "Ada"))
    run(jobs.start_ties(project, "Dee"))
    ties = current(project, "Dee")
    assert (ties.round.order, len(ties.waiting)) == (RoundOrder.TIES, 8)
    with project.transaction() as stores:
        for key in ties.waiting:
            answer_as(stores, "Dee", key, R)
        assert stores.gold.count() == 8
    with pytest.raises(UserError, match="no unanswered pair"):
        run(jobs.start_ties(project, "Dee"))


def test_a_pilot_ranks_annotators_by_agreement_with_the_reference(project: Project) -> None:
    add_people(project, {"Ray": Role.REFERENCE})
    start(project, RoundPlan(RoundKind.PILOT, size=1), (*THREE, "Ray"))
    with pytest.raises(UserError, match="No reference annotator has answered"):
        run(pilot_feedback(project, 1))
    with project.transaction() as stores:
        for number, key in enumerate(stores.annotation_rounds.keys(1)):
            answer_as(stores, "Ray", key, C)
            answer_as(stores, "Ada", key, C if number < 4 else R)
            answer_as(stores, "Ben", key, C)
    feedback = run(pilot_feedback(project, 1))
    assert feedback.reference == "Ray"
    assert [(one.name, one.agreement, one.compared) for one in feedback.ranking] == [
        ("Ben", 1.0, 8),
        ("Ada", 0.5, 8),
        ("Cy", None, 0),
    ]
    assert [one.questions[0].differing for one in feedback.pairs] == [[]] * 4 + [["Ada"]] * 4
    start(project)
    with pytest.raises(UserError, match="Round 2 is not a pilot round"):
        run(pilot_feedback(project, 2))


def test_the_rule_of_gold_says_what_it_discards(project: Project) -> None:
    set_rules(project, votes=3)
    start(project, RoundPlan(size=1))
    answer_round(project, 1, C, C, R)
    state = run(load_gold(project))
    assert (state.gold, state.differing, state.discarded) == (8, 6, 0)
    state = run(set_gold(project, GoldRules(GoldRule.AGREEING, 3)))
    assert (state.gold, state.differing, state.discarded, state.changed) == (2, 6, 6, 8)
    state = run(set_gold(project, GoldRules(GoldRule.AGREEING, 5)))
    assert (state.gold, state.changed) == (0, 8)


def test_an_accepted_suggestion_is_no_answer_to_a_round_of_dev_and_test(project: Project) -> None:
    with project.transaction() as stores:
        accepted = [pair.key for pair in stores.round_draws.draw(RoundPlan(size=1)).pairs]
        for key in accepted:
            answer_as(stores, "Ada", key, C, accepted=True)
    hold_out_papers(project)
    started = run(jobs.start_annotation_round(project, RoundPlan(size=3), ["Ada", "Ben"]))
    with project.read_transaction() as stores:
        keys = stores.annotation_rounds.keys(1)
        assert set(keys).intersection(accepted)
        assert len(stores.rounds.unanswered(keys, "Ada")) == len(keys)
        assert stores.rounds.counts(keys, "Ada").answers == {}
        assert {item.mine for item in stores.rounds.items(keys, "Ada")} == {None}
    assert [one.left for one in started.progress.assignments] == [len(keys)] * 2


def test_targets_are_for_domains_that_have_pairs(project: Project) -> None:
    run(jobs.save_targets(project, Targets(10, 20, ("nlp",))))
    assert run(jobs.load_targets(project)).total == 30
    with pytest.raises(UserError, match="No pair has the domain"):
        run(jobs.save_targets(project, Targets(domains=("x",))))


def hold_out_papers(project: Project) -> None:
    """Put all papers into test, so that no rules of an earlier version hold any more."""
    with project.transaction() as stores:
        stores.settings.put(GOLD_EVERYWHERE, None)
        hold_out_all(stores)


def next_step(project: Project) -> AnnotationStep:
    return run(load_annotate(project, "")).next


def with_targets(project: Project, number: int) -> None:
    run(jobs.save_targets(project, Targets(0, number)))


def test_the_next_step_says_which_class_of_which_domain_has_too_few_pairs(project: Project) -> None:
    add_people(project, dict.fromkeys(THREE, Role.ANNOTATOR))
    hold_out_papers(project)
    with_targets(project, 3)
    found = next_step(project)
    assert (found.step, found.sentence) == (
        StepKind.START_ROUND,
        "Draw the first round: the targets lack 24 pairs.",
    )
    with_targets(project, 5)
    found = next_step(project)
    assert found.step is StepKind.START_ROUND
    assert found.sentence.startswith(
        "Draw the first round: the targets lack 40 pairs, and 32 can be drawn. Too few candidates: "
    )
    assert "contrasting in nlp (test) has 3 of 5" in found.sentence
    assert "and 3 more classes have too few" in found.sentence
    assert re.search(r"Switch on [0-9]+ more linking phrases, or add papers\.$", found.sentence)


def test_no_round_is_proposed_that_could_not_be_drawn(project: Project) -> None:
    hold_out_papers(project)
    with_targets(project, 10)
    start(project, RoundPlan(size=10))
    answer_round(project, 1, Answer.UNCLEAR, Answer.UNCLEAR, Answer.UNCLEAR)
    found = next_step(project)
    assert found.step is StepKind.ADD_PHRASES
    assert found.sentence.startswith("No more pairs can be drawn for the targets: contrasting in ecology (test) has")
    assert found.sentence.endswith("or add papers.")
    assert re.search(r"has 0 of 1[0-9]{2}\b", found.sentence)  # of ten, none became gold
    with pytest.raises(UserError, match="no pair left to draw"):
        start(project, RoundPlan(dev=0, test=10))


def test_a_project_without_pairs_has_no_rounds(tmp_path: Path) -> None:
    with (
        Project.create(tmp_path / "empty.pairwright") as project,
        pytest.raises(UserError, match="no pairs to annotate yet"),
    ):
        start(project)


def test_neutral_pairs_take_more_papers(tmp_path: Path) -> None:
    settled = {"nlp": dict.fromkeys((C, R, E), 4) | {N: 3}}
    with Project.create(tmp_path / "neutral.pairwright") as project:
        pairs = add_pairs(project, settled)["nlp"]
        hold_out_papers(project)
        with project.transaction() as stores:
            for pair in pairs:
                for who in THREE:
                    answer_as(stores, who, pair.key, pair.distant_label)
        with_targets(project, 4)
        add_people(project, dict.fromkeys(THREE, Role.ANNOTATOR))
        found = next_step(project)
    assert found.step is StepKind.MINE
    lacking = "neutral in nlp (test) has 0 of 1 pair"
    assert found.sentence.startswith(f"No more pairs can be drawn for the targets: {lacking}. ")
    assert found.sentence.endswith("Add papers of nlp.")


def test_a_class_that_a_domain_does_not_have_is_short_of_all_its_pairs(project: Project) -> None:
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM pairs WHERE distant_label = 'entailment'")
    found = start(project, RoundPlan(size=2))
    assert "entailment in ecology has 0 of 2 pairs, entailment in nlp has 0 of 2 pairs" in draw_text(
        found.draw, found.shortage
    )
    assert len(found.draw.pairs) == 12


def test_pairs_that_mining_no_longer_finds_are_not_answered(project: Project) -> None:
    start(project)
    with project.transaction() as stores:
        keys = stores.annotation_rounds.keys(1)
        stores._connection.exec_driver_sql("UPDATE pairs SET current = 0 WHERE key = ?", (keys[0],))
    [round] = run(jobs.list_rounds(project))
    assert {(one.answered, one.left) for one in round.assignments} == {(0, len(keys) - 1)}
    assert (round.answered, round.answers) == (0, len(round.assignments) * (len(keys) - 1))


def test_closing_a_round_frees_its_pairs_for_the_next_one(project: Project) -> None:
    start(project, RoundPlan(size=10))
    run(jobs.close_round(project, 1))
    again = start(project, RoundPlan(size=10))
    assert len(again.draw.pairs) == 52
    answer_round(project, 2, C, C, C)
    run(jobs.close_round(project, 2))
    with pytest.raises(UserError, match="no pair left to draw"):
        start(project, RoundPlan(size=10))


def test_a_pilot_round_has_no_agreement_among_votes_but_feedback(project: Project) -> None:
    start(project, RoundPlan(RoundKind.PILOT, size=1))
    answer_round(project, 1, C, C, C)
    assert run(measure_agreement(project, AgreementOptions())).overall.agreement.pairs == 0
    with pytest.raises(UserError, match="Round 1 is a pilot round, whose answers are no votes"):
        run(measure_agreement(project, AgreementOptions(round=1)))
    assert run(load_gold(project)).gold == 0


def test_votes_that_do_not_overlap_are_refused_in_words(project: Project) -> None:
    set_rules(project, votes=2)
    start(project, RoundPlan(size=1), ("ada", "ben"))
    with project.transaction() as stores:
        for number, key in enumerate(stores.annotation_rounds.keys(1)):
            answer_as(stores, ("ada", "ben")[number % 2], key, C)
    assert run(measure_agreement(project, AgreementOptions())).overall.agreement.refusal is Refusal.NO_OVERLAP
    assert run(load_gold(project)).gold == 0


def test_rules_of_an_earlier_version_are_said_until_the_papers_are_split(project: Project) -> None:
    start(project)
    with project.transaction() as stores:
        for key in stores.annotation_rounds.keys(1):
            answer_as(stores, THREE[0], key, C)
    seen = run(load_annotate(project, ""))
    assert (seen.next.step, seen.older) == (StepKind.SEND, (16, 0, 0))
    assert seen.standing.endswith("every pair needs several votes (16 answered pairs have too few)")
    hold_out_papers(project)
    seen = run(load_annotate(project, ""))
    assert (seen.older, "hold for all pairs" in seen.standing) == (None, False)


def test_pairs_of_a_round_for_too_few_are_named_and_asked_of_others(project: Project) -> None:
    add_people(project, dict.fromkeys(THREE, Role.ANNOTATOR))
    hold_out_papers(project)
    with_targets(project, 3)
    plan = RoundPlan(dev=0, test=3)
    first = start(project, plan, ("Ada", "Ben"))
    assert first.votes_note.endswith("this round asks 2 people: the other votes are still needed.")
    answer_round(project, 1, C, C)
    found = next_step(project)
    assert found.step is StepKind.START_ROUND
    assert found.sentence == "24 pairs lack a vote: draw a round for Cy, who has not answered them."
    with pytest.raises(
        UserError, match="24 pairs lack a vote, but this round asks people who have answered them"
    ) as error:
        start(project, plan)
    assert error.value.hint == "To get these, draw a round for Cy, who has not answered them."
    preview = run(jobs.preview_round(project, plan))
    assert (preview.names, preview.draw.lacking) == (("Cy",), 24)
    second = start(project, plan, ("Cy",))
    assert {pair.key for pair in second.draw.pairs} == {pair.key for pair in first.draw.pairs}
    assert second.votes_note == "These pairs lack votes of earlier rounds; the votes that they have count."
    assert next_step(project).step is StepKind.SEND
    answer_round(project, 2, C)
    assert run(load_gold(project)).gold == 24
    assert "vote" not in next_step(project).sentence
    for number in (1, 2):  # the pairs are the same, and all three have voted on them
        report = run(measure_agreement(project, AgreementOptions(round=number)))
        assert (report.overall.agreement.pairs, len(report.voters)) == (24, 3)


def test_undo_of_the_round_for_the_missing_votes_keeps_the_votes_that_were_there(project: Project) -> None:
    hold_out_papers(project)
    with_targets(project, 3)
    plan = RoundPlan(dev=0, test=3)
    start(project, plan, ("Ada", "Ben"))
    answer_round(project, 1, C, C)
    start(project, plan, ("Cy",))
    run(undo(project, "Ada"))
    assert [one.round.number for one in run(jobs.list_rounds(project))] == [1]
    found = next_step(project)
    assert found.step is StepKind.ADD_PEOPLE
    assert found.sentence.startswith("24 pairs lack a vote: add somebody who has not answered them")
    with project.read_transaction() as stores:
        assert sum(one.lacking for one in stores.round_draws.progress()) == 24


def test_a_closed_round_leaves_pairs_without_votes_to_others(project: Project) -> None:
    add_people(project, dict.fromkeys((*THREE, "Dora"), Role.ANNOTATOR))
    hold_out_papers(project)
    with_targets(project, 3)
    start(project, RoundPlan(dev=0, test=3))
    with project.transaction() as stores:
        for key in stores.annotation_rounds.keys(1)[:5]:
            answer_as(stores, "Ada", key, C)
    run(jobs.close_round(project, 1))
    sentence = next_step(project).sentence
    assert sentence.startswith(
        "Draw the next round: the targets lack 24 pairs. Of earlier rounds, 5 pairs lack votes: "
    )
    assert sentence.endswith("draw a round for Dora and Ben, who have not answered them.")
    assert run(jobs.preview_round(project, RoundPlan(dev=0, test=3))).names == ("Ada", "Ben", "Cy", "Dora")
    drawn = start(project, RoundPlan(dev=0, test=3), ("Ben", "Cy"))
    assert (drawn.draw.lacking, len(drawn.draw.pairs)) == (5, 24)
    assert drawn.votes_note == (
        "5 of these pairs lack votes of earlier rounds; the votes that they have count. "
        "A gold label needs 3 votes: 19 pairs of this round will still lack some."
    )


def test_human_performance_is_not_measured_on_those_who_made_the_gold_labels(project: Project) -> None:
    add_people(project, {"Ada": Role.ANNOTATOR, "Lee": Role.LAYPERSON})
    start(project)
    answer_round(project, 1, C, C, C)
    plan = RoundPlan(RoundKind.ESTIMATE, size=2)
    for job in (
        jobs.start_annotation_round(project, plan, ("Lee", "ada"), now=AT),
        jobs.preview_round(project, plan, ("Lee", "ada")),
    ):
        with pytest.raises(UserError, match="experts and laypeople; Ada has the role annotator") as error:
            run(job)
        assert error.value.hint.endswith("pairwright people role NAME expert")
    assert len(run(jobs.list_rounds(project))) == 1
    added = start(project, plan, ("Lee", "Eve"))
    assert (added.added, len(added.draw.pairs)) == (("Eve",), 4)
    with project.read_transaction() as stores:
        assert stores.annotators.get("Eve").role is Role.EXPERT


def test_targets_that_are_reached_are_not_said_to_wait_for_rounds(project: Project) -> None:
    hold_out_papers(project)
    with_targets(project, 3)
    plan = RoundPlan(dev=0, test=3)
    drawn = start(project, plan).draw.pairs
    with project.transaction() as stores:
        for pair in drawn:
            for assignment in stores.annotation_rounds.assignments(1):
                answer_as(stores, assignment.annotator, pair.key, Label(str(pair.label)))
    assert next_step(project).step is StepKind.EXPORT
    with pytest.raises(UserError, match=r"^All targets are reached\.$"):
        start(project, plan)


def test_who_did_not_answer_a_closed_round_is_asked_again_only_if_nobody_else_can_be(project: Project) -> None:
    add_people(project, dict.fromkeys(THREE, Role.ANNOTATOR))
    hold_out_papers(project)
    with_targets(project, 3)
    start(project, RoundPlan(dev=0, test=3))
    with project.transaction() as stores:
        for key in stores.annotation_rounds.keys(1):
            answer_as(stores, "Ada", key, C)
            answer_as(stores, "Ben", key, C)
    with pytest.raises(UserError, match="will be when the open rounds are answered") as error:
        start(project, RoundPlan(dev=0, test=3), ("Dora",))
    assert error.value.hint.startswith("Close a round that somebody does not answer")
    run(jobs.close_round(project, 1))
    assert "24 pairs lack a vote: draw a round for Cy, who has not" in next_step(project).sentence
    add_people(project, {"Dora": Role.ANNOTATOR})
    assert "24 pairs lack a vote: draw a round for Dora, who has not" in next_step(project).sentence
