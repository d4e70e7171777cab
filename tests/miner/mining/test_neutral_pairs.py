"""Neutral pairs: the rules of drawing, on invented papers of all shapes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.mining.drop_reasons import DROP_TEXTS
from miner.mining.linking_phrases import CONNECTIVES, phrase_matcher
from miner.mining.neutral_quota import max_neutrals
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import Casing, MiningSettings
from miner.records import NEUTRAL_STRATEGIES, Label, Pair, PairFlag, Paper, PaperPosition, Strategy

MakePaper = Callable[..., Paper]

STARTS = ["The", "A", "However, the", "Thus, each", "Specifically, one", "Moreover, the", "In contrast to the", "some"]
NOUNS = ["moss", "reed", "fern", "lake", "stone", "Sphagnum", "BERT"]
sentences = st.tuples(
    st.sampled_from(STARTS), st.sampled_from(NOUNS), st.integers(0, 40), st.sampled_from([" is wet.", " is", " cover."])
).map(lambda parts: f"{parts[0]} {parts[1]} of plot {parts[2]}{parts[3]}")
papers = st.lists(
    st.lists(st.lists(sentences, min_size=1, max_size=6).map(" | ".join), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)
setting_values = st.builds(
    MiningSettings,
    seed=st.integers(0, 3),
    casing=st.sampled_from(Casing),
    neutral_ratio=st.sampled_from([0.5, 1.0, 3.0]),
    neutral_distance=st.integers(2, 4),
    neutral_same_paragraph=st.booleans(),
    neutral_shared_words=st.booleans(),
    neutral_strategies=st.sets(st.sampled_from(NEUTRAL_STRATEGIES)).map(lambda some: tuple(sorted(some))),
    crosses_paragraph=st.booleans(),
    implicit=st.booleans(),
)


def numbers(paper: Paper) -> dict[PaperPosition, int]:
    places = [
        PaperPosition(section, paragraph, sentence)
        for section, found in enumerate(paper.sections)
        for paragraph, text in enumerate(found.paragraphs)
        for sentence in range(len(text.sentences))
    ]
    return {place: number for number, place in enumerate(places)}


def neutral(pairs: tuple[Pair, ...]) -> list[Pair]:
    return [pair for pair in pairs if pair.strategy in NEUTRAL_STRATEGIES]


@settings(max_examples=120, deadline=None)
@given(papers, setting_values)
def test_every_rule_holds_whatever_the_paper(
    make_paper: MakePaper, analyzer: SentenceAnalyzer, sections: list[list[str]], mining_settings: MiningSettings
) -> None:
    paper = make_paper(sections)
    mined = mine_paper(paper, mining_settings, analyzer)
    assert mine_paper(paper, mining_settings, analyzer) == mined

    funnel = mined.funnel
    for strategy in Strategy:
        dropped = sum(count for drop, count in funnel.dropped.items() if drop.strategy is strategy)
        assert funnel.candidates.get(strategy, 0) == funnel.kept.get(strategy, 0) + dropped
    assert Counter(pair.strategy for pair in mined.pairs) == Counter(funnel.kept)
    assert {drop.reason for drop in funnel.dropped} <= set(DROP_TEXTS)
    assert len({pair.key for pair in mined.pairs}) == len(mined.pairs)

    number, matcher = numbers(paper), phrase_matcher(mining_settings.phrases)
    linked = [pair for pair in mined.pairs if pair.strategy is Strategy.LINKED]
    assert [number[pair.hypothesis_at] for pair in linked] == sorted(number[pair.hypothesis_at] for pair in linked)
    for pair in linked:
        assert number[pair.hypothesis_at] - number[pair.premise_at] == 1
        assert pair.premise_at.section == pair.hypothesis_at.section
        crosses = pair.premise_at.paragraph != pair.hypothesis_at.paragraph
        assert crosses == (PairFlag.CROSSES_PARAGRAPH in pair.flags)
    drawn = neutral(mined.pairs)
    assert len(drawn) <= max_neutrals(len(linked), mining_settings)
    for pair in drawn:
        assert (pair.distant_label, pair.phrase) == (Label.NEUTRAL, None)
        assert pair.strategy in mining_settings.neutral_strategies
        assert abs(number[pair.premise_at] - number[pair.hypothesis_at]) >= mining_settings.neutral_distance
        assert mining_settings.neutral_same_paragraph or pair.premise_at[:2] != pair.hypothesis_at[:2]
        if pair.strategy is Strategy.FIRST_RANDOM:
            assert pair.hypothesis in {other.hypothesis for other in linked}
        else:
            assert not matcher.starts(pair.hypothesis_original)
            assert not CONNECTIVES.match(pair.hypothesis_original)
        if pair.strategy is Strategy.SECOND_RANDOM:
            assert pair.premise in {other.premise for other in linked}
        else:
            assert not matcher.starts(pair.premise)


@pytest.fixture(scope="module")
def long_paper(make_paper: MakePaper) -> Paper:
    paragraph = (
        "The {0} moss of plot {1} is wet. | However, the {0} reed of plot {1} is dry. | A fern grows at {1} {0}."
    )
    return make_paper([[paragraph.format(name, plot) for plot in range(9)] for name in ("north", "south", "west")])


def test_the_number_balances_a_class_and_the_strategies_are_equal(
    long_paper: Paper, analyzer: SentenceAnalyzer
) -> None:
    # 27 linked pairs, three linked classes: 27 / 3 = 9 neutral pairs, three of each strategy.
    drawn = neutral(mine_paper(long_paper, MiningSettings(), analyzer).pairs)
    assert Counter(pair.strategy for pair in drawn) == dict.fromkeys(NEUTRAL_STRATEGIES, 3)
    for count in (3, 6):  # a list cut at its end stays balanced
        assert set(Counter(pair.strategy for pair in drawn[:count]).values()) == {count // 3}


def test_the_strategy_that_begins_changes_from_paper_to_paper(long_paper: Paper, analyzer: SentenceAnalyzer) -> None:
    one = MiningSettings(neutral_ratio=1 / 9, neutral_shared_words=True)
    first = Counter(
        pair.strategy
        for number in range(90)
        for pair in neutral(mine_paper(replace(long_paper, md5=f"{number:032x}"), one, analyzer).pairs)
    )
    assert sum(first.values()) == 90
    assert all(15 <= first[strategy] <= 45 for strategy in NEUTRAL_STRATEGIES)


def test_seed_and_paper_decide_the_draw(long_paper: Paper, analyzer: SentenceAnalyzer) -> None:
    keys = {
        tuple(
            pair.hypothesis_at
            for pair in neutral(mine_paper(replace(long_paper, md5=md5), mining_settings, analyzer).pairs)
        )
        for md5 in ("0" * 32, "1" * 32)
        for mining_settings in (MiningSettings(), MiningSettings(seed=1))
    }
    assert len(keys) == 4


def test_a_draw_is_the_same_on_every_machine(long_paper: Paper, analyzer: SentenceAnalyzer) -> None:
    drawn = neutral(mine_paper(long_paper, MiningSettings(neutral_shared_words=True), analyzer).pairs)
    assert [(pair.strategy.value, pair.premise_at, pair.hypothesis_at) for pair in drawn[:3]] == [
        ("first_random", (0, 3, 2), (2, 5, 1)),
        ("second_random", (1, 3, 0), (0, 7, 0)),
        ("both_random", (2, 1, 0), (2, 3, 0)),
    ]


def test_no_strategy_and_no_linked_pair_give_no_neutral_pairs(
    long_paper: Paper, make_paper: MakePaper, analyzer: SentenceAnalyzer
) -> None:
    assert not neutral(mine_paper(long_paper, MiningSettings(neutral_strategies=()), analyzer).pairs)
    assert not mine_paper(make_paper([["Moss is wet here. | Ferns are dry here."]]), MiningSettings(), analyzer).pairs


def test_a_short_paper_gives_fewer_rather_than_bad_ones(make_paper: MakePaper, analyzer: SentenceAnalyzer) -> None:
    text = "The moss of the plot is wet. | However, the reed is dry. | Thus, the fern is dead."
    mined = mine_paper(make_paper([[text]]), MiningSettings(neutral_ratio=3), analyzer)
    assert not neutral(mined.pairs)
    assert sum(count for drop, count in mined.funnel.dropped.items() if drop.reason in ("same_paragraph", "too_near"))
