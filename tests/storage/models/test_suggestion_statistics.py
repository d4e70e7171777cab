"""Counts of the current suggestions, and what they say about labels."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from miner.records import Answer, Label
from storage.annotation.answers import AnswerSource
from storage.annotation.marks import MarkKind
from storage.models.suggestion_statistics import MatrixCell
from storage.models.suggestions import NewSuggestion, PairToScore
from storage.pairs import judgement
from storage.pairs.filters import PairFilter, PairStatus
from storage.project import Project
from tests.storage.models.suggestion_factory import NOW, answer, begin, enter_model, new_suggestion, put, suggest


def test_accept_counts_say_what_accepting_would_change(project: Project, pairs: list[PairToScore]) -> None:
    suggest(project, label=Label.REASONING, confidence=0.8)
    answer(project, pairs[0].key, Answer.NEUTRAL)
    with project.read_transaction() as stores:
        counts = stores.suggestion_statistics.accept_counts(PairFilter())
        assert stores.suggestion_statistics.accept_counts(PairFilter(statuses=frozenset([PairStatus.BAD]))).count == 0
    assert (counts.count, counts.labels[Label.REASONING], sum(counts.labels.values())) == (8, 8, 8)
    assert counts.confidence == pytest.approx(0.8)
    assert counts.differing == sum(to_score.distant is not Label.REASONING for to_score in pairs[1:])
    assert counts.learned == 0
    with project.transaction() as stores:
        shown = stores.suggestions.current_run()
        assert shown is not None
        learned = [NewSuggestion(to_score, (0.1, 0.7, 0.1, 0.1)) for to_score in pairs[:3]]  # without a doubt
        stores.suggestions.put(shown.id, learned)
        assert stores.suggestion_statistics.accept_counts(PairFilter()).learned == 2


def test_the_summary_accounts_for_every_pair(project: Project, pairs: list[PairToScore]) -> None:
    run = begin(project, enter_model(project))
    put(project, run, [new_suggestion(to_score, Label.NEUTRAL, 0.9) for to_score in pairs[:6]])
    answer(project, pairs[0].key, Answer.NEUTRAL)
    with project.transaction() as stores:
        action = stores.actions.begin("anna", "Bad", NOW)
        bad = [pairs[1].key, pairs[8].key]
        stores.marks.put(judgement.keys_scope(bad), "anna", MarkKind.BAD, "other", NOW, action=action)
    with project.read_transaction() as stores:
        summary = stores.suggestion_statistics.summary()
    assert (summary.suggested, summary.missing) == (5, 2)
    assert summary.labels == {**dict.fromkeys(Label, 0), Label.NEUTRAL: 5}
    assert summary.confidence == (*[0] * 18, 5, 0)
    doubted = [to_score for to_score in (pairs[0], *pairs[2:6]) if to_score.distant is not Label.NEUTRAL]
    assert (summary.doubted, summary.waiting) == (len(doubted), len([one for one in doubted if one != pairs[0]]))


def test_the_matrix_spreads_pairs_over_phrase_model_and_people(project: Project, pairs: list[PairToScore]) -> None:
    run = begin(project, enter_model(project))
    put(project, run, [new_suggestion(pairs[0], Label.NEUTRAL)])
    answer(project, pairs[0].key, Answer.REASONING)
    with project.read_transaction() as stores:
        cells = stores.suggestion_statistics.matrix(PairFilter())
        assert sum(cell.pairs for cell in cells) == len(pairs)
        assert MatrixCell(str(pairs[0].distant), "neutral", "reasoning", 1) in cells
        of_model = PairFilter(suggested=frozenset(["neutral"]))
        assert stores.suggestion_statistics.matrix(of_model) == [
            MatrixCell(str(pairs[0].distant), "neutral", "reasoning", 1)
        ]
        for cell in cells:
            asked = PairFilter(distant=frozenset([cell.distant]), suggested=frozenset([cell.suggested]))
            assert stores.pair_table.count(replace(asked, gold=frozenset([cell.gold]))) == cell.pairs


def test_the_matrix_takes_no_accepted_suggestion_for_what_people_say(
    project: Project, pairs: list[PairToScore]
) -> None:
    run = begin(project, enter_model(project))
    put(project, run, [new_suggestion(to_score, Label.NEUTRAL) for to_score in pairs])
    answer(project, pairs[0].key, Answer.NEUTRAL, "anna", AnswerSource.ACCEPTED)
    with project.read_transaction() as stores:
        assert {cell.gold for cell in stores.suggestion_statistics.matrix(PairFilter())} == {""}


def test_phrases_and_domains_are_ranked_by_their_mean_doubt(project: Project, pairs: list[PairToScore]) -> None:
    run = begin(project, enter_model(project))
    phrased = [to_score for to_score in pairs if to_score.distant is not Label.NEUTRAL]
    neutral = [to_score for to_score in pairs if to_score.distant is Label.NEUTRAL]
    suggestions = [
        NewSuggestion(to_score, (0.1, 0.2, 0.3, 0.4), 0.8 if n % 2 else 0.6) for n, to_score in enumerate(phrased[:6])
    ]
    put(project, run, [*suggestions, *(NewSuggestion(to_score, (0.1, 0.2, 0.3, 0.4), 0.1) for to_score in neutral)])
    answer(project, phrased[0].key, Answer(str(phrased[0].distant)))
    answer(project, phrased[1].key, Answer.NEUTRAL)
    answer(project, phrased[2].key, Answer.NEUTRAL, via=AnswerSource.ACCEPTED)
    with project.read_transaction() as stores:
        however, none = stores.suggestion_statistics.by_group("phrase")
        [biology] = stores.suggestion_statistics.by_group("domain")
    assert (however.group, however.pairs, however.answered, however.agreed) == ("However", 6, 2, 1)
    # Doubts .6 .8 .6 .8 .6 .8: mean .7, sample deviation .1095, error .1095 / sqrt(6) = .0447.
    assert (however.doubt, however.error) == (pytest.approx(0.7), pytest.approx(0.0447, abs=1e-4))
    assert (none.group, none.pairs, none.doubt) == ("", len(neutral), pytest.approx(0.1))
    assert (biology.group, biology.pairs, biology.answered) == ("biology", 6 + len(neutral), 2)


def test_only_what_people_answered_themselves_calibrates(project: Project, pairs: list[PairToScore]) -> None:
    suggest(project)
    answer(project, pairs[0].key, Answer.NEUTRAL)
    answer(project, pairs[1].key, Answer.NEUTRAL, via=AnswerSource.ACCEPTED)
    answer(project, pairs[2].key, Answer.UNCLEAR)
    with project.read_transaction() as stores:
        [found] = stores.suggestion_statistics.calibration_pairs()
        assert (found.key, found.paper, found.gold) == (pairs[0].key, pairs[0].paper, Label.NEUTRAL)
        assert found.probabilities == pytest.approx((0.1, 0.7, 0.1, 0.1))
        assert stores.suggestions.answered_pairs() == [(pairs[0], Label.NEUTRAL)]
        assert stores.suggestions.new_answers(NOW - timedelta(seconds=1)) == 2
        assert stores.suggestions.new_answers(NOW) == 0
