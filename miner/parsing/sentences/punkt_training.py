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


def _parameters_from(parts: Iterable[tuple[str, Iterable[str]]], made_by: str) -> Parameters:
    found: Counter[str] = Counter()
    at_start: Counter[str] = Counter()
    inside: Counter[str] = Counter()  # with a capital
    lower: Counter[str] = Counter()
    windows = 0
    for text, types in parts:
        windows += 1
        found.update(types)
        for stop, word in _USE.findall(text):
            counter = lower if word[0].islower() else at_start if stop else inside
            counter[word.lower()] += 1
        if len(at_start) + len(inside) + len(lower) > MOST_WORDS:
            at_start, inside, lower = (
                Counter({w: n for w, n in c.items() if n > 2}) for c in (at_start, inside, lower)
            )
    return Parameters(
        frozenset(word for word, n in found.items() if n >= min(2, windows) and n >= AGREEING * windows),
        frozenset(
            word
            for word, n in at_start.items()
            if n >= FEWEST_STARTS and inside[word] <= INSIDE * (n + lower[word]) and (len(word) > 1 or word == "a")
        ),
        made_by,
    )


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
