"""Agreement in words: headlines, degrees, notes, and what to do next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from desktop.jobs.results import describe
from desktop.jobs.review.agreement_report import AgreementGroup, AgreementOptions, AgreementReport, GroupKind
from desktop.jobs.review.agreement_text import (
    coefficient_text,
    degree,
    headline,
    kappa_of,
    next_step,
    notes,
    share_text,
    verdict,
)
from miner.agreement import MISSING, Agreement, Coefficient, agreement
from miner.dataset_statistics import GoldAgreement
from miner.records import Answer, Label
from miner.statistics import Interval
from storage.pairs.filters import PairFilter, PairStatus


def report(found: Agreement, distant: GoldAgreement | None = None, needed: int = 2) -> AgreementReport:
    """A report of these figures, with each class alike."""
    distant = distant or GoldAgreement()
    overall = AgreementGroup(None, "", found, distant, 0, 6.0, PairFilter())
    groups = tuple(
        AgreementGroup(GroupKind.CLASS, label, found, distant, 0, 6.0, PairFilter(distant=frozenset({label.value})))
        for label in Label
    )
    return AgreementReport(AgreementOptions(), needed, overall, groups, (), (), (), (), 0)


def measured(accuracy: float, pairs: int = 400, *, wanted: int = 0) -> Agreement:
    random = np.random.default_rng(1)
    truth = random.integers(0, 4, (pairs, 1))
    wrong = (truth + random.integers(1, 4, (pairs, 2))) % 4
    return agreement(np.where(random.random((pairs, 2)) < accuracy, truth, wrong), len(Answer), wanted=wanted)


def test_low_agreement_sends_people_to_the_pairs_they_differ_on() -> None:
    step = next_step(report(measured(0.7)))
    assert "Lower than in published data sets" in step.text
    assert step.filter == PairFilter(contested=True)


def test_missing_votes_come_before_ties_and_are_told_once() -> None:
    found = report(measured(0.95, wanted=3), GoldAgreement(312, 300, 12), needed=3)
    step = next_step(found)
    assert step.text == "400 votes are still missing: each pair is to have 3."
    assert step.page == "annotate"
    assert notes(found) == ["12 pairs have all votes, but no majority for a class."]


def test_ties_are_for_an_adjudicator() -> None:
    found = report(measured(0.95), GoldAgreement(301, 300, 1))
    step = next_step(found)
    assert step.text == (
        "1 pair has no majority for a class, because votes differ or are unclear. An adjudicator can decide ties."
    )
    assert step.filter == PairFilter(statuses=frozenset({PairStatus.UNSETTLED}))
    assert notes(found) == []


def test_good_agreement_still_says_where_people_differ_most() -> None:
    step = next_step(report(measured(0.97), GoldAgreement(300, 300)))
    assert step.text == "In line with published data sets. People differ most on contrasting."
    assert step.filter == PairFilter(distant=frozenset({"contrasting"}), contested=True)


def test_perfect_agreement_leaves_nothing_to_do() -> None:
    found = report(measured(1.0))
    assert next_step(found).text == ""
    assert headline(found) == "2 people agree on 100.0 % of their votes on 400 pairs."


@pytest.mark.parametrize(
    ("votes", "text"),
    [
        ([[MISSING, MISSING]], "Nobody has answered these pairs yet."),
        ([[0, MISSING]], "Only one person has answered (1 pair), so agreement cannot be measured."),
        ([[0, MISSING], [MISSING, 0]], "2 people have answered, but no pair was answered by two of them."),
        ([[4, 4], [4, 4]], "All votes of 2 people on 2 pairs are “unclear”."),
    ],
)
def test_what_cannot_be_measured_is_refused_in_words(votes: list[list[int]], text: str) -> None:
    found = report(agreement(np.array(votes), len(Answer)))
    assert headline(found) == text
    assert describe(found).sentence == text
    assert "1.00" not in verdict(found)


def test_few_pairs_are_warned_about() -> None:
    assert any("intervals are wide" in note for note in notes(report(measured(0.9, 30))))
    assert not any("intervals are wide" in note for note in notes(report(measured(0.9, 60))))


def test_degrees_are_those_of_landis_and_koch() -> None:
    words = {0.9: "almost perfect", 0.8: "almost perfect", 0.61: "substantial", 0.41: "moderate", 0.21: "fair"}
    assert {kappa: degree(kappa) for kappa in words} == words
    assert (degree(0.1), degree(-0.1)) == ("slight", "poor")


def test_figures_are_written_with_their_intervals() -> None:
    assert coefficient_text(Coefficient(0.705, Interval(0.681, 0.729))) == "0.70 (0.68 to 0.73)"
    assert coefficient_text(Coefficient(-0.05, None)) == "−0.05"
    assert coefficient_text(Coefficient(None)) == "–"
    assert share_text(0.8421, Interval(0.81, 0.871)) == "84.2 % (81.0 to 87.1)"
    assert share_text(None) == "–"


def test_a_class_shows_its_own_kappa_and_groups_of_one_label_show_none() -> None:
    found = report(measured(0.9))
    by_class = kappa_of(found, found.groups[1])
    assert by_class == found.overall.agreement.categories[1]
    phrase = replace(found.groups[1], kind=GroupKind.PHRASE, name="Thus")
    assert kappa_of(found, phrase).value is None
    domain = replace(found.groups[1], kind=GroupKind.DOMAIN, name="nlp")
    assert kappa_of(found, domain) == domain.agreement.fleiss
