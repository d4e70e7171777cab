"""Traits of a hypothesis that can be seen without understanding it, such as a capital at its start.

`storage.pairs.traits` has the same definitions in SQL, for the filter of pairs; a test compares the two.
"""

from __future__ import annotations

import re
from functools import lru_cache

from miner.mining.linking_phrases import LEXICON
from miner.records import HypothesisTrait

OPENING_MARKS = "\"'“‘(["
"""What may stand before the first letter."""
CAPITALS = "A-ZÀ-ÖØ-Þ"
NEAR_START = 60
"""Characters within which a linking phrase is near the start."""
AFTER_PHRASE = " ,;:."
"""What may stand behind a phrase that a hypothesis begins with; else it is a part of another word."""
FINAL_STOPS = ".!?"
CLOSING_MARKS = '])"”’'


def lexicon_texts() -> tuple[str, ...]:
    """The linking phrases that are looked for, on or off, in lower case."""
    return tuple(phrase.text.lower() for phrase in LEXICON)


def find_traits(hypothesis: str) -> frozenset[HypothesisTrait]:
    """The traits of a hypothesis.

    >>> sorted(trait.value for trait in find_traits("However, 3 samples froze (Smith et al., 2019)"))
    ['capital', 'citation', 'digit', 'no_stop', 'phrase_start']
    >>> sorted(trait.value for trait in find_traits("the samples, however, froze."))
    ['phrase_near']
    """
    return frozenset(trait for trait, pattern in _patterns() if pattern.search(hypothesis))


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[HypothesisTrait, re.Pattern[str]], ...]:
    opening = f"^[{re.escape(OPENING_MARKS)}]*"
    phrases = "|".join(map(re.escape, lexicon_texts()))
    patterns = {
        HypothesisTrait.CAPITAL: f"{opening}[{CAPITALS}]",
        HypothesisTrait.PHRASE_START: f"{opening}(?i:{phrases})(?:[{AFTER_PHRASE}]|\\Z)",
        HypothesisTrait.PHRASE_NEAR: rf"^[\s\S]{{0,{NEAR_START - 1}}}?[ ,;(](?i:{phrases})[,;:]",
        HypothesisTrait.CITATION: r"(?: et al[.,) ])|\[[0-9]|[( ,;](?:19|20)[0-9][0-9][a-d]?[),;]",
        HypothesisTrait.DIGIT: "[0-9]",
        HypothesisTrait.NO_STOP: rf"^(?![\s\S]*[{FINAL_STOPS}][{re.escape(CLOSING_MARKS)}]?\Z)",
    }
    return tuple((trait, re.compile(pattern, re.ASCII)) for trait, pattern in patterns.items())
