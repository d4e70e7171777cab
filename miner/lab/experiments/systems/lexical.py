"""Systems that read only the surface: the lexicalized classifier of SciNLI, section 4.2, naive Bayes and TF-IDF.

scikit-learn is imported when a system learns, in a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from miner.classifier.metrics import confusion, macro_f1
from miner.errors import UserError
from miner.lab.experiments.system_kinds import (
    FeatureGroup,
    LexicalSystem,
    TfidfSystem,
)
from miner.lab.experiments.systems.protocol import Array, LabelledText, Pairs, SystemData, Tick
from miner.lab.experiments.systems.surface_features import (
    BLEU_FEATURES,
    LENGTH_FEATURES,
    surface_features,
)
from miner.lab.experiments.systems.word_classes import TaggedWord, WordTagger
from miner.libraries import np

_PAIRS_PER_TICK = 1_000
_MAX_ITERATIONS = 2_000


class TrainedLexicalSystem:
    """A multinomial logistic regression on groups of features. c: chosen on dev. tagger: what told word classes."""

    def __init__(self, features: _Features, model: Any, c: float, classes: int) -> None:
        self._features, self._model, self._classes = features, model, classes
        self.c, self.tagger = c, features.tagger

    def predict(self, pairs: Pairs, tick: Tick) -> Array:
        return _spread(self._model, self._features.of(pairs, tick), self._classes)


def train_lexical(system: LexicalSystem, data: SystemData, tick: Tick) -> TrainedLexicalSystem:
    """Train with each C, and take the best on dev; with the middle one where there is no dev part."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    features = _Features(system.features, WordTagger.load())
    train = features.fit(data.train, tick)
    dev = features.of([(one.premise, one.hypothesis) for one in data.dev], tick) if data.dev else None
    gold, dev_gold = (np.array([one.label for one in part]) for part in (data.train, data.dev))
    candidates = system.c if dev is not None else (sorted(system.c)[len(system.c) // 2],)
    best: tuple[float, float, Any] | None = None
    with threadpool_limits(1):  # the sums are small: more threads would only wait for each other
        for number, c in enumerate(candidates):
            tick(number, len(candidates), f"C = {c:g}")
            model = LogisticRegression(C=c, max_iter=_MAX_ITERATIONS).fit(train, gold)
            score = 0.0
            if dev is not None:
                score = float(macro_f1(confusion(dev_gold, model.predict(dev), len(data.classes))))
            if best is None or score > best[0]:
                best = score, c, model
    assert best is not None
    return TrainedLexicalSystem(features, best[2], best[1], len(data.classes))


class TrainedNaiveBayes:
    """A multinomial naive Bayes on the words of both sentences, each side's apart."""

    def __init__(self, vectorizers: Sequence[Any], model: Any, classes: int) -> None:
        self._vectorizers, self._model, self._classes = vectorizers, model, classes

    def predict(self, pairs: Pairs, tick: Tick) -> Array:
        return _spread(self._model, _counts(self._vectorizers, pairs, lambda one: one.transform), self._classes)


def train_naive_bayes(data: SystemData, tick: Tick) -> TrainedNaiveBayes:
    """Train with Laplace smoothing (TaxiNLI, section 4)."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    vectorizers = [CountVectorizer(token_pattern=r"(?u)\b\w+\b") for _ in range(2)]
    pairs = [(one.premise or "-", one.hypothesis or "-") for one in data.train]
    try:
        counts = _counts(vectorizers, pairs, lambda one: one.fit_transform)
    except ValueError:  # no word at all on one side, as where the premise is hidden
        vectorizers = [CountVectorizer(token_pattern=r"(?u)\S+") for _ in range(2)]
        counts = _counts(vectorizers, pairs, lambda one: one.fit_transform)
    model = MultinomialNB().fit(counts, [one.label for one in data.train])
    return TrainedNaiveBayes(vectorizers, model, len(data.classes))


class TrainedTfidf:
    """A logistic regression on the TF-IDF of words and pairs of words, each sentence's apart."""

    def __init__(self, vectorizer: Any, model: Any, classes: int) -> None:
        self._vectorizer, self._model, self._classes = vectorizer, model, classes

    def predict(self, pairs: Pairs, tick: Tick) -> Array:
        return _spread(self._model, _tfidf(self._vectorizer, pairs), self._classes)


def train_tfidf(system: TfidfSystem, data: SystemData, tick: Tick) -> TrainedTfidf:
    """Train on the train part alone; how rare a word is follows from all of its sentences.

    `UserError` where these have no words.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    try:
        vectorizer.fit(data.sentences or [text for one in data.train for text in (one.premise, one.hypothesis)])
    except ValueError as exc:
        raise UserError("The pairs to learn from have no words.", hint="Choose another set.") from exc
    features = _tfidf(vectorizer, [(one.premise, one.hypothesis) for one in data.train])
    with threadpool_limits(1):
        model = LogisticRegression(C=system.c, max_iter=_MAX_ITERATIONS)
        model.fit(features, [one.label for one in data.train])
    return TrainedTfidf(vectorizer, model, len(data.classes))


def _tfidf(vectorizer: Any, pairs: Pairs) -> Any:
    return _counts([vectorizer, vectorizer], pairs, lambda one: one.transform)


class _Features:
    """The chosen groups as columns; surface features are divided by their deviation in training."""

    def __init__(self, groups: Sequence[FeatureGroup], tagger: WordTagger) -> None:
        self._groups, self._tagger, self.tagger = set(groups), tagger, tagger.name
        self._vectorizer: Any = None
        self._scale: Any = None

    def fit(self, examples: Sequence[LabelledText], tick: Tick) -> Any:
        from sklearn.feature_extraction.text import CountVectorizer

        pairs = [(one.premise, one.hypothesis) for one in examples]
        tagged = self._tagged(pairs, tick)
        surface = self._surface(tagged)
        self._scale = surface.std(0)
        self._scale[self._scale == 0] = 1
        if FeatureGroup.NGRAMS in self._groups:
            self._vectorizer = CountVectorizer(analyzer=_ngrams, binary=True)
            self._vectorizer.fit([[word.text for word in hypothesis] for _, hypothesis in tagged])
        return self._matrix(tagged, surface)

    def of(self, pairs: Pairs, tick: Tick) -> Any:
        tagged = self._tagged(pairs, tick)
        return self._matrix(tagged, self._surface(tagged))

    def _tagged(self, pairs: Pairs, tick: Tick) -> list[tuple[list[TaggedWord], list[TaggedWord]]]:
        sides: list[list[list[TaggedWord]]] = [[], []]
        known: dict[TaggedWord, TaggedWord] = {}  # each word once: 100,000 pairs have five million
        for number, side in enumerate(sides):
            for place, words in enumerate(self._tagger.tag([pair[number] for pair in pairs])):
                if place % _PAIRS_PER_TICK == 0:
                    tick(number * len(pairs) + place, 2 * len(pairs), "reading words")
                side.append([known.setdefault(word, word) for word in words])
        return list(zip(*sides, strict=True))

    def _surface(self, tagged: Sequence[tuple[list[TaggedWord], list[TaggedWord]]]) -> Any:
        columns = surface_features(tagged)
        bounds = np.cumsum([0, BLEU_FEATURES, LENGTH_FEATURES])
        groups = (
            (FeatureGroup.BLEU, columns[:, bounds[0] : bounds[1]]),
            (FeatureGroup.LENGTH, columns[:, bounds[1] : bounds[2]]),
            (FeatureGroup.OVERLAP, columns[:, bounds[2] :]),
        )
        return np.hstack([np.zeros((len(tagged), 0)), *(part for name, part in groups if name in self._groups)])

    def _matrix(self, tagged: Sequence[tuple[list[TaggedWord], list[TaggedWord]]], surface: Any) -> Any:
        from scipy.sparse import csr_matrix, hstack

        scaled = csr_matrix(surface / self._scale)
        if self._vectorizer is None:
            return scaled
        words = [[word.text for word in hypothesis] for _, hypothesis in tagged]
        return hstack([scaled, self._vectorizer.transform(words)]).tocsr()


def _ngrams(words: Sequence[str]) -> list[str]:
    """The words and pairs of neighbouring words."""
    return [*words, *(f"{one} {other}" for one, other in pairwise(words))]


def _counts(vectorizers: Sequence[Any], pairs: Pairs, method: Callable[[Any], Any]) -> Any:
    from scipy.sparse import hstack

    return hstack([method(one)([pair[side] for pair in pairs]) for side, one in enumerate(vectorizers)]).tocsr()


def _spread(model: Any, features: Any, classes: int) -> Array:
    """The model's probabilities with a column for every class, also for those without training pairs."""
    result = np.zeros((features.shape[0], classes), np.float32)
    if features.shape[0]:
        result[:, np.asarray(model.classes_, int)] = model.predict_proba(features)
    return result
