"""Doubtful labels: which come first, how each is settled, and suggestions accepted in bulk."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from desktop.jobs.review import answers, disagreements, people, rounds
from desktop.jobs.review.disagreements import DoubtedPair
from desktop.jobs.review.rounds import RoundOptions
from miner.classifier.doubt import normalized_margin, self_confidence
from miner.classifier.examples import LABELS
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer, Label
from miner.splits import PaperSplit
from storage.annotation.annotators import Role
from storage.annotation.answers import AnswerSource
from storage.annotation.rounds import ReviewItem, RoundOrder
from storage.models.registry import ModelKind
from storage.models.suggestions import NewSuggestion
from storage.pairs.filters import PairFilter, PairStatus
from storage.project import Project
from tests.split_factory import split_papers
from tests.storage.factories import add, mine

EVERYTHING = PairFilter()
AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Every linked pair is called reasoning with growing certainty, every neutral one neutral."""
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add(project, "abcdefgh")
        mine(project)
        with project.transaction() as stores:
            model = stores.models.enter("d1", "judge", ModelKind.FOLDER, "/models/judge", {}, LABELS)
            run = stores.suggestions.begin(model, 1.0, arithmetic="cpu fp32", program="test", at=AT)
            made = []
            for number, one in enumerate(stores.suggestions.missing(run, limit=1000)):
                sure = 0.5 + number / 100
                rest = (1 - sure) / 3
                top = 3 if one.distant is Label.NEUTRAL else 1
                shares = tuple(sure if place == top else rest for place in range(4))
                assert one.distant is not None
                label = np.array([LABELS.index(one.distant)])
                rows = np.array([shares])
                made.append(
                    NewSuggestion(
                        one,
                        shares,
                        1 - float(self_confidence(rows, label)[0]),
                        float(normalized_margin(rows, label)[0]),
                    )
                )
            stores.suggestions.put(run, made)
            stores.suggestions.complete(run, AT)
        yield project


def queue(project: Project, filter: PairFilter = EVERYTHING, who: str = "anna") -> list[DoubtedPair]:
    return disagreements.load_queue(project, filter, who).work(Progress())


def keys(project: Project, condition: str = "1") -> list[str]:
    with project.read_transaction() as stores:
        return list(stores._connection.exec_driver_sql(f"SELECT key FROM pairs WHERE {condition}").scalars())


def items(project: Project, wanted: list[str]) -> list[ReviewItem]:
    return rounds.load_items(project, wanted, "anna").work(Progress())


def test_the_most_doubtful_come_first_and_each_says_why(project: Project) -> None:
    found = queue(project)
    doubts = [one.suggestion.doubt or 0 for one in found]
    assert doubts == sorted(doubts, reverse=True)
    assert found[0].distant in (Label.CONTRASTING, Label.ENTAILMENT)
    assert "reasoning" in found[0].why
    assert str(found[0].distant) in found[0].why
    contrasting = queue(project, PairFilter(distant=frozenset({"contrasting"})))
    assert {one.distant for one in contrasting} == {Label.CONTRASTING}
    wrong = disagreements.count_doubted(project).work(Progress())
    assert wrong == sum(doubt >= 0.5 for doubt in doubts)


def test_a_settled_pair_leaves_the_queue_and_what_was_seen_is_kept(project: Project) -> None:
    first, second, *_ = queue(project)
    disagreements.answer_doubted(project, first, "anna", Answer.REASONING).work(Progress())
    disagreements.answer_doubted(project, second, "anna", Answer(str(second.distant))).work(Progress())
    assert {first.key, second.key}.isdisjoint(one.key for one in queue(project))
    with project.read_transaction() as stores:
        [event] = stores.answers.history(first.key)
        [kept] = stores.answers.history(second.key)
    assert (event.new, event.source, kept.new) == (Answer.REASONING, AnswerSource.ANSWER, Answer(str(second.distant)))
    assert (event.seen.blind, event.seen.distant, event.seen.suggestion) == (False, first.distant, "reasoning")
    assert len(event.seen.probabilities) == 4


