"""The phrases of the extended lexicon that are off, and the pairs they would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from miner.mining.linking_phrases import Phrase, phrase_key
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.mining.spare_phrases import count_spare_pairs, spare_phrases, with_spare_phrases
from miner.records import Label, Paper

TEXT = [
    "Moss grows on stones. | More specifically, it grows on those in the shade. | Namely the north side was green.",
    "Snails eat the moss at night. | In short, the stones are bare in autumn. | However, some moss comes back.",
    "The walls were old. | Hence, we looked at the mortar. | In short, gone.",
]


def test_only_extended_phrases_that_are_off_are_spare() -> None:
    own = MiningSettings().with_phrase(Phrase("Put plainly", Label.ENTAILMENT, on=False)).switch("That is", on=False)
    found = [phrase.text for phrase in spare_phrases(own.phrases, Label.ENTAILMENT)]
    assert found == ["More specifically", "More precisely", "Namely", "In short", "Equivalently"]
    on = with_spare_phrases(own, Label.ENTAILMENT)
    assert spare_phrases(on.phrases, Label.ENTAILMENT) == ()
    assert {phrase.label for phrase in spare_phrases(on.phrases)} == {Label.CONTRASTING, Label.REASONING}
    assert not any(phrase.on for phrase in on.phrases if phrase.text in ("Put plainly", "That is"))


def test_the_pairs_counted_are_those_that_mining_adds(
    make_paper: Callable[..., Paper], analyzer: SentenceAnalyzer
) -> None:
    paper, before = make_paper([TEXT]), MiningSettings()
    # "Namely the" has no comma, and "gone." has no verb.
    counted = count_spare_pairs(paper, before, analyzer)
    assert counted == {"more specifically": 1, "in short": 1, "hence": 1}
    after = with_spare_phrases(before, Label.ENTAILMENT)
    added = Counter(pair.phrase for pair in mine_paper(paper, after, analyzer).pairs if pair.phrase)
    added -= Counter(pair.phrase for pair in mine_paper(paper, before, analyzer).pairs if pair.phrase)
    assert {phrase_key(text): number for text, number in added.items() if text} == {
        "more specifically": 1,
        "in short": 1,
    }
    assert count_spare_pairs(paper, after, analyzer) == {"hence": 1}


def test_without_spare_phrases_there_is_nothing_to_count(
    make_paper: Callable[..., Paper], analyzer: SentenceAnalyzer
) -> None:
    settings = MiningSettings()
    for label in (Label.CONTRASTING, Label.REASONING, Label.ENTAILMENT):
        settings = with_spare_phrases(settings, label)
    assert count_spare_pairs(make_paper([TEXT]), settings, analyzer) == Counter()
