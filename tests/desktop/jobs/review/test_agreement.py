"""Agreement of scripted annotators is what theory says; and what is said where there is nothing to measure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.review.agreement import measure_agreement
from desktop.jobs.review.agreement_report import AgreementOptions, AgreementReport, GroupKind
from desktop.jobs.review.agreement_text import headline
from miner import codec
from miner.agreement import Refusal
from miner.errors import UserError
from miner.progress import Cancelled, Progress
from miner.records import Answer, Label
from miner.splits import PaperSplit
from storage.annotation.annotation_rounds import RoundKind, RoundPair, RoundPlan
from storage.annotation.annotators import Role
from storage.annotation.answer_context import AnswerContext
from storage.annotation.answers import NewAnswer
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.verification import find_changed_rows
from tests.scripted_annotators import (
    AT,
    ScriptedAnnotator,
    annotate,
    expected_accuracy,
    expected_cohen,
    expected_fleiss,
    expected_gold,
    expected_raw,
    mostly_right,
)
from tests.split_factory import split_papers
from tests.storage.factories import add, mine

SCINLI = Path(__file__).resolve().parents[5] / "shared" / "data" / "scinli"
UNIFORM = np.full(4, 0.25)


@pytest.fixture
def mined(tmp_path: Path) -> Iterator[Project]:
    """Eight papers of one domain: 24 linked and 8 neutral pairs, and one that they share."""
    with Project.create(tmp_path / "test.pairwright") as project:
        add(project, "abcdefgh")
        mine(project)
        yield project


def measure(project: Project, options: AgreementOptions | None = None) -> AgreementReport:
    return measure_agreement(project, options).work(Progress())


def give(project: Project, who: str, key: str, answer: Answer, seconds: float | None = None) -> None:
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(key, who, AT, answer, seen=AnswerContext(seconds=seconds))])


def keys_of(project: Project, filter: PairFilter | None = None) -> list[str]:
    with project.read_transaction() as stores:
        return sorted(stores.pair_table.keys(stores.pair_table.ids(filter or PairFilter())))


# Known confusion matrices over the human-labelled pairs of SciNLI


@pytest.fixture(scope="module")
def scinli(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    if not SCINLI.is_dir():
        pytest.skip("the shared data set is not here: ../shared/data/scinli")
    with Project.create(tmp_path_factory.mktemp("scinli") / "scinli.pairwright") as project:
        import_data_sets(project, [SCINLI / "train_1.tsv", SCINLI / "train_2.tsv"], "nlp").work(Progress())
        annotate(project, [*ANNOTATORS, *OTHERS], votes=3, seed=7)
        yield project


ANNOTATORS = [
    ScriptedAnnotator("anna", mostly_right(0.90, 0.02), seconds=5),
    ScriptedAnnotator("ben", mostly_right(0.82, 0.05, confused={Label.ENTAILMENT: Label.REASONING})),
    ScriptedAnnotator("cleo", mostly_right(0.75), seconds=9),
]
OTHERS = [
    ScriptedAnnotator("ed", mostly_right(0.93), Role.EXPERT),
    ScriptedAnnotator("eva", mostly_right(0.88, 0.04), Role.EXPERT),
    ScriptedAnnotator("liv", mostly_right(0.70), Role.LAYPERSON),
    ScriptedAnnotator("judge", mostly_right(0, 1), Role.ADJUDICATOR),
    ScriptedAnnotator("ref", mostly_right(0.2), Role.REFERENCE),
]
TABLES = [one.confusion for one in ANNOTATORS]


@pytest.fixture(scope="module")
def report(scinli: Project) -> AgreementReport:
    return measure(scinli)


def test_kappa_of_scripted_annotators_is_what_theory_predicts(report: AgreementReport) -> None:
    found = report.overall.agreement
    assert (found.pairs, found.votes, found.single, found.missing) == (2000, 6000, 0, 0)
    theory = expected_fleiss(TABLES, UNIFORM)
    assert 0.5 < theory < 0.6
    for one, expected in ((found.fleiss, theory), (found.alpha, theory), (found.raw, expected_raw(TABLES, UNIFORM))):
        assert one.interval is not None
        assert one.interval.low < expected < one.interval.high
        assert one.interval.high - one.interval.low < 0.05


def test_pairwise_kappas_are_what_theory_predicts(report: AgreementReport) -> None:
    tables = {one.key: one.confusion for one in ANNOTATORS}
    assert len(report.comparisons) == 3
    for one in report.comparisons:
        low, high = one.cohen.kappa.interval or (1.0, 0.0)
        assert low < expected_cohen(tables[one.first], tables[one.second], UNIFORM) < high


def test_the_majority_agrees_with_the_distant_label_as_often_as_theory_predicts(report: AgreementReport) -> None:
    gold = expected_gold(TABLES)
    for row, label in enumerate(Label):
        [found] = [group.distant for group in report.of_kind(GroupKind.CLASS) if group.name == label]
        assert found.annotated == 500
        assert found.agreement.share == pytest.approx(gold[row, row], abs=_reach(gold[row, row], 500))
        undecided = 1 - gold[row].sum()
        assert found.undecided.share == pytest.approx(undecided, abs=_reach(undecided, 500))
    assert report.overall.distant.annotated == 2000


def test_human_performance_is_that_of_the_script(report: AgreementReport) -> None:
    gold = expected_gold(TABLES)
    assert [person.key for person in report.people] == ["ed", "eva", "liv"]
    for person, script in zip(report.people, OTHERS, strict=False):
        assert person.pairs + report.without_gold == 2000
        assert sum(map(sum, person.confusion)) == person.pairs
        expected = expected_accuracy(script.confusion, gold, UNIFORM)
        assert person.accuracy == pytest.approx(expected, abs=_reach(expected, person.pairs))
        assert person.macro_f1 == pytest.approx(expected, abs=0.04)
    assert report.people[1].unclear == pytest.approx(0.04 * report.people[1].pairs, abs=25)


def test_experts_and_laypeople_are_summarized_apart(report: AgreementReport) -> None:
    first, second, _ = report.people
    experts, laypeople = report.roles
    assert (experts.role, experts.people, laypeople.role, laypeople.people) == (Role.EXPERT, 2, Role.LAYPERSON, 1)
    assert experts.accuracy.mean == pytest.approx((first.accuracy + second.accuracy) / 2)
    assert experts.accuracy.sd == pytest.approx(abs(first.accuracy - second.accuracy) / np.sqrt(2))
    assert laypeople.accuracy.sd is None


def test_times_are_medians_of_votes(report: AgreementReport) -> None:
    for voter, script in zip(sorted(report.voters), ANNOTATORS, strict=True):
        assert voter.seconds is not None
        assert script.seconds + 1 <= voter.seconds <= script.seconds + 2  # the middle of four answers in turn
    assert report.overall.seconds is not None


def _reach(share: float, pairs: int) -> float:
    """What a share of so many pairs may differ from its probability, but for one in a thousand."""
    return float(3.3 * np.sqrt(share * (1 - share) / pairs))


# Small projects


def test_every_figure_leads_to_its_pairs(mined: Project) -> None:
    with mined.transaction() as stores:
        drawn = [RoundPair(key, "biology", None) for key in keys_of(mined)[:10]]
        stores.annotation_rounds.add(RoundPlan(), drawn, ["a", "b"], AT)
        tried = [RoundPair(key, "biology", None) for key in keys_of(mined)[10:14]]
        stores.annotation_rounds.add(RoundPlan(RoundKind.PILOT), tried, ["a", "b"], AT)
        stores.annotation_rounds.add(RoundPlan(RoundKind.ESTIMATE), drawn[:5], ["e"], AT)
    annotate(mined, [ScriptedAnnotator(key, mostly_right(0.7)) for key in "ab"])
    found = measure(mined)
    assert {group.kind for group in found.groups} == set(GroupKind)
    [pilot] = found.of_kind(GroupKind.PILOT)
    assert (pilot.name, pilot.agreement.pairs, pilot.distant.annotated) == ("2", 4, 4)
    for group in (found.overall, *found.groups):
        assert len(keys_of(mined, group.filter)) == group.agreement.pairs
    [round] = found.of_kind(GroupKind.ROUND)
    assert (round.name, round.agreement.pairs) == ("1", 10)
    [compared] = found.comparisons
    differing = compared.cohen.pairs - sum(compared.cohen.table[n][n] for n in range(5))
    assert len(keys_of(mined, compared.filter)) == differing > 0


def test_answers_to_pilot_rounds_have_figures_and_are_no_votes(mined: Project) -> None:
    with mined.transaction() as stores:
        tried = [RoundPair(key, "biology", None) for key in keys_of(mined)[:3]]
        stores.annotation_rounds.add(RoundPlan(RoundKind.PILOT), tried, ["a", "b", "c"], AT)
    for who, given in (("a", Answer.NEUTRAL), ("b", Answer.NEUTRAL), ("c", Answer.REASONING)):
        for pair in tried:
            give(mined, who, pair.key, given)
    found = measure(mined)
    assert (found.overall.agreement.annotators, found.overall.agreement.votes) == (0, 0)
    assert "In pilot round 1 3 people agree on 33.3 % of their answers to 3 pairs." in headline(found)


def test_a_round_alone_can_be_measured_and_an_unknown_one_is_refused(mined: Project) -> None:
    keys = keys_of(mined)
    with pytest.raises(UserError, match="no round 1") as caught:
        measure(mined, AgreementOptions(round=1))
    assert "None was drawn yet" in caught.value.hint
    with mined.transaction() as stores:
        stores.annotation_rounds.add(RoundPlan(), [RoundPair(keys[0], "biology", None)], ["a"], AT)
    for who in "ab":
        for key in keys[:3]:
            give(mined, who, key, Answer.NEUTRAL)
    found = measure(mined, AgreementOptions(round=1))
    assert found.overall.agreement.pairs == len(keys_of(mined, found.overall.filter)) == 1
    with mined.transaction() as stores:
        split_papers(stores, PaperSplit(rest="train"))
    assert measure(mined, AgreementOptions(round=1)).overall.agreement.pairs == 1
    with mined.transaction() as stores:
        split_papers(stores, PaperSplit())
    assert measure(mined, AgreementOptions(round=1)).overall.agreement.pairs == 1  # of papers in no split
    assert headline(measure(mined)) == "Nobody has answered pairs of dev or test yet. In train, answers are no votes."
    with pytest.raises(UserError, match="no round 2"):
        measure(mined, AgreementOptions(round=2))


def test_nothing_is_measured_where_no_pair_has_two_votes(mined: Project) -> None:
    first, second, *_ = keys_of(mined)
    assert measure(mined).overall.agreement.refusal is Refusal.NO_VOTES
    give(mined, "anna", first, Answer.NEUTRAL)
    assert measure(mined).overall.agreement.refusal is Refusal.ONE_ANNOTATOR
    give(mined, "ben", second, Answer.NEUTRAL)
    found = measure(mined)
    assert found.overall.agreement.refusal is Refusal.NO_OVERLAP
    assert found.overall.agreement.alpha.value is None
    assert found.comparisons[0].cohen.pairs == 0


def test_votes_that_are_all_unclear_leave_kappa_and_alpha_undefined(mined: Project) -> None:
    for who in ("anna", "ben"):
        for key in keys_of(mined)[:5]:
            give(mined, who, key, Answer.UNCLEAR)
    found = measure(mined).overall
    assert found.agreement.refusal is Refusal.ONE_CATEGORY
    assert (found.agreement.fleiss.value, found.agreement.alpha.value) == (None, None)
    assert found.agreement.raw.value == 1
    assert (found.distant.annotated, found.distant.no_consensus) == (5, 5)


def test_pairs_that_wait_for_votes_are_not_counted_as_without_a_majority(mined: Project) -> None:
    annotate(mined, [], votes=3)
    first, second, third, *_ = keys_of(mined, PairFilter(distant=frozenset({"reasoning"})))
    for who, key, answer in (
        ("anna", first, Answer.REASONING),
        ("ben", first, Answer.NEUTRAL),
        ("anna", second, Answer.REASONING),
        ("ben", second, Answer.REASONING),
        ("anna", third, Answer.REASONING),
        ("ben", third, Answer.UNCLEAR),
        ("cleo", third, Answer.NEUTRAL),
    ):
        give(mined, who, key, answer)
    found = measure(mined).overall
    assert (found.distant.agreeing, found.distant.no_consensus, found.waiting) == (0, 1, 2)
    assert found.distant.annotated == 1
    assert found.agreement.missing == 2


def test_experts_alone_need_no_votes_where_a_file_gave_the_gold_label(tmp_path: Path) -> None:
    rows = [{"sentence1": f"A {n}.", "sentence2": f"B {n}.", "gold_label": "neutral"} for n in range(4)]
    file = tmp_path / "test.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with Project.create(tmp_path / "test.pairwright") as project:
        import_data_sets(project, [file], "").work(Progress())
        annotate(project, [ScriptedAnnotator("ed", mostly_right(0.5), Role.EXPERT)], votes=1)
        for n, key in enumerate(keys_of(project)):
            give(project, "ed", key, Answer.NEUTRAL if n else Answer.UNCLEAR)
        found = measure(project)
    assert found.overall.agreement.refusal is Refusal.NO_VOTES
    [person] = found.people
    assert (person.pairs, person.unclear, person.accuracy) == (4, 1, 0.75)
    # by hand: 3 of 4 neutral pairs found, none invented: F1 = 2 · 3 / (4 + 3)
    assert person.macro_f1 == pytest.approx(6 / 7)


def test_scripted_annotators_leave_a_project_whose_earlier_answers_follow_its_rule_of_gold(mined: Project) -> None:
    give(mined, "anna", keys_of(mined)[0], Answer.REASONING)
    annotate(mined, [], votes=2)
    assert find_changed_rows(mined) == []


def test_the_report_is_json_and_the_same_each_time(mined: Project) -> None:
    annotate(mined, [ScriptedAnnotator(key, mostly_right(0.7)) for key in "abc"])
    data = measure(mined).to_data()
    assert json.loads(codec.encode(data)) == json.loads(codec.encode(measure(mined).to_data()))
    assert data["overall"]["agreement"]["fleiss"]["value"] == measure(mined).overall.agreement.fleiss.value
    other = replace(AgreementOptions(), seed=2)
    assert measure(mined, other).overall.agreement.fleiss.interval != measure(mined).overall.agreement.fleiss.interval


def test_measuring_can_be_cancelled(mined: Project) -> None:
    annotate(mined, [ScriptedAnnotator(key, mostly_right(0.7)) for key in "ab"])
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        measure_agreement(mined).work(progress)
