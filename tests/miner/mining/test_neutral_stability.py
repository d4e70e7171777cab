"""How few neutral pairs move when lexicon, quota or a sentence change, and that annotated ones stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.mining.identity import sentence_hash
from miner.mining.linking_phrases import Phrase
from miner.mining.neutral_quota import with_annotated
from miner.mining.pair_builder import DroppedCandidate
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.records import NEUTRAL_STRATEGIES, AnnotatedNeutral, Label, Pair, Paper, Strategy

MakePaper = Callable[..., Paper]
BOTH, FIRST, SECOND = NEUTRAL_STRATEGIES
STARTS = ("The", "However, the", "Thus, the", "Hence, the", "Nevertheless, the", "Yesterday the")
FEW = MiningSettings(neutral_ratio=2.0)
MORE = FEW.switch("Hence", on=True).switch("Nevertheless", on=True)
# Every second sentence is plain, so that no draw has to be given up; each one is unlike the others.
papers = st.lists(st.lists(st.sampled_from(STARTS), min_size=2, max_size=8), min_size=2, max_size=9).map(
    lambda paragraphs: [
        [
            " | ".join(
                f"A fern of plot {number} {place} is dry. | {start} moss of plot {number} {place} is wet."
                for place, start in enumerate(starts)
            )
            for number, starts in enumerate(paragraphs)
        ]
    ]
)
seeds = st.integers(0, 9)
few_examples = settings(max_examples=30)  # of many sentences each


def neutral(pairs: tuple[Pair, ...]) -> dict[str, Pair]:
    return {pair.key: pair for pair in pairs if pair.strategy in NEUTRAL_STRATEGIES}


def annotated(pairs: dict[str, Pair]) -> list[AnnotatedNeutral]:
    return [
        AnnotatedNeutral(pair.key, pair.strategy, sentence_hash(pair.premise), sentence_hash(pair.hypothesis_original))
        for pair in pairs.values()
    ]


@few_examples
@given(papers, seeds)
def test_more_phrases_take_away_no_annotated_pair(
    make_paper: MakePaper, analyzer: SentenceAnalyzer, sections: list[list[str]], seed: int
) -> None:
    paper, few, more = make_paper(sections), replace(FEW, seed=seed), replace(MORE, seed=seed)
    before = neutral(mine_paper(paper, few, analyzer).pairs)
    mined = mine_paper(paper, more, analyzer, annotated=annotated(before))
    after = neutral(with_annotated(mined, more).pairs)
    assert before.keys() <= after.keys()
    assert {key: after[key] for key in before} == before
    assert len(after) == len(neutral(mine_paper(paper, more, analyzer).pairs))
    again = neutral(with_annotated(mine_paper(paper, more, analyzer, annotated=annotated(after)), more).pairs)
    assert again.keys() == after.keys()


@few_examples
@given(papers, seeds)
def test_a_new_phrase_takes_away_only_what_it_makes_invalid(
    make_paper: MakePaper, analyzer: SentenceAnalyzer, sections: list[list[str]], seed: int
) -> None:
    paper, few = make_paper(sections), replace(FEW, seed=seed)
    more = few.with_phrase(Phrase("Yesterday", Label.REASONING))
    before = neutral(mine_paper(paper, few, analyzer).pairs)
    mined = mine_paper(paper, more, analyzer, annotated=annotated(before))
    gone = before.keys() - neutral(with_annotated(mined, more).pairs).keys()
    invalid = {
        key
        for key, pair in before.items()
        if "Yesterday" in (pair.premise.split()[0], pair.hypothesis_original.split()[0])
    }
    assert gone == invalid == mined.refused.keys()
    assert set(mined.refused.values()) <= {"linking_phrase"}


@pytest.mark.parametrize("strategy", NEUTRAL_STRATEGIES)
@few_examples
@given(papers, seeds)
def test_a_pair_gives_way_only_to_one_that_is_drawn_for_a_new_linked_pair(
    make_paper: MakePaper, analyzer: SentenceAnalyzer, strategy: Strategy, sections: list[list[str]], seed: int
) -> None:
    paper = make_paper(sections)
    few, more = (replace(one, seed=seed, neutral_strategies=(strategy,)) for one in (FEW, MORE))
    before, after = (neutral(mine_paper(paper, settings, analyzer).pairs) for settings in (few, more))
    linked_before = [pair for pair in mine_paper(paper, few, analyzer).pairs if pair.strategy is Strategy.LINKED]
    if strategy is FIRST:
        for_old = {pair.hypothesis_original for pair in linked_before}
        for_new = [pair for pair in after.values() if pair.hypothesis_original not in for_old]
    else:
        for_old = {pair.premise for pair in linked_before}
        for_new = [pair for pair in after.values() if pair.premise not in for_old and strategy is SECOND]
    assert len(before.keys() - after.keys()) <= len(for_new)
    assert {pair.key for pair in for_new} >= after.keys() - before.keys() or len(after) > len(before)


@few_examples
@given(papers, seeds, st.integers(1, 6))
def test_a_greater_quota_only_adds_pairs(
    make_paper: MakePaper, analyzer: SentenceAnalyzer, sections: list[list[str]], seed: int, halves: int
) -> None:
    paper, few = make_paper(sections), MiningSettings(seed=seed, neutral_ratio=halves / 2)
    more = replace(few, neutral_ratio=halves / 2 + 0.5)
    before, after = (list(neutral(mine_paper(paper, settings, analyzer).pairs)) for settings in (few, more))
    assert after[: len(before)] == before


@few_examples
@given(papers, seeds, st.data())
def test_a_sentence_that_is_read_otherwise_moves_only_its_own_pairs(
    make_paper: MakePaper, analyzer: SentenceAnalyzer, sections: list[list[str]], seed: int, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(sections[0]) - 1))
    changed = [list(sections[0])]
    changed[0][number] = changed[0][number].replace("A fern of", "A tall fern of", 1)
    settings = replace(FEW, seed=seed, neutral_strategies=(BOTH,))
    refused: list[DroppedCandidate] = []
    before = neutral(mine_paper(make_paper(sections), settings, analyzer, refused.append).pairs)
    dropped: list[DroppedCandidate] = []
    after = neutral(mine_paper(make_paper(changed), settings, analyzer, dropped.append).pairs)
    old = f"A fern of plot {number} 0 is dry."
    lost = [
        pair for key, pair in before.items() if key not in after and old not in (pair.premise, pair.hypothesis_original)
    ]
    draws = [(pair.premise, pair.hypothesis_original) for pair in after.values()]
    draws += [(one.premise, one.hypothesis) for one in dropped if one.drop.strategy is BOTH]
    # A draw that the old sentence made invalid may be a valid one now, and comes before others.
    of_old = sum(old in (one.premise, one.hypothesis) for one in refused if one.drop.strategy is BOTH)
    assert len(lost) <= of_old + sum("tall" in premise + hypothesis for premise, hypothesis in draws)


def test_annotated_pairs_that_are_not_valid_any_more_are_refused_with_the_reason(
    make_paper: MakePaper, analyzer: SentenceAnalyzer
) -> None:
    paragraphs = [
        f"A fern of plot {number} is dry. | However, the moss of plot {number} is wet. | The reed of {number} is tall."
        for number in range(9)
    ]
    paper = make_paper([paragraphs])
    before = neutral(mine_paper(paper, FEW, analyzer).pairs)
    assert len(before) == 6
    shorter = make_paper([[text.rpartition(" | ")[0] for text in paragraphs]])

    def refused(paper: Paper, settings: MiningSettings) -> set[tuple[Strategy, str]]:
        mined = mine_paper(paper, settings, analyzer, annotated=annotated(before))
        assert mined.annotated == before.keys()
        return {(before[key].strategy, reason) for key, reason in mined.refused.items()}

    assert refused(paper, FEW) == set()
    assert refused(paper, replace(FEW, neutral_strategies=(BOTH, FIRST))) == {(SECOND, "strategy_off")}
    assert refused(paper, replace(FEW, min_words=20)) == {(one, "too_short") for one in NEUTRAL_STRATEGIES}
    assert refused(paper, replace(FEW, neutral_distance=99)) == {(one, "too_near") for one in NEUTRAL_STRATEGIES}
    assert refused(paper, FEW.without_phrase("However")) == {(FIRST, "no_link")}
    assert {reason for _, reason in refused(shorter, FEW)} == {"no_sentence"}
    # The linked pairs are gone, but not their sentences, and the phrase still links.
    assert refused(paper, FEW.switch("However", on=False)) == set()
