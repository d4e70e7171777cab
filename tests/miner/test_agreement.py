from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from miner.agreement import (
    MISSING,
    Refusal,
    agreement,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    pairwise,
    vote_counts,
)

Votes = NDArray[Any]

# Thirty patients, six psychiatrists each, five diagnoses: Fleiss (1971), table 1.
PSYCHIATRISTS = np.array(
    [
        [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0], [2, 0, 4, 0, 0],
        [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6], [1, 0, 0, 5, 0], [1, 1, 0, 4, 0],
        [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1], [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0],
        [0, 2, 0, 4, 0], [1, 0, 2, 0, 3], [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0],
        [1, 0, 0, 4, 1], [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6],
    ]
)  # fmt: skip
# Four observers, twelve units, five values, votes missing: Krippendorff (2011), section C; also Gwet's four raters.
OBSERVERS = (
    np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
            [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
        ]
    ).T
    - 1
)  # 0 stands for a missing vote


def as_votes(counts: Votes) -> Votes:
    """Votes with such numbers by category; which annotator gives which does not matter here."""
    return np.array([[k for k, number in enumerate(row) for _ in range(number)] for row in counts])


# Votes of up to five annotators, some missing.
matrices = arrays.arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.integers(MISSING, 4))
filled = arrays.arrays(np.int64, st.tuples(st.integers(2, 12), st.integers(2, 5)), elements=st.integers(0, 4))


def test_fleiss_kappa_of_the_paper_that_defined_it_is_430() -> None:
    # by hand: P = .5556, P_e = .144² + .144² + .167² + .306² + .239² = .2199, (P - P_e) / (1 - P_e) = .430
    assert fleiss_kappa(PSYCHIATRISTS) == pytest.approx(0.430, abs=0.0005)
    found = agreement(as_votes(PSYCHIATRISTS), 5, samples=0)
    assert found.raw.value == pytest.approx(0.5556, abs=0.0001)
    assert found.shares == pytest.approx((0.144, 0.144, 0.167, 0.306, 0.239), abs=0.0005)


def test_fleiss_kappa_of_single_categories_is_that_of_the_paper() -> None:
    found = agreement(as_votes(PSYCHIATRISTS), 5, samples=0)
    assert [one.value for one in found.categories] == pytest.approx([0.245, 0.245, 0.520, 0.471, 0.566], abs=0.0005)


def test_krippendorffs_alpha_of_his_example_is_743() -> None:
    # by hand: 40 pairable votes, 34 of them on the diagonal weighted by 1 / (m - 1); alpha = .743
    assert krippendorff_alpha(vote_counts(OBSERVERS, 5)) == pytest.approx(0.743, abs=0.0005)


def test_gwets_coefficients_of_his_four_raters_are_those_of_his_handbook() -> None:
    counts = vote_counts(OBSERVERS, 5)
    assert gwet_ac1(counts) == pytest.approx(0.77544, abs=0.00001)
    assert fleiss_kappa(counts) == pytest.approx(0.76117, abs=0.00001)


def test_ac1_stays_high_where_the_kappas_fall_to_nought_though_people_agree() -> None:
    # Gwet's table of 125 subjects, 118 of them positive for both. By hand: p_a = .944, pi = .972,
    # AC1 = (.944 - 2 · .972 · .028) / (1 - 2 · .972 · .028) = .9408; kappa = (.944 - .94528) / .05472 = -.0234
    votes = np.array([[0, 0]] * 118 + [[0, 1]] * 5 + [[1, 0]] * 2)
    assert gwet_ac1(vote_counts(votes, 2)) == pytest.approx(0.9408, abs=0.0001)
    assert cohen_kappa([[118, 5], [2, 0]]) == pytest.approx(-0.0234, abs=0.0001)


def test_cohens_kappa_of_his_table_is_492() -> None:
    # 200 patients; by hand: p_o = .70, p_c = .41
    assert cohen_kappa([[88, 14, 18], [10, 40, 10], [2, 6, 12]]) == pytest.approx(0.492, abs=0.0005)


@settings(deadline=None)  # the first example imports the library
@given(filled)
def test_fleiss_kappa_is_that_of_statsmodels(votes: Votes) -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa as reference

    counts = vote_counts(votes, 5)
    if (counts.sum(0) > 0).sum() > 1:
        assert fleiss_kappa(counts) == pytest.approx(reference(counts), abs=1e-9)
    else:
        assert fleiss_kappa(counts) is None


@settings(deadline=None)  # the first example imports the library
@given(arrays.arrays(np.int64, (5, 5), elements=st.integers(0, 30)))
def test_cohens_kappa_is_that_of_statsmodels(table: Votes) -> None:
    from statsmodels.stats.inter_rater import cohens_kappa

    kappa = cohen_kappa(table)
    if kappa is not None:
        assert kappa == pytest.approx(cohens_kappa(table, return_results=False), abs=1e-9)


@settings(deadline=None)  # the first example imports the library
@given(matrices)
def test_alpha_is_that_of_nltk(votes: Votes) -> None:
    from nltk.metrics.agreement import AnnotationTask

    votes = votes[(votes != MISSING).sum(1) > 1]  # nltk counts a pair with one vote as if it were agreed on
    triples = [(str(k), str(n), str(vote)) for n, row in enumerate(votes) for k, vote in enumerate(row) if vote >= 0]
    if len({vote for _, _, vote in triples}) > 1:
        assert krippendorff_alpha(vote_counts(votes, 5)) == pytest.approx(AnnotationTask(triples).alpha(), abs=1e-9)