def test_a_doubted_pair_has_the_answers_of_others(project: Project) -> None:
    first = queue(project)[0]
    answers.answer(project, [first.key], "ben", Answer.NEUTRAL).work(Progress())
    again = next(one for one in queue(project) if one.key == first.key)
    assert again.answers == {"ben": Answer.NEUTRAL}


def test_an_accepted_suggestion_is_recorded_as_such_and_undone(project: Project) -> None:
    [item] = items(project, [queue(project)[0].key])
    done = disagreements.accept(project, [item], "anna").work(Progress())
    assert (done.title, done.count) == ("Accept suggestion", 1)
    with project.read_transaction() as stores:
        [event] = stores.answers.history(item.pair.key)
    assert (event.new, event.source, event.seen.model, event.seen.blind) == (
        Answer.REASONING,
        AnswerSource.ACCEPTED,
        "d1",
        False,
    )
    answers.undo(project, "anna").work(Progress())
    assert keys(project, "status != 'open'") == []


def test_one_suggestion_is_accepted_also_where_others_answered_and_several_only_where_nobody_did(
    project: Project,
) -> None:
    some = items(project, [one.key for one in queue(project)[:3]])
    answers.answer(project, [some[0].pair.key], "ben", Answer.NEUTRAL).work(Progress())
    assert disagreements.accept(project, some, "anna").work(Progress()).count == 2
    assert disagreements.accept(project, some[:1], "anna").work(Progress()).count == 1


def test_a_suggestion_that_changed_since_is_not_accepted(project: Project) -> None:
    [item] = items(project, [queue(project)[0].key])
    assert item.suggestion is not None
    stale = replace(item, suggestion=replace(item.suggestion, label=Label.NEUTRAL))
    assert disagreements.accept(project, [stale], "anna").work(Progress()).count == 0
    assert keys(project, "status != 'open'") == []


def test_accepting_all_does_what_the_preview_said_and_is_undone_as_one(project: Project) -> None:
    answered = queue(project)[0].key
    answers.answer(project, [answered], "ben", Answer.CONTRASTING).work(Progress())
    seen = disagreements.preview_accept(project, EVERYTHING, 60).work(Progress())
    assert seen.count == sum(seen.by_label.values()) > 5
    assert seen.expected_wrong == pytest.approx(seen.expected_error * seen.count)
    assert 0 < seen.expected_error <= 0.4
    assert 0 < seen.differing < seen.count
    least = [item.suggestion.confidence for item in seen.examples if item.suggestion]
    assert least[0] >= 0.6
    assert least == sorted(least)
    with pytest.raises(UserError, match="Nothing was changed"):
        disagreements.accept_all(project, EVERYTHING, "anna", 60, expected=seen.count + 1).work(Progress())
    done = disagreements.accept_all(project, EVERYTHING, "anna", 60, expected=seen.count).work(Progress())
    assert done.count == seen.count
    assert done.title == f"Accept suggestions from 60 % ({seen.count} pairs)"
    with project.read_transaction() as stores:
        assert {event.source for event in stores.answers.history(answered)} == {AnswerSource.ANSWER}
        accepted = stores.answers.history(keys(project, "status = 'settled' AND accepted")[0])
        assert accepted[0].seen.at_least == 0.6
    undone = answers.undo(project, "anna").work(Progress())
    assert undone is not None
    assert undone.count == seen.count
    assert keys(project, "status != 'open'") == [answered]


def test_answered_pairs_cannot_be_accepted_in_bulk(project: Project) -> None:
    settled = PairFilter(statuses=frozenset({PairStatus.SETTLED}))
    assert disagreements.preview_accept(project, settled, 0).work(Progress()).count == 0
    with pytest.raises(UserError, match="answered already"):
        disagreements.accept_all(project, settled, "anna", 0)


