"""Openers of sentences that could become linking phrases, and the precision to expect of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from miner.mining.linking_phrases import Phrase, phrase_matcher
from miner.mining.opener_precision import PrecisionEstimator
from miner.mining.openers import FrequentOpeners, count_openers, opener_at, opener_pairs
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.records import Label, Paper

TEXT = [
    "Moss grows on stones. | As expected, it grows on those in the shade. | In Bern, it was green.",
    "Snails eat the moss at night. | However, some moss comes back. | As expected, some of it was gone.",
    "As expected, the walls were old. | In short, they fell. | Moreover, it rained in the old town.",
]


@pytest.mark.parametrize(
    ("sentence", "opener"),
    [
        ("As expected, the lake froze.", "As expected"),
        ("To our surprise, the lake froze.", "To our surprise"),
        ("However, the lake froze.", None),  # a phrase that is on
        ("In short, the lake froze.", None),  # one that is off
        ("In contrast to this, the lake froze.", None),  # one that does not link
        ("Moreover, the lake froze.", None),  # a connective
        ("In Japan, the lake froze.", None),  # a name
        ("In 2010, the lake froze.", None),
        ("In the present study, the lake froze.", None),  # about the paper
        ("Here, the lake froze.", None),
        ("In this region, the lake froze.", "In this region"),
        ("The lake, which was deep, froze.", "The lake"),
        ("When it is cold in winter nights, it freezes.", None),  # too many words
        ("The lake froze.", None),
    ],
)
def test_openers_are_a_few_small_words_before_a_comma(sentence: str, opener: str | None) -> None:
    matcher = phrase_matcher(MiningSettings().phrases)
    assert opener_at(sentence, 0, matcher) == opener
    assert opener_at(f"It was so. {sentence}", 11, matcher) == opener


def test_the_first_sentence_of_a_paragraph_has_no_premise_and_does_not_count(make_paper: Callable[..., Paper]) -> None:
    assert count_openers(make_paper([TEXT]), MiningSettings().phrases) == {"As expected": 2}


def test_openers_of_too_few_papers_are_not_frequent() -> None:
    frequent = FrequentOpeners()
    for number in range(4):
        frequent.add({"As expected": 1, "Now": 3} if number else {"The moss": 90})
    assert frequent.most(papers=3, size=9) == ["Now", "As expected"]
    assert frequent.most(papers=1, size=1) == ["The moss"]
    assert frequent.most(papers=4, size=9) == []


def test_the_pairs_of_openers_are_those_that_mining_would_add(
    make_paper: Callable[..., Paper], analyzer: SentenceAnalyzer
) -> None:
    paper, settings = make_paper([TEXT]), MiningSettings()
    pairs = opener_pairs(paper, ["As expected", "However"], settings, analyzer)
    assert {pair.phrase for pair in pairs} == {"As expected"}, "However is in the lexicon"
    after = settings.with_phrase(Phrase("As expected", Label.ENTAILMENT))
    mined = [pair for pair in mine_paper(paper, after, analyzer).pairs if pair.phrase == "As expected"]
    assert [(pair.key, pair.premise, pair.hypothesis) for pair in pairs] == [
        (pair.key, pair.premise, pair.hypothesis) for pair in mined
    ]


def pairs_of(generator: np.random.Generator, shares: tuple[float, ...], size: int) -> np.ndarray:
    """Probabilities of a model that is torn: .6 on average for the class of a pair, drawn by `shares`."""
    drawn = generator.choice(4, size, p=shares)
    alpha = np.full((size, 4), 0.4)
    alpha[np.arange(size), drawn] += 1.4
    gamma = generator.gamma(alpha)
    return np.asarray(gamma / gamma.sum(1, keepdims=True))


def known(generator: np.random.Generator) -> list[np.ndarray]:
    return [pairs_of(generator, tuple(np.eye(4)[label]), 200) for label in range(4)]


def test_shares_of_relations_are_found_though_the_model_is_torn() -> None:
    generator = np.random.default_rng(0)
    others = pairs_of(generator, (0.3, 0.3, 0.2, 0.2), 2_000)
    estimator = PrecisionEstimator(known(generator), others)
    covered, shares = 0, []
    for _ in range(100):
        found = estimator.estimate(pairs_of(generator, (0.1, 0.75, 0.05, 0.1), 40))
        assert found.label is Label.REASONING
        covered += found.interval.low <= 0.75 <= found.interval.high
        shares.append(found.share)
    assert 0.6 < np.mean(shares) < 0.78, "drawn a little towards the mean of all openers"
    assert covered >= 85


def test_few_pairs_are_drawn_towards_the_mean_and_have_wide_intervals() -> None:
    generator = np.random.default_rng(1)
    estimator = PrecisionEstimator(known(generator), pairs_of(generator, (0.3, 0.3, 0.2, 0.2), 2_000))
    certain = pairs_of(generator, (0.0, 0.0, 1.0, 0.0), 40)
    few, many = estimator.estimate(certain[:6]), estimator.estimate(certain)
    assert few.label is many.label is Label.ENTAILMENT
    assert few.share < many.share
    assert few.interval.high - few.interval.low > many.interval.high - many.interval.low


def test_answers_of_people_count_beside_the_estimate() -> None:
    generator = np.random.default_rng(2)
    estimator = PrecisionEstimator(known(generator), pairs_of(generator, (0.3, 0.3, 0.2, 0.2), 2_000))
    pairs = pairs_of(generator, (0.6, 0.2, 0.1, 0.1), 30)
    before = estimator.estimate(pairs)
    wrong, right = (estimator.estimate(pairs, {Label.CONTRASTING: hits}, 60) for hits in (6, 57))
    assert before.label is right.label is Label.CONTRASTING
    assert right.share > 0.8 > before.share
    assert wrong.share < before.share
