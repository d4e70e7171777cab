"""Surface features of a pair: BLEU, length and overlap (SciNLI, section 4.2, after Bowman et al. 2015)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log
from typing import Any

from miner.lab.experiments.systems.word_classes import WORD_CLASSES, TaggedWord
from miner.libraries import np

MAX_ORDER = 4
"""Longest n-grams of BLEU."""
BLEU_FEATURES, LENGTH_FEATURES, OVERLAP_FEATURES = MAX_ORDER + 1, 1, 2 * (1 + len(WORD_CLASSES))


def bleu_features(premise: Sequence[str], hypothesis: Sequence[str]) -> list[float]:
    """The modified precision of the hypothesis' n-grams in the premise for n from 1 to 4, and BLEU, 0.0 to 1.0.

    BLEU is the geometric mean of the precisions with the brevity penalty; where one is 0, so is BLEU. Source: Papineni
    et al., BLEU (ACL 2002), section 2; a test compares with nltk.
    """
    precisions = []
    for order in range(1, MAX_ORDER + 1):
        counts = _ngrams(hypothesis, order)
        total = sum(counts.values())
        reference = _ngrams(premise, order) if total else counts
        shared = sum(min(number, reference[ngram]) for ngram, number in counts.items())
        precisions.append(shared / total if total else 0.0)
    if not all(precisions):
        return [*precisions, 0.0]
    brevity = min(1.0, exp(1 - len(premise) / len(hypothesis)))
    return [*precisions, brevity * exp(sum(map(log, precisions)) / MAX_ORDER)]


def overlap_features(premise: Sequence[TaggedWord], hypothesis: Sequence[TaggedWord]) -> list[float]:
    """For all words, nouns, verbs, adjectives and adverbs: how many different ones both sentences have, and which
    share this is of the hypothesis' ones."""
    features = []
    for word_class in ("", *WORD_CLASSES):
        first, second = (
            {word.text for word in side if not word_class or word.word_class == word_class}
            for side in (premise, hypothesis)
        )
        shared = len(first & second)
        features += [float(shared), shared / len(second) if second else 0.0]
    return features


def surface_features(
    pairs: Sequence[tuple[Sequence[TaggedWord], Sequence[TaggedWord]]],
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The features of pairs, (pairs, 16): 5 of BLEU, the difference of lengths in words, and 10 of overlap."""
    rows = []
    for premise, hypothesis in pairs:
        first, second = [word.text for word in premise], [word.text for word in hypothesis]
        row = [*bleu_features(first, second), float(len(first) - len(second)), *overlap_features(premise, hypothesis)]
        rows.append(row)
    width = BLEU_FEATURES + LENGTH_FEATURES + OVERLAP_FEATURES
    return np.array(rows, np.float64).reshape(len(rows), width)


def _ngrams(words: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(order)), strict=False))
