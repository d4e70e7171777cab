"""The phrases of the extended lexicon that are off, and the pairs that a paper would give with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from miner.mining.linking_phrases import Phrase, phrase_key
from miner.mining.paper_mining import mine_paper
from miner.mining.phrase_precision import is_reliable
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.records import Label, Paper


def spare_phrases(phrases: Iterable[Phrase], label: Label | None = None) -> tuple[Phrase, ...]:
    """The phrases of the extended lexicon in `phrases` that are off; of one class, or of all classes for None.

    >>> [phrase.text for phrase in spare_phrases(MiningSettings().phrases, Label.REASONING)]
    ['Hence', 'Accordingly', 'For this reason']
    """
    return tuple(phrase for phrase in phrases if phrase.extended and not phrase.on and label in (None, phrase.label))


def reliable_phrases(spare: Iterable[Phrase]) -> tuple[Phrase, ...]:
    """Those of these phrases whose pairs are reliable to have their relation."""
    return tuple(phrase for phrase in spare if is_reliable(phrase))


def with_spare_phrases(settings: MiningSettings, label: Label) -> MiningSettings:
    """The settings with the extended lexicon's phrases of this class turned on."""
    return _turned_on(settings, spare_phrases(settings.phrases, label))


def with_reliable_phrases(settings: MiningSettings) -> MiningSettings:
    """The settings with the extended lexicon's reliable phrases turned on, of all classes."""
    return _turned_on(settings, reliable_phrases(spare_phrases(settings.phrases)))


def _turned_on(settings: MiningSettings, chosen: tuple[Phrase, ...]) -> MiningSettings:
    phrases = (replace(phrase, on=True) if phrase in chosen else phrase for phrase in settings.phrases)
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
