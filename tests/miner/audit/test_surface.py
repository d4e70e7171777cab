"""Traits, lengths and overlap: what is planted is found, and nothing else is."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.metrics import roc_auc_score

from miner.audit.report import AuditQuestion, Finding, Measure, Verdict
from miner.audit.surface import (
    MIN_PAIRS,
    SurfaceCounts,
    abs_difference_low,
    auc,
    chi_square_p,
    surface_findings,
    telling,
)
from miner.records import Label
from tests.miner.audit.planted import Artefacts, counts_of, planted_pairs


def _findings(artefacts: Artefacts | None = None, per_class: int = 400, seed: int = 1) -> dict[AuditQuestion, Finding]:
    counts = counts_of(planted_pairs(per_class, artefacts, seed=seed))
    return {finding.question: finding for finding in surface_findings(counts)}


@pytest.mark.parametrize("seed", range(8))
def test_a_clean_set_is_not_accused(seed: int) -> None:
    assert {finding.verdict for finding in _findings(seed=seed).values()} == {Verdict.FINE}


@pytest.mark.parametrize(
    ("artefacts", "question", "label"),
    [
        (Artefacts(capital=(Label.NEUTRAL, 0.09)), AuditQuestion.CAPITAL, Label.NEUTRAL),
        (Artefacts(phrase=(Label.REASONING, 0.08)), AuditQuestion.PHRASE_START, Label.REASONING),
        (Artefacts(longer=Label.ENTAILMENT), AuditQuestion.HYPOTHESIS_LENGTH, Label.ENTAILMENT),
        (Artefacts(unlike=True), AuditQuestion.NEUTRAL, Label.NEUTRAL),
    ],
    ids=["capital", "phrase", "length", "overlap"],
)
def test_what_is_planted_is_to_be_mended_and_nothing_else(
    artefacts: Artefacts, question: AuditQuestion, label: Label
) -> None:
    found = _findings(artefacts)
    assert (found[question].verdict, found[question].label) == (Verdict.MEND, label)
    follows = {AuditQuestion.OVERLAP} if artefacts.longer else set()  # of more words, fewer are shared
    others = [finding for finding in found.values() if finding.question not in {question, *follows}]
    assert {finding.verdict for finding in others} == {Verdict.FINE}


def test_a_phrase_left_in_all_classes_is_worth_a_look() -> None:
    counts = counts_of(planted_pairs(400))
    counts.traits = {trait: Counter(dict.fromkeys(Label, 12)) for trait in counts.traits}
    found = {finding.question: finding.verdict for finding in surface_findings(counts)}
    assert found[AuditQuestion.PHRASE_START] is Verdict.LOOK
    assert found[AuditQuestion.DIGIT] is Verdict.FINE


def test_neutral_pairs_are_compared_strategy_by_strategy() -> None:
    pairs = planted_pairs(200)
    made = ("both_random", "first_random", "second_random")
    drawn = [
        pair._replace(strategy=made[number % 3]) if pair.label == Label.NEUTRAL else pair
        for number, pair in enumerate(pairs[::2] + pairs[1::2])
    ]
    finding = next(one for one in surface_findings(counts_of(drawn)) if one.question is AuditQuestion.NEUTRAL)
    of_overlap = [row for row in finding.rows if row.measure is Measure.OVERLAP]
    assert [row.strategy for row in of_overlap] == ["", *made]
    assert of_overlap[0].pairs == sum(row.pairs for row in of_overlap[1:]) == 200


@pytest.mark.parametrize("counts", [SurfaceCounts(), counts_of(planted_pairs(5)), counts_of(planted_pairs(30)[:0])])
def test_with_too_few_pairs_nothing_is_said(counts: SurfaceCounts) -> None:
    found = surface_findings(counts)
    assert {finding.verdict for finding in found} == {Verdict.UNKNOWN}
    assert {finding.missing for finding in found} == {MIN_PAIRS}


def test_of_one_class_nothing_is_said() -> None:
    pairs = [pair for pair in planted_pairs(50) if pair.label == Label.REASONING]
    assert {finding.verdict for finding in surface_findings(counts_of(pairs))} == {Verdict.UNKNOWN}


def test_without_neutral_pairs_only_that_comparison_is_missing() -> None:
    pairs = [pair for pair in planted_pairs(50) if pair.label != Label.NEUTRAL]
    unknown = [one.question for one in surface_findings(counts_of(pairs)) if one.verdict is Verdict.UNKNOWN]
    assert unknown == [AuditQuestion.NEUTRAL]


_HISTOGRAMS = st.dictionaries(st.integers(0, 20), st.integers(1, 9), min_size=1, max_size=8)


@given(own=_HISTOGRAMS, others=_HISTOGRAMS)
def test_the_auc_of_histograms_is_that_of_the_values(own: dict[int, int], others: dict[int, int]) -> None:
    values = [*Counter(own).elements(), *Counter(others).elements()]
    truth = [1] * sum(own.values()) + [0] * sum(others.values())
    assert auc(own, others)[0] == pytest.approx(roc_auc_score(truth, values))


def test_the_standard_error_of_an_auc_is_that_of_drawing_again() -> None:
    draw = np.random.default_rng(3)
    areas = []
    for _ in range(400):
        own, others = draw.poisson(12, 80), draw.poisson(10, 120)
        areas.append(auc(Counter(own.tolist()), Counter(others.tolist())))
    values, errors = zip(*areas, strict=True)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.1)


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 300)), min_size=2, max_size=4))
def test_the_chi_square_test_is_scipys(rows: list[tuple[int, int]]) -> None:
    p = chi_square_p(rows)
    if not any(row[0] for row in rows):
        assert p is None
    else:
        assert p == pytest.approx(chi2_contingency(rows, correction=False)[1], abs=1e-9)


def test_the_bound_of_a_difference_is_newcombes() -> None:
    # Newcombe 1998, table II, 56/70 - 48/80: 0.0524 to 0.3339 (method 10).
    assert abs_difference_low(56, 70, 48, 80, z=1.959964) == pytest.approx(0.0524, abs=5e-5)
    assert abs_difference_low(48, 80, 56, 70, z=1.959964) == pytest.approx(0.0524, abs=5e-5)
    assert abs_difference_low(5, 10, 5, 10) == 0


def test_a_trait_tells_a_class_by_its_share_among_equal_classes() -> None:
    assert telling({"a": 0.08, "b": 0.01, "c": 0.01}) == pytest.approx(0.8)
    assert telling({"a": 0.9, "b": 1.0, "c": 1.0}) == 1.0  # by being without it
    assert telling({"a": 0.0, "b": 0.0}) == 0.0
