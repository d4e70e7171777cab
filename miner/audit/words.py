"""Words of the hypothesis that go with a class.

Pointwise mutual information of a word and a class, over the hypotheses that have the word (not over its uses), smoothed
as by Gururangan and others (NAACL 2018, section 3.1), who add 100 to counts of a hundred times larger sets.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log2

from miner.audit.drawn_pairs import AuditPair
from miner.audit.report import AuditQuestion, Finding, Verdict, WordFigure
from miner.audit.surface import MIN_PAIRS
from miner.records import Label
from miner.statistics import wilson

WORDS_PER_CLASS = 10
_SMOOTHING = 10  # added to the observed and the expected number of pairs
_MIN_PAIRS_WITH_WORD, _MIN_PAPERS = 5, 3
_MANY_WORDS_Z = 4.4  # 95 % for ten thousand comparisons together (Bonferroni)
_LIFT = 0.35  # of the way from the share of the class to all pairs: the word then gives the class away
_LOOK, _MEND = 0.05, 0.2  # share of a class that has a word that gives it away
_SURE = 0.75  # a single word that is so sure is to be mended, where it is not rare
_NOT_RARE = 0.02
_WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")


def words_of(text: str) -> set[str]:
    """The different words of a text, in lower case.

    >>> sorted(words_of("The well-known author’s 3 wells, the deep ones"))
    ['author’s', 'deep', 'ones', 'the', 'well-known', 'wells']
    """
    return set(_WORD.findall(text.lower()))


def words_finding(pairs: Sequence[AuditPair]) -> Finding:
    """The words that go with each class, the most informative ones first."""
    totals = Counter(pair.label for pair in pairs)
    labels = [label for label in Label if totals[label] >= MIN_PAIRS]
    if len(labels) < 2:
        return Finding(AuditQuestion.WORDS, Verdict.UNKNOWN, len(pairs), missing=MIN_PAIRS)
    pairs = [pair for pair in pairs if pair.label in labels]
    figures = _figures(pairs, {label: totals[label] for label in labels})
    telling = {label: {one.word for one in figures if one.gives_away and one.label == label} for label in labels}
    shares = {label: _covered(pairs, label, telling[label]) / totals[label] for label in labels}
    top = max(labels, key=lambda label: shares[label])
    sure = [one for one in figures if one.gives_away and one.low >= _SURE and one.hits >= _NOT_RARE * totals[one.label]]
    verdict = Verdict.MEND if sure or shares[top] >= _MEND else Verdict.LOOK if shares[top] >= _LOOK else Verdict.FINE
    shown = [word for label in labels for word in _most_informative(figures, label)]
    label = top if shares[top] else ""
    return Finding(AuditQuestion.WORDS, verdict, len(pairs), shares[top], label, words=tuple(shown))


def _figures(pairs: Sequence[AuditPair], totals: dict[Label, int]) -> list[WordFigure]:
    by_word: defaultdict[str, Counter[str]] = defaultdict(Counter)
    papers: defaultdict[str, set[str]] = defaultdict(set)
    all_papers = {pair.group for pair in pairs}
    for pair in pairs:
        for word in words_of(pair.hypothesis):
            by_word[word][pair.label] += 1
            if len(papers[word]) < _MIN_PAPERS:
                papers[word].add(pair.group)
    least_papers = min(_MIN_PAPERS, len(all_papers))
    total = len(pairs)
    figures = []
    for word, by_label in by_word.items():
        number = by_label.total()
        if number < _MIN_PAIRS_WITH_WORD or len(papers[word]) < least_papers:
            continue
        for label, in_class in totals.items():
            hits, expected = by_label[label], number * in_class / total
            if hits <= expected:
                continue
            low, base = wilson(hits, number, _MANY_WORDS_Z).low, in_class / total
            pmi = log2((hits + _SMOOTHING) / (expected + _SMOOTHING))
            gives_away = low > base + (1 - base) * _LIFT
            figures.append(WordFigure(word, label, number, hits, pmi, low, gives_away))
    return figures


def _covered(pairs: Iterable[AuditPair], label: str, words: set[str]) -> int:
    """How many pairs of the class have one of the words."""
    return sum(pair.label == label and not words.isdisjoint(words_of(pair.hypothesis)) for pair in pairs)


def _most_informative(figures: Iterable[WordFigure], label: str) -> list[WordFigure]:
    of_class = [figure for figure in figures if figure.label == label]
    return sorted(of_class, key=lambda one: (not one.gives_away, -one.pmi, one.word))[:WORDS_PER_CLASS]
