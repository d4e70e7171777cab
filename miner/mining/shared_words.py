"""Whether two sentences share words that few papers have, and so are likely to be about one thing.

How many papers have a word is known from the bundled `common_words.json`, of free papers of several fields
(`packaging/common_words.py` makes it). What a paper's own sentences have in common tells less: in pairs that were read,
those about one thing shared the paper's frequent words, such as the drug it is about, as often as its rare ones.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.resources import files

LEAST_SHARE = 0.125
"""Two sentences are about one thing if fewer papers than this would have all words that they share, by chance."""

_WORD = re.compile(r"[^\W_]+")
_KEY_LENGTH = 7  # of "precipitation" and "precipitated": the same key


def are_alike(premise: str, hypothesis: str) -> bool:
    """Whether the shares of papers that have the words which both sentences share multiply to less than `LEAST_SHARE`.

    So one word is enough that fewer than an eighth of papers have, or two that a third has.

    >>> are_alike("We measured the salinity of the lake.", "The samples differed in salinity.")
    True
    >>> are_alike("We measured the depth of the lake.", "The samples differed in weight.")
    False
    """
    shares, product = _shares(), 1.0
    for key in _keys(premise) & _keys(hypothesis):
        product *= shares.get(key, 0.0)
        if product < LEAST_SHARE:
            return True
    return False


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


def word_keys(text: str) -> frozenset[str]:
    """The keys of the text's words; single letters and numbers are none."""
    return frozenset(word_key(word) for word in _WORD.findall(text) if len(word) > 1 and not word.isdigit())


_keys = lru_cache(maxsize=64)(word_keys)  # a sentence is drawn several times


@lru_cache(maxsize=1)
def _shares() -> dict[str, float]:
    """By key the share of papers that have it; keys that fewer than `LEAST_SHARE` have are not there."""
    data = json.loads(files(__package__).joinpath("common_words.json").read_bytes())
    return {key: int(percent) / 100 for percent, keys in data["keys"].items() for key in keys.split()}
