"""Tokens, means of strata, agreement of gold with distant labels, and cosines of vocabularies."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.dataset_statistics import (
    AnnotatedCount,
    DataSetPart,
    DataSetStatistics,
    DrawnPair,
    GoldAgreement,
    MeasureSums,
    PairMeasures,
    Proportion,
    cosine_similarities,
    estimate,
    gold_agreement,
    measure_pair,
    sum_measures,
    tokenize,
)

SCINLI = Path(__file__).parents[3] / "shared/data/scinli/dev.csv"
_LENGTH = st.integers(0, 120)
_MEASURES = st.lists(st.builds(PairMeasures, _LENGTH, _LENGTH, st.floats(0, 1)), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It grows.", ["It", "grows", "."]),
        (
            "BERT's 0.5 % (2019b), see Fig. 3.",
            ["BERT", "'s", "0.5", "%", "(", "2019b", ")", ",", "see", "Fig.", "3", "."],
        ),
        ("He said: “e.g. so.”", ["He", "said", ":", "“", "e.g.", "so", ".", "”"]),
        ("a state-of-the-art model -- 1,000 ...", ["a", "state-of-the-art", "model", "--", "1,000", "..."]),
        (" ", []),
    ],
)
def test_tokens_are_words_numbers_and_punctuation(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@pytest.mark.skipif(not SCINLI.exists(), reason="needs SciNLI's dev set, which is not ours to give")
def test_tokens_are_counted_as_nltk_counts_them() -> None:
    from nltk.tokenize import NLTKWordTokenizer

    with SCINLI.open(encoding="utf-8") as file:
        sentences = [row[name] for row in csv.DictReader(file) for name in ("sentence1", "sentence2")]
    theirs = sum(len(tokens) for tokens in map(NLTKWordTokenizer().tokenize, sentences))
    assert sum(map(len, map(tokenize, sentences))) == pytest.approx(theirs, rel=0.004)


@given(st.text(max_size=400))
def test_every_visible_character_is_in_one_token(text: str) -> None:
    assert "".join(tokenize(text)) == "".join(text.split())


def test_overlap_is_the_share_of_the_hypothesis_tokens_in_the_premise() -> None:
    # Hypothesis: the, heat, grows, . ; of these "the" and "." are in the premise.
    assert measure_pair("The cell dies.", "The heat grows.") == PairMeasures(4, 4, 0.5)
    assert measure_pair("", "") == PairMeasures(0, 0, 0.0)


def test_strata_count_by_their_numbers_of_pairs() -> None:
    # 2 of 2 pairs with 10 and 20 words: mean 15, no error. 2 of 8 pairs with 30 and 40 words: mean 35, variance 50,
    # error of the mean √(50/2 · (1 - 2/8)) = √18.75. Together (2·15 + 8·35) / 10 = 31, error 0.8 · √18.75 = 3.4641016.
    whole = sum_measures([PairMeasures(10, 1, 0.0), PairMeasures(20, 1, 1.0)])
    sample = sum_measures([PairMeasures(30, 1, 0.5), PairMeasures(40, 1, 0.5)])
    found = estimate([(2, whole), (8, sample), (5, MeasureSums())])
    assert found is not None
    premise, hypothesis, overlap = found
    assert premise == pytest.approx((31.0, 3.4641016))
    assert hypothesis == (1.0, 0.0)
    assert overlap == pytest.approx((0.5, 0.0))
    assert estimate([(3, MeasureSums())]) is None


@given(st.lists(_MEASURES, min_size=1, max_size=5))
def test_strata_that_are_measured_whole_give_the_plain_mean(strata: list[list[PairMeasures]]) -> None:
    pairs = [pair for stratum in strata for pair in stratum]
    found = estimate((len(stratum), sum_measures(stratum)) for stratum in strata)
    assert found is not None
    for place, (mean, error) in enumerate(found):
        assert mean == pytest.approx(sum(pair[place] for pair in pairs) / len(pairs), abs=1e-9)
        assert error == 0.0


def test_agreement_counts_pairs_without_consensus_as_annotated() -> None:
    # As MSciNLI does: 6,153 of 6,992 annotated pairs, of which some 3 % have no consensus, are 88.0 %.
    counts = [("neutral", "neutral", 967), ("neutral", "", 20), ("neutral", "reasoning", 13), ("", "neutral", 5)]
    found = gold_agreement([*counts, ("reasoning", "reasoning", 831), ("reasoning", "entailment", 169)])
    assert found["neutral"] == GoldAgreement(annotated=1000, agreeing=967, no_consensus=20)
    assert found["neutral"].other == 13
    assert found[""] == GoldAgreement(annotated=2000, agreeing=1798, no_consensus=20)
    assert found[""].agreement.share == pytest.approx(0.899)
    assert gold_agreement([]) == {"": GoldAgreement()}
    assert Proportion(0, 0).share is None


def test_a_part_is_any_combination_of_domain_split_and_label() -> None:
    pairs = {
        DataSetPart("a", "train", "neutral"): 3,
        DataSetPart("a", "test", "neutral"): 1,
        DataSetPart("", "train", ""): 2,
    }
    counts = (AnnotatedCount("a", "test", "neutral", "neutral", 1), AnnotatedCount("", "train", "neutral", "", 2))
    statistics = DataSetStatistics(pairs, {}, counts, {("a", "train"): (DrawnPair(1, 1),)})
    assert statistics.domains == ("a", "")
    assert statistics.splits == ("train", "test")
    assert statistics.count() == 6
    assert statistics.count("a", label="neutral") == 4
    assert statistics.count(split="train") == 5
    assert statistics.agreement("a")[""] == GoldAgreement(1, 1, 0)
    assert list(statistics.agreement()) == ["contrasting", "reasoning", "entailment", "neutral", ""]
    assert statistics.means() is None


def test_cosine_agrees_with_a_hand_worked_example() -> None:
    # (1, 2, 0) and (2, 1, 2): 4 / (√5 · 3) = 0.5962848
    [[_, cosine], _] = cosine_similarities([{7: 1, 9: 2}, {7: 2, 9: 1, 4: 2}])
    assert cosine == pytest.approx(0.5962848, abs=1e-7)


@given(st.lists(st.dictionaries(st.integers(0, 50), st.integers(1, 9), min_size=1), min_size=1, max_size=5))
def test_cosines_are_symmetric_and_do_not_depend_on_sizes(vocabularies: list[dict[int, int]]) -> None:
    found = cosine_similarities(vocabularies)
    doubled = cosine_similarities([{token: 2 * count for token, count in one.items()} for one in vocabularies])
    for row, cells in enumerate(found):
        assert cells[row] == 1.0
        assert cells == pytest.approx(doubled[row])
        assert cells == pytest.approx([found[column][row] for column in range(len(found))])


def test_a_domain_without_tokens_resembles_none() -> None:
    assert cosine_similarities([{}, {3: 1}]) == [[1.0, 0.0], [0.0, 1.0]]
    assert cosine_similarities([]) == []
