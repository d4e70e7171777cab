"""Whether two sentences of a paper share words that are rare or are its topic, and so are likely to be about one thing.

How many papers have a word is known from the bundled `common_words.json`, of free papers of several fields
(`packaging/common_words.py` makes it). In pairs that were read, those about one thing shared the paper's frequent words,
such as the drug it is about, as often as its rare ones.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.resources import files

from miner.mining.prose import Prose

LEAST_SHARE = 0.125
"""Two sentences are about one thing if fewer papers than this would have all words that they share, by chance."""
_TOPIC_SHARE = 0.6  # a word that more papers have is no topic
_TOPIC_FREQUENCY = 0.1  # of a topic, in uses a sentence

_WORD = re.compile(r"[^\W_]+")
_KEY_LENGTH = 7  # of "precipitation" and "precipitated": the same key


class SharedWords:
    """Compares sentences of one paper."""

    def __init__(self, prose: Prose) -> None:
        self._prose = prose
        self._text = ""
        self._topics: dict[str, bool] = {}

    def are_telling(self, premise: str, hypothesis: str) -> bool:
        """Whether the words that both sentences have are rare together, or one of them is a topic of the paper.

        They are rare if the shares of papers that have them multiply to less than `LEAST_SHARE`: one is enough that
        fewer than an eighth of papers have, or two that a third has. A topic is a word that the paper uses often, and
        not many papers have.
        """
        shares, product = _shares(), 1.0
        for key in sorted(word_keys(premise) & word_keys(hypothesis)):
            share = shares.get(key, 0.0)
            product *= share
            if product < LEAST_SHARE or (share <= _TOPIC_SHARE and self._is_topic(key)):
                return True
        return False

    def _is_topic(self, key: str) -> bool:
        if key not in self._topics:
            self._text = self._text or self._prose.text().lower()
            uses = len(re.findall(rf"\b{key}" if len(key) == _KEY_LENGTH else rf"\b{key}s?\b", self._text))
            self._topics[key] = uses >= _TOPIC_FREQUENCY * len(self._prose)
        return self._topics[key]


def count_shared_words(premise: str, hypothesis: str) -> int:
    """How many different words both sentences have, of whatever kind, ignoring case.

    >>> count_shared_words("The lake is deep.", "Reed is in the lake.")
    3
    """
    return len(set(_WORD.findall(premise.casefold())) & set(_WORD.findall(hypothesis.casefold())))


def word_key(word: str) -> str:
    """Nearly the same for all forms of a word, and for none but its relatives.

    >>> word_key("Precipitations"), word_key("mask"), word_key("masks")
    ('precipi', 'mask', 'mask')
    """
    lower = word.lower()
    return (lower[:-1] if len(lower) > 3 and lower[-1] == "s" and lower[-2] != "s" else lower)[:_KEY_LENGTH]


@lru_cache(maxsize=64)  # a sentence is drawn several times
def word_keys(text: str) -> frozenset[str]:
    """The keys of the text's words; single letters and numbers are none."""
    return frozenset(word_key(word) for word in _WORD.findall(text) if len(word) > 1 and not word.isdigit())


@lru_cache(maxsize=1)
def _shares() -> dict[str, float]:
    """By key the share of papers that have it; keys that fewer than `LEAST_SHARE` have are not there."""
    data = json.loads(files(__package__).joinpath("common_words.json").read_bytes())
    return {key: int(percent) / 100 for percent, keys in data["keys"].items() for key in keys.split()}
