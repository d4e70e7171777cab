"""A word list made from free papers, by which a paper's text is checked, and guesses at words that it does not list.

`words.txt.gz` holds 57,356 words in lower case, of 7,584 papers under CC BY or CC0 (5,199 in publishers' markup, 2,385
PDFs); `packaging/words/make.py` made it, and says which words it takes.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from functools import cache
from importlib.resources import files

LIGATURES = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt", "Th", "ti", "fj", "fb", "ct", "tf")
"""Letters that fonts print as one glyph, the more frequent first."""

_MIN_WHOLE = 5  # letters of a word that lacks some: shorter ones are often names and symbols
_LOST = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt")
_GRAM = 4


@cache
def known_words() -> frozenset[str]:
    """The words of the list, in lower case."""
    packed = files(__name__).joinpath("words.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split("\n"))


def is_known(word: str) -> bool:
    """Whether the word is in the list, in whatever case.

    >>> is_known("Fluorescence"), is_known("uorescence")
    (True, False)
    """
    return word.casefold() in known_words()


@cache
def _grams() -> frozenset[str]:
    return frozenset(gram for word in known_words() for gram in _grams_of(word))


def _grams_of(word: str) -> list[str]:
    framed = f"^{word}$"
    return [framed[at : at + _GRAM] for at in range(len(framed) - _GRAM + 1)]


@cache
def _incomplete() -> dict[str, frozenset[str]]:
    """The listed words by what is left of them without a ligature."""
    incomplete: dict[str, set[str]] = {}
    for word in known_words():
        for lost in _LOST:
            at = word.find(lost)
            while at >= 0 and len(word) >= _MIN_WHOLE:
                incomplete.setdefault(word[:at] + word[at + len(lost) :], set()).add(word)
                at = word.find(lost, at + 1)
    return {rest: frozenset(words) for rest, words in incomplete.items()}


def wholes_of(word: str) -> frozenset[str]:
    """The listed words that become this word if a ligature is lost.

    >>> sorted(wholes_of("uorescence")), sorted(wholes_of("moss"))
    (['fluorescence'], [])
    """
    return _incomplete().get(word, frozenset())


def is_unlike_words(word: str) -> bool:
    """Whether most sequences of letters in the word are in no listed word.

    >>> is_unlike_words("qxzvkj"), is_unlike_words("larvaepartus")
    (True, False)
    """
    grams, known = _grams_of(word), _grams()
    return 2 * sum(gram not in known for gram in grams) > len(grams)


_LOOKED_UP = re.compile(r"(?<![^\W_])[a-z]{4,}(?![^\W_]|[@.]\w)")


def words_to_look_up(text: str) -> list[str]:
    """The words of a text that can be looked up: four letters or more, in lower case, so no names."""
    return _LOOKED_UP.findall(text)


def unknown_words(texts: list[str]) -> tuple[int, Counter[str]]:
    """How many words of these texts could be looked up, and how often each unknown word occurs.

    A word that is not listed may be new or rare all the same. It is taken for none if a ligature makes it a listed one,
    or if it is unlike words and not the paper's own, which would use it more often.
    """
    known = known_words()
    counts = Counter(words_to_look_up("\n".join(texts)))
    unknown = {
        word: count
        for word, count in counts.items()
        if word not in known and (wholes_of(word) or (count < 3 and is_unlike_words(word)))
    }
    return counts.total(), Counter(unknown)
