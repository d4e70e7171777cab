"""Models' suggestions: stored in runs, deleted with their pairs, filtered, sorted and accepted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from miner.errors import UserError
from miner.records import Answer, Label, Suggestion
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import AnswerSource
from storage.annotation.marks import MarkKind
from storage.annotation.rounds import RoundOrder
from storage.models.suggestions import NewSuggestion, PairToScore
from storage.pairs import judgement
from storage.pairs.filters import (
    PairFilter,
    PairOrder,
    PairStatus,
    SortColumn,
    depends_on_annotations,
    depends_on_suggestions,
)
from storage.project import Project
from tests.storage.factories import add, as_many, mine, mined, next_papers, pair, paper, pdf, start_run
from tests.storage.models.suggestion_factory import (
    NOW,
    answer,
    begin,
    complete,
    current,
    enter_model,
    keys_in_order,
    missing,
    new_suggestion,
    put,
    suggest,
)


def test_a_model_gets_every_current_pair_that_is_not_bad(project: Project, pairs: list[PairToScore]) -> None:
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Bad", NOW)
        stores.marks.put(judgement.keys_scope([pairs[0].key]), "anna", MarkKind.BAD, "other", NOW, action=action)
    run = begin(project, enter_model(project))
    found = missing(project, run)
    assert found == pairs[1:]
    assert found[0].distant is not None
    assert {to_score.paper for to_score in found} == {paper("a").md5, paper("b").md5}
    with project.read_transaction() as stores:
        assert stores.suggestions.missing(run, after=found[2].id, limit=2) == found[3:5]


def test_suggestions_are_stored_to_a_ten_thousandth(project: Project, pairs: list[PairToScore]) -> None:
    run = begin(project, enter_model(project))
    assert put(project, run, [NewSuggestion(pairs[0], (0.1, 0.55556, 0.3, 0.04444), 0.9, -0.45, None)]) == 1
    found = current(project)[pairs[0].key]
    assert found == Suggestion(Label.REASONING, 0.5556, (0.1, 0.5556, 0.3, 0.0444), 0.9, -0.45, "starter")
    assert [to_score.id for to_score in missing(project, run)] == [to_score.id for to_score in pairs[1:]]


def test_the_first_run_is_current_at_once_and_later_ones_when_complete(
    project: Project, pairs: list[PairToScore]
) -> None:
    first, second = enter_model(project, "one"), enter_model(project, "two")
    run = begin(project, first)
    put(project, run, [new_suggestion(pairs[0], Label.NEUTRAL)])
    assert [one.model for one in current(project).values()] == ["one"]
    put(project, run, [new_suggestion(to_score, Label.NEUTRAL) for to_score in pairs[1:]])
    complete(project, run)
    later = begin(project, second)
    put(project, later, [new_suggestion(to_score, Label.REASONING) for to_score in pairs[:4]])
    assert {one.model for one in current(project).values()} == {"one"}
    with project.read_transaction() as stores:
        shown, running = stores.suggestions.current_run(), stores.suggestions.unfinished_run()
        assert shown is not None
        assert (shown.id, shown.state, shown.pairs, shown.model) == (run, "complete", 9, "one")
        assert running is not None
        assert (running.id, running.state, running.pairs, running.ended_at) == (later, "running", 4, None)
    put(project, later, [new_suggestion(to_score, Label.REASONING) for to_score in missing(project, later)])
    complete(project, later)
    assert {one.model for one in current(project).values()} == {"two"}
    cleared = []
    while not cleared or cleared[-1]:
        with project.transaction(bulk=True) as stores:
            cleared.append(stores.suggestions.clear_replaced(5))
    assert cleared == [5, 4, 0]
    assert len(current(project)) == 9


def test_a_run_is_resumed_and_new_pairs_are_added_to_a_complete_one(project: Project, pairs: list[PairToScore]) -> None:
    model = enter_model(project)
    run = begin(project, model)
    put(project, run, [new_suggestion(pairs[0], Label.NEUTRAL)])
    assert begin(project, model) == run
    put(project, run, [new_suggestion(to_score, Label.NEUTRAL) for to_score in missing(project, run)])
    complete(project, run)
    add(project, ["c"])
    mine(project)
    assert begin(project, model) == run
    new = missing(project, run)
    assert {to_score.paper for to_score in new} == {paper("c").md5}
    put(project, run, [new_suggestion(new[0], Label.NEUTRAL)])
    assert len(current(project)) == 10
    assert begin(project, model, temperature=2.0) != run
    assert begin(project, model, arithmetic="cpu fp32 numpy") != run
    anew = begin(project, model, again=True)
    assert anew != run
    assert begin(project, model) == anew


def test_a_replaced_run_takes_no_more_suggestions(project: Project, pairs: list[PairToScore]) -> None:
    run = begin(project, enter_model(project, "one"))
    later = begin(project, enter_model(project, "two"))
    assert later != run
    with pytest.raises(UserError, match="Another model"):
        put(project, run, [new_suggestion(pairs[0], Label.NEUTRAL)])
    with pytest.raises(UserError, match="Another model"):
        complete(project, run)


def test_suggestions_for_pairs_that_went_or_changed_meanwhile_are_left_out(
    project: Project, pairs: list[PairToScore]
) -> None:
    run = begin(project, enter_model(project))
    went, relabelled, reworded, *_ = pairs
    with project.transaction() as stores:
        change = stores._connection.exec_driver_sql
        change("DELETE FROM pairs WHERE id = ?", (went.id,))
        change("UPDATE pairs SET distant_label = 'neutral' WHERE id = ?", (relabelled.id,))
        change("UPDATE pairs SET hypothesis = 'Other.' WHERE id = ?", (reworded.id,))
    assert put(project, run, [new_suggestion(to_score, Label.NEUTRAL) for to_score in pairs]) == 6
    assert {to_score.id for to_score in missing(project, run)} == {relabelled.id, reworded.id}


def test_a_pair_mined_otherwise_loses_its_suggestion_and_others_keep_theirs(project: Project) -> None:
    add(project, ["a"])
    md5 = paper("a").md5
    stays, relabelled, goes = (pair(md5, f"Premise {n}.", f"However, {n}.", number=n) for n in range(3))
    first = mined([stays, relabelled, goes])
    with project.transaction() as stores:
        stores.mining_runs.start("one", "{}", program="1", language_model="")
    for pending in next_papers(project, 1):
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, first, as_many)
    answer(project, goes.key, Answer.NEUTRAL)  # so it stays, as no longer mined
    suggest(project)
    assert set(current(project)) == {stays.key, relabelled.key, goes.key}
    run = start_run(project, "two")
    again = mined([stays, replace(relabelled, distant_label=Label.REASONING)])
    for pending in next_papers(project, run):
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, again, as_many)
    assert set(current(project)) == {stays.key}
    with project.read_transaction() as stores:
        assert (stores.suggestion_statistics.summary().suggested, stores.suggestion_statistics.summary().missing) == (
            1,
            1,
        )


def test_suggestions_go_and_come_back_with_a_paper(project: Project, pairs: list[PairToScore]) -> None:
    run = suggest(project)
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Remove", NOW)
        stores.paper_removals.remove(action, [paper("a").md5])
    assert {to_score.paper for to_score in pairs if to_score.key in current(project)} == {paper("b").md5}
    with project.transaction() as stores:
        stores.actions.undo("anna", NOW)
    assert set(current(project)) == {to_score.key for to_score in pairs}
    assert missing(project, run) == []
    assert project.check() == []


def test_suggestions_go_when_a_paper_is_parsed_again_and_are_missing_once_it_is_mined(
    project: Project, pairs: list[PairToScore]
) -> None:
    """None is left of another text, also not of an answered pair that stays; other papers keep theirs."""
    run = suggest(project)
    answer(project, next(one.key for one in pairs if one.paper == paper("a").md5), Answer.NEUTRAL)
    with project.transaction() as stores:
        stores.papers.save(paper("a", version="2", text="Other cells grow. However, they die."), pdf("a"))
    assert {one.paper for one in pairs if one.key in current(project)} == {paper("b").md5}
    mine(project, "again")
    assert {one.paper for one in missing(project, run)} == {paper("a").md5}
    assert {one.paper for one in pairs if one.key in current(project)} == {paper("b").md5}


def test_an_answer_outvotes_accepted_suggestions(project: Project, pairs: list[PairToScore]) -> None:
    key = pairs[0].key
    answer(project, key, Answer.NEUTRAL, "model friend", AnswerSource.ACCEPTED)
    answer(project, key, Answer.NEUTRAL, "another", AnswerSource.ACCEPTED)

    def state() -> tuple[str, str, bool, bool]:
        with project.read_transaction() as stores:
            [line] = stores.pair_table.rows(stores.pair_table.ids_of([key]))
            return line.status, line.gold, line.accepted, line.contested

    assert state() == ("settled", "neutral", True, False)
    answer(project, key, Answer.REASONING)
    assert state() == ("settled", "reasoning", False, False)
    answer(project, key, None)
    assert state() == ("settled", "neutral", True, False)


def test_accepting_takes_each_open_pairs_own_suggestion_and_is_undone_and_redone(
    project: Project, pairs: list[PairToScore]
) -> None:
    run = begin(project, enter_model(project))
    put(project, run, [new_suggestion(to_score, list(Label)[n % 4], 0.5 + n / 20) for n, to_score in enumerate(pairs)])
    answer(project, pairs[8].key, Answer.UNCLEAR)
    confident = PairFilter(confidence=(70, None), statuses=frozenset([PairStatus.OPEN]))
    with project.read_transaction() as stores:
        counts = stores.suggestion_statistics.accept_counts(PairFilter(confidence=(70, None)))
    with project.transaction() as stores:
        action = stores.actions.begin("ben", "Accept", NOW)
        selection = stores.selection.of_filter(confident)

        def act(scope: judgement.PairScope) -> int:
            seen = AnswerContext(at_least=0.7)
            return stores.answers.accept_suggestions(scope, "ben", NOW, action=action, seen=seen, refresh=False)

        count = selection.for_each_batch(act, lambda done, total: None)
    assert count == counts.count == 4
    accepted = PairFilter(accepted=True)
    assert keys_in_order(project, accepted) == [pairs[n].key for n in range(4, 8)]
    with project.read_transaction() as stores:
        [event] = stores.answers.history(pairs[5].key)
        assert (event.new, event.source) == (Answer.REASONING, AnswerSource.ACCEPTED)
        assert event.seen == AnswerContext(
            at_least=0.7, confidence=0.75, model="starter" * 4, suggestion=Label.REASONING
        )
        assert stores.answers.of_pair(pairs[8].key) == {"anna": Answer.UNCLEAR}
    with project.transaction() as stores:
        stores.actions.undo("ben", NOW)
    assert keys_in_order(project, accepted) == []
    with project.transaction() as stores:
        stores.actions.redo("ben", NOW)
    assert len(keys_in_order(project, accepted)) == 4


def test_undoing_a_change_of_mind_brings_back_how_the_answer_had_come(
    project: Project, pairs: list[PairToScore]
) -> None:
    key = pairs[0].key
    answer(project, key, Answer.NEUTRAL, "anna", AnswerSource.ACCEPTED)
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Answer", NOW)
        stores.answers.give(judgement.keys_scope([key]), "anna", Answer.NEUTRAL, NOW, action=action)
    assert keys_in_order(project, PairFilter(accepted=True)) == []
    with project.transaction() as stores:
        stores.actions.undo("anna", NOW)
    assert keys_in_order(project, PairFilter(accepted=True)) == [key]


def test_a_filter_knows_whether_suggestions_or_people_can_change_it() -> None:
    assert depends_on_suggestions(PairFilter(doubt=(50, None)), PairOrder())
    assert depends_on_suggestions(PairFilter(), PairOrder(SortColumn.CONFIDENCE))
    assert not depends_on_suggestions(PairFilter(overlap=(50, None)), PairOrder())
    assert depends_on_annotations(PairFilter(suggestion_agrees=True), PairOrder())
    assert not depends_on_annotations(PairFilter(suggested=frozenset(["neutral"])), PairOrder())


def test_rounds_begin_with_the_most_doubtful_or_the_least_certain_that_wait(
    project: Project, pairs: list[PairToScore]
) -> None:
    run = begin(project, enter_model(project))
    doubts = (0.5, 0.9, 0.1, 0.7, 0.3, 0.8, None, 0.2)
    sureness = (0.8, 0.5, 0.9, 0.6, 0.85, 0.55, 0.4, 0.7)
    suggestions = [
        new_suggestion(to_score, Label.NEUTRAL, confidence)._replace(doubt=doubt)
        for to_score, doubt, confidence in zip(pairs[:8], doubts, sureness, strict=True)
    ]
    put(project, run, suggestions)
    answer(project, pairs[1].key, Answer.NEUTRAL, "me")
    answer(project, pairs[5].key, Answer.NEUTRAL, "somebody else")

    def draw(order: RoundOrder, size: int, filter: PairFilter | None = None) -> list[int]:
        with project.read_transaction() as stores:
            keys = stores.rounds.draw(filter or PairFilter(), "me", order, size, 1)
        return [[to_score.key for to_score in pairs].index(key) for key in keys]

    assert draw(RoundOrder.DISAGREEMENTS, 3) == [5, 3, 0]
    assert draw(RoundOrder.DISAGREEMENTS, 100) == [5, 3, 0, 4, 7, 2]
    assert draw(RoundOrder.LEAST_CERTAIN, 4) == [6, 5, 3, 7]
    assert draw(RoundOrder.ACTIVE, 2) == [6, 5]
    assert draw(RoundOrder.DISAGREEMENTS, 9, PairFilter(doubt=(60, None))) == [5, 3]
    with project.read_transaction() as stores:
        found = stores.rounds.candidates(PairFilter(), "me", 2)
        assert [(one.key, one.premise) for one in found] == [(pairs[n].key, pairs[n].premise) for n in (6, 5)]
        assert [one.uncertainty for one in found] == pytest.approx([0.6, 0.45])
        item, without = stores.rounds.items([pairs[5].key, pairs[8].key], "me")
        assert item.suggestion is not None
        assert item.suggestion.doubt == 0.8
        assert without.suggestion is None


def test_a_round_counts_accepted_suggestions_as_answers_but_not_as_agreement(
    project: Project, pairs: list[PairToScore]
) -> None:
    first, second = (to_score for to_score in pairs if to_score.distant is Label.NEUTRAL)
    answer(project, first.key, Answer.NEUTRAL)
    answer(project, second.key, Answer.NEUTRAL, via=AnswerSource.ACCEPTED)
    with project.read_transaction() as stores:
        tally = stores.rounds.counts([first.key, second.key], "anna")
    assert (tally.answers, tally.agreed, tally.compared) == ({"neutral": 2}, 1, 1)


def test_a_row_of_the_table_has_the_suggestion(project: Project, pairs: list[PairToScore]) -> None:
    run = begin(project, enter_model(project))
    put(project, run, [NewSuggestion(pairs[0], (0.2, 0.3, 0.1, 0.4), 0.75)])
    with project.read_transaction() as stores:
        line, other = stores.pair_table.rows([pairs[0].id, pairs[1].id])
    assert (line.suggested, line.confidence, line.doubt) == ("neutral", 0.4, 0.75)
    assert line.probabilities == (0.2, 0.3, 0.1, 0.4)
    assert (other.suggested, other.confidence, other.doubt, other.probabilities) == ("", None, None, ())
