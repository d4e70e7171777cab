"""The phrases of the extended lexicon that are off, and the pairs that a paper would give with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from miner.mining.linking_phrases import Phrase, phrase_key
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.records import Label, Paper


def spare_phrases(phrases: Iterable[Phrase], label: Label | None = None) -> tuple[Phrase, ...]:
    """The phrases of the extended lexicon in `phrases` that are off; of one class, or of all classes for None.

    >>> [phrase.text for phrase in spare_phrases(MiningSettings().phrases, Label.REASONING)]
    ['Hence', 'Accordingly', 'For this reason']
    """
    return tuple(phrase for phrase in phrases if phrase.extended and not phrase.on and label in (None, phrase.label))


def with_spare_phrases(settings: MiningSettings, label: Label) -> MiningSettings:
    """The settings with the extended lexicon's phrases of this class turned on."""
    spare = spare_phrases(settings.phrases, label)
    phrases = (replace(phrase, on=True) if phrase in spare else phrase for phrase in settings.phrases)
    return replace(settings, phrases=tuple(phrases))


def count_spare_pairs(paper: Paper, settings: MiningSettings, analyzer: SentenceAnalyzer) -> Counter[str]:
    """How many linked pairs each spare phrase of `settings` would add to the paper's, by `phrase_key`.

    Only sentences that begin with a spare phrase are looked at, which takes a small part of the time of mining.
    """
    spare = spare_phrases(settings.phrases)
    if not spare:
        return Counter()
    phrases = tuple(replace(phrase, on=phrase in spare) for phrase in settings.phrases)
    alone = replace(settings, phrases=phrases, implicit=False, neutral_strategies=())
    return Counter(phrase_key(pair.phrase) for pair in mine_paper(paper, alone, analyzer).pairs if pair.phrase)
