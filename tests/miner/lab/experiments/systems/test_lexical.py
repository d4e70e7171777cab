"""The systems that read the surface: their features by hand and against nltk, and what they can and cannot learn."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import modified_precision, sentence_bleu

from miner.lab.experiments.system_kinds import (
    FeatureGroup,
    LexicalSystem,
)
from miner.lab.experiments.systems.lexical import train_lexical, train_naive_bayes
from miner.lab.experiments.systems.protocol import LabelledText, SystemData
from miner.lab.experiments.systems.surface_features import bleu_features, overlap_features, surface_features
from miner.lab.experiments.systems.word_classes import TaggedWord, WordTagger

CLASSES = ("contrasting", "reasoning", "entailment", "neutral")
words = st.lists(st.sampled_from(["kelp", "grows", "in", "the", "sea"]), max_size=12)


def quiet(done: int, total: int, what: str) -> None:
    pass


@given(words, words)
def test_bleu_is_what_nltk_makes_of_it(premise: list[str], hypothesis: list[str]) -> None:
    *precisions, bleu = bleu_features(premise, hypothesis)
    for order, precision in enumerate(precisions, 1):
        expected = modified_precision([premise], hypothesis, order) if len(hypothesis) >= order else 0
        assert precision == pytest.approx(float(expected))
    if all(precisions):
        assert bleu == pytest.approx(sentence_bleu([premise], hypothesis))
    else:
        assert bleu == 0


def test_overlap_counts_different_words_of_each_class() -> None:
    premise = [TaggedWord("kelp", "noun"), TaggedWord("grows", "verb"), TaggedWord("fast", "adverb")]
    hypothesis = [
        TaggedWord("kelp", "noun"),
        TaggedWord("kelp", "noun"),
        TaggedWord("dies", "verb"),
        TaggedWord("so", ""),
    ]
    found = overlap_features(premise, hypothesis)
    assert found == pytest.approx([1, 1 / 3, 1, 1, 0, 0, 0, 0, 0, 0])
    assert surface_features([(premise, hypothesis)]).shape == (1, 16)
    assert surface_features([(premise, hypothesis)])[0, 5] == -1
    assert surface_features([]).shape == (0, 16)


def test_rules_tag_words_where_no_model_is_installed() -> None:
    [found] = WordTagger(None, "rules").tag(["The effective treatment quickly reduced 3.5 symptoms."])
    assert found == [
        ("the", ""),
        ("effective", "adjective"),
        ("treatment", "noun"),
        ("quickly", "adverb"),
        ("reduced", "verb"),
        ("3.5", ""),
        ("symptoms", "noun"),
    ]


def examples(count: int, seed: int = 0) -> list[LabelledText]:
    """The class is in a word of the hypothesis, and entailment in its overlap too."""
    generator = random.Random(seed)
    found = []
    for number in range(count):
        label = number % 4
        nouns = [f"noun{generator.randrange(50)}" for _ in range(8)]
        other = nouns[:6] if label == 2 else [f"noun{generator.randrange(50)}" for _ in range(6)]
        found.append(
            LabelledText(" ".join(nouns), f"{('but', 'hence', 'namely', 'also')[label]} {' '.join(other)}", label)
        )
    return found


def accuracy(model: object, part: list[LabelledText]) -> float:
    found = model.predict([(one.premise, one.hypothesis) for one in part], quiet)  # type: ignore[attr-defined]
    assert found.sum(1) == pytest.approx(np.ones(len(part)), abs=1e-5)
    return float((found.argmax(1) == [one.label for one in part]).mean())


def test_each_group_of_features_learns_what_is_in_it() -> None:
    data, held = SystemData(examples(200), examples(40, 1), CLASSES), examples(80, 2)
    everything = train_lexical(LexicalSystem(), data, quiet)
    assert everything.c in LexicalSystem().c
    assert accuracy(everything, held) > 0.95
    assert accuracy(train_lexical(LexicalSystem(features=(FeatureGroup.NGRAMS,)), data, quiet), held) > 0.95
    overlap = train_lexical(LexicalSystem(features=(FeatureGroup.OVERLAP,)), data, quiet)
    found = overlap.predict([(one.premise, one.hypothesis) for one in held], quiet).argmax(1)
    assert (found[2::4] == 2).mean() > 0.9
    length = train_lexical(LexicalSystem(features=(FeatureGroup.LENGTH,)), SystemData(data.train, (), CLASSES), quiet)
    assert (accuracy(length, held) < 0.5, length.c) == (True, 0.3)
    assert accuracy(train_naive_bayes(data, quiet), held) > 0.9


def test_a_class_without_examples_is_never_predicted_and_empty_sentences_are_read() -> None:
    data = SystemData([one for one in examples(80) if one.label != 3], (), CLASSES)
    for model in (train_lexical(LexicalSystem(), data, quiet), train_naive_bayes(data, quiet)):
        found = model.predict([("", ""), ("a", "")], quiet)
        assert found.shape == (2, 4)
        assert not found[:, 3].any()
        assert model.predict([], quiet).shape == (0, 4)
    hidden = SystemData([one._replace(premise="") for one in examples(80)], (), CLASSES)
    assert accuracy(train_naive_bayes(hidden, quiet), [*hidden.train]) > 0.9