@given(matrices, st.randoms(use_true_random=False))
def test_the_order_of_pairs_annotators_and_categories_does_not_matter(votes: Votes, random: Random) -> None:
    rows, columns, names = (list(range(n)) for n in (*votes.shape, 5))
    for one in (rows, columns, names):
        random.shuffle(one)
    shuffled = votes[rows][:, columns]
    renamed = np.where(shuffled == MISSING, MISSING, np.array(names)[shuffled])
    first, second = agreement(votes, 5, samples=0), agreement(renamed, 5, samples=0)
    assert (first.pairs, first.votes, first.missing, first.refusal) == (
        second.pairs,
        second.votes,
        second.missing,
        second.refusal,
    )
    for name in ("raw", "unanimous", "fleiss", "alpha", "ac1"):
        one, other = getattr(first, name).value, getattr(second, name).value
        assert one == other if one is None or other is None else one == pytest.approx(other, abs=1e-9)


@given(matrices)
def test_coefficients_are_at_most_1_and_intervals_hold_what_can_be(votes: Votes) -> None:
    found = agreement(votes, 5, samples=50)
    for one in (found.raw, found.unanimous, found.fleiss, found.alpha, found.ac1, *found.categories):
        assert one.value is None or -1 - 1e-9 <= one.value <= 1 + 1e-9
        assert one.interval is None or -1 - 1e-9 <= one.interval.low <= one.interval.high <= 1 + 1e-9


@given(filled)
def test_full_agreement_on_several_categories_is_1_in_every_coefficient(votes: Votes) -> None:
    same = np.repeat(votes[:, :1], votes.shape[1], axis=1)
    found = agreement(same, 5, samples=20)
    assert found.raw.value == 1
    assert found.ac1.value == 1
    several = len(np.unique(same)) > 1
    assert found.fleiss.value == (pytest.approx(1) if several else None)
    assert found.alpha.value == (pytest.approx(1) if several else None)
    assert found.refusal is (None if several else Refusal.ONE_CATEGORY)


def test_without_a_pair_that_two_people_voted_on_nothing_is_computed() -> None:
    apart = np.array([[0, MISSING], [MISSING, 0], [1, MISSING]])
    found = agreement(apart, 5)
    assert found.refusal is Refusal.NO_OVERLAP
    assert (found.pairs, found.single, found.missing) == (0, 3, 3)
    assert {found.raw.value, found.fleiss.value, found.alpha.value, found.ac1.value} == {None}
    assert krippendorff_alpha(vote_counts(apart, 5)) is None
    assert pairwise(apart, 5)[0, 1].kappa.value is None


def test_one_annotator_and_no_votes_are_said_as_such() -> None:
    assert agreement(np.array([[0], [1]]), 5).refusal is Refusal.ONE_ANNOTATOR
    assert agreement(np.array([[0, MISSING], [1, MISSING]]), 5).refusal is Refusal.ONE_ANNOTATOR
    assert agreement(np.full((3, 2), MISSING), 5).refusal is Refusal.NO_VOTES
    assert agreement(np.empty((0, 0), int), 5).refusal is Refusal.NO_VOTES


def test_votes_outside_the_categories_are_refused() -> None:
    with pytest.raises(ValueError, match="categories"):
        agreement(np.array([[0, 5]]), 5)


def test_missing_votes_are_counted_against_those_wanted() -> None:
    votes = np.array([[0, 0, MISSING], [0, MISSING, MISSING], [MISSING, MISSING, MISSING], [1, 1, 1]])
    found = agreement(votes, 5, wanted=3, samples=0)
    assert (found.pairs, found.single, found.votes, found.missing) == (2, 1, 5, 3)
    assert agreement(votes, 5, wanted=2, samples=0).missing == 1


def scripted_votes(pairs: int, accuracy: float, seed: int) -> Votes:
    """Three annotators who each give the true one of four classes with this probability, else any other."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 4, (pairs, 1))
    wrong = (truth + random.integers(1, 4, (pairs, 3))) % 4
    return np.where(random.random((pairs, 3)) < accuracy, truth, wrong)


def test_intervals_hold_the_true_value_about_as_often_as_they_promise() -> None:
    accuracy = 0.8
    agreed = accuracy**2 + (1 - accuracy) ** 2 / 3
    kappa = (agreed - 0.25) / 0.75
    inside = 0
    for seed in range(200):
        interval = agreement(scripted_votes(150, accuracy, seed), 4, samples=300, seed=seed).fleiss.interval
        inside += interval.low <= kappa <= interval.high
    assert 0.90 <= inside / 200 <= 0.99


def test_the_same_seed_gives_the_same_intervals() -> None:
    votes = scripted_votes(100, 0.7, 3)
    assert agreement(votes, 4, seed=5) == agreement(votes, 4, seed=5)
    assert agreement(votes, 4, seed=5) != agreement(votes, 4, seed=6)


def test_drawing_patterns_gives_the_intervals_of_drawing_pairs() -> None:
    votes = scripted_votes(400, 0.75, 1)
    random = np.random.default_rng(9)
    drawn = [fleiss_kappa(vote_counts(votes[random.integers(0, 400, 400)], 4)) for _ in range(2000)]
    assert agreement(votes, 4, samples=2000).fleiss.interval == pytest.approx(
        np.quantile(drawn, (0.025, 0.975)), abs=0.01
    )


def test_pairwise_kappas_are_of_the_pairs_that_both_answered() -> None:
    votes = np.array([[0, 0, MISSING], [1, 1, 2], [2, 0, 2], [MISSING, 3, 3]])
    found = pairwise(votes, 4)
    assert [(key, one.pairs) for key, one in found.items()] == [((0, 1), 3), ((0, 2), 2), ((1, 2), 3)]
    assert found[0, 1].raw.value == pytest.approx(2 / 3)
    assert found[0, 1].table[2] == (1, 0, 0, 0)
    assert found[0, 1].kappa.value == pytest.approx(cohen_kappa([[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0] * 4]))
