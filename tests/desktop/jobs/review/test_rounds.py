"""Rounds: what is drawn, in which order, and how one carries on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.review import answers, queues
from desktop.jobs.review import rounds as review
from desktop.jobs.review.rounds import RoundOptions, RoundProgress
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation import rounds
from storage.annotation.annotators import Role
from storage.annotation.answer_context import AnswerContext
from storage.annotation.marks import MarkKind
from storage.annotation.rounds import OWN_QUEUE, RoundOrder
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import keys_scope
from storage.project import Project
from tests.storage.factories import add, as_many, mine, mined, next_papers, pair, paper, some_pairs, start_run
from tests.suggestion_factory import suggest

AT = datetime(2026, 7, 1, tzinfo=UTC)

GIVEN = {RoundOrder.ASSIGNED, RoundOrder.TIES, RoundOrder.ERRORS}  # not drawn


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add(project, "abcdefgh")
        mine(project)
        yield project


def start(project: Project, options: RoundOptions, who: str = "anna") -> RoundProgress:
    return review.start_round(project, who, options).work(Progress())


def current(project: Project, who: str = "anna") -> RoundProgress:
    progress = review.current_round(project, who).work(Progress())
    assert progress is not None
    return progress


def distant(project: Project, keys: tuple[str, ...]) -> Counter[Label | None]:
    return Counter(item.pair.distant_label for item in review.load_items(project, keys, "anna").work(Progress()))


def give(project: Project, key: str, answer: Answer | None, seconds: float = 2.0) -> None:
    answers.answer(project, [key], "anna", answer, seen=AnswerContext(seconds=seconds)).work(Progress())


def test_a_round_by_search_has_the_best_matches_first(project: Project) -> None:
    """By paper they come in the order of the papers, where the best match is the last."""
    texts = ["The moss and the fern and the reed are wet.", "Moss is wet.", "Moss on moss beside moss."]
    add(project, ["z"])
    run = start_run(project, "again")
    for pending in next_papers(project, run):
        found = mined(pair(pending.md5, text, f"However, {n}.", number=n) for n, text in enumerate(texts))
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, found if pending.md5 == paper("z").md5 else mined(()), as_many)
    drawn = {
        order: [
            item.pair.premise
            for item in review.load_items(
                project, start(project, RoundOptions(order, filter=PairFilter(text="moss"), size=9)).waiting, "anna"
            ).work(Progress())
        ]
        for order in (RoundOrder.BY_PAPER, RoundOrder.BY_SEARCH)
    }
    assert drawn == {RoundOrder.BY_PAPER: texts, RoundOrder.BY_SEARCH: texts[::-1]}


def test_a_balanced_round_has_as_many_of_each_class_not_in_turns(project: Project) -> None:
    keys = start(project, RoundOptions(RoundOrder.CLASS_BALANCED, size=24, seed=1)).waiting
    assert distant(project, keys) == dict.fromkeys(Label, 6)
    labels_in_order = [item.pair.distant_label for item in review.load_items(project, keys, "anna").work(Progress())]
    assert labels_in_order != labels_in_order[:4] * 6


def test_larger_classes_fill_up_for_a_small_one(project: Project) -> None:
    neutral = PairFilter(distant=frozenset({"neutral", "reasoning"}))
    keys = start(project, RoundOptions(RoundOrder.CLASS_BALANCED, neutral, size=100, seed=1)).waiting
    assert distant(project, keys) == {Label.NEUTRAL: 8, Label.REASONING: 8}


def test_a_rare_class_is_found_in_a_balanced_round(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """33 pairs, of which a draw looks at 8 for a round of 8: eight of reasoning are hardly among them."""
    monkeypatch.setattr(rounds, "_BALANCE_SAMPLE_FACTOR", 1)
    for seed in range(1, 6):
        keys = start(project, RoundOptions(RoundOrder.CLASS_BALANCED, size=8, seed=seed)).waiting
        assert distant(project, keys) == dict.fromkeys(Label, 2)


@pytest.mark.parametrize("order", sorted(set(RoundOrder) - review.BY_SUGGESTION - GIVEN - {RoundOrder.PRECISION}))
def test_the_same_seed_draws_the_same_pairs(project: Project, order: RoundOrder) -> None:
    options = RoundOptions(order, PairFilter(text="premise"), size=9, seed=5)
    first, second = start(project, options), start(project, options)
    assert first.waiting == second.waiting
    assert len(set(first.waiting)) == 9
    assert (first.round.number, second.round.number) == (1, 2)


def test_another_seed_draws_others(project: Project) -> None:
    drawn = {start(project, RoundOptions(RoundOrder.RANDOM, size=9, seed=seed)).waiting for seed in range(5)}
    assert len(drawn) > 2


def test_by_paper_is_reading_order(project: Project) -> None:
    keys = start(project, RoundOptions(RoundOrder.BY_PAPER, size=100)).waiting
    with project.read_transaction() as stores:
        expected = [pair.key for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
    assert list(keys) == expected


def test_answered_and_bad_pairs_are_not_drawn_but_those_others_answered_are(project: Project) -> None:
    everything = start(project, RoundOptions(RoundOrder.BY_PAPER, size=100)).waiting
    give(project, everything[0], Answer.NEUTRAL)
    answers.mark(project, [everything[1]], "ben", MarkKind.BAD, "other").work(Progress())
    answers.answer(project, [everything[2]], "ben", Answer.NEUTRAL).work(Progress())
    assert start(project, RoundOptions(RoundOrder.BY_PAPER, size=100)).waiting == everything[2:]


def test_a_round_is_continued_after_a_restart(project: Project) -> None:
    options = RoundOptions(RoundOrder.RANDOM, PairFilter(domains=frozenset({"biology"})), size=5, seed=2)
    keys = start(project, options).waiting
    give(project, keys[1], Answer.NEUTRAL)
    review.save_skips(project, "anna", OWN_QUEUE, [keys[0]]).work(Progress())
    project.close()
    with Project.open(project.path) as again:
        progress = current(again)
    assert progress.round.filter == options.filter
    assert progress.round.keys == keys
    assert progress.waiting == (keys[2], keys[3], keys[4], keys[0])
    assert progress.skipped == (keys[0],)


def test_a_pair_waits_again_when_its_answer_is_undone(project: Project) -> None:
    keys = start(project, RoundOptions(size=4, seed=1)).waiting
    give(project, keys[0], Answer.NEUTRAL)
    answers.undo(project, "anna").work(Progress())
    assert current(project).waiting == keys


def test_everybody_has_a_round_of_their_own(project: Project) -> None:
    mine_, his = start(project, RoundOptions(size=3, seed=1)), start(project, RoundOptions(size=3, seed=9), "ben")
    give(project, mine_.waiting[0], Answer.NEUTRAL)
    assert current(project).round == mine_.round
    assert current(project, "ben").waiting == his.waiting
    assert review.current_round(project, "cleo").work(Progress()) is None


def test_a_round_without_pairs_is_refused(project: Project) -> None:
    answers.answer_all(project, PairFilter(), "anna", Answer.UNCLEAR).work(Progress())
    with pytest.raises(UserError, match="no unanswered pair"):
        start(project, RoundOptions())


def test_the_answers_of_a_round_are_counted(project: Project) -> None:
    """Of four pairs with a distant label two are answered as it says, one otherwise, one with unclear: 2 of 3."""
    keys = start(project, RoundOptions(RoundOrder.CLASS_BALANCED, size=5, seed=1)).waiting
    items = {item.pair.key: item for item in review.load_items(project, keys, "anna").work(Progress())}
    for key in keys[:2]:
        give(project, key, Answer(items[key].pair.distant_label or ""))
    other = next(answer for answer in Answer if answer != items[keys[2]].pair.distant_label)
    give(project, keys[2], other, seconds=5000.0)
    give(project, keys[3], Answer.UNCLEAR)
    answers.mark(project, [keys[4]], "anna", MarkKind.BAD, "other").work(Progress())
    counts = review.count_answers(project, keys, "anna").work(Progress())
    assert (counts.agreed, counts.compared, counts.bad, counts.seconds) == (2, 3, 1, 126.0)
    assert sum(counts.answers.values()) == 4


def test_an_item_has_the_annotators_answer_and_the_number_of_others(project: Project) -> None:
    key = start(project, RoundOptions(size=1, seed=1)).waiting[0]
    give(project, key, Answer.ENTAILMENT)
    answers.answer(project, [key], "ben", Answer.NEUTRAL).work(Progress())
    answers.mark(project, [key], "anna", MarkKind.NOTE, "hm").work(Progress())
    answers.mark(project, [key], "ben", MarkKind.FLAG, "1").work(Progress())
    [item] = review.load_items(project, [key, "gone"], "anna").work(Progress())
    assert (item.mine, item.others, item.note, item.flagged, item.bad) == (Answer.ENTAILMENT, 1, "hm", False, None)
    assert (item.status, item.domain, item.year) == ("unsettled", "biology", 2019)


def test_loading_the_review_finds_the_round_the_guidelines_and_the_blind_mode(project: Project) -> None:
    progress = start(project, RoundOptions(size=3, seed=1))
    review.save_guidelines(project, " Be strict. ").work(Progress())
    review.save_blind(project, False).work(Progress())
    found = queues.load_review(project, "anna").work(Progress())
    assert found == queues.LoadedReview(
        progress, 0, {"biology": 8}, "Be strict.", False, queues=(queues.WaitingQueue(OWN_QUEUE, 3),)
    )
    assert queues.load_review(project, "ben").work(Progress()).pairs == 40 - 7


def test_pairs_that_are_no_longer_mined_are_neither_done_nor_waiting(project: Project) -> None:
    keys = start(project, RoundOptions(RoundOrder.RANDOM, size=30, seed=1)).waiting
    for key in keys[:5]:
        give(project, key, Answer.NEUTRAL)
    with project.transaction() as stores:
        papers = stores.papers.md5s()
        run = stores.mining_runs.start("other", "{}", program="1", language_model="")
    for pending in next_papers(project, run):
        kept = some_pairs(pending.md5) if pending.md5 == papers[0] else mined(())
        with project.transaction() as stores:
            assert stores.pairs.replace_for(pending, kept, as_many) is not None
    progress = current(project)
    with project.read_transaction() as stores:
        there = stores.pairs.present(keys)
    assert set(keys[:5]) <= set(there)
    assert len(there) < len(keys)
    assert progress.round.keys == there
    assert progress.gone == len(keys) - len(there)
    assert len(progress.round.keys) - len(progress.waiting) == 5  # what is shown as done


def test_a_round_for_precision_is_a_sample_that_a_second_annotator_carries_on(project: Project) -> None:
    options = RoundOptions(RoundOrder.PRECISION, size=20, seed=3)
    first = start(project, options)
    assert len(first.waiting) == 20
    for key in first.waiting[:5]:
        give(project, key, Answer.NEUTRAL)
    second = start(project, replace(options, seed=9), "ben")
    assert second.waiting[:15] == first.waiting[5:]
    answers.answer(project, [second.waiting[0]], "ben", Answer.NEUTRAL).work(Progress())
    assert current(project).waiting == first.waiting[6:]
    with project.read_transaction() as stores:
        assert len(stores.precision_samples.sample()) == 25


def test_an_accepted_suggestion_is_no_answer_to_the_sample(project: Project) -> None:
    suggest(project)
    first = start(project, RoundOptions(RoundOrder.PRECISION, size=20, seed=3))
    with project.transaction() as stores:
        action, scope = stores.actions.begin("anna", "Accept", AT), keys_scope(first.waiting[:4])
        assert stores.answers.accept_suggestions(scope, "anna", AT, action=action, seen=AnswerContext()) == 4
    assert current(project).waiting == first.waiting
    give(project, first.waiting[0], Answer.NEUTRAL)
    assert current(project).waiting == first.waiting[1:]


@pytest.mark.parametrize("role", [Role.EXPERT, Role.LAYPERSON])
def test_who_measures_human_performance_draws_no_sample_for_precision(project: Project, role: Role) -> None:
    with project.transaction() as stores:
        eva = stores.annotators.ensure("Eva", role)
    with pytest.raises(UserError, match="do not count for the precision"):
        start(project, RoundOptions(RoundOrder.PRECISION, size=20), eva.key)


@pytest.mark.parametrize("filter", [PairFilter(text="moss"), PairFilter(distant=frozenset({"neutral"}))])
def test_a_round_for_precision_refuses_a_filter_by_which_its_pairs_would_speak_for_none(
    project: Project, filter: PairFilter
) -> None:
    with pytest.raises(UserError, match="for all pairs, or for those of domains"):
        start(project, RoundOptions(RoundOrder.PRECISION, filter))
