"""Openers: words before a comma at the start of sentences, such as "As expected,", that could become linking phrases.

What opens many sentences is counted first. The frequent openers are then mined as if they were linking phrases, with
the rules and filters of mining, so that their pairs are those which they would add.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace

from miner.mining.linking_phrases import CONNECTIVES, Phrase, PhraseMatcher, phrase_key, phrase_matcher
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.records import Label, Pair, Paper

MAX_WORDS = 5  # of an opener
_OPENER = re.compile(rf"[A-Z][a-z]+(?: [a-z]+(?:['’\-][a-z]+)*){{0,{MAX_WORDS - 1}}}(?=,\s)")
# "In this paper," says what the paper does, whatever comes before: of 60 such pairs that were read, 20 were reasoning,
# which the starter sees in most.
_OF_THE_PAPER = re.compile(
    r"(?:Here|Herein|In (?:this|the (?:present|current|following)|our(?: previous| present| current)?) "
    r"(?:study|paper|review|work|article|report|section|chapter|research|survey|thesis|analysis|experiments?))\b"
)
_MAX_COUNTED = 200_000  # openers counted at a time: rare ones are forgotten when there are more


def opener_at(text: str, start: int, matcher: PhraseMatcher) -> str | None:
    """The opener of the sentence at `start` of `text`; None without one, and for phrases and connectives.

    Words with capitals or numbers, such as "In Japan,", are of a paper's subject, and no openers. Nor are words about
    the paper itself, such as "In this study,".

    >>> opener_at("As expected, the lake froze.", 0, phrase_matcher(MiningSettings().phrases))
    'As expected'
    """
    found = _OPENER.match(text, start)
    if found is None or matcher.starts(text, start):
        return None
    return None if CONNECTIVES.match(text, start) or _OF_THE_PAPER.match(text, start) else found[0]


def count_openers(paper: Paper, phrases: tuple[Phrase, ...]) -> Counter[str]:
    """How many sentences of the paper have each opener; first sentences of paragraphs, which have no premise, do not
    count."""
    matcher, counted = phrase_matcher(phrases), Counter[str]()
    for section in paper.sections:
        for paragraph in section.paragraphs:
            for sentence in paragraph.sentences[1:]:
                if opener := opener_at(paragraph.text, sentence.start, matcher):
                    counted[opener] += 1
    return counted


class FrequentOpeners:
    """Counts openers of many papers in bounded memory: an opener of few papers among very many may be forgotten.

    >>> frequent = FrequentOpeners()
    >>> for _ in range(3):
    ...     frequent.add({"As expected": 2, "In winter": 1})
    >>> frequent.most(papers=3, size=1)
    ['As expected']
    """

    def __init__(self) -> None:
        self._papers, self._sentences = Counter[str](), Counter[str]()

    def add(self, counted: Collection[tuple[str, int]] | dict[str, int]) -> None:
        """Add the openers of one paper."""
        self._sentences.update(dict(counted))
        self._papers.update(dict.fromkeys(dict(counted), 1))
        if len(self._papers) > _MAX_COUNTED:
            for opener in [opener for opener, papers in self._papers.items() if papers == 1]:
                del self._papers[opener], self._sentences[opener]

    def most(self, *, papers: int, size: int) -> list[str]:
        """The openers of at least `papers` papers, those of most sentences first; at most `size`."""
        found = [opener for opener, number in self._papers.items() if number >= papers]
        return sorted(found, key=lambda opener: (-self._sentences[opener], opener))[:size]


def opener_pairs(
    paper: Paper, openers: Iterable[str], settings: MiningSettings, analyzer: SentenceAnalyzer
) -> list[Pair]:
    """The pairs that the openers would add to the paper's; `phrase` is the opener, the distant label means nothing.

    A sentence that begins with a linking phrase, on or off, stays with it.
    """
    known = {phrase_key(phrase.text) for phrase in settings.phrases}
    off = tuple(replace(phrase, on=False) for phrase in settings.phrases)
    on = tuple(Phrase(opener, Label.REASONING) for opener in openers if phrase_key(opener) not in known)
    alone = replace(settings, phrases=off + on, implicit=False, neutral_strategies=())
    return [pair for pair in mine_paper(paper, alone, analyzer).pairs if pair.phrase]
