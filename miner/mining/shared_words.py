"""Whether two sentences of a paper share rare words or words of its topic, and so are likely to be related.

How many papers have a word is known from the bundled `common_words.json`, of free papers of several fields
(`packaging/common_words.py` makes it). In pairs that were read, those about one thing shared the paper's frequent
words, such as the drug it is about, as often as its rare ones.
"""

from __future__ import annotations

import json
import math
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
        shares = _shares()
        shared = {key: shares.get(key, 0.0) for key in word_keys(premise) & word_keys(hypothesis)}
        if math.prod(sorted(shared.values())) < LEAST_SHARE:
            return True
        return any(share <= _TOPIC_SHARE and self._is_topic(key) for key, share in shared.items())

    def _is_topic(self, key: str) -> bool:
        if key not in self._topics:
            self._text = self._text or self._prose.text().lower()
            uses = len(re.findall(f" {key}" if len(key) == _KEY_LENGTH else rf" {key}s?\b", self._text))
            self._topics[key] = uses >= _TOPIC_FREQUENCY * len(self._prose)
        return self._topics[key]


def count_shared_words(premise: str, hypothesis: str) -> int:
    """How many different words both sentences have, of whatever kind, ignoring case.

    >>> count_shared_words("The lake is deep.", "Reed is in the lake.")
    3
    """
    return len(_words(premise) & _words(hypothesis))


@lru_cache(maxsize=20_000)
def word_key(word: str) -> str:
    """Nearly the same for all forms of a word in lower case, and for none but its relatives; "" if it says nothing.

    >>> word_key("precipitations"), word_key("mask"), word_key("masks"), word_key("2")
    ('precipi', 'mask', 'mask', '')
    """
    if len(word) == 1 or word.isdigit():
        return ""
    return (word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word)[:_KEY_LENGTH]


def word_keys(text: str) -> frozenset[str]:
    """The keys of the text's words."""
    return frozenset(map(word_key, _words(text))) - {""}


@lru_cache(maxsize=64)  # a sentence is drawn several times
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


@lru_cache(maxsize=1)
def _shares() -> dict[str, float]:
    """The share of papers with each key, by key, without keys that fewer than `LEAST_SHARE` of them have."""
    data = json.loads(files(__package__).joinpath("common_words.json").read_bytes())
    return {key: int(percent) / 100 for percent, keys in data["keys"].items() for key in keys.split()}
