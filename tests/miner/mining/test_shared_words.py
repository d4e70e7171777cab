"""Words that both sentences of a neutral pair share: which tell that these are related, and what mining then does."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from miner.mining.identity import sentence_hash
from miner.mining.paper_mining import mine_paper
from miner.mining.prose import Prose
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.mining.shared_words import SharedWords
from miner.records import NEUTRAL_STRATEGIES, AnnotatedNeutral, MinedPaper, Paper, Strategy

MakePaper = Callable[..., Paper]
FILLERS = "We counted the birds of each island twice. | The ferry was late on most days. | Nobody kept a record of it."


@pytest.mark.parametrize(
    ("premise", "hypothesis", "telling"),
    [
        ("Vincristine was given to the mice.", "The dose of vincristine was low.", True),  # rare
        ("The TB wards were full.", "Few patients had TB.", True),
        ("The region is large.", "Each region of the mask was cut.", False),  # one that half of papers have
        ("The tissue of the participants was cut.", "Participants gave tissue.", True),  # two that a third has
        ("The water was cold.", "They had no water.", True),  # the paper's topic
        ("We present the results of the study.", "The results of this study were not significant.", False),
        ("A P of 3 was found in 12 trials.", "They lost 12 of 3 P.", False),
    ],
)
def test_rare_words_and_topics_tell_that_sentences_are_related(
    make_paper: MakePaper, premise: str, hypothesis: str, telling: bool
) -> None:
    paper = make_paper([[f"{FILLERS} | They drank the water."]])
    assert SharedWords(Prose(paper)).are_telling(premise, hypothesis) is telling


@pytest.fixture(scope="module")
def paper(make_paper: MakePaper) -> Paper:
    """Each section has a topic of its own, and the last paragraph has the first topic again."""
    names = ("moss", "ferry", "violin", "moss")
    text = "The {0} was old and is grey. | However, the {0} is soft. | One {0} was found. | Each {0} has a name."
    return make_paper([[text.format(name)] for name in names])


def _neutral(mined: MinedPaper) -> dict[str, tuple[str, str]]:
    return {
        pair.key: (pair.premise, pair.hypothesis_original)
        for pair in mined.pairs
        if pair.strategy in NEUTRAL_STRATEGIES
    }


def test_related_sentences_are_drawn_only_if_asked_for_and_stay_if_annotated(
    paper: Paper, analyzer: SentenceAnalyzer
) -> None:
    free = MiningSettings(neutral_ratio=9, neutral_shared_words=True)
    chosen = replace(free, neutral_shared_words=False)
    mined = mine_paper(paper, free, analyzer)
    related = [key for key, texts in _neutral(mined).items() if all("moss" in text for text in texts)]
    assert related
    again = mine_paper(paper, chosen, analyzer)
    assert _neutral(again)
    assert not any(all("moss" in text for text in texts) for texts in _neutral(again).values())
    reasons = {drop.reason for drop in again.funnel.dropped if drop.strategy is not Strategy.LINKED}
    assert {"shared_words", "little_shared"} <= reasons
    annotated = [
        AnnotatedNeutral(pair.key, pair.strategy, sentence_hash(pair.premise), sentence_hash(pair.hypothesis_original))
        for pair in mined.pairs
        if pair.key in related
    ]
    kept = mine_paper(paper, chosen, analyzer, annotated=annotated)
    assert {pair.key for pair in kept.extra} == set(related)
    assert not kept.refused