def test_accepting_all_leaves_own_answers_that_are_no_votes(project: Project) -> None:
    """A pair stays open with the answers of those who do not vote; their own answer stands, also after undo."""
    key = queue(project)[0].key
    people.set_role(project, "eve", Role.EXPERT).work(Progress())
    answers.answer(project, [key], "eve", Answer.CONTRASTING).work(Progress())
    disagreements.accept_all(project, EVERYTHING, "eve", 0).work(Progress())
    answers.undo(project, "eve").work(Progress())
    with project.read_transaction() as stores:
        assert stores.answers.of_pair(key) == {"eve": Answer.CONTRASTING}


@pytest.mark.parametrize("order", [RoundOrder.DISAGREEMENTS, RoundOrder.LEAST_CERTAIN, RoundOrder.ACTIVE])
def test_rounds_by_what_the_model_says(project: Project, order: RoundOrder) -> None:
    progress = rounds.start_round(project, "anna", RoundOptions(order, size=6, seed=1)).work(Progress())
    again = rounds.start_round(project, "anna", RoundOptions(order, size=6, seed=1)).work(Progress())
    assert again.waiting == progress.waiting
    chosen = items(project, list(progress.waiting))
    confidence = [item.suggestion.confidence for item in chosen if item.suggestion]
    assert len(set(progress.waiting)) == len(confidence) == 6
    if order is RoundOrder.DISAGREEMENTS:
        assert chosen[0].pair.key == queue(project)[0].key
    elif order is RoundOrder.LEAST_CERTAIN:
        assert confidence == sorted(confidence)
    else:
        assert confidence[0] == pytest.approx(0.5)


def test_a_model_has_no_say_about_pairs_of_dev_and_test_papers(project: Project) -> None:
    """They are in no queue that it orders, and none of its suggestions is accepted for them."""
    with project.transaction() as stores:
        held_out = stores.papers.md5s()[:4]
        split_papers(stores, PaperSplit(named=tuple((md5, "test") for md5 in held_out), rest="train"))
    of_test = set(keys(project, "split = 'test'"))
    assert of_test
    assert not of_test & {one.key for one in queue(project)}
    assert disagreements.count_doubted(project).work(Progress()) <= len(keys(project, "split = 'train'"))
    for order in rounds.BY_SUGGESTION:
        drawn = rounds.start_round(project, "anna", RoundOptions(order, size=100)).work(Progress())
        assert not of_test & set(drawn.round.keys)
    with pytest.raises(UserError, match="come from annotators"):
        disagreements.accept(project, items(project, sorted(of_test)[:1]), "anna").work(Progress())
    with pytest.raises(UserError, match="come from annotators"):
        queue(project, PairFilter(splits=frozenset({"test"})))
    expected = disagreements.preview_accept(project, EVERYTHING, 0).work(Progress()).count
    done = disagreements.accept_all(project, EVERYTHING, "anna", 0, expected=expected).work(Progress())
    assert done.count == expected == len(keys(project, "split = 'train'"))
    assert set(keys(project, "accepted")) == set(keys(project, "split = 'train'"))


def test_without_suggestions_no_round_is_drawn_by_them(tmp_path: Path) -> None:
    with Project.create(tmp_path / "none.pairwright") as project:
        add(project, "abc")
        mine(project)
        with pytest.raises(UserError, match="There are no suggestions"):
            rounds.start_round(project, "anna", RoundOptions(RoundOrder.ACTIVE)).work(Progress())
        assert queue(project) == []


def test_an_accepted_suggestion_is_not_what_people_say(project: Project) -> None:
    first, second, *_ = queue(project)
    disagreements.accept(project, [first.item], "ben").work(Progress())
    disagreements.answer_doubted(project, second, "ben", Answer.NEUTRAL).work(Progress())
    assert [one.answers for one in queue(project)[:2]] == [{}, {"ben": Answer.NEUTRAL}]


def test_importing_it_does_not_import_numpy() -> None:
    code = "import sys; from desktop.jobs.review import disagreements, rounds; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_long_queue_is_read_in_batches(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = queue(project)
    monkeypatch.setattr(disagreements, "_BATCH_SIZE", 3)
    made = disagreements.map_queue(project, PairFilter(), "anna", 500, lambda one: one.key).work(Progress())
    assert made == [one.key for one in whole]
