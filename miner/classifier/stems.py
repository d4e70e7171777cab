"""Encodes pairs as numbers of stems, for networks over word vectors (SciNLI, section 4.1; MSciNLI, appendix B)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate

from miner.classifier.encoding import HYPOTHESIS, PREMISE, Encoded
from miner.libraries import np

PAD, UNKNOWN = 0, 1
MIN_COUNT = 2
"""A stem that is rarer in the training pairs is unknown."""
_MAX_WORDS = 400  # of a sentence


class StemEncoder:
    """Encodes pairs, with the interface that `Trainer` and `BatchRunner` need of an `Encoder`.

    forms: the stems of the vocabulary, in the order of their numbers, each with its most frequent word.
    """

    pad = PAD

    def __init__(self, forms: Sequence[tuple[str, str]]) -> None:
        self.forms = tuple(forms)
        self.words = len(forms) + 2
        self._numbers = {stem: number for number, (stem, _) in enumerate(forms, 2)}
        self._stem = _stemmer()

    @classmethod
    def fit(cls, pairs: Iterable[tuple[str, str]]) -> StemEncoder:
        """An encoder with the vocabulary of these training pairs."""
        words: Counter[str] = Counter()
        for pair in pairs:
            for sentence in pair:
                words.update(tokenize(sentence))
        stem = _stemmer()
        counts: Counter[str] = Counter()
        best: dict[str, str] = {}
        for word, number in sorted(words.items(), key=lambda item: (-item[1], item[0])):
            counts[stem(word)] += number
            best.setdefault(stem(word), word)
        return cls([(form, best[form]) for form, number in sorted(counts.items()) if number >= MIN_COUNT])

    def encode(self, pairs: Sequence[tuple[str, str]]) -> Encoded:
        """The stems of both sentences, one after the other, without marks between them."""
        tokens: list[int] = []
        sides: list[int] = []
        lengths: list[int] = []
        for pair in pairs:
            before = len(tokens)
            for side, sentence in zip((PREMISE, HYPOTHESIS), pair, strict=True):
                numbers = [self._numbers.get(self._stem(word), UNKNOWN) for word in tokenize(sentence)[:_MAX_WORDS]]
                tokens += numbers or [UNKNOWN]  # an empty sentence has a vector too
                sides += [side] * max(1, len(numbers))
            lengths.append(len(tokens) - before)
        ends = np.array(list(accumulate(lengths)), np.int64)
        zeros = np.zeros(len(tokens), np.int8)
        return Encoded(np.array(tokens, np.int32), zeros, np.array(sides, np.int8), ends, 2 * _MAX_WORDS)


def tokenize(sentence: str) -> list[str]:
    """The sentence's words by NLTK's tokenizer, in lower case."""
    return [word.lower() for word in _tokenizer()(sentence)]


@lru_cache(maxsize=1)
def _tokenizer() -> Callable[[str], list[str]]:
    from nltk.tokenize import NLTKWordTokenizer

    tokenize: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
    return tokenize


def _stemmer() -> Callable[[str], str]:
    from nltk.stem import PorterStemmer

    return lru_cache(maxsize=200_000)(PorterStemmer().stem)
