"""Learns from unlabelled papers which words are abbreviations and which words start sentences.

Abbreviations are found by Punkt (Kiss and Strunk, Unsupervised Multilingual Sentence Boundary Detection, 2006) in the
implementation of NLTK. It is trained on each window of the text separately: memory stays bounded, and a common
abbreviation is not lost because a few of its uses in a large corpus lack the stop. Abbreviations that enough windows
agree on are kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from miner.parsing.sentences.parameters import SplitterParameters

WINDOW_CHARACTERS = 1_000_000
MIN_WINDOW_SHARE = 0.02  # share of the windows in which an abbreviation is found
MIN_USES = 3  # of an abbreviation in a window
MIN_STARTS = 5  # uses of a word at the start of sentences
MAX_CAPITALIZED_SHARE = 0.05  # of a starter's uses: capitalized inside sentences, as names are
MAX_COUNTED_WORDS = 400_000  # with more words the rarest are removed

_ABBREVIATION = re.compile(r"[a-z]{2,6}|[a-z]{1,2}(?:\.[a-z]{1,2})+")
# A word after a long word with a stop, or after a word of the same sentence.
_WORD_USE = re.compile(r"(?=(?:\b[A-Za-z]{3,}\)?(\.)|\b[a-z]{2,},?) ([A-Za-z][a-z]*)[ ,])")


def learn_parameters(paragraphs: Iterable[str]) -> SplitterParameters:
    """Parameters learnt from the paragraphs and the bundled ones; the same paragraphs give the same parameters."""
    return combine_windows(_with_abbreviations(paragraphs))


def train_parameters(paragraphs: Iterable[str], made_by: str) -> SplitterParameters:
    """Parameters learnt from the paragraphs alone."""
    return _parameters_from(_with_abbreviations(paragraphs), made_by)


def combine_windows(windows: Iterable[tuple[str, Iterable[str]]]) -> SplitterParameters:
    """`learn_parameters` from windows with their abbreviations; finding those is nearly all of the work."""
    return SplitterParameters.bundled().merged_with(_parameters_from(windows, "the project's own papers"))


def paper_windows(papers: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Windows of papers, which are (MD5, text); when a paper is added or removed, few windows change."""
    # Ends depend on MD5s, so that most windows stay the same.
    return _windows((text, WINDOW_CHARACTERS // 2 if md5[-1] in "0123" else WINDOW_CHARACTERS) for md5, text in papers)


def find_abbreviations(text: str) -> list[str]:
    """The abbreviations that Punkt finds in a window of about `WINDOW_CHARACTERS` characters; takes seconds."""
    from nltk.tokenize.punkt import PunktTrainer  # slow to import, and only needed here

    uses = Counter(match[0].lower() for match in re.finditer(r"\b[A-Za-z][A-Za-z.]*(?=\.)", text))
    types = PunktTrainer(text).get_params().abbrev_types
    return sorted(word for word in types if _ABBREVIATION.fullmatch(word) and uses[word] >= MIN_USES)


def abbreviation_finder() -> Callable[[str], list[str]]:
    """`find_abbreviations`; the `setup` of worker processes."""
    return find_abbreviations


def _with_abbreviations(paragraphs: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Windows of the paragraphs, each with its abbreviations."""
    for window in _windows((paragraph, WINDOW_CHARACTERS) for paragraph in paragraphs):
        yield window, find_abbreviations(window)


def _parameters_from(windows: Iterable[tuple[str, Iterable[str]]], made_by: str) -> SplitterParameters:
    """Parameters learnt from (text, abbreviations) of windows."""
    windows_with: Counter[str] = Counter()
    uses = _WordUses()
    count = 0
    for text, abbreviations in windows:
        count += 1
        windows_with.update(abbreviations)
        uses.add(text)
    min_windows = max(min(2, count), MIN_WINDOW_SHARE * count)
    return SplitterParameters(
        frozenset(word for word, n in windows_with.items() if n >= min_windows), uses.starters(), made_by
    )


class _WordUses:
    """Counts uses of words: at the start of sentences, and inside them with a capital or in lower case."""

    def __init__(self) -> None:
        self._at_start: Counter[str] = Counter()
        self._capitalized: Counter[str] = Counter()
        self._lower: Counter[str] = Counter()

    def add(self, text: str) -> None:
        for stop, word in _WORD_USE.findall(text):
            counter = self._lower if word[0].islower() else self._at_start if stop else self._capitalized
            counter[word.lower()] += 1
        if len(self._at_start) + len(self._capitalized) + len(self._lower) > MAX_COUNTED_WORDS:
            self._at_start, self._capitalized, self._lower = map(
                _without_rare, (self._at_start, self._capitalized, self._lower)
            )

    def starters(self) -> frozenset[str]:
        """Words that often start sentences and are hardly ever capitalized inside one."""
        return frozenset(word for word, uses in self._at_start.items() if self._is_starter(word, uses))

    def _is_starter(self, word: str, uses: int) -> bool:
        capitalized, lower = self._capitalized[word], self._lower[word]
        often = uses >= MIN_STARTS and capitalized <= MAX_CAPITALIZED_SHARE * (uses + lower)
        return often and (len(word) > 1 or word == "a")


def _without_rare(counter: Counter[str]) -> Counter[str]:
    return Counter({word: n for word, n in counter.items() if n > 2})


def _windows(texts: Iterable[tuple[str, int]]) -> Iterator[str]:
    """The texts joined to windows. Each comes with the size in characters from which a window may end after it."""
    texts_of_window: list[str] = []
    size = 0
    for text, min_size in texts:
        texts_of_window.append(text)
        size += len(text)
        if size >= min_size:
            yield "\n".join(texts_of_window)
            texts_of_window, size = [], 0
    if texts_of_window:
        yield "\n".join(texts_of_window)
