"""Learning from papers, without labels, which words are abbreviations and which ones open sentences.

Abbreviations are found by Punkt (Kiss & Strunk 2006, Unsupervised Multilingual Sentence Boundary Detection), as NLTK
has it, in windows of the text and each by a fresh trainer: memory stays bounded, and a common abbreviation is not lost
for the few times, in a large corpus, that somebody left out its stop. What enough windows agree on is kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from miner.parsing.sentences.parameters import Parameters

WINDOW = 1_000_000  # characters
AGREEING = 0.02  # of the windows
FEWEST = 3  # uses of an abbreviation in a window
FEWEST_STARTS = 5  # uses of a word at the start of a sentence
INSIDE = 0.05  # of a starter's uses may be capitalised inside a sentence, as names are
MOST_WORDS = 400_000  # counted at a time; beyond, the rarest are forgotten

_ABBREVIATION = re.compile(r"[a-z]{2,6}|[a-z]{1,2}(?:\.[a-z]{1,2})+")
# A word after a long word with a stop, or after a word of the same sentence.
_USE = re.compile(r"(?=(?:\b[A-Za-z]{3,}\)?(\.)|\b[a-z]{2,},?) ([A-Za-z][a-z]*)[ ,])")


def learn(paragraphs: Iterable[str]) -> Parameters:
    """What the paragraphs teach, united with the bundled parameters; the same paragraphs always teach the same."""
    return combine_windows((text, find_abbreviations(text)) for text in _windows(paragraphs))


def train(paragraphs: Iterable[str], made_by: str) -> Parameters:
    """What the paragraphs teach by themselves."""
    return _parameters_from(((text, find_abbreviations(text)) for text in _windows(paragraphs)), made_by)


def combine_windows(windows: Iterable[tuple[str, Iterable[str]]]) -> Parameters:
    """`learn` from windows whose abbreviations are known, which is nearly all of the work."""
    return Parameters.bundled().united(_parameters_from(windows, "the project's own papers"))


def paper_windows(papers: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Windows of papers given by MD5 and text: where a paper comes or goes, few of them change."""
    held: list[str] = []
    size = 0
    for md5, text in papers:
        held.append(text)
        size += len(text)
        if size >= WINDOW or (size >= WINDOW // 2 and md5[-1] in "0123"):  # by their MD5s, so that ends stay
            yield "\n".join(held)
            held, size = [], 0
    if held:
        yield "\n".join(held)


def find_abbreviations(text: str) -> list[str]:
    """Those that Punkt finds in a window of some `WINDOW` characters; that takes seconds."""
    from nltk.tokenize.punkt import PunktTrainer  # slow to import, and only learning needs it

    uses = Counter(match[0].lower() for match in re.finditer(r"\b[A-Za-z][A-Za-z.]*(?=\.)", text))
    types = PunktTrainer(text).get_params().abbrev_types
    return sorted(word for word in types if _ABBREVIATION.fullmatch(word) and uses[word] >= FEWEST)


def abbreviation_finder() -> Callable[[str], list[str]]:
    """`find_abbreviations`, as worker processes ask for it."""
    return find_abbreviations


def _parameters_from(windows: Iterable[tuple[str, Iterable[str]]], made_by: str) -> Parameters:
    """What windows with these abbreviations teach."""
    found: Counter[str] = Counter()
    uses = _WordUses()
    count = 0
    for text, abbreviations in windows:
        count += 1
        found.update(abbreviations)
        uses.add(text)
    enough = max(min(2, count), AGREEING * count)
    return Parameters(frozenset(word for word, n in found.items() if n >= enough), uses.starters(), made_by)


class _WordUses:
    """How often words stand at the start of a sentence, and inside with a capital or in lower case."""

    def __init__(self) -> None:
        self._at_start: Counter[str] = Counter()
        self._capitalized: Counter[str] = Counter()
        self._lower: Counter[str] = Counter()

    def add(self, text: str) -> None:
        for stop, word in _USE.findall(text):
            counter = self._lower if word[0].islower() else self._at_start if stop else self._capitalized
            counter[word.lower()] += 1
        if len(self._at_start) + len(self._capitalized) + len(self._lower) > MOST_WORDS:
            self._at_start, self._capitalized, self._lower = map(
                _without_rare, (self._at_start, self._capitalized, self._lower)
            )

    def starters(self) -> frozenset[str]:
        """Words that open sentences often, and are hardly ever capitalised inside one."""
        return frozenset(word for word, uses in self._at_start.items() if self._is_starter(word, uses))

    def _is_starter(self, word: str, uses: int) -> bool:
        capitalized, lower = self._capitalized[word], self._lower[word]
        often = uses >= FEWEST_STARTS and capitalized <= INSIDE * (uses + lower)
        return often and (len(word) > 1 or word == "a")


def _without_rare(counter: Counter[str]) -> Counter[str]:
    return Counter({word: n for word, n in counter.items() if n > 2})


def _windows(paragraphs: Iterable[str]) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for paragraph in paragraphs:
        held.append(paragraph)
        size += len(paragraph)
        if size >= WINDOW:
            yield "\n".join(held)
            held, size = [], 0
    if held:
        yield "\n".join(held)
